"""The table of nccl-tests: rows by header names, old and new, among log lines and launcher prefixes.

Sizes are bytes, times microseconds, bandwidths GB/s of 1e9; nccom-test, whose header names the units, counted 2**30 in
its older versions, which shows in size by time. The average that the program prints at the end is over all
sizes down to eight bytes and is never used: the bus bandwidth is the largest among large sizes, the latency the median
over the smallest.
"""

from __future__ import annotations

import dataclasses
import re
import statistics
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

LARGE = 64 * 1024**2
"""Bytes from which the bandwidth has reached its plateau on every network that is in use."""

SMALL = 1024
"""Bytes up to which the time of a collective is its latency."""

HEADER = re.compile(
    r"^#?\s*(?:(?:timestamp\s+)?size\s+count\s+type\s+redop\b.*\b(?:cpu)?time\b"
    r"|size\(B\)\s+count\(elems\)\s+type\s+time\b.*\bbusbw\(GB/s\))",
    re.IGNORECASE,
)
_HEADLESS = re.compile(
    r"^(?P<size>[1-9]\d{0,17})\s+\d{1,18}\s+(?:u?int\d{1,2}|half|float|double|bfloat16|f8e\dm\d)\s+"
    r"(?:sum|prod|max|min|avg|mulsum|none|all)\s+-?\d{1,6}\s+"
    r"(?P<time>\d{1,12}(?:\.\d+)?)\s+(?P<mean>\d{1,6}\.\d\d)\s+\d{1,6}\.\d\d\s+(?:\d{1,12}|N/A)"
    r"(?:\s+[\d.]{1,14}\s+\d{1,6}\.\d\d\s+\d{1,6}\.\d\d\s+(?:\d{1,12}|N/A))?$"
)
_USUAL = ["size", "count", "type", "redop", "root", *["time", "algbw", "busbw", "#wrong"] * 2]
"""The columns of a row whose header was cut off: what it says of the bandwidth must be its size over its time."""
_ROUNDED = 0.0051
"""GB/s by which a printed bandwidth, of two decimals, may differ from the exact one."""

_UNIT = re.compile(r"(?::avg)?\((?:b|elems|us|gb/s)\)$")
_BETWEEN_GIB_AND_GB = 1.037e9
RANK = re.compile(
    r"\bRank\s+(?P<rank>\d{1,6})\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(?P<host>\S+)\s+device\s+\d+\s+\[[^\]]*\]\s*(?P<name>.*)$"
)
STARTED = re.compile(r"nThread (\d{1,5}) nGpus (\d{1,5})\b")
OTHER = re.compile(r"^#|^\.{3,}$|^nThread\b")
_ROW = re.compile(r"^\d{1,18}\s+\d")
_GLUED = re.compile(
    r"^\s*(\d[\d.e+ -]{8,90}(?:[a-z]\w{0,20}\s+\w{1,20}\s+-?\d{1,6})?)(?=[A-Za-z][\w.-]{0,80}:\d+:\d+ )"
)
_BEGUN = re.compile(r"^\d{1,18}\s+\d{1,18}\s+[a-z]\w{0,20}\s+\w{1,20}\s+-?\d{1,6}$")
_REST = re.compile(r"^(?:[\d.]+(?:e[+-]?\d+)?\s+){3}(?:\d+|N/A)(?:\s+(?:[\d.]+(?:e[+-]?\d+)?\s+){3}(?:\d+|N/A))?$")
"""A row is printed in parts, and the lines of the library come between them, glued to what is there."""
_STAMP = re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*")


def headless(text: str) -> bool:
    """Whether a line is a row whose columns are known without their header: its numbers agree with each other.

    >>> [headless(f"134217728 33554432 float sum -1 {time} 57.82 101.18 0") for time in ("2321.4", "50.0")]
    [True, False]
    """
    row = _HEADLESS.match(text)
    time = float(row["time"]) if row else 0.0
    if row is None or not time:
        return False
    exact, printed = int(row["size"]) / time / 1e3, float(row["mean"])
    return abs(exact - printed) <= _ROUNDED + exact * _digits(row["time"]) / time


def _digits(printed: str) -> float:
    """Return half of the last digit of a number as printed, which is its error."""
    return 0.5 * 10.0 ** -len(printed.partition(".")[2])


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """One size: bytes, seconds, bytes per second on the bus, out of place, and how many results were wrong."""

    size: float
    time: float | None
    bus: float | None
    wrong: float
    line: int | None = None


@dataclasses.dataclass(slots=True)
class TableFacts:
    """The state between lines: the columns in force, rows and ranks so far."""

    rows: list[Row] = dataclasses.field(default_factory=list)
    columns: list[str] = dataclasses.field(default_factory=list)
    named_units: bool = False
    ranks: dict[int, int] = dataclasses.field(default_factory=dict)
    """Ranks with their lines."""
    hosts: set[str] = dataclasses.field(default_factory=set)
    names: set[str] = dataclasses.field(default_factory=set)
    expected: int = 1
    """Ranks of one process, as the program says at its start."""
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None
    _begun: str = ""

    def take(self, line: int, text: str) -> bool:
        """Take a line, or return False where it is none of the program's."""
        text = _STAMP.sub("", text).strip()
        if started := STARTED.search(text):
            self.expected = max(int(started[1]) * int(started[2]), 1)
        if HEADER.match(text):
            names = text.lstrip("# ").lower().split()
            self.named_units = names[0].endswith(")")
            self.columns = [_UNIT.sub("", name) for name in names if name != "timestamp"]
        elif rank := RANK.search(text):
            self.ranks.setdefault(int(rank["rank"]), line)
            self.hosts.add(rank["host"])
            self.names |= {rank["name"].strip()[:80]} - {""}
        elif _BEGUN.match(text):
            self._begun = text
        elif self._begun and _REST.match(text):
            cells = [*self._begun.split(), *text.split()]
            self._begun = ""
            row = self._row(line, " ".join([*cells, *["N/A"] * (len(self.columns) - len(cells))]))
            self.rows += [] if row is None else [row]
        elif _ROW.match(text):
            row = self._row(line, text)
            if row is None:
                self.odd += 1
                self.first_odd = self.first_odd or line
            else:
                self.rows.append(row)
        elif not OTHER.match(text):
            return False
        self.seen += 1
        return True

    def take_glued(self, line: int, text: str) -> None:
        """Take the part of a row that stands before a line of the library on the same line."""
        if (part := _GLUED.match(text)) is not None:
            self.take(line, part[1].strip())

    def _row(self, line: int, text: str) -> Row | None:
        cells = text.split()
        columns = self.columns or (_USUAL[: len(cells)] if headless(text) else [])
        if not columns or len(cells) != len(columns):
            return None

        def first(*names: str) -> float | None:
            places = [place for place, column in enumerate(columns) if column in names]
            return known(cells[places[0]]) if places else None

        size, time, bus = first("size"), first("time", "cputime"), first("busbw")
        if size is None or (time is None and bus is None):
            return None
        unit, mean = 1e9, first("algbw")
        if self.named_units and time and mean and size / (time * 1e-6) / mean > _BETWEEN_GIB_AND_GB:
            unit = 1024.0**3
        places = [place for place, column in enumerate(columns) if column == "#wrong"]
        wrong = sum(known(cells[place]) or 0.0 for place in places)
        return Row(size, _scaled(time, 1e-6), _scaled(bus, unit), wrong, line)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield plateau, latency and what the rank lines say."""
        yield from _plateau(self.rows, tell)
        yield from _latency(self.rows, tell)
        if self.ranks:
            line, count = min(self.ranks.values()), len(self.ranks)
            if count == max(self.ranks) + 1 and count % self.expected == 0:  # all rank lines are there
                yield tell.observe("world_size", Interval.point(count), line=line, detail="rank lines")
                hosts = Interval.point(len(self.hosts))
                yield tell.observe("node_count", hosts, line=line, detail="hosts in the rank lines")
            if len(self.names) == 1:
                yield tell.observe("accelerator", next(iter(self.names)), line=line, detail="rank lines")

    def messages(self, tell: Teller) -> Iterator[Message]:
        """Yield what is wrong with the run itself."""
        bad = next((row for row in self.rows if row.wrong > 0), None)
        if bad is not None:
            text = "results of the collectives are wrong: hardware or library is at fault"
            yield tell.warn("wrong-results", text, hint="run dcgmi diag -r 3 and look at this row", line=bad.line)


def _plateau(rows: list[Row], tell: Teller) -> Iterator[Observation]:
    measured = [row for row in rows if row.bus]
    large = [row for row in measured if row.size >= LARGE]
    best = max(large or measured, key=lambda row: row.bus or 0.0, default=None)
    if best is None or best.bus is None:
        return
    if large:
        value, detail = Interval.point(best.bus), f"largest of {len(large)} sizes from 64 MiB, out of place"
    else:
        value, detail = Interval(best.bus, float("inf")), "at least: no size of 64 MiB or more was measured"
    yield tell.observe("collective_bus_bandwidth", value, line=best.line, detail=detail)


def _latency(rows: list[Row], tell: Teller) -> Iterator[Observation]:
    small = [row for row in rows if row.size <= SMALL and row.time]
    if small:
        value = Interval.point(statistics.median(row.time or 0.0 for row in small))
        detail = f"median of {len(small)} sizes up to 1 KiB, out of place"
        yield tell.observe("collective_latency", value, line=small[0].line, detail=detail)


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None or value < 0.0 else value * factor
