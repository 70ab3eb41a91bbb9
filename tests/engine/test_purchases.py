"""A device that is bought moves all in which it exceeds the one in use."""

from __future__ import annotations

import pytest
from truth.jobs import diagnosed, shipped

from dam_expert.engine.purchases import bought

MEMORY = {"dram_active": "92 %", "sm_active": "95 %", "kernel_share": "97 %"}
INPUT = {"input_gap_share": "45 %"}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("buy H200", "h200"),
        ("8x H200", "h200"),
        ("mua H200", "h200"),
        ("买H200", "h200"),
        ("upgrade to B200s", "b200"),
        ("RTX 4090", "rtx-4090"),
        ("buy two A100 80GB", "a100"),
        ("profile on h100", None),
        ("larger batch 128", None),
        ("replace A10 with L40S", None),
        ("more_device_memory", None),
    ],
)
def test_a_plan_names_what_is_bought(text: str, part: str | None) -> None:
    """In the words in which one buys; a name in another sentence is no purchase."""
    found = [each.id for each in bought(shipped(), text)]
    assert (found == []) if part is None else all(each.startswith(part) for each in found) and found


def test_more_bandwidth_helps_where_bandwidth_binds_as_far_as_it_goes() -> None:
    """An H200 has the peak of an H100 and 1.43 times its memory bandwidth: no more than that is gained."""
    facts = {**MEMORY, "accelerator": "H100 SXM5", "planned": ["buy H200"]}
    diagnosis = diagnosed(facts)
    assert diagnosis.binding is not None
    assert diagnosis.binding.bottleneck == "memory"
    assert [pattern.action for pattern in diagnosis.anti_patterns] == []
    planned = {lever.id: lever for lever in diagnosis.levers if lever.planned == "buy H200"}
    assert planned["more_memory_bandwidth"].effect == "works"
    ceiling = planned["more_memory_bandwidth"].ceiling
    assert isinstance(ceiling, float)
    assert 1.2 < ceiling < 1.44
    assert "faster_accelerator" not in planned


@pytest.mark.parametrize("owned", ["H100 SXM5", "A100-SXM4-80GB", None])
def test_no_device_shortens_a_wait_for_data(owned: str | None) -> None:
    """Whatever it has more of; and it is said once."""
    facts = {**INPUT, **({} if owned is None else {"accelerator": owned}), "planned": ["buy H200"]}
    actions = [pattern.action for pattern in diagnosed(facts).anti_patterns]
    assert actions == ["buy H200"]


def test_the_same_device_again_gains_nothing() -> None:
    """It raises no figure."""
    facts = {**MEMORY, "accelerator": "H200", "planned": ["buy H200"]}
    assert [pattern.id for pattern in diagnosed(facts).anti_patterns] == ["wasted_action"]
