"""The rules that lessons from real incidents end with hold of the shipped base by construction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from knowledge.rows import diagnosed
from truth.jobs import shipped

from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Comparison, columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert import Diagnosis
    from dam_expert.kb.base import Rule

TRAINING: Final[dict[str, Any]] = {"workload": {"workload_kind": "training"}}
#: What says that something ran, and not what or for whom.
UTILISATIONS: Final = {
    "accelerator_utilization",
    "accelerator_utilization_p10",
    "accelerator_utilization_p90",
    "memory_controller_utilization",
    "graphics_engine_active",
    "idle_in_summary",
    "cpu_utilization",
    "busiest_core_utilization",
    "disk_utilization",
    "network_utilization",
}
#: Rules that support from a utilisation beside a setting which is itself the sign.
WITH_A_SETTING: Final = {
    "compute.words.full_device_in_fp32": "the precision in which no matrix unit computes",
    "input.words.no_workers_idle": "no worker, so that the device waits while a batch is made",
}
#: Causes that make one rank late, and their causes on one rank.
OF_ONE_RANK: Final = ("uneven_work", "slow_device", "uneven_input")


def read_in(rule: Rule) -> set[str]:
    """Return the measurements that a rule compares."""
    leaves = expanded_leaves(rule.when, shipped().symptom_trees)
    return {column.measurement for leaf in leaves if isinstance(leaf, Comparison) for column in columns(leaf)}


def concluding(*verbs: str) -> Iterator[tuple[Rule, set[str]]]:
    """Yield the rules that say one of the verbs, with the hypotheses of which they say it."""
    for rule in shipped().rules.values():
        about = {name for verb, name in rule.conclusions if verb in verbs}
        if about:
            yield rule, about


def standing(diagnosis: Diagnosis, *statuses: str) -> set[str]:
    """Return the hypotheses that have one of the statuses."""
    return {each.id for each in diagnosis.hypotheses if each.status in statuses}


def scores(diagnosis: Diagnosis) -> dict[str, tuple[bool, int]]:
    """Return what stands of every hypothesis: not refuted, and its score."""
    return {each.id: (each.status != "refuted", each.score) for each in diagnosis.hypotheses}


def asked(diagnosis: Diagnosis, most: int) -> list[str]:
    return [each.measurement for each in diagnosis.next_measurements[:most]]


def test_no_utilisation_confirms() -> None:
    """Not even beside something else: what confirms is a share, a probe, a counter or a state."""
    assert [rule.id for rule, _ in concluding("confirm") if read_in(rule) & UTILISATIONS] == []


def test_no_utilisation_supports_alone() -> None:
    """Neither one nor several of them, with settings of the job or without."""
    settings = {name for name, each in shipped().measurements.items() if each.model.kind.value == "setting"}
    alone = {
        rule.id
        for rule, _ in concluding("support", "refute")
        if read_in(rule) & UTILISATIONS and not read_in(rule) - UTILISATIONS - settings
    }
    assert alone == set(WITH_A_SETTING)


def test_what_is_left_of_the_budget_is_said() -> None:
    """Parts of a step that are measured leave a residual, and it stands beside them."""
    shares = {"input_gap_share": "10 %", "host_gap_share": "20 %", "kernel_share": "40 %", "copy_exposed_share": "5 %"}
    budget = diagnosed(TRAINING, {"step_time": "400 ms", "communication_exposed_share": "0 %", **shares}).budget
    assert budget is not None
    assert budget.residual == pytest.approx(0.25)


def test_the_host_is_a_verdict_of_its_own() -> None:
    """Neither data nor device, and with causes below it."""
    diagnosis = diagnosed(TRAINING, {"host_gap_share": "60 %", "input_gap_share": "1 %"})
    assert diagnosis.binding is not None
    assert (diagnosis.binding.hypothesis, diagnosis.binding.bottleneck) == ("host_gaps", "host")
    below = {name for name, each in shipped().hypotheses.items() if "host_gaps" in each.ancestors}
    assert below >= {"launch_bound", "host_synchronization", "recompilation", "python_contention", "contended_host"}
    host = {name for name, each in shipped().hypotheses.items() if each.model.bottleneck == "host"}
    assert host >= {"garbage_collection", "logging_stalls", "evaluation_stalls", "checkpoint_stalls"}


@pytest.mark.parametrize("workers", [{}, {"dataloader_workers": 0}, {"dataloader_workers": 8}])
@pytest.mark.parametrize("device", ["3 %", "10 %", "45 %", "70 %", "99 %"])
def test_a_busy_processor_needs_a_who(device: str, workers: dict[str, int]) -> None:
    """Full cores accuse nobody: it is asked who fills them."""
    incident = {"workload": {**TRAINING["workload"], **workers}}
    without = diagnosed(incident, {"accelerator_utilization": device})
    diagnosis = diagnosed(incident, {"accelerator_utilization": device, "cpu_utilization": "100 %"})
    assert standing(diagnosis, "supported", "confirmed") == standing(without, "supported", "confirmed")
    if device in ("10 %", "45 %", "70 %"):
        assert {"input_gap_share", "compiles_per_step", "lock_holder"} <= set(asked(diagnosis, 6))


@pytest.mark.parametrize("last", ["301 ms", "330 ms", "450 ms", "3 s"])
def test_no_straggler_is_named_from_whole_steps(last: str) -> None:
    """A step ends on all ranks at once; the time before the collective is asked for."""
    steps = {f"step_time[rank={rank}]": time for rank, time in enumerate(("300 ms", "302 ms", "299 ms", last))}
    diagnosis = diagnosed({**TRAINING, "environment": {"world_size": 4}}, steps)
    assert standing(diagnosis, "supported", "confirmed") & set(OF_ONE_RANK) == set()
    assert "pre_collective_time" in asked(diagnosis, 5)


def test_no_rule_of_one_rank_reads_whole_steps() -> None:
    """Whatever else it reads."""
    whole = {"step_time", "step_rate", "epoch_time", "throughput", "step_time_spread"}
    reading = [
        rule.id
        for rule, about in concluding("suggest", "support", "confirm")
        if about & set(OF_ONE_RANK) and read_in(rule) & whole
    ]
    assert reading == []


@pytest.mark.parametrize(
    "probe",
    [
        "batch_doubling_speedup",
        "more_workers_speedup",
        "synthetic_input_speedup",
        "cached_pass_speedup",
        "narrower_parallelism_speedup",
        "half_resources_effect",
    ],
)
def test_scaling_probes_decide_and_need_no_tool(probe: str) -> None:
    """They are runs of the job itself."""
    model = shipped().measurements[probe].model
    assert model.decides is not None
    assert any(way.tool is None for way in model.obtain)


@pytest.mark.parametrize("lever", sorted(shipped().levers))
def test_what_was_tried_and_did_nothing_lowers_its_suspect(lever: str) -> None:
    """Every cause that the lever works on loses, and no other gains."""
    before = scores(diagnosed({}))
    after = scores(diagnosed({"tried": [{"lever": lever, "effect": "nothing"}]}))
    suspects = set(shipped().levers[lever].model.works_on) & set(before)
    assert {name for name in suspects if after[name] >= before[name]} == set()
    assert {name for name in before if after.get(name, (True, 0)) > before[name]} == set()


def test_quality_has_its_own_track() -> None:
    """Counters of the device beside a metric that falls short name no cause of it."""
    target = {"metric": "accuracy", "wanted": 0.9, "actual": 0.6}
    counters = {
        "dram_active": "90 %",
        "sm_active": "95 %",
        "input_gap_share": "45 %",
        "accelerator_utilization": "20 %",
    }
    diagnosis = diagnosed({"target": target}, counters)
    assert (diagnosis.track, diagnosis.binding, diagnosis.status) == ("quality", None, "undetermined")
    assert shipped().hypotheses[diagnosis.hypotheses[0].id].model.bottleneck == "quality"


def test_slow_and_idle_is_a_shortlist() -> None:
    """With what divides it, and nothing stronger than a candidate."""
    diagnosis = diagnosed(TRAINING, {"accelerator_utilization": "30 %"})
    assert diagnosis.status == "undetermined"
    assert standing(diagnosis, "supported", "confirmed", "conflicting", "refuted") == set()
    assert {"input_wait", "host_gaps"} <= {each.id for each in diagnosis.hypotheses[:3]}
    assert {"input_gap_share", "host_gap_share"} <= set(asked(diagnosis, 3))
    assert {"synthetic_input_speedup", "more_workers_speedup"} <= set(asked(diagnosis, 15))
