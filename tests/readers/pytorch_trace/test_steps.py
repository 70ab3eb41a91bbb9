"""Which steps are used."""

from __future__ import annotations

import pytest
from readers.traces import Trace, codes, read, values


def stepped(lengths: list[float]) -> Trace:
    trace, at = Trace(), 0.0
    for number, length in enumerate(lengths):
        trace.step(number, at, length).kernels(at + 5, length / 10, 8, length / 10)
        at += length
    return trace


@pytest.mark.parametrize(
    ("lengths", "used"),
    [
        pytest.param([9000, 1000, 1000, 1000], 3, id="slow first step"),
        pytest.param([300, 1000, 1000], 2, id="first step that runs ahead of a full queue"),
        pytest.param([1100, 1000, 1000], 3, id="ordinary variation"),
        pytest.param([1000, 1000, 9000], 3, id="a slow later step is the job's"),
        pytest.param([9000], 1, id="one step has no others"),
    ],
)
def test_a_first_step_unlike_the_others_is_set_aside(lengths, used):
    """Warm-up is dropped where other steps exist, and only at the beginning of a cycle."""
    reading = read(stepped(lengths))
    assert values(reading)["steps_captured"] == used
    detail = next(each.origin.detail for each in reading.observations if each.measurement == "step_time")
    assert ("warm-up" in detail) == (used < len(lengths))


def test_a_mean_and_never_a_median():
    """A slow step weighs in the mean."""
    found = values(read(stepped([1000, 1000, 4000])))
    assert found["step_time"] == 0.002
    assert found["step_time_spread"] == 2.0


def test_copies_of_marks_on_the_device_are_ignored():
    """The mark that is repeated on the device's timeline is no step."""
    trace = stepped([1000, 1000])
    trace.add("gpu_user_annotation", "ProfilerStep#0", 10, 16, pid=0, tid=20)
    assert values(read(trace))["steps_captured"] == 2


def test_a_step_longer_than_the_capture_is_spurious():
    """A mark left open by another run is no step of this trace."""
    trace = Trace().add("Trace", "PyTorch Profiler (0)", 0, 1000, pid="Spans", tid="PyTorch Profiler")
    trace.step(1, 0, 50_000).kernels(10, 20, 20, 40)
    reading = read(trace)
    assert values(reading)["step_marks"] == "false"
    assert "no-steps" in codes(reading)


def test_steps_of_another_process_are_spurious():
    """Only the process that does the work has steps."""
    trace = stepped([1000, 1000]).step(9, 0, 2000, pid=99, tid=99)
    assert values(read(trace))["steps_captured"] == 2


def test_a_mark_that_is_open_while_the_profiler_stops_is_no_step():
    """The last step of a loop holds nothing where the profiler stops right after it: it weighs in no mean."""
    trace = stepped([1000, 1000, 1000])
    trace.step(3, 3000, 40)
    found = values(read(trace))
    assert found["steps_captured"] == 3
    assert found["step_time"] == pytest.approx(0.001)
    assert found["device_busy_share"] == pytest.approx(values(read(stepped([1000, 1000, 1000])))["device_busy_share"])
