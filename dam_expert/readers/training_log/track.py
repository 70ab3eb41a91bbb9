"""The records of one dialect in one log, and what is computed over them."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

RECORDS = 50_000
"""Records kept of one dialect. Of a longer log every second one is dropped, again and again: evenly over the run."""


@dataclasses.dataclass(frozen=True, slots=True)
class Record:
    """One line of a log: quantities in canonical units."""

    line: int
    values: dict[str, float]


@dataclasses.dataclass(frozen=True, slots=True)
class Mean:
    """A mean over ``steps`` steps of a log (NaN if unknown), with the line of the first record that it rests on."""

    value: float
    steps: float
    line: int
    detail: str


@dataclasses.dataclass(slots=True)
class Track:
    """Records of one dialect in the order of the log."""

    windowed: bool = False
    records: list[Record] = dataclasses.field(default_factory=list)
    _every: int = 1
    _left: int = 0

    def add(self, record: Record) -> None:
        """Add one record, thinning the older ones once there are too many."""
        self._left -= 1
        if self._left > 0:
            return
        self._left = self._every
        self.records.append(record)
        if len(self.records) >= RECORDS:
            self.records = self.records[::2]
            self._every *= 2

    def having(self, *quantities: str) -> list[Record]:
        """Return the records that hold all of the quantities."""
        return [record for record in self.records if all(name in record.values for name in quantities)]

    def warm(self, *quantities: str) -> list[Record]:
        """Return the records with the quantities, without the first one where that covers the start of the run.

        The first step loads modules, allocates, tunes and compiles; Megatron logs 256 s for it where 87 ms follow.
        """
        found = self.having(*quantities)
        if len(found) < 2:
            return found
        first, second = found[0].values.get("step"), found[1].values.get("step")
        if first is None or second is None:
            return found[1:] if len(found) > 2 else found
        return found[1:] if first <= max(second - first, 1.0) else found

    def mean(self, quantity: str) -> Mean | None:
        """Return the mean of a quantity over the warm records."""
        found = [record for record in self.warm(quantity) if math.isfinite(record.values[quantity])]
        if not found:
            return None
        values = [record.values[quantity] for record in found]
        dropped = len(self.having(quantity)) - len(found)
        detail = f"mean of {entries(len(found))}" + (f", the first {dropped} left out as warm-up" if dropped else "")
        return Mean(value=float(np.mean(values)), steps=self.steps(quantity, found), line=found[0].line, detail=detail)

    def steps(self, quantity: str, found: list[Record]) -> float:
        """Return how many steps the records cover: one each, or of windows all between them; NaN if unknown."""
        if not self.windowed:
            return float(len(found))
        gaps = np.diff([record.values.get("step", math.nan) for record in self.having(quantity)])
        if not len(gaps) or not (gaps > 0).all():
            return math.nan
        return float(found[-1].values["step"] - found[0].values["step"] + gaps.min())

    def unrolled(self, mean: str) -> Mean | None:
        """Return the mean over the steps after the first record of each epoch, from running means since its start.

        A running mean m over n steps is the sum m·n; the difference of two sums is exact where single values, printed
        every hundredth step, are a matter of luck.
        """
        total, steps, line = 0.0, 0.0, 0
        for part in self._epochs(self.having("step", mean)):
            first, end = part[0], part[-1]
            early, late = first.values["step"] + 1, end.values["step"] + 1
            total += end.values[mean] * late - first.values[mean] * early
            steps += late - early
            line = line or first.line
        if steps <= 0 or not math.isfinite(total) or total < 0:
            return self._running(mean)
        detail = f"running means differenced over {steps:g} steps, the start of each epoch left out"
        return Mean(value=total / steps, steps=steps, line=line, detail=detail)

    def _running(self, mean: str) -> Mean | None:
        """Return the last running mean, warm-up and all: better than one step that may be any."""
        found = [record for record in self.having(mean) if math.isfinite(record.values[mean])]
        if not found:
            return None
        last, detail = found[-1], "last running mean, warm-up included"
        return Mean(value=last.values[mean], steps=math.nan, line=last.line, detail=detail)

    def _epochs(self, found: list[Record]) -> list[list[Record]]:
        parts: list[list[Record]] = []
        for record in found:
            same = parts and parts[-1][-1].values.get("epoch") == record.values.get("epoch")
            if same and record.values["step"] > parts[-1][-1].values["step"]:
                parts[-1].append(record)
            else:
                parts.append([record])
        return [part for part in parts if len(part) > 1]


def entries(count: int) -> str:
    """Return a number of log entries in words."""
    return "1 log entry" if count == 1 else f"{count} log entries"


def by_step(found: list[Record], quantity: str) -> tuple[list[float], list[float]]:
    """Return steps and values; what several ranks logged of one step is one value, their mean.

    A record without a step is one of its own.

    >>> ranks = [Record(line=line, values={"step": 3.0, "tps": tps}) for line, tps in ((1, 10.0), (2, 14.0))]
    >>> by_step([*ranks, Record(line=3, values={"step": 4.0, "tps": 8.0})], "tps")
    ([3.0, 4.0], [12.0, 8.0])
    """
    parts: dict[tuple[str, float], list[float]] = {}
    for record in found:
        step = record.values.get("step", math.nan)
        key = ("line", float(record.line)) if math.isnan(step) else ("step", step)
        parts.setdefault(key, []).append(record.values[quantity])
    steps = [number if kind == "step" else math.nan for kind, number in parts]
    return steps, [sum(values) / len(values) for values in parts.values()]


def drift(values: list[float]) -> float | None:
    """Return the mean of the last third over that of the first third; None below six values.

    >>> drift([1, 1, 1, 1, 2, 2]), drift([1, 2])
    (2.0, None)
    """
    finite = [value for value in values if math.isfinite(value)]
    third = len(finite) // 3
    if third < 2:
        return None
    early = float(np.mean(finite[:third]))
    return float(np.mean(finite[-third:])) / early if early > 0 else None
