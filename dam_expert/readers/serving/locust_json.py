r"""``locust --json``: one entry for each kind of request, with its distribution of response times; no row of all.

Kinds are put together: mean and failures from the sums, percentiles from the distributions as locust does it, whose
times are rounded to two digits. The rate is that over the time from the first entry to the last request; how many
users there were is not in it.

>>> from dam_expert.readers.source import Source
>>> entry = '{"name": "/v1", "num_requests": 10, "num_none_requests": 0, "num_failures": 1, "start_time": 100.0,'
>>> entry += '"last_request_timestamp": 104.0, "total_response_time": 2000.0, "response_times": {"100": 8, "600": 2}}'
>>> reading = LocustJsonReader().read(Source.of_bytes("run.json", f"[{entry}]".encode()))
>>> [(found.measurement, found.value.lo) for found in reading.observations][:4]
[('request_time', 0.2), ('request_p50', 0.1), ('request_p90', 0.6), ('request_p95', 0.6)]
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import known
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.json_text import entries, whole
from dam_expert.readers.lines import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_KEYS = re.compile(r'"num_none_requests"\s*:\s*\d')
_LIST = re.compile(r'(?m)^[ \t]*\[(?=\s*(?:\{\s*"|\]))')
_PERCENTILES = (("request_p50", 0.5), ("request_p90", 0.9), ("request_p95", 0.95), ("request_p99", 0.99))
_MILLI = 1e-3
_HINT = "let locust finish and pass all that it prints: locust --headless --json > run.json"


@dataclasses.dataclass(frozen=True, slots=True)
class LocustJsonReader:
    """Reads the JSON that locust prints at the end of a run."""

    tool: str = "load_generator"
    title: str = "locust JSON"
    versions: str = "locust 2: --json and --json-file"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the fields of a list of locust's entries."""
        head = source.head_text
        return bool(_LIST.search(head) and _KEYS.search(head)) and '"response_times"' in head

    def read(self, source: Source) -> Reading:
        """Return latency, throughput and failures of all requests; nothing where a part of them is missing."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = whole(source, tell)
        begin = _LIST.search(text)
        found, complete = entries(text, begin.end()) if begin else ([], False)
        kinds = [_Kind.of(entry) for entry in found]
        sound = [kind for kind in kinds if kind is not None]
        observations: tuple[Observation, ...] = ()
        if not complete or len(sound) < len(kinds):
            said_of = f"{len(sound)} of its kinds of requests are whole, which is not all of the run"
            messages.append(tell.warn("truncated", said_of, hint=_HINT))
        elif not any(kind.requests for kind in sound):
            messages.append(tell.warn("no-samples", "it has no request in it", hint=_HINT))
        else:
            observations = tuple(_observations(sound, tell))
        return tell.reading(observations=observations, messages=tuple(messages), lines_read=len(found))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """The requests of one kind: counts, and times in milliseconds as locust has them."""

    requests: float
    timed: float
    failed: float
    total: float
    began: float
    ended: float
    times: dict[float, float]

    @classmethod
    def of(cls, entry: object) -> _Kind | None:
        """Return an entry; None for one in which a count or a time is missing or cannot be."""
        fields = entry if isinstance(entry, dict) else {}
        names = ("num_requests", "num_none_requests", "num_failures", "total_response_time", "start_time")
        requests, without, failed, total, began = (known(fields.get(name)) for name in names)
        ended = known(fields.get("last_request_timestamp") or began)
        counted = fields.get("response_times")
        if requests is None or failed is None or total is None or began is None or ended is None:
            return None
        if without is None or not isinstance(counted, dict) or min(requests, without, failed, total) < 0.0:
            return None
        if failed > requests or without > requests or ended < began:
            return None
        pairs = [(known(time), known(count)) for time, count in counted.items()]
        times = {time: count for time, count in pairs if time is not None and count is not None}
        if len(times) < len(pairs) or any(time < 0.0 or count < 0.0 for time, count in times.items()):
            return None
        timed = requests - without
        if not math.isclose(sum(times.values()), timed, abs_tol=0.5):
            return None
        return cls(requests=requests, timed=timed, failed=failed, total=total, began=began, ended=ended, times=times)


def _observations(kinds: list[_Kind], tell: Teller) -> Iterator[Observation]:
    requests, timed = sum(kind.requests for kind in kinds), sum(kind.timed for kind in kinds)
    samples = int(timed)
    if timed:
        mean = sum(kind.total for kind in kinds) / timed * _MILLI
        yield from said(tell, "request_time", mean, f"mean of {samples} requests", samples=samples)
        times: dict[float, float] = {}
        for kind in kinds:
            for time, count in kind.times.items():
                times[time] = times.get(time, 0.0) + count
        for measurement, part in _PERCENTILES:
            value = _percentile(times, timed, part)
            detail = f"of {samples} requests, rounded to two digits by locust"
            yield from said(tell, measurement, value and value * _MILLI, detail, samples=samples)
    failed = sum(kind.failed for kind in kinds) / requests
    yield from said(tell, "failed_request_share", failed, "failures over requests", samples=int(requests))
    served = [kind for kind in kinds if kind.requests]
    passed = max(kind.ended for kind in served) - min(kind.began for kind in served)
    if passed > 0.0:
        detail = f"{int(requests)} requests in {passed:.4g} s"
        yield from said(tell, "throughput", requests / passed, detail, samples=int(requests))


def _percentile(times: dict[float, float], requests: float, part: float) -> float | None:
    """Return the time below or at which a part of the requests ends, by the rule of locust.

    >>> _percentile({100.0: 8.0, 600.0: 2.0}, 10.0, 0.5), _percentile({}, 0.0, 0.5)
    (100.0, None)
    """
    below = requests
    for time in sorted(times, reverse=True):
        below -= times[time]
        if below <= int(requests * part):
            return time
    return None
