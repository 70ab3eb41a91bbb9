"""What was tried or is planned, and what it changed: a lever of the base beside a word for its effect.

The effect may stand in the next sentence (*We doubled the workers. No change.*), or above a list of what was tried
(*None of this helped:*). A factor in the same sentence (*CUDA graphs gave 1.8x*) is what the probe of the lever gives;
it is said, and decides nothing.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Effect, Planned, Tried
from dam_expert.prose.gains import gain_of, moved
from dam_expert.prose.labels import COLONS
from dam_expert.prose.levers import is_taken_off
from dam_expert.prose.passages import Kind
from dam_expert.prose.variants import RATIO, told_case
from dam_expert.prose.words import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.intervals import Interval
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

_EFFECTS: Final = {
    "nothing": Effect.NOTHING,
    "persists": Effect.NOTHING,
    "useless": Effect.NOTHING,
    "worse": Effect.WORSE,
    "helped": Effect.HELPED,
}
_COMPARED: Final = {
    "compared_same": Effect.NOTHING,
    "compared_worse": Effect.WORSE,
    "compared_better": Effect.HELPED,
}
#: What, denied, says that there was no effect.
_GAINS: Final = ("gain", "helped", "compared_better")
_TELLING: Final = frozenset({*_EFFECTS, *_COMPARED, *_GAINS})
#: Marks of a sentence that says nothing but an effect.
_OF_EFFECTS: Final = (
    *_EFFECTS,
    *_COMPARED,
    "gain",
    "negation",
    "neutral",
    "tried",
    "acted",
    "contrast",
    "statistic",
    "total",
    "bound",
)
_OF_WRITERS: Final = re.compile(r"\b(?:we|i)\s$", re.IGNORECASE)
#: Before a word for an effect, that it is hoped for and not told: *to improve*, *may help*.
_HOPED_FOR: Final = re.compile(
    r"(?:\b(?:to|can|could|will|would|may|might|should|must|shall|please)\s|能|会|可以|希望|想|\b(?:để|sẽ|có thể|nên"
    r"|mong)\s)$",
    re.IGNORECASE,
)
#: Behind *no change*, what was left as it was.
_OF_SETUP: Final = re.compile(
    r"\s(?:in|to|of)\s(?:the |our |my |any )?(?:config|configuration|code|set-?up|settings?|data|model|hardware"
    r"|environment|software|parameters)\b",
    re.IGNORECASE,
)
_OTHER_WORDS: Final = 2
"""Words of such a sentence that may be anything: *no change at all for us*."""
_DENIED: Final = 1
"""Words between a negation and the lever that it denies: *did not enable bf16*."""


@dataclasses.dataclass(frozen=True, slots=True)
class Applied:
    """A lever that was applied, and where a passage says so."""

    lever: str
    passage: Passage
    start: int
    end: int


@dataclasses.dataclass(frozen=True, slots=True)
class _Told:
    """An effect that a sentence tells: in which clause, where, and with how many words."""

    effect: Effect
    clause: tuple[int, int]
    start: int
    size: int


def read_attempts(
    sentence: Sequence[Statement], named: Sequence[Sequence[Mention[str]]], passage: Passage, collected: Collected
) -> None:
    """Take the levers of one sentence with their effect, or as planned; a question or a condition states neither.

    ``named`` are the levers that each clause names.
    """
    before, collected.pending = collected.pending, ()
    if passage.second_hand or any(each.is_question for each in sentence):
        return
    told = list(_effects(sentence))
    levers = [
        (number, mention)
        for number, each in enumerate(sentence)
        for mention in named[number]
        if not (each.is_conditional or each.has("elsewhere", "case") or _is_denied(mention, each))
        and not any(start <= mention.start < end for start, end in each.compared_with)
    ]
    if not levers:
        if before and _says_but_effects(sentence, told, collected.vocabulary):
            _take_pending(before, sentence, told, passage, collected)
        return
    gain = _gain(sentence, levers, collected.vocabulary)
    for number, mention in levers:
        effect = _nearest(mention, number, sentence, told)
        if effect is None and gain is None and len(levers) == 1 and _is_act(sentence, levers, passage):
            effect = _moved(sentence, collected.vocabulary)
        if effect is None and gain is not None:
            effect = _of_a_gain(gain[0])
        if effect is None and passage.kind is Kind.ITEM:
            effect = collected.verdict
        _take(mention, effect, sentence, passage, collected)
    if gain is not None:
        _take_gain(levers[0][1].meaning, gain, passage, collected)
    if not told and gain is None and _is_act(sentence, levers, passage):
        own = tuple(Applied(mention.meaning, passage, mention.start, mention.end) for _, mention in levers)
        listed = before if passage.kind is Kind.ITEM else ()
        collected.pending = (*(each for each in listed if each.passage.kind is Kind.ITEM), *own)


def read_verdict(sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Remember what a heading, or a sentence before a list, says of all that was tried: *None of this helped:*."""
    if passage.kind is Kind.ITEM:
        return
    last = sentence[-1]
    ahead = passage.kind is Kind.HEADING or passage.text[: last.clause.end].rstrip().endswith(COLONS)
    told = {each.effect for each in _effects(sentence)} if ahead else set()
    lasting = any(each.has("persists") for each in sentence)
    of_attempts = not lasting and any(each.has("tried", "nothing", "useless") for each in sentence)
    plain = all(each.is_of_this_job for each in sentence) and not passage.second_hand
    collected.verdict = told.pop() if len(told) == 1 and of_attempts and plain else None


def _take(
    mention: Mention[str], effect: Effect | None, sentence: Sequence[Statement], passage: Passage, collected: Collected
) -> None:
    """Take one lever as tried, or as planned where no effect is told."""
    if mention.meaning in _known(collected):
        return
    origin = collected.origin(passage, mention.start)
    if effect is not None:
        collected.tried.append(Tried(lever=mention.meaning, effect=effect, origin=origin))
        collected.tracks[mention.meaning] = _tracks(sentence, collected.vocabulary)
    elif any(each.has("planned") for each in sentence):
        collected.planned.append(Planned(lever=mention.meaning, origin=origin))
    else:
        return
    collected.mark(passage, mention.start, mention.end)


def _tracks(sentence: Sequence[Statement], vocabulary: Vocabulary) -> frozenset[str]:
    """Return the tracks of the metrics that a sentence names."""
    known = vocabulary.base.measurements
    named = (mention.meaning for each in sentence for mention in vocabulary.keys.find(each.words))
    return frozenset(track for name in named if (track := known[name].model.track) is not None)


def drop_other_tracks(track: str | None, collected: Collected) -> None:
    """Take back attempts whose effect was on another kind of metric than what is missed: *no effect on accuracy*."""
    if track is not None:
        collected.tried[:] = [each for each in collected.tried if collected.tracks.get(each.lever, {track}) <= {track}]


def _known(collected: Collected) -> set[str]:
    return {each.lever for each in collected.tried} | {each.lever for each in collected.planned}


def _take_pending(
    applied: Sequence[Applied],
    sentence: Sequence[Statement],
    told: Sequence[_Told],
    passage: Passage,
    collected: Collected,
) -> None:
    """Take what the sentence before applied with the effect that this one tells; of several only that none helped."""
    gain = gain_of(sentence, collected.vocabulary) if len({each.lever for each in applied}) == 1 else None
    effects = {each.effect for each in told}
    if gain is not None:
        effect = _of_a_gain(gain[0])
        effects = set() if effect is None else {effect}
        _take_gain(applied[0].lever, gain, passage, collected)
    if len(effects) != 1 or (len(applied) > 1 and effects != {Effect.NOTHING}):
        return
    for each in applied:
        if each.lever not in _known(collected):
            origin = collected.origin(each.passage, each.start)
            collected.tried.append(Tried(lever=each.lever, effect=next(iter(effects)), origin=origin))
            collected.mark(each.passage, each.start, each.end)


def _gain(
    sentence: Sequence[Statement], levers: Sequence[tuple[int, Mention[str]]], vocabulary: Vocabulary
) -> tuple[Interval, int, int] | None:
    """Return the factor that a sentence tells of its one lever; a guess or a wish tells none."""
    if len({mention.meaning for _, mention in levers}) != 1:
        return None
    if any(each.has("hedge", "negation") or not each.is_of_this_job for each in sentence):
        return None
    return gain_of(sentence, vocabulary)


def _of_a_gain(factor: Interval) -> Effect | None:
    """Return what a factor of speed tells of a lever; None where it may be either."""
    return Effect.HELPED if factor.lo >= 1 else Effect.WORSE if factor.hi <= 1 else None


def _take_gain(lever: str, gain: tuple[Interval, int, int], passage: Passage, collected: Collected) -> None:
    """Take a factor as what the probe of a lever gives."""
    value, start, end = gain
    collected.cases.append(told_case(RATIO, value, lever, (passage, start, end)))


def _effects(sentence: Sequence[Statement]) -> Iterator[_Told]:
    """Yield the effects that a sentence tells; what is denied to have helped did nothing.

    That something is faster tells an effect only where something was tried: else it is the complaint itself.
    """
    tried = any(each.has("tried", "acted") for each in sentence)
    for number, statement in enumerate(sentence):
        for mention in statement.marks:
            effect = _effect_of(mention, statement, tried=tried)
            if effect is not None:
                clause = (number, statement.words[mention.first].clause)
                yield _Told(effect, clause, mention.start, mention.after - mention.first)


def _effect_of(mention: Mention[str], statement: Statement, *, tried: bool) -> Effect | None:
    if mention.meaning not in _TELLING:
        return None
    if mention.meaning == "useless" and not _ends_its_clause(mention, statement):
        return None
    if _OF_WRITERS.search(statement.text, max(0, mention.start - 4), mention.start):
        return None  # *we changed nothing*
    if _OF_SETUP.match(statement.text, mention.end):
        return None
    if mention.meaning == "helped" and _HOPED_FOR.search(statement.text[max(0, mention.start - 12) : mention.start]):
        return None
    if any(each.meaning == "at_once" and each.start <= mention.start < each.end for each in statement.marks):
        return None  # *at the same time* compares no times
    if mention.meaning in _GAINS and statement.negated(mention.first):
        return Effect.NOTHING
    if mention.meaning in _COMPARED:
        return _COMPARED[mention.meaning] if tried else None
    return _EFFECTS.get(mention.meaning)


def _ends_its_clause(mention: Mention[str], statement: Statement) -> bool:
    """Whether nothing follows a mention in its clause: *没用* beside the name of a lever says that it was not used."""
    if mention.after >= len(statement.words):
        return True
    return statement.words[mention.after].clause != statement.words[mention.first].clause


def _nearest(mention: Mention[str], number: int, sentence: Sequence[Statement], told: Sequence[_Told]) -> Effect | None:
    """Return the effect of a lever: the longest in its own clause, else the next one, else the one before it."""
    clause = (number, sentence[number].words[mention.first].clause)
    own = [each for each in told if each.clause == clause]
    behind = [each for each in told if each.clause > clause]
    ahead = [each for each in told if each.clause < clause]
    found = own or [each for each in behind if each.clause == behind[0].clause]
    found = found or [each for each in ahead if each.clause == ahead[-1].clause]
    return max(found, key=lambda each: each.size).effect if found else None


def _is_denied(mention: Mention[str], statement: Statement) -> bool:
    """Whether it is said that a lever was not applied: *did not enable bf16*.

    What denies an effect (*no effect of bf16*) does not deny the lever; what is taken off (*disabling bf16*) does.
    """
    if is_taken_off(mention, statement):
        return True
    inside = [each for each in statement.marks if mention.first <= each.first and each.after <= mention.after]
    if any(each.meaning == "negation" for each in inside):
        return True  # between a thing and its verb: *GPU 数量没有增加*
    effects = [each for each in statement.marks if each.meaning in _EFFECTS or each.meaning in _COMPARED]
    return any(
        each.meaning == "negation"
        and 0 <= mention.first - each.after <= _DENIED
        and statement.words[each.first].clause == statement.words[mention.first].clause
        and not any(
            effect.first <= each.first < effect.after
            and (effect.meaning != "useless" or _ends_its_clause(effect, statement))
            for effect in effects
        )
        for each in statement.marks
    )


def _moved(sentence: Sequence[Statement], vocabulary: Vocabulary) -> Effect | None:
    """Return what it means that a metric fell or rose to a value: *每步时间降到 0.9 秒*."""
    better = moved(sentence, vocabulary)
    return None if better is None else Effect.HELPED if better else Effect.WORSE


def _is_act(sentence: Sequence[Statement], levers: Sequence[tuple[int, Mention[str]]], passage: Passage) -> bool:
    """Whether a sentence tells that its levers were applied, so that the next one may tell what that did."""
    if any(each.has("planned", "hedge") for each in sentence):
        return False
    listed = passage.kind is Kind.ITEM
    return listed or any(sentence[number].has("tried", "acted") for number, _ in levers)


def _says_but_effects(sentence: Sequence[Statement], told: Sequence[_Told], vocabulary: Vocabulary) -> bool:
    """Whether a sentence tells an effect and hardly anything else: *no change at all*."""
    if any(not each.is_of_this_job or each.has("hedge") for each in sentence):
        return False
    gain = gain_of(sentence, vocabulary)
    if not told and gain is None:
        return False
    others = 0
    for statement in sentence:
        marks = [each for each in statement.marks if each.meaning in _OF_EFFECTS]
        names = vocabulary.keys.overlapping(statement.words) if gain is not None else []
        explained = places_of((*marks, *names))
        inside = gain or (None, 0, 0)
        others += sum(
            place not in explained and not (inside[1] <= token.start < inside[2])
            for place, token in enumerate(statement.words)
        )
    return others <= _OTHER_WORDS
