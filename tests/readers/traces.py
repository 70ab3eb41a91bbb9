"""Builds small profiler traces in the shape of each generation, for the tests."""

from __future__ import annotations

import dataclasses
import gzip
import json
from typing import TYPE_CHECKING, Any

from dam_expert.readers.pytorch_trace import PyTorchTraceReader
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reading

NAMES = {
    "2021": {"op": "Operator", "mark": "Operator", "call": "Runtime", "kernel": "Kernel", "copy": "Memcpy"},
    "2022": {"op": "cpu_op", "mark": "cpu_op", "call": "cuda_runtime", "kernel": "kernel", "copy": "gpu_memcpy"},
    "2023": {
        "op": "cpu_op",
        "mark": "user_annotation",
        "call": "cuda_runtime",
        "kernel": "kernel",
        "copy": "gpu_memcpy",
    },
    "rocm": {
        "op": "cpu_op",
        "mark": "user_annotation",
        "call": "cuda_runtime",
        "kernel": "kernel",
        "copy": "gpu_memcpy",
    },
}


@dataclasses.dataclass
class Trace:
    """Events in microseconds; ``header`` stands before them."""

    age: str = "2023"
    base: float = 1000.0
    events: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    header: dict[str, Any] = dataclasses.field(default_factory=lambda: {"schemaVersion": 1, "deviceProperties": []})
    ids: int = 100

    def add(
        self, cat: str, name: str, start: float, length: float, *, tid: Any = 7, pid: Any = 7, **args: Any
    ) -> Trace:
        event = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": self.base + start, "dur": length}
        self.events.append({**event, "args": args})
        return self

    def mark(self, name: str, start: float, length: float, **where: Any) -> Trace:
        return self.add(NAMES[self.age]["mark"], name, start, length, **where)

    def step(self, number: int, start: float, length: float, **where: Any) -> Trace:
        return self.mark(f"ProfilerStep#{number}", start, length, **where)

    def loader(self, start: float, length: float, kind: str = "SingleProcess", **where: Any) -> Trace:
        return self.mark(f"enumerate(DataLoader)#_{kind}DataLoaderIter.__next__", start, length, **where)

    def op(self, name: str, start: float, length: float, **where: Any) -> Trace:
        return self.add(NAMES[self.age]["op"], name, start, length, **where)

    def call(self, name: str, start: float, length: float, **args: Any) -> Trace:
        return self.add(
            NAMES[self.age]["call"], ("hip" if self.age == "rocm" else "cuda") + name, start, length, **args
        )

    def kernel(
        self, start: float, length: float, *, name: str = "gemm", launched: float | None = None, device: int = 0
    ) -> Trace:
        """Add a kernel and, two microseconds before it or at ``launched``, its launch."""
        self.ids += 1
        self.call("LaunchKernel", start - 2 if launched is None else launched, 1, correlation=self.ids)
        where = {"pid": device, "tid": 20, "device": device, "stream": 20, "correlation": self.ids}
        return self.add(NAMES[self.age]["kernel"], name, start, length, **where)

    def copy(
        self, start: float, length: float, *, name: str = "HtoD", called: tuple[float, float], size: int = 0
    ) -> Trace:
        """Add a copy on the device and the call that made it, given by its start and length."""
        self.ids += 1
        self.call("MemcpyAsync", *called, correlation=self.ids)
        where = {"pid": 0, "tid": 20, "device": 0, "correlation": self.ids, "bytes": size}
        return self.add(NAMES[self.age]["copy"], f"Memcpy {name} (a -> b)", start, length, **where)

    def kernels(self, start: float, each: float, count: int, apart: float) -> Trace:
        for number in range(count):
            self.kernel(start + number * apart, each)
        return self

    @property
    def text(self) -> bytes:
        return json.dumps({**self.header, "traceEvents": self.events}).encode()

    @property
    def zipped(self) -> bytes:
        return gzip.compress(self.text)


def read(content: Trace | bytes) -> Reading:
    """Read a trace from memory."""
    data = content.text if isinstance(content, Trace) else content
    return PyTorchTraceReader().read(Source.of_bytes("trace.json", data))


def values(reading: Reading) -> dict[str, Any]:
    """Return points as numbers rounded to nine digits, words as they are, and bounds as pairs."""
    found = {}
    for each in reading.observations:
        value = each.value
        if not isinstance(value, str):
            value = round(value.lo, 9) if value.is_point else (round(value.lo, 9), round(value.hi, 9))
        found[each.measurement] = value
    return found


def codes(reading: Reading) -> set[str]:
    """Return the codes of the messages."""
    return {message.code for message in reading.messages}


def training(age: str = "2023", *, steps: int = 3, wait: float = 400.0) -> Trace:
    """Return steps of 1 ms with the loader first, then eight kernels of 50 µs, the device otherwise idle."""
    trace = Trace(age)
    for number in range(steps):
        at = number * 1000.0
        trace.step(number + 5, at, 1000.0).loader(at, wait).op("aten::linear", at + wait, 100.0)
        trace.kernels(at + wait + 100, 50.0, 8, 50.0)
    return trace
