r"""The answer of Prometheus to a (range) query: series of named metrics as JSON.

Counters and histograms give the means over the requests of the whole range, restarts taken into account; gauges give
their mean, those of engines that run side by side added up, cache use the largest. A series without a metric name is
the result of an expression, and nothing says what it is.

>>> from dam_expert.readers.source import Source
>>> raw = b'''{"status": "success", "data": {"resultType": "matrix", "result": [
...   {"metric": {"__name__": "vllm:num_requests_waiting"}, "values": [[1700000000, "4"], [1700000015, "6"]]}]}}'''
>>> reading = RangeQueryReader().read(Source.of_bytes("query.json", raw))
>>> [(found.measurement, found.value.lo, found.origin.detail) for found in reading.observations[:-1]]
[('queue_depth', 5.0, 'mean of 2 samples')]
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import first_json, inside, known, text_of
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.monitoring.legends import DEVICE_FIELDS, SENTINEL
from dam_expert.readers.serving.change import Change
from dam_expert.readers.serving.exposition import Sample, unified
from dam_expert.readers.serving.metrics import observed
from dam_expert.readers.serving.names import GAUGES, Over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.serving.exposition import Scrape
    from dam_expert.readers.source import Source

_ANSWER = re.compile(r'"resultType"\s*:\s*"(?:matrix|vector)"')
_NAMES = "query metrics by name, such as vllm:num_requests_waiting, not expressions"


@dataclasses.dataclass(frozen=True, slots=True)
class _Series:
    """One series: its metric, labels, and samples that are known, in order of time."""

    name: str
    labels: tuple[tuple[str, str], ...]
    samples: tuple[tuple[float, float], ...]

    @property
    def mean(self) -> float:
        return sum(value for _, value in self.samples) / len(self.samples)

    @property
    def gained(self) -> float:
        """What a counter gained; after a restart it began at zero."""
        values = [value for _, value in self.samples]
        steps = itertools.pairwise(values)
        return sum(after - before if after >= before else after for before, after in steps)


@dataclasses.dataclass(frozen=True, slots=True)
class RangeQueryReader:
    """Reads the JSON of ``/api/v1/query_range`` and ``/api/v1/query``."""

    tool: str = "monitoring_export"
    title: str = "Prometheus query JSON"
    versions: str = "Prometheus 2 and 3: query and query_range"

    def recognises(self, source: Source) -> bool:
        """Whether the head names the type of a result."""
        return _ANSWER.search(source.head) is not None

    def read(self, source: Source) -> Reading:
        """Return what the series of known metrics say."""
        tell = Teller(file=source.shown, tool=self.tool)
        messages: list[Message] = []
        document = first_json(text_of(source, tell, messages))
        results = inside(document, "data").get("result")
        listed = results if isinstance(results, list) else []
        series = [found for found in map(_series, listed) if found is not None]
        unnamed = sum(1 for result in listed if not inside(result, "metric").get("__name__"))
        if unnamed:
            text = f"{unnamed} series have no metric name: nothing says what they are"
            messages.append(tell.warn("no-names", text, hint=_NAMES))
        found = [*_gauges(series, tell), *_counters(series, tell, messages)]
        if any(each.name in GAUGES for each in series) and not any(
            each.measurement == "workload_kind" for each in found
        ):
            found.append(tell.observe("workload_kind", "serving", detail="metrics of a model server"))
        if not found:
            text = "no series of a known metric has values" if document is not None else "the JSON ends early"
            messages.append(tell.warn("no-samples", text, hint=_NAMES))
        return tell.reading(observations=tuple(found), messages=tuple(messages), lines_read=len(listed))


def _series(result: object) -> _Series | None:
    metric = inside(result, "metric")
    name = metric.get("__name__")
    if not isinstance(name, str) or not isinstance(result, dict):
        return None
    listed = result.get("values")
    pairs = listed if isinstance(listed, list) else [result.get("value")]
    samples = []
    for pair in pairs:
        if isinstance(pair, list) and len(pair) == 2:
            time, value = known(pair[0]), known(pair[1])
            if time is not None and value is not None:
                samples.append((time, value))
    labels = tuple(sorted((str(key), str(value)[:200]) for key, value in metric.items() if key != "__name__"))
    return _Series(unified(name), labels, tuple(sorted(samples))) if samples else None


def _gauges(series: list[_Series], tell: Teller) -> Iterator[Observation]:
    done: set[str] = set()
    for name, (measurement, over) in GAUGES.items():
        found = [each for each in series if each.name == name and min(value for _, value in each.samples) >= 0.0]
        if not found or measurement in done:
            continue
        done.add(measurement)
        means = [each.mean for each in found]
        count = max(len(each.samples) for each in found)
        detail = f"mean of {count} samples"
        if len(found) > 1:
            detail = f"{over.value} of {len(found)} series, each {detail}"
        yield tell.observe(measurement, Interval.point(sum(means) if over is Over.SUM else max(means)), detail=detail)
    for name, (measurement, factor) in DEVICE_FIELDS.items():
        of_devices = [each for each in series if each.name == name]
        for number, each in enumerate(of_devices):
            values = [value for _, value in each.samples if value < SENTINEL]
            if values:
                device = dict(each.labels).get("gpu", str(number))
                value = Interval.point(sum(values) / len(values) * factor)
                detail = f"mean of {len(values)} samples"
                yield tell.observe(measurement, value, scope=(("device", device),), detail=detail)


def _counters(series: list[_Series], tell: Teller, messages: list[Message]) -> list[Observation]:
    """Return what grew over the range, as between two scrapes at its ends."""
    first: Scrape = {}
    last: Scrape = {}
    for each in series:
        if each.name in GAUGES or each.name in DEVICE_FIELDS:
            continue
        key, start, end = (each.name, each.labels), each.samples[0], each.samples[-1]
        if len(each.samples) > 1:
            first[key] = Sample(each.name, each.labels, 0.0, 0, start[0])
            last[key] = Sample(each.name, each.labels, each.gained, 0, end[0])
        else:
            last[key] = Sample(each.name, each.labels, end[1], 0, end[0])
    found = observed(Change(first or None, last), tell, messages)
    return [dataclasses.replace(each, origin=dataclasses.replace(each.origin, line=None)) for each in found]
