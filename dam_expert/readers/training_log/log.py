"""The state between the lines of a training log: which dialect each line is of, and the records so far."""

from __future__ import annotations

import dataclasses

from dam_expert.readers.allocator.failure import Failures
from dam_expert.readers.training_log.dialects import DIALECTS, Dialect, values_of
from dam_expert.readers.training_log.progress import Bar, bars
from dam_expert.readers.training_log.rows import hf_row, json_row
from dam_expert.readers.training_log.track import RECORDS, Record, Track

LINE = 4096
"""No line of a dialect is longer; only progress bars stand one behind the other on longer ones."""

_NEVER_NOTHING = {"forward_time", "backward_time", "step_time"}
"""What takes time whenever it is done: printed as 0.00, it was not timed."""

TOTALS = 1000
"""Lengths of bars that are told apart; a job has one for training and a few for other work."""


def dialect_of(text: str, likely: Dialect | None = None) -> Dialect | None:
    """Return the dialect that a line is of, the likely one tried first."""
    if likely is not None and likely.marks(text):
        return likely
    for dialect in DIALECTS:
        if dialect.marks(text):
            return dialect
    return None


@dataclasses.dataclass(slots=True)
class Log:
    """Everything found in a log."""

    tracks: dict[str, Track] = dataclasses.field(default_factory=dict)
    bars: dict[int, list[tuple[int, Bar]]] = dataclasses.field(default_factory=dict)
    """States of training bars by the bar's total, with their lines."""
    failures: Failures = dataclasses.field(default_factory=Failures)
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None
    _likely: Dialect | None = None

    def take(self, line: int, text: str) -> None:
        """Take one line."""
        self.seen += 1
        for bar in bars(text):
            if bar.total not in self.bars and len(self.bars) >= TOTALS:
                continue
            states = self.bars.setdefault(bar.total, [])
            states.append((line, bar))
            if len(states) >= RECORDS:
                del states[1:-1:2]
        short = text[:LINE]
        self.failures.take(line, short)
        row = hf_row(text) if "{'" in text else {}
        if row:
            self._add("hf", line, row)
            return
        row = json_row(short)
        if row:
            self._add("openmmlab_json", line, row, windowed=True)
            return
        dialect = dialect_of(short, self._likely)
        if dialect is None:
            return
        self._likely = dialect
        values = values_of(short, dialect)
        for timer in _NEVER_NOTHING & values.keys():
            if not values[timer]:  # a timer that the engine at hand does not start
                del values[timer]
        if values.keys() - {"step", "epoch"}:
            self._add(dialect.name, line, values, windowed=dialect.windowed)
        else:
            self.odd += 1
            self.first_odd = self.first_odd or line

    def _add(self, name: str, line: int, values: dict[str, float], *, windowed: bool = False) -> None:
        self.tracks.setdefault(name, Track(windowed=windowed)).add(Record(line=line, values=values))

    def track(self, *quantities: str) -> Track | None:
        """Return the track with the most records that hold all of the quantities, None without any."""
        best = max(self.tracks.values(), key=lambda track: len(track.having(*quantities)), default=None)
        return best if best is not None and best.having(*quantities) else None
