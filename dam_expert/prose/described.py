r"""The condition of a probe in words of its own description: *with the package versions of development*.

Whoever closes an incident calls what was changed by the words that the base has for it, in an order of their own. So
some words beside each other name the condition of a probe where all that are not common to most probes stand in its
title, aliases, question or lever, where no other probe is described by nearly all of them, and where they point in its
direction: *fewer*, *larger* and *without* are never another one's. Whatever else the clause says is judged elsewhere.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.words import significant, tokens
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> for text in ("the package versions of development", "without the package versions of development"):
...     [found.meaning for found in vocabulary.trials.described.find(significant(tokens(text)))]
['development_dependencies_gap_closed']
[]
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from dam_expert.documents.kinds import Kind
from dam_expert.prose.words import Mention, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.kb.base import Base
    from dam_expert.prose.words import Phrases, Token

_MOST_WORDS: Final = 6
"""Words of a condition: more tell of more than one thing."""
_NEARLY: Final = 0.7
"""What another probe may share of the weight of some words without being meant by them."""
_LEAST: Final = 5.0
"""The least weight of words that name something: one that two of a hundred probes share, and half of another one."""
_COMMON: Final = 1.8
"""The weight below which words say nothing of one probe: more than one of six shares them."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Description:
    """What describes a probe: its words, and the directions that all of its words and that its title tell."""

    meaning: str
    words: frozenset[str]
    directions: frozenset[str]
    titled: frozenset[str]
    titles: frozenset[frozenset[str]]
    """The words of its title and of each of its aliases."""


class Described:
    """The descriptions of the probes of a base, found in some words."""

    def __init__(
        self, descriptions: Sequence[_Description], directions: Phrases[str], metrics: Iterable[str] = ()
    ) -> None:
        self._descriptions = descriptions
        self._directions = directions
        counts = Counter(word for each in descriptions for word in each.words)
        self._weights = {word: math.log(len(descriptions) / count) for word, count in counts.items()}
        self._weights |= dict.fromkeys(metrics, 0.0)
        self._holding: dict[str, set[int]] = {}
        for at, each in enumerate(descriptions):
            for word in each.words:
                self._holding.setdefault(word, set()).add(at)
        self._unknown = math.log(2 * max(1, len(descriptions)))

    def find(self, words: Sequence[Token]) -> list[Mention[str]]:
        """Return the one condition that some words describe, with the most telling words for it; none of several."""
        best: dict[str, tuple[float, Mention[str]]] = {}
        for first, after in _windows(words):
            weight = self._weight(token.word for token in words[first:after])
            meaning = self._meant(words, first, after) if weight >= _LEAST else None
            if meaning is not None and (meaning not in best or weight > best[meaning][0]):
                start, end = words[first].start, words[after - 1].end
                best[meaning] = (weight, Mention(meaning, start, end, first, after))
        return [mention for _, mention in best.values()] if len(best) == 1 else []

    def _meant(self, words: Sequence[Token], first: int, after: int) -> str | None:
        """Return what the only description with all of some words is of, if no other one comes near."""
        own = {token.word for token in words[first:after]}
        holding = [self._descriptions[at] for at in set.intersection(*(self._holding.get(word, set()) for word in own))]
        titled = [each for each in holding if any(self._is_title(own, title) for title in each.titles)]
        found = titled if len(titled) == 1 else holding
        if len(found) != 1:
            return None
        (description,) = found
        most = self._weight(own) * _NEARLY
        others = (each for each in self._descriptions if each is not description and not titled)
        if any(self._weight(own & each.words) > most for each in others):
            return None
        told = self._told(words, words[first].clause)
        same = told <= description.directions and description.titled <= told
        return description.meaning if same else None

    def _is_title(self, words: set[str], title: frozenset[str]) -> bool:
        """Whether some words are all of a title that tells probes apart."""
        return words <= title and all(self._weights[word] < _COMMON for word in title - words)

    def _told(self, words: Sequence[Token], clause: int) -> frozenset[str]:
        """Return the directions that the clause of some words tells."""
        own = [token for token in words if token.clause == clause]
        return frozenset(each.meaning for each in self._directions.overlapping(own))

    def _weight(self, words: Iterable[str]) -> float:
        return sum(self._weights.get(word, self._unknown) for word in words)


def _windows(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield where words stand beside each other in one clause, two at least."""
    for first, token in enumerate(words):
        for after in range(first + 2, min(first + _MOST_WORDS, len(words)) + 1):
            if words[after - 1].clause == token.clause:
                yield first, after


def descriptions_of(base: Base, directions: Phrases[str]) -> Described:
    """Return what describes the probes of a base."""
    return Described([_description(name, base, directions) for name in _probes(base)], directions, _metric_words(base))


def _metric_words(base: Base) -> Iterator[str]:
    """Yield the words of metrics of jobs: they tell what was measured, and of no condition."""
    for name, measurement in base.measurements.items():
        if measurement.model.track == "time":
            for text in (measurement.model.title, *measurement.model.aliases, name.replace("_", " ")):
                yield from (token.word for token in significant(tokens(text)))


def _probes(base: Base) -> Iterator[str]:
    for name, measurement in base.measurements.items():
        if measurement.model.decides == "probe" and measurement.model.kind is Kind.RATIO:
            yield name


def _description(name: str, base: Base, directions: Phrases[str]) -> _Description:
    model = base.measurements[name].model
    lever = base.levers.get(model.probe_of or "")
    of_lever = () if lever is None else (lever.model.title, *lever.model.aliases)
    titles = [model.title]
    texts = [*titles, *model.aliases, model.question or "", *of_lever]
    return _Description(
        meaning=model.probe_of or name,
        words=frozenset(token.word for text in texts for token in significant(tokens(text))),
        directions=_directions_of(texts, directions),
        titled=_directions_of(titles, directions),
        titles=frozenset(
            frozenset(token.word for token in significant(tokens(text))) for text in (*titles, *model.aliases)
        ),
    )


def _directions_of(texts: Iterable[str], directions: Phrases[str]) -> frozenset[str]:
    return frozenset(each.meaning for text in texts for each in directions.overlapping(significant(tokens(text))))
