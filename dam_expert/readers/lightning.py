r"""Profilers of Lightning: the table of the simple one, and the texts of the advanced one (cProfile per action).

In the simple table actions nest, so their percentages add up to more than a whole: the wait for data is divided by the
epoch. The advanced profiler cannot nest: an inner action takes its time out of the outer one, so the wait is divided by
the sum of all actions. Names changed: ``get_train_batch`` up to 1.5, ``[_TrainingEpochLoop].train_dataloader_next``
since 1.6.

>>> from dam_expert.readers.source import Source
>>> raw = b'''FIT Profiler Report
... |  Action                                     \t|  Mean duration (s)\t|  Num calls\t|  Total time (s)\t|
... |  run_training_epoch                         \t|  0.80             \t|  2        \t|  1.60          \t|
... |  [_TrainingEpochLoop].train_dataloader_next \t|  0.08             \t|  16       \t|  1.28          \t|
... |  run_training_batch                         \t|  0.01             \t|  16       \t|  0.22          \t|'''
>>> reading = LightningProfilerReader().read(Source.of_bytes("fit.txt", raw))
>>> {found.measurement: round(found.value.mid, 3) for found in reading.observations[1:]}["input_wait_share"]
0.8
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import checked
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^\|?\s*Action\s*\|\s*Mean duration \(s\)\s*\|")
_ACTION = re.compile(r"^Profile stats for: (.{1,400})$")
_CALLS = re.compile(r"^([\d]{1,15}) function calls.* in ([\d.]{1,20}) seconds$")
_ROW = re.compile(r"^(\d{1,12})(?:/(\d{1,12}))?\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(\S.*)$")
_WAIT = re.compile(r"train_dataloader_next$|^get_train_batch$")
_BATCH = re.compile(r"^run_training_batch$")
_EPOCH = re.compile(r"^run_training_epoch$")
_TRANSFER = re.compile(r"^\[Strategy\].*\.batch_to_device$|^(?:training_)?batch_to_device$")
_CHECKPOINT = re.compile(r"^save_checkpoint$")
_LOADERS = (
    (re.compile(r"\bfetch\.py:\d+\(fetch\)"), "single_process"),
    (re.compile(r"\bdataloader\.py:\d+\(_try_get_data\)"), "multi_process"),
)


@dataclasses.dataclass(slots=True)
class _Action:
    line: int
    seconds: float
    calls: float


@dataclasses.dataclass(frozen=True, slots=True)
class LightningProfilerReader:
    """Reads the report of ``Trainer(profiler="simple")`` and of ``profiler="advanced"``."""

    tool: str = "lightning_profiler"
    title: str = "Lightning profiler report"
    versions: str = "Lightning 1.5 to 2.6"

    def recognises(self, source: Source) -> bool:
        """Whether a line is the simple table's header or begins the statistics of an action."""
        return any(_HEADER.match(line) or _ACTION.match(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return step time, wait for data, transfers and checkpoints, over the time of the training epochs."""
        return read_lines(source, self.tool, _Report())


@dataclasses.dataclass(slots=True)
class _Report:
    """The actions found so far, with the state between lines."""

    actions: dict[str, _Action] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)
    advanced: bool = False
    loader: tuple[str, int] | None = None
    _open: str | None = None

    def take(self, line: int, text: str) -> bool:
        action = _ACTION.match(text)
        if action is not None:
            self._open, self.advanced = action[1].strip(), True
        elif _HEADER.match(text):
            self.columns = [cell.strip() for cell in text.strip("|").split("|")]
        elif self._open is not None:
            self._statistics(self._open, line, text)
        elif self.columns and "|" in text:
            return self._simple(line, text)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        return _observations(self, tell)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        told = {found.measurement for found in _observations(self, tell)}
        if not told & {"step_time", "input_wait_share"}:
            text = "the report holds no training batches"
            yield tell.warn("no-steps", text, hint="profile trainer.fit(), not validate or predict")

    def _simple(self, line: int, text: str) -> bool:
        """Add one row of the simple table; an action's name may hold bars, so cells are counted from the right."""
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        if len(cells) < len(self.columns):
            return False
        row = dict(zip(self.columns[1:], cells[len(cells) - len(self.columns) + 1 :], strict=True))
        seconds, mean = number(row.get("Total time (s)", "")), number(row.get("Mean duration (s)", ""))
        calls = number(row.get("Num calls", ""))
        if seconds is None:
            return False
        if calls is None and mean:
            calls = round(seconds / mean)
        if calls:
            self.actions.setdefault(
                "|".join(cells[: len(cells) - len(self.columns) + 1]), _Action(line, seconds, calls)
            )
        return True

    def _statistics(self, action: str, line: int, text: str) -> None:
        """Take one line of an action's cProfile text; its first row is the function that the action calls."""
        total, row = _CALLS.match(text), _ROW.match(text)
        if total is not None:
            self.actions.setdefault(action, _Action(line, number(total[2]) or 0.0, 0.0))
        elif row is not None:
            known = self.actions.get(action)
            if known is not None and not known.calls:
                known.calls = float(row[2] or row[1])
            if self.loader is None:
                self.loader = next(((word, line) for pattern, word in _LOADERS if pattern.search(row[7])), None)


def _observations(report: _Report, tell: Teller) -> Iterator[Observation]:
    wait, batch, epoch = (_find(report, pattern) for pattern in (_WAIT, _BATCH, _EPOCH))
    if batch is None:
        return
    yield tell.observe("workload_kind", "training", line=batch.line, detail="report of a training loop")
    if report.loader is not None:
        yield tell.observe(
            "loader_mode", report.loader[0], line=report.loader[1], detail="function that fetches the batch"
        )
    if report.advanced:
        whole, of = sum(action.seconds for action in report.actions.values()), "all actions, slowed down by cProfile"
    elif epoch is not None:
        whole, of = epoch.seconds, "run_training_epoch"
    else:
        whole, of = batch.seconds + (wait.seconds if wait is not None else 0.0), "wait plus batch"
    if not report.advanced:
        yield from _durations(wait, batch, epoch, whole, of, tell)
    parts = (("input_wait_share", wait), ("host_transfer_share", _find(report, _TRANSFER)))
    for measurement, part in (*parts, ("checkpoint_time_share", _find(report, _CHECKPOINT))):
        if part is not None and whole > 0:
            yield checked(tell, measurement, part.seconds / whole, (), part.line, f"total over {of}")


def _durations(
    wait: _Action | None, batch: _Action, epoch: _Action | None, whole: float, of: str, tell: Teller
) -> Iterator[Observation]:
    """Yield the times of the simple table."""
    if batch.calls and whole > 0:
        detail = f"{of} over {batch.calls:g} batches"
        yield tell.observe("step_time", Interval.point(whole / batch.calls), line=batch.line, detail=detail)
        yield tell.observe("steps_captured", Interval.point(batch.calls), line=batch.line, detail="training batches")
    if epoch is not None and epoch.calls:
        mean = Interval.point(epoch.seconds / epoch.calls)
        yield tell.observe("epoch_time", mean, line=epoch.line, detail=f"mean of {epoch.calls:g} epochs")
    if wait is not None and wait.calls:
        mean = Interval.point(wait.seconds / wait.calls)
        yield tell.observe("input_wait_time", mean, line=wait.line, detail=f"mean of {wait.calls:g} calls")


def _find(report: _Report, pattern: re.Pattern[str]) -> _Action | None:
    return next((action for name, action in report.actions.items() if pattern.search(name)), None)
