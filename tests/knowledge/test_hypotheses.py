"""Every hypothesis can be settled and acted on: what confirms it, what refutes it, a probe, and a lever."""

from __future__ import annotations

import pytest
from knowledge.rows import base
from knowledge.test_rules import concluded, read_by

from dam_expert.engine.advice import works

LEAVES = sorted(name for name, hypothesis in base().hypotheses.items() if not hypothesis.children)


@pytest.mark.parametrize("verb", ["confirm", "refute"])
def test_each_leaf_is_decided_by_rules_of_its_own(verb: str) -> None:
    """What only a parent's rules decide would stand or fall with its siblings."""
    decided = {name for rule in base().rules.values() for name in concluded(rule, verb)}
    assert [name for name in LEAVES if name not in decided] == []


def test_each_hypothesis_has_a_probe_that_its_own_deciding_rules_read() -> None:
    """The cheapest probe is one that can settle it, not only one that has to do with it."""
    found = base()
    for name, hypothesis in found.hypotheses.items():
        deciding = [rule for rule in found.rules.values() if name in concluded(rule, "confirm", "refute")]
        assert hypothesis.model.probe in {read for rule in deciding for read in read_by(rule.when)}, name


def test_each_hypothesis_has_something_to_do() -> None:
    """For each hypothesis some lever works on it or on its family, also where nothing is at fault."""
    found = base()
    levers = found.levers.values()
    assert [name for name, cause in found.hypotheses.items() if not any(works(each, cause) for each in levers)] == []


def test_no_parent_falls_by_what_leaves_a_child_standing() -> None:
    """Refutation goes down: each of these was once refuted by what says nothing of it."""
    found = base()
    for child, parent in (
        ("batch_rate_coupling", "optimization_fault"),  # 32 examples on one device know nothing of the global batch
        ("batch_statistics", "optimization_fault"),
        ("accumulation_scaling", "optimization_fault"),
        ("precision_overflow", "optimization_fault"),  # overflows come late
        ("parameters_not_trained", "optimization_fault"),  # a head alone can learn 32 examples by heart
        ("evaluation_fault", "serving_mismatch"),  # the scoring of another task than that of training
        ("data_leakage", "learning_limited"),  # a metric that is too good misses nothing
        ("device_throttled", "device_compute"),  # twice the batch is free where launches or weights take the time
        ("slow_device", "device_compute"),  # the traces of one rank know nothing of another
        ("fallback_kernels", "device_compute"),  # a general kernel may wait for dependent steps
        ("unsuited_layout", "device_memory_bandwidth"),  # scattered reads leave the memory interface idle
        ("remote_memory_node", "exposed_copies"),  # the host itself works on memory of the other node
        ("uneven_input", "input_wait"),  # the input of this rank is not that of the slowest
        ("repeated_tuning", "host_gaps"),  # kernels that are tried keep the device busy
        ("single_process_parallelism", "host_gaps"),  # the first device is the busy one
        ("garbage_collection", "periodic_pauses"),  # it stops each rank within another step
        ("logging_stalls", "periodic_pauses"),  # a metric fetched inside the step is part of its time
    ):
        assert parent not in found.hypotheses[child].ancestors
