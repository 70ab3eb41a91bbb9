"""No probe gains more than what it removes takes: each that confirms is bounded by the base, or it is said why not."""

from __future__ import annotations

from typing import Final

import pytest
from truth.jobs import diagnosed, shipped

from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import columns

#: Probes of time that no measured share bounds, and why.
UNBOUNDED: Final = {
    "accelerator_placement_speedup": "work on the host processor is told by the provider, not by a share",
    "chunked_prefill_speedup": "prefills of others lengthen each step; no share of the request shows it",
    "decode_threads_speedup": "threads of a model on the host processor shorten all that it computes",
    "exclusive_device_speedup": "time slices of others lengthen every kernel",
    "host_node_binding_speedup": "a model on the host processor waits for far memory all the time; no share shows it",
    "kept_compilation_speedup": "it is gained in the start, which is no part of a step",
    "more_kv_space_speedup": "preempted work is done again; a share of requests bounds no time",
    "near_model_files_speedup": "it is gained in the start, which is no part of a step",
    "other_kernels_speedup": "kernels that fall back to the host processor take none of the device's time",
    "second_client_speedup": "what is missing is load, not time",
    "suspect_removed_effect": "it confirms by having none",
    "without_slow_device_speedup": "the others wait for a slow device, and their kernels are short",
    "warm_pool_speedup": "cold starts are counted in requests, not in time",
    "whole_context_admission_speedup": "preempted work is done again; a share of requests bounds no time",
}


def confirming() -> dict[str, set[str]]:
    """Return the probes of time that rules confirm with, and what."""
    base = shipped()
    found: dict[str, set[str]] = {}
    for rule in base.rules.values():
        hypotheses = {name for verb, name in rule.conclusions if verb == "confirm"}
        for leaf in expanded_leaves(rule.when, base.symptom_trees) if hypotheses else ():
            for column in columns(leaf):
                measurement = base.measurements.get(column.measurement)
                if measurement is not None and measurement.name.decides == "probe":
                    found.setdefault(measurement.id, set()).update(hypotheses)
    return {name: hypotheses for name, hypotheses in found.items() if not name.endswith("_gap_closed")}


def bounded(probe: str, hypotheses: set[str]) -> bool:
    """Whether a whole of the base has the probe in a part, or all that it confirms are parts of a budget or shares."""
    base = shipped()
    wholes = {name for whole in base.wholes.values() for names in whole.reads[1:] for name in names}
    parts = [base.hypotheses[name].part or base.hypotheses[name].share for name in hypotheses]
    return probe in wholes or all(part is not None for part in parts)


def test_every_probe_of_time_is_bounded_or_argued_for() -> None:
    """A new probe needs a whole in ``knowledge/wholes.yaml``, a hypothesis with a share, or an entry above."""
    free = {probe for probe, hypotheses in confirming().items() if not bounded(probe, hypotheses)}
    assert free == set(UNBOUNDED)


SHARES: Final = {
    "input_wait_share": ("synthetic_input_speedup", "packed_files_speedup", "full_affinity_speedup"),
    "communication_share": ("overlap_speedup", "larger_bucket_speedup", "other_library_speedup"),
    "copy_share": ("resident_speedup", "bound_inputs_speedup"),
    "checkpoint_time_share": ("checkpoint_free_speedup",),
    "pause_share": ("pause_free_speedup",),
    "host_gap_share": ("graph_replay_speedup", "sync_free_speedup", "isolated_host_speedup"),
}


@pytest.mark.parametrize("share", [0.0, 0.05, 0.15, 0.3])
@pytest.mark.parametrize(("part", "probe"), [(part, probe) for part, probes in SHARES.items() for probe in probes])
def test_a_gain_beyond_what_is_removed_confirms_nothing(part: str, probe: str, share: float) -> None:
    """Of a share s at most 1 / (1 - s) is gained, whatever the share; here it is twice as far above 1, and more."""
    room = 1 / (1 - share)
    facts = {part: share, probe: 1.25 + 2 * (room - 1)}
    if part == "communication_share":
        facts["communication_exposed_share"] = share
    assert diagnosed(facts).status != "confirmed"
