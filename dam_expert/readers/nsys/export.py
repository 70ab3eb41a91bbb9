"""``nsys export --type sqlite``: the same shares as from a profiler trace, by the same interval algebra.

Steps are NVTX ranges that say so (``step 12``, ``iteration``, ``ProfilerStep#4``); without them shares are of the time
from the first to the last device activity and only support. Each process is looked at by itself: correlation ids and
host waits are its own. Start-up (context, module load) lies before the first device activity and counts nowhere.
Times are nanoseconds; columns come and go with the schema and are found by name.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.nsys.database import BROKEN, MAGIC, Database
from dam_expert.readers.nsys.events import PAGEABLE, PINNED, Events
from dam_expert.readers.pytorch_trace import shares, spans
from dam_expert.readers.pytorch_trace.capture import judged
from dam_expert.readers.pytorch_trace.derive import Derivation
from dam_expert.readers.pytorch_trace.events import Kind
from dam_expert.readers.pytorch_trace.inputs import waiting
from dam_expert.readers.pytorch_trace.steps import chosen
from dam_expert.readers.pytorch_trace.stream import Header
from dam_expert.readers.source import DamageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.nsys.events import Process
    from dam_expert.readers.pytorch_trace.table import Track
    from dam_expert.readers.source import Source

NOTICEABLE = 0.05
"""Part of the copied bytes from which a kind of host memory is told beside another."""

LARGE_COPY = 64 * 1024
"""Bytes below which the time of a copy is its start, not its bandwidth."""

MOVED = 1024.0**2
"""Bytes moved in all below which the kind of memory does not matter."""

_AGAIN = "profile some twenty warm seconds and mark the steps with torch.cuda.nvtx.range_push('step')"
_HERE = {"step_marks": "NVTX ranges that mark steps", "accelerator": "TARGET_INFO_GPU of the export"}
_SPAN_SHARES = (
    ("span_kernel_share", "kernel"),
    ("span_communication_exposed_share", "communication_exposed"),
    ("span_copy_exposed_share", "copy_exposed"),
    ("span_sync_gap_share", "sync_gap"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class NsysExportReader:
    """Reads the SQLite export of Nsight Systems."""

    tool: str = "nsight_systems"
    title: str = "Nsight Systems SQLite export"
    versions: str = "Nsight Systems 2020 to 2025: SQLite schema 1 to 3"

    def recognises(self, source: Source) -> bool:
        """Whether it is an SQLite database with the tables of an export."""
        if not source.magic.startswith(MAGIC):
            return False
        try:
            with Database.of(source) as database:
                names = database.tables.keys()
        except (*BROKEN, DamageError):
            return "StringIds" in source.head or "CUPTI_ACTIVITY_KIND" in source.head
        return "StringIds" in names and any(
            name == "META_DATA_EXPORT" or name.startswith("CUPTI_ACTIVITY_KIND_") for name in names
        )

    def read(self, source: Source) -> Reading:
        """Return what the export shows; of a damaged one, what could be read."""
        tell, events = Teller(file=source.shown, tool=self.tool), Events()
        messages: list[Message] = []
        try:
            with Database.of(source) as database:
                events.take(database)
        except BROKEN:
            text = "the database is damaged; what came before is used"
            messages.append(tell.warn("damaged", text, hint="export it again: nsys export --type sqlite FILE.nsys-rep"))
        except DamageError as damage:
            messages.append(tell.warn(damage.code, damage.text, hint=damage.hint))
        damaged = bool(messages) or events.unreadable > events.read // 100
        messages += tell.not_understood(events.unreadable, events.read, first=None)
        if events.used is not None:
            text = (
                f"of its {events.read} events only the middle {(events.used[1] - events.used[0]) / 1e9:.1f} s are used"
            )
            messages.append(tell.note("too-large", text, hint="profile fewer seconds"))
        found = list(_observations(events, tell, messages, damaged=damaged))
        return tell.reading(
            observations=tuple(found),
            messages=tuple(dict.fromkeys(messages)),
            lines_read=events.read,
            lines_not_understood=events.unreadable,
        )


def _observations(events: Events, tell: Teller, messages: list[Message], *, damaged: bool) -> Iterator[Observation]:
    processes = events.working
    if not processes:
        text = "the export holds no event that says anything about speed"
        messages.append(tell.warn("no-events", text, hint="profile with --trace=cuda,nvtx"))
    if events.graphs:
        text = "graphs are recorded as a whole: kernels, collectives and copies in them cannot be told apart"
        messages.append(tell.note("whole-graphs", text, hint="profile with --cuda-graph-trace=node"))
    for process in processes:
        for found in _of_process(process, events, tell, messages, damaged=damaged):
            told = _HERE.get(found.measurement)
            origin = found.origin if told is None else dataclasses.replace(found.origin, detail=told)
            yield dataclasses.replace(found, origin=origin, scope=found.scope or _scope(process, len(processes)))


def _scope(process: Process, processes: int) -> tuple[tuple[str, str], ...]:
    """Return who a value belongs to that is not of one device: with several processes, the device of the process."""
    return (("device", str(process.device)),) if processes > 1 and process.device is not None else ()


def _of_process(
    process: Process, events: Events, tell: Teller, messages: list[Message], *, damaged: bool
) -> Iterator[Observation]:
    trace = process.trace()
    if not any(len(track) for track in trace.tracks.values()):
        messages.append(tell.warn("no-events", "the export holds no readable event", hint=_AGAIN))
        return
    steps = chosen(trace)
    capture = judged(trace, steps, damaged=damaged)
    derivation = Derivation(trace, _header(events, trace.device_side), capture, steps, waiting(trace, steps), tell)
    if not steps.count:
        text = "no ranges mark steps: shares of a step are unknown"
        messages.append(tell.note("no-steps", text, hint=_AGAIN))
    if capture.state != "complete":
        text = f"the capture is {capture.state} ({capture.why}): idle time in it is not used"
        messages.append(tell.warn(f"{capture.state}-capture", text, hint=_AGAIN))
    messages += derivation.complaints()
    yield from derivation.observations()
    for device in derivation.devices:
        scope = (("device", str(device)),) if len(derivation.devices) > 1 else ()
        for found in _beside(derivation, device):
            yield dataclasses.replace(found, scope=scope)
    yield from _memory_kind(process, tell)


def _header(events: Events, device_side: Track) -> Header:
    """Return the names of the devices; several cards of one name are that, whatever their order."""
    header = Header()
    names = set(events.accelerators.values())
    devices = [int(number) for number in np.unique(device_side.device)]
    if len(names) == 1:
        header.devices = dict.fromkeys(devices, names.pop())
    else:
        header.devices = dict(events.accelerators)
    return header


def _beside(derivation: Derivation, device: int) -> Iterator[Observation]:
    """Yield what a trace of the framework does not tell, or only with steps."""
    trace, capture, tell = derivation.trace, derivation.capture, derivation.tell
    if not derivation.steps.count:
        busy = trace.device_side.on(device).covered
        if capture.whole and len(busy):
            window = spans.span(float(busy[0, 0]), float(busy[-1, 1]))
            parts = shares.of_device(trace, device, window, derivation.waiting)
            detail = "from first to last device activity, no steps marked"
            for measurement, field in _SPAN_SHARES:
                yield tell.observe(measurement, Interval.point(min(getattr(parts, field), 1.0)), detail=detail)
        yield from _bandwidth(tell, "h2d_bandwidth", trace.tracks[Kind.HOST_TO_DEVICE].on(device))
    yield from _bandwidth(tell, "d2h_bandwidth", trace.tracks[Kind.DEVICE_TO_HOST].on(device))
    launches = trace.tracks[Kind.LAUNCH]
    if len(launches) > 1:  # the first launch loads its module
        lengths = launches.end - launches.start
        mean = float(lengths.sum() - lengths.max()) / (len(launches) - 1)
        detail = f"{len(launches)} launch calls, mean without the longest"
        yield tell.observe("launch_duration_mean", Interval.point(mean), detail=detail)


def _bandwidth(tell: Teller, measurement: str, copies: Track) -> Iterator[Observation]:
    known = copies.where(np.nan_to_num(copies.bytes) >= LARGE_COPY)
    moved, taken = float(known.bytes.sum()), float((known.end - known.start).sum())
    if moved and taken:
        yield tell.observe(
            measurement, Interval.point(moved / taken), detail=f"bytes over time of {len(known)} large copies"
        )


def _memory_kind(process: Process, tell: Teller) -> Iterator[Observation]:
    total = sum(process.moved.values())
    if total < MOVED:
        return
    kinds = [kind for kind in (PINNED, PAGEABLE) if process.moved.get(kind, 0.0) > NOTICEABLE * total]
    word = kinds[0] if len(kinds) == 1 else "mixed"
    yield tell.observe("copy_memory_kind", word, detail="host memory of copies, by bytes")
