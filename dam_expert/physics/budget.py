"""Closed budgets: parts of a step or request that do not overlap, and the residual that makes them whole.

Busy time is the union of its intervals; what runs beside something else is not exposed and cannot be gained. Means over
the same steps or requests may be added, percentiles may not.
"""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.amdahl import ceiling
from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import Array, nonnegative, positive, real, refuse, share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

_ROUNDING = 1e-9
"""Sums of shares may miss the whole by this much through rounding alone."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A total in seconds, its exposed parts in seconds, and the residual: what no part explains."""

    total_s: float
    parts_s: Mapping[str, float]
    residual_s: float

    def share(self, part: str) -> float:
        """Exposed seconds of the part over the total."""
        return self.parts_s[part] / self.total_s

    @property
    def residual_share(self) -> float:
        """The unexplained share of the total."""
        return self.residual_s / self.total_s

    def ceiling(self, part: str, roof_share: float = 0.0) -> float:
        """Return the factor on the total when the recoverable part of one part goes. Infinite if it is everything.

        The roof share is achieved / attainable for a part that computes or moves bytes, 0 for one that waits.
        """
        return float(ceiling(self.share(part) * (1 - share("roof_share", roof_share))))

    def largest(self) -> str | None:
        """Return the part that exceeds all others and the residual together, or None where none does."""
        rest = self.residual_s + sum(self.parts_s.values())
        return next((name for name, seconds in self.parts_s.items() if seconds > rest - seconds), None)


def exceeds(used_share: ArrayLike, tolerance: float = 0.0) -> NDArray[np.bool_]:
    """Return whether parts take more of the whole than it has, beyond a tolerance: they overlap, or are no means.

    >>> [bool(exceeds(used, 0.02)) for used in (0.9, 1.02, 1.03)]
    [False, False, True]
    """
    return nonnegative("used_share", used_share) > 1.0 + float(nonnegative("tolerance", tolerance)) + _ROUNDING


def exceeds_of_one(used_share: float, tolerance: float) -> bool:
    """Return the same of one share, without what an array of one costs.

    >>> [exceeds_of_one(used, 0.02) for used in (0.9, 1.02, 1.03)]
    [False, False, True]
    """
    return used_share > 1.0 + tolerance + _ROUNDING


def residual_share(used_share: ArrayLike) -> Array:
    """Return the share of the whole that no part explains.

    >>> round(float(residual_share(0.95)), 2), float(residual_share(1.01))
    (0.05, 0.0)
    """
    residual: Array = np.maximum(1.0 - nonnegative("used_share", used_share), 0.0)
    return residual


def residual_of_one(used_share: float) -> float:
    """Return the same of one share, without what an array of one costs.

    >>> residual_of_one(0.75), residual_of_one(1.01)
    (0.25, 0.0)
    """
    return max(1.0 - used_share, 0.0)


def close_budget(total_s: float, parts_s: Mapping[str, float], tolerance: float = 0.0) -> Budget:
    """Return the budget with its residual. The parts must not overlap.

    A sum above the total by more than the tolerance (a share of the total) is an error; within it the parts are scaled
    down to the total, so that shares never exceed 1.

    >>> budget = close_budget(0.105, {"input": 0.040, "device": 0.060})
    >>> round(budget.share("input"), 3), round(budget.residual_share, 3), round(budget.ceiling("input"), 2)
    (0.381, 0.048, 1.62)
    """
    total = float(positive("total_s", total_s))
    parts = {name: float(nonnegative(name, seconds)) for name, seconds in parts_s.items()}
    used = sum(parts.values())
    if exceeds(used / total, tolerance):
        raise PhysicsError("parts_s", f"the parts take {used:g} s of a total of {total:g} s",
                           "parts that overlap, percentiles added, or times of several ranks summed?")  # fmt: skip
    scale = min(1.0, total / used) if used else 1.0
    scaled = {name: seconds * scale for name, seconds in parts.items()}
    residual = total * float(residual_share(sum(scaled.values()) / total))
    return Budget(total_s=total, parts_s=MappingProxyType(scaled), residual_s=residual)


def _intervals(name: str, starts_s: ArrayLike, ends_s: ArrayLike) -> tuple[Array, Array]:
    starts, ends = np.broadcast_arrays(real(f"{name} starts", starts_s), real(f"{name} ends", ends_s))
    starts, ends = starts.ravel(), ends.ravel()
    refuse(f"{name} ends", ends, np.isnan(starts) | np.isnan(ends), "an interval is unknown", "an event cut off?")
    refuse(f"{name} ends", ends, ends < starts, "{value} s lies before its start", "clocks of two machines mixed?")
    order = np.argsort(starts, kind="stable")
    return starts[order], ends[order]


def merged(starts_s: ArrayLike, ends_s: ArrayLike) -> tuple[Array, Array]:
    """Return the union of intervals as disjoint ones in order. Touching intervals become one.

    >>> starts, ends = merged([0, 1, 5], [2, 3, 6])
    >>> starts.tolist(), ends.tolist()
    ([0.0, 5.0], [3.0, 6.0])
    """
    starts, ends = _intervals("interval", starts_s, ends_s)
    if not starts.size:
        return starts, ends
    reach = np.maximum.accumulate(ends)
    first = np.concatenate(([True], starts[1:] > reach[:-1]))
    last = np.concatenate((first[1:], [True]))
    return starts[first], reach[last]


def union_s(starts_s: ArrayLike, ends_s: ArrayLike) -> float:
    """Return the seconds covered by at least one interval: busy time, however many things ran at once.

    >>> union_s([0, 1, 5], [2, 3, 6])
    4.0
    """
    starts, ends = merged(starts_s, ends_s)
    return float(np.sum(ends - starts))


def exposed_union_s(
    starts_s: ArrayLike, ends_s: ArrayLike, cover_starts_s: ArrayLike, cover_ends_s: ArrayLike
) -> float:
    """Return the seconds of the first intervals that no cover interval runs beside: communication not hidden.

    >>> exposed_union_s([0], [10], [2, 3], [4, 5])
    7.0
    """
    starts, ends = np.asarray(starts_s, dtype=np.float64).ravel(), np.asarray(ends_s, dtype=np.float64).ravel()
    covers = np.asarray(cover_starts_s, dtype=np.float64).ravel(), np.asarray(cover_ends_s, dtype=np.float64).ravel()
    both = union_s(np.concatenate((starts, covers[0])), np.concatenate((ends, covers[1])))
    return max(both - union_s(*covers), 0.0)
