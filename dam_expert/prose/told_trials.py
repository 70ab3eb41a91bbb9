r"""Trials that one sentence tells from beginning to end, under a heading of what was tried.

*With synthetic data the step went from 620 to 240 ms* names one change and what a metric was before and is with it.
Where the value before is the one that the report gives for the job, the sentence is of this job and of that metric; and
where none of its words can be a second change, the ratio is what the change did, as if both values stood in a list. In
any other case it is said, and decides nothing.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.kinds import Kind
from dam_expert.prose.amounts import amounts, ends_of, value_of
from dam_expert.prose.gains import in_place_of
from dam_expert.prose.innocent import SAFE
from dam_expert.prose.sizes import is_sized
from dam_expert.prose.tracks import told_by
from dam_expert.prose.trial_sentences import UNKNOWN, begins_of, explained_in, is_plain_word
from dam_expert.prose.variants import told_case
from dam_expert.prose.words import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

_TAKEN_BACK: Final = ("hedge", "confounded", "at_once", "hopes")
#: What takes a number back unless it belongs to the change: *removing the CPU limit*.
_OF_NUMBERS: Final = ("reference", "bound", "part")
#: That a setting was left as it was.
_SAME: Final = re.compile(r"\b(?:same|fixed|identical|equal|unchanged|cùng)\b|相同|同样|不变", re.IGNORECASE)
_MARKS: Final = frozenset({*SAFE, "against", "before", "now", "varies"})
#: At the beginning, that something is but told: *I read that without logging it is faster*.
_TELLS: Final = re.compile(r"[^,.;]{0,60}\bthat\b(?!\s(?:change|alone|one|option|flag|setting)\b)", re.IGNORECASE)
#: A word for more or less that tells how the metric moved: *lowered it from 120*.
_MOVES: Final = re.compile(r"(?:ed|cut|up|took|went)$", re.IGNORECASE)
#: What begins the numbers of a setting that was changed.
_OF_SIZE: Final = re.compile(r"(?:from|to|by)\b", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\d+|from|to|by")
#: What joins a second thing to a first one.
_JOINS: Final = re.compile(
    r"(?:and|plus|together|also|as well as|alongside|along|besides|beside|then|và)\b|[&+]|[和与]", re.IGNORECASE
)


@dataclasses.dataclass(frozen=True, slots=True)
class Told:
    """What a sentence tells of one change: the metric before and with it, and where it says so."""

    key: str
    before: Amount
    now: Amount
    metrics: frozenset[str]
    """The measurements that its words may name; none where it names none."""
    place: tuple[Passage, int, int]


def keep_told(sentence: Sequence[Statement], passage: Passage, collected: Collected) -> bool:
    """Keep what a sentence tells of the one thing that it says was applied; False where it tells no such trial."""
    if not passage.trial or len(collected.applied) != 1:
        return False
    (keys,) = collected.applied
    told = [each for key in sorted(keys) if (each := told_trial(key, sentence, passage, collected)) is not None]
    collected.told += told
    return bool(told)


def told_trial(key: str, sentence: Sequence[Statement], passage: Passage, collected: Collected) -> Told | None:
    """Return what a sentence tells of a lever or probe, where it stands by itself and tells nothing else."""
    if not passage.trial or len(sentence) != 1:
        return None
    statement = sentence[0]
    if (
        not statement.is_of_this_job
        or statement.has(*_TAKEN_BACK)
        or _TELLS.match(statement.text, statement.clause.start)
    ):
        return None
    clause = statement.text[statement.clause.start : statement.clause.end]
    numbers = list(amounts(clause))
    pairs = list(_pairs(clause, numbers))
    if len(pairs) != 1:
        return None
    before, now = pairs[0]
    if not _is_of_one_change(key, statement, (before, now), collected.vocabulary):
        return None
    place = (passage, statement.clause.start, statement.clause.end)
    return Told(key, before, now, _metrics(statement, collected.vocabulary), place)


def _pairs(text: str, numbers: Sequence[Amount]) -> Iterator[tuple[Amount, Amount]]:
    """Yield what a metric was and is now, each with the unit that one of them has.

    Beside numbers with a unit those without are of the change: *workers from 2 to 8*.
    """
    found = [ends_of(each) for each in numbers if each.turned]
    found += [(before, now) for now, before in in_place_of(text, numbers)]
    with_unit = [each for each in found if each[0].unit or each[1].unit]
    for before, now in with_unit or found:
        unit = before.unit or now.unit
        if now.unit in ("", unit) and len(before.numbers) == len(now.numbers) == 1:
            yield dataclasses.replace(before, unit=unit), dataclasses.replace(now, unit=unit)


def _is_of_one_change(key: str, statement: Statement, numbers: Sequence[Amount], vocabulary: Vocabulary) -> bool:
    """Whether each word of a clause is of one change, of its metric, or says nothing of either."""
    words, start = statement.words, statement.clause.start
    changes = vocabulary.trials.overlapping_tried(words)
    own = [each for each in changes if each.meaning == key]
    inside = places_of(own)
    if not own or not places_of(changes) <= inside:
        return False
    counted = {
        at
        for at, word in enumerate(words)
        if any(start + each.start <= word.start < start + each.end for each in numbers)
    }
    begins = begins_of(statement)
    parts = [sum(begin <= token.start for begin in begins) for token in words]
    of_change = {parts[at] for at in inside}
    counted |= _numbers_of_change(max(of_change), parts, begins, statement)
    taken_back = places_of(each for each in statement.marks if each.meaning in _OF_NUMBERS)
    beside = {at for at in range(len(words)) if parts[at] not in of_change}
    if taken_back & beside or _tells_another(statement, beside - counted, parts, vocabulary):
        return False
    joined = {number for number, begin in enumerate(begins, 1) if _JOINS.match(statement.text, begin)}
    known = explained_in(statement, own, vocabulary) | counted
    known |= places_of(each for each in statement.marks if each.meaning in _MARKS)
    known |= places_of(vocabulary.innocent.overlapping(words)) - places_of(vocabulary.foreign_words.overlapping(words))
    free = {at for at in range(len(words)) if parts[at] in of_change - joined}
    before = {at for at in range(min(inside)) if parts[at] not in joined}
    known |= before & places_of(vocabulary.trial_words.overlapping(words))
    unknown = free - known - places_of(vocabulary.trial_words.overlapping(words))
    return (
        known | free >= set(range(len(words)))
        and len(unknown) <= UNKNOWN
        and all(words[at].word.isdigit() or is_plain_word(at, statement, vocabulary) for at in unknown)
        and not any(parts[at] in joined - of_change and at not in counted for at in range(len(words)))
    )


def _numbers_of_change(part: int, parts: Sequence[int], begins: Sequence[int], statement: Statement) -> set[int]:
    """Return the places of the numbers right behind a change, which are its own: *from 8 to 16*, *by 8*."""
    if part >= len(begins) or not _OF_SIZE.match(statement.text, begins[part]):
        return set()
    behind = [at for at, number in enumerate(parts) if number == part + 1]
    return set(itertools.takewhile(lambda at: _NUMBERED.fullmatch(statement.words[at].word), behind))


def _tells_another(statement: Statement, beside: set[int], parts: Sequence[int], vocabulary: Vocabulary) -> bool:
    """Whether a part beside the change tells of another one: *at half the batch size*, *with smaller images*.

    A part with the metric's numbers may begin with its name (*the batch from 14 to 11 ms*); what is the same is none.
    """
    words = statement.words
    named: list[Mention[Any]] = [
        *(each for each in vocabulary.keys.overlapping(words) if is_sized(each.meaning, vocabulary)),
        *vocabulary.changed.overlapping(words),
        *(
            each
            for each in vocabulary.verbs.overlapping(words)
            if not _MOVES.search(statement.text, each.start, each.end)
        ),
        *(each for each in statement.marks if each.meaning in ("small", "large")),
    ]
    return any(not _is_same(parts[at], parts, statement) for at in places_of(named) & beside)


def _is_same(part: int, parts: Sequence[int], statement: Statement) -> bool:
    """Whether a part of a clause says that something was left as it was, or holds the numbers of the metric."""
    words = [word for word, at in zip(statement.words, parts, strict=True) if at == part]
    text = statement.text[words[0].start : words[-1].end]
    return _SAME.search(text) is not None or any(amounts(text))


def take_told_trials(collected: Collected) -> None:
    """Take what sentences told of changes where the value before is the one that stands for the job."""
    for told in collected.told:
        for metric in _of_the_job(told, collected):
            read = value_of(told.now, collected.vocabulary.base.measurements[metric])
            key = told_by(metric, told.key, collected.vocabulary)
            if read is not None and not read[1] and key is not None:
                case = told_case(metric, read[0], key, told.place)
                passage = dataclasses.replace(told.place[0], attempted=True)
                collected.cases.append(dataclasses.replace(case, place=(passage, *told.place[1:])))
                break


def _metrics(statement: Statement, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the metrics that a clause names beside what was changed, whatever it says of them."""
    kinds, known = vocabulary.base.names, vocabulary.base.measurements
    inside = places_of(vocabulary.trials.overlapping_tried(statement.words))
    named = {
        each.meaning
        for each in vocabulary.keys.overlapping(statement.words)
        if inside.isdisjoint(range(each.first, each.after))
    }
    return frozenset(
        name for name in named if kinds.kind(name) in (Kind.DURATION, Kind.RATE) or known[name].model.track == "quality"
    )


def _of_the_job(told: Told, collected: Collected) -> Iterator[str]:
    """Yield the metrics of which the job has a value, as it stands, that is the one before a change.

    Numbers without a unit are those of a metric of quality that the sentence names.
    """
    measurements = collected.vocabulary.base.measurements
    for finding in collected.findings:
        observation = finding.observation
        measurement = measurements[observation.measurement]
        tracks = ("time", "quality") if told.before.unit or measurement.id in told.metrics else ()
        if measurement.model.track not in tracks or observation.scope or finding.span.line not in collected.standing:
            continue
        if not told.before.unit and measurement.model.track == "time":
            continue
        read = value_of(told.before, measurement)
        if read is not None and read[0] == observation.value and (not told.metrics or measurement.id in told.metrics):
            yield measurement.id
