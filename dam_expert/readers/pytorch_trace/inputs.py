"""When the host waits for, or itself prepares, the inputs of a step.

Three signs count, in the thread of the steps only (a prefetching thread keeps nobody waiting):

- the profiler's own marks of the data loader;
- annotations, operators and Python frames whose name says input work, where no kernel is launched within
  (preprocessing on the device is device work);
- in a step whose first device call is a copy from host to device: the stretch before it, where it is long and
  full of host operators. Ordinary Python before a first launch is short, or has few operators, and stays host time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.pytorch_trace import spans
from dam_expert.readers.pytorch_trace.events import OPERATION_KINDS, Kind

if TYPE_CHECKING:
    from dam_expert.readers.pytorch_trace.spans import Spans
    from dam_expert.readers.pytorch_trace.steps import Steps
    from dam_expert.readers.pytorch_trace.table import Trace, Track

LONG_STRETCH = 1e-3
"""Seconds. Below, a stretch before the first launch is of the scale of launch overhead."""

LONG_PART = 0.2
"""Part of the step from which the stretch is long."""

FULL = 0.5
"""Part of the stretch that host operators must cover."""


def waiting(trace: Trace, steps: Steps) -> Spans:
    """Return the time in which the host waits for or prepares inputs."""
    threads = np.unique(steps.track.thread) if steps.count else np.unique(trace.tracks[Kind.LAUNCH].thread)
    loader = _in_threads(trace.tracks[Kind.LOADER], threads)
    known = _in_threads(trace.tracks[Kind.INPUT], threads)
    quiet = known.where(~_launches_within(trace, known))
    return spans.join(loader.covered, quiet.covered, _stretches(trace, steps))


def _in_threads(track: Track, threads: np.ndarray) -> Track:
    """Return the events in the threads; all of them where no thread is known."""
    return track.where(np.isin(track.thread, threads)) if len(threads) else track


def _launches_within(trace: Trace, track: Track) -> np.ndarray:
    launches = np.sort(trace.tracks[Kind.LAUNCH].start)
    return np.searchsorted(launches, track.end) > np.searchsorted(launches, track.start)


def _stretches(trace: Trace, steps: Steps) -> Spans:
    """Return the unnamed host work before a first copy to the device that is long and full of operators."""
    calls = trace.of(Kind.LAUNCH, Kind.COPY_CALL)
    if not len(calls) or not steps.count:
        return spans.nothing()
    calls = calls.where(np.argsort(calls.start, kind="stable"))
    to_device = np.isin(calls.correlation, trace.tracks[Kind.HOST_TO_DEVICE].correlation) & (calls.correlation > 0)
    start, end = steps.track.start, steps.track.end
    at = np.searchsorted(calls.start, start).clip(max=len(calls) - 1)
    first = calls.start[at]
    operations = trace.of(*OPERATION_KINDS).covered
    worked = spans.covered_before(first, operations) - spans.covered_before(start, operations)
    stretch = first - start
    long = stretch >= np.maximum(LONG_STRETCH, LONG_PART * (end - start))
    found = to_device[at] & (first < end) & long & (worked >= FULL * stretch)
    return spans.union(start[found], first[found])
