r"""``step_trace_time.csv`` of the Ascend profiler: how each step divides into computing, communication and free time.

Times are in µs. Computing, the communication that nothing hides and the free time make up the step.

>>> from dam_expert.readers.source import Source
>>> header = "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble"
>>> raw = f"{header}\n0,1,80000,10000,5000,15000,910000,1000000,0\n0,2,80000,10000,5000,15000,910000,1000000,0"
>>> reading = AscendStepsReader().read(Source.of_bytes("step_trace_time.csv", raw.encode()))
>>> {found.measurement: found.value.lo for found in reading.observations}["device_free_share"]
0.91
"""

from __future__ import annotations

import csv
import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import checked
from dam_expert.readers.text import clean, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_EXPOSED = "communication(not overlapped)"
_PARTS = {
    "computing": "kernel_share",
    _EXPOSED: "communication_exposed_share",
    "communication": "communication_share",
    "free": "device_free_share",
}
_WHOLE = ("computing", _EXPOSED, "free")
_MICRO = 1e-6


@dataclasses.dataclass(frozen=True, slots=True)
class AscendStepsReader:
    """Reads the step table; steps of one device are averaged without the first."""

    tool: str = "ascend_profiler"
    title: str = "Ascend step_trace_time.csv"
    versions: str = "Ascend PyTorch Profiler: step_trace_time.csv"

    def recognises(self, source: Source) -> bool:
        """Whether a line is the table's header."""
        return any(_header(clean(line)) for line in source.head.split("\n", 20))

    def read(self, source: Source) -> Reading:
        """Return step time and shares per device."""
        return read_lines(source, self.tool, _Steps())


def _header(text: str) -> list[str]:
    """Return the columns of a header line, lower case, nothing for any other line."""
    columns = [cell.strip().lower() for cell in text.split(",")]
    return columns if set(_WHOLE) <= set(columns) else []


@dataclasses.dataclass(slots=True)
class _Steps:
    """Rows by owner, in order: the parts in seconds and the line."""

    rows: dict[str, list[tuple[int, dict[str, float]]]] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)

    def take(self, line: int, text: str) -> bool:
        header = _header(text)
        if header:
            self.columns = header
            return True
        cells = next(csv.reader([text]), [])
        row = dict(zip(self.columns, cells, strict=False))
        parts = {name: value * _MICRO for name in _PARTS if (value := number(row.get(name, ""))) is not None}
        if len(cells) != len(self.columns) or not set(_WHOLE) <= parts.keys() or min(parts.values()) < 0:
            return False
        if row.get("type", "rank").lower() == "rank" or "index" not in row:
            owner = row.get("device_id", row.get("index", "")).strip()[:20]
            self.rows.setdefault(owner, []).append((line, parts))
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for owner, rows in self.rows.items():
            yield from _steps_of(rows, (("rank", owner),) if len(self.rows) > 1 else (), tell)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.rows:
            yield tell.warn("no-steps", "the table has a header and no step", hint="profile several steps")


def _steps_of(rows: list[tuple[int, dict[str, float]]], scope: Scope, tell: Teller) -> Iterator[Observation]:
    """Yield what the steps of one device say."""
    warm = rows[1:] or rows
    line = warm[0][0]
    sums = {name: sum(parts.get(name, 0.0) for _, parts in warm) for name in _PARTS}
    whole = sum(sums[name] for name in _WHOLE)
    if whole <= 0:
        return
    detail = f"{len(warm)} steps" + (", the first left out as warm-up" if len(rows) > 1 else "")
    time, count = Interval.point(whole / len(warm)), Interval.point(len(warm))
    yield tell.observe("step_time", time, scope=scope, line=line, detail=f"mean of {detail}")
    yield tell.observe("steps_captured", count, scope=scope, line=line, detail=detail)
    for name, measurement in _PARTS.items():
        if name in warm[0][1]:
            yield checked(tell, measurement, sums[name] / whole, scope, line, f"{name} over the step, {detail}")
        if measurement == "communication_exposed_share" and name in warm[0][1]:
            taken = [(parts.get(name, 0.0), sum(parts.get(each, 0.0) for each in _WHOLE)) for _, parts in warm]
            worst, length = max(taken)  # what comes in one step may never come again
            left = (sums[name] - worst) / (whole - length) if whole > length else 0.0
            yield checked(
                tell,
                f"{measurement.removesuffix('_share')}_recurring_share",
                left,
                scope,
                line,
                "without the worst step",
            )
