r"""What vLLM and SGLang log of themselves every few seconds: requests under way and waiting, cache, tokens per second.

Lines of a server without a request say nothing of its load and are left out. Of several engines (data parallel ranks)
requests and rates add up, and the fullest cache counts; tensor parallel ranks log once.

>>> from dam_expert.readers.source import Source
>>> raw = b"INFO [loggers.py:87] Engine 000: Avg prompt throughput: 1254.4 tokens/s, Avg generation throughput: 29.2 "
>>> raw += b"tokens/s, Running: 10 reqs, Waiting: 4 reqs, GPU KV cache usage: 57.5%, Prefix cache hit rate: 40.5%"
>>> reading = EngineLogReader().read(Source.of_bytes("vllm.log", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations[:4]]
[('running_requests', 10.0), ('queue_depth', 4.0), ('token_rate', 29.2), ('kv_cache_usage', 0.575)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import known
from dam_expert.readers.lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_VLLM = re.compile(r"\bAvg generation throughput: ")
_SGLANG = re.compile(r"\bDecode batch[.,] .*#running-req: ")
_DRAFT = re.compile(r"\bAvg Draft acceptance rate: ([\d.]{1,10})%")
_PREEMPTED = re.compile(
    r"\bSequence group \S{1,80} is preempted\b(?:.*cumulative_preemption(?:_cnt)?=(?P<all>\d{1,12}))?"
    r"|\bRetract requests\.? .*#retracted_reqs: (?P<now>\d{1,9})|#retracted_reqs: (?P<then>\d{1,9})"
)
"""How vLLM and SGLang say that the cache was full: with the count so far, or with that of the moment."""

_ENGINE = re.compile(r"\bEngine (\d{1,6}): |^\[[^\]]{0,40}\bDP(\d{1,6})\b")
_N = r"([\d.]{1,15})"
_FIELDS = {
    "running_requests": re.compile(rf"\bRunning: {_N} reqs|#running-req: {_N}"),
    "queue_depth": re.compile(rf"\b(?:Waiting|Pending): {_N} reqs|#queue-req: {_N}"),
    "token_rate": re.compile(rf"\bAvg generation throughput: {_N} tok|\bgen throughput \(token/s\): {_N}"),
    "kv_cache_usage": re.compile(rf"(?<!CPU )\bKV cache usage: {_N}%|\btoken usage: {_N}"),
}
_HITS = re.compile(r"[Pp]refix cache hit rate: (?:GPU: )?([\d.]{1,10})%")
_PERCENT = re.compile(r"\bKV cache usage: ")
_SUMMED = ("running_requests", "queue_depth", "token_rate")
_ENGINES = 4096
"""Engines that are told apart; more come only from broken files."""


@dataclasses.dataclass(slots=True)
class _Sums:
    """Sums over the lines of one engine."""

    count: int = 0
    line: int = 0
    values: dict[str, float] = dataclasses.field(default_factory=dict)
    counts: dict[str, int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class EngineLogReader:
    """Reads the lines in which an engine tells its load."""

    tool: str = "server_metrics"
    title: str = "log of vLLM or SGLang"
    versions: str = "vLLM 0.2 to 0.20, SGLang 0.3 to 0.5"

    def recognises(self, source: Source) -> bool:
        """Whether a line of the head tells the load of an engine."""
        return any(_VLLM.search(line) or _SGLANG.search(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return the means over the lines under load."""
        return read_lines(source, self.tool, _Lines())


@dataclasses.dataclass(slots=True)
class _Lines:
    """The state between lines."""

    engines: dict[str, _Sums] = dataclasses.field(default_factory=dict)
    hits: tuple[float, int] | None = None
    drafts: list[float] = dataclasses.field(default_factory=list)
    draft_line: int | None = None
    idle: int = 0
    preempted: float | None = None
    preempted_line: int | None = None

    def take(self, line: int, text: str) -> bool:
        if preempted := _PREEMPTED.search(text):
            self.preempted_line = self.preempted_line or line
            if preempted["all"]:
                self.preempted = float(preempted["all"])
            elif now := preempted["now"] or preempted["then"]:
                self.preempted = (self.preempted or 0.0) + float(now)
            return True
        if draft := _DRAFT.search(text):
            share = known(draft[1])
            if share is not None:
                self.drafts.append(share)
                self.draft_line = self.draft_line or line
            return share is not None
        if not _VLLM.search(text) and not _SGLANG.search(text):
            return True
        values = {name: value for name, field in _FIELDS.items() if (value := _number(field.search(text))) is not None}
        if "running_requests" not in values:
            return False
        if not values["running_requests"] and not values.get("queue_depth"):
            self.idle += 1
            return True
        if "kv_cache_usage" in values and _PERCENT.search(text):
            values["kv_cache_usage"] /= 100.0
        hits = _number(_HITS.search(text))
        self.hits = self.hits if hits is None else (hits / 100.0, line)
        self._add(line, text, values)
        return True

    def _add(self, line: int, text: str, values: dict[str, float]) -> None:
        engine = _ENGINE.search(text)
        name = (engine[1] or engine[2]) if engine else ""
        if name not in self.engines and len(self.engines) >= _ENGINES:
            return
        sums = self.engines.setdefault(name, _Sums(line=line))
        sums.count += 1
        for measurement, value in values.items():
            sums.values[measurement] = sums.values.get(measurement, 0.0) + value
            sums.counts[measurement] = sums.counts.get(measurement, 0) + 1

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for measurement in _FIELDS:
            means = [
                (sums.values[measurement] / sums.counts[measurement], sums.counts[measurement], sums.line)
                for sums in self.engines.values()
                if measurement in sums.values
            ]
            if not means:
                continue
            total = sum(mean for mean, _, _ in means) if measurement in _SUMMED else max(mean for mean, _, _ in means)
            samples = min(count for _, count, _ in means)
            how = f"mean of {samples} lines under load" if samples > 1 else "one line"
            if len(means) > 1:
                how += f", {'sum' if measurement in _SUMMED else 'largest'} of {len(means)} engines"
            value = Interval.point(total)
            yield tell.observe(measurement, value, line=means[0][2], detail=how, samples=samples)
        if self.preempted_line is not None:
            yield tell.observe("preempted_reported", "true", line=self.preempted_line, detail="the engine says so")
        if self.preempted is not None:
            value, detail = Interval.point(self.preempted), "as the engine counts them"
            yield tell.observe("preemptions", value, line=self.preempted_line, detail=detail)
        if self.hits is not None:
            value = Interval.point(self.hits[0])
            yield tell.observe("prefix_cache_hit_share", value, line=self.hits[1], detail="as the last line says")
        if self.drafts:
            value = Interval.point(sum(self.drafts) / len(self.drafts) / 100.0)
            detail = f"mean of {len(self.drafts)} lines"
            yield tell.observe("draft_acceptance_share", value, line=self.draft_line, detail=detail)

        if self.engines or self.preempted_line is not None:
            line = self.preempted_line or min(sums.line for sums in self.engines.values())
            yield tell.observe("workload_kind", "serving", line=line, detail="log of a model server")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.engines and self.idle:
            text = f"no request was under way in any of {self.idle} lines"
            yield tell.warn("idle", text, hint="pass the log of the time under the load in question")


def _number(found: re.Match[str] | None) -> float | None:
    """Return the number in the first group that matched."""
    return None if found is None else next((known(group) for group in found.groups() if group is not None), None)
