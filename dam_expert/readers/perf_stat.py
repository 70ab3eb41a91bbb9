r"""``perf stat``: counters of a program as text, CSV (``-x``) or JSON lines (``-j``), once or in intervals (``-I``).

A counter that the processor or a virtual machine lacks is ``<not supported>``, which is unknown. Counts are whole
numbers, so that every separator in them divides thousands; a time or a metric has a fixed number of decimals, so that
its last separator is the decimal one in every locale.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Performance counter stats for process id '1':
...      1.299,43 msec task-clock      #    1,291 CPUs utilized
...    24,000,000,000      cycles
...    12,000,000,000      instructions
...   <not supported>      LLC-loads
...        1,006774366 seconds time elapsed'''
>>> reading = PerfStatReader().read(Source.of_bytes("p.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('process_cpu_cores', 1.291), ('instructions_per_cycle', 0.5)]
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import known
from dam_expert.readers.lines import any_line, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_TITLE = re.compile(r"^Performance counter stats for ")
_INTERVALS = re.compile(r"^#\s+time\s+counts\s+unit\s+events")
_VALUE = r"(?P<value><not \w+>|[\d.,]{1,30})"
_TEXT = re.compile(
    rf"^(?:(?P<time>\d{{1,9}}[.,]\d{{9}})\s+)?{_VALUE}\s+(?:(?P<unit>msec|ns)\s+)?(?P<event>[A-Za-z][\w.:/-]{{2,60}})"
    r"(?:\s+#\s+(?P<metric>[\d.,]{1,20})%?\s+(?P<name>\S.*?))?(?:\s+\(.*\))?\s*$"
)
_EVENTS = {
    "task-clock": "task",
    "cycles": "cycles",
    "cpu-cycles": "cycles",
    "instructions": "instructions",
    "LLC-loads": "llc",
    "LLC-load-misses": "llc_misses",
    "cache-references": "llc",
    "cache-misses": "llc_misses",
}
_JSON = re.compile(r'^\{.*"counter-value"\s*:.*"event"\s*:')
_CSV = re.compile(
    r"^(?:\s*\d{1,9}\.\d{9}(?P<first>[,;|\t]))?(?:<not \w+>|[\d.,]{1,30})(?P<sep>[,;|\t])(?:msec|ns)?(?P=sep)"
    r"(?:task-clock|cpu-clock|context-switches|cycles|cpu-cycles|instructions|page-faults|LLC-loads|cache-references)\b"
)
_CSV_ROW = re.compile(
    r"^(?:\s*\d{1,9}\.\d{9}(?P<first>[,;|\t]))?(?:<not \w+>|[\d.,]{1,30})(?P<sep>[,;|\t])(?:msec|ns)?(?P=sep)[A-Za-z]"
)
_CORES = "CPUs utilized"


@dataclasses.dataclass(frozen=True, slots=True)
class PerfStatReader:
    """Reads counters of ``perf stat`` in every form."""

    tool: str = "perf"
    title: str = "perf stat"
    versions: str = "linux-perf 4 to 6: perf stat as text, -x, -j, -I"

    def recognises(self, source: Source) -> bool:
        """Whether a line is the title, or a row of one of the forms."""
        return any(any_line(source, pattern) for pattern in (_TITLE, _INTERVALS, _JSON, _CSV))

    def read(self, source: Source) -> Reading:
        """Return cores in use, instructions per cycle and the misses of the last cache."""
        return read_lines(source, self.tool, _Counters())


@dataclasses.dataclass(slots=True)
class _Counters:
    """Sums of the known events, and the cores in use where the tool computes them."""

    sums: dict[str, float] = dataclasses.field(default_factory=dict)
    lines: dict[str, int] = dataclasses.field(default_factory=dict)
    cores: float | None = None
    until: float | None = None
    unsupported: int = 0
    rows: int = 0

    def take(self, line: int, text: str) -> bool:
        if text.startswith("{"):
            return self._json(line, text)
        if separated := _CSV_ROW.match(text):
            self._cells(line, text.split(separated["sep"]), timed=separated["first"] is not None)
        elif row := _TEXT.match(text):
            if row["time"]:
                self.until = _decimal(row["time"])
            self._row(line, row["event"], row["value"], row["metric"], row["name"] or "")
        return True  # what else stands there are other events, notes and the program's own output

    def _json(self, line: int, text: str) -> bool:
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            return False
        if not isinstance(row, dict) or "event" not in row:
            return False
        if (time := known(row.get("interval"))) is not None:
            self.until = time
        value, metric = str(row.get("counter-value", ""))[:40], str(row.get("metric-value", ""))[:40]
        whole = value.partition(".")[0] if str(row.get("unit", "")) != "msec" else value
        self._row(line, str(row["event"]), whole, metric, str(row.get("metric-unit", "")))
        return True

    def _cells(self, line: int, cells: list[str], *, timed: bool) -> None:
        if timed:
            self.until, cells = _decimal(cells[0]), cells[1:]
        at = next((place for place, cell in enumerate(cells[:4]) if _event(cell)), 2)
        if at + 4 < len(cells):
            self._row(line, cells[at], cells[at - 2], cells[at + 3], cells[at + 4])
        elif at < len(cells):
            self._row(line, cells[at], cells[at - 2], None, "")

    def _row(self, line: int, event: str, value: str, metric: str | None, name: str) -> None:
        self.rows += 1
        self.unsupported += value.startswith("<not ")
        kind = _event(event)
        count = _decimal(value) if kind == "task" else known(re.sub(r"[.,]", "", value))
        if not kind or count is None or not value[:1].isdecimal():  # ",000" is the end of a number
            return
        self.sums[kind] = self.sums.get(kind, 0.0) + count
        self.lines.setdefault(kind, line)
        if kind == "task" and name.startswith(_CORES):
            self.cores = _decimal(metric or "")

    def observations(self, tell: Teller) -> Iterator[Observation]:
        cores, detail = self.cores, "CPUs utilized"
        if self.until and "task" in self.sums:
            cores, detail = self.sums["task"] / 1000.0 / self.until, "task-clock over the time of all intervals"
        yield from said(tell, "process_cpu_cores", cores, detail, line=self.lines.get("task"))
        for measurement, part, whole in (
            ("instructions_per_cycle", "instructions", "cycles"),
            ("last_cache_miss_share", "llc_misses", "llc"),
        ):
            if part in self.sums and self.sums.get(whole):
                value = self.sums[part] / self.sums[whole]
                if measurement.endswith("_share") and value > 1.0:
                    continue  # the two events were not counted at the same time
                yield from said(tell, measurement, value, f"{part} over {whole}", line=self.lines[part])

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.unsupported and not {"cycles", "instructions"} <= self.sums.keys():
            text = "this machine does not let perf count cycles or cache misses, as most virtual machines do not"
            yield tell.note("not-counted", text, hint="count on the host, or on a machine without virtualisation")


def _event(name: str) -> str:
    """Return which of the known events a name is, without its modifiers, nothing for another.

    >>> _event("cycles:u"), _event("cpu_core/instructions/"), _event("page-faults")
    ('cycles', 'instructions', '')
    """
    return _EVENTS.get(re.sub(r"^\w+/|/?\w*$(?<=/)|:\w+$", "", name), "")


def _decimal(text: str) -> float | None:
    """Return a number whose last separator is the decimal one.

    >>> _decimal("1.299,43"), _decimal("8,012.44"), _decimal("0.801"), _decimal("<not counted>")
    (1299.43, 8012.44, 0.801, None)
    """
    whole, mark, rest = text.strip().replace(",", ".").rpartition(".")
    return known(whole.replace(".", "") + mark + rest)
