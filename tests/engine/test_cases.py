"""Worked incidents: what must be diagnosed at each stage."""

from __future__ import annotations

import pytest
from small_bases import base, lever, measure, rule, suspect

from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.cases import case_messages, run_cases
from dam_expert.engine.coverage import Coverage


def made(expect, *, incident=None, stages=None):
    case = {
        "id": "case",
        "title": "A case",
        "story": "s",
        "lesson": "l",
        "source": ["x"],
        "incident": incident or {},
        "stages": stages or [{"title": "Only", "add": {"gap": 2, "time": "1 s"}, "expect": expect}],
    }
    return base(
        measurements=[
            measure("gap", decides="counter", obtain=[{"how": "x", "effort_minutes": 1}]),
            measure("time", "duration", obtain=[{"how": "x", "effort_minutes": 1}]),
        ],
        hypotheses=[suspect("one"), suspect("cause", parent="one"), suspect("other", "compute")],
        levers=[lever("act", ["one"]), lever("waste", ["other"], wasted_on=["input"])],
        rules=[
            rule("c", "gap > clear_effect", {"confirm": "one"}),
            rule("o", "time > 1 h", {"support": "cause"}),
            rule("ask", "known gap", {"ask": "time"}),
        ],
        cases=[case],
    )


def differences(expect, **more):
    built = made(expect, **more)
    return [message.text for message in case_messages(built, run_cases(built))]


@pytest.mark.parametrize(
    ("expect", "expected"),
    [
        pytest.param(
            {"status": "confirmed", "binding": "one", "bottleneck": "input", "depth": "bottleneck"},
            None,
            id="the verdict",
        ),
        pytest.param(
            {"hypotheses": {"one": "confirmed", "other": "candidate"}, "axes": {"data": "confirmed"}},
            None,
            id="statuses",
        ),
        pytest.param({"first": ["other", "one"]}, None, id="one of the first"),
        pytest.param({"works": ["act"], "wasted": ["waste"], "anti_patterns": ["wasted_action"]}, None, id="advice"),
        pytest.param({"status": "supported"}, "status is confirmed, expected supported", id="status"),
        pytest.param({"binding": "cause"}, "binding is one, expected cause", id="binding"),
        pytest.param({"bottleneck": "compute"}, "bottleneck is input, expected compute", id="bottleneck"),
        pytest.param({"depth": "cause"}, "depth is bottleneck, expected cause", id="depth"),
        pytest.param({"hypotheses": {"other": "refuted"}}, "other is candidate, expected refuted", id="hypothesis"),
        pytest.param(
            {"hypotheses": {"another": "refuted"}}, "another is None, expected refuted", id="no such hypothesis"
        ),
        pytest.param({"axes": {"data": "refuted"}}, "the data axis is confirmed, expected refuted", id="axis"),
        pytest.param({"first": ["other"]}, "the first hypothesis is one, expected other", id="first"),
        pytest.param({"next": ["gap", "x"]}, "the next measurement is None, expected gap or x", id="next"),
        pytest.param({"works": ["waste", "act"]}, "works lacks waste (has act)", id="works"),
        pytest.param({"wasted": ["act"]}, "wasted lacks act (has waste)", id="wasted"),
        pytest.param(
            {"anti_patterns": ["acting_before_diagnosing"]},
            "anti-patterns lacks acting_before_diagnosing (has wasted_action)",
            id="anti-patterns",
        ),
    ],
)
def test_what_differs_is_told(expect, expected):
    """Only what a stage expects is compared; lists must be contained."""
    found = differences(expect, incident={"planned_actions": ["waste"]})
    assert found == ([] if expected is None else [f"case stage 1 (Only): {expected}"])


def test_stages_add_to_what_was_known():
    """Each sees the incident and all stages before it; the last value of a measurement counts."""
    stages = [
        {"title": "Before", "expect": {"status": "undetermined", "next": ["gap"], "first": ["cause"]}},
        {"title": "Wrong", "add": {"gap": 1}, "expect": {"status": "undetermined", "next": ["time"]}},
        {
            "title": "Right",
            "add": {"gap": 3, "time": "2 h"},
            "expect": {"status": "confirmed", "hypotheses": {"cause": "supported"}},
        },
    ]
    built = made({}, stages=stages)
    results = run_cases(built)
    assert [(result.stage, result.title) for result in results] == [(1, "Before"), (2, "Wrong"), (3, "Right")]
    assert [result.differences for result in results] == [(), (), ()]


def test_both_executors_give_the_same_cases():
    """And coverage sees what was evaluated."""
    built = made({"status": "confirmed"})
    coverage = Coverage(built)
    first = run_cases(built, coverage)
    assert first == run_cases(built, executor=ExpertaExecutor(built.program))
    assert coverage.unfired() == ["o"]


def test_what_cannot_be_read_of_a_case_is_a_difference():
    """As an incident file would be told."""
    assert differences(
        {"status": "undetermined"},
        incident={"observations": {"gpa": 3}},
        stages=[{"title": "Only", "expect": {"status": "undetermined"}}],
    ) == ["case stage 1 (Only): no measurement is called 'gpa'"]
