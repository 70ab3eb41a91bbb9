r"""Results of genai-perf and aiperf: the CSV and the JSON that they save, one metric to a row or key.

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
>>> [(found.measurement, round(found.value.lo, 6)) for found in reading.observations][:3]
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_CSV = re.compile(r"(?m)^\W?Metric,(?:avg,min,max|Value)\b")
_CSV_METRIC = re.compile(r"(?mi)^\W?(?:Time to First Token|Request Latency|Request Throughput|Inter Token Latency) \(")
_JSON = re.compile(r'"(?:request_latency|request_throughput|time_to_first_token)"\s*:\s*\{\s*"unit"\s*:')
_NAME = re.compile(r"^(.*?)(?: \(([^()]*)\))?$")
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
    versions: str = "genai-perf 0.0.x, aiperf 0.1 to 0.13: CSV, JSON"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the header and a metric of the CSV, or a metric of the JSON with its unit."""
        return bool(_JSON.search(source.head) or (_CSV.search(source.head) and _CSV_METRIC.search(source.head)))

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
            metrics, seen, concurrency = _of_csv(lines), len(lines), None
        found = tuple(_observations(metrics, concurrency, tell))
        if not found:
            messages.append(tell.warn("no-samples", "it holds no result", hint="let the benchmark finish"))
        return Reading(tool=self.tool, observations=found, messages=tuple(messages), lines_read=seen)


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
