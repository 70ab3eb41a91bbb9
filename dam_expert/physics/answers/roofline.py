"""Where kernels lie under the roofs of a device, how far each is from them, and what closing the gap is worth."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.physics.amdahl import ceiling, recoverable_share
from dam_expert.physics.inputs import PhysicsError, nonnegative, positive, share
from dam_expert.physics.roofline import attainable_flops_per_s, bound, ridge_flop_per_byte, roof_share

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """A limit: the dense peak of a precision in FLOP/s, or the bandwidth of a memory level in B/s; ``source`` of it."""

    name: str
    rate: float
    source: str


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What was measured of one kernel or of a whole step; ``time_s`` None where only its rate is known."""

    name: str
    intensity: float
    achieved_flops_per_s: float
    precision: str
    time_s: float | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A kernel under its roof.

    ``gap`` is attainable / achieved, infinite at rate 0; ``time_share`` its part of the time of all kernels given;
    ``ceiling`` the factor on that time if it alone reached the roof, None where its share is unknown.
    """

    kernel: Kernel
    attainable_flops_per_s: float
    bound: str
    roof_share: float
    gap: float
    time_share: float | None
    ceiling: float | None


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

    def peak(self, precision: str) -> Roof:
        """Return the peak of a precision that has one."""
        return next(roof for roof in self.peaks if roof.name == precision)


def kernel(name: str, precision: str, operations: float, bytes_moved: float, time_s: float) -> Kernel:
    """Return a kernel from its operations, the bytes that it moved at the memory, and its time.

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
    )


def roofline(device: str, bandwidth: Roof, peaks: Sequence[Roof], kernels: Sequence[Kernel]) -> Roofline:
    """Return the kernels under the roofs of their precision. One above its roof, or without a peak, is an error.

    >>> peak, memory = Roof(name="bf16", rate=312e12, source=""), Roof(name="HBM", rate=2.039e12, source="")
    >>> answer = roofline("A100", memory, [peak], [kernel("add", "bf16", 1e9, 6e9, 0.006)])
    >>> answer.points[0].bound, round(answer.points[0].gap, 2), round(answer.ridges[0].intensity, 1)
    ('memory', 2.04, 153.0)
    """
    known = {peak.name: peak for peak in peaks}
    times = [each.time_s for each in kernels]
    total = sum(seconds or 0.0 for seconds in times) if all(seconds is not None for seconds in times) else None
    points = [_point(each, known.get(each.precision), bandwidth, total) for each in kernels]
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
    )


def _point(measured: Kernel, peak: Roof | None, bandwidth: Roof, total_s: float | None) -> Point:
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
    reached = float(roof_share(measured.achieved_flops_per_s, measured.intensity, peak.rate, bandwidth.rate))
    part = None if total_s is None or measured.time_s is None else measured.time_s / total_s
    return Point(
        kernel=measured,
        attainable_flops_per_s=float(attainable_flops_per_s(measured.intensity, peak.rate, bandwidth.rate)),
        bound=str(bound(measured.intensity, peak.rate, bandwidth.rate)),
        roof_share=reached,
        gap=1 / reached if reached > 0 else float("inf"),
        time_share=part,
        ceiling=None if part is None else float(ceiling(recoverable_share(share("time share", part), reached))),
    )
