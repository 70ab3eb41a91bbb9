r"""The Prometheus metrics of vLLM, SGLang, TGI and Triton: queue, cache, stage times and tokens.

Everything a server counts, it counts since its start. One scrape therefore gives gauges and lifetime means, which say
little of the load in question and never decide (basis *said*); two scrapes, in one file or in two, give the means over
the requests in between. Stage times are means over the same requests. A quantile is known to the width of its bucket.

>>> from dam_expert.readers.source import Source
>>> scrape = "vllm:num_requests_waiting 4\n{0}_sum {1}\n{0}_count {2}\n"
>>> name = "vllm:request_queue_time_seconds"
>>> raw = scrape.format(name, 10, 100) + scrape.format(name, 40, 120)
>>> reading = ServerMetricsReader().read(Source.of_bytes("m.prom", raw.encode()))
>>> [(found.measurement, found.value.lo, str(found.basis)) for found in reading.observations[:-1]]
[('queue_depth', 4.0, 'tool'), ('queue_time', 1.5, 'tool')]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.serving import names
from dam_expert.readers.serving.change import Change
from dam_expert.readers.serving.exposition import Scrapes, named
from dam_expert.readers.serving.process import is_one_process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.serving.exposition import Scrape
    from dam_expert.readers.source import Source

_LINE = re.compile(rf"(?m)^\W{{0,4}}(?:(?:HELP|TYPE)\s+)?{names.KNOWN}(?:\{{|\s+\S)")
_AGAIN = "scrape again a minute later under the same load and pass both, in one file or two"
_APART = "pass the scrapes of one server"
_UNDER_LOAD = frozenset({"kv_cache_usage", "token_rate"})

SAME_REQUESTS = 0.02
"""Stage histograms are of the same requests if their counts differ by no more than those under way."""


@dataclasses.dataclass(frozen=True, slots=True)
class ServerMetricsReader:
    """Reads what a model server answers on ``/metrics``."""

    tool: str = "server_metrics"
    title: str = "metrics of vLLM, SGLang, TGI or Triton"
    versions: str = "vLLM 0.6 to 0.20, SGLang 0.4 and 0.5, TGI 2 and 3, Triton 2"

    def recognises(self, source: Source) -> bool:
        """Whether a line is a sample or comment of a metric of these servers."""
        return _LINE.search(source.head_text) is not None

    def read(self, source: Source) -> Reading:
        """Return gauges, and means over the requests between the first and the last scrape."""
        tell = Teller(file=source.shown, tool=self.tool)
        messages: list[Message] = []
        scrapes = scraped(source, tell, messages)
        # a last scrape that is cut off leaves the first alone
        first = scrapes.first if scrapes.last is not scrapes.first else None
        if first is not None and _is_of_several(first, scrapes):
            text = "the scrapes are of several servers, or of one that was started again: the last counts alone"
            messages.append(tell.warn("two-servers", text, hint=_APART))
            first = None
        found = observed(Change(first, scrapes.last), tell, messages)
        messages += tell.not_understood(scrapes.odd, scrapes.seen, first=scrapes.first_odd)
        if not found:
            text = "no metric in it tells of requests, cache or stages"
            messages.append(
                tell.warn("no-samples", text, hint="scrape the server's /metrics while it answers requests")
            )
        return tell.reading(
            observations=tuple(found),
            messages=tuple(messages),
            lines_read=scrapes.seen,
            lines_not_understood=scrapes.odd,
        )


def _is_of_several(first: Scrape, scrapes: Scrapes) -> bool:
    """Whether lines between the scrapes name several servers, or the scrapes several starts with counters that grew."""
    if len(scrapes.addresses) > 1:
        return True
    return is_one_process(first, scrapes.last) is False and not Change(first, scrapes.last).restarted


def scraped(source: Source, tell: Teller, messages: list[Message]) -> Scrapes:
    """Return the scrapes of a source."""
    scrapes = Scrapes()
    for line, text in each_line(source, tell, messages):
        scrapes.take(line, text)
    return scrapes


def observed(change: Change, tell: Teller, messages: list[Message]) -> list[Observation]:
    """Return what two scrapes, or one, say; what is to be known about them is added to the messages."""
    if change.restarted:
        text = "the server was started again between the scrapes: only what came after counts"
        messages.append(tell.warn("counter-reset", text, hint=_AGAIN))
        change = Change(None, change.last)
    derived = list(_Derivation(change, tell).observations())
    if derived:
        derived.append(tell.observe("workload_kind", "serving", detail="metrics of a model server"))
    under_way = [found.value for found in derived if found.measurement in {"running_requests", "queue_depth"}]
    if under_way and all(value == Interval.point(0.0) for value in under_way):
        text = "no request was under way at the scrape: cache use and rates of that moment are left out"
        messages.append(tell.note("idle", text, hint="scrape under the load in question"))
        derived = [found for found in derived if found.measurement not in _UNDER_LOAD]
    if change.first is None and any(found.basis is Basis.SAID for found in derived):
        text = "one scrape gives means since the start of the server, which decide nothing"
        messages.append(tell.note("one-scrape", text, hint=_AGAIN))
    return derived


@dataclasses.dataclass(frozen=True, slots=True)
class _Derivation:
    """From a change to observations."""

    change: Change
    tell: Teller

    def observations(self) -> Iterator[Observation]:
        yield from self._gauges()
        yield from self._means()
        yield from self._ratios()
        yield from self._overhead()
        yield from self._rates()
        yield from self._summaries()

    def _counted(self, measurement: str, value: Interval, count: float, line: int | None, of: str) -> Observation:
        """Return what is known from counters: decisive only between two scrapes."""
        when = "since the server started" if self.change.first is None else "between the scrapes"
        told, requests = f"{of} of {count:.0f} {when}", max(int(count), 1)
        found = self.tell.observe(measurement, value, line=line, detail=told, samples=requests)
        return dataclasses.replace(found, basis=Basis.SAID) if self.change.first is None else found

    def _gauges(self) -> Iterator[Observation]:
        done: set[str] = set()
        for name, (measurement, over) in names.GAUGES.items():
            samples = [sample for sample in named(self.change.last, name) if sample.value >= 0.0]
            if not samples or measurement in done:
                continue
            done.add(measurement)
            values = [sample.value for sample in samples]
            total = sum(values) if over is names.Over.SUM else max(values)
            detail = "at the scrape" if len(values) == 1 else f"{over.value} of {len(values)} series at the scrape"
            yield self.tell.observe(measurement, Interval.point(total), line=samples[0].line, detail=detail)
        for name, measurement in names.DEVICE_GAUGES.items():
            for number, sample in enumerate(named(self.change.last, name)):
                scope: Scope = (("device", str(number)),)
                value = Interval.point(sample.value)
                yield self.tell.observe(measurement, value, scope=scope, line=sample.line, detail="at the scrape")

    def _means(self) -> Iterator[Observation]:
        for measurement, spellings in names.MEANS.items():
            for name in spellings:
                found = self.change.mean(name)
                if found is None:
                    continue
                mean, count, line = found
                yield self._counted(measurement, Interval.point(mean), count, line, "mean")
                for percentile, part in names.QUANTILES.get(measurement, ()):
                    bucket = self.change.quantile(name, part)
                    if bucket is not None:
                        yield self._counted(percentile, bucket, count, line, f"bucket of the {part:.0%} point")
                break

    def _ratios(self) -> Iterator[Observation]:
        for measurement, spellings in names.RATIOS.items():
            for part, whole, factor in spellings:
                found = self.change.ratio(part, whole)
                if found is None:
                    continue
                value, count, line = found
                if measurement == "preempted_share":  # one request may be preempted several times
                    value = min(value, 1.0)
                yield self._counted(measurement, Interval.point(value * factor), count, line, "ratio, per one")
                break
        yield from self._none_preempted()
        for failed, succeeded in names.FAILURES:
            lost, done = self.change.gain(failed), self.change.gain(succeeded)
            if lost is not None and done is not None and lost >= 0 and done >= 0 and lost + done > 0:
                share = Interval.point(lost / (lost + done))
                yield self._counted("failed_request_share", share, lost + done, self.change.line(failed), "failed")

    def _none_preempted(self) -> Iterator[Observation]:
        """Yield that no request was put off, where none was and no counter says how many requests ended."""
        name, of_running = "vllm:num_preemptions", "vllm:num_requests_running"
        if self.change.gain(name) != 0.0 or any(
            self.change.ratio(*each[:2]) for each in names.RATIOS["preempted_share"]
        ):
            return
        scrapes = [each for each in (self.change.first, self.change.last) if each is not None]
        engines = [{each.labels for each in named(scrape, key)} for scrape in scrapes for key in (name, of_running)]
        if any(each != engines[0] for each in engines):
            return  # a number is lacking: what it would have said is not known
        running = sum(sample.value for sample in named(self.change.last, of_running))
        if running >= 1.0:
            yield self._counted("preempted_share", Interval.point(0.0), running, self.change.line(name), "none")

    def _overhead(self) -> Iterator[Observation]:
        """Yield what no stage explains of the time in the server, where all are of the same requests."""
        parts = {}
        for measurement in ("request_time", "queue_time", "compute_time", "preprocess_time"):
            found = [self.change.mean(name) for name in names.MEANS[measurement]]
            found += [self._scaled(*each) for each in names.RATIOS.get(measurement, ())]
            parts[measurement] = next((each for each in found if each is not None), None)
        whole, queue, compute = parts["request_time"], parts["queue_time"], parts["compute_time"]
        if whole is None or queue is None or compute is None:
            return
        staged = [part for name, part in parts.items() if part is not None and name != "request_time"]
        rest = whole[0] - sum(part[0] for part in staged)
        if rest >= 0.0 and all(abs(part[1] - whole[1]) <= SAME_REQUESTS * whole[1] for part in staged):
            yield self._counted("server_overhead_time", Interval.point(rest), whole[1], whole[2], "rest, mean")

    def _scaled(self, part: str, whole: str, factor: float) -> tuple[float, float, int | None] | None:
        found = self.change.ratio(part, whole)
        return None if found is None else (found[0] * factor, found[1], found[2])

    def _rates(self) -> Iterator[Observation]:
        seconds = self.change.seconds
        if seconds is None:
            return
        for measurement, spellings in names.RATES.items():
            for name in spellings:
                gained = self.change.gain(name)
                if gained is not None and gained >= 0.0:
                    detail = f"increase of the counter over {seconds:.0f} s"
                    value = Interval.point(gained / seconds)
                    yield self.tell.observe(measurement, value, line=self.change.line(name), detail=detail)
                    break

    def _summaries(self) -> Iterator[Observation]:
        for name, factor in names.SUMMARIES.items():
            samples = [sample for sample in self.change.last.values() if sample.name == name]
            if len({sample.label("model") for sample in samples}) != 1:  # quantiles of several models do not add
                continue
            for percentile, part in names.QUANTILES["request_time"]:
                for sample in samples:
                    if sample.label("quantile") == f"{part:g}":
                        value = Interval.point(sample.value * factor)
                        detail = "summary of the server over its recent requests"
                        yield self.tell.observe(percentile, value, line=sample.line, detail=detail)
