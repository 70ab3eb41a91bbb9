"""The roofline: attainable rate = min(peak, intensity x bandwidth), per memory level and precision.

Source: S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful Visual Performance Model, CACM 52(4), 2009;
levels after A. Ilic, F. Pratas, L. Sousa, Cache-aware Roofline Model, IEEE CAL 2014, and C. Yang, T. Kurth,
S. Williams, Hierarchical Roofline Analysis for GPUs, 2019. Peaks are dense: a rate printed with structured sparsity
is halved first (see ``Accelerator.checked_peak`` in ``hardware.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import Array, nonnegative, positive, refuse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray


def ridge_flop_per_byte(peak_flops_per_s: ArrayLike, bandwidth_bytes_per_s: ArrayLike) -> Array:
    """Return the intensity where the roofs meet: below it memory bounds the rate, above it arithmetic does.

    A100-SXM4-80GB in bf16:

    >>> round(float(ridge_flop_per_byte(312e12, 2.039e12)), 1)
    153.0
    """
    peak = positive("peak_flops_per_s", peak_flops_per_s)
    return peak / positive("bandwidth_bytes_per_s", bandwidth_bytes_per_s)


def intensity_flop_per_byte(operations: ArrayLike, bytes_moved: ArrayLike) -> Array:
    """Return operations per byte moved at the level where the bytes were measured."""
    return nonnegative("operations", operations) / positive("bytes_moved", bytes_moved)


def attainable_flops_per_s(
    intensity: ArrayLike, peak_flops_per_s: ArrayLike, bandwidth_bytes_per_s: ArrayLike
) -> Array:
    """Return the highest rate that the intensity (FLOP/byte) allows.

    >>> float(attainable_flops_per_s(10, 312e12, 2e12))
    20000000000000.0
    """
    bandwidth = positive("bandwidth_bytes_per_s", bandwidth_bytes_per_s)
    peak = positive("peak_flops_per_s", peak_flops_per_s)
    return np.minimum(peak, nonnegative("intensity", intensity) * bandwidth)


def bound(intensity: ArrayLike, peak_flops_per_s: ArrayLike, bandwidth_bytes_per_s: ArrayLike) -> NDArray[np.str_]:
    """Return ``memory`` below the ridge, ``compute`` at and above it, ``unknown`` where an input is NaN."""
    ratio = nonnegative("intensity", intensity) / ridge_flop_per_byte(peak_flops_per_s, bandwidth_bytes_per_s)
    return np.where(np.isnan(ratio), "unknown", np.where(ratio < 1, "memory", "compute"))[()]


def roof_share(
    achieved_flops_per_s: ArrayLike,
    intensity: ArrayLike,
    peak_flops_per_s: ArrayLike,
    bandwidth_bytes_per_s: ArrayLike,
) -> Array:
    """Return achieved / attainable, 0 to 1. A point above the roof is an error of one of the inputs.

    >>> float(roof_share(10e12, 10, 312e12, 2e12))
    0.5
    """
    return attained_share(
        achieved_flops_per_s, attainable_flops_per_s(intensity, peak_flops_per_s, bandwidth_bytes_per_s)
    )


def attained_share(achieved_flops_per_s: ArrayLike, roof_flops_per_s: ArrayLike) -> Array:
    """Return achieved / attainable under a roof that is already known, 0 to 1. A point above the roof is an error.

    >>> float(attained_share(10e12, 20e12))
    0.5
    """
    roof = nonnegative("roof_flops_per_s", roof_flops_per_s)
    achieved = nonnegative("achieved_flops_per_s", achieved_flops_per_s)
    refuse("achieved_flops_per_s", achieved, achieved > roof * (1 + 1e-9), "{value} FLOP/s lies above the roof",
           "operations counted that were not executed, bytes of another memory level, a peak of another precision, "
           "or a clock above the one the peak is stated for?")  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Array = np.where(roof > 0, np.minimum(achieved / roof, 1.0), np.nan)[()]
    return result


def gap_to_roof(
    achieved_flops_per_s: ArrayLike,
    intensity: ArrayLike,
    peak_flops_per_s: ArrayLike,
    bandwidth_bytes_per_s: ArrayLike,
) -> Array:
    """Return attainable / achieved, 1 or more: the factor that is left at this intensity. Infinite at rate 0."""
    with np.errstate(divide="ignore"):
        return 1.0 / roof_share(achieved_flops_per_s, intensity, peak_flops_per_s, bandwidth_bytes_per_s)


def attainable_over_levels(
    operations: float,
    bytes_by_level: Mapping[str, float],
    bandwidth_by_level: Mapping[str, float],
    peak_flops_per_s: float,
) -> tuple[float, str]:
    """Return the attainable rate under all memory levels, and the level that bounds it (``compute`` for the peak).

    Each level has its own traffic, so its own intensity. A level without traffic bounds nothing; traffic at a level
    without a stated bandwidth is an error.

    >>> attainable_over_levels(1e12, {"hbm": 1e10, "l2": 1e11}, {"hbm": 2e12, "l2": 5e12}, 312e12)
    (50000000000000.0, 'l2')
    """
    positive("operations", operations)
    best, level = float(positive("peak_flops_per_s", peak_flops_per_s)), "compute"
    for name, moved in bytes_by_level.items():
        if name not in bandwidth_by_level:
            raise PhysicsError(name, "no bandwidth is stated for this memory level", "a level named differently?")
        if float(nonnegative(f"bytes at {name}", moved)) == 0:
            continue
        roof = float(intensity_flop_per_byte(operations, moved) * positive(name, bandwidth_by_level[name]))
        if roof < best:
            best, level = roof, name
    return best, level


def mixed_peak_flops_per_s(
    operations_by_precision: Mapping[str, float], peak_by_precision: Mapping[str, float | None]
) -> float:
    """Return the peak of a mixture: all operations over the sum of operations / peak of their precision.

    A precision without a stated peak is an error: no other peak stands in for it.

    >>> mixed_peak_flops_per_s({"bf16": 1.0, "fp8": 1.0}, {"bf16": 1e15, "fp8": 2e15}) / 1e15
    1.3333333333333333
    """
    total, seconds = 0.0, 0.0
    for precision, operations in operations_by_precision.items():
        peak = peak_by_precision.get(precision)
        if peak is None:
            raise PhysicsError(
                precision, "mixed precision without a stated peak", "give the dense peak of each precision"
            )
        total += float(nonnegative(f"operations in {precision}", operations))
        seconds += operations / float(positive(f"peak of {precision}", peak))
    if seconds == 0:
        raise PhysicsError("operations_by_precision", "no operations", "an empty trace window?")
    return total / seconds
