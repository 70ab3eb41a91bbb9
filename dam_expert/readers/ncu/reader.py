r"""``ncu``: what it prints, ``--csv --page details`` (a row per metric) and ``--csv --page raw`` (a row per kernel).

>>> from dam_expert.readers.source import Source
>>> raw = b'''==PROF== Disconnected from process 1
... "ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name"
... "0","f(a, b)","GPU Speed Of Light Throughput","Duration","ns","21,058,944",""
... "0","f(a, b)","GPU Speed Of Light Throughput","DRAM Throughput","%","61.84",""
... "0","f(a, b)","SpeedOfLight","","","","SOLBottleneck"'''
>>> reading = NcuReader().read(Source.of_bytes("ncu.csv", raw))
>>> [(found.measurement, round(found.value.lo, 4)) for found in reading.observations]
[('memory_throughput_share', 0.6184), ('kernels_profiled', 1.0)]
"""

from __future__ import annotations

import csv
import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.ncu.kernels import KERNELS, NAMES, Kernel, observations

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.readers.source import Source

_DETAILS = ("Kernel Name", "Metric Name", "Metric Value")
_TEXT = re.compile(r"(?m)^[^\w\n]*Section: [A-Z].*$")
_TABLE = re.compile(
    r"(?m)^[^\w\n]*(?:Metric Name[ \t]+Metric Unit[ \t]+Metric Value|"
    r"(?:SOL SM|Duration)[ \t]+\S+[ \t]+[\d.,]+[ \t\r]*$)"
)
_KERNEL = re.compile(r", Context \d+, Stream \d+")
_CUT = re.compile(r" {2,}")
_HINT = (
    "run 'ncu --section SpeedOfLight --section LaunchStats --section Occupancy --csv --page details python train.py'"
)


@dataclasses.dataclass(frozen=True, slots=True)
class NcuReader:
    """Reads Nsight Compute's text and both forms of its CSV."""

    tool: str = "nsight_compute"
    title: str = "Nsight Compute text or CSV"
    versions: str = "Nsight Compute 2019 to 2026: text, CSV pages details and raw"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the CSV's header, or sections with tables of metrics."""
        if any(_columns(line) for line in source.head_lines if "Kernel Name" in line):
            return True
        return _TEXT.search(source.head_text) is not None and _TABLE.search(source.head_text) is not None

    def read(self, source: Source) -> Reading:
        """Return throughputs of compute and memory over the kernels measured."""
        tell, rows = Teller(file=source.shown, tool=self.tool), _Rows()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            rows.take(line, text)
        messages += tell.not_understood(rows.odd, rows.seen, first=rows.first_odd)
        found = tuple(observations(list(rows.kernels.values()), tell))
        if not found:
            text = "no kernel in it has a metric of throughput, occupancy or waves"
            messages.append(tell.warn("no-samples", text, hint=_HINT))
        return tell.reading(
            observations=found,
            messages=tuple(messages),
            lines_read=rows.seen,
            lines_not_understood=rows.odd,
        )


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([text]), [])]


def _columns(text: str) -> list[str]:
    """Return the columns of a CSV header of either page, nothing for any other line."""
    cells = _cells(text)
    if "Kernel Name" not in cells:
        return []
    details = all(name in cells for name in _DETAILS)
    return cells if details or any(re.match(r"[a-z0-9]+__\w", cell) for cell in cells) else []


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns in force, their units on the raw page, and the kernels so far."""

    kernels: dict[str, Kernel] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)
    units: list[str] | None = None
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None
    _begun: int = 0

    def take(self, line: int, text: str) -> None:
        if "Kernel Name" in text and (columns := _columns(text)):
            self.columns, self.units = columns, None
            self._begun += 1  # ids start again with every run
            return
        if text.startswith("==") or (self.columns and not text.startswith(('"', "0", *"123456789"))):
            return  # the tool's own words, or a rule's advice that goes on
        self.seen += 1
        understood = self._csv(line, text) if self.columns else self._printed(line, text)
        if not understood:
            self.odd += 1
            self.first_odd = self.first_odd or line

    def _kernel(self, key: str, line: int) -> Kernel:
        if key not in self.kernels and len(self.kernels) >= KERNELS:
            return Kernel(line)
        return self.kernels.setdefault(key, Kernel(line))

    def _csv(self, line: int, text: str) -> bool:
        cells = _cells(text)
        if "Metric Name" in self.columns:
            row = dict(zip(self.columns, cells, strict=False))
            if not row.get("Metric Name"):
                return True  # a rule
            if "Metric Value" not in row:
                return False
            kernel = self._kernel(f"{self._begun}.{row.get('ID', '')}", line)
            return kernel.take(row["Metric Name"], row.get("Metric Unit", ""), row["Metric Value"])
        if len(cells) != len(self.columns):
            return False
        if self.units is None:
            at = self.columns.index("ID") if "ID" in self.columns else 0
            self.units = cells if not cells[at] else [""] * len(cells)
            if not cells[at]:
                return True
        kernel = self._kernel(f"{self._begun}.{line}", line)
        told = [kernel.take(*each) for each in zip(self.columns, self.units, cells, strict=True)]
        return any(told) and bool(kernel.values)

    def _printed(self, line: int, text: str) -> bool:
        if _KERNEL.search(text):
            self._kernel(str(len(self.kernels)), line)
            return True
        name, *rest = _CUT.split(text)
        if name in NAMES and rest:
            unit, value = (rest[0], rest[-1]) if len(rest) > 1 else ("", rest[0])
            return self._kernel(str(max(len(self.kernels) - 1, 0)), line).take(name, unit, value)
        return True
