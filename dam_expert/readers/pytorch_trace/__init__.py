"""Chrome traces of the PyTorch profiler: 2021 to today, CUDA, ROCm and CPU, plain or gzip, whole or cut.

>>> from dam_expert.readers.source import Source
>>> raw = b'''{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
...   {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 1, "tid": 1, "ts": 100, "dur": 2000},
...   {"ph": "X", "cat": "user_annotation", "pid": 1, "tid": 1, "ts": 110, "dur": 500,
...    "name": "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"},
...   {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 700, "dur": 1300}]}'''
>>> reading = PyTorchTraceReader().read(Source.of_bytes("trace.json", raw))
>>> round({found.measurement: found.value for found in reading.observations}["input_wait_share"].mid, 6)
0.25
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.pytorch_trace.capture import judged
from dam_expert.readers.pytorch_trace.derive import Derivation
from dam_expert.readers.pytorch_trace.inputs import waiting
from dam_expert.readers.pytorch_trace.ranks import compared
from dam_expert.readers.pytorch_trace.steps import chosen
from dam_expert.readers.pytorch_trace.stream import EventStream
from dam_expert.readers.pytorch_trace.table import Collector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.readers.pytorch_trace.capture import Capture
    from dam_expert.readers.source import Source

_CATEGORY = re.compile(
    r'"cat"\s*:\s*"(?:Operator|Runtime|Kernel|Memcpy|Memset|cpu_op|user_annotation|gpu_user_annotation|cuda_runtime'
    r"|cuda_driver|kernel|gpu_memcpy|gpu_memset|python_function|cpu_instant_event|ac2g|async_cpu_to_gpu|fwdbwd"
    r'|async_gpu|overhead|cuda_sync)"'
)
_HEADER = re.compile(r'"schemaVersion"\s*:.*"(?:deviceProperties|traceEvents)"\s*:\s*\[', re.DOTALL)
_MANY_STEPS = "capture several warm steps with schedule(wait=…, warmup=…, active=…) and prof.step()"


@dataclasses.dataclass(frozen=True, slots=True)
class PyTorchTraceReader:
    """Reads what ``torch.profiler`` exports with ``export_chrome_trace`` or ``tensorboard_trace_handler``."""

    tool: str = "pytorch_profiler"
    title: str = "PyTorch profiler trace"
    versions: str = "PyTorch 1.8 to 2.13: CUDA, ROCm, MTIA, host only"

    def recognises(self, source: Source) -> bool:
        """Whether the head is JSON with the profiler's header fields or event categories."""
        head = source.head.lstrip()
        if not head.startswith(("{", "[")):
            return False
        return bool(_CATEGORY.search(head) or _HEADER.search(head))

    def read(self, source: Source) -> Reading:
        """Return what the trace shows; of a cut trace, what its complete events show."""
        tell = Teller(file=source.shown, tool=self.tool)
        stream, collector = EventStream(source.blocks()), Collector()
        for batch in stream.batches():
            collector.take(batch)
        trace = collector.finish()
        lost = stream.unreadable > trace.events // 100
        used = chosen(trace)
        capture = judged(trace, used, damaged=stream.truncated or stream.damage is not None or lost)
        messages = list(_about_damage(stream, trace.events, tell))
        if not any(len(track) for track in trace.tracks.values()):
            text = "the trace holds no event of a kind that says anything about speed"
            return tell.reading(messages=(*messages, tell.warn("no-events", text, hint=_MANY_STEPS)))
        derivation = Derivation(trace, stream.header, capture, used, waiting(trace, used), tell)
        messages += _about_capture(derivation, tell)
        return tell.reading(
            observations=tuple(derivation.observations()),
            messages=tuple(messages),
            lines_read=trace.events + stream.unreadable,
            lines_not_understood=stream.unreadable,
            collectives=compared(trace, used, stream.header) if capture.whole else None,
        )


def _about_damage(stream: EventStream, events: int, tell: Teller) -> Iterator[Message]:
    if stream.damage is not None:
        yield tell.warn(stream.damage.code, stream.damage.text, hint=stream.damage.hint)
    elif stream.truncated:
        text = f"the trace ends early; its {events} complete events are used as a partial capture"
        yield tell.warn("truncated", text, hint="let the profiler finish writing, or copy the file again")
    if stream.unreadable:
        text = f"{stream.unreadable} of {events + stream.unreadable} events were not understood and are left out"
        yield tell.warn("lines-not-understood", text, hint="export again with a newer PyTorch if this persists")


def _about_capture(derivation: Derivation, tell: Teller) -> list[Message]:
    found: list[Message] = []
    capture: Capture = derivation.capture
    if not derivation.steps.count:
        odd = derivation.steps.spurious
        text = "the step marks are not of this capture" if odd else "the trace marks no steps"
        found.append(tell.note("no-steps", f"{text}: shares of a step are unknown", hint=_MANY_STEPS))
    if capture.state != "complete":
        text = f"the capture is {capture.state} ({capture.why}): idle time in it is not used"
        found.append(tell.warn(f"{capture.state}-capture", text, hint=_MANY_STEPS))
    return [*found, *derivation.complaints()]
