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
from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.series import checked
from dam_expert.readers.text import clean, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
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
        tell, steps = Teller(file=source.shown, tool=self.tool), _Steps()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            steps.take(line, text)
        messages += tell.not_understood(steps.odd, steps.seen, first=steps.first_odd)
        if not steps.rows:
            messages.append(tell.warn("no-steps", "the table has a header and no step", hint="profile several steps"))
        return Reading(
            tool=self.tool,
            observations=tuple(_observations(steps, tell)),
            messages=tuple(messages),
            lines_read=steps.seen,
            lines_not_understood=steps.odd,
        )


def _header(text: str) -> list[str]:
    """Return the columns of a header line, lower case, nothing for any other line."""
    columns = [cell.strip().lower() for cell in text.split(",")]
    return columns if set(_WHOLE) <= set(columns) else []


@dataclasses.dataclass(slots=True)
class _Steps:
    """Rows by owner, in order: the parts in seconds and the line."""

    rows: dict[str, list[tuple[int, dict[str, float]]]] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        header = _header(text)
        if header:
            self.columns = header
            return
        cells = next(csv.reader([text]), [])
        row = dict(zip(self.columns, cells, strict=False))
        parts = {name: value * _MICRO for name in _PARTS if (value := number(row.get(name, ""))) is not None}
        if len(cells) != len(self.columns) or not set(_WHOLE) <= parts.keys() or min(parts.values()) < 0:
            self.odd += 1
            self.first_odd = self.first_odd or line
            return
        if row.get("type", "rank").lower() == "rank" or "index" not in row:
            owner = row.get("device_id", row.get("index", "")).strip()[:20]
            self.rows.setdefault(owner, []).append((line, parts))


def _observations(steps: _Steps, tell: Teller) -> Iterator[Observation]:
    for owner, rows in steps.rows.items():
        warm = rows[1:] or rows
        line = warm[0][0]
        sums = {name: sum(parts.get(name, 0.0) for _, parts in warm) for name in _PARTS}
        whole = sum(sums[name] for name in _WHOLE)
        if whole <= 0:
            continue
        scope = (("rank", owner),) if len(steps.rows) > 1 else ()
        detail = f"{len(warm)} steps" + (", the first left out as warm-up" if len(rows) > 1 else "")
        time, count = Interval.point(whole / len(warm)), Interval.point(len(warm))
        yield tell.observe("step_time", time, scope=scope, line=line, detail=f"mean of {detail}")
        yield tell.observe("steps_captured", count, scope=scope, line=line, detail=detail)
        for name, measurement in _PARTS.items():
            if name in warm[0][1]:
                yield checked(tell, measurement, sums[name] / whole, scope, line, f"{name} over the step, {detail}")
