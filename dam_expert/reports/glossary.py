"""What a report needs to know of the base: how measurements are called and how their values are written.

The diagnosis document holds ids and canonical numbers; titles, units and kinds are knowledge. Without a glossary
ids and plain numbers are shown, so that a stored diagnosis can be read without the base that made it.

>>> Glossary(quantities={"input_gap_share": ("1", Kind.SHARE)}).value("input_gap_share", 0.457)
'45.7 %'
>>> Glossary().value("input_gap_share", (0.1, None))
'≥ 0.1'
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

from dam_expert.documents.diagnosis import Extent
from dam_expert.documents.formatting import format_value
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind

UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    """Titles by measurement id, and the unit and kind of each; ids that are missing are shown as they are."""

    titles: Mapping[str, str] = dataclasses.field(default_factory=dict)
    quantities: Mapping[str, tuple[str, Kind]] = dataclasses.field(default_factory=dict)

    def title(self, measurement: str) -> str:
        """Return what a measurement is called."""
        return self.titles.get(self._known(measurement), measurement)

    def value(self, measurement: str, value: Extent | str) -> str:
        """Write a value of a measurement with its unit; ``unknown`` for none."""
        if isinstance(value, str):
            return value
        unit, kind = self.quantities.get(self._known(measurement), ("1", Kind.LEVEL))
        if measurement.endswith(".spread"):
            unit, kind = "1", Kind.RATIO
        return written(value, unit, kind)

    def _known(self, column: str) -> str:
        """Return the measurement of a column; the dot in a runbook's id does not begin an aspect."""
        known = self.quantities.keys() | self.titles.keys()
        names = (column, column.partition("[")[0], column.partition("[")[0].rpartition(".")[0])
        return next((name for name in names if name in known), _bare(column))


def _bare(column: str) -> str:
    """Return the measurement a scope column belongs to: ``step_time.max`` and ``x[stage=decode]`` name ``x``."""
    return column.partition("[")[0].partition(".")[0]


def written(value: Extent, unit: str, kind: Kind) -> str:
    """Write a number of the document with a unit; ``unknown`` for null.

    >>> written((0.25, 0.5), "1", Kind.SHARE), written(None, "s", Kind.DURATION)
    ('25–50 %', 'unknown')
    """
    interval = as_interval(value)
    return UNKNOWN if interval is None else format_value(interval, unit=unit, kind=kind).strip()


def as_interval(value: Extent) -> Interval | None:
    """Read a number of the document back: null ends are open, null is None."""
    if value is None:
        return None
    if isinstance(value, int | float):
        return Interval.point(value)
    low, high = value
    return Interval(-math.inf if low is None else low, math.inf if high is None else high)


def share(value: Extent) -> str:
    """Write a share of the total in percent."""
    return written(value, "1", Kind.SHARE)


def factor(value: Extent) -> str:
    """Write a gain as a factor: 1.8× is 1.8 times faster."""
    return written(value, "1", Kind.RATIO)


def duration(value: Extent) -> str:
    """Write a time."""
    return written(value, "s", Kind.DURATION)
