"""The iron law: time = bytes / bandwidth + operations / (peak x efficiency) + latency.

Phases that run one after another add up. Where data movement and compute overlap, the larger of the two is a lower
bound; the latency term has serial points and stays outside.

Sources: Hennessy and Patterson, Computer Architecture (the additive form); S. Williams, A. Waterman, D. Patterson,
Roofline, CACM 52(4), 2009 (the larger term as bound). The gain that overlap can give is arithmetic on the two.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.inputs import Array, nonnegative, positive, positive_share, refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Term(enum.StrEnum):
    """The terms of the iron law."""

    DATA_MOVEMENT = "data_movement"
    COMPUTE = "compute"
    LATENCY = "latency"


_TERMS = (Term.DATA_MOVEMENT, Term.COMPUTE, Term.LATENCY)


def data_time_s(bytes_moved: ArrayLike, bandwidth_bytes_per_s: ArrayLike) -> Array:
    """Return the seconds that moving the bytes takes at the bandwidth.

    >>> float(data_time_s(2e9, 1e9))
    2.0
    """
    return nonnegative("bytes_moved", bytes_moved) / positive("bandwidth_bytes_per_s", bandwidth_bytes_per_s)


def compute_time_s(operations: ArrayLike, peak_flops_per_s: ArrayLike, efficiency: ArrayLike = 1.0) -> Array:
    """Return the seconds that the operations take at a share of the peak. Efficiency 1 gives the lower bound.

    >>> float(compute_time_s(312e12, 312e12, 0.5))
    2.0
    """
    peak = positive("peak_flops_per_s", peak_flops_per_s)
    return nonnegative("operations", operations) / (peak * positive_share("efficiency", efficiency))


def _terms(data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike) -> tuple[Array, Array, Array]:
    data, compute, latency = np.broadcast_arrays(
        nonnegative("data_s", data_s), nonnegative("compute_s", compute_s), nonnegative("latency_s", latency_s)
    )
    return data, compute, latency


def sequential_s(data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike = 0.0) -> Array:
    """Return the time without any overlap: the sum, which is also the most that the terms can explain.

    >>> round(float(sequential_s(0.040, 0.060, 0.005)), 6)
    0.105
    """
    data, compute, latency = _terms(data_s, compute_s, latency_s)
    return data + compute + latency


def overlapped_bound_s(data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike = 0.0) -> Array:
    """Return the least time with perfect overlap of data movement and compute.

    >>> round(float(overlapped_bound_s(0.040, 0.060, 0.005)), 6)
    0.065
    """
    data, compute, latency = _terms(data_s, compute_s, latency_s)
    return np.maximum(data, compute) + latency


def overlap_gain(data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike = 0.0) -> Array:
    """Return the factor from no overlap to perfect overlap: 1 to 2, largest where both terms are equal.

    All terms 0 gives NaN: there is nothing to overlap.

    >>> round(float(overlap_gain(0.040, 0.060, 0.005)), 2)
    1.62
    >>> round(float(overlap_gain(0.005, 0.060, 0.005)), 2)
    1.08
    """
    return _ratio(sequential_s(data_s, compute_s, latency_s), overlapped_bound_s(data_s, compute_s, latency_s))


def _ratio(above: Array, below: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Array = np.where(below > 0, above / below, np.nan)[()]
    return result


def _check_measured(measured_s: ArrayLike, bound: Array) -> Array:
    measured = positive("measured_s", measured_s)
    # The bound is a sum of rounded quotients, so the last digits must not decide.
    below = measured < bound * (1 - 1e-9)
    refuse("measured_s", measured, below, "{value} s is less than the lower bound of the terms",
           "bytes or operations overstated, the peak of another precision, or one step counted twice?")  # fmt: skip
    return measured


def overlap_achieved(
    measured_s: ArrayLike, data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike = 0.0
) -> Array:
    """Return the share of the possible overlap that a measured time shows: (sum - measured) / (sum - bound).

    0 where the measured time is the sum or more (see :func:`unexplained_s`), NaN where there is nothing to overlap. A
    measured time below the bound is an error: one of the inputs is wrong.

    >>> round(float(overlap_achieved(0.085, 0.040, 0.060, 0.005)), 6)
    0.5
    """
    total, bound = sequential_s(data_s, compute_s, latency_s), overlapped_bound_s(data_s, compute_s, latency_s)
    measured = _check_measured(measured_s, bound)
    return np.clip(_ratio(total - measured, total - bound), 0.0, 1.0)


def unexplained_s(measured_s: ArrayLike, data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike = 0.0) -> Array:
    """Return the seconds beyond the sum of the terms: waits, or an efficiency lower than assumed. Never negative."""
    total = sequential_s(data_s, compute_s, latency_s)
    return np.maximum(_check_measured(measured_s, overlapped_bound_s(data_s, compute_s, latency_s)) - total, 0.0)


def gain_left(measured_s: ArrayLike, data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike = 0.0) -> Array:
    """Return the factor that perfect overlap can still give on a measured time. Unexplained time stays.

    >>> round(float(gain_left(0.105, 0.040, 0.060, 0.005)), 2)
    1.62
    >>> float(gain_left(0.065, 0.040, 0.060, 0.005))
    1.0
    """
    total, bound = sequential_s(data_s, compute_s, latency_s), overlapped_bound_s(data_s, compute_s, latency_s)
    measured = _check_measured(measured_s, bound)
    left = np.maximum(np.minimum(measured, total) - bound, 0.0)
    return measured / (measured - left)


def binding_term(data_s: ArrayLike, compute_s: ArrayLike, latency_s: ArrayLike = 0.0) -> NDArray[np.str_]:
    """Return the name of the largest term, or ``unknown`` where a term is NaN. Of equal terms the first of the law.

    >>> str(binding_term(0.040, 0.060, 0.005))
    'compute'
    """
    stacked = np.stack(_terms(data_s, compute_s, latency_s))
    unknown = np.isnan(stacked).any(axis=0)
    largest = np.argmax(np.where(np.isnan(stacked), -1.0, stacked), axis=0)
    return np.where(unknown, "unknown", np.array([str(term) for term in _TERMS])[largest])[()]
