"""Interval algebra on spans of time: arrays of shape (n, 2), sorted, disjoint, in seconds.

>>> busy = union(np.array([0.0, 1.0, 5.0]), np.array([2.0, 3.0, 6.0]))
>>> busy.tolist(), total(busy)
([[0.0, 3.0], [5.0, 6.0]], 4.0)
>>> subtract(span(0.0, 10.0), busy).tolist()
[[3.0, 5.0], [6.0, 10.0]]
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Times: TypeAlias = npt.NDArray[np.float64]
Spans: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]


def nothing() -> Spans:
    """Return no spans."""
    return np.empty((0, 2))


def span(start: float, end: float) -> Spans:
    """Return one span."""
    return np.array([[start, end]])


def union(starts: Times, ends: Times) -> Spans:
    """Return the time covered by at least one of the intervals; those without length cover nothing."""
    real = ends > starts
    starts, ends = starts[real], ends[real]
    if not len(starts):
        return nothing()
    order = np.argsort(starts, kind="stable")
    starts, reach = starts[order], np.maximum.accumulate(ends[order])
    first = np.flatnonzero(np.r_[True, starts[1:] > reach[:-1]])
    last = np.r_[first[1:] - 1, len(starts) - 1]
    return np.column_stack([starts[first], reach[last]])


def join(*parts: Spans) -> Spans:
    """Return the time covered by any of the parts."""
    every = np.concatenate(parts)
    return union(every[:, 0], every[:, 1])


def intersect(one: Spans, other: Spans) -> Spans:
    """Return the time covered by both."""
    if not len(one) or not len(other):
        return nothing()
    points = np.concatenate([one.ravel(), other.ravel()])
    steps = np.tile(np.array([1, -1], dtype=np.int8), len(one) + len(other))  # a byte each: there may be millions
    order = np.lexsort((steps, points))  # ends before starts, so that touching spans share nothing
    points, depth = points[order], np.cumsum(steps[order], dtype=np.int8)
    both = np.flatnonzero(depth[:-1] == 2)
    found = np.column_stack([points[both], points[both + 1]])
    return found[found[:, 1] > found[:, 0]]


def gaps(covered: Spans, start: float, end: float) -> Spans:
    """Return the time from start to end that is not covered."""
    found = np.column_stack([np.r_[start, covered[:, 1]], np.r_[covered[:, 0], end]]).clip(start, end)
    return found[found[:, 1] > found[:, 0]]


def subtract(one: Spans, other: Spans) -> Spans:
    """Return the time covered by the first and not by the second."""
    if not len(one) or not len(other):
        return one
    return intersect(one, gaps(other, float(one[0, 0]), float(one[-1, 1])))


def total(spans: Spans) -> float:
    """Return the covered time."""
    return float((spans[:, 1] - spans[:, 0]).sum())


def covered_before(times: Times, spans: Spans) -> Times:
    """Return how much covered time lies before each time.

    >>> covered_before(np.array([0.0, 2.0, 9.0]), np.array([[1.0, 3.0], [5.0, 6.0]])).tolist()
    [0.0, 1.0, 3.0]
    """
    at = np.searchsorted(spans[:, 0], times, side="right")
    whole = np.r_[0.0, np.cumsum(spans[:, 1] - spans[:, 0])]
    beyond = np.r_[0.0, spans[:, 1]][at] - times
    return np.asarray(whole[at] - np.where(at > 0, np.maximum(beyond, 0.0), 0.0))


def inside(times: Times, spans: Spans) -> Mask:
    """Return, for each time, whether it lies in a span, edges included."""
    if not len(spans):
        return np.zeros(len(times), dtype=bool)
    at = np.searchsorted(spans[:, 0], times, side="right") - 1
    return np.asarray((at >= 0) & (times <= spans[np.maximum(at, 0), 1]))
