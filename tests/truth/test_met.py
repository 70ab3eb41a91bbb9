"""A target that is met: nothing is missed, so that nothing binds, whatever else was measured."""

from __future__ import annotations

from typing import Any

import pytest
from truth.jobs import diagnosed, evaluated, in_block, stated

from dam_expert import Diagnosis
from dam_expert.engine.block.evaluating import DIAGNOSIS
from dam_expert.engine.block.ranking import NOBODY
from dam_expert.engine.diagnose import written

GAP = {"input_gap_share": "45 %"}


def judged(target: dict[str, Any], observations: dict[str, Any] = GAP) -> tuple[Diagnosis, str, int]:
    """Return the diagnosis of one incident, and what a block says of it: status and what binds."""
    incident = stated(target=target, observations=observations)
    block = in_block([incident])
    return written(evaluated(incident)), DIAGNOSIS[block.diagnosis[0]], int(block.binding[0])


@pytest.mark.parametrize(
    "target",
    [
        {"metric": "step_time", "wanted": "3 s", "actual": "1 s"},
        {"metric": "step_time", "wanted": "1 s", "actual": "1 s"},
        {"metric": "throughput", "wanted": "100/s", "actual": "120/s"},
    ],
)
def test_a_target_that_is_met_leaves_no_fault(target: dict[str, Any]) -> None:
    """What costs the time is named beside it, and nothing of it binds."""
    diagnosis, status, binding = judged(target)
    assert diagnosis.status == status == "no_fault"
    assert diagnosis.binding is None
    assert binding == NOBODY
    assert [each.hypothesis for each in diagnosis.secondary] == ["input_wait"]
    assert diagnosis.hypotheses[0].id == "working_as_expected"
    assert diagnosis.next_measurements == []


@pytest.mark.parametrize(
    "target",
    [
        {"metric": "step_time", "wanted": "1 s", "actual": "3 s"},
        {"metric": "throughput", "wanted": "120/s", "actual": "100/s"},
        {"metric": "step_time", "wanted": "about 1 s", "actual": "about 1 s"},
        {"metric": "step_time", "wanted": "1 s"},
        {"metric": "step_time", "actual": "1 s"},
        {"metric": "step_time"},
    ],
)
def test_a_target_that_is_not_met_for_certain_leaves_what_binds(target: dict[str, Any]) -> None:
    """Neither a missed one, nor one of which one side is not known, or both are vague."""
    diagnosis, status, binding = judged(target)
    assert diagnosis.status == status == "confirmed"
    assert diagnosis.binding is not None
    assert diagnosis.binding.hypothesis == "input_wait"
    assert binding != NOBODY


@pytest.mark.parametrize("metric", ["accelerator_utilization", "sm_active", "host_gap_share", "server_processes"])
@pytest.mark.parametrize(("actual", "wanted"), [("40 %", "80 %"), ("80 %", "40 %")])
def test_a_target_of_which_no_direction_is_known_is_never_met(metric: str, actual: str, wanted: str) -> None:
    """Nobody says whether more of it is better: a higher utilisation is wished for, and a lower one may be as well."""
    values = (actual, wanted) if metric != "server_processes" else (4, 8)
    target = {"metric": metric, "actual": values[0], "wanted": values[1]}
    diagnosis, status, _ = judged(target)
    assert diagnosis.status == status
    assert status not in ("no_fault", "resolved")


def test_an_observed_achievement_is_believed_rather_than_the_target() -> None:
    """It may be of a longer run."""
    target = {"metric": "step_time", "wanted": "3 s", "actual": "1 s"}
    diagnosis, _, _ = judged(target, {**GAP, "target_achievement": 0.7})
    assert diagnosis.status == "confirmed"


def test_a_measured_achievement_settles_as_well() -> None:
    """Three times what is wanted is no miss."""
    diagnosis = diagnosed({"target_achievement": 3, **GAP})
    assert diagnosis.status == "no_fault"
    assert diagnosis.binding is None


def test_hearsay_of_an_achievement_settles_nothing() -> None:
    """That all is well is a claim like any other."""
    told = {"target_achievement": {"value": 3, "basis": "said"}}
    diagnosis, status, _ = judged({"metric": "step_time"}, {**GAP, **told})
    assert diagnosis.status == status == "confirmed"


MET = {"metric": "step_time", "wanted": "3 s", "actual": "1 s"}


@pytest.mark.parametrize(
    ("fact", "track", "expected"),
    [
        ({"loss_trend": "diverging"}, "quality", "supported"),
        ({"overflow_reported": True}, "quality", "supported"),
        ({"metric_at_chance": True}, "quality", "undetermined"),
        ({"metric_at_chance": {"value": True, "basis": "said"}}, "quality", "undetermined"),
        ({"memory_grows": True}, "fit", None),
        ({"shared_memory_failed": True}, "fit", None),
        ({"oom_kills": 30}, "fit", None),
        ({"weights_change": "constant"}, "quality", None),
        ({"error_rate": 0.97}, "quality", None),
        ({"accuracy": "1 %"}, "quality", None),
    ],
)
@pytest.mark.parametrize("beside", [{}, GAP])
def test_a_met_target_says_nothing_of_another_failure(
    fact: dict[str, Any], track: str, expected: str | None, beside: dict[str, Any]
) -> None:
    """Steps are fast enough and the loss diverges: that is looked for, and what costs time does not bind."""
    diagnosis, status, _ = judged(MET, {**fact, **beside})
    assert diagnosis.status == status != "no_fault"
    assert diagnosis.track == track
    assert expected in (None, status)
    assert diagnosis.binding is None or diagnosis.binding.hypothesis != "input_wait"
    assert diagnosis.next_measurements != []


@pytest.mark.parametrize(
    "fact",
    [
        {"loss_trend": "falling"},
        {"overflow_reported": False},
        {"metric_at_chance": False},
        {"collective_timed_out": False},
        {"allocation_state": "fits"},
        {"memory_grows": False},
        {"device_memory_used_share": "92 %"},
        {"resources_idle_reported": True},
        {"restart_share": "3 %"},
        {"oom_kills": 0},
        {"failed_request_share": "1 %"},
        {"error_rate": 0.3},
        {"accuracy": "76 %"},
        {"weights_change": "change"},
    ],
)
def test_what_is_no_failure_leaves_a_met_target_alone(fact: dict[str, Any]) -> None:
    """Good news, and what only costs time or money beside it, give no fault as before."""
    diagnosis, status, _ = judged(MET, {**fact, **GAP})
    assert diagnosis.status == status == "no_fault"


def test_a_met_target_of_the_same_track_settles_its_symptom() -> None:
    """A flat loss is where it should be if the quality that is wanted is reached."""
    diagnosis, status, _ = judged(
        {"metric": "accuracy", "track": "quality"}, {"target_achievement": 1.1, "loss_trend": "flat"}
    )
    assert diagnosis.status == status == "no_fault"


@pytest.mark.parametrize(
    "stops", [{"collective_timed_out": True}, {"restart_share": "50 %"}, {"failed_request_share": "99 %"}]
)
def test_a_target_that_is_met_between_two_stops_is_no_sound_job(stops: dict[str, Any]) -> None:
    """Steps of the wanted length say nothing of a job that hangs, or that loses half of its time to restarts."""
    diagnosis, status, _ = judged({"metric": "step_time", "wanted": "3 s", "actual": "1 s"}, stops)
    assert diagnosis.status == status
    assert diagnosis.status != "no_fault"
