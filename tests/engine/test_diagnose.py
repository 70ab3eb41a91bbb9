"""The diagnosis document as it is written."""

from __future__ import annotations

import json

import jsonschema
import pytest
from small_bases import base, incident, lever, limit, measure, rule, run, seen, suspect, tools

from dam_expert.documents.diagnosis import diagnosis_schema
from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose, written


@pytest.fixture(scope="module")
def built():
    parts = [
        {"id": "wait", "title": "Waiting", "share": "gap", "waiting": True},
        {"id": "work", "title": "Work", "share": "busy", "waiting": False},
    ]
    return base(
        measurements=[
            measure("gap", "share", decides="share", obtain=[{"how": "x", "effort_minutes": 1}]),
            measure("busy", "share"),
            measure("probe"),
            measure("time", "duration"),
            measure("framework", "setting", unit=""),
        ],
        thresholds=[limit("half", "50 %", kind="share")],
        symptoms=[{"id": "waiting", "title": "w", "when": "gap >= half"}],
        budgets=[{"id": "step", "title": "s", "of": "step", "total": "time", "parts": parts}],
        hypotheses=[suspect("h", part="wait"), suspect("k", "compute")],
        levers=[lever("act", ["k"])],
        rules=[
            rule("c", "waiting", {"confirm": "h"}),
            rule("on_trial", "gap > 10 %", {"confirm": "k"}, status="test"),
            rule("old", "probe > 1", {"weaken": "k"}, status="deprecated"),
        ],
    )


def test_the_document_fits_its_schema(built):
    """With everything in it, and with nothing."""
    full = run(built, *tools(gap=0.6, busy=0.3, time=2, probe=3), planned=["act"], tried={"act": "nothing"})
    for evaluated in (full, run(built)):
        jsonschema.validate(json.loads(json.dumps(written(evaluated).as_data())), diagnosis_schema())


def test_the_evidence_of_a_hypothesis(built):
    """For and against, with the measurements inside of symptoms; what is on trial says so."""
    document = written(run(built, *tools(gap=0.6, probe=3), tried={"act": "nothing"}))
    first, second = document.hypotheses
    assert [(each.rule, each.strength, each.measurements) for each in first.evidence_for] == [("c", "confirm", ["gap"])]
    assert [(each.rule, each.strength, each.on_trial) for each in second.evidence_for] == [
        ("on_trial", "support", True)
    ]
    assert [(each.rule, each.strength, each.measurements, each.because) for each in second.against] == [
        ("old", "weaken", ["probe"], "old says so"),
        ("tried.act", "weaken", ["tried.act"], "it was tried and did not help"),
    ]
    assert second.score == -2


def test_warnings(built):
    """Deprecated rules that fired, and actions that no lever matches."""
    document = written(run(built, *tools(probe=3), planned=["pray"]))
    assert document.warnings == ["the rule 'old' is deprecated and still fired", "no lever of the base matches 'pray'"]


def test_the_budget_is_shown_with_its_residual(built):
    """Seconds, shares and what could be recovered."""
    budget = written(run(built, *tools(gap=0.6, busy=0.25, time=2))).budget
    assert (budget.id, budget.of, budget.total_s, budget.statistic) == ("step", "step", 2, "mean")
    assert [(part.id, part.seconds, part.share, part.recoverable) for part in budget.parts] == [
        ("wait", 1.2, 0.6, 0.6),
        ("work", 0.5, 0.25, None),
    ]
    assert (budget.residual, budget.contradiction) == (0.15, None)


def test_a_budget_that_contradicts_itself_is_shown_and_not_used(built):
    """No hypothesis has a share of it, and none of its parts decides: one of them is wrong."""
    document = written(run(built, *tools(gap=0.6, busy=0.7, time=2)))
    assert (document.budget.contradiction, document.budget.residual) == ("the parts add up to 130% of the whole", None)
    assert document.binding is None
    assert {told.share for told in document.hypotheses} == {None}


def test_observations_are_shown_as_understood(built):
    """In the order of the base's names, with value, basis, scope and place; settings among them."""
    found = written(
        run(
            built,
            seen("time", (1, 2), "said", given="1-2 s"),
            seen(
                "gap", 0.6, origin=Origin(file="t.json", line=3, tool="trace", detail="from spans"), scope={"rank": "0"}
            ),
            workload=(seen("framework", "jax", "reported"),),
        )
    )
    shown = [(each.measurement, each.value, each.basis, each.origin) for each in found.observations]
    assert shown == [
        ("framework", "jax", "reported", "test"),
        ("gap", 0.6, "tool", "t.json:3"),
        ("time", (1, 2), "said", "test"),
    ]
    assert (found.observations[1].scope, found.observations[1].tool, found.observations[1].detail) == (
        {"rank": "0"},
        "trace",
        "from spans",
    )
    assert found.observations[2].given == "1-2 s"
    assert found.incident.source == ["t.json", "test"]


def test_what_contradicts_itself_is_shown_under_rejected_only(built):
    """Both values, each with the reason."""
    found = written(run(built, seen("gap", 0.2), seen("gap", 0.8, origin=Origin(file="other"))))
    assert found.observations == []
    assert [(each.value, each.origin) for each in found.rejected] == [(0.8, "other"), (0.2, "test")]
    assert {each.reason for each in found.rejected} == {
        "equally trusted sources contradict each other (other, test): measure again"
    }
    assert [each.measurement for each in found.next_measurements] == ["gap"]


def test_messages_of_reading_are_listed_as_unread(built):
    """So that nothing is lost on the way."""
    message = Message(file="x.csv", level=Level.ERROR, text="cannot be read", code="unreadable")
    document = diagnose(built, incident(), executor=BitExecutor(built.program), messages=[message])
    assert document.unread == ["x.csv: error: cannot be read [unreadable]"]


def test_versions_and_identity(built):
    """Which program and knowledge, and whose incident."""
    document = written(run(built, title="Slow"))
    assert (document.incident.id, document.incident.title, document.versions.knowledge) == ("i", "Slow", "print")


def test_without_an_executor_the_rules_are_fired_by_experta(built):
    """The same bytes as from the bit program."""
    given = incident(*tools(gap=0.6, busy=0.3, time=2, probe=3), planned=["act"])
    first = diagnose(built, given).model_dump_json()
    assert first == diagnose(built, given, executor=BitExecutor(built.program)).model_dump_json()
