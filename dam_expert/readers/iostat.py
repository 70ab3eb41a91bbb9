r"""``iostat`` text: CPU and disk tables per interval, in every version's columns and every locale.

Columns are known by header, ``Device`` stands first or (with ``-h`` and ``--compact``) last, one report may come in
several tables, numbers may have decimal commas or (``-h``) suffixes, and ``-t`` adds lines with the time.

>>> from dam_expert.readers.source import Source
>>> head, row = "Device  r/s  rkB/s  r_await  aqu-sz  %util", "vda  {}  4096,0  0,50  1,2  {}"
>>> raw = "\n".join([head, row.format(10, 3), head, row.format(1024, 56)]).encode()
>>> reading = IostatReader().read(Source.of_bytes("iostat.txt", raw))
>>> {found.measurement: found.value.lo for found in reading.observations}["disk_utilization"]
0.56
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.iostat_report import COLUMNS, Report, Summary
from dam_expert.readers.lines import read_lines
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_BANNER = re.compile(r"^Linux \S+ \([^()]*\)[^()]*\((\d{1,6}) CPU\)")
_SUFFIXED = re.compile(r"^[\d.,]+([kMGTP])$")
_POWERS = {"k": 1024.0, "M": 1024.0**2, "G": 1024.0**3, "T": 1024.0**4, "P": 1024.0**5}
_TIME = re.compile(
    r"^\d{1,4}(?:[-./年]|년 )\d{1,2}(?:[-./月]|월 )\d{1,4}[日일]?"
    r"(?:[ T](?:[^\x00-\x7f]{1,4} )?\d{1,2}(?:[:.时時]|시 )\d\d(?:(?:[:.分]|분 )\d\d)?\S*(?: \S{1,12}){0,2})?$"
)


@dataclasses.dataclass(frozen=True, slots=True)
class IostatReader:
    """Reads the text of ``iostat``, extended (``-x``) or not."""

    tool: str = "iostat"
    title: str = "iostat text"
    versions: str = "sysstat 9 to 12.7, every locale"

    def recognises(self, source: Source) -> bool:
        """Whether the head has iostat's CPU header or a device table."""
        lines = source.head_lines
        return any(line.startswith("avg-cpu:") or _device_columns(line) for line in lines)

    def read(self, source: Source) -> Reading:
        """Return the means over all reports but the first, which is since boot."""
        return read_lines(source, self.tool, _Tables())


def _device_columns(text: str) -> list[str]:
    """Return the columns of a device table's header, lower case, nothing for any other line."""
    columns = [cell.lower().removesuffix(":") for cell in text.split()]
    known = any(column in COLUMNS or column in {"tps", "d/s", "f/s"} for column in columns)
    return columns if known and "device" in (columns[0], columns[-1]) else []


@dataclasses.dataclass(slots=True)
class _Tables:
    """The state between lines: the table and the report that rows belong to, and what the reports before said."""

    summary: Summary = dataclasses.field(default_factory=Summary)
    report: Report | None = None
    columns: list[str] = dataclasses.field(default_factory=list)
    reported: set[str] = dataclasses.field(default_factory=set)
    cores: int | None = None

    def take(self, line: int, text: str) -> bool:
        banner = _BANNER.match(text)
        if banner is not None:
            self.cores = int(banner[1])
            self._begin(line, since_boot=True)
        elif text.startswith("avg-cpu:"):
            self._header(["avg-cpu", *(cell.strip("%").lower() for cell in text.split()[1:])], line)
        elif columns := _device_columns(text):
            self._header(columns, line)
        else:
            return bool(_TIME.match(text)) or self._row(text)
        return True

    def observations(self, tell: Teller) -> Iterable[Observation]:
        return self.summary.observations(self.cores, tell)

    def complaints(self, tell: Teller) -> Iterable[Message]:
        self.end()
        return self.summary.complaints(tell)

    def _header(self, columns: list[str], line: int) -> None:
        """Take a header; a column that the report already has means that the next report begins."""
        self.columns = columns
        new = set(columns) - {"device"}
        if self.report is None or ((new & self.reported or "avg-cpu" in new) and self.reported):
            self._begin(line, since_boot=self.report is None)
        self.reported |= new

    def _begin(self, line: int, *, since_boot: bool) -> None:
        self.end()
        self.report = Report(since_boot=since_boot, line=line)
        self.reported = set()

    def end(self) -> None:
        """Take the report that is being read as complete."""
        if self.report is not None:
            self.summary.add(self.report)
        self.report = None

    def _row(self, text: str) -> bool:
        """Add one row to the current report, or return False."""
        cells = text.split()
        if not self.columns or self.report is None:
            return False
        if self.columns[0] == "avg-cpu":
            names, self.columns = self.columns[1:], []
            values = dict(zip(names, map(_number, cells), strict=False))
            self.report.cpu = {name: value for name, value in values.items() if value is not None}
            return len(cells) == len(names) and bool(self.report.cpu)
        if len(cells) != len(self.columns):
            return False
        row = dict(zip(self.columns, cells, strict=True))
        values = {column: _canonical(column, row[column]) for column in self.columns if column in COLUMNS}
        known = {COLUMNS[column][0]: value for column, value in values.items() if value is not None}
        if values and not known:
            return False
        self.report.disks.setdefault(row["device"], {}).update(known)
        return True


def _number(cell: str) -> float | None:
    return number(cell, decimal_comma=True)


def _canonical(column: str, cell: str) -> float | None:
    """Return a cell in the canonical unit; a size suffix of ``-h`` replaces the header's unit."""
    value, suffix = _number(cell), _SUFFIXED.match(cell)
    if value is None:
        return None
    return value * (_POWERS[suffix[1]] if suffix else COLUMNS[column][1])
