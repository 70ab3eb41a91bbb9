"""The course of an incident, and the cases that are like it."""

from __future__ import annotations

import dataclasses

import pytest

from dam_expert import load_knowledge
from dam_expert.documents.incident import Incident, Intervention
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.course import course_of
from dam_expert.engine.evaluate import evaluate
from dam_expert.engine.similar import similar_cases


@pytest.fixture(name="shipped", scope="module")
def _shipped():
    """Return the shipped base."""
    return load_knowledge()[0]


def answered(name: str, value: float, file: str = "session", given: str | None = None) -> Observation:
    origin = Origin(file=file)
    point = Interval.point(value)
    return Observation(measurement=name, value=point, origin=origin, basis=Basis.REPORTED, given=given or name)


ANSWERS = (
    answered("step_time", 0.18),
    answered("input_gap_share", 0.4),
    answered("decode_share_of_worker", 0.7),
    answered("cached_pass_speedup", 1.01),
    answered("worker_cores_share", 1.0),
)


def test_the_course_ends_with_the_cause_that_is_confirmed(shipped):
    """Every answer is a step; belief adds up to one at most, and a confirmed cause takes all."""
    incident = Incident(id="s", file="s.dam.yaml", observations=ANSWERS)
    moments = course_of(shipped, incident)
    assert len(moments) == len(ANSWERS) + 1
    assert all(sum(moment.belief.values()) <= 1.0 + 1e-9 for moment in moments)
    fared = [moment.belief["cpu_decode_bound"] for moment in moments]
    assert fared[-1] == pytest.approx(1.0)
    assert fared[2] > fared[1]
    assert moments[-1].leading == "cpu_decode_bound"


def test_what_one_file_or_answer_gave_is_one_step(shipped):
    """Observations of one tool's file come in together."""
    table = [dataclasses.replace(each, origin=Origin(file="t.csv", tool="iostat")) for each in ANSWERS[1:3]]
    incident = Incident(id="s", file="s.dam.yaml", observations=(ANSWERS[0], *table, ANSWERS[3]))
    assert [len(moment.seen) for moment in course_of(shipped, incident)] == [0, 1, 2, 1]


def test_what_was_measured_before_a_change_holds_before_it(shipped):
    """A cause that was confirmed and then cured rises to the top and falls with the change, which is a step."""
    change = Intervention(
        lever="more_workers", origin=Origin(file="session"), kept=True, after=(answered("step_time", 0.1),)
    )
    incident = Incident(id="s", file="s.dam.yaml", observations=ANSWERS, interventions=(change,))
    *earlier, last = course_of(shipped, incident)
    assert [moment.lever for moment in earlier] == [None] * (len(ANSWERS) + 1)
    assert last.lever == "more_workers"
    assert last.seen == change.after
    assert earlier[-1].belief["cpu_decode_bound"] == pytest.approx(1.0)
    assert last.belief["cpu_decode_bound"] < 0.9


def test_what_was_measured_after_a_change_comes_after_it(shipped):
    """An answer that is younger than a change is a step behind it."""
    change = Intervention(
        lever="more_workers", origin=Origin(file="session"), kept=True, after=(), when="2026-01-01T10:00:00Z"
    )
    younger = dataclasses.replace(answered("input_gap_share", 0.04), when="2026-01-01T11:00:00Z")
    incident = Incident(id="s", file="s.dam.yaml", observations=(*ANSWERS[:1], younger), interventions=(change,))
    moments = course_of(shipped, incident)
    assert [(moment.lever, len(moment.seen)) for moment in moments] == [
        (None, 0),
        (None, 1),
        ("more_workers", 0),
        (None, 1),
    ]


def test_what_was_taken_over_a_change_counts_as_before_it(shipped):
    """A step with a value from before a change and one from after it is no step behind it; nor is one at its moment."""
    at = "2026-01-01T10:00:00Z"
    change = Intervention(lever="more_workers", origin=Origin(file="session"), kept=True, after=(), when=at)
    undated = dataclasses.replace(change, lever="pin_batches", when=None)
    table = [
        dataclasses.replace(answered(name, 0.04, "t.csv"), when=when, origin=Origin(file="t.csv", tool="iostat"))
        for name, when in (("input_gap_share", "2026-01-01T11:00:00Z"), ("host_gap_share", "2026-01-01T09:00:00Z"))
    ]
    for seen in (table, [dataclasses.replace(ANSWERS[1], when=at)]):
        incident = Incident(id="s", file="s.dam.yaml", observations=tuple(seen), interventions=(change, undated))
        assert [moment.lever for moment in course_of(shipped, incident)] == [None, None, "more_workers", "pin_batches"]


def test_similar_cases_end_with_the_same_cause_first(shipped):
    """A case with the cause confirmed here comes before others of its family; without a cause there is none."""
    executor = BitExecutor(shipped.program)

    def alike(*observations):
        return similar_cases(evaluate(shipped, Incident(id="s", file="", observations=observations), executor))

    assert alike(*ANSWERS)[0] == "case.starved_accelerator"
    assert alike(ANSWERS[0]) == []
    assert len(alike(*ANSWERS)) <= 3
