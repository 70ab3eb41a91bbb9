r"""The input-pipeline table of the TensorFlow and XLA profiler, exported as JSON: how long each step waited for input.

The share is taken over all steps, as time over time; the mean of the shares of steps would overweight short ones.

>>> from dam_expert.readers.source import Source
>>> cols = '[{"id": "infeedTimeMs"}, {"id": "noninfeedTimeMs"}]'
>>> raw = '[{"cols": %s, "rows": [{"c": [{"v": 150}, {"v": 50}]}, {"c": [{"v": 50}, {"v": 150}]}]}]'
>>> reading = XprofInputReader().read(Source.of_bytes("input.json", (raw % cols).encode()))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('input_wait_share', 0.5), ('step_time', 0.2), ('steps_captured', 2.0)]
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.json_text import documents, whole
from dam_expert.readers.lines import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_WAIT = "infeedTimeMs"
_REST = "noninfeedTimeMs"
_MS = 1e-3


@dataclasses.dataclass(frozen=True, slots=True)
class XprofInputReader:
    """Reads the step table of the input-pipeline analysis."""

    tool: str = "xprof"
    title: str = "TensorFlow/XLA profiler input pipeline"

    def recognises(self, source: Source) -> bool:
        """Whether the head is a table with the column of time spent waiting for input."""
        return '"cols"' in source.head and ("infeedTimeMs" in source.head or "infeedPercentAverage" in source.head)

    def read(self, source: Source) -> Reading:
        """Return the share of the step time that waits for input, and the mean step."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = whole(source, tell)
        found, is_whole = documents(text)
        if not is_whole:
            messages.append(tell.warn("truncated", "a part of the JSON is damaged", hint="export the table again"))
        steps = [step for document in found for step in _steps(document)]
        if not steps:
            hint = "export the input-pipeline analysis again, with steps in the profile"
            messages.append(tell.warn("no-steps", "no step has times in it", hint=hint))
        return Reading(
            tool=self.tool,
            observations=tuple(_observations(steps, tell)),
            messages=tuple(messages),
            lines_read=len(steps),
        )


def _steps(document: object) -> Iterator[tuple[float, float]]:
    """Yield (waiting, other) milliseconds of each step of the first table that has both."""
    for table in document if isinstance(document, list) else [document]:
        if not isinstance(table, dict) or not isinstance(table.get("cols"), list):
            continue
        names = [column.get("id") if isinstance(column, dict) else None for column in table["cols"]]
        if _WAIT not in names or _REST not in names:
            continue
        for row in table["rows"] if isinstance(table.get("rows"), list) else []:
            cells = row.get("c") if isinstance(row, dict) else None
            if isinstance(cells, list) and len(cells) == len(names):
                values = [_number(cells[names.index(name)]) for name in (_WAIT, _REST)]
                if values[0] is not None and values[1] is not None:
                    yield values[0], values[1]
        return


def _number(cell: object) -> float | None:
    value = cell.get("v") if isinstance(cell, dict) else None
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e30
    return float(value) if good and value is not None else None


def _observations(steps: list[tuple[float, float]], tell: Teller) -> Iterator[Observation]:
    waited, total = sum(wait for wait, _ in steps), sum(wait + rest for wait, rest in steps)
    if total:
        yield from said(tell, "input_wait_share", waited / total, f"time of {len(steps)} steps waiting for input")
        yield from said(tell, "step_time", total / len(steps) * _MS, f"mean of {len(steps)} steps")
        yield from said(tell, "steps_captured", len(steps), "rows of the step table")
