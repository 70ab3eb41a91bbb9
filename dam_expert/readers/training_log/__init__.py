r"""Training logs as people paste them: two dozen dialects of lines, mixed with anything else.

The time of a step, the part of it spent waiting for input, rates, memory and the course of the loss. A failed
allocation at the end of the log is read as well. Many programs print a running mean beside the last value; the mean
over the warm steps is what counts (:mod:`dam_expert.readers.training_log.track`).

>>> from dam_expert.readers.source import Source
>>> raw = b'''Epoch [1][1050/29317]\tlr: 2.000e-02, time: 0.387, data_time: 0.008, memory: 3946, loss: 1.0031
... Epoch [1][1100/29317]\tlr: 2.000e-02, time: 0.393, data_time: 0.009, memory: 3946, loss: 1.0736'''
>>> reading = TrainingLogReader().read(Source.of_bytes("train.log", raw))
>>> {found.measurement: round(found.value.lo, 4) for found in reading.observations[1:]}["input_wait_share"]
0.0218
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.training_log.derive import Derivation
from dam_expert.readers.training_log.log import LINE, Log, dialect_of
from dam_expert.readers.training_log.progress import bars
from dam_expert.readers.training_log.rows import hf_row, json_row

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.readers.source import Source

_MORE = "pass a log with the time of each step, or hundreds of steps with a progress bar"


@dataclasses.dataclass(frozen=True, slots=True)
class TrainingLogReader:
    """Reads lines of training programs, progress bars included."""

    tool: str = "framework_log"
    title: str = "training log"
    versions: str = "tqdm, transformers 4 and 5, OpenMMLab, timm, Megatron-LM, torchtitan, DeepSpeed, YOLOX"

    def recognises(self, source: Source) -> bool:
        """Whether a line of the head is of a known dialect."""
        return not source.binary and any(_is_record(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return what the lines of the log tell together."""
        tell, log = Teller(file=source.shown, tool=self.tool), Log()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            log.take(line, text)
        allocator = Teller(file=source.shown, tool="allocator_message")
        messages += [*log.failures.messages(allocator), *tell.not_understood(log.odd, log.seen, first=log.first_odd)]
        told = [*Derivation(log, tell).observations(), *log.failures.observations(allocator)]
        if not any(found.measurement in {"step_time", "throughput", "device_token_rate"} for found in told):
            messages.append(tell.note("no-step-time", "the log tells no time of a step", hint=_MORE))
        return tell.reading(
            observations=tuple(told),
            messages=tuple(messages),
            lines_read=log.seen,
            lines_not_understood=log.odd,
        )


def _is_record(text: str) -> bool:
    short = text[:LINE]
    return bool(dialect_of(short) or bars(text) or hf_row(text) or json_row(short))
