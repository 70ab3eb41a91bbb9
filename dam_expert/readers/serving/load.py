r"""HTTP load generators: the text of ``wrk`` and ``k6``, the CSV of ``locust``, the JSON summary of ``k6``.

Every cell of wrk and of k6's text has a unit of its own (us, ms, s, m); k6's JSON and locust count milliseconds.
locust's row of all requests has an empty type; its percentiles are rounded to two digits.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Running 5s test @ http://localhost
...   2 threads and 8 connections
...     Latency    31.21ms   90us  1.04s  93.69%
...   5000 requests in 5.00s, 1.2MB read
... Requests/sec:   1000.00'''
>>> reading = LoadGeneratorReader().read(Source.of_bytes("wrk.txt", raw))
>>> [(found.measurement, round(found.value.lo, 6)) for found in reading.observations]
[('concurrency', 8.0), ('request_time', 0.03121), ('failed_request_share', 0.0), ('throughput', 1000.0)]
"""

from __future__ import annotations

import csv
import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, first_json, inside, known, seconds, text_of
from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_WRK = re.compile(r"(?m)^[ \t]*\d+ threads and \d+ connections[ \t\r]*$")
_LOCUST = re.compile(r"(?m)^\W?Type,Name,Request Count,Failure Count,")
_LOCUST_HISTORY = re.compile(r"(?m)^\W?Timestamp,User Count,Type,Name,")
_LOCUST_EMPTY = re.compile(r"(?m)^\W?(?:Count,Message,Traceback,Nodes|Method,Name,Error,Occurrences)")
_K6_TEXT = re.compile(r"(?m)^.{0,6}http_req_duration\.+: +avg=")
_LOCUST_TEXT = re.compile(r"(?m)^[ \t]*(?:Type +)?Name +# reqs +# fails ")
_K6_JSON = re.compile(r'"metrics"\s*:\s*\{')
_K6_NAMES = re.compile(r'"http_req(?:_duration|s|_failed|_waiting)"\s*:\s*\{')

_MILLI = 1e-3


@dataclasses.dataclass(frozen=True, slots=True)
class LoadGeneratorReader:
    """Reads what wrk, locust and k6 say at the end of a run."""

    tool: str = "load_generator"
    title: str = "wrk, locust or k6"
    versions: str = "wrk 4; locust 2: CSV and text; k6"

    def recognises(self, source: Source) -> bool:
        """Whether the head is the output of one of the three."""
        return _form(source) is not None

    def read(self, source: Source) -> Reading:
        """Return latency, throughput and failures of the run."""
        tell, results = Teller(file=source.shown, tool=self.tool), _Results()
        messages: list[Message] = []
        form = _form(source)
        if form == "k6 JSON":
            document = first_json(text_of(source, tell, messages))
            _k6_summary(document, results)
            results.seen = 1
        else:
            for line, text in each_line(source, tell, messages):
                results.seen += 1
                _TAKE[form or "wrk"](results, line, text)
        found = tuple(results.observations(tell))
        if results.runs > 1:
            text = f"of {results.runs} runs the last is used"
            messages.append(tell.note("several-results", text, hint="pass one run to look at another load"))
        if form == "locust, no values":
            text = "it lists failures or exceptions of a locust run, no times"
            messages.append(tell.note("no-values", text, hint="pass the file that ends in _stats.csv"))
        elif not found:
            messages.append(tell.warn("no-samples", "no result in it", hint="let the load generator finish"))
        return tell.reading(observations=found, messages=tuple(messages), lines_read=results.seen)


def _form(source: Source) -> str | None:
    """Return which tool and form a text is."""
    for form, pattern in (
        ("wrk", _WRK),
        ("locust", _LOCUST),
        ("locust text", _LOCUST_TEXT),
        ("locust history", _LOCUST_HISTORY),
        ("locust, no values", _LOCUST_EMPTY),
        ("k6", _K6_TEXT),
    ):
        if pattern.search(source.head_text):
            return form
    return "k6 JSON" if _K6_JSON.search(source.head) and _K6_NAMES.search(source.head) else None


@dataclasses.dataclass(slots=True)
class _Results:
    """The state between lines: values by measurement with line and detail; columns of a CSV."""

    values: dict[str, tuple[float, int | None, str]] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)
    requests: float | None = None
    failed: float | None = None
    rates: list[float] = dataclasses.field(default_factory=list)
    began: tuple[float, float] | None = None
    """Time and count of the first row of a history."""
    seen: int = 0
    runs: int = 0
    """How many runs of wrk are in it."""
    part: bool = False
    """Whether the lines are of a part of the run."""

    def keep(self, measurement: str, value: float | None, line: int | None, detail: str) -> None:
        if value is not None:
            self.values[measurement] = (value, line, detail)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for measurement, (value, line, detail) in self.values.items():
            yield tell.observe(measurement, Interval.point(value), line=line, detail=detail)


_WRK_CONNECTIONS = re.compile(r"^\d+ threads and (\d+) connections$")
_WRK_LATENCY = re.compile(r"^Latency\s+(\S+)\s+(\S+)\s+(\S+)")
_WRK_PERCENTILE = re.compile(r"^(50|90|95|99)(?:\.0+)?%\s+(\S+)$")
_WRK_TOTAL = re.compile(r"^(\d+) requests in ")
_WRK_ERRORS = re.compile(r"^Socket errors: (.*)$")
_WRK_STATUS = re.compile(r"^Non-2xx or 3xx responses: (\d+)$")
_WRK_RATE = re.compile(r"^Requests/sec:\s+([\d.]+)$")


def _wrk(results: _Results, line: int, text: str) -> None:
    if found := _WRK_CONNECTIONS.match(text):
        results.values.clear()  # another run: nothing of the one before
        results.requests = results.failed = None
        results.runs += 1
        results.keep("concurrency", known(found[1]), line, "connections kept open")
    elif found := _WRK_LATENCY.match(text):
        results.keep("request_time", seconds(found[1]), line, "mean latency")
    elif found := _WRK_PERCENTILE.match(text):
        results.keep(f"request_p{found[1]}", seconds(found[2]), line, "as printed")
    elif found := _WRK_TOTAL.match(text):
        results.requests, results.failed = known(found[1]), 0.0
    elif found := _WRK_ERRORS.match(text):
        results.failed = (results.failed or 0.0) + sum(map(float, re.findall(r"\d{1,15}", found[1])))
    elif found := _WRK_STATUS.match(text):
        results.failed = (results.failed or 0.0) + (known(found[1]) or 0.0)
    elif found := _WRK_RATE.match(text):
        if results.requests and results.failed is not None:
            share = min(results.failed / results.requests, 1.0)
            results.keep("failed_request_share", share, line, "errors over requests")
        results.keep("throughput", known(found[1]), line, "requests per second")


def _cells(results: _Results, text: str) -> dict[str, str]:
    cells = next(csv.reader([text]), [])
    if cells[:2] in (["Type", "Name"], ["Timestamp", "User Count"]):
        results.columns = cells
        return {}
    row = dict(zip(results.columns, cells, strict=False))
    return row if row.get("Name") == "Aggregated" else {}


def _locust(results: _Results, line: int, text: str) -> None:
    row = _cells(results, text)
    if not row:
        return
    requests, failed = known(row.get("Request Count")), known(row.get("Failure Count"))
    if not requests:
        return
    results.keep("request_time", _scaled(row.get("Average Response Time")), line, "mean of all requests")
    for part in ("50", "90", "95", "99"):
        results.keep(f"request_p{part}", _scaled(row.get(f"{part}%")), line, "rounded to two digits by locust")
    results.keep("throughput", known(row.get("Requests/s")), line, "requests per second")
    if failed is not None:
        results.keep("failed_request_share", min(failed / requests, 1.0), line, "failures over requests")


_LOCUST_ROW = re.compile(
    r"^Aggregated +(?P<requests>\d+) +(?P<failed>\d+)\([\d.]+%\) *\| +(?P<mean>[\d.]+) .*\| +(?P<rate>[\d.]+) +[\d.]+$"
)
_LOCUST_HEADER = re.compile(r"^(?:Type +)?Name +(?:# reqs|\d+%)")
_LOCUST_POINTS = re.compile(r"^Aggregated +([\d.N/A ]+)$")


def _locust_text(results: _Results, line: int, text: str) -> None:
    """Take a line of what locust prints; its tables come again while it runs, and the last one counts."""
    if _LOCUST_HEADER.match(text):
        results.columns = [cell for cell in text.split() if cell.endswith("%") or cell == "reqs"]
    elif row := _LOCUST_ROW.match(text):
        requests, failed = known(row["requests"]) or 0.0, known(row["failed"]) or 0.0
        results.keep("request_time", _scaled(row["mean"]), line, "mean of all requests")
        results.keep("throughput", known(row["rate"]), line, "requests per second")
        if requests:
            results.keep("failed_request_share", min(failed / requests, 1.0), line, "failures over requests")
    elif points := _LOCUST_POINTS.match(text):
        told = dict(zip(results.columns, points[1].split(), strict=False))
        for part in ("50", "90", "95", "99"):
            results.keep(f"request_p{part}", _scaled(told.get(f"{part}%")), line, "rounded to two digits by locust")


def _locust_history(results: _Results, line: int, text: str) -> None:
    row = _cells(results, text)
    time, count, rate = (known(row.get(name)) for name in ("Timestamp", "Total Request Count", "Requests/s"))
    if time is not None and count is not None:
        results.began = results.began or (time, count)
        passed, served = time - results.began[0], count - results.began[1]
        if passed > 0 and served >= 0:
            results.keep("throughput", served / passed, line, f"requests of {passed:g} s")
    elif rate:
        results.rates.append(rate)
        mean = sum(results.rates) / len(results.rates)
        results.keep("throughput", mean, line, f"mean of {len(results.rates)} rows with requests")
    results.keep("concurrency", known(row.get("User Count")), line, "users at the last row")
    results.keep("request_time", _scaled(row.get("Total Average Response Time")), line, "mean of all requests so far")


def _nothing(results: _Results, line: int, text: str) -> None:
    """Take a line of a file that holds no values."""


def _scaled(cell: str | None) -> float | None:
    value = known(cell)
    return None if value is None else value * _MILLI


_K6_ROW = re.compile(r"^\W*([a-z_]+(?:\{[^}]*\})?)\.*: +(.*)$")
_K6_PART = re.compile(r"^\W*(TOTAL RESULTS|SCENARIO:|GROUP:)")
"""Headings of the full summary: what stands below a scenario or a group is a part of the run."""
_K6_CELL = re.compile(r"(avg|med|p\(\d+(?:\.\d+)?\))=(\S+)")
_K6_POINTS = {
    "avg": "request_time",
    "med": "request_p50",
    "p(90)": "request_p90",
    "p(95)": "request_p95",
    "p(99)": "request_p99",
}


def _k6(results: _Results, line: int, text: str) -> None:
    if part := _K6_PART.match(text):
        results.part = part[1] != "TOTAL RESULTS"
    row = _K6_ROW.match(text)
    if row is None or results.part:
        return
    if row[1] == "http_req_duration":
        for name, cell in _K6_CELL.findall(row[2]):
            if name in _K6_POINTS:
                results.keep(_K6_POINTS[name], seconds(cell), line, f"{name} of http_req_duration")
    elif row[1] == "http_reqs" and (rate := re.search(r"([\d.]+)/s", row[2])):
        results.keep("throughput", known(rate[1]), line, "http_reqs per second")
    elif row[1] == "http_req_failed" and (share := re.match(r"([\d.]+)%", row[2])):
        value = known(share[1])
        results.keep("failed_request_share", None if value is None else value / 100.0, line, "http_req_failed")
    elif row[1] == "vus_max" and (users := re.match(r"(\d+)\b", row[2])):
        results.keep("concurrency", known(users[1]), line, "virtual users")


def _k6_summary(document: object, results: _Results) -> None:
    """Take the JSON of ``--summary-export`` or of ``handleSummary``, which nests the values once more."""

    def values(metric: str) -> dict[str, object]:
        found = inside(document, "metrics", metric)
        return {**found, **inside(found, "values")}

    times = values("http_req_duration")
    for name, measurement in _K6_POINTS.items():
        value = known(times.get(name))
        results.keep(measurement, None if value is None else value * _MILLI, None, f"{name} of http_req_duration")
    results.keep("throughput", known(values("http_reqs").get("rate")), None, "http_reqs per second")
    failed = values("http_req_failed")
    share = known(failed.get("rate", failed.get("value")))
    results.keep("failed_request_share", share, None, "http_req_failed")
    users = values("vus_max")
    results.keep("concurrency", known(users.get("value", users.get("max"))), None, "virtual users")


_TAKE = {
    "wrk": _wrk,
    "locust": _locust,
    "locust text": _locust_text,
    "locust history": _locust_history,
    "locust, no values": _nothing,
    "k6": _k6,
}
