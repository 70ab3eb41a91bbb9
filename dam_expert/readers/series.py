"""Samples of one quantity over time, per device or disk, and what is said of them."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.documents.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.interface import Teller

ROUNDING = 0.02
"""Shares that tools print may exceed a whole by this much: clock and counters are not read at the same time."""


@dataclasses.dataclass(slots=True)
class Series:
    """Values by (owner, quantity) with the line of the first; None is unknown and not kept.

    >>> series = Series()
    >>> series.add("0", "power", 100.0, line=3)
    >>> series.add("0", "power", None, line=4)
    >>> series.values("0", "power").tolist(), series.mean("0", "memory")
    ([100.0], None)
    """

    _values: dict[tuple[str, str], list[float]] = dataclasses.field(default_factory=dict)
    _lines: dict[tuple[str, str], int] = dataclasses.field(default_factory=dict)

    def add(self, owner: str, quantity: str, value: float | None, line: int | None = None) -> None:
        """Add one sample."""
        if value is None:
            return
        key = (owner, quantity)
        self._values.setdefault(key, []).append(value)
        if line is not None:
            self._lines.setdefault(key, line)

    def values(self, owner: str, quantity: str) -> np.ndarray:
        """Return the known samples, none for a quantity that is not there."""
        return np.array(self._values.get((owner, quantity), []))

    def pairs(self) -> list[tuple[str, str]]:
        """Return each (owner, quantity) that has samples, in order of the first."""
        return list(self._values)

    def line(self, owner: str, quantity: str) -> int | None:
        """Return the line of the first sample."""
        return self._lines.get((owner, quantity))

    def mean(self, owner: str, quantity: str) -> float | None:
        """Return the mean of the known samples, None without any."""
        values = self.values(owner, quantity)
        return float(values.mean()) if len(values) else None

    def said(
        self, tell: Teller, scope: Scope, owner: str, measurement: str, quantity: str, *, percentiles: bool = False
    ) -> Iterator[Observation]:
        """Yield the mean as the measurement, and on request the 10th and 90th percentile under their own ids."""
        values = self.values(owner, quantity)
        if not len(values):
            return
        line = self.line(owner, quantity)
        detail = f"mean of {len(values)} samples" if len(values) > 1 else "one sample"
        yield checked(tell, measurement, float(values.mean()), scope, line, detail)
        if percentiles and len(values) > 1:
            for suffix, part in (("p10", 10), ("p90", 90)):
                told = f"{part}th percentile of {len(values)} samples"
                yield checked(tell, f"{measurement}_{suffix}", float(np.percentile(values, part)), scope, line, told)


def checked(tell: Teller, measurement: str, value: float, scope: Scope, line: int | None, detail: str) -> Observation:
    """Return the observation; a share beyond a whole by more than rounding is no value but a complaint."""
    share = measurement.endswith("_share") or "utilization" in measurement
    if not math.isfinite(value) or (share and not -ROUNDING <= value <= 1.0 + ROUNDING):
        return tell.reject(measurement, f"{value:g}", scope=scope, line=line, detail=detail)
    kept = min(max(value, 0.0), 1.0) if share else value
    return tell.observe(measurement, Interval.point(kept), scope=scope, line=line, detail=detail)
