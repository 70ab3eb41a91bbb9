r"""``nsys stats``: its tables as text or CSV, under the names of every version.

Tables are told by their columns and header units, not by title: kernels have ``Instances``, calls ``Num Calls`` or
``Calls``, copies an ``Operation`` in brackets. Times are ns, us, ms or s as the header says, old titles name the unit;
sizes are KiB in old tables, MB later. A share of kernel time is no share of the wall time: what is told are sums of
durations, which only support, and rates.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Time (%),Total Time (ns),Count,Avg (ns),Operation
... 100.0,2000000,2,1000000.0,[CUDA memcpy Host-to-Device]
...
... Total (MB),Count,Avg (MB),Operation
... 50.000,2,25.000,[CUDA memcpy Host-to-Device]'''
>>> reading = NsysStatsReader().read(Source.of_bytes("stats.csv", raw))
>>> [(found.measurement, round(found.value.lo)) for found in reading.observations]
[('h2d_bandwidth', 25000000000), ('copy_work_share', 1)]
"""

from __future__ import annotations

import csv
import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, grouped
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.lines import any_line
from dam_expert.readers.nsys.events import call_kind, step_name
from dam_expert.readers.pytorch_trace.events import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_HEADER = re.compile(
    r"^\"?(?:Time ?\(%\)|Total \((?:MB|KiB|KB|B)\)|Total(?: +|,)Operations)\"?[ ,].*\b(?:Name|Operation|Range)\"?\b"
)
_TITLE = re.compile(r"\((nanoseconds|microseconds|milliseconds|seconds|KiB|KB|MB|B|bytes)\)\s*$")
_RULE = re.compile(r"^[-\s]+$")
_NOISE = re.compile(
    r"^(?:Generating |Processing |Exporting |Using |Importing |Collecting |Saving |Writing |Generated|NOTICE|WARNING"
    r"|SKIPPED|\*\* |\[\d+/\d+\]|/|#|\$|Report|The application|Capturing|NVTX|No data)|Statistics|Summary"
)
_UNITS = {
    "ns": 1e-9, "us": 1e-6, "μs": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0,
    "nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0,
}  # fmt: skip
_SIZES = {"B": 1.0, "bytes": 1.0, "KB": 1e3, "KiB": 1024.0, "MB": 1e6, "GB": 1e9}
_WORDS = (
    "Time (%)|Time(%)|Total Time|Total|Num Calls|Calls|Instances|Operations|Count|Average|Avg|Median|Med|Minimum|Min"
    "|Maximum|Max|StdDev|Style|GridXYZ|BlockXYZ|Name|Operation|Range"
)
_COLUMN = re.compile(
    rf"(?P<name>{'|'.join(re.escape(word) for word in _WORDS.split('|'))})(?: \((?P<unit>[^)]*)\))?(?=\s|$)"
)
_COUNTS = ("Instances", "Num Calls", "Calls", "Operations", "Count")
_COPY = re.compile(r"^\[?CUDA mem(?P<what>cpy|set)\b ?(?P<way>.*?)\]?$")
_TO_DEVICE, _TO_HOST = re.compile(r"HtoD|Host-to-Device"), re.compile(r"DtoH|Device-to-Host")


@dataclasses.dataclass(frozen=True, slots=True)
class NsysStatsReader:
    """Reads the tables that ``nsys stats`` and ``nsys profile --stats=true`` print."""

    tool: str = "nsight_systems"
    title: str = "nsys stats"
    versions: str = "Nsight Systems 2019 to 2025: text and CSV, old and new report names"

    def recognises(self, source: Source) -> bool:
        """Whether a line of the head is the header of one of its tables."""
        return any_line(source, _HEADER)

    def read(self, source: Source) -> Reading:
        """Return rates and sums over the tables that are there."""
        tell, tables = Teller(file=source.shown, tool=self.tool), _Tables()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            tables.take(line, text)
        messages += tell.not_understood(tables.odd, tables.seen, first=tables.first_odd)
        found = tuple(_observations(tables.sums, tell, untimed=tables.untimed))
        if not found:
            text = "no table of kernels, copies or calls has rows"
            messages.append(
                tell.warn("no-samples", text, hint="run 'nsys stats --format csv FILE' on a report with CUDA")
            )
        return tell.reading(
            observations=found,
            messages=tuple(messages),
            lines_read=tables.seen,
            lines_not_understood=tables.odd,
        )


@dataclasses.dataclass(slots=True)
class _Sum:
    """Sums over rows of one kind: seconds, how many, bytes; the line of the first."""

    seconds: float = 0.0
    count: float = 0.0
    bytes: float = 0.0
    line: int | None = None
    longest: float = 0.0
    """The sum of the longest of each row."""
    rows: int = 0


@dataclasses.dataclass(slots=True)
class _Tables:
    """The state between lines: the columns in force, with their units, and the sums so far."""

    sums: dict[str, _Sum] = dataclasses.field(default_factory=dict)
    columns: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    by_comma: bool = False
    unit: str = ""
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None
    untimed: bool = False
    """Whether the time of some row is unknown: then no row's part of the whole is known."""
    _met: set[tuple[str, ...]] = dataclasses.field(default_factory=set)
    _again: bool = False

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        title = _TITLE.search(text)
        if _HEADER.match(text):
            self._header(text)
        elif title is not None and not text[0].isdecimal():
            self.unit, self.columns = title[1], []
        elif not _RULE.match(text) and not _NOISE.search(text) and self.columns and not self._row(line, text):
            self.odd += 1
            self.first_odd = self.first_odd or line

    def _header(self, text: str) -> None:
        self.by_comma = "," in text
        cells = [cell.strip() for cell in next(csv.reader([text]))] if self.by_comma else [text]
        found = [match for cell in cells for match in _COLUMN.finditer(cell)]
        self.columns = [(match["name"].replace("Time(%)", "Time (%)"), match["unit"] or self.unit) for match in found]
        key = tuple(" ".join(column) for column in self.columns)
        self._again = key in self._met and bool(self.sums)  # the same report once more, as text and as CSV
        self._met.add(key)

    def _row(self, line: int, text: str) -> bool:
        names = [name for name, _ in self.columns]
        cells = next(csv.reader([text])) if self.by_comma else text.split(None, len(names) - 1)
        if len(cells) != len(names):
            return False
        row = dict(zip(names, cells, strict=True))
        units = dict(self.columns)
        name = next((row[each].strip() for each in ("Name", "Operation", "Range") if each in row), "")
        count = next((grouped(row[each]) for each in _COUNTS if each in row), None)
        if count is None or count < 0:
            return False
        if "Total" in row and units["Total"] in _SIZES:
            total, size = grouped(row["Total"]), _SIZES[units["Total"]]
            return total is not None and total >= 0 and self._add(self._kind(row, name), line, moved=total * size)
        total = grouped(row.get("Total Time", ""))
        unit = _UNITS.get(units.get("Total Time", "") or "ns", 1e-9)
        if total is None or total < 0:
            self.untimed = True
            return False
        longest = next((grouped(row[each]) for each in ("Max", "Maximum") if each in row), None) or 0.0
        kind = self._kind(row, name)
        self._add(kind, line, seconds=total * unit, count=count)
        if kind in self.sums and not self._again:
            self.sums[kind].longest += longest * unit
            self.sums[kind].rows += 1
        return True

    def _kind(self, row: dict[str, str], name: str) -> str:
        """Return what a row is about, an empty word for what is not used."""
        copy = _COPY.match(name)
        if copy is not None:
            if copy["what"] == "set":
                return "memset"
            return "h2d" if _TO_DEVICE.search(copy["way"]) else "d2h" if _TO_HOST.search(copy["way"]) else "other copy"
        if "Instances" in row and "Range" not in row and "Style" not in row:
            return "collective" if kind_of("kernel", name) is Kind.COMMUNICATION else "kernel"
        if "Range" in row or "Style" in row:
            return "step" if step_name(name) else ""
        if ("Num Calls" in row or "Calls" in row) and re.match(r"(?:cuda|cu)[A-Z]", name):
            return "launch" if call_kind(name) is Kind.LAUNCH else ""
        return ""

    def _add(self, kind: str, line: int, *, seconds: float = 0.0, count: float = 0.0, moved: float = 0.0) -> bool:
        if kind and not self._again:
            found = self.sums.setdefault(kind, _Sum(line=line))
            found.seconds += seconds
            found.count += count
            found.bytes += moved
        return True


def _observations(sums: dict[str, _Sum], tell: Teller, *, untimed: bool) -> Iterator[Observation]:
    def say(measurement: str, value: float, of: _Sum, detail: str) -> Observation:
        return tell.observe(measurement, Interval.point(value), line=of.line, detail=detail)

    nothing = _Sum()
    kernels, collectives = sums.get("kernel", nothing), sums.get("collective", nothing)
    if kernels.count:
        detail = f"total time over {kernels.count:.0f} instances"
        yield say("kernel_duration_mean", kernels.seconds / kernels.count, kernels, detail)
    for kind, measurement in (("h2d", "h2d_bandwidth"), ("d2h", "d2h_bandwidth")):
        found = sums.get(kind, nothing)
        if found.bytes and found.seconds:
            yield say(measurement, found.bytes / found.seconds, found, "total size over total time")
    copies = [sums[kind] for kind in ("h2d", "d2h", "other copy") if kind in sums]
    moving = sum(each.seconds for each in copies)
    device = moving + kernels.seconds + collectives.seconds + sums.get("memset", nothing).seconds
    if moving and not untimed:
        detail = "copies over kernels, copies and memsets, sums of durations"
        yield say("copy_work_share", moving / device, copies[0], detail)
    if kernels.seconds + collectives.seconds:
        share = collectives.seconds / (kernels.seconds + collectives.seconds)
        of = collectives if collectives.line else kernels
        yield say("communication_work_share", share, of, "collectives over all kernels, sums of durations")
    launches = sums.get("launch", nothing)
    if launches.count > launches.rows:  # the first launch of each kind loads its module
        mean = max(launches.seconds - launches.longest, 0.0) / (launches.count - launches.rows)
        yield say("launch_duration_mean", mean, launches, "launch calls, mean without the longest of each row")
    steps = sums.get("step", nothing)
    if steps.count > 1 and steps.seconds:
        yield say("step_time", steps.seconds / steps.count, steps, f"ranges that mark steps, mean of {steps.count:.0f}")
