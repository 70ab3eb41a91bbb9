"""Events whose duration the trace does not give: they are lost, they are not of no length."""

from __future__ import annotations

import pytest

from dam_expert.readers.pytorch_trace.events import Kind
from dam_expert.readers.pytorch_trace.stream import Event
from dam_expert.readers.pytorch_trace.table import Collector


@pytest.mark.parametrize("duration", [None, float("nan"), -1.0, 1e13])
def test_an_unknown_duration_is_not_zero(duration: float | None) -> None:
    """A kernel without a duration is left out: as one of 0 s it would make a busy device look idle."""
    collector = Collector()
    collector.take([Event(ph="X", ts=5.0, dur=duration, cat="kernel", name="gemm", pid=0, tid=7)])
    assert len(collector.finish().tracks[Kind.KERNEL]) == 0


def test_a_known_duration_is_kept() -> None:
    """One of no length that the trace does give is kept."""
    collector = Collector()
    collector.take([Event(ph="X", ts=5.0, dur=0.0, cat="kernel", name="gemm", pid=0, tid=7)])
    assert len(collector.finish().tracks[Kind.KERNEL]) == 1
