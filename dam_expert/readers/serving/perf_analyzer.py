r"""``perf_analyzer``: its CSV (rows sorted by throughput, not by load) and what it prints; all times in microseconds.

A run is a sweep over concurrency or request rate. Stage times are those at the highest load, as means over the same
requests; the parts add up to the request. Where the load doubles between two rows, what that gained is told as well.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Concurrency,Inferences/Second,Client Send,Server Queue,Server Compute Infer,Client Recv
... 2,80,10,400,11500,0
... 1,50,10,60,11500,0'''
>>> reading = PerfAnalyzerReader().read(Source.of_bytes("sweep.csv", raw))
>>> round({found.measurement: found.value.lo for found in reading.observations[:-1]}["queue_time"], 6)
0.0004
"""

from __future__ import annotations

import csv
import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, known
from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_MICRO = 1e-6
_HEADER = re.compile(r"^(?:Concurrency|Request Rate),(?:[^,]*,)*Inferences/Second")
_PRINTED = re.compile(
    r"(?m)^\W{0,8}(?:Request (?:concurrency|Rate): |Throughput: [\d.]+ infer/sec|Avg request latency: \d+ usec \("
    r"|(?:Concurrency|Request Rate): [\d.]+, (?:throughput: )?[\d.]+ infer/sec, latency \d+ usec)",
    re.IGNORECASE,
)

_LOAD = re.compile(r"^Request (concurrency|rate): ([\d.]+)", re.IGNORECASE)
_THROUGHPUT = re.compile(r"^Throughput: ([\d.]+) infer/sec$")
_LATENCY = re.compile(r"^Avg latency: (\d+) usec")
_PERCENTILE = re.compile(r"^p(\d+) latency: (\d+) usec$")
_SERVER = re.compile(r"^Avg request latency: (\d+) usec(?: \((.*)\))?$")
_PART = re.compile(r"(overhead|queue|compute input|compute infer|compute output|cache hit|cache miss) (\d+) usec")
_COUNT = re.compile(r"^(Inference|Execution) count: (\d+)$")
_OTHER = re.compile(
    r"^(?:\*\*\*|Service Kind|Using |Measurement |Stabilizing|Latency limit|Concurrency|Batch size|Client:|Server:"
    r"|Request count|Successful request|Inferences/Second|Pass |Sequence|Reporting|Avg (?:send|HTTP|gRPC)|Request Rate"
    r"|Delayed|Error|\[)",
    re.IGNORECASE,
)

_STATISTIC = re.compile(r"^Inferences/Second vs\. Client (?:p(\d+)|Average) Batch Latency")
_SUMMARY = re.compile(
    r"^(Concurrency|Request Rate): ([\d.]+), (?:throughput: )?([\d.]+) infer/sec, latency (\d+) usec", re.IGNORECASE
)
"""The lines at the end, one for each load: all that many people paste."""

_PARTS = {
    "client_send": ("Client Send",),
    "network": ("Network+Server Send/Recv",),
    "queue": ("Server Queue", "queue"),
    "input": ("Server Compute Input", "compute input"),
    "infer": ("Server Compute Infer", "compute infer"),
    "output": ("Server Compute Output", "compute output"),
    "overhead": ("overhead",),
    "client_receive": ("Client Recv",),
}
_NAMES = {spelling: part for part, spellings in _PARTS.items() for spelling in spellings}


@dataclasses.dataclass(slots=True)
class Row:
    """One load. Times in seconds; ``server`` is the request time as the server counts it."""

    line: int
    load: float | None = None
    by_rate: bool = False
    throughput: float | None = None
    latency: float | None = None
    server: float | None = None
    parts: dict[str, float] = dataclasses.field(default_factory=dict)
    percentiles: dict[str, float] = dataclasses.field(default_factory=dict)
    counts: dict[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class PerfAnalyzerReader:
    """Reads the CSV and the text of ``perf_analyzer``."""

    tool: str = "serving_benchmark"
    title: str = "perf_analyzer"
    versions: str = "perf_analyzer 2: text, CSV"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the CSV's header or the text's load and latency lines."""
        return any(_HEADER.match(line) for line in source.head_lines[:200]) or (
            _PRINTED.search(source.head_text) is not None and "usec" in source.head
        )

    def read(self, source: Source) -> Reading:
        """Return stages and percentiles at the highest load, and the gain of doubling it."""
        tell, rows = Teller(file=source.shown, tool=self.tool), _Rows()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            rows.take(line, text)
        messages += tell.not_understood(rows.odd, rows.seen, first=rows.first_odd)
        used = [row for row in rows.all if row.throughput is not None or row.parts]
        if not used:
            messages.append(tell.warn("no-samples", "no measured load in it", hint="let perf_analyzer finish"))
        return tell.reading(
            observations=tuple(_observations(used, tell)),
            messages=tuple(messages),
            lines_read=rows.seen,
            lines_not_understood=rows.odd,
        )


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns of a CSV, and the loads so far."""

    all: list[Row] = dataclasses.field(default_factory=list)
    columns: list[str] = dataclasses.field(default_factory=list)
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None
    percentile: str | None = None
    """Which latency the lines at the end give: a percentile, or the mean."""

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        if _HEADER.match(text):
            self.columns = [cell.strip() for cell in next(csv.reader([text]))]
        elif not (self._cells(line, text) if self.columns else self._printed(line, text)):
            self.odd += 1
            self.first_odd = self.first_odd or line

    def _cells(self, line: int, text: str) -> bool:
        cells = next(csv.reader([text]))
        if len(cells) != len(self.columns):
            return False
        values = {name: known(cell) for name, cell in zip(self.columns, cells, strict=True)}
        row = Row(line, by_rate="Request Rate" in values)
        row.load = values.get("Request Rate", values.get("Concurrency"))
        row.throughput = values.get("Inferences/Second")
        for name, value in values.items():
            if value is None:
                continue
            percentile = re.fullmatch(r"p(\d+) latency", name)
            if name in _NAMES:
                row.parts[_NAMES[name]] = value * _MICRO
            elif percentile:
                row.percentiles[percentile[1]] = value * _MICRO
            elif name == "Avg latency":
                row.latency = value * _MICRO
        self.all.append(row)
        return row.load is not None

    def _printed(self, line: int, text: str) -> bool:
        text = text.lstrip("# ")  # as documents and scripts quote it
        load = _LOAD.match(text)
        if load is not None:
            self.all.append(Row(line, load=known(load[2]), by_rate=load[1].lower() == "rate"))
            return True
        if statistic := _STATISTIC.match(text):
            self.percentile = statistic[1]
        if summary := _SUMMARY.match(text):
            self._summary(line, summary)
        if summary or _OTHER.match(text):
            return True
        if not self.all:
            if not _THROUGHPUT.match(text):
                return not text or "usec" not in text
            self.all.append(Row(line))  # the line with the load was not pasted
        row = self.all[-1]
        if found := _THROUGHPUT.match(text):
            row.throughput = known(found[1])
        elif found := _LATENCY.match(text):
            row.latency = _micro(found[1])
        elif found := _PERCENTILE.match(text):
            row.percentiles[found[1]] = _micro(found[2])
        elif found := _COUNT.match(text):
            row.counts[found[1].lower()] = _micro(found[2]) / _MICRO
        elif found := _SERVER.match(text):
            row.server = _micro(found[1])
            row.parts = {_NAMES[name]: _micro(value) for name, value in _PART.findall(found[2] or "") if name in _NAMES}
        else:
            return False
        return True

    def _summary(self, line: int, found: re.Match[str]) -> None:
        """Take a line of the end, where the load is not there in full."""
        load = known(found[2])
        if any(row.load == load for row in self.all):
            return
        row = Row(line, load=load, by_rate=found[1].lower() != "concurrency", throughput=known(found[3]))
        if self.percentile is None:
            row.latency = _micro(found[4])
        else:
            row.percentiles[self.percentile] = _micro(found[4])
        self.all.append(row)


def _micro(digits: str) -> float:
    return float(digits[:20]) * _MICRO


def _observations(rows: Sequence[Row], tell: Teller) -> Iterator[Observation]:
    if not rows:
        return
    row = max(rows, key=lambda row: row.load or 0.0)
    kind = "request rate" if row.by_rate else "concurrency"
    at = f"at {kind} {row.load:g}" if row.load is not None else "at the load of the run"
    at += f", the highest of {len(rows)}" if len(rows) > 1 else ""

    def say(measurement: str, value: float | None, how: str) -> Iterator[Observation]:
        if value is not None:
            yield tell.observe(measurement, Interval.point(value), line=row.line, detail=f"{how}, {at}")

    yield from say("offered_rate" if row.by_rate else "concurrency", row.load, "as set")
    yield from say("throughput", row.throughput, "inferences per second")
    yield from say("request_time", _request_time(row), "mean over requests")
    for part in ("50", "90", "95", "99"):
        yield from say(f"request_p{part}", row.percentiles.get(part), "as printed")
    yield from say("queue_time", row.parts.get("queue"), "server queue, mean")
    yield from say("compute_time", row.parts.get("infer"), "compute infer, mean")
    yield from say("server_overhead_time", _sum(row, "input", "output", "overhead"), "compute input and output, mean")
    yield from say("network_time", _network(row), "client and network, mean")
    if row.counts.get("execution"):
        size = row.counts.get("inference", 0.0) / row.counts["execution"]
        yield from say("executed_batch_size", size or None, "inferences over executions")
    yield from _doubling(rows, tell)
    yield tell.observe("workload_kind", "serving", line=row.line, detail="a benchmark of a model server")


def _sum(row: Row, *names: str) -> float | None:
    values = [row.parts[name] for name in names if name in row.parts]
    return sum(values) if values else None


def _request_time(row: Row) -> float | None:
    """Return the mean request time: as printed, else the sum of all parts where the client's are among them."""
    if row.latency is not None:
        return row.latency
    return sum(row.parts.values()) if {"client_send", "queue", "infer"} <= row.parts.keys() else row.server


def _network(row: Row) -> float | None:
    """Return the mean time outside the server: the client's parts, else what the server does not count."""
    outside = _sum(row, "client_send", "network", "client_receive")
    if outside is None and row.latency is not None and row.server is not None and row.latency >= row.server:
        return row.latency - row.server
    return outside


def _doubling(rows: Sequence[Row], tell: Teller) -> Iterator[Observation]:
    """Yield what the last doubling of the concurrency gained."""
    rates = {row.load: (row.throughput, row.line) for row in rows if not row.by_rate and row.load and row.throughput}
    doubled = [load for load in rates if load is not None and load * 2 in rates]
    if doubled:
        low = max(doubled)
        before, after, line = rates[low][0], rates[low * 2][0], rates[low * 2][1]
        if before and after:
            detail = f"inferences per second at concurrency {low * 2:g} over {low:g}"
            yield tell.observe("concurrency_doubling_speedup", Interval.point(after / before), line=line, detail=detail)
