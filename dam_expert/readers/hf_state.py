r"""``trainer_state.json`` of the Hugging Face Trainer: the history of what it logged.

No row tells the time of a step. Where rows hold a running ``train_runtime`` (version 5 with token counting on), steps
and seconds are differenced between the first row and the last; else the summary at the end of training counts.

>>> from dam_expert.readers.source import Source
>>> rows = '{"loss": 2.0, "step": 10, "train_runtime": 30.0}, {"loss": 1.5, "step": 110, "train_runtime": 80.0}'
>>> raw = f'{{"global_step": 110, "train_batch_size": 8, "log_history": [{rows}]}}'
>>> reading = HfTrainerStateReader().read(Source.of_bytes("trainer_state.json", raw.encode()))
>>> {found.measurement: found.value for found in reading.observations}["step_time"].mid
0.5
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.training_log.loss import loss_observations, rate_observations
from dam_expert.readers.training_log.rows import hf_values
from dam_expert.readers.whole import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_RESULTS = re.compile(r'"train_runtime"\s*:[^{}\[\]]*"train_samples_per_second"\s*:')
STATE_BYTES = 64 * 1024**2
"""Some hundred thousand rows fit in this; more is cut."""


@dataclasses.dataclass(frozen=True, slots=True)
class HfTrainerStateReader:
    """Reads the state file that stands in every checkpoint of the Trainer."""

    tool: str = "framework_log"
    title: str = "HF trainer_state.json"
    versions: str = "transformers 4 and 5; train_results.json and all_results.json too"

    def recognises(self, source: Source) -> bool:
        """Whether the head is a JSON object with a log history, or with the results of a run alone."""
        head = source.head_text.lstrip()
        return head.startswith("{") and ('"log_history"' in head or _RESULTS.search(head) is not None)

    def read(self, source: Source) -> Reading:
        """Return step time, rates and the course of the loss; of a cut file, what its complete rows hold."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = whole_text(source, STATE_BYTES, tell)
        state, rows, complete = _rows(text)
        if not complete:
            said = f"the JSON ends early; its {len(rows)} complete rows are used"
            messages.append(tell.warn("truncated", said, hint="copy the file of a finished checkpoint"))
        values = [hf_values(row) for row in rows if isinstance(row, dict)]
        told = tuple(_observations(state, values, tell))
        if not told:
            text = "the history holds no training rows"
            messages.append(tell.warn("no-rows", text, hint="set logging_steps and train longer"))
        return tell.reading(
            observations=told,
            messages=tuple(messages),
            lines_read=len(rows),
            lines_not_understood=len(rows) - len(values),
        )


def _rows(text: str) -> tuple[dict[str, object], list[object], bool]:
    """Return the state without its history, the rows, and whether the JSON is whole."""
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        return {}, list(_complete(text)), False
    if not isinstance(state, dict):
        return {}, [], True
    rows = state.pop("log_history", [] if "train_runtime" not in state else [state])
    return state, rows if isinstance(rows, list) else [], True


def _complete(text: str) -> Iterator[object]:
    """Yield the complete rows of a history that is cut."""
    decoder, at = json.JSONDecoder(), text.find("[", text.find('"log_history"')) + 1
    while at > 0:
        at = text.find("{", at)
        if at < 0:
            return
        try:
            row, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield row


def _observations(state: dict[str, object], rows: list[dict[str, float]], tell: Teller) -> Iterator[Observation]:
    losses: list[tuple[int | None, float]] = [(None, row["loss"]) for row in rows if "loss" in row]
    rates: list[tuple[int | None, float]] = [(None, row["learning_rate"]) for row in rows if "learning_rate" in row]
    if not losses and not any("total_step_rate" in row for row in rows):
        return
    yield tell.observe("workload_kind", "training", detail="history of the Trainer")
    yield from _step_time(rows, tell)
    for quantity, measurement in (("total_throughput", "throughput"), ("total_token_rate", "token_rate")):
        last = next((row[quantity] for row in reversed(rows) if quantity in row), None)
        if last is not None:
            yield tell.observe(measurement, Interval.point(last), detail="mean of the whole run")
    batch = state.get("train_batch_size")
    if isinstance(batch, int) and not isinstance(batch, bool) and 0 < batch < 2**31:
        yield tell.observe("batch_size", Interval.point(batch), detail="train_batch_size")
    yield from loss_observations(losses, tell)
    yield from rate_observations(rates, tell)
    held = [row["heldout_loss"] for row in rows if math.isfinite(row.get("heldout_loss", math.nan))]
    if held:
        yield tell.observe("heldout_loss", Interval.point(held[-1]), detail="last evaluation")


def _step_time(rows: list[dict[str, float]], tell: Teller) -> Iterator[Observation]:
    timed = [row for row in rows if {"loss", "step", "runtime"} <= row.keys()]
    if len(timed) > 1:
        steps, seconds = timed[-1]["step"] - timed[0]["step"], timed[-1]["runtime"] - timed[0]["runtime"]
        if steps > 0 and seconds > 0:
            detail = f"{steps:g} steps in {seconds:g} s, the first row left out as warm-up"
            yield tell.observe("step_time", Interval.point(seconds / steps), detail=detail)
            yield tell.observe("steps_captured", Interval.point(steps), detail="steps behind the step time")
            return
    rate = next((row["total_step_rate"] for row in reversed(rows) if row.get("total_step_rate", 0) > 0), None)
    if rate is not None:
        detail = "steps per second of the whole run, warm-up, evaluation and checkpoints included"
        yield tell.observe("step_time", Interval.point(1 / rate), detail=detail)
