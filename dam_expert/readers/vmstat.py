r"""``vmstat``: run queue, swap, blocks and processors, one row per interval, columns by header in every language.

The first row covers the time since boot and is left out. ``si`` and ``so`` are KiB per second, ``bi`` and ``bo``
blocks of 1024 bytes per second.

>>> from dam_expert.readers.source import Source
>>> head = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----"
>>> names = " r  b   swpd   frei   buff  Cache   si   so    bi    bo   in   cs us sy id wa st"
>>> rows = [" 6  1  0 21 78 32 0 0 3 7 6 15 24 10 65 1 1", " 3  3  0 21 78 32 4 0 20 7 7 15443 74 24 0 0 3"]
>>> reading = VmstatReader().read(Source.of_bytes("vmstat.txt", "\n".join([head, names, *rows]).encode()))
>>> found = {each.measurement: each.value.lo for each in reading.observations}
>>> found["runnable_processes"], found["swap_rate"], found["cpu_utilization"]
(3.0, 4096.0, 1.0)
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_RULE = re.compile(r"^(?:-*procs-*|procs) -+")
_NAMES = re.compile(r"^r\s+b\s+\S.*\bsi\s+so\b.*\bid\s+wa\b")  # the memory columns have translated names
_WORD = r"-+[^\s-]\S*-+"
_GROUPS = re.compile(rf"^-*[^\s-]\S*\s+-{_WORD}(?:\s+{_WORD}){{4}}")
"""The rule above the columns in any language: processes, memory, swap, io, system and cpu."""

_TRANSLATED = (
    "r",
    "b",
    "swpd",
    "free",
    "buff",
    "cache",
    "si",
    "so",
    "bi",
    "bo",
    "in",
    "cs",
    "us",
    "sy",
    "id",
    "wa",
    "st",
)
"""What the columns are where even their short names are translated (Polish, Swedish, Korean, Romanian): their order has
not changed since there are 17 of them. With ``-a`` the third pair is another, which is not used."""

_TOTALS = re.compile(r"^\d{1,15} K total memory$")
_TOTAL_LINE = re.compile(r"^(\d{1,15}) K (total memory|used memory|used swap)$")
_KIB = 1024.0
_SCALED = {
    "r": ("runnable_processes", 1.0),
    "b": ("blocked_processes", 1.0),
    "bi": ("disk_read_rate", _KIB),
    "bo": ("disk_write_rate", _KIB),
    "cs": ("context_switch_rate", 1.0),
    "wa": ("cpu_iowait_share", 0.01),
    "st": ("cpu_steal_share", 0.01),
    "sy": ("cpu_system_share", 0.01),
}
_ORDER = (*(name for name, _ in _SCALED.values()), "cpu_utilization", "swap_rate")


@dataclasses.dataclass(frozen=True, slots=True)
class VmstatReader:
    """Reads ``vmstat`` with an interval (also ``-w``, ``-t``, ``-a``); of ``vmstat -s`` the memory totals."""

    tool: str = "vmstat"
    title: str = "vmstat"
    versions: str = "procps 3.3 and 4, every locale"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads the columns, or begins the totals of ``-s``."""
        return (
            any_line(source, _RULE)
            or any_line(source, _GROUPS)
            or any_line(source, _NAMES)
            or any_line(source, _TOTALS)
        )

    def read(self, source: Source) -> Reading:
        """Return the means over all rows but the first."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns in force, and whether the row since boot has passed."""

    series: Series = dataclasses.field(default_factory=Series)
    columns: list[str] = dataclasses.field(default_factory=list)
    totals: dict[str, float] = dataclasses.field(default_factory=dict)
    rows: int = 0
    ruled: bool = False
    """Whether the line before was the rule above the columns."""

    def take(self, line: int, text: str) -> bool:
        if not text[0].isdecimal():
            ruled, self.ruled = self.ruled, _GROUPS.match(text) is not None
            if _NAMES.match(text):
                self.columns = text.split()
            elif ruled and len(text.split()) >= len(_TRANSLATED):
                self.columns = list(_TRANSLATED)
            elif self.ruled:
                pass
            elif not _RULE.match(text) and self.columns:
                return False
            return True  # also prose before the table
        if total := None if self.columns else _TOTAL_LINE.match(text):
            self.totals[total[2]] = float(total[1]) * _KIB
            return True
        if not self.columns or self.totals:
            return True  # ticks and counts since boot
        cells = text.split()
        values = dict(zip(self.columns, map(number, cells), strict=False))
        if len(cells) < len(self.columns) or values.get("r") is None or values.get("id") is None:
            return False
        self.rows += 1
        if self.rows > 1:
            self._keep(values, line)
        return True

    def _keep(self, values: dict[str, float | None], line: int) -> None:
        for column, (measurement, factor) in _SCALED.items():
            value = values.get(column)
            self.series.add("", measurement, None if value is None else value * factor, line)
        idle, waiting = values["id"], values.get("wa") or 0.0
        if idle is not None:
            self.series.add("", "cpu_utilization", max(100.0 - idle - waiting, 0.0) / 100.0, line)
        swapped = [value for name in ("si", "so") if (value := values.get(name)) is not None]
        self.series.add("", "swap_rate", sum(swapped) * _KIB if len(swapped) == 2 else None, line)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for measurement in _ORDER:
            yield from self.series.said(tell, (), "", measurement, measurement)
        yield from said(tell, "host_memory_total", self.totals.get("total memory"), "vmstat -s")
        yield from said(tell, "swap_used", self.totals.get("used swap"), "vmstat -s")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        hint = "run 'vmstat 1 30' during the job"
        if self.totals:
            yield tell.note("since-boot-only", "its counts cover the time since boot and are not used", hint=hint)
        elif self.rows == 1:
            text = "the only row covers the time since boot and says nothing of the job"
            yield tell.warn("since-boot-only", text, hint=hint)
        elif not self.rows:
            yield tell.warn("no-samples", "no row in it", hint=hint)
