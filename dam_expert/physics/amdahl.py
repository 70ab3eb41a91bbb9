"""What removing, speeding up or parallelising a part can give at most; stragglers.

Sources: G. Amdahl, 1967; J. Gustafson, 1988; J. Lin et al., Understanding Stragglers in Large Model Training, OSDI
2025 (slowdown against the run without stragglers).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.inputs import Array, count, positive, real, refuse, share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def ceiling(recoverable: ArrayLike) -> Array:
    """Return the factor on the whole when a recoverable share of it goes: 1 / (1 - share). Infinite at 1.

    98 % busy leaves at most 2 %:

    >>> round(float(ceiling(0.02)), 2)
    1.02
    """
    with np.errstate(divide="ignore"):
        return 1.0 / (1.0 - share("recoverable", recoverable))


def ceiling_of_one(recoverable: float) -> float:
    """Return the same of one share, without what an array of one costs. What lies beyond 0 and 1 is cut.

    >>> ceiling_of_one(0.5), ceiling_of_one(1.0)
    (2.0, inf)
    """
    kept = 1.0 - min(max(recoverable, 0.0), 1.0)
    return 1.0 / kept if kept > 0.0 else float("inf")


def recoverable_share(exposed_share: ArrayLike, roof_share: ArrayLike = 0.0) -> Array:
    """Return the part of an exposed share that can go: all of a wait (roof share 0), else what lies below the roof.

    >>> round(float(recoverable_share(0.5, 0.6)), 2)
    0.2
    """
    return share("exposed_share", exposed_share) * (1 - share("roof_share", roof_share))


def saving_share(part_share: ArrayLike, factor: ArrayLike) -> Array:
    """Return the share of the whole saved when a part runs a factor faster: part x (1 - 1 / factor).

    A factor below 1 slows the part down and gives a negative saving.
    """
    return share("part_share", part_share) * (1 - 1 / positive("factor", factor))


def upgrade_speedup(part_share: ArrayLike, factor: ArrayLike) -> Array:
    """Return the factor on the whole when a part of it runs a factor faster; never above the part's ceiling.

    >>> round(float(upgrade_speedup(0.5, 2.0)), 3)
    1.333
    """
    return 1 / (1 - saving_share(part_share, factor))


def amdahl_speedup(parallel_share: ArrayLike, workers: ArrayLike) -> Array:
    """Return the speed-up of a fixed problem over n workers: 1 / ((1 - p) + p / n).

    >>> [round(float(amdahl_speedup(0.95, n)), 1) for n in (8, 64, 512)]
    [5.9, 15.4, 19.3]
    """
    p = share("parallel_share", parallel_share)
    return 1 / ((1 - p) + p / count("workers", workers))


def gustafson_speedup(parallel_share: ArrayLike, workers: ArrayLike) -> Array:
    """Return the speed-up of a problem that grows with n workers: n - (1 - p)(n - 1).

    >>> round(float(gustafson_speedup(0.95, 64)), 2)
    60.85
    """
    n = count("workers", workers)
    return n - (1 - share("parallel_share", parallel_share)) * (n - 1)


def strong_efficiency(one_s: ArrayLike, many_s: ArrayLike, workers: ArrayLike) -> Array:
    """Return T1 / (n Tn) for one problem on one and on n workers. Above 1 is possible: caches."""
    return positive("one_s", one_s) / (count("workers", workers) * positive("many_s", many_s))


def weak_efficiency(one_rate: ArrayLike, many_rate: ArrayLike, workers: ArrayLike) -> Array:
    """Return the rate of n workers over n times the rate of one, with the work per worker kept."""
    return positive("many_rate", many_rate) / (count("workers", workers) * positive("one_rate", one_rate))


def straggler_slowdown(rank_s: ArrayLike, axis: int = -1) -> Array:
    """Return slowest / median over the ranks of a synchronous step: the factor that an even step would give.

    Times must be the ranks' own, before they wait for each other. One unknown rank makes the answer unknown.

    >>> float(straggler_slowdown([1.0, 1.0, 1.0, 1.3]))
    1.3
    """
    times = positive("rank_s", rank_s)
    slowdown: Array = np.max(times, axis=axis) / np.median(times, axis=axis)
    return slowdown


def straggler_waste(rank_s: ArrayLike, axis: int = -1) -> Array:
    """Return the share of device time spent waiting for the slowest rank: 1 - mean / slowest.

    >>> round(float(straggler_waste([1.0, 1.0, 1.0, 2.0])), 3)
    0.375
    """
    times = positive("rank_s", rank_s)
    waste: Array = 1 - np.mean(times, axis=axis) / np.max(times, axis=axis)
    return waste


def last_to_arrive(arrival_s: ArrayLike) -> int:
    """Return the index of the rank that reaches a collective last: the one the others wait for; of ties the first.

    Unknown arrivals are an error: without the times before the collective no rank can be named.
    """
    arrivals = real("arrival_s", arrival_s).ravel()
    unknown = np.isnan(arrivals)
    refuse("arrival_s", arrivals, unknown, "an arrival is unknown", "no time before the collective recorded?")
    return int(np.argmax(arrivals))
