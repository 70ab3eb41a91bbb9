r"""The input-pipeline page of the TensorFlow profiler and XProf, saved as JSON: data tables of columns and rows.

``infeedTimeMs`` is the time that the device waits for input in a step, so its share is that of a gap on the device. The
mean is weighted by step time, as the page's own conclusion is.

>>> from dam_expert.readers.source import Source
>>> cols = '{"id": "stepnum"}, {"id": "noninfeedTimeMs"}, {"id": "infeedTimeMs"}'
>>> raw = f'[{{"cols": [{cols}], "rows": [{{"c": [{{"v": "1"}}, {{"v": 20.0}}, {{"v": 60.0}}]}}]}}]'
>>> reading = InputPipelineReader().read(Source.of_bytes("p.json", raw.encode()))
>>> {found.measurement: found.value.lo for found in reading.observations}["input_gap_share"]
0.75
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import known
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.series import checked
from dam_expert.readers.whole import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

CONTENT_BYTES = 64 * 1024**2
"""The page of a long capture has a few MB; more is cut."""

_WAIT, _HOST_WAIT = "infeedTimeMs", "hostWaitInputTimeMs"
_REST = ("noninfeedTimeMs", "computeTimeMs", "deviceComputeTimeMs")
_MILLI = 1e-3


@dataclasses.dataclass(frozen=True, slots=True)
class InputPipelineReader:
    """Reads the table of steps; the tables of input operations are passed over."""

    tool: str = "xprof"
    title: str = "TensorFlow profiler or XProf input pipeline"
    versions: str = "TensorFlow profiler 2, XProf: exported JSON"

    def recognises(self, source: Source) -> bool:
        """Whether the head is a data table with a column of the input-pipeline page."""
        marks = (f'"{_WAIT}"', f'"{_HOST_WAIT}"', '"infeedPercentAverage"')
        return '"cols"' in source.head and any(mark in source.head for mark in marks)

    def read(self, source: Source) -> Reading:
        """Return the mean step time and the part of it in which the device waits for input."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = whole_text(source, CONTENT_BYTES, tell)
        try:
            tables = json.loads(text)
        except (ValueError, RecursionError):
            hint = "save the page's data again and pass all of it"
            messages.append(tell.warn("truncated", "the JSON is damaged or ends early", hint=hint))
            return tell.reading(messages=tuple(messages))
        steps, odd = _steps(tables)
        messages += tell.not_understood(odd, odd + len(steps), first=None)
        told = tuple(_observations(steps, tell))
        if not told:
            messages.append(tell.warn("no-steps", "the table of steps is empty", hint="capture several steps"))
        return tell.reading(
            observations=told,
            messages=tuple(messages),
            lines_read=odd + len(steps),
            lines_not_understood=odd,
        )


def _steps(tables: object) -> tuple[list[tuple[float, float]], int]:
    """Return (waiting, step) in seconds for each step, and the count of rows without both."""
    steps: list[tuple[float, float]] = []
    odd = 0
    for table in tables if isinstance(tables, list) else [tables]:
        columns = [str(each.get("id")) for each in _dicts(table, "cols")]
        if not {_WAIT, _HOST_WAIT} & set(columns):
            continue
        for row in _dicts(table, "rows"):
            cells = [cell.get("v") if isinstance(cell, dict) else None for cell in _list(row, "c")]
            found = ((name, known(cell)) for name, cell in zip(columns, cells, strict=False))
            values = {name: value for name, value in found if value is not None}
            wait, rest = _divided(values)
            if wait is None or rest is None or min(wait, rest) < 0 or wait + rest <= 0:
                odd += 1
            else:
                steps.append((wait * _MILLI, (wait + rest) * _MILLI))
    return steps, odd


def _divided(values: dict[str, float]) -> tuple[float | None, float | None]:
    """Return the wait for input and the rest of one step in ms, None where the row does not say.

    The page of a TPU has both; that of a GPU divides the step into parts that do not overlap.

    >>> _divided({"stepnum": 3.0, "hostWaitInputTimeMs": 30.0, "deviceComputeTimeMs": 60.0, "unknownTimeMs": 10.0})
    (30.0, 70.0)
    """
    if _WAIT in values:
        return values[_WAIT], next((values[name] for name in _REST if name in values), None)
    parts = [value for name, value in values.items() if name.endswith("TimeMs") and name != _HOST_WAIT]
    return values.get(_HOST_WAIT), sum(parts) if "deviceComputeTimeMs" in values else None


def _dicts(value: object, key: str) -> list[dict[str, object]]:
    return [each for each in _list(value, key) if isinstance(each, dict)]


def _list(value: object, key: str) -> list[object]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def _observations(steps: list[tuple[float, float]], tell: Teller) -> Iterator[Observation]:
    if not steps:
        return
    waited, whole = sum(wait for wait, _ in steps), sum(step for _, step in steps)
    detail = f"mean of {len(steps)} steps"
    yield tell.observe("step_time", Interval.point(whole / len(steps)), detail=detail)
    yield tell.observe("steps_captured", Interval.point(len(steps)), detail="rows of the table")
    yield checked(tell, "input_gap_share", waited / whole, (), None, f"device waits for input, {detail} by time")
    wait, step = max(steps)  # the step that waits longest: what comes once may never come again
    left = (waited - wait) / (whole - step) if whole > step else 0.0
    yield checked(tell, "input_gap_recurring_share", left, (), None, "without the step that waits longest")
