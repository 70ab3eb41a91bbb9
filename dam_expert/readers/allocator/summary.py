"""``torch.cuda.memory_summary()``: a table of what one allocator holds, held at its peak, and handed back.

Its units count in 1024 in every version, also where releases up to 1.12 write ``MB``.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.interface import Teller

_TITLE = re.compile(r"PyTorch (?:CUDA|HIP|XPU) memory summary(?:, device ID (\d{1,4}))?")
_COUNTS = re.compile(r"(CUDA OOMs|[a-z]+Malloc retries): (\d{1,15})")
_SIZE = re.compile(r"^(\d{1,15}) ?([KMGT]?)i?B$")
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_ROWS = {
    "Allocated memory": "allocated",
    "GPU reserved memory": "reserved",
    "Non-releasable memory": "non_releasable",
}


def is_title(text: str) -> bool:
    """Whether a line is the title of a summary."""
    return _TITLE.search(text) is not None


@dataclasses.dataclass(slots=True)
class _Summary:
    device: str
    line: int
    now: dict[str, float] = dataclasses.field(default_factory=dict)
    peak: dict[str, float] = dataclasses.field(default_factory=dict)
    counts: dict[str, float] = dataclasses.field(default_factory=dict)
    lines: dict[str, int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(slots=True)
class Summaries:
    """Collects the summaries in a text; of one device the last counts."""

    found: dict[str, _Summary] = dataclasses.field(default_factory=dict)
    odd: int = 0
    first_odd: int | None = None
    _columns: list[str] = dataclasses.field(default_factory=list)
    _current: _Summary | None = None

    def take(self, line: int, text: str) -> None:
        """Take one line; lines outside of a summary are passed over."""
        title = _TITLE.search(text)
        if title is not None:
            device = title[1] or "0"
            self._current = self.found[device] = _Summary(device=device, line=line)
        elif self._current is not None and text.startswith("|"):
            self._row(self._current, line, text)

    def _row(self, summary: _Summary, line: int, text: str) -> None:
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        for name, count in _COUNTS.findall(text):
            summary.counts["failures" if name == "CUDA OOMs" else "retries"] = float(count)
        if cells[0] == "Metric":
            self._columns = cells
        elif cells[0] in _ROWS:
            row = dict(zip(self._columns, map(_bytes, cells), strict=False))
            now, peak = row.get("Cur Usage"), row.get("Peak Usage")
            if now is None or peak is None or len(cells) != len(self._columns):
                self.odd += 1
                self.first_odd = self.first_odd or line
                return
            name = _ROWS[cells[0]]
            summary.now[name], summary.peak[name], summary.lines[name] = now, peak, line

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield peaks and counts per device, and what is reserved and idle now where one device is told of."""
        for summary in self.found.values():
            yield from _figures(summary, tell)
        if len(self.found) == 1:
            (summary,) = self.found.values()
            if {"allocated", "reserved"} <= summary.now.keys():
                idle = Interval.point(max(summary.now["reserved"] - summary.now["allocated"], 0.0))
                detail = "reserved minus allocated, current usage"
                yield tell.observe("memory_reserved_free", idle, line=summary.lines["reserved"], detail=detail)
            if summary.counts.get("failures"):
                state = "device_out_of_memory"
                yield tell.observe("allocation_state", state, line=summary.line, detail="the summary counts failures")


def _figures(summary: _Summary, tell: Teller) -> Iterator[Observation]:
    scope: Scope = (("device", summary.device),)
    for name, measurement in (("allocated", "memory_allocated"), ("reserved", "memory_reserved")):
        if name in summary.peak:
            point, line = Interval.point(summary.peak[name]), summary.lines[name]
            yield tell.observe(measurement, point, scope=scope, line=line, detail="peak usage")
    if "non_releasable" in summary.now:
        point, line = Interval.point(summary.now["non_releasable"]), summary.lines["non_releasable"]
        yield tell.observe("memory_non_releasable", point, scope=scope, line=line, detail="current usage")
    for name, measurement in (("retries", "allocator_retries"), ("failures", "allocation_failures")):
        if name in summary.counts:
            point = Interval.point(summary.counts[name])
            yield tell.observe(measurement, point, scope=scope, line=summary.line, detail="since the start")


def _bytes(cell: str) -> float | None:
    found = _SIZE.match(cell)
    value = number(found[1]) if found else None
    return None if found is None or value is None else value * 1024.0 ** _POWERS[found[2]]
