"""Signs that a capture does not show everything."""

from __future__ import annotations

import pytest
from readers.traces import Trace, codes, read, training, values

GAPS = {"host_gap_share", "input_gap_share", "sync_gap_share", "kernel_share"}


def queued() -> Trace:
    """Work that is launched at once and starts when unseen work is done."""
    trace = Trace().step(1, 0, 50_000)
    for number in range(20):
        trace.kernel(30_000 + 500.0 * number, 400, launched=100.0 + 5 * number)
    return trace


def orphaned() -> Trace:
    trace = training()
    for number in range(8):
        trace.add("kernel", "gemm", 2920 + number, 1, pid=0, tid=20, device=0, correlation=200 + number)
    return trace


def waited_for() -> Trace:
    trace = Trace().step(1, 0, 50_000).call("EventSynchronize", 10, 25_000, correlation=99)
    return trace.kernels(30_000, 400, 20, 450)


def thinned() -> Trace:
    trace = Trace().step(1, 0, 20_000)
    for number in range(40):
        trace.ids += 100
        trace.kernel(10 + number * 400, 20)
    return trace


def lost() -> Trace:
    trace = training()
    for number in range(20):
        trace.call("LaunchKernel", 500 + number, 1, correlation=200 + number)
    return trace


def starting() -> Trace:
    trace = Trace().step(1, 0, 900_000).call("Malloc", 10, 700_000, correlation=99)
    return trace.kernels(800_000, 400, 20, 450)


@pytest.mark.parametrize(
    ("build", "state"),
    [
        pytest.param(queued, "partial", id="launched work waits for a device that seems idle"),
        pytest.param(waited_for, "partial", id="a long wait for an event of unseen work"),
        pytest.param(orphaned, "partial", id="device work without a launch"),
        pytest.param(lost, "partial", id="launches without device work"),
        pytest.param(starting, "partial", id="the device is started up in it"),
        pytest.param(thinned, "thinned", id="few of many calls are kept"),
    ],
)
def test_gaps_of_a_capture_that_hides_work_are_not_told(build, state):
    """Nobody is blamed for idle time that may not be one; busy time is a lower bound."""
    reading = read(build())
    found = values(reading)
    assert found["capture_state"] == state
    assert not GAPS & set(found)
    assert found["device_busy_share"][1] == 1.0
    assert f"{state}-capture" in codes(reading)


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param(Trace().step(1, 0, 100).kernels(10, 1, 4, 5), id="four kernels in a step"),
        pytest.param(Trace().op("aten::mm", 0, 5).kernels(10, 1, 60, 5), id="sixty kernels and no step"),
    ],
)
def test_a_handful_of_kernels_is_no_job(trace):
    """A unit test gives no shares at all."""
    found = values(read(trace))
    assert found["capture_state"] == "tiny"
    assert not (GAPS | {"device_busy_share", "span_busy_share"}) & set(found)


def test_a_full_launch_queue_hides_nothing():
    """Work that waits for a device which is seen at work is the ordinary state of a busy device."""
    trace = Trace().step(1, 0, 100_000)
    for number in range(50):
        trace.kernel(1000 + number * 1900.0, 1900, launched=10.0 * number)
    assert values(read(trace))["capture_state"] == "complete"


def test_the_orphans_are_counted():
    """The share of device activities without a launch is a measurement of its own."""
    assert values(read(orphaned()))["orphan_device_share"] == 0.25


@pytest.mark.parametrize(("length", "state"), [(6500, "partial"), (900, "complete")])
def test_a_launch_that_fills_a_good_part_of_the_steps_loads_its_module(length, state):
    """One launch of milliseconds on an idle device is the start of the device, however short the whole capture is."""
    trace = Trace().step(1, 0, 10_000).kernels(10, 20, 20, 40)
    trace.kernel(2000 + length, 20, launched=2000.0)
    trace.events[-2]["dur"] = length  # of the launch, before its kernel
    assert values(read(trace))["capture_state"] == state
