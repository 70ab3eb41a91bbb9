"""Three facts that are each possible beside one another, and impossible together, confirm nothing.

Parts of a whole and of a budget, as shares and as the times that shares are derived from: what is left is given to two
further parts, a little too much in all.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from truth.jobs import in_block, job, shipped
from truth.test_beside import confirming

from dam_expert.documents.kinds import Kind
from dam_expert.documents.quantities import parse_quantity
from dam_expert.engine.block.judging import CONFIRMED

if TYPE_CHECKING:
    from collections.abc import Iterator

#: How far two further parts together go beyond what the first one leaves.
BEYOND = 0.16
#: Stages of a request, whose shares are derived from times; what the network takes is told by a client or a server.
IN_SERVER = ("queue_time", "batch_formation_time", "preprocess_time", "compute_time", "server_overhead_time")
STAGES = (("network_time", *IN_SERVER), ("send_receive_time", *IN_SERVER))


def share_of(given: Any) -> float:
    return parse_quantity(given, unit="1", kind=Kind.SHARE).interval.lo


def seconds(given: Any) -> float:
    return parse_quantity(given, unit="s", kind=Kind.DURATION).interval.lo


def families() -> Iterator[tuple[str, list[str]]]:
    """Yield the shares of which each takes a part of the same time, by what they are parts of."""
    base = shipped()
    for budget in base.budgets.values():
        yield budget.model.id, [part.share for part in budget.model.parts]
    for whole in base.wholes.values():
        parts = [part for part in whole.model.parts if part in base.measurements]
        if whole.model.whole == "1" and not whole.model.overlap:
            yield whole.model.id, [part for part in parts if base.measurements[part].model.kind is Kind.SHARE]


def triples() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield facts that confirm with two further parts, each of which alone leaves room."""
    probes = {name for name, one in shipped().measurements.items() if one.model.decides == "probe"}
    for (rule, hypothesis, facts), (family, parts) in itertools.product(confirming(), families()):
        taken = sum(share_of(facts[part]) for part in parts if part in facts)
        derived = [part for part in parts if shipped().measurements[part].formula is not None]
        others = [part for part in parts if part not in facts and part not in derived]
        if not 0.0 < taken < 0.9 or probes & set(facts):
            continue
        each = f"{50 * (1 - taken + BEYOND):.1f} %"
        for pair in itertools.combinations(others, 2):
            yield f"{rule} {family} {pair}", hypothesis, {**facts, **dict.fromkeys(pair, each)}
    for (rule, hypothesis, facts), stages in itertools.product(confirming(), STAGES):
        known = [stage for stage in stages if stage in facts]
        if "request_time" not in facts or not known:
            continue
        whole = seconds(facts["request_time"])
        each = f"{500 * (whole - sum(seconds(facts[stage]) for stage in known) + BEYOND * whole):.3f} ms"
        for pair in itertools.combinations([stage for stage in stages if stage not in facts], 2):
            yield f"{rule} request {pair}", hypothesis, {**facts, **dict.fromkeys(pair, each)}


def test_three_parts_that_exceed_their_whole_confirm_nothing() -> None:
    """Whichever of the parts it is that confirms, and whichever two stand beside it."""
    cases = list(triples())
    assert len(cases) > 100
    verdict = in_block(job(facts) for _, _, facts in cases)
    numbers = {name: number for number, name in enumerate(verdict.names)}
    confirmed = [
        (name, facts)
        for row, (name, hypothesis, facts) in enumerate(cases)
        if verdict.status[row][numbers[hypothesis]] == CONFIRMED
    ]
    assert confirmed == []


#: A cause, what confirms it, and two figures that exclude it only together, through what is derived from both.
CHAINS = [
    pytest.param(
        "fragmentation",
        {"allocation_state": "device_out_of_memory", "fit_with_expandable_segments": "fits"},
        {"memory_reserved": "70 GB", "memory_allocated": "69.8 GB"},
        id="what is reserved and not used",
    ),
    pytest.param(
        "exposed_communication",
        {"communication_exposed_share": "25 %", "collective_link_share": "82 %"},
        {"collective_bus_bandwidth": "4 GB/s", "expected_bus_bandwidth": "40 GB/s"},
        id="the bandwidth of the collectives over that of the link",
    ),
    pytest.param(
        "request_queueing",
        {"queue_time": "60 ms", "request_time": "100 ms", "instance_busy_share": "30 %"},
        {"throughput": "1000/s", "requests_in_flight": 20},
        id="requests that wait, by Little's law, and those in flight",
    ),
    pytest.param(
        "request_queueing",
        {"queue_time": "60 ms", "request_time": "100 ms", "instance_busy_share": "30 %"},
        {"throughput": "1000/s", "concurrency": 20},
        id="requests that wait and the concurrency",
    ),
    pytest.param(
        "device_compute",
        {"mfu": "56 %", "sm_active": "92 %", "dram_active": "60 %"},
        {"sm_clock": "500 MHz", "sm_clock_max": "1.98 GHz"},
        id="the clock over the highest clock",
    ),
    pytest.param(
        "device_compute",
        {"mfu": "56 %", "sm_active": "92 %", "dram_active": "60 %"},
        {"device_flops_rate": "100 TFLOP/s", "accelerator": "NVIDIA H100 80GB HBM3", "precision": "bf16"},
        id="operations over the peak",
    ),
    pytest.param(
        "device_compute",
        {"mfu": "56 %", "sm_active": "92 %", "dram_active": "60 %"},
        {
            "parameters": 7e9,
            "token_rate": "1000/s",
            "device_count": 8,
            "accelerator": "NVIDIA H100 80GB HBM3",
            "precision": "bf16",
        },
        id="operations of the tokens over the peak",
    ),
    pytest.param(
        "device_compute",
        {"compute_throughput_share": "88 %", "memory_throughput_share": "45 %", "kernel_share": "70 %"},
        {"kernels_per_step": 100, "kernel_duration_mean": "10 us", "step_time": "100 ms"},
        id="the number of kernels times their length",
    ),
    pytest.param(
        "weights_exceed_memory",
        {"memory_weights": "140 GB", "device_memory_total": "80 GB"},
        {"parameters": 1e9},
        id="the bytes of the parameters",
    ),
    pytest.param(
        "admission_limit",
        {"more_slots_speedup": 1.6},
        {"running_requests": 12, "max_num_seqs": 256},
        id="the slots in use",
    ),
]


@pytest.mark.parametrize(("hypothesis", "facts", "further"), CHAINS)
def test_what_excludes_only_through_a_derived_value(
    hypothesis: str, facts: dict[str, Any], further: dict[str, Any]
) -> None:
    """Neither of the two further facts says anything by itself; together they contradict."""
    names = list(further)
    halves = [facts] if len(names) == 1 else [{**facts, name: further[name]} for name in names if name != "accelerator"]
    cases = [*halves, {**facts, **further}]
    verdict = in_block(map(job, cases))
    number = list(verdict.names).index(hypothesis)
    assert [verdict.status[row][number] == CONFIRMED for row in range(len(cases))] == [True] * len(halves) + [False]
