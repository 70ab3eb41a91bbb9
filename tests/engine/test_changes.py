"""What changes did, and whether a target that is met after them is one that is reached: each ground by itself."""

from __future__ import annotations

from typing import Any

import pytest

from dam_expert import load_knowledge
from dam_expert.documents.incident import Incident
from dam_expert.documents.incident_reading import incident_from
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Origin
from dam_expert.engine.interventions import current, missed_quality
from dam_expert.engine.reached import starts_elsewhere
from dam_expert.engine.resolution import what_worked
from dam_expert.engine.settings_changed import other_settings
from dam_expert.kb.base import Base

LEVER = "more_loader_workers"


@pytest.fixture(name="base", scope="module")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def incident(base: Base, *made: dict[str, Any], **more: Any) -> Incident:
    """Return an incident whose steps take 180 ms and should take 100, with changes."""
    data = {
        "schema": "dam-incident/1",
        "id": "i",
        "target": {"metric": "step_time", "wanted": "100 ms", "actual": "180 ms"},
        "interventions": [{"lever": LEVER, **one} for one in made],
        **more,
    }
    found, messages = incident_from(data, base.names, lambda _: Origin(file="i.dam.yaml"))
    assert messages == []
    return found


@pytest.mark.parametrize(
    ("before", "after", "elsewhere"),
    [
        pytest.param("180 ms", "95 ms", False, id="from the stated start"),
        pytest.param("400 ms", "95 ms", True, id="from another value"),
        pytest.param("400 ms", "180 ms", False, id="to the stated value, which is the state of now"),
        pytest.param(None, "95 ms", False, id="from nowhere"),
    ],
)
def test_where_a_change_starts(base: Base, before: str | None, after: str, elsewhere: bool) -> None:
    """Another start than the target states makes it a comparison of something else."""
    sides = {"after": {"step_time": after}} | ({} if before is None else {"before": {"step_time": before}})
    found = incident(base, {**sides, "kept": True})
    assert starts_elsewhere(base, found, found.interventions[0], "step_time") is elsewhere


def test_only_the_first_change_starts_from_the_target(base: Base) -> None:
    """A later one starts from what the one before it left."""
    found = incident(
        base,
        {"before": {"step_time": "180 ms"}, "after": {"step_time": "140 ms"}, "kept": True},
        {"lever": "pin_batches", "before": {"step_time": "140 ms"}, "after": {"step_time": "95 ms"}, "kept": True},
    )
    assert not starts_elsewhere(base, found, found.interventions[1], "step_time")
    assert current(base, found).target_met is True


def test_without_an_actual_value_no_start_is_another(base: Base) -> None:
    target = {"metric": "step_time", "wanted": "100 ms"}
    found = incident(base, {"before": {"step_time": "400 ms"}, "after": {"step_time": "95 ms"}}, target=target)
    assert not starts_elsewhere(base, found, found.interventions[0], "step_time")


@pytest.mark.parametrize(("rate", "met"), [("0 img/s", None), ("0.5 img/s", True)])
def test_a_job_that_does_nothing_meets_no_target(base: Base, rate: str, met: bool | None) -> None:
    """A throughput of 0 beside a short step is a job that stands; a low one is a low one."""
    found = current(base, incident(base, {"after": {"step_time": "95 ms", "throughput": rate}, "kept": True}))
    assert (found.target_met is True) is (met is True)


def test_the_effect_of_a_change_from_another_start_is_only_a_word(base: Base) -> None:
    """What it gained is no measured factor of the probe, but it helped."""
    sound = current(base, incident(base, {"before": {"step_time": "180 ms"}, "after": {"step_time": "90 ms"}}))
    other = current(base, incident(base, {"before": {"step_time": "400 ms"}, "after": {"step_time": "90 ms"}}))
    effect = sound.effects[LEVER]
    assert not isinstance(effect, str)
    assert effect.mid == pytest.approx(2.0)
    assert other.effects[LEVER] == "helped"


@pytest.mark.parametrize(
    ("metric", "wanted", "actual", "missed"),
    [("accuracy", "90 %", "82 %", [0.08]), ("error_rate", 0.05, 0.09, [0.04]), ("accuracy", "82 %", "90 %", [])],
)
def test_a_missed_quality_is_what_is_wanted_less_what_there_is(
    base: Base, metric: str, wanted: str | float, actual: str | float, missed: list[float]
) -> None:
    """Where another gap was observed, the distance between the two figures of the target stands beside it."""
    target = {"metric": metric, "wanted": wanted, "actual": actual}
    found = missed_quality(base, incident(base, target=target, observations={"quality_gap": 0.5}))
    values = [one.value for one in found]
    assert [value.mid for value in values if isinstance(value, Interval)] == [pytest.approx(each) for each in missed]


def test_what_worked_are_the_changes_that_were_kept(base: Base) -> None:
    """One that was undone beside it is none, and does not hide it; it brings what its lever promised."""
    made = [
        {"lever": "pin_batches", "before": {"step_time": "180 ms"}, "after": {"step_time": "178 ms"}, "kept": False},
        {"before": {"step_time": "180 ms"}, "after": {"step_time": "95 ms"}, "kept": True},
    ]
    observed = {"input_gap_share": "45 %", "worker_cores_share": 1.0, "decode_share_of_worker": "80 %"}
    found = what_worked(base, incident(base, *made, observations=observed))
    assert [one.lever for one in found] == [LEVER]
    assert found[0].gain is not None
    assert found[0].gain.mid == pytest.approx(180 / 95)


def test_without_a_metric_nothing_worked(base: Base) -> None:
    """A kept change of an incident that says of no metric what is missed."""
    assert what_worked(base, incident(base, {"after": {"step_time": "95 ms"}, "kept": True}, target=None)) == []


def test_without_a_kept_change_nothing_worked(base: Base) -> None:
    made = {"before": {"step_time": "180 ms"}, "after": {"step_time": "95 ms"}, "kept": False}
    assert what_worked(base, incident(base, made)) == []


WORKLOAD = {"workload_kind": "training", "model": "ResNet-50", "precision": "fp32", "batch_size": 64}
ENVIRONMENT = {"accelerator": "A100"}


@pytest.mark.parametrize(
    ("lever", "after", "others"),
    [
        pytest.param(LEVER, {"precision": "bf16"}, ["precision"], id="another word"),
        pytest.param(LEVER, {"accelerator": "H100"}, ["accelerator"], id="another device"),
        pytest.param(LEVER, {"batch_size": 8}, ["batch_size"], id="another number"),
        pytest.param(LEVER, {"input_format": "raw"}, ["input_format"], id="unknown before"),
        pytest.param(LEVER, {"dataloader_workers": 8}, [], id="what the lever sets, unknown before"),
        pytest.param(LEVER, {"precision": "FP32", "model": "resnet 50", "batch_size": 64}, [], id="stated again"),
        pytest.param("bf16", {"precision": "bf16"}, [], id="an alias of the lever that sets it"),
        pytest.param("changed bucket size", {"batch_size": 8}, ["batch_size"], id="one word in common"),
        pytest.param("changed the batch size to 8", {"batch_size": 8}, [], id="a lever of no base names it whole"),
        pytest.param("another precision", {"precision": "bf16", "batch_size": 8}, ["batch_size"], id="one of two"),
    ],
)
def test_settings_that_differ_and_are_not_the_lever(
    base: Base, lever: str, after: dict[str, Any], others: list[str]
) -> None:
    made = {"lever": lever, "before": {"step_time": "180 ms"}, "after": {"step_time": "120 ms", **after}}
    found = incident(base, made, workload=WORKLOAD, environment=ENVIRONMENT)
    assert other_settings(base, found, found.interventions[0]) == others
    assert isinstance(current(base, found).effects[lever], str) is bool(others)


def test_a_change_starts_from_the_settings_that_the_one_before_it_left(base: Base) -> None:
    """The batch of 128 is that of the first change; one that was undone leaves none."""
    for kept, others in ((True, []), (False, ["batch_size"])):
        first = {"lever": "larger_batch", "after": {"step_time": "150 ms", "batch_size": 128}, "kept": kept}
        found = incident(base, first, {"after": {"step_time": "120 ms", "batch_size": 128}}, workload=WORKLOAD)
        assert other_settings(base, found, found.interventions[1]) == others


@pytest.mark.parametrize(
    ("known", "after"),
    [
        pytest.param({}, {"loss_trend": "diverging"}, id="it diverges"),
        pytest.param({"accuracy": "76 %"}, {"accuracy": "1 %"}, id="it learns nothing"),
        pytest.param({}, {"allocation_state": "device_out_of_memory"}, id="it does not fit"),
        pytest.param({"throughput": "100/s"}, {"throughput": "30/s"}, id="it does less"),
        pytest.param({"error_rate": 0.01}, {"error_rate": 0.97}, id="it errs"),
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_an_attempt_that_breaks_something_gives_no_factor(
    base: Base, known: dict[str, Any], after: dict[str, Any], kept: bool
) -> None:
    """The step became shorter, and the job worse: the same guards hold whether it was kept or not."""
    made = {"after": {"step_time": "90 ms", **after}, "kept": kept}
    found = current(base, incident(base, made, observations=known))
    assert found.effects[LEVER] == "helped"
    assert found.target_met is not True
    sound = current(base, incident(base, {"after": {"step_time": "90 ms", **known}, "kept": kept}, observations=known))
    assert isinstance(sound.effects[LEVER], Interval)
