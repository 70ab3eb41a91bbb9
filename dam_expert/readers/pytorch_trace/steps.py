"""Which steps of a trace are used.

Not used: steps of another process than the one that works, steps longer than the capture, a last step in which nothing
begins any more (the mark that is open while the profiler stops), and the first step of a cycle where it is an outlier
and others exist (module load, first launches, work still queued from before). Loader
wait is set aside when outliers are looked for: with several workers it alternates between steps, and that is no
warm-up. Every mean is over all used steps.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.pytorch_trace import spans
from dam_expert.readers.pytorch_trace.events import CALL_KINDS, OPERATION_KINDS, Kind

if TYPE_CHECKING:
    from dam_expert.readers.pytorch_trace.spans import Mask, Spans, Times
    from dam_expert.readers.pytorch_trace.table import Trace, Track

LONGER, SHORTER = 1.25, 0.5
"""A first step is set aside when it is longer than this multiple of the median of the others, or shorter than this
part of the shortest. Warm-up is at least some tens of percent longer; a first step that runs ahead into an empty
queue is less than half as long."""

NEW_CYCLE = 5.0
"""Steps further apart than this many times their median length belong to two cycles of the profiler's schedule."""


@dataclasses.dataclass(frozen=True, slots=True)
class Steps:
    """The used steps. ``warm_up`` counts those set aside, ``spurious`` those that are none; no steps: no marks."""

    track: Track
    warm_up: int
    spurious: int

    @property
    def count(self) -> int:
        """How many steps are used."""
        return len(self.track)

    @property
    def durations(self) -> Times:
        """The length of each, in seconds."""
        return self.track.end - self.track.start

    @property
    def window(self) -> Spans:
        """The time that belongs to the steps."""
        return self.track.covered

    @property
    def detail(self) -> str:
        """How many steps are used, in words."""
        if self.count == 1:
            return "one step"
        if not self.warm_up:
            return f"mean over {self.count} steps"
        return f"mean over {self.count} of {self.count + self.warm_up} steps, warm-up set aside"


def chosen(trace: Trace) -> Steps:
    """Return the steps of a trace that are used."""
    marks = trace.tracks[Kind.STEP]
    lengths = marks.end - marks.start
    real = _distinct(marks, _own(trace, marks) & (lengths > 0.0) & (lengths <= _longest(trace)))
    real = _without_a_tail(trace, real)
    first = _first_of_cycle(real) & _outlier(trace, real)
    kept = real.where(~first)
    return Steps(kept, int(first.sum()), len(marks) - len(real))


def _own(trace: Trace, marks: Track) -> Mask:
    """Return which marks are of the process that does most of the work."""
    threads = trace.column("thread", *CALL_KINDS, Kind.OPERATION, Kind.LAUNCHING)
    process = np.array(_process_numbers(trace), dtype=np.int64)
    if not len(threads) or not len(marks):
        return np.ones(len(marks), dtype=bool)
    busiest = np.bincount(process[threads]).argmax()
    own = process[marks.thread] == busiest
    return own if own.any() else np.ones(len(marks), dtype=bool)


def _process_numbers(trace: Trace) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in trace.process]


def _longest(trace: Trace) -> float:
    """Return the longest that a step can be: the capture as it is marked, or else ten times all the rest there is."""
    capture = trace.tracks[Kind.CAPTURE]
    if len(capture):
        return 1.05 * float(capture.end.max() - capture.start.min())
    rest = [track for kind, track in trace.tracks.items() if kind is not Kind.STEP and len(track)]
    if not rest:
        return float("inf")
    return 10.0 * float(max(track.end.max() for track in rest) - min(track.start.min() for track in rest))


def _distinct(marks: Track, real: Mask) -> Track:
    """Return the real marks in order, each time once."""
    kept = marks.where(real)
    kept = kept.where(np.argsort(kept.start, kind="stable"))
    return kept.where(np.r_[True, kept.start[1:] >= kept.end[:-1] - 1e-6][: len(kept)])


def _without_a_tail(trace: Trace, steps: Track) -> Track:
    """Return the steps without a last one in which nothing begins, where things begin in another."""
    begun = np.sort(trace.of(*CALL_KINDS, *OPERATION_KINDS, Kind.LOADER).start)
    work = np.searchsorted(begun, steps.end) - np.searchsorted(begun, steps.start)
    if len(work) < 2 or work[-1] or not work.any():
        return steps
    return steps.where(np.arange(len(steps)) < len(steps) - 1)


def _first_of_cycle(steps: Track) -> Mask:
    if not len(steps):
        return np.zeros(0, dtype=bool)
    apart = steps.start[1:] - steps.end[:-1]
    return np.asarray(np.r_[True, apart > NEW_CYCLE * np.median(steps.end - steps.start)], dtype=bool)


def _outlier(trace: Trace, steps: Track) -> Mask:
    """Return which steps are unlike the others in the time that is not loader wait."""
    if len(steps) < 2:
        return np.zeros(len(steps), dtype=bool)
    waits = trace.tracks[Kind.LOADER].covered
    waited = spans.covered_before(steps.end, waits) - spans.covered_before(steps.start, waits)
    work = steps.end - steps.start - waited
    ordered = np.sort(work)
    typical = np.array([_median_without(ordered, value) for value in work])
    shortest = np.where(work > ordered[0], ordered[0], ordered[1])
    return np.asarray((work > LONGER * typical) | (work < SHORTER * shortest))


def _median_without(values: Times, value: float) -> float:
    """Return the median of sorted values without one of them, in constant time.

    >>> _median_without(np.array([1.0, 2.0, 3.0, 9.0]), 9.0), _median_without(np.array([1.0, 2.0, 9.0]), 1.0)
    (2.0, 5.5)
    """
    gone = int(np.searchsorted(values, value))
    count = len(values) - 1
    lower, upper = (place + (place >= gone) for place in ((count - 1) // 2, count // 2))
    return float(values[lower] + values[upper]) / 2
