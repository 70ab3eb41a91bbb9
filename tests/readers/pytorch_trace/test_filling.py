"""A first step that waits for the loader while the others do not says nothing about the job."""

from __future__ import annotations

import pytest
from readers.traces import Trace, read, values


def waiting(waits: list[float]) -> Trace:
    """Return steps of 20 ms of device work, each after a wait for the loader in microseconds."""
    trace, start = Trace(), 0.0
    for number, wait in enumerate(waits):
        trace.step(number, start, wait + 20_000)
        if wait:
            trace.loader(start + 1, wait - 1, "MultiProcessing")
        trace.kernels(start + wait + 50, 900, 19, 1_000)
        start += wait + 20_000
    return trace


@pytest.mark.parametrize(
    ("waits", "state"),
    [
        pytest.param([3_000_000.0, *[0.0] * 9], "partial", id="workers start"),
        pytest.param([60_000.0, *[0.0] * 3], "partial", id="workers start, or a stall yet to come back"),
        pytest.param([60_000.0] * 10, "complete", id="every step waits"),
        pytest.param([60_000.0, 0.0, 0.0, 0.0] * 3, "complete", id="a stall that comes back"),
        pytest.param([100.0, *[0.0] * 9], "complete", id="too little to matter"),
    ],
)
def test_waiting_in_the_first_step_alone(waits: list[float], state: str) -> None:
    """Idle time is not used where nearly all waiting is in the first of several steps."""
    assert values(read(waiting(waits)))["capture_state"] == state
