"""Where kernels lie under the roofs of a device, how far each is from them, and what closing the gap is worth."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.physics.amdahl import ceiling, recoverable_share
from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import nonnegative, positive, share
from dam_expert.physics.roofline import (
    attainable_flops_per_s,
    attainable_over_levels,
    attained_share,
    bound,
    ridge_flop_per_byte,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MEMORY = "memory"
"""The level of the device memory, whatever its roof is called."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """A limit: the dense peak of a precision in FLOP/s, or the bandwidth of a memory level in B/s; ``source`` of it.

    ``reached`` is the range of its shares that good kernels reach in practice, None where that is not known.
    """

    name: str
    rate: float
    source: str
    reached: tuple[float, float] | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What was measured of one kernel or of a whole step; ``time_s`` None where only its rate is known.

    ``intensity`` counts the bytes of the device memory, ``level_intensity`` those of caches, by level.
    """

    name: str
    intensity: float
    achieved_flops_per_s: float
    precision: str
    time_s: float | None = None
    level_intensity: Mapping[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the roofs allow a kernel of which only the work is known: ``bound`` and the least time it can take."""

    name: str
    precision: str
    operations: float
    bytes_moved: float
    intensity: float
    bound: str
    attainable_flops_per_s: float
    least_time_s: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A kernel under its roof. ``bound`` is ``memory``, ``compute`` or the cache level whose roof is the lowest.

    ``gap`` is attainable / achieved, infinite at rate 0; ``time_share`` its part of the time of all kernels given;
    ``ceiling`` the factor on that time if it alone reached the roof, None where its share is unknown. ``reached`` is
    the range of shares of this roof that good kernels reach in practice, ``practical_ceiling`` the factor at its end.
    """

    kernel: Kernel
    attainable_flops_per_s: float
    bound: str
    roof_share: float
    gap: float
    time_share: float | None
    ceiling: float | None
    reached: tuple[float, float] | None = None
    practical_ceiling: float | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Ridge:
    """Where the peak of a precision meets the bandwidth, in FLOP/byte."""

    precision: str
    intensity: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """The roofs of one device, the ridges between them, and the kernels, those with most to gain first."""

    device: str
    bandwidth: Roof
    peaks: tuple[Roof, ...]
    ridges: tuple[Ridge, ...]
    points: tuple[Point, ...]
    levels: tuple[Roof, ...] = ()
    expected: tuple[Expected, ...] = ()

    def peak(self, precision: str) -> Roof:
        """Return the peak of a precision that has one."""
        return next(roof for roof in self.peaks if roof.name == precision)


def kernel(
    name: str,
    precision: str,
    operations: float,
    bytes_moved: float,
    time_s: float,
    level_bytes: Mapping[str, float] | None = None,
) -> Kernel:
    """Return a kernel from its operations, the bytes that it moved at the memory and at caches, and its time.

    >>> kernel("add", "bf16", 1e9, 6e9, 0.01).achieved_flops_per_s
    100000000000.0
    """
    work, seconds = float(nonnegative("operations", operations)), float(positive("time", time_s))
    moved = float(positive("bytes", bytes_moved))
    return Kernel(
        name=name,
        intensity=work / moved,
        achieved_flops_per_s=work / seconds,
        precision=precision,
        time_s=seconds,
        level_intensity={name: work / float(positive(name, each)) for name, each in (level_bytes or {}).items()},
    )


def expected(name: str, operations: float, bytes_moved: float, bandwidth: Roof, peak: Roof) -> Expected:
    """Return what the roofs allow a kernel of known work.

    >>> memory, peak = Roof(name="HBM", rate=2.0e12, source=""), Roof(name="bf16", rate=312e12, source="")
    >>> answer = expected("gemv", 2e9, 2e9, memory, peak)
    >>> answer.bound, answer.least_time_s
    ('memory', 0.001)
    """
    work, moved = float(positive("operations", operations)), float(positive("bytes", bytes_moved))
    attainable = float(attainable_flops_per_s(work / moved, peak.rate, bandwidth.rate))
    return Expected(
        name=name,
        precision=peak.name,
        operations=work,
        bytes_moved=moved,
        intensity=work / moved,
        bound=str(bound(work / moved, peak.rate, bandwidth.rate)),
        attainable_flops_per_s=attainable,
        least_time_s=work / attainable,
    )


def roofline(
    device: str,
    bandwidth: Roof,
    peaks: Sequence[Roof],
    kernels: Sequence[Kernel],
    *,
    levels: Sequence[Roof] = (),
    expecting: Sequence[Expected] = (),
) -> Roofline:
    """Return the kernels under the roofs of their precision. One above its roof, or without a peak, is an error.

    >>> peak, memory = Roof(name="bf16", rate=312e12, source=""), Roof(name="HBM", rate=2.039e12, source="")
    >>> answer = roofline("A100", memory, [peak], [kernel("add", "bf16", 1e9, 6e9, 0.006)])
    >>> answer.points[0].bound, round(answer.points[0].gap, 2), round(answer.ridges[0].intensity, 1)
    ('memory', 2.04, 153.0)
    """
    known = {peak.name: peak for peak in peaks}
    times = [each.time_s for each in kernels]
    total = sum(seconds or 0.0 for seconds in times) if all(seconds is not None for seconds in times) else None
    points = [_point(each, known.get(each.precision), bandwidth, levels, total) for each in kernels]
    return Roofline(
        device=device,
        bandwidth=bandwidth,
        peaks=tuple(peaks),
        ridges=tuple(
            Ridge(
                precision=peak.name,
                intensity=float(positive("ridge", ridge_flop_per_byte(peak.rate, bandwidth.rate))),
            )
            for peak in peaks
        ),
        points=tuple(sorted(points, key=lambda point: (-(point.ceiling or 0.0), point.kernel.name))),
        levels=tuple(levels),
        expected=tuple(expecting),
    )


def _point(
    measured: Kernel, peak: Roof | None, bandwidth: Roof, levels: Sequence[Roof], total_s: float | None
) -> Point:
    if peak is None:
        raise PhysicsError(
            "precision", f"'{measured.name}' runs in {measured.precision}, of which no peak is stated",
            "mixed precision without a stated peak? give the dense peak of each precision",
        )  # fmt: skip
    if measured.intensity == 0:
        raise PhysicsError(
            "operations", f"'{measured.name}' does no floating-point operation",
            "a copy or a fill? it has no place under these roofs, compare its bytes per second with the bandwidth",
        )  # fmt: skip
    lines = {_MEMORY: bandwidth, **{level.name: level for level in levels}}
    traffic = {_MEMORY: measured.intensity, **measured.level_intensity}
    attainable, lowest = attainable_over_levels(
        1.0,
        {name: 1.0 / float(positive(name, intensity)) for name, intensity in traffic.items()},
        {name: line.rate for name, line in lines.items()},
        peak.rate,
    )
    reached = float(attained_share(measured.achieved_flops_per_s, attainable))
    usual = (peak if lowest == "compute" else lines[lowest]).reached
    part = None if total_s is None or measured.time_s is None else measured.time_s / total_s
    return Point(
        kernel=measured,
        attainable_flops_per_s=attainable,
        bound=lowest,
        roof_share=reached,
        gap=1 / reached if reached > 0 else float("inf"),
        time_share=part,
        ceiling=None if part is None else float(ceiling(recoverable_share(share("time share", part), reached))),
        reached=usual,
        practical_ceiling=None if part is None or usual is None else _practical(part, reached, usual[1]),
    )


def _practical(part: float, reached: float, most: float) -> float:
    """Return the factor on the whole when a kernel reaches what good ones reach; 1 where it does already."""
    return float(ceiling(recoverable_share(share("time share", part), min(reached / most, 1.0))))
