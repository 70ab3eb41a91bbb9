r"""Results of genai-perf and aiperf: the CSV and the JSON that they save, and the table that they print.

Their inter token latency is the time after the first token over the tokens after it, one value for each request: the
time per output token. Times are in milliseconds, as their column or unit says.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Metric,avg,min,max,p99,p50
... Time to First Token (ms),"1,052.31",612.1,2100.0,2010.22,980.1
...
... Metric,Value
... Request Throughput (requests/sec),4.82
... '''
>>> reading = AiperfReader().read(Source.of_bytes("profile_export.csv", raw))
>>> [(found.measurement, round(found.value.lo, 6)) for found in reading.observations[:-1]][:3]
[('throughput', 4.82), ('time_to_first_token', 1.05231), ('time_to_first_token_p50', 0.9801)]
"""

from __future__ import annotations

import csv
import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, first_json, grouped, inside, known, text_of
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.lines import any_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_CSV = re.compile(r"(?m)^\W?Metric,(?:avg,min,max|Value)\b")
_CSV_METRIC = re.compile(r"(?mi)^\W?(?:Time to First Token|Request Latency|Request Throughput|Inter Token Latency) \(")
_BOX = re.compile(r"^[┃│|]\s*(?:Statistic|Metric)\s*[┃│|]\s*avg\s*[┃│|]")
_RATE = re.compile(r"^(Request throughput|Output token throughput) \(([^()]{1,20})\): ([\d.,]{1,20})$")
_JSON = re.compile(r'"(?:request_latency|request_throughput|time_to_first_token)"\s*:\s*\{\s*"unit"\s*:')
_NAME = re.compile(r"^(.*?)(?: \(([^()]*)\))?$")
_EDGES = frozenset("┃│|")
_UNITS = {"ms": 1e-3, "milliseconds": 1e-3, "us": 1e-6, "ns": 1e-9, "nanoseconds": 1e-9, "sec": 1.0, "s": 1.0}
_TIMES = {
    "time_to_first_token": ("time_to_first_token", "time_to_first_token_", ("50", "99")),
    "inter_token_latency": ("time_per_output_token", "time_per_output_token_", ("50", "99")),
    "request_latency": ("request_time", "request_", ("50", "90", "95", "99")),
}
_MEANS = {
    "request_throughput": "throughput",
    "output_token_throughput": "token_rate",
    "input_sequence_length": "prompt_tokens_per_request",
    "output_sequence_length": "output_tokens_per_request",
}


@dataclasses.dataclass(slots=True)
class _Metric:
    """Statistics of one metric in the unit that stands beside its name."""

    unit: str
    values: dict[str, float]
    line: int | None = None

    def seconds(self, statistic: str) -> float | None:
        factor, value = _UNITS.get(self.unit.lower()), self.values.get(statistic)
        return None if factor is None or value is None else value * factor


@dataclasses.dataclass(frozen=True, slots=True)
class AiperfReader:
    """Reads ``profile_export*.csv`` and ``profile_export*.json`` of genai-perf and aiperf."""

    tool: str = "serving_benchmark"
    title: str = "genai-perf or aiperf"
    versions: str = "genai-perf 0.0.x, aiperf 0.1 to 0.13: CSV, JSON, text"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the header of the CSV or of the table, or a metric of the JSON with its unit."""
        return any_line(source, _BOX) or bool(
            _JSON.search(source.head) or (_CSV.search(source.head_text) and _CSV_METRIC.search(source.head_text))
        )

    def read(self, source: Source) -> Reading:
        """Return times, rates and lengths of the requests."""
        tell = Teller(file=source.shown, tool=self.tool)
        messages: list[Message] = []
        if _JSON.search(source.head):
            document = first_json(text_of(source, tell, messages))
            metrics, seen = _of_json(document), 1
            concurrency = _concurrency(document)
        else:
            lines = list(each_line(source, tell, messages))
            metrics, seen, concurrency = _of_csv(lines) or _of_box(lines), len(lines), None
        found = tuple(_observations(metrics, concurrency, tell))
        if not found:
            messages.append(tell.warn("no-samples", "it holds no result", hint="let the benchmark finish"))
        return tell.reading(observations=found, messages=tuple(messages), lines_read=seen)


def _of_csv(lines: list[tuple[int, str]]) -> dict[str, _Metric]:
    columns: list[str] = []
    found: dict[str, _Metric] = {}
    for line, text in lines:
        cells = next(csv.reader([text]), [])
        if cells[:1] == ["Metric"]:
            columns = ["avg" if cell == "Value" else cell.lower() for cell in cells]
        elif columns and len(cells) == len(columns) and (name := _NAME.match(cells[0])):
            pairs = ((column, grouped(cell)) for column, cell in zip(columns[1:], cells[1:], strict=True))
            values = {column: value for column, value in pairs if value is not None}
            found.setdefault(name[1].lower().replace(" ", "_"), _Metric(name[2] or "", values, line))
    return found


def _of_box(lines: list[tuple[int, str]]) -> dict[str, _Metric]:
    """Return the metrics of the printed table. A name that is wrapped goes on in rows that have no values."""
    columns: list[str] = []
    rows: list[tuple[int, str, dict[str, float]]] = []
    for line, text in lines:
        if rate := _RATE.match(text):  # below the table of embeddings and rankings
            rows.append((line, f"{rate[1]} ({rate[2]})", {"avg": value} if (value := grouped(rate[3])) else {}))
        if text[:1] not in _EDGES:
            continue
        cells = [cell.strip() for cell in re.split("[┃│|]", text.strip("┃│| "))]
        if _BOX.match(text):
            columns = [cell.lower() for cell in cells[1:]]
        elif columns and len(cells) == len(columns) + 1 and any(cells[1:]):
            pairs = ((column, grouped(cell)) for column, cell in zip(columns, cells[1:], strict=True))
            rows.append((line, cells[0], {column: value for column, value in pairs if value is not None}))
        elif columns and rows and cells[0] and not any(cells[1:]):
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {cells[0]}", rows[-1][2])
    found: dict[str, _Metric] = {}
    for line, name, values in rows:
        if values and (parts := _NAME.match(name)):
            found.setdefault(parts[1].lower().replace(" ", "_"), _Metric(parts[2] or "", values, line))
    return found


def _of_json(document: object) -> dict[str, _Metric]:
    """Return the metrics of a document, which older releases nest under ``records``."""
    found = {}
    for key in (*_TIMES, *_MEANS, "request_count", "error_request_count"):
        metric = inside(document, key) or inside(document, "records", key)
        values = {name: value for name, given in metric.items() if (value := known(given)) is not None}
        if values:
            found[key] = _Metric(str(metric.get("unit", ""))[:40], values)
    return found


def _concurrency(document: object) -> float | None:
    """Return the concurrency that the run was given, under any of the places where releases kept it."""
    for path in (("input_config", "loadgen"), ("input_config", "perf_analyzer", "stimulus"), ("input_config",)):
        value = known(inside(document, *path).get("concurrency"))
        if value is not None and value > 0:
            return value
    return None


def _observations(metrics: dict[str, _Metric], concurrency: float | None, tell: Teller) -> Iterator[Observation]:
    def say(measurement: str, value: float | None, line: int | None, detail: str) -> Iterator[Observation]:
        if value is not None and value >= 0:
            yield tell.observe(measurement, Interval.point(value), line=line, detail=detail)

    for name, measurement in _MEANS.items():
        if name in metrics:
            yield from say(measurement, metrics[name].values.get("avg"), metrics[name].line, f"{name}, mean")
    yield from say("concurrency", concurrency, None, "requests kept in flight")
    for name, (mean, point, parts) in _TIMES.items():
        metric = metrics.get(name)
        if metric is None:
            continue
        yield from say(mean, metric.seconds("avg"), metric.line, "mean over requests")
        for part in parts:
            yield from say(f"{point}p{part}", metric.seconds(f"p{part}"), metric.line, "percentile as saved")
    failed, good = metrics.get("error_request_count"), metrics.get("request_count")
    if failed is not None and good is not None:
        bad, fine = failed.values.get("avg", 0.0), good.values.get("avg", 0.0)
        if bad + fine > 0:
            yield from say("failed_request_share", bad / (bad + fine), failed.line, "failed over all requests")
    if metrics:
        yield tell.observe("workload_kind", "serving", detail="a benchmark of a model server")
