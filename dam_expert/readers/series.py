"""Samples of one quantity over time, per device or disk, and what is said of them."""

from __future__ import annotations

import array
import dataclasses
import math
import random
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.documents.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.interface import Teller

ROUNDING = 0.02
"""Shares that tools print may exceed a whole by this much: clock and counters are not read at the same time."""


KEPT = 8192
"""Samples of one quantity that are kept for percentiles. Of more, a fair choice is: the error of a percentile is then
about 1 / sqrt(KEPT), one part in ninety of the ranks. Means are exact however many there are."""


class _Course:
    """Count, sum, largest and a bounded choice of the samples of one quantity.

    The choice is Li's algorithm L (ACM TOMS 20, 1994): it draws how many samples to pass over, so that most cost
    nothing. The seed is fixed, and the same input gives the same output.
    """

    __slots__ = ("_next", "_random", "_weight", "count", "kept", "largest", "line", "total")

    def __init__(self, line: int | None) -> None:
        self.count, self.total, self.largest, self.line = 0, 0.0, -math.inf, line
        self.kept = array.array("d")
        self._next, self._weight = 1, 1.0
        self._random: random.Random | None = None

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        if value > self.largest:
            self.largest = value
        if self.count == self._next:
            self._keep(value)

    def _keep(self, value: float) -> None:
        self._next += 1
        if self.count <= KEPT:
            self.kept.append(value)
        if self.count < KEPT:
            return
        if self._random is None:
            self._random = random.Random(KEPT)
        else:
            self.kept[self._random.randrange(KEPT)] = value
        self._weight *= math.exp(math.log(1.0 - self._random.random()) / KEPT)
        self._next += int(math.log(1.0 - self._random.random()) / math.log1p(-self._weight))


@dataclasses.dataclass(slots=True)
class Series:
    """Values by (owner, quantity) with the line of the first; None is unknown and not kept.

    >>> series = Series()
    >>> series.add("0", "power", 100.0, line=3)
    >>> series.add("0", "power", None, line=4)
    >>> series.count("0", "power"), series.mean("0", "power"), series.mean("0", "memory")
    (1, 100.0, None)
    """

    _courses: dict[tuple[str, str], _Course] = dataclasses.field(default_factory=dict)

    def add(self, owner: str, quantity: str, value: float | None, line: int | None = None) -> None:
        """Add one sample. A negative one of what cannot be is a tool's way to say that there is none: unknown."""
        if value is None or (value < 0.0 and "temperature" not in quantity):
            return
        course = self._courses.get((owner, quantity))
        if course is None:
            course = self._courses[owner, quantity] = _Course(line)
        course.add(value)

    def count(self, owner: str, quantity: str) -> int:
        """Return how many samples are known."""
        course = self._courses.get((owner, quantity))
        return 0 if course is None else course.count

    def total(self, owner: str, quantity: str) -> float:
        """Return the sum of the known samples, 0 without any."""
        course = self._courses.get((owner, quantity))
        return 0.0 if course is None else course.total

    def largest(self, owner: str, quantity: str) -> float | None:
        """Return the largest of the known samples, None without any."""
        course = self._courses.get((owner, quantity))
        return None if course is None else course.largest

    def pairs(self) -> list[tuple[str, str]]:
        """Return each (owner, quantity) that has samples, in order of the first."""
        return list(self._courses)

    def line(self, owner: str, quantity: str) -> int | None:
        """Return the line of the first sample."""
        course = self._courses.get((owner, quantity))
        return None if course is None else course.line

    def mean(self, owner: str, quantity: str) -> float | None:
        """Return the mean of the known samples, None without any."""
        course = self._courses.get((owner, quantity))
        return None if course is None else course.total / course.count

    def said(
        self, tell: Teller, scope: Scope, owner: str, measurement: str, quantity: str, *, percentiles: bool = False
    ) -> Iterator[Observation]:
        """Yield the mean as the measurement, and on request the 10th and 90th percentile under their own ids."""
        course = self._courses.get((owner, quantity))
        if course is None:
            return
        line, count = course.line, course.count
        detail = f"mean of {count} samples" if count > 1 else "one sample"
        yield checked(tell, measurement, course.total / count, scope, line, detail, samples=count)
        if percentiles and count > 1:
            for suffix, part in (("p10", 10), ("p90", 90)):
                told = f"{part}th percentile of {count} samples"
                found = float(np.percentile(course.kept, part))
                yield checked(tell, f"{measurement}_{suffix}", found, scope, line, told, samples=count)


def checked(
    tell: Teller,
    measurement: str,
    value: float,
    scope: Scope,
    line: int | None,
    detail: str,
    *,
    samples: int | None = None,
) -> Observation:
    """Return the observation; a share beyond a whole by more than rounding is no value but a complaint."""
    share = measurement.endswith("_share") or "utilization" in measurement
    if not math.isfinite(value) or (share and not -ROUNDING <= value <= 1.0 + ROUNDING):
        return tell.reject(measurement, f"{value:g}", scope=scope, line=line, detail=detail)
    kept = min(max(value, 0.0), 1.0) if share else value
    return tell.observe(measurement, Interval.point(kept), scope=scope, line=line, detail=detail, samples=samples)
