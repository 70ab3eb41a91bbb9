"""From the tables of an export to the events that shares are derived from, one trace per process.

Names are those of the traces of other profilers, once the version suffix of runtime calls is gone:

>>> call_kind("cudaLaunchKernel_v7000").name, call_kind("cudaStreamSynchronize_v3020").name
('LAUNCH', 'BLOCKING_CALL')
>>> step_name("Iteration 12"), step_name("train_step"), step_name("Compute & Residual 10")
('iteration', 'train_step', None)
"""

from __future__ import annotations

import array
import dataclasses
import functools
import re
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.pytorch_trace.events import DEVICE_KINDS, Kind, kind_of
from dam_expert.readers.pytorch_trace.table import Trace, Track

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.readers.nsys.database import Cell, Database

EVENTS = 2_000_000
"""Events beyond which only the middle of the profile is used: the interval algebra takes some 250 bytes for each."""

PROCESSES, THREADS, DEVICES = 1024, 65536, 1024
"""Of one profile; more than any machine has, and few enough that junk in their columns costs no memory."""

NANOSECOND = 1e-9
LATEST = 2**62
NAME_CHARACTERS = 512
PINNED, PAGEABLE = "pinned", "pageable"

_KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
_COPIES = "CUPTI_ACTIVITY_KIND_MEMCPY"
_MEMSETS = "CUPTI_ACTIVITY_KIND_MEMSET"
_GRAPHS = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
_CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME"
_RANGES = "NVTX_EVENTS"

_VERSION = re.compile(r"_v\d+(?=_pt[sd]z$|$)|_pt[sd]z$")
_STEP = re.compile(
    r"^:?((?:profilerstep|(?:train(?:ing)?[ _-]?)?(?:step|iter(?:ation)?|batch)))[\s_#:=-]*\d*$", re.IGNORECASE
)
_COPY_KINDS = {1: Kind.HOST_TO_DEVICE, 2: Kind.DEVICE_TO_HOST}
_MEMORY_KINDS = {0: PAGEABLE, 1: PINNED}
_RANGE_TYPES = (59, 60, None)
"""NVTX push/pop and start/end ranges; exports without the column hold ranges only."""


@functools.lru_cache(maxsize=65536)
def kernel_kind(name: str) -> Kind:
    """Return whether a kernel computes or communicates."""
    return kind_of("kernel", name) or Kind.KERNEL


@functools.lru_cache(maxsize=65536)
def call_kind(name: str) -> Kind:
    """Return the kind of a runtime or driver call."""
    return kind_of("cuda_runtime", _VERSION.sub("", name)) or Kind.OTHER_CALL


def step_name(text: str) -> str | None:
    """Return the name of a range that marks a step, without its number, or None for any other range."""
    found = _STEP.match(text.strip()[:NAME_CHARACTERS])
    return found[1].lower() if found else None


@dataclasses.dataclass(slots=True)
class _Columns:
    """A track while it grows; times in nanoseconds since the first event that was read."""

    start: array.array[float] = dataclasses.field(default_factory=lambda: array.array("d"))
    end: array.array[float] = dataclasses.field(default_factory=lambda: array.array("d"))
    thread: array.array[int] = dataclasses.field(default_factory=lambda: array.array("q"))
    device: array.array[int] = dataclasses.field(default_factory=lambda: array.array("q"))
    correlation: array.array[int] = dataclasses.field(default_factory=lambda: array.array("q"))
    bytes: array.array[float] = dataclasses.field(default_factory=lambda: array.array("d"))

    def track(self, origin: float) -> Track:
        """Return the columns in seconds since an origin. Nothing is copied: the columns become those of the track."""
        if not self.start:
            nothing, never = np.empty(0, dtype=np.int64), np.empty(0)
            return Track(never, never, nothing, nothing, nothing, never, nothing)
        start, end = (np.frombuffer(column, dtype=np.float64) for column in (self.start, self.end))
        for times in (start, end):
            np.multiply(np.subtract(times, origin, out=times), NANOSECOND, out=times)
        thread, device, correlation = (
            np.frombuffer(column, dtype=np.int64) for column in (self.thread, self.device, self.correlation)
        )
        unlabelled = np.full(len(start), -1, dtype=np.int64)
        return Track(start, end, thread, device, correlation, np.frombuffer(self.bytes, dtype=np.float64), unlabelled)


@dataclasses.dataclass(slots=True)
class Process:
    """The events of one process while they are read."""

    kinds: dict[Kind, _Columns] = dataclasses.field(default_factory=lambda: {kind: _Columns() for kind in Kind})
    steps: dict[str, _Columns] = dataclasses.field(default_factory=dict)
    threads: dict[int, int] = dataclasses.field(default_factory=dict)
    moved: dict[str, float] = dataclasses.field(default_factory=dict)
    """Bytes copied from and to the host by kind of host memory."""
    count: int = 0

    @property
    def works(self) -> bool:
        """Whether the process used a device."""
        return any(self.kinds[kind].start for kind in DEVICE_KINDS)

    @property
    def device(self) -> int | None:
        """The lowest number of a device that the process used, None without one."""
        first = [self.kinds[kind].device[0] for kind in DEVICE_KINDS if self.kinds[kind].device]
        return min(first, default=None)

    def thread(self, number: int) -> int:
        """Return the place of a thread among those of the process."""
        if len(self.threads) >= THREADS:
            return self.threads.get(number, 0)
        return self.threads.setdefault(number, len(self.threads))

    def marks(self, step: str) -> _Columns:
        """Return the ranges under the name of a step."""
        return self.steps.get(step) or self.steps.setdefault(step, _Columns())

    def trace(self) -> Trace:
        """Return the events with the times counted from the first device activity: start-up lies before it."""
        starts = [min(self.kinds[kind].start) for kind in DEVICE_KINDS if self.kinds[kind].start]
        origin = min(starts) if starts else 0.0
        tracks = {kind: columns.track(origin) for kind, columns in self.kinds.items()}
        marked = self._marked()
        if marked is not None:
            tracks[Kind.STEP] = marked.track(origin)
        return Trace(tracks, ("process",) * max(len(self.threads), 1), frozenset(), self.count)

    def _marked(self) -> _Columns | None:
        """Return the ranges that are steps: the profiler's own, else those that cover the most time and repeat."""
        repeated = {name: columns for name, columns in self.steps.items() if len(columns.start) > 1}
        if "profilerstep" in self.steps:
            return self.steps["profilerstep"]
        return max(repeated.values(), key=lambda columns: sum(columns.end) - sum(columns.start), default=None)


class Events:
    """Reads an export. ``graphs`` tells whether whole graphs stand for the kernels in them."""

    def __init__(self) -> None:
        self.processes: dict[int, Process] = {}
        self.accelerators: dict[int, str] = {}
        self.graphs = False
        self.unreadable = 0
        self.read = 0
        self.used: tuple[int, int] | None = None
        """The nanoseconds that are used of a profile that is too large, None where all of it is."""
        self._base: int | None = None
        self._by_process = True

    def take(self, database: Database) -> None:
        """Take every table that tells of time. What was read before an error stays."""
        self._by_process = "globalPid" in database.tables.get(_KERNELS, ())
        self.used = _middle(database)
        names = self._names(database)
        for number, name in database.rows("TARGET_INFO_GPU", ("id", "name")):
            if isinstance(number, int) and isinstance(name, str) and len(self.accelerators) < DEVICES:
                self.accelerators[number] = name[:NAME_CHARACTERS]
        kernels = ("start", "end", "deviceId", "correlationId", "globalPid", "shortName", "demangledName")
        for start, end, device, correlation, process, short, full in database.rows(_KERNELS, kernels):
            name = names.get(short) or names.get(full) or ""
            self._keep(kernel_kind(name), start, end, process, device=device, correlation=correlation)
        self._take_copies(database)
        for table in (_MEMSETS, _GRAPHS):
            columns = ("start", "end", "deviceId", "correlationId", "globalPid")
            for start, end, device, correlation, process in database.rows(table, columns):
                self.graphs = self.graphs or table == _GRAPHS
                self._keep(Kind.MEMSET, start, end, process, device=device, correlation=correlation)
        calls = ("start", "end", "correlationId", "globalTid", "nameId")
        for start, end, correlation, thread, name in database.rows(_CALLS, calls):
            self._keep(call_kind(names.get(name, "")), start, end, thread, thread=thread, correlation=correlation)
        self._take_ranges(database, names)

    def _names(self, database: Database) -> dict[Cell, str]:
        """Return the texts that calls, kernels and ranges refer to."""
        wanted: set[int] = set()
        columns = ((_KERNELS, "shortName"), (_KERNELS, "demangledName"), (_CALLS, "nameId"), (_RANGES, "textId"))
        for table, column in columns:
            wanted |= database.distinct(table, column)
        found: dict[Cell, str] = {}
        for number, text in database.rows("StringIds", ("id", "value")):
            if number in wanted and isinstance(text, str):
                found[number] = text[:NAME_CHARACTERS]
        return found

    def _take_copies(self, database: Database) -> None:
        columns = ("start", "end", "deviceId", "correlationId", "globalPid", "bytes", "copyKind", "srcKind", "dstKind")
        for start, end, device, correlation, process, size, way, source, target in database.rows(_COPIES, columns):
            kind = _COPY_KINDS.get(way, Kind.OTHER_COPY) if isinstance(way, int) else Kind.OTHER_COPY
            moved = float(size) if isinstance(size, int) and 0 <= size < 2**60 else float("nan")
            kept = self._keep(kind, start, end, process, device=device, correlation=correlation, size=moved)
            host = source if kind is Kind.HOST_TO_DEVICE else target if kind is Kind.DEVICE_TO_HOST else None
            memory = _MEMORY_KINDS.get(host) if isinstance(host, int) else None
            if kept is not None and memory is not None and moved == moved:
                kept.moved[memory] = kept.moved.get(memory, 0.0) + moved

    def _take_ranges(self, database: Database, names: dict[Cell, str]) -> None:
        columns = ("start", "end", "eventType", "text", "textId", "globalTid")
        for start, end, sort, text, number, thread in database.rows(_RANGES, columns):
            if end is None or sort not in _RANGE_TYPES:
                continue
            said = text if isinstance(text, str) else names.get(number, "")
            step = step_name(said)
            if step is not None:
                self._keep(Kind.STEP, start, end, thread, thread=thread, step=step)
            else:
                kind = kind_of("user_annotation", said[:NAME_CHARACTERS]) or Kind.ANNOTATION
                self._keep(kind, start, end, thread, thread=thread)

    def _keep(
        self,
        kind: Kind,
        start: Cell,
        end: Cell,
        owner: Cell,
        *,
        thread: Cell = 0,
        device: Cell = -1,
        correlation: Cell = -1,
        size: float = float("nan"),
        step: str | None = None,
    ) -> Process | None:
        """Add one event to its process, or count it where its times cannot be."""
        self.read += 1
        if not (isinstance(start, int) and isinstance(end, int) and abs(start) < LATEST and start <= end < LATEST):
            self.unreadable += 1
            return None
        if self.used is not None and not self.used[0] <= start <= self.used[1]:
            return None
        if self._base is None:
            self._base = start
        number = _whole(owner) >> 24 if self._by_process else 0
        if number not in self.processes and len(self.processes) >= PROCESSES:
            self.unreadable += 1
            return None
        process = self.processes.get(number) or self.processes.setdefault(number, Process())
        process.count += 1
        columns = process.kinds[kind] if step is None else process.marks(step)
        columns.start.append(float(start - self._base))
        columns.end.append(float(end - self._base))
        columns.thread.append(process.thread(_whole(thread)))
        columns.device.append(_whole(device))
        columns.correlation.append(_whole(correlation))
        columns.bytes.append(size)
        return process

    @property
    def working(self) -> list[Process]:
        """The processes that used a device; without any the one that did the most."""
        working = [process for process in self.processes.values() if process.works]
        return sorted(working, key=lambda process: process.device or 0) or _busiest(self.processes.values())


def _middle(database: Database) -> tuple[int, int] | None:
    """Return the middle of a profile with too many events, as long as its part of all events; None for any other."""
    events = sum(database.count(table) for table in (_KERNELS, _COPIES, _MEMSETS, _GRAPHS, _CALLS, _RANGES))
    span = database.span(_KERNELS, "start")
    if events <= EVENTS or span is None:
        return None
    cut = int((span[1] - span[0]) * (1.0 - EVENTS / events) / 2.0)
    return span[0] + cut, span[1] - cut


def _busiest(processes: Iterable[Process]) -> list[Process]:
    found = max(processes, key=lambda process: process.count, default=None)
    return [] if found is None else [found]


def _whole(value: Cell) -> int:
    """Return a whole number that can be one of these, -1 for anything else."""
    return value if isinstance(value, int) and 0 <= value < LATEST else -1
