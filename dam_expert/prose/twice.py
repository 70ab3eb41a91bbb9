r"""Whether a report measures the same thing in two sections with two results: before and after, or on two machines.

What else stands in them is of one state or the other, and which one holds now is not said.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.passages import passages
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> found = passages("# Slow\n\n## Measured\n\n- step time: 2 s\n\n## Measured\n\n- step time: 3 s\n- MFU: 40 %\n")
>>> [(name, passage.text) for name, passage in measured_twice(found, vocabulary)]
[('step_time', 'step time: 3 s')]
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.prose.amounts import leading, value_of
from dam_expert.prose.enclosing import folded_head
from dam_expert.prose.labelled import labelled_lines
from dam_expert.prose.labels import named, read_label
from dam_expert.prose.passages import HEADS, Kind
from dam_expert.prose.tables import table_labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.understood import Finding
    from dam_expert.prose.vocabulary import Vocabulary

_SEVERAL: Final = "several values are given, and it is not said which of them is that of this job now"
_SEVERAL_ANSWER: Final = "give the one that holds now under a heading 'Measured', or with --set"
_GIVEN: Final = 120


def measured_twice(found: Sequence[Passage], vocabulary: Vocabulary) -> Iterator[tuple[str, Passage]]:
    """Yield the measurements that a later section under a plain heading gives another value, with the place of it."""
    numbers = itertools.accumulate(each.kind in HEADS for each in found)
    known: dict[str, tuple[int, str | Interval]] = {}
    plain = False
    for number, passage in zip(numbers, found, strict=True):
        if passage.kind in HEADS:
            plain = folded_head(passage.text) in vocabulary.heads.plain
        if not plain or passage.second_hand or passage.aside:
            continue
        for name, value in _labels(passage, vocabulary):
            first = known.setdefault(name, (number, value))
            if first[0] != number and _differ(first[1], value, vocabulary.base.measurements[name].tolerance):
                yield name, passage


def ask_of_contradictions(before: int, collected: Collected) -> None:
    """Take back what one sentence gives several values of that exclude each other, and ask which one holds.

    Of *30 images/s on one node, 10 on three* neither is that of the job before somebody says so. ``before`` is how many
    findings there were before the sentence.
    """
    told: dict[str, list[Finding]] = {}
    for each in collected.findings[before:]:
        if isinstance(each.observation.value, Interval) and not each.observation.scope:
            told.setdefault(each.observation.measurement, []).append(each)
    for name, several in told.items():
        least = min(each.tentative for each in several)
        found = [each for each in several if each.tentative == least]
        measurement = collected.vocabulary.base.measurements[name]
        values = [each.observation.value for each in found if isinstance(each.observation.value, Interval)]
        pairs = itertools.combinations(values, 2)
        if measurement.model.track is None or not any(_differ(*pair, measurement.tolerance) for pair in pairs):
            continue
        collected.findings[:] = [each for each in collected.findings if each not in found]
        given = " / ".join(dict.fromkeys(each.observation.given or "" for each in found))
        collected.ask_at(found[-1].span, f"{name}: {_SEVERAL} ({given[:_GIVEN]})", _SEVERAL_ANSWER)


def _labels(passage: Passage, vocabulary: Vocabulary) -> Iterator[tuple[str, str | Interval]]:
    """Yield the measurements that a passage gives with their values; words as written, blanks and case apart."""
    pairs: list[tuple[str, str]] = []
    if passage.kind is Kind.ITEM:
        pairs = [(label[1], label[2]) for _, label in labelled_lines(passage)]
    elif passage.kind is Kind.TABLE:
        pairs = table_labels(passage.text, vocabulary.words_of["before"], vocabulary.words_of["now"])
    for written, value in pairs:
        label = read_label(written)
        candidate = next(named(label, vocabulary), None)
        if candidate is not None and not candidate.variant and label.scope is None:
            first = leading(value)
            measurement = vocabulary.base.measurements[candidate.measurement]
            read = None if first is None else value_of(first, measurement, label.unit)
            plain = "".join(value.split()).casefold().strip("*`_.,;") + label.unit
            yield candidate.measurement, plain if read is None else read[0]


def _differ(first: str | Interval, second: str | Interval, tolerance: float) -> bool:
    """Whether two values differ by more than the part of them that measurements of one state do."""
    if not (isinstance(first, Interval) and isinstance(second, Interval)):
        return first != second
    gap = max(first.lo, second.lo) - min(first.hi, second.hi)
    return gap > tolerance * max(abs(first.lo), abs(first.hi), abs(second.lo), abs(second.hi))
