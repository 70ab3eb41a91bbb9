"""The lesson of the three case studies: one value of the utilisation, different verdicts."""

from __future__ import annotations

from typing import Any

import pytest
from knowledge.rows import diagnosed

from dam_expert import Diagnosis

UTILIZATION: dict[str, Any] = {"accelerator_utilization": "97 %"}
TRAINING: dict[str, Any] = {"workload": {"workload_kind": "training", "batch_size": 64}}


def binding(diagnosis: Diagnosis) -> tuple[str, str]:
    assert diagnosis.binding is not None
    return diagnosis.binding.hypothesis, diagnosis.binding.bottleneck


@pytest.mark.parametrize(
    ("incident", "more", "expected"),
    [
        pytest.param(
            {"workload": {"workload_kind": "serving", "batch_size": 1}},
            {"kernel_share": "92 %", "dram_active": "86 %", "batch_doubling_speedup": 1.95},
            ("weight_traffic", "memory"),
            id="batch of one",
        ),
        pytest.param(
            TRAINING,
            {"loss_trend": "flat", "quality_gap": 0.06, "evaluation_error": 0.01, "tiny_subset_fit": "stuck"},
            ("optimization_fault", "quality"),
            id="flat loss",
        ),
        pytest.param(
            TRAINING,
            {
                "device_memory_used_share": "99 %",
                "allocation_state": "device_out_of_memory",
                "fit_at_batch_one": "fits",
                "memory_growth": "level",
            },
            ("activations_exceed_memory", "capacity"),
            id="memory pressure",
        ),
        pytest.param(
            TRAINING,
            {"loss_trend": "falling", "mfu": "57 %", "sm_active": "93 %", "dram_active": "38 %"},
            ("device_compute", "compute"),
            id="falling loss, free memory, high MFU",
        ),
    ],
)
def test_the_same_utilization(incident: dict[str, Any], more: dict[str, Any], expected: tuple[str, str]) -> None:
    """At 97 % the verdict depends on batch size, loss behaviour and memory pressure."""
    assert binding(diagnosed(incident, UTILIZATION, more)) == expected


def test_alone_it_decides_nothing() -> None:
    """Utilisation alone, high or low, confirms and supports nothing."""
    for value in ("5 %", "35 %", "97 %", "100 %"):
        diagnosis = diagnosed(TRAINING, {"accelerator_utilization": value})
        assert diagnosis.status == "undetermined"
        assert diagnosis.next_measurements
