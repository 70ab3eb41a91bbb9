r"""CSV of a Grafana panel: a column of time and a column per series, values with the panel's units.

Series are known by metric name or by the words of their legend; a legend that says neither is left out and counted.
A share without a percent sign is read only where values above 1.5 show that it is percent. A percentile over the
whole time lies between the smallest and the largest of those shown.

>>> from dam_expert.readers.source import Source
>>> raw = b'"Time","Requests waiting","TTFT p99"\n2026-01-01 10:00:00,4,350 ms\n2026-01-01 10:00:15,6,1.05 s\n'
>>> reading = GrafanaReader().read(Source.of_bytes("panel.csv", raw))
>>> [(found.measurement, round(found.value.lo, 3), found.value.hi) for found in reading.observations[:-1]]
[('queue_depth', 5.0, 5.0), ('time_to_first_token_p99', 0.35, 1.05)]
"""

from __future__ import annotations

import csv
import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.monitoring.legends import OF_SERVERS, SENTINEL, SHARES, TIMES, amount, legend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_TIME = frozenset({"time", "timestamp", "date"})
_PERCENT = 1.5
_LINES = 20


@dataclasses.dataclass(slots=True)
class _Column:
    """The values of one series so far, with their unit and the line of the first."""

    measurement: str
    factor: float | None
    values: list[float] = dataclasses.field(default_factory=list)
    units: set[str] = dataclasses.field(default_factory=set)
    line: int | None = None

    def add(self, cell: str, line: int) -> bool:
        """Add a cell; empty ones and words for nothing say nothing."""
        found = amount(cell)
        if found is None:
            return cell.strip().lower() in {"", "null", "nan", "undefined", "n/a", "-", "no data"}
        if found[0] < SENTINEL:
            self.values.append(found[0])
            self.units.add(found[1])
            self.line = self.line or line
        return True

    def scale(self) -> float | None:
        """Return the factor to the canonical unit, None where nothing tells it."""
        if self.measurement in SHARES or (self.factor is not None and "%" in self.units):
            if self.units == {"%"}:
                return 0.01
            if self.factor is not None:
                return self.factor
            return 0.01 if max(self.values, default=0.0) > _PERCENT and self.units == {""} else None
        if self.measurement.startswith(TIMES):
            return 1.0 if self.units == {"s"} else None
        return self.factor if self.factor is not None else 1.0 if self.units <= {""} else None


@dataclasses.dataclass(frozen=True, slots=True)
class GrafanaReader:
    """Reads what *Inspect, Data, Download CSV* of a panel gives, series as columns."""

    tool: str = "monitoring_export"
    title: str = "Grafana CSV"
    versions: str = "Grafana 7 to 12"

    def recognises(self, source: Source) -> bool:
        """Whether a header names a time first and some known series."""
        return any(_header(line) for line in source.head_lines[:_LINES])

    def read(self, source: Source) -> Reading:
        """Return the mean of each known series over the time shown."""
        tell = Teller(file=source.shown, tool=self.tool)
        messages: list[Message] = []
        columns: list[_Column | None] = []
        seen = odd = 0
        first: int | None = None
        for line, text in each_line(source, tell, messages):
            header = _header(text)
            if header:
                columns = [_Column(*told) if (told := legend(name)) else None for name in header]
                continue
            if not columns:
                continue
            seen += 1
            cells = _cells(text)
            pairs = [(column, cell) for column, cell in zip(columns, cells[1:], strict=False) if column is not None]
            read = sum(column.add(cell, line) for column, cell in pairs)
            if len(cells) != len(columns) + 1 or read < len(pairs):
                odd, first = odd + 1, first or line
        messages += tell.not_understood(odd, seen, first=first)
        found = list(_observations([column for column in columns if column is not None], tell, messages))
        if any(each.measurement.startswith(OF_SERVERS) for each in found):
            found.append(tell.observe("workload_kind", "serving", detail="series of a model server"))
        unknown = columns.count(None)
        if unknown:
            text = f"{unknown} series are not known by metric name or legend and are left out"
            messages.append(tell.note("unknown-series", text, hint="name the metric in the legend"))
        if not found:
            messages.append(tell.warn("no-samples", "no known series has values", hint="export the panel's data again"))
        return tell.reading(
            observations=tuple(found),
            messages=tuple(messages),
            lines_read=seen,
            lines_not_understood=odd,
        )


def _cells(text: str) -> list[str]:
    separator = ";" if text.count(";") > text.count(",") else ","
    return next(csv.reader([text], delimiter=separator), [])


def _header(text: str) -> list[str]:
    """Return the names of the series of a header line, nothing for any other line."""
    if not text[:12].strip('" ').lower().startswith(tuple(_TIME)):
        return []
    cells = [cell.strip() for cell in _cells(text)]
    if len(cells) < 2 or cells[0].lower() not in _TIME:
        return []
    return cells[1:] if any(legend(cell) for cell in cells[1:]) else []


def _observations(columns: list[_Column], tell: Teller, messages: list[Message]) -> Iterator[Observation]:
    together: dict[str, list[_Column]] = {}
    for column in columns:
        if column.values:
            together.setdefault(column.measurement, []).append(column)
    for measurement, same in together.items():
        scales = [column.scale() for column in same]
        if None in scales:
            text = f"the values of '{measurement}' have no unit and are left out"
            messages.append(tell.warn("no-unit", text, hint="set the unit of the panel", line=same[0].line))
            continue
        pairs = [(column, scale) for column, scale in zip(same, scales, strict=True) if scale is not None]
        for number, (column, scale) in enumerate(pairs):
            scope = ((("device" if "accelerator" in measurement else "process"), str(number)),) if len(same) > 1 else ()
            values = [value * scale for value in column.values]
            if measurement[-3:-2] == "p" and measurement[-2:].isdigit():
                value, detail = Interval(min(values), max(values)), f"between all {len(values)} samples"
            else:
                value, detail = Interval.point(sum(values) / len(values)), f"mean of {len(values)} samples"
            yield tell.observe(measurement, value, scope=scope, line=column.line, detail=detail)
