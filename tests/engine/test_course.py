"""The course of an incident, and the cases that are like it."""

from __future__ import annotations

import dataclasses

import pytest

from dam_expert import load_knowledge
from dam_expert.documents.incident import Incident
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


def test_similar_cases_end_with_the_same_cause_first(shipped):
    """A case with the cause confirmed here comes before others of its family; without a cause there is none."""
    executor = BitExecutor(shipped.program)

    def alike(*observations):
        return similar_cases(evaluate(shipped, Incident(id="s", file="", observations=observations), executor))

    assert alike(*ANSWERS)[0] == "case.starved_accelerator"
    assert alike(ANSWERS[0]) == []
    assert len(alike(*ANSWERS)) <= 3
