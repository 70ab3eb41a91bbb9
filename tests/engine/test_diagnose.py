"""The diagnosis document as it is written."""

from __future__ import annotations

import json

import jsonschema
import pytest
from small_bases import base, incident, lever, limit, measure, rule, run, seen, suspect, tools

from dam_expert.documents.diagnosis import diagnosis_schema
from dam_expert.documents.intervals import Interval
from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import FEW, _forward_chaining, diagnose, written


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


@pytest.fixture(scope="module")
def ranked():
    """Return a base with a target, ranks, a parent with a cause, and a figure of the accelerator."""
    parts = [{"id": "wait", "title": "Waiting", "share": "gap", "waiting": True}]
    return base(
        measurements=[
            measure("gap", "share", decides="share", per="rank", obtain=[{"how": "x", "effort_minutes": 1}]),
            measure("probe", decides="probe"),
            measure("time", "duration", per="rank"),
            measure("request_time", "duration"),
            measure("queue", "share"),
            measure("speed", "rate", better="higher"),
            measure("accelerator", "setting", unit=""),
            measure("last_rank", "setting", unit=""),
            measure("arithmetic_intensity"),
            measure("ridge_intensity"),
        ],
        thresholds=[
            limit("half", "50 %", kind="share"),
            limit("clear", 1.2),
            limit("enough_samples", 10, kind="count"),
        ],
        budgets=[
            {"id": "step", "title": "s", "of": "step", "total": "time", "parts": parts},
            {
                "id": "request",
                "title": "r",
                "of": "request",
                "total": "request_time",
                "parts": [{"id": "queueing", "title": "q", "share": "queue", "waiting": True}],
            },
        ],
        hypotheses=[suspect("h", part="wait"), suspect("cause", parent="h"), suspect("alone", "host")],
        levers=[lever("act", ["h"])],
        rules=[
            rule("root", "gap >= half", {"confirm": "h"}),
            rule("deep", "probe > clear", {"confirm": "cause"}),
            rule("other", "queue >= half", {"support": "alone"}),
        ],
    )


@pytest.mark.parametrize(
    ("target", "metric", "higher"),
    [
        pytest.param({"metric": "time", "wanted": Interval.point(1.0)}, "time", False, id="a time"),
        pytest.param({"metric": "speed", "actual": Interval.point(3.0)}, "speed", True, id="a rate"),
        pytest.param({"metric": "happiness"}, "happiness", False, id="words"),
    ],
)
def test_the_target_as_it_stands(ranked, target, metric, higher):
    """By the id of its measurement, with the direction that is better; words stay words."""
    found = written(run(ranked, target=target)).target
    assert (found.metric, found.higher_is_better) == (metric, higher)
    assert (found.wanted, found.actual) == tuple(
        None if target.get(name) is None else target[name].lo for name in ("wanted", "actual")
    )


@pytest.mark.parametrize("more", [{}, {"target": {"wanted": Interval.point(1.0)}}], ids=["none", "without a metric"])
def test_no_target_is_none(ranked, more):
    """A wanted value of nothing in particular is no target."""
    assert written(run(ranked, **more)).target is None


@pytest.mark.parametrize(
    ("observations", "binding", "depth"),
    [
        pytest.param({"gap": 0.6}, "h", "bottleneck", id="a family"),
        pytest.param({"gap": 0.6, "probe": 2.0}, "cause", "cause", id="its cause"),
    ],
)
def test_how_deep_the_binding_constraint_is(ranked, observations, binding, depth):
    """A root that has causes is a bottleneck, and one of them is a cause."""
    found = written(run(ranked, *tools(**observations)))
    assert (found.binding.hypothesis, found.binding.depth) == (binding, depth)
    data = next(axis for axis in found.axes if axis.axis == "data")
    assert (data.status, data.share) == ("confirmed", 0.6)
    assert next(axis for axis in found.axes if axis.axis == "algorithm").share is None


def test_a_root_without_causes_is_a_cause(built):
    """There is nothing below it to find."""
    assert written(run(built, *tools(gap=0.6))).binding.depth == "cause"


def test_values_that_do_not_decide_say_why(ranked):
    """Those that rest on few readings, and those from before a change; all others give no reason."""
    few = seen("gap", 0.6, samples=2)
    found = {each.measurement: each.reason for each in written(run(ranked, few, *tools(queue=0.1))).observations}
    assert found == {"gap": FEW, "queue": None}


@pytest.mark.parametrize(
    ("observations", "statistic"),
    [
        pytest.param([seen("gap", 0.6)], "mean", id="one"),
        pytest.param(
            [seen("gap", 0.6, scope={"rank": "0"}), seen("gap", 0.4, scope={"rank": "1"})], "mean", id="ranks"
        ),
        pytest.param(
            [
                seen("gap", 0.6, scope={"rank": "0"}),
                seen("gap", 0.4, scope={"rank": "1"}),
                seen("last_rank", "1"),
            ],
            "last_rank",
            id="the last of ranks",
        ),
        pytest.param([seen("gap", 0.6), seen("last_rank", "1")], "mean", id="a last rank without values"),
        pytest.param(
            [seen("queue", 0.6), seen("probe", 1.0, scope={"rank": "1"}), seen("last_rank", "1")],
            "mean",
            id="the budget of a request",
        ),
    ],
)
def test_whose_times_a_budget_tells(ranked, observations, statistic):
    """The mean, or those of the rank for which the others wait, where that one was measured."""
    assert written(run(ranked, *observations)).budget.statistic == statistic


@pytest.mark.parametrize(
    ("observations", "warned"),
    [
        pytest.param({"accelerator": "Odd One", "arithmetic_intensity": 3.0}, True, id="unknown"),
        pytest.param({"accelerator": "Fast One", "arithmetic_intensity": 3.0}, False, id="known, without a precision"),
        pytest.param({"accelerator": "Odd One"}, False, id="nothing of it is wanted"),
        pytest.param({"arithmetic_intensity": 3.0}, False, id="unnamed"),
        pytest.param(
            {"accelerator": "Odd One", "arithmetic_intensity": 3.0, "ridge_intensity": 9.0},
            False,
            id="its figure given",
        ),
    ],
)
def test_an_accelerator_that_is_not_catalogued_is_told_where_a_figure_is_missing(ranked, observations, warned):
    """And then what to give in its place; a long name is cut."""
    found = written(run(ranked, *tools(**observations))).warnings
    said = "the catalogue has no accelerator 'Odd One', and nothing similar stands in: give --set ridge_intensity, "
    assert found == ([said + "or add it to a runbook"] if warned else [])
    long = written(run(ranked, *tools(accelerator="x" * 99, arithmetic_intensity=3.0))).warnings
    assert f"'{'x' * 80}'" in long[0]


@pytest.mark.parametrize(
    ("observations", "exhausted"),
    [
        pytest.param([], False, id="something can be asked"),
        pytest.param(
            [seen(name, value) for name, value in {"gap": 0.1, "probe": 1.0, "queue": 0.1}.items()],
            True,
            id="all known",
        ),
    ],
)
def test_an_open_incident_without_a_question_says_so(ranked, observations, exhausted):
    """What is open and asks nothing has no more to find here."""
    found = written(run(ranked, *observations))
    assert (found.exhausted, bool(found.next_measurements)) == (exhausted, not exhausted)


def test_the_network_is_kept_for_the_next_incident_of_the_same_base(built, ranked):
    """Building it costs more than a diagnosis; another base has its own."""
    first = _forward_chaining(built.program)
    assert _forward_chaining(built.program) is first
    second = _forward_chaining(ranked.program)
    assert second is not first
    assert _forward_chaining(built.program) is not second
