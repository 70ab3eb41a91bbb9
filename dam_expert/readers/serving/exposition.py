r"""Prometheus text: samples line by line, one bad or cut line loses only itself; several scrapes in one file.

A series (name and labels) that comes again begins the next scrape, as in ``curl … >> metrics.txt`` once a minute.
Prefixes that exporters put before a server's names are unified: ``vllm:``, ``vllm_``, ``ray_vllm_`` are one.

>>> scrapes = Scrapes()
>>> for at, line in enumerate(["# TYPE a counter", 'a{b="x\\"}"} 1 1700000000000', "broken", 'a{b="x\\"}"} NaN']):
...     scrapes.take(at, line)
>>> [(s.name, s.labels, s.value) for s in scrapes.first.values()], scrapes.count, scrapes.odd
([('a', (('b', 'x\\"}'),), 1.0)], 2, 1)
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.documents.intervals import LARGEST
from dam_expert.readers.text import ADDRESS

if TYPE_CHECKING:
    from collections.abc import Iterator

SERIES = 50_000
"""More series than any server has; what comes after is left out."""

WHOLE = 0.9
"""Part of the series of the scrape before from which a scrape is whole."""

_SAMPLE = re.compile(
    r"^(?P<name>[a-zA-Z_:][\w:]{0,199})(?:\{(?P<labels>(?:[^\"{}]|\"(?:[^\"\\]|\\.)*+\")*+)\})?"
    r"\s+(?P<value>[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+|[Ii]nf|NaN|nan))"
    r"(?:\s+(?P<time>-?\d+(?:\.\d+)?))?\s*(?:#.*)?$"
)
_COMMAND = 1000
"""Characters of a line between samples in which an address is looked for."""

_SERVERS = 8
"""More addresses need not be told apart from a few."""

_LABEL = re.compile(r'([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*+)"')
_SPELLINGS = (
    (re.compile(r"^(?:ray_)?vllm[:_]"), "vllm:"),
    (re.compile(r"^(?:ray_)?sglang[:_]"), "sglang:"),
)

Labels: TypeAlias = tuple[tuple[str, str], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Sample:
    """One value of one series. ``time`` in seconds where the line has one; ``line`` counts from 1."""

    name: str
    labels: Labels
    value: float
    line: int
    time: float | None = None

    def label(self, name: str) -> str:
        """Return the value of a label, empty where it is not set."""
        return next((value for key, value in self.labels if key == name), "")


Scrape: TypeAlias = dict[tuple[str, Labels], Sample]


@dataclasses.dataclass(slots=True)
class Scrapes:
    """The state between lines.

    Of many scrapes the first and the last say everything; values that are no numbers and a last scrape that is cut
    off are left out.
    """

    first: Scrape = dataclasses.field(default_factory=dict)
    count: int = 0
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None
    addresses: set[str] = dataclasses.field(default_factory=set)
    """Servers that lines between the samples name: ``curl http://10.0.0.1:8000/metrics``."""
    _before: Scrape = dataclasses.field(default_factory=dict)
    _current: Scrape = dataclasses.field(default_factory=dict)
    _met: set[tuple[str, Labels]] = dataclasses.field(default_factory=set)

    def take(self, line: int, text: str) -> None:
        """Take one line; comments say nothing."""
        self.seen += 1
        sample = None if text.startswith("#") else sample_of(text, line)
        if sample is None and len(self.addresses) < _SERVERS:
            self.addresses.update(ADDRESS.findall(text[:_COMMAND]))
        if text.startswith("#"):
            return
        if sample is None:
            self.odd += 1
            self.first_odd = self.first_odd or line
            return
        if _is_again(sample):
            return
        key = (sample.name, sample.labels)
        if key in self._met or not self.count:
            self._before, self._current, self._met = self._current, {}, set()
            self.count += 1
        if len(self._met) < SERIES:
            self._met.add(key)
            if abs(sample.value) < LARGEST:
                self._current[key] = sample
        if self.count == 1:
            self.first = self._current

    @property
    def last(self) -> Scrape:
        """The last scrape that is whole; the first where there is one only."""
        whole = len(self._current) >= WHOLE * len(self._before)
        return self._current if whole else self._before


def unified(name: str) -> str:
    """Return a metric's name as the server itself spells it.

    >>> unified("ray_vllm_num_requests_waiting"), unified("nv_inference_count")
    ('vllm:num_requests_waiting', 'nv_inference_count')
    """
    for pattern, prefix in _SPELLINGS:
        name = pattern.sub(prefix, name)
    return name


def sample_of(text: str, line: int) -> Sample | None:
    """Return the sample of a line, None for a line that is none."""
    found = _SAMPLE.match(text)
    if found is None:
        return None
    labels = tuple(sorted((key, value[:200]) for key, value in _LABEL.findall(found["labels"] or "")))
    time = float(found["time"][:20]) if found["time"] else None
    if time is not None and time > 1e11:  # Prometheus writes milliseconds, OpenMetrics seconds
        time /= 1000.0
    return Sample(unified(found["name"]), labels, float(found["value"]), line, time)


def _is_again(sample: Sample) -> bool:
    """Whether a series repeats what another says: each rank of one model, and parts of a queue beside the whole.

    SGLang can print every series once for each rank that computes the same batch, and for each priority beside the sum
    of all, whose label is empty.

    >>> texts = ('a{tp_rank="0"} 4', 'a{tp_rank="1"} 4', 'a{dp_rank="1"} 4', 'a{priority=""} 4', 'a{priority="-1"} 4')
    >>> [_is_again(sample) for text in texts if (sample := sample_of(text, 1))]
    [False, True, False, False, True]
    """
    return any(sample.label(name) not in {"", "0"} for name in ("tp_rank", "pp_rank")) or bool(sample.label("priority"))


def named(scrape: Scrape, name: str) -> Iterator[Sample]:
    """Yield the samples of a metric; a counter is found with and without ``_total``."""
    for sample in scrape.values():
        if sample.name in (name, f"{name}_total"):
            yield sample
