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
from dam_expert.readers.content import known
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_LINE = re.compile(r":::MLLOG (\{.*)$")
_STATS = {"throughput": "throughput", "step_time": "step_time", "train_loss": "loss"}
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
        return read_lines(source, self.tool, _Log())


@dataclasses.dataclass(slots=True)
class _Log:
    """First time of each key in seconds, settings, and statistics."""

    times: dict[str, tuple[float, int]] = dataclasses.field(default_factory=dict)
    settings: dict[str, tuple[float, int]] = dataclasses.field(default_factory=dict)
    series: Series = dataclasses.field(default_factory=Series)

    def take(self, line: int, text: str) -> bool:
        found = _LINE.search(text)
        if found is None:
            return True
        try:
            event = json.loads(found[1])
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict) or not isinstance(event.get("key"), str):
            return False
        key, value, time = event["key"], event.get("value"), known(event.get("time_ms"))
        if key in {"run_start", "run_stop"} and time is not None:
            self.times.setdefault(key, (time / 1000.0, line))
        elif key in _SETTINGS and (size := known(value)) is not None:
            self.settings[_SETTINGS[key]] = (size, line)
        elif key == "tracked_stats" and isinstance(value, dict):
            for name, quantity in _STATS.items():
                self.series.add("", quantity, known(value.get(name)), line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        yield tell.observe("workload_kind", "training", detail="an MLPerf training run")
        start, stop = self.times.get("run_start"), self.times.get("run_stop")
        if start is not None and stop is not None and stop[0] > start[0]:
            span = Interval.point(stop[0] - start[0])
            yield tell.observe("training_time", span, line=stop[1], detail="run_stop minus run_start")
        for measurement, (value, line) in self.settings.items():
            yield tell.observe(measurement, Interval.point(value), line=line, detail="declared by the run")
        for quantity in ("throughput", "step_time"):
            yield from self.series.said(tell, (), "", quantity, quantity)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if "run_stop" not in self.times:
            text = "the log holds no run_stop: the run time is unknown"
            yield tell.warn("unfinished", text, hint="pass the log of a finished run")
