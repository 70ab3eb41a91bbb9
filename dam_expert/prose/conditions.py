r"""The conditions of a trial in the words of a label or sentence: by a name of their own, or by a thing and its state.

People write the same condition in many orders: *without the uploader*, *uploader disabled*, *disabling the uploader*.
``conditions`` in ``knowledge/prose`` name the things whose absence is the condition of a probe; a word for the state
stands beside them. A thing without such a word is the other side: *it per s with uploader*.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.words import significant, tokens
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> for text in ("uploader thread disabled", "without the uploader thread", "with the uploader thread"):
...     [found.meaning for found in vocabulary.trials.find(significant(tokens(text)))]
['move_threads_out']
['move_threads_out']
[]
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.prose.words import Mention, Phrases, places_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.prose.described import Described
    from dam_expert.prose.entries import ConditionModel
    from dam_expert.prose.words import Token

REMOVED: Final = "removed"
APPLIED: Final = "applied"
_BETWEEN: Final = 2
"""Words that may stand between a thing and its state, where they belong to neither: *without the slow uploader*."""


@dataclasses.dataclass(frozen=True, slots=True)
class Conditions:
    """What names the condition of a trial, found as ``Phrases`` are."""

    named: Phrases[str]
    """Names of levers and of probes by themselves; nothing, for what holds one and means something else."""
    things: Phrases[str]
    """What is taken away, with the lever or probe; nothing, for what only looks like one."""
    states: Phrases[str]
    """Words that say that a thing is not there, or that it is."""
    described: Described
    """The descriptions of probes, for what has no name."""

    def find(self, words: Sequence[Token]) -> list[Mention[str]]:
        """Return the conditions that some significant words name, none inside another."""
        named = [each for each in self.named.find(words) if each.meaning]
        composed = self._composed(words)
        kept = [each for each in composed if not any(_is_as_long(other, each) for other in named)]
        taken = places_of(kept)
        apart = [each for each in named if taken.isdisjoint(range(each.first, each.after))]
        return sorted((*kept, *self._with_state(apart, words)), key=lambda each: (each.first, each.after))

    def overlapping(self, words: Sequence[Token]) -> list[Mention[str]]:
        """Return every condition, also those that lie inside of longer ones."""
        found = self.named.overlapping(words)
        others = [each for each in found if not each.meaning]
        named = [each for each in found if each.meaning and not any(_holds(other, each) for other in others)]
        return [*named, *self._composed(words), *(each for each in self._with_state(named, words) if each not in named)]

    def tried(self, words: Sequence[Token]) -> list[Mention[str]]:
        """Return the conditions that words under a heading of what was tried name, or the one that they describe."""
        return self.find(words) or self.described.find(words)

    def overlapping_tried(self, words: Sequence[Token]) -> list[Mention[str]]:
        """Return every condition that such words name, or the one that they describe."""
        return self.overlapping(words) or self.described.find(words)

    def _composed(self, words: Sequence[Token]) -> list[Mention[str]]:
        things = self.things.find(words)
        if not things:
            return []
        states = [each for each in self.states.find(words) if each.meaning == REMOVED]
        return [
            Mention(
                thing.meaning,
                min(thing.start, state.start),
                max(thing.end, state.end),
                min(thing.first, state.first),
                max(thing.after, state.after),
            )
            for thing in things
            if thing.meaning and not any(_holds(thing, state) for state in states)
            for state in [_beside(thing, states, things, words)]
            if state is not None
        ]

    def _with_state(self, named: Sequence[Mention[str]], words: Sequence[Token]) -> Iterator[Mention[str]]:
        """Yield mentions with the words right behind them that say no more than that it is so: *pinned memory true*."""
        states = {each.first: each for each in self.states.find(words) if each.meaning == APPLIED} if named else {}
        for each in named:
            state = states.get(each.after)
            same = state is not None and words[state.first].clause == words[each.first].clause
            yield dataclasses.replace(each, end=state.end, after=state.after) if state is not None and same else each


def _is_as_long(one: Mention[str], other: Mention[str]) -> bool:
    """Whether a mention overlaps another one and holds at least as many words: a name goes before what is composed."""
    overlaps = one.first < other.after and other.first < one.after
    return overlaps and one.after - one.first >= other.after - other.first


def _holds(one: Mention[str], other: Mention[str]) -> bool:
    return one.first <= other.first and other.after <= one.after


def _beside(
    thing: Mention[str], states: Sequence[Mention[str]], things: Sequence[Mention[str]], words: Sequence[Token]
) -> Mention[str] | None:
    """Return the nearest word for a state that belongs to a thing, in its clause and with no other thing between."""
    reached = []
    for state in states:
        first, after = min(thing.after, state.after), max(thing.first, state.first)
        near = 0 <= after - first <= _BETWEEN and words[state.first].clause == words[thing.first].clause
        between = range(first, after)
        if near and not any(other.first in between for other in (*things, *states)):
            reached.append((after - first, state))
    return min(reached, key=lambda each: each[0])[1] if reached else None


def conditions_of(
    names: Iterable[tuple[str, str]],
    entries: Sequence[tuple[str, ConditionModel]],
    states: Iterable[tuple[str, Sequence[str]]],
    described: Described,
) -> Conditions:
    """Return the conditions of a vocabulary: names by themselves, and things with the words for their states."""
    others = [(thing, key) for key, entry in entries if not key for thing in entry.things]
    return Conditions(
        named=Phrases(dict.fromkeys([*names, *others])),
        things=Phrases((thing, key) for key, entry in entries for thing in entry.things),
        states=Phrases((word, state) for state, words in states for word in words),
        described=described,
    )
