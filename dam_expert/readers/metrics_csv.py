r"""Metrics as CSV: Lightning's ``metrics.csv``, the export of a TensorBoard scalar, the export of a W&B chart.

Which column means what is decided by its name alone, within a list of known names; every other column is passed over.
Rows of Lightning are sparse: validation stands in rows of its own. A TensorBoard export does not name its scalar, so
only the time between its steps is told.

>>> from dam_expert.readers.source import Source
>>> raw = b'epoch,step,train_loss,val_loss\n0,0,2.0,\n0,50,1.5,\n0,50,,1.75\n'
>>> reading = MetricsCsvReader().read(Source.of_bytes("metrics.csv", raw))
>>> {found.measurement: found.value for found in reading.observations}["heldout_loss"].mid
1.75
"""

from __future__ import annotations

import csv
import dataclasses
import itertools
import math
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import Series, checked
from dam_expert.readers.text import clean, number
from dam_expert.readers.training_log.loss import loss_observations, rate_observations
from dam_expert.readers.training_log.track import drift

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_KNOWN = (
    (
        re.compile(r"(?:train(?:ing)?[/_])?loss(?:_step)?|train[/_]loss_epoch|loss/train|loss_metrics/global_avg_loss"),
        "loss",
    ),
    (re.compile(r"(?:val(?:id(?:ation)?)?|eval|test)[/_]loss(?:_epoch)?"), "heldout_loss"),
    (re.compile(r"lr(?:-\w+)?|(?:train[/_])?learning_rate|lr-\w+/pg1"), "learning_rate"),
    (re.compile(r"time_metrics/data_loading\(%\)"), "input_wait_share"),
    (re.compile(r"time_metrics/data_loading\(s\)|(?:train[/_])?data_time"), "input_wait_time"),
    (re.compile(r"time_metrics/end_to_end\(s\)|(?:train[/_])?(?:step|iter|batch)_time"), "step_time"),
    (re.compile(r"throughput\(tps\)"), "device_token_rate"),
    (re.compile(r"(?:train[/_])?samples_per_sec(?:ond)?|train/train_samples_per_second"), "throughput"),
    (re.compile(r"mfu\(%\)|(?:perf/)?mfu(?:/actor)?|throughput/device/mfu"), "mfu"),
    (re.compile(r"(?:system[./])?gpu\.(\d{1,4})\.gpu"), "accelerator_utilization"),
    (re.compile(r"(?:system[./])?gpu\.(\d{1,4})\.powerWatts"), "device_power"),
    (re.compile(r"(?:system[./])?gpu\.(\d{1,4})\.temp"), "device_temperature"),
    (re.compile(r"(?:system[./])?gpu\.(\d{1,4})\.memoryAllocatedBytes"), "device_memory_used"),
    (re.compile(r"(?:system[./])?cpu"), "cpu_utilization"),
)
_PERCENT = {"accelerator_utilization", "cpu_utilization"}
_STEP = re.compile(r"step|global_step|trainer/global_step|_step", re.IGNORECASE)
_TIME = re.compile(r"wall time|wall_time|_timestamp|relative time \((?:process|wall)\)|_runtime", re.IGNORECASE)
_RANGE = re.compile(r"__(?:MIN|MAX)$")
_COURSE = {"loss", "learning_rate", "heldout_loss"}
_CELL = 200
_KEPT = 100_000
"""Points kept of a course. Of a longer one every second point is dropped, again and again."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Column:
    """What a column means; ``factor`` brings percentages to shares."""

    quantity: str
    owner: str = ""
    factor: float = 1.0


@dataclasses.dataclass(frozen=True, slots=True)
class MetricsCsvReader:
    """Reads CSV whose header names training metrics."""

    tool: str = "framework_log"
    title: str = "metrics CSV"
    versions: str = "TensorBoard, Weights & Biases and Lightning CSV"

    def recognises(self, source: Source) -> bool:
        """Whether the first line is a header with a step or a time and a known metric, or a TensorBoard header."""
        first = next((text for line in source.head.split("\n", 20) if (text := clean(line))), "")
        return bool(_columns(first))

    def read(self, source: Source) -> Reading:
        """Return the course of the loss, and the means of what else is known."""
        return read_lines(source, self.tool, _Rows())


def _cells(text: str) -> list[str]:
    """Return the cells of one line of CSV, nothing where quotes do not match."""
    try:
        return [cell.strip() for cell in next(csv.reader([text], strict=True), [])]
    except csv.Error:
        return []


def _columns(text: str) -> dict[int, _Column]:
    """Return the meaning of each known column of a header line, nothing for any other line.

    >>> _columns('"Step","run-7 - train/loss","run-7 - train/loss__MIN"')[1].quantity
    'loss'
    """
    cells = _cells(text) if "," in text else []
    found: dict[int, _Column] = {}
    taken: set[_Column] = set()
    for at, cell in enumerate(cells):
        name = cell.rpartition(" - ")[2][:_CELL]
        if _STEP.fullmatch(name):
            found.setdefault(at, _Column("step"))
        elif _TIME.fullmatch(name):
            found.setdefault(at, _Column("time"))
        elif not _RANGE.search(name):
            column = _meaning(name)
            if column is not None and column not in taken:
                found[at] = column
                taken.add(column)
    quantities = {column.quantity for column in found.values()}
    if {cell.lower() for cell in cells} == {"wall time", "step", "value"}:
        return found
    return found if quantities & {"step", "time"} and quantities - {"step", "time"} else {}


def _meaning(name: str) -> _Column | None:
    for pattern, quantity in _KNOWN:
        match = pattern.fullmatch(name)
        if match is not None:
            factor = 0.01 if quantity in _PERCENT or "(%)" in name else 1.0
            return _Column(quantity, match[1] if pattern.groups else "", factor)
    return None


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns in force, and the values so far."""

    series: Series = dataclasses.field(default_factory=Series)
    courses: dict[str, list[tuple[int | None, float]]] = dataclasses.field(default_factory=dict)
    marks: list[tuple[float, float]] = dataclasses.field(default_factory=list)
    """Step and time of each row that has both."""
    columns: dict[int, _Column] = dataclasses.field(default_factory=dict)
    _width: int = 0

    def take(self, line: int, text: str) -> bool:
        header = _columns(text)
        if header:
            self.columns, self._width = header, len(_cells(text))
            return True
        cells = _cells(text)
        if len(cells) != self._width or not self.columns:
            return False
        self._row(line, cells)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        return _observations(self, tell)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not any(True for _ in _observations(self, tell)):
            hint = "export with the metric's name as the column, or with wall time"
            yield tell.warn("no-values", "no row holds a metric that is known here", hint=hint)

    def _row(self, line: int, cells: list[str]) -> None:
        row: dict[str, float] = {}
        for at, column in self.columns.items():
            value = number(cells[at])
            if column.quantity in _COURSE:
                lost = cells[at].lower() in {"nan", "inf", "-inf", "infinity"} and column.quantity == "loss"
                value = math.nan if lost else value
                if value is not None:
                    course = self.courses.setdefault(column.quantity, [])
                    course.append((line, value))
                    if len(course) >= _KEPT:
                        del course[1::2]
            elif column.quantity in {"step", "time"}:
                if value is not None:
                    row[column.quantity] = value
            else:
                self.series.add(column.owner, column.quantity, None if value is None else value * column.factor, line)
        if {"step", "time"} <= row.keys():
            self.marks.append((row["step"], row["time"]))
            if len(self.marks) >= _KEPT:
                del self.marks[1::2]


def _observations(rows: _Rows, tell: Teller) -> Iterator[Observation]:
    if rows.courses or rows.marks or rows.series.count("", "step_time"):
        yield tell.observe("workload_kind", "training", detail="metrics over training steps")
    owners = {column.owner for column in rows.columns.values()}
    for owner in sorted(owners, key=lambda name: (len(name), name)):
        scope = (("device", owner),) if owner else ()
        for quantity in dict.fromkeys(name for _, name in _KNOWN if name not in _COURSE):
            yield from rows.series.said(tell, scope, owner, quantity, quantity)
    if not rows.series.count("", "step_time"):
        yield from _between(rows.marks, tell)
    wait, step = rows.series.mean("", "input_wait_time"), rows.series.mean("", "step_time")
    if wait is not None and step and not rows.series.count("", "input_wait_share"):
        line = rows.series.line("", "input_wait_time")
        yield checked(tell, "input_wait_share", wait / step, (), line, "mean wait over mean step time")
    yield from loss_observations(rows.courses.get("loss", []), tell)
    yield from rate_observations(rows.courses.get("learning_rate", []), tell)
    held = [(line, value) for line, value in rows.courses.get("heldout_loss", []) if math.isfinite(value)]
    if held:
        yield tell.observe("heldout_loss", Interval.point(held[-1][1]), line=held[-1][0], detail="last evaluation")


def _between(marks: list[tuple[float, float]], tell: Teller) -> Iterator[Observation]:
    """Yield the time between steps from the second mark on, and how it changes."""
    gaps = [
        (after[1] - before[1], after[0] - before[0])
        for before, after in itertools.pairwise(marks[1:])
        if after[0] > before[0] and after[1] > before[1]
    ]
    if not gaps:
        return
    steps, seconds = sum(gap[1] for gap in gaps), sum(gap[0] for gap in gaps)
    detail = f"{steps:g} steps in {seconds:g} s of wall time, the first row left out as warm-up"
    yield tell.observe("step_time", Interval.point(seconds / steps), detail=detail)
    yield tell.observe("steps_captured", Interval.point(steps), detail="steps behind the step time")
    trend = drift([gap[0] / gap[1] for gap in gaps])
    if trend is not None:
        detail = "mean of the last third over that of the first"
        yield tell.observe("step_time_trend", Interval.point(trend), detail=detail)
