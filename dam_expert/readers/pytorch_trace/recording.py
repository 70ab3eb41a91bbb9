"""What recording itself may take of the host's time: an upper estimate from what was recorded.

Each event costs the host time that a job without the profiler does not spend, and where the device waits for the host,
all of it shows as idle time of the device. The costs were measured with PyTorch 2.13 on one thread of a 2020 server
processor, as processor time of steps of a small model with each option on and off, and rounded up: 0.6 us an operator,
0.3 us more with its shapes and 0.35 us more with operations and modules counted, 0.53 us a Python call, 0.12 us a
memory event. For calls into the device's runtime the cost of an operator is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.pytorch_trace import spans
from dam_expert.readers.pytorch_trace.events import CALL_KINDS, OPERATION_KINDS

if TYPE_CHECKING:
    from dam_expert.readers.pytorch_trace.spans import Spans, Times
    from dam_expert.readers.pytorch_trace.table import Trace

PER_OPERATOR, PER_CALL, PER_FRAME, PER_INSTANT = 1.25e-6, 0.65e-6, 0.55e-6, 0.15e-6
"""Seconds for each recorded event of a kind."""


def cost(trace: Trace, window: Spans) -> float:
    """Return at most how much of a window the host spent on recording, in seconds."""

    def within(times: Times) -> int:
        return int(np.count_nonzero(spans.inside(times, window)))

    return (
        PER_OPERATOR * within(trace.of(*OPERATION_KINDS).start)
        + PER_CALL * within(trace.of(*CALL_KINDS).start)
        + PER_FRAME * within(trace.frames)
        + PER_INSTANT * within(trace.instants)
    )


def net(share: float, cost: float, length: float) -> float:
    """Return what is left of an idle share when the cost of recording is taken out of it and of the time.

    >>> round(net(0.8, 0.3, 1.0), 9), net(0.2, 0.3, 1.0)
    (0.714285714, 0.0)
    """
    left = length - cost
    return max(share * length - cost, 0.0) / left if left > 0.0 else 0.0
