r"""Values below a sentence that names one change, under labels of their own: ``images per s mask reset: 870``.

Whoever adds what was tried since writes the change into a sentence, and into the label any words for it. Where of a
metric that section gives one value other than the one that the report gives for the job, that value is the one with the
change; a label beside it with the value of the job is the side without. Words of another machine, person, version or
time in the label leave it as it is.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.prose.own_labels import is_own
from dam_expert.prose.words import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.intervals import Interval
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.variants import Case

_OTHERS: Final = ("elsewhere", "case", "hedge", "condition", "reference", "planned", "part", "unreal", "wrong")
_MOST_WORDS: Final = 5
"""Words of a label that may name the change: more tell more."""


def with_changed_values(collected: Collected) -> list[Case]:
    """Return the cases of a report, those that a section of what was tried gives with the change of its sentence.

    A value of the job beside one with the change is the side without it, and left out.
    """
    changed = {id(case) for case in _changed(collected)}
    without = {id(case) for case in _without_change(collected)}
    return [_with_change(case) if id(case) in changed else case for case in collected.cases if id(case) not in without]


def _without_change(collected: Collected) -> Iterator[Case]:
    """Yield the cases that only the sentence before them would make changed ones, and that are the job as it is."""
    vocabulary = collected.vocabulary
    own = [case for case in collected.cases if case.place[0].attempted and case.changed and case.levers == case.named]
    own = [case for case in own if not vocabulary.trials.tried(case.rest)]
    for case in own:
        value = None if is_own(case.measurement) else _of_the_job(case.measurement, collected)
        beside = [other for other in own if other.measurement == case.measurement and other.value != value]
        if value is not None and case.value == value and beside:
            yield case


def _changed(collected: Collected) -> Iterator[Case]:
    own = [case for case in collected.cases if case.place[0].attempted and len(case.named) == 1]
    for metric in dict.fromkeys(case.measurement for case in own if not is_own(case.measurement)):
        of_metric = [case for case in own if case.measurement == metric]
        value = _of_the_job(metric, collected)
        others = [case for case in of_metric if case.value != value]
        free = value is not None and not any(case.changed for case in of_metric)
        if free and len(others) == 1 and _says_no_more(others[0], collected):
            yield others[0]


def _of_the_job(metric: str, collected: Collected) -> Interval | None:
    """Return the one value of a metric that stands for the job, or None."""
    found = {
        (value.lo, value.hi): value
        for value, finding in collected.given(metric)
        if finding.span.line in collected.standing and not finding.observation.scope and not finding.tentative
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _says_no_more(case: Case, collected: Collected) -> bool:
    """Whether the words of a label beside its metric may but name the change."""
    vocabulary, words = collected.vocabulary, case.rest
    marks = [each for each in vocabulary.marks.overlapping(words) if each.meaning in _OTHERS]
    before = [each for each in vocabulary.marks.overlapping(words) if each.meaning == "before"]
    strange = places_of((*marks, *before, *vocabulary.foreign_words.overlapping(words)))
    return not strange and not case.sizes and len(words) <= _MOST_WORDS


def _with_change(case: Case) -> Case:
    """Return a case as that of the change which the sentence before it names."""
    return dataclasses.replace(case, levers=case.named, words=frozenset(), changed=True)
