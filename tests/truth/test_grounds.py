"""That a target is reached, or that nothing is wrong, needs grounds as good as a cause does: words are none."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from truth.jobs import evaluated, in_block, stated

from dam_expert import Diagnosis
from dam_expert.engine import clock
from dam_expert.engine.block.evaluating import DIAGNOSIS
from dam_expert.engine.diagnose import written

GAP = {"input_gap_share": "45 %"}
MISSED = {"metric": "step_time", "wanted": "1 s", "actual": "3 s"}
CHANGED = "2026-11-20T10:00:00"


def judged(**data: Any) -> Diagnosis:
    """Return the diagnosis of one incident, which is the same in a block."""
    incident = stated(**data)
    diagnosis = written(evaluated(incident))
    assert DIAGNOSIS[in_block([incident]).diagnosis[0]] == diagnosis.status
    return diagnosis


def changed(after: dict[str, Any], *, kept: bool = True, **more: Any) -> list[dict[str, Any]]:
    return [{"lever": "more_loader_workers", "kept": kept, "after": after, **more}]


def test_a_target_that_is_reached_after_a_change_is_resolved() -> None:
    """Measured, certain, and nothing says otherwise."""
    assert judged(target=MISSED, observations=GAP, interventions=changed({"step_time": "0.9 s"})).status == "resolved"


@pytest.mark.parametrize(
    "after",
    [
        pytest.param({"step_time": {"value": "0.9 s", "basis": "said"}}, id="only said"),
        pytest.param({"step_time": "about 1 s"}, id="not certain"),
        pytest.param({"step_time": {"value": "0.9 s", "samples": 1}}, id="one step"),
        pytest.param({"step_time": "0 s"}, id="no time at all"),
        pytest.param({"throughput": "900/s"}, id="another metric"),
        pytest.param({}, id="nothing"),
        pytest.param({"step_time": "0.9 s", "collective_timed_out": True}, id="a job that hangs"),
        pytest.param({"step_time": "0.9 s", "restart_share": "30 %"}, id="a job that starts again and again"),
        pytest.param({"step_time": "0.9 s", "oom_kills": 5}, id="processes that are killed"),
        pytest.param({"step_time": "0.9 s", "failed_request_share": "97 %"}, id="requests that fail"),
        pytest.param({"step_time": "0.9 s", "weights_change": "constant"}, id="weights that stay"),
        pytest.param({"step_time": "0.9 s", "tiny_subset_fit": "stuck"}, id="a model that learns nothing"),
        pytest.param({"step_time": "0.9 s", "rank_results": "differ"}, id="ranks that disagree"),
        pytest.param({"step_time": "0.9 s", "precision": "bf16"}, id="another setting, in words"),
    ],
)
def test_without_grounds_nothing_is_resolved(after: dict[str, Any]) -> None:
    """What is only said, cannot be, or shows an instant does not end a search."""
    diagnosis = judged(target=MISSED, observations=GAP, interventions=changed(after))
    assert diagnosis.status != "resolved"
    assert diagnosis.next_measurements != []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"quality_gap": 0.0}, {"quality_gap": 0.3}, id="a gap that opens"),
        pytest.param({"throughput": "1000/s"}, {"throughput": "300/s"}, id="less work"),
        pytest.param({"token_rate": "1000/s"}, {"token_rate": "300/s"}, id="fewer tokens"),
        pytest.param({"accuracy": "76 %"}, {"accuracy": "60 %"}, id="a worse model"),
        pytest.param({"failed_request_share": "1 %"}, {"failed_request_share": "8 %"}, id="more failures"),
        pytest.param({"restart_share": "1 %"}, {"restart_share": "8 %"}, id="more restarts"),
    ],
)
@pytest.mark.parametrize("where", ["observations", "before"])
def test_what_became_worse_takes_a_target_back(before: dict[str, Any], after: dict[str, Any], where: str) -> None:
    """In both directions: what is as good as before, or better, leaves it."""
    for known, now, resolved in ((before, after, False), (after, before, True), (before, before, True)):
        seen = GAP | known if where == "observations" else GAP
        more = {"before": {"step_time": "3 s", **known}} if where == "before" else {}
        found = judged(target=MISSED, observations=seen, interventions=changed({"step_time": "0.9 s", **now}, **more))
        assert (found.status == "resolved") is resolved


def test_what_grows_by_choice_takes_nothing_back() -> None:
    """More devices cost more, and larger batches take longer each."""
    seen = {**GAP, "training_cost": 100, "request_time": "1 s"}
    after = {"step_time": "0.9 s", "training_cost": 200, "request_time": "2 s"}
    assert judged(target=MISSED, observations=seen, interventions=changed(after)).status == "resolved"


def test_a_worse_model_of_no_date_may_be_the_one_after_the_change() -> None:
    """It was 76 % before the change; nobody says when it was 40 %."""
    made = changed({"step_time": "0.9 s"}, before={"step_time": "3 s", "accuracy": "76 %"})
    assert judged(target=MISSED, observations={"accuracy": "40 %"}, interventions=made).status != "resolved"
    assert judged(target=MISSED, observations={"accuracy": "76 %"}, interventions=made).status == "resolved"


def test_a_vague_target_is_not_reached_by_a_vague_value() -> None:
    target = {**MISSED, "wanted": "about 1 s"}
    assert judged(target=target, interventions=changed({"step_time": "about 1 s"})).status != "resolved"


def test_what_was_measured_later_counts_as_well() -> None:
    """It was reached for an hour, and is missed again."""
    later = {"step_time": {"value": "5 s", "when": "2026-11-20T12:00:00"}}
    interventions = changed({"step_time": "0.9 s"}, when=CHANGED)
    assert judged(target=MISSED, observations={**GAP, **later}, interventions=interventions).status != "resolved"
    earlier = {"step_time": {"value": "5 s", "when": "2026-11-20T08:00:00"}}
    assert judged(target=MISSED, observations={**GAP, **earlier}, interventions=interventions).status == "resolved"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({}, {"step_time": {"value": "1.2 s", "basis": "said"}}, id="only said"),
        pytest.param(
            {"step_time": {"value": "3 s", "basis": "said"}}, {"step_time": "1.2 s"}, id="said of the time before"
        ),
        pytest.param({}, {"step_time": {"value": "1.2 s", "samples": 1}}, id="one step"),
        pytest.param({}, {"step_time": "about 1.2 s"}, id="vague"),
        pytest.param({}, {"step_time": "0 s"}, id="no time at all"),
    ],
)
def test_what_a_change_is_said_to_have_done_confirms_nothing(before: dict[str, Any], after: dict[str, Any]) -> None:
    """The same figures, measured, confirm what the change works on."""
    told = judged(target=MISSED, interventions=changed(after, kept=False, before=before))
    assert (told.status, told.binding) in {("undetermined", None), ("supported", None)}
    measured = judged(target=MISSED, interventions=changed({"step_time": "1.2 s"}, kept=False))
    assert measured.binding is not None
    assert measured.binding.hypothesis == "loader_parallelism"


MET = {**MISSED, "actual": "0.9 s"}


@pytest.mark.parametrize(
    ("target", "observations"),
    [
        pytest.param(MET, {"step_time": "3 s"}, id="met as stated and missed as measured"),
        pytest.param(MISSED, {"target_achievement": 1.2}, id="missed as stated and met as observed"),
        pytest.param(
            {"metric": "accuracy", "wanted": "80 %", "actual": "40 %"},
            {"quality_gap": 0.005, "evaluation_error": 0.01},
            id="forty points short and within the noise",
        ),
        pytest.param(MISSED, {"reserved_idle_share": "60 %"}, id="what is paid for and idle, where time is short"),
        pytest.param(MISSED, {"half_resources_effect": 0.98}, id="more devices than needed, where time is short"),
        pytest.param(
            MISSED, {"remeasured": {"value": "as_expected", "basis": "said"}}, id="measured again, by hearsay"
        ),
    ],
)
def test_no_fault_needs_grounds(target: dict[str, Any], observations: dict[str, Any]) -> None:
    """Two figures of the target that contradict each other, and what is wrong with the bill and not with the time."""
    diagnosis = judged(target=target, observations=observations)
    assert diagnosis.status not in ("no_fault", "confirmed", "resolved")


@pytest.mark.parametrize(
    ("target", "observations"),
    [
        (MET, {"step_time": "0.95 s"}),
        (MET, {"target_achievement": 1.1}),
        (
            {"metric": "accuracy", "wanted": "80 %", "actual": "79.5 %"},
            {"quality_gap": 0.005, "evaluation_error": 0.01},
        ),
        ({"metric": "training_cost", "wanted": "4000 $", "actual": "9000 $"}, {"reserved_idle_share": "60 %"}),
        (MISSED, {"remeasured": "as_expected"}),
    ],
)
def test_no_fault_with_grounds_stays(target: dict[str, Any], observations: dict[str, Any]) -> None:
    assert judged(target=target, observations=observations).status == "no_fault"


@pytest.mark.parametrize(
    ("target", "observations", "status"),
    [
        pytest.param({**MISSED, "actual": "0 s"}, GAP, "confirmed", id="no time at all is no target that is met"),
        pytest.param(MISSED, {"target_achievement": 1.2, **GAP}, "confirmed", id="met as observed beside what binds"),
        pytest.param(
            {"metric": "mfu", "wanted": "80 %", "actual": "40 %", "track": "quality"},
            {"quality_gap": 0.005, "evaluation_error": 0.01},
            "no_fault",
            id="the gap of another metric than the target's",
        ),
        pytest.param(
            {"metric": "accuracy", "wanted": "40 %", "actual": "80 %"},
            {"quality_gap": 0.005, "evaluation_error": 0.01},
            "no_fault",
            id="a target that is surpassed",
        ),
    ],
)
def test_what_a_target_says_beside_observations(
    target: dict[str, Any], observations: dict[str, Any], status: str
) -> None:
    """Only figures of one thing contradict each other."""
    assert judged(target=target, observations=observations).status == status


@pytest.mark.parametrize("target", [{"metric": "step_time", "actual": "3 s"}, {"wanted": "1 s", "actual": "3 s"}])
def test_without_a_whole_target_nothing_is_resolved(target: dict[str, Any]) -> None:
    """What is wanted, and of what, has to be known."""
    assert judged(target=target, observations=GAP, interventions=changed({"step_time": "0.9 s"})).status != "resolved"


@pytest.mark.parametrize(
    "observations", [{"quality_gap": 0.005, "evaluation_error": 0.01}, {"target_achievement": 1.2}]
)
def test_without_a_target_observations_speak_for_themselves(observations: dict[str, Any]) -> None:
    """Nothing contradicts them."""
    assert "confirmed" in {each.status for each in judged(observations=observations).hypotheses}


@pytest.mark.parametrize(
    ("measurement", "value"),
    [("synthetic_input_speedup", 2), ("allocation_state", "device_out_of_memory"), ("input_gap_share", "45 %")],
)
def test_only_parts_of_the_job_stand_for_it(measurement: str, value: Any) -> None:
    """The whole and its ranks do; a phase, another run, job, stage, model or load does not, nor a rank in one."""
    for scope in ({}, {"rank": "0"}, {"rank": "0", "host": "a"}):
        assert judged(observations=[{"measurement": measurement, "value": value, "scope": scope}]).binding is not None
    for name in ("phase", "job", "host", "stage", "run", "model", "load", "batch_size"):
        for scope in ({name: "other"}, {"rank": "0", name: "other"}):
            if scope.keys() != {"rank", "host"}:
                seen = [{"measurement": measurement, "value": value, "scope": scope}]
                assert judged(observations=seen).status in ("undetermined", "supported"), scope


FASTER = {"metric": "step_time", "wanted": "120 ms", "actual": "200 ms"}
DONE = {"step_time": "110 ms"}


@pytest.mark.parametrize(
    ("before", "after", "observations"),
    [
        pytest.param({}, {"allocation_state": "device_out_of_memory"}, {}, id="it fails"),
        pytest.param({}, {"throughput": 0}, {}, id="it stands still"),
        pytest.param({"batch_size": 256}, {"batch_size": 8}, {}, id="less work in a step"),
        pytest.param({}, {"batch_size": 8}, {"batch_size": 256}, id="less work than was observed"),
        pytest.param({}, {"accuracy": "1 %"}, {}, id="quality of which nothing was known"),
        pytest.param({"accuracy": "80 %"}, {"accuracy": "1 %"}, {}, id="quality is lost"),
        pytest.param({"step_time": "20 s"}, {}, {}, id="it started elsewhere"),
        pytest.param({}, {}, {"step_time": "300 ms"}, id="missed, nobody knows when"),
    ],
)
def test_a_metric_that_meets_the_target_is_not_all(
    before: dict[str, Any], after: dict[str, Any], observations: dict[str, Any]
) -> None:
    """The job has to run, on the same work, as well as before, and for certain since the change; the report says it."""
    made = changed(DONE | after, before=before)
    diagnosis = judged(target=FASTER, observations=observations, interventions=made)
    assert diagnosis.status not in ("resolved", "confirmed")
    assert diagnosis.warnings != []
    assert diagnosis.next_measurements != []


@pytest.mark.parametrize(
    ("before", "after", "observations"),
    [
        ({"step_time": "200 ms"}, {"allocation_state": "fits"}, {}),
        ({"step_time": "205 ms", "batch_size": 256}, {"batch_size": 256, "throughput": "900/s"}, {}),
        ({"accuracy": "80 %"}, {"accuracy": "80 %"}, {}),
        ({"num_workers": 2}, {"num_workers": 16}, {}),
    ],
)
def test_what_is_as_before_or_changed_by_the_lever_leaves_it_resolved(
    before: dict[str, Any], after: dict[str, Any], observations: dict[str, Any]
) -> None:
    made = changed(DONE | after, before=before)
    assert judged(target=FASTER, observations=observations, interventions=made).status == "resolved"


def test_a_failure_of_before_that_nobody_looked_at_again_keeps_it_open() -> None:
    """Memory that did not suffice before the change may not suffice after it; the target of time does not tell."""
    seen = {"step_time": "200 ms", "allocation_state": "device_out_of_memory"}
    assert judged(target=FASTER, observations=seen, interventions=changed(DONE, before={})).status == "undetermined"


def test_a_cause_that_was_mended_is_not_confirmed_again() -> None:
    """What a change gained that was kept says what was wrong before it."""
    made = changed({"step_time": "150 ms"})
    slower = {"lever": "cuda_graphs", "kept": True, "after": {"step_time": "300 ms"}}
    for interventions in (made, [*made, slower]):
        diagnosis = judged(target=FASTER, interventions=interventions)
        assert (diagnosis.status, diagnosis.binding) in {("undetermined", None), ("supported", None)}
        assert diagnosis.next_measurements != []


def test_the_target_is_as_it_was_measured_last() -> None:
    """A value from after the last change is the present one, the latest of several."""
    seen = [
        {"measurement": "step_time", "value": f"{number}00 ms", "when": f"2026-11-20T1{hour}:00:00"}
        for number, hour in ((3, 5), (4, 3))
    ]
    diagnosis = judged(
        target=FASTER, observations=seen, interventions=changed({"step_time": "100 ms"}, when="2026-11-20T12:00:00")
    )
    assert diagnosis.target is not None
    assert (diagnosis.status != "resolved", diagnosis.target.actual) == (True, 0.3)


LATER = "2031-01-01T00:00:00Z"


@pytest.fixture(name="_in_2030")
def _at(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime.datetime(2030, 1, 1, tzinfo=datetime.UTC)
    monkeypatch.setattr(clock, "present_moment", lambda: now)


def dated(measurement: str, value: str, when: str) -> dict[str, Any]:
    return {"measurement": measurement, "value": value, "when": when}


@pytest.mark.usefixtures("_in_2030")
def test_what_is_dated_in_the_future_decides_nothing() -> None:
    """It cannot have been seen: it is rejected with that reason, and what was seen stands."""
    ahead = dated("input_gap_share", "45 %", LATER)
    alone = judged(target=MISSED, observations=[ahead])
    assert alone.status == "undetermined"
    assert [(one.measurement, one.reason) for one in alone.rejected] == [("input_gap_share", clock.FUTURE)]
    seen = dated("input_gap_share", "1 %", "2029-01-01T00:00:00Z")
    assert judged(target=MISSED, observations=[seen, ahead]).binding is None
    there = dated("input_gap_share", "45 %", "2029-12-31T00:00:00Z")
    assert judged(target=MISSED, observations=[there]).status == "confirmed"
    soon = dated("input_gap_share", "45 %", "2030-01-01T08:00:00")
    assert judged(target=MISSED, observations=[soon]).status == "confirmed"  # a clock east of Greenwich


@pytest.mark.usefixtures("_in_2030")
def test_a_change_of_the_future_is_not_made_yet() -> None:
    """It solves nothing, and takes nothing back that was seen before it."""
    ahead = judged(target=MISSED, observations=GAP, interventions=changed({"step_time": "0.9 s"}, when=LATER))
    assert ahead.status == "confirmed"
    assert any("more_loader_workers" in one for one in ahead.warnings)
    made = changed({"step_time": {"value": "0.9 s", "when": LATER}})
    assert judged(target=MISSED, observations=GAP, interventions=made).status != "resolved"
