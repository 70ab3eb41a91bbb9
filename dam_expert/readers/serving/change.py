"""What the counters of a server gained between two scrapes, or since its start where there is only one.

>>> from dam_expert.readers.serving.exposition import sample_of
>>> def scrape(*lines): return {(s.name, s.labels): s for s in (sample_of(line, 1) for line in lines)}
>>> change = Change(scrape("t_sum 10", "t_count 5"), scrape("t_sum 16", "t_count 8"))
>>> change.mean("t"), Change(None, scrape("t_sum 16", "t_count 8")).mean("t")
((2.0, 3.0, 1), (2.0, 8.0, 1))
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.serving.exposition import named
from dam_expert.readers.serving.names import GAUGES, GROWING

if TYPE_CHECKING:
    from dam_expert.readers.serving.exposition import Sample, Scrape

SHORTEST, LONGEST = 0.1, 1e9
"""Seconds between two scrapes that are possible."""

SAME_COUNT = 1e-6
"""Counts of one histogram differ at most by rounding."""


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """Two scrapes of one server; without a first one, what there was since its start."""

    first: Scrape | None
    last: Scrape

    def gain(self, name: str, *, without: str = "") -> float | None:
        """Return the increase of a counter over all its label sets, None where it is not there."""
        gains = [self._of(sample) for sample in named(self.last, name) if not without or not sample.label(without)]
        return sum(gains) if gains else None

    def _of(self, sample: Sample) -> float:
        before = None if self.first is None else self.first.get((sample.name, sample.labels))
        return sample.value - (before.value if before is not None else 0.0)

    def line(self, name: str) -> int | None:
        """Return the line of a metric in the last scrape."""
        return next((sample.line for sample in named(self.last, name)), None)

    def mean(self, name: str) -> tuple[float, float, int | None] | None:
        """Return mean, count and line of a histogram or summary; None where nothing was counted."""
        total, count = self.gain(f"{name}_sum"), self.gain(f"{name}_count")
        if total is None or count is None or count < 1.0 or total < 0.0:
            return None
        return total / count, count, self.line(f"{name}_sum")

    def ratio(self, part: str, whole: str) -> tuple[float, float, int | None] | None:
        """Return the increase of one counter over that of another, the latter, and the line; None without any."""
        above, below = self.gain(part), self.gain(whole)
        if above is None or below is None or below < 1.0 or above < 0.0:
            return None
        return above / below, below, self.line(part)

    def quantile(self, name: str, part: float) -> Interval | None:
        """Return the bounds of the bucket in which a quantile lies; the last bucket has no upper one.

        None where the buckets contradict the count, as in a cut or hand-made file.
        """
        edges = self._buckets(name)
        count = self.gain(f"{name}_count")
        if not edges or not count or abs(edges[-1][1] - count) > SAME_COUNT * count or math.isfinite(edges[-1][0]):
            return None
        if any(later[1] < earlier[1] for earlier, later in itertools.pairwise(edges)):
            return None
        below = 0.0
        for edge, reached in edges:
            if reached >= part * count:
                return Interval(below, edge)
            below = edge
        return None

    def _buckets(self, name: str) -> list[tuple[float, float]]:
        """Return (upper edge, gained observations up to it) in order of the edges."""
        gained: dict[float, float] = {}
        for sample in named(self.last, f"{name}_bucket"):
            try:
                edge = float(sample.label("le"))
            except ValueError:
                continue
            if not math.isnan(edge) and edge >= 0.0:
                gained[edge] = gained.get(edge, 0.0) + self._of(sample)
        return sorted(gained.items())

    @property
    def restarted(self) -> bool:
        """Whether a counter is lower than before: the server was started again in between."""
        return self.first is not None and any(
            key in self.first and sample.value < self.first[key].value
            for key, sample in self.last.items()
            if grows(sample)
        )

    @property
    def seconds(self) -> float | None:
        """The time between the scrapes, where samples carry their time."""
        first = next((sample.time for sample in (self.first or {}).values() if sample.time is not None), None)
        last = next((sample.time for sample in self.last.values() if sample.time is not None), None)
        if first is None or last is None or not SHORTEST < last - first < LONGEST:
            return None
        return last - first


def grows(sample: Sample) -> bool:
    """Whether a sample is of a metric that only grows while its server lives."""
    return sample.name.endswith(GROWING) and sample.name not in GAUGES and not sample.label("quantile")
