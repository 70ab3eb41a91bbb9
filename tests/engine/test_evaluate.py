"""The stages of one evaluation."""

from __future__ import annotations

import pytest
from small_bases import base, fired, incident, measure, rule, run, seen, statuses, suspect, tools

from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import evaluate
from dam_expert.language.program import Stage

MEASURES = [
    measure("gap", "share", decides="share"),
    measure("util", "share"),
    measure("active", "share"),
    measure("twice", formula="gap * 2", decides="counter"),
]
SANITY = [
    rule("impossible", {"all": ["util > 90 %", "active < 1 %"]}, {"reject": ["util", "active"]}),
    rule("strange", "gap > 95 %", {"doubt": "gap"}),
    rule("again", "util > 99 %", {"reject": "util"}),
]
BASE = base(
    measurements=MEASURES,
    symptoms=[{"id": "idle", "title": "i", "when": "util < 30 %"}],
    hypotheses=[suspect("h"), suspect("k", "compute")],
    rules=[
        *SANITY,
        rule("c", "twice > clear_effect", {"confirm": "h"}),
        rule("s", "gap > 10 %", {"support": "k"}),
        rule("u", "util > 50 %", {"suggest": "k"}),
        rule("a", "known util", {"ask": "gap"}),
    ],
)


def test_sanity_comes_first_and_reads_what_was_observed():
    """Both of two impossible values are unknown from there on, though each alone could be."""
    found = run(BASE, *tools(util=0.95, active=0.001))
    assert fired(found) == {"impossible": "full"}
    assert [(rejection.observation.measurement, rejection.reason) for rejection in found.columns.rejections] == [
        ("active", "impossible says so (impossible)"),
        ("util", "impossible says so (impossible)"),
    ]
    assert fired(run(BASE, *tools(util=0.95))) == {"u": "full", "a": "full"}


def test_the_first_rule_that_rejects_gives_the_reason():
    """In the order of the base."""
    found = run(BASE, *tools(util=1.0, active=0.001))
    reasons = [
        rejection.reason for rejection in found.columns.rejections if rejection.observation.measurement == "util"
    ]
    assert reasons == ["impossible says so (impossible)"]


def test_a_doubted_value_counts_as_said():
    """It supports, but what is derived from it confirms nothing."""
    found = run(BASE, *tools(gap=0.96))
    assert fired(found) == {"strange": "full", "s": "full"}
    assert statuses(found) == {"h": "candidate", "k": "supported"}
    assert statuses(run(BASE, *tools(gap=0.6))) == {"h": "confirmed", "k": "supported"}


def test_rejected_values_are_shown_and_not_used():
    """Under rejected, with the reason, and not under observations."""
    document = written(run(BASE, *tools(util=0.95, active=0.001, gap=0.2)))
    assert [report.measurement for report in document.observations] == ["gap"]
    assert [report.measurement for report in document.rejected] == ["active", "util"]


@pytest.mark.parametrize("executor", [BitExecutor, ExpertaExecutor])
def test_an_executor_evaluates_one_incident_after_the_other(executor):
    """Nothing of the first is left in the second."""
    running = executor(BASE.program)
    for _ in range(2):
        assert fired(evaluate(BASE, incident(*tools(gap=0.6)), running)) == {"c": "full", "s": "full"}
        assert fired(evaluate(BASE, incident(*tools(util=0.2)), running)) == {"a": "full"}


@pytest.mark.parametrize("executor", [BitExecutor, ExpertaExecutor])
def test_symptoms_have_a_truth_after_the_evidence(executor):
    """False, unknown or true."""
    answers = {"low": 0.1, "high": 0.9, None: None}
    found = []
    for value in answers.values():
        evaluated = run(BASE, *([] if value is None else [seen("util", value)]))
        evaluation = executor(BASE.program).begin()
        truths = {
            position: evaluated.truth(node.question)
            for position, node in enumerate(BASE.program.nodes)
            if node.question is not None
        }
        evaluation.run(Stage.SANITY, {})
        evaluation.run(Stage.EVIDENCE, truths)
        found.append(evaluation.symptoms()["idle"].word)
    assert found == ["true", "false", "unknown"]


def test_a_trace_lists_what_fired_in_its_order():
    """Stage after stage."""
    evaluation = ExpertaExecutor(BASE.program).begin()
    evaluated = run(BASE, *tools(gap=0.6, util=0.6))
    truths = {p: evaluated.truth(n.question) for p, n in enumerate(BASE.program.nodes) if n.question is not None}
    for stage in Stage:
        evaluation.run(stage, truths)
    assert set(evaluation.trace[:-1]) == {"c", "s", "u"}
    assert evaluation.trace[-1] == "a"
