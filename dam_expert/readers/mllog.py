r"""MLPerf result logs: lines ``:::MLLOG {…}`` after any prefix.

>>> from dam_expert.readers.source import Source
>>> line = ':::MLLOG {{"namespace": "", "time_ms": {}, "event_type": "INTERVAL_START", "key": "{}", "value": {}}}'
>>> rows = [line.format(1000, "run_start", "null"), line.format(61000, "run_stop", "null")]
>>> reading = MllogReader().read(Source.of_bytes("result.txt", "\n".join(rows).encode()))
>>> {found.measurement: found.value for found in reading.observations}["training_time"].mid
60.0
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_LINE = re.compile(r":::MLLOG (\{.*)$")
_STATS = {"throughput": ("throughput", 1.0), "step_time": ("step_time", 1.0), "train_loss": ("loss", 1.0)}
_SETTINGS = {
    "global_batch_size": "global_batch_size",
    "gradient_accumulation_steps": "gradient_accumulation",
    "max_sequence_length": "sequence_length",
}


@dataclasses.dataclass(frozen=True, slots=True)
class MllogReader:
    """Reads the result log of an MLPerf training run."""

    tool: str = "framework_log"
    title: str = "MLPerf log"
    versions: str = "mlperf-logging 1 to 4"

    def recognises(self, source: Source) -> bool:
        """Whether the head holds a line of the logger."""
        return ":::MLLOG {" in source.head

    def read(self, source: Source) -> Reading:
        """Return the run time, tracked statistics and the settings that the run declares."""
        tell, log = Teller(file=source.shown, tool=self.tool), _Log()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            log.take(line, text)
        messages += tell.not_understood(log.odd, log.seen, first=log.first_odd)
        if "run_stop" not in log.times:
            text = "the log holds no run_stop: the run time is unknown"
            messages.append(tell.warn("unfinished", text, hint="pass the log of a finished run"))
        return Reading(
            tool=self.tool,
            observations=tuple(_observations(log, tell)),
            messages=tuple(messages),
            lines_read=log.seen,
            lines_not_understood=log.odd,
        )


@dataclasses.dataclass(slots=True)
class _Log:
    """First time of each key in seconds, settings, and statistics."""

    times: dict[str, tuple[float, int]] = dataclasses.field(default_factory=dict)
    settings: dict[str, tuple[float, int]] = dataclasses.field(default_factory=dict)
    series: Series = dataclasses.field(default_factory=Series)
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        found = _LINE.search(text)
        if found is None:
            return
        try:
            event = json.loads(found[1])
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict) or not isinstance(event.get("key"), str):
            self.odd += 1
            self.first_odd = self.first_odd or line
            return
        key, value, time = event["key"], event.get("value"), _number(event.get("time_ms"))
        if key in {"run_start", "run_stop"} and time is not None:
            self.times.setdefault(key, (time / 1000.0, line))
        elif key in _SETTINGS and (size := _number(value)) is not None:
            self.settings[_SETTINGS[key]] = (size, line)
        elif key == "tracked_stats" and isinstance(value, dict):
            for name, (quantity, factor) in _STATS.items():
                known = _number(value.get(name))
                self.series.add("", quantity, None if known is None else known * factor, line)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e30:
        return None
    return float(value)


def _observations(log: _Log, tell: Teller) -> Iterator[Observation]:
    yield tell.observe("workload_kind", "training", detail="an MLPerf training run")
    start, stop = log.times.get("run_start"), log.times.get("run_stop")
    if start is not None and stop is not None and stop[0] > start[0]:
        span = Interval.point(stop[0] - start[0])
        yield tell.observe("training_time", span, line=stop[1], detail="run_stop minus run_start")
    for measurement, (value, line) in log.settings.items():
        yield tell.observe(measurement, Interval.point(value), line=line, detail="declared by the run")
    for quantity in ("throughput", "step_time"):
        yield from log.series.said(tell, (), "", quantity, quantity)
