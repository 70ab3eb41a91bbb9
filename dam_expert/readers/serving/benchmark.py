r"""Results of ``vllm bench serve`` and ``sglang.bench_serving``: the table they print and the JSON they save.

Labels changed in case and wording over the versions, sections are there by option. Pauses between tokens (ITL) are not
the time per output token (TPOT) where tokens arrive in bursts, and have measurements of their own. With an unlimited
request rate the run measures capacity: its time to the first token is mostly queueing, which a note says.

>>> from dam_expert.readers.source import Source
>>> raw = b'''============ Serving Benchmark Result ============
... Successful requests:                     1024
... Request throughput (req/s):              16.05
... Mean TTFT (ms):                          564.63
... ==================================================
... '''
>>> reading = ServingBenchmarkReader().read(Source.of_bytes("bench.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations[:-1]]
[('throughput', 16.05), ('time_to_first_token', 0.56463)]
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, first_json, grouped, known, objects, text_of
from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_TITLE = re.compile(r"^=+ ?Serving Benchmark Result ?=+$")
_ROW = re.compile(r"^([A-Za-z][^:]{2,60}):\s+(\S+(?: \S+){0,3})$")
_STATISTIC = re.compile(r"^(mean|median|std|p\d+(?:\.\d+)?|max) (ttft|tpot|itl|e2el|e2e latency) \((ms|s)\)$")
_RULE = re.compile(r"^[-=]{3,}.*[-=]{3,}$")
_JSON = re.compile(r'"(?:mean_ttft_ms|median_ttft_ms)"\s*:|"request_throughput"\s*:[^{}]*"output_throughput"\s*:')

_LABELS = {
    "successful requests": "completed",
    "failed requests": "failed",
    "benchmark duration (s)": "duration",
    "total input tokens": "total_input_tokens",
    "total generated tokens": "total_output_tokens",
    "request throughput (req/s)": "request_throughput",
    "output token throughput (tok/s)": "output_throughput",
    "request rate configured (rps)": "request_rate",
    "traffic request rate": "request_rate",
    "maximum request concurrency": "max_concurrency",
    "max request concurrency": "max_concurrency",
    "concurrency": "concurrency",
    "acceptance rate (%)": "acceptance_percent",
}

_PLAIN = (
    ("throughput", "request_throughput", 1.0),
    ("token_rate", "output_throughput", 1.0),
    ("concurrency", "max_concurrency", 1.0),
    ("requests_in_flight", "concurrency", 1.0),
    ("draft_acceptance_share", "acceptance_percent", 0.01),
)
_TIMES = {
    "ttft": ("time_to_first_token", "time_to_first_token_"),
    "tpot": ("time_per_output_token", "time_per_output_token_"),
    "itl": ("token_interval", "token_interval_"),
    "e2el": ("request_time", "request_"),
    "e2e_latency": ("request_time", "request_"),
}
_POINTS = {"ttft": ("50", "99"), "tpot": ("50", "99"), "itl": ("50", "99")}
_MEASURED = {"request_throughput", "output_throughput", "completed", "mean_ttft_ms", "median_ttft_ms"}
_REQUEST_POINTS = ("50", "90", "95", "99")


@dataclasses.dataclass(slots=True)
class Result:
    """One result: fields under their JSON names, and the line of each in a text."""

    fields: dict[str, float] = dataclasses.field(default_factory=dict)
    lines: dict[str, int] = dataclasses.field(default_factory=dict)

    @property
    def load(self) -> tuple[float, float]:
        """Return what orders results by how hard they press: rate, then concurrency, unlimited last."""
        return self.fields.get("request_rate", math.inf), self.fields.get("max_concurrency", math.inf)


@dataclasses.dataclass(frozen=True, slots=True)
class ServingBenchmarkReader:
    """Reads the result table or the result JSON of a serving benchmark."""

    tool: str = "serving_benchmark"
    title: str = "vLLM or SGLang serving benchmark"
    versions: str = "vLLM 0.4 to 0.20, SGLang 0.3 to 0.5: text, JSON"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the title of the table or the keys of the JSON."""
        return "Serving Benchmark Result" in source.head or _JSON.search(source.head) is not None

    def read(self, source: Source) -> Reading:
        """Return the result; of several, the one with the highest load."""
        tell = Teller(file=source.shown, tool=self.tool)
        messages: list[Message] = []
        if "Serving Benchmark Result" in source.head:
            table = _Table()
            for line, text in each_line(source, tell, messages):
                table.take(line, text)
            results, seen, odd = table.results, table.seen, table.odd
            messages += tell.not_understood(odd, seen, first=table.first_odd)
        else:
            results, odd = _saved(text_of(source, tell, messages)), 0
            seen = len(results)
        used = _highest(results, tell, messages)
        found = tuple(_observations(used, tell)) if used is not None else ()
        if not found:
            hint = "let the benchmark finish and pass all it printed"
            messages.append(tell.warn("no-samples", "it holds no complete result", hint=hint))
        return tell.reading(
            observations=found,
            messages=tuple(messages),
            lines_read=seen,
            lines_not_understood=odd,
        )


@dataclasses.dataclass(slots=True)
class _Table:
    """The state between lines: lines before a title belong to the program that ran."""

    results: list[Result] = dataclasses.field(default_factory=list)
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None
    _open: bool = False

    def take(self, line: int, text: str) -> None:
        text = text.lstrip("# ")  # as scripts and documents quote it
        if _TITLE.match(text):
            self.results.append(Result())
            self._open = True
        elif not self._open:
            return
        self.seen += 1
        if _RULE.match(text):
            self._open = not re.fullmatch(r"=+", text)
            return
        row = _ROW.match(text)
        if row is None:
            self.odd += 1
            self.first_odd = self.first_odd or line
            return
        key, factor = _key(row[1].strip().lower())
        value = math.inf if row[2].lower() == "inf" else grouped(row[2])
        if key and value is not None:
            self.results[-1].fields[key] = value * factor
            self.results[-1].lines[key] = line


def _key(label: str) -> tuple[str, float]:
    """Return the JSON name of a label and the factor to its unit there; an empty name for one that is not used.

    >>> _key("p99 e2el (ms)"), _key("mean ttft (s)"), _key("backend")
    (('p99_e2el_ms', 1.0), ('mean_ttft_ms', 1000.0), ('', 1.0))
    """
    found = _STATISTIC.match(label)
    if found is not None:
        return f"{found[1]}_{found[2].replace(' ', '_')}_ms", 1000.0 if found[3] == "s" else 1.0
    return _LABELS.get(label, ""), 1.0


def _saved(text: str) -> list[Result]:
    """Return the results of a JSON object, a list of them, or one to a line."""
    whole = first_json(text)
    one_each = [found for found in objects(text) if "request_throughput" in found]
    found = one_each if len(one_each) > 1 else whole if isinstance(whole, list) else [whole]
    results = []
    for each in found:
        if isinstance(each, dict):
            fields = {str(key): _field(value) for key, value in each.items()}
            result = Result(fields={key: value for key, value in fields.items() if value is not None})
            prompts = result.fields.get("num_prompts")
            if prompts is not None and "completed" in result.fields:
                result.fields.setdefault("failed", max(prompts - result.fields["completed"], 0.0))
            results.append(result)
    return results


def _field(value: object) -> float | None:
    return math.inf if value == "inf" or value == math.inf else known(value)


def _highest(results: Sequence[Result], tell: Teller, messages: list[Message]) -> Result | None:
    """Return the result to use, and say what there is to know about the choice."""
    if not results:
        return None
    used = max(reversed(results), key=lambda result: result.load)
    if len(results) > 1:
        text = f"of {len(results)} results the one with the highest load is used"
        messages.append(tell.note("several-results", text, hint="pass one result to look at another load"))
    if used.fields.get("request_rate") == math.inf and "max_concurrency" not in used.fields:
        text = "all requests were sent at once: the time to the first token is mostly queueing"
        messages.append(tell.note("unlimited-rate", text, hint="set --request-rate to the rate in question"))
    return used


def _taken(fields: dict[str, float]) -> dict[str, float]:
    """Return the fields without times of nothing: of answers that did not come token by token none was measured.

    >>> _taken({"mean_itl_ms": 0.0, "p99_itl_ms": 0.0, "mean_tpot_ms": 1.5, "p50_tpot_ms": -0.0, "duration": 9.0})
    {'mean_tpot_ms': 1.5, 'duration': 9.0}
    """
    never = {name for name in _TIMES if fields.get(f"mean_{name}_ms", 1.0) <= 0.0}
    return {
        key: value
        for key, value in fields.items()
        if not key.endswith("_ms") or (key[:-3].partition("_")[2] not in never and (value > 0.0 or "_itl" in key))
    }


def _observations(result: Result, tell: Teller) -> Iterator[Observation]:
    def say(measurement: str, value: float | None, key: str, detail: str) -> Iterator[Observation]:
        if value is not None and math.isfinite(value):
            yield tell.observe(measurement, Interval.point(value), line=result.lines.get(key), detail=detail)

    fields = _taken(result.fields)
    for measurement, key, factor in _PLAIN:
        if key in fields:
            yield from say(measurement, fields[key] * factor, key, key.replace("_", " "))
    yield from say("offered_rate", fields.get("request_rate"), "request_rate", "configured request rate")
    completed = fields.get("completed")
    if completed:
        for measurement, key in (
            ("prompt_tokens_per_request", "total_input_tokens"),
            ("output_tokens_per_request", "total_output_tokens"),
        ):
            if key in fields:
                yield from say(measurement, fields[key] / completed, key, "all tokens over completed requests")
    if completed is not None and "failed" in fields and completed + fields["failed"] > 0:
        share = fields["failed"] / (completed + fields["failed"])
        yield from say("failed_request_share", share, "failed", "failed over all requests")
    for name, (mean, point) in _TIMES.items():
        yield from say(mean, _milliseconds(fields, f"mean_{name}_ms"), f"mean_{name}_ms", "mean over requests")
        for part in _POINTS.get(name, _REQUEST_POINTS):
            keys = (f"p{part}_{name}_ms", *((f"median_{name}_ms",) if part == "50" else ()))
            key = next((each for each in keys if each in fields), keys[0])
            yield from say(f"{point}p{part}", _milliseconds(fields, key), key, "percentile as printed")
    if fields.keys() & _MEASURED:
        yield tell.observe("workload_kind", "serving", detail="a benchmark of a model server")


def _milliseconds(fields: dict[str, float], key: str) -> float | None:
    value = fields.get(key)
    return None if value is None else value * 1e-3
