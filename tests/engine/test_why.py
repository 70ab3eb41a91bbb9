"""Why a rule fired and why not: false apart from unknown, and the single change that turns it."""

from __future__ import annotations

import dataclasses

import pytest

from dam_expert.documents.incident import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.evaluate import evaluate
from dam_expert.engine.facts import incident_of_facts
from dam_expert.engine.moved import Move, verdict_of
from dam_expert.engine.recorded import UndecidedError, case_of
from dam_expert.engine.why import explain, near_misses
from dam_expert.kb.load import load_knowledge

STARVED = {"input_gap_share": "45 %", "step_time": "100 ms"}


@pytest.fixture(name="base", scope="module")
def _base():
    return load_knowledge()[0]


def why(base, rule, facts):
    incident, messages = incident_of_facts(facts, base.names, "facts")
    assert messages == []
    return explain(base, incident, rule)


def told(found):
    return (
        [each.leaf.text for each in found.obstacles if not each.is_unknown],
        [each.leaf.text for each in found.obstacles if each.is_unknown],
        [(each.what, each.now, each.to) for each in found.changes],
    )


@pytest.mark.parametrize(
    ("rule", "facts", "outcome", "expected"),
    [
        pytest.param(
            "input.request.support",
            {"preprocess_time": "15 ms", "request_time": "100 ms"},
            "silent",
            (["preprocess_share >= 20 %"], [], [("preprocess_share", "15 %", "20 %")]),
            id="one false comparison",
        ),
        pytest.param(
            "queue.waiting.confirm",
            {"queue_time": "60 ms", "request_time": "100 ms"},
            "undecided",
            ([], ["instance_busy_share < server_room"], [("instance_busy_share", None, "47.5 %")]),
            id="one unknown comparison",
        ),
        pytest.param(
            "queue.waiting.confirm",
            {"queue_time": "40 ms", "request_time": "100 ms"},
            "silent",
            (["queue_share >= majority"], ["instance_busy_share < server_room"], []),
            id="two things at once: no single change",
        ),
        pytest.param(
            "input.request.support",
            {"preprocess_time": "30 ms", "request_time": "100 ms"},
            "fires",
            ([], [], [("preprocess_share", "30 %", "19 %")]),
            id="it fired: what would stop it",
        ),
        pytest.param(
            "capacity.device.confirm",
            {"allocation_state": "fits"},
            "silent",
            (["allocation_state is device_out_of_memory"], [], [("allocation_state", "fits", "device_out_of_memory")]),
            id="a word",
        ),
    ],
)
def test_why(base, rule, facts, outcome, expected):
    """What keeps a rule from firing, and what would turn it, is exactly this."""
    found = why(base, rule, facts)
    assert (found.outcome, told(found)) == (outcome, expected)


def test_a_probe_must_go_beyond_half_of_what_the_budget_predicts(base):
    """A probe that looks good enough for its threshold and is not is told apart, with the value that would do."""
    found = why(base, "input.workers.confirm", {**STARVED, "more_workers_speedup": "1.2"})
    (obstacle,) = found.obstacles
    assert (obstacle.is_unknown, obstacle.reason) == (True, "the value makes it true, but cannot carry a decision")
    assert ("more_workers_speedup", "1.41×") in [(each.what, each.to) for each in found.changes]


def test_an_unknown_rule(base):
    """An unknown rule is an error of the caller."""
    with pytest.raises(KeyError):
        why(base, "no.such.rule", STARVED)


def test_near_misses(base):
    """Deciding rules that one comparison within a factor of two kept from firing, the nearest first."""
    incident, _ = incident_of_facts({"input_gap_share": "6 %", "kernel_share": "48 %"}, base.names, "facts")
    found = near_misses(evaluate(base, incident, BitExecutor(base.program)))
    assert [miss.rule for miss in found][:1] == ["input.wait.refute_by_gap"]
    assert (found[0].leaf, found[0].value) == ("input_gap_share < input_not_bound (5 %)", "6 %")
    assert all(miss.distance <= 2.0 for miss in found)


def _incident(base, observations):
    data = {"schema": "dam-incident/1", "id": "i", "title": "Slow", "observations": observations}
    incident, messages = incident_from(data, base.names, lambda _: Origin(file="i.dam.yaml"))
    assert messages == []
    return incident


def test_a_case_of_a_decided_incident(base):
    """The deciding measurement stands in the second stage, all else in the first, each with its verdict."""
    case = case_of(base, _incident(base, {**STARVED, "accelerator_utilization": "35 %"}), "team.case")
    assert case["stages"][1]["add"] == {"input_gap_share": "45 %"}
    assert case["incident"]["observations"] == {"step_time": "100 ms", "accelerator_utilization": "35 %"}
    assert case["stages"][0]["expect"]["status"] != "confirmed"
    assert case["stages"][1]["expect"] == {"status": "confirmed", "binding": "input_wait", "bottleneck": "input"}


def test_a_case_says_where_it_comes_from(base):
    """Its words are those of the incident, or else its name and its id."""
    told = dataclasses.replace(_incident(base, STARVED), source="https://example.org/postmortem")
    nameless = dataclasses.replace(told, title=None, source=None)
    case, other = (case_of(base, each, "team.case") for each in (told, nameless))
    assert [case[key] for key in ("title", "story", "source")] == ["Slow", "Slow", ["https://example.org/postmortem"]]
    assert [other[key] for key in ("title", "story", "source")] == ["team.case", "team.case", ["the incident i"]]


def test_the_inputs_of_a_derived_value_decide_with_it(base):
    """What a formula read goes into the second stage, and nothing of the first."""
    derived = {"communication_exposed_share": "30 %", "collective_wait_share": "20 %", "step_time": "100 ms"}
    case = case_of(base, _incident(base, derived), "team.case")
    assert set(case["stages"][1]["add"]) == {"communication_exposed_share", "collective_wait_share"}


def test_no_case_of_an_open_incident(base):
    """An incident that nothing has decided makes no case."""
    with pytest.raises(UndecidedError, match="nothing is confirmed yet"):
        case_of(base, _incident(base, {"step_time": "100 ms"}), "team.case")


def test_verdicts_move(base):
    """A verdict moves where status, cause or next measurement differ."""
    before = verdict_of(base, _incident(base, {"step_time": "100 ms"}))
    after = verdict_of(base, _incident(base, STARVED))
    assert Move(incident="i", before=before, after=after).moves
    assert not Move(incident="i", before=after, after=dataclasses.replace(after)).moves
    assert str(after).startswith("confirmed input_wait (next: ")
