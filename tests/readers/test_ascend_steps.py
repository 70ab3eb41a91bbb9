"""step_trace_time.csv of the Ascend profiler."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import ASCEND

from dam_expert.readers.ascend_steps import AscendStepsReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("step_trace_time.csv", text.encode())
    assert AscendStepsReader().recognises(source)
    return AscendStepsReader().read(source)


def test_the_step_divides_into_its_parts():
    """Microseconds; the first step is warm-up; rows of a stage repeat those of its ranks."""
    assert values(read(ASCEND)) == pytest.approx(
        {
            "step_time": 1.0,
            "steps_captured": 1,
            "kernel_share": 0.08,
            "communication_exposed_share": 0.02,
            "communication_exposed_recurring_share": 0.0,
            "communication_share": 0.025,
            "device_free_share": 0.9,
        }
    )


def test_devices_are_kept_apart():
    """With several devices every observation has its rank."""
    text = "Device_id,Step,Computing,Communication(Not Overlapped),Free\n0,1,50,0,50\n1,1,90,0,10\n"
    shares = {found.scope: found.value.lo for found in read(text).observations if found.measurement == "kernel_share"}
    assert shares == {(("rank", "0"),): 0.5, (("rank", "1"),): 0.9}


def test_not_available_is_unknown():
    """A row with N/A is not understood, a table without rows says so."""
    assert read(ASCEND + "3,rank,0,N/A,1,1,1,1,1,0\n").lines_not_understood == 1
    assert codes(read(ASCEND.split("\n", 1)[0])) == {"no-steps"}
