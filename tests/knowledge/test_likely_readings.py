"""Each likely reading of a report that is wrong is a case: nothing wrong is confirmed, and what tells is asked soon."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest
from knowledge.likely_readings import SERVING, TRAINING
from knowledge.rows import base

from dam_expert.engine.cases import run_cases

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis

#: A report shows three questions and says how many more there are; a session goes on with the next.
SHOWN = 5
BROKEN = [
    pytest.param(f"case.{case}", naive, telling, id=f"{reading}: {case}")
    for reading, cases in (TRAINING | SERVING).items()
    for case, naive, telling in cases
]
#: Scores by status: what is not confirmed and not refuted is ranked by its score.
ORDER = ("refuted", "candidate", "supported", "conflicting", "confirmed")


@functools.cache
def stages() -> dict[str, list[Diagnosis]]:
    """Return the diagnosis of every stage of every case."""
    found: dict[str, list[Diagnosis]] = {}
    for result in run_cases(base()):
        found.setdefault(result.case, []).append(result.diagnosis)
    return found


def status(diagnosis: Diagnosis, hypothesis: str) -> str:
    """Return the status of a hypothesis; one of another track, which is not shown, is a candidate."""
    return next((one.status for one in diagnosis.hypotheses if one.id == hypothesis), "candidate")


def test_every_row_of_the_lessons_is_a_reading() -> None:
    """21 readings of training, and 38 of serving, communication, memory, quality and cost."""
    assert (len(TRAINING), len(SERVING)) == (21, 38)


@pytest.mark.parametrize(("case", "naive", "telling"), BROKEN)
def test_a_likely_reading_is_not_confirmed_at_any_stage(
    case: str, naive: tuple[str, ...], telling: tuple[str, ...]
) -> None:
    """Neither from the report alone nor with what tells."""
    confirmed = {
        (number, name)
        for number, diagnosis in enumerate(stages()[case], 1)
        for name in naive
        if status(diagnosis, name) in ("confirmed", "conflicting")
    }
    assert confirmed == set()
    assert set(naive) <= set(base().hypotheses)


@pytest.mark.parametrize(("case", "naive", "telling"), BROKEN)
def test_what_tells_is_among_the_next_questions(case: str, naive: tuple[str, ...], telling: tuple[str, ...]) -> None:
    """At a stage before the last, which knows it."""
    earlier = stages()[case][:-1]
    assert {one.measurement for diagnosis in earlier for one in diagnosis.next_measurements[:SHOWN]} & set(telling)


@pytest.mark.parametrize(("case", "naive", "telling"), BROKEN)
def test_a_likely_reading_is_no_stronger_once_it_is_told(
    case: str, naive: tuple[str, ...], telling: tuple[str, ...]
) -> None:
    """It is refuted, lowered, or never was more than a candidate."""
    before, after = stages()[case][0], stages()[case][-1]
    assert len(stages()[case]) >= 2
    for name in naive:
        assert ORDER.index(status(after, name)) <= max(ORDER.index(status(before, name)), ORDER.index("candidate")), (
            name
        )
