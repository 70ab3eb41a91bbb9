"""From the events of one trace to observations. Named quantities only; nothing else of the trace leaves."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.readers.pytorch_trace import recording, recurring, shares, spans
from dam_expert.readers.pytorch_trace.events import DEVICE_KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.interface import Teller
    from dam_expert.readers.pytorch_trace.capture import Capture
    from dam_expert.readers.pytorch_trace.spans import Spans
    from dam_expert.readers.pytorch_trace.steps import Steps
    from dam_expert.readers.pytorch_trace.stream import Header
    from dam_expert.readers.pytorch_trace.table import Trace

WORLD = 10_000_000
"""No job has this many ranks."""

DEVICES = 128
"""No process uses more devices: more are junk in their numbers, and each costs a pass over all events."""

NAME_CHARACTERS = 80
"""No device has a longer name."""

STEP_SHARES = (
    ("kernel_share", "kernel", "union of compute kernels over the steps"),
    ("communication_share", "communication", "union of collective kernels over the steps"),
    ("communication_exposed_share", "communication_exposed", "collectives not under compute kernels"),
    ("copy_exposed_share", "copy_exposed", "copies not under compute or collectives"),
    ("h2d_exposed_share", "to_device_exposed", "host-to-device copies not under compute or collectives"),
    ("d2h_exposed_share", "to_host_exposed", "device-to-host copies not under compute or collectives"),
    ("device_other_share", "other", "memset and the rest of device activity"),
    ("input_gap_share", "input_gap", "device idle while the host waits for or prepares inputs"),
    ("host_gap_share", "host_gap", "device idle otherwise"),
    ("sync_gap_share", "sync_gap", "host gaps that begin while the host is blocked by a synchronisation"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class Derivation:
    """All that is needed to derive; ``observations`` does it."""

    trace: Trace
    header: Header
    capture: Capture
    steps: Steps
    waiting: Spans
    tell: Teller
    devices: tuple[int, ...] = dataclasses.field(init=False)
    """The devices that worked, by number, those with the lowest numbers where there are too many."""
    left_out: int = dataclasses.field(init=False)
    """How many devices are not looked at."""

    def __post_init__(self) -> None:
        found = np.unique(self.trace.column("device", *DEVICE_KINDS))
        object.__setattr__(self, "devices", tuple(int(number) for number in found[:DEVICES]))
        object.__setattr__(self, "left_out", max(len(found) - DEVICES, 0))

    @property
    def scope(self) -> Scope:
        """The rank, where the trace knows it."""
        return () if self.header.rank is None else (("rank", str(self.header.rank)),)

    def complaints(self) -> Iterator[Message]:
        """Yield what keeps the trace from showing more."""
        if self.left_out:
            text = f"{self.left_out} more devices are left out: no process uses more than {DEVICES}"
            yield self.tell.warn("too-many-devices", text, hint="look at the device numbers of the events")

    def observations(self) -> Iterator[Observation]:
        """Yield everything the trace shows."""
        yield from self._about_the_capture()
        if self.steps.count:
            yield from self._steps()
        for device in self.devices:
            scope = self.scope if len(self.devices) == 1 else (("device", str(device)), *self.scope)
            yield from self._kernels(device, scope)
            if self.steps.count:
                yield from self._step_shares(device, scope)
            else:
                yield from self._span_shares(device, scope)

    def _point(self, measurement: str, value: float, detail: str, scope: Scope | None = None) -> Observation:
        where = self.scope if scope is None else scope
        return self.tell.observe(measurement, Interval.point(value), scope=where, detail=detail)

    def _host_share(self, measurement: str, value: float, detail: str) -> Observation:
        return self._bounded(measurement, value, detail, self.scope, lost=not self.capture.host_whole)

    def _share(self, measurement: str, value: float, detail: str, scope: Scope) -> Observation:
        return self._bounded(measurement, value, detail, scope, lost=not self.capture.whole)

    def _bounded(self, measurement: str, value: float, detail: str, scope: Scope, *, lost: bool) -> Observation:
        """Return a share, cut to 0..1; only a lower bound where the capture may have lost events."""
        lo = min(max(value, 0.0), 1.0)
        told = f"{detail}; at least, capture is {self.capture.state}" if lost else detail
        return self.tell.observe(measurement, Interval(lo, 1.0 if lost else lo), scope=scope, detail=told)

    def _word(self, measurement: str, word: str, detail: str) -> Observation:
        return self.tell.observe(measurement, word, scope=self.scope, detail=detail)

    def _about_the_capture(self) -> Iterator[Observation]:
        yield self._word("capture_state", self.capture.state, self.capture.why)
        yield self._word("step_marks", "true" if self.steps.count else "false", "ProfilerStep marks")
        if self.devices or self.capture.host_whole:
            yield self._word("device_side", "true" if self.devices else "false", "kernels, copies or memsets in it")
        if self.capture.host_whole:
            marked = len(self.waiting) or len(self.trace.tracks[Kind.LOADER])
            yield self._word("input_marks", "true" if marked else "false", "loader marks and input work")
        if self.capture.orphans is not None:
            detail = "device activities without a launch in the capture"
            yield self._point("orphan_device_share", self.capture.orphans, detail)
        if len(self.trace.loader_modes) == 1:
            yield self._word("loader_mode", next(iter(self.trace.loader_modes)), "name of the loader's iterator")
        if self.devices:
            yield self._point("rank_traces", 1.0, "a trace with device activity")
        if self.header.world_size and 0 < self.header.world_size < WORLD:
            yield self._point("world_size", self.header.world_size, "distributedInfo of the trace")
        names = {self.header.devices.get(device, "").strip()[:NAME_CHARACTERS] for device in self.devices} - {""}
        if len(names) == 1:
            yield self._word("accelerator", next(iter(names)), "deviceProperties of the trace")

    def _steps(self) -> Iterator[Observation]:
        lengths, window = self.steps.durations, self.steps.window
        mean = float(lengths.mean())
        yield self._point("step_time", mean, self.steps.detail)
        yield self._point("steps_captured", self.steps.count, self.steps.detail)
        yield self._point("step_time_spread", float(lengths.max()) / mean, "longest step over mean")
        waited = spans.total(spans.intersect(self.waiting, window)) / spans.total(window)
        yield self._host_share("input_wait_share", waited, f"host in loader or input work, {self.steps.detail}")
        if len(self.trace.calls):
            blocked = spans.total(spans.intersect(shares.blocking(self.trace), window))
            yield self._host_share("sync_time_share", blocked / spans.total(window), "host in blocking calls")
            launching = spans.total(spans.intersect(self.trace.tracks[Kind.LAUNCH].covered, window))
            yield self._host_share("launch_time_share", launching / spans.total(window), "host in launch calls")

    def _kernels(self, device: int, scope: Scope) -> Iterator[Observation]:
        kernels = self.trace.tracks[Kind.KERNEL].on(device)
        if self.steps.count:
            kernels = kernels.where(spans.inside(kernels.start, self.steps.window))
        if not len(kernels):
            return
        lengths = kernels.end - kernels.start
        yield self._point("kernel_duration_mean", float(lengths.mean()), f"{len(kernels)} compute kernels", scope)
        yield self._point("kernel_duration_median", float(np.median(lengths)), f"{len(kernels)} compute kernels", scope)
        if self.steps.count and self.capture.whole:
            yield self._point("kernels_per_step", len(kernels) / self.steps.count, self.steps.detail, scope)

    def _step_shares(self, device: int, scope: Scope) -> Iterator[Observation]:
        if self.capture.state == "tiny":
            return
        found = shares.of_device(self.trace, device, self.steps.window, self.waiting)
        detail = f"union of device activity over the step, {self.steps.detail}"
        yield self._share("device_busy_share", found.busy, detail, scope)
        if self.capture.whole:
            for measurement, field, how in STEP_SHARES:
                yield self._share(measurement, getattr(found, field), f"{how}, {self.steps.detail}", scope)
            yield from self._copies(device, scope)
            yield from self._certain(found, scope)

    def _certain(self, found: shares.Shares, scope: Scope) -> Iterator[Observation]:
        """Yield what is left of the shares without their worst step, and without the cost of recording."""
        marks = self.steps.track
        steps = np.column_stack([marks.start, marks.end])
        for part, taken in found.spans.items():
            left = min(recurring.without_the_worst(taken, steps), getattr(found, part))
            how = "without the step in which it is largest" if self.steps.count > 1 else "without its longest stretch"
            yield self._share(f"{part}_recurring_share", left, f"{part} {how}, {self.steps.detail}", scope)
        left = recurring.without_the_longest(found.spans["host_gap"], steps)
        yield self._share("host_gap_spread_share", left, "host gaps without the longest of each step", scope)
        length = spans.total(self.steps.window)
        left = recording.net(found.host_gap, recording.cost(self.trace, self.steps.window), length)
        yield self._share("host_gap_net_share", left, "host gaps without what recording may take", scope)

    def _copies(self, device: int, scope: Scope) -> Iterator[Observation]:
        copies = self.trace.tracks[Kind.HOST_TO_DEVICE].on(device)
        copies = copies.where(spans.inside(copies.start, self.steps.window) & np.isfinite(copies.bytes))
        moved, taken = float(copies.bytes.sum()), float((copies.end - copies.start).sum())
        if not moved or not taken:
            return
        yield self._point("h2d_bandwidth", moved / taken, f"bytes over time of {len(copies)} copies", scope)
        yield self._point("h2d_bytes_per_step", moved / self.steps.count, self.steps.detail, scope)

    def _span_shares(self, device: int, scope: Scope) -> Iterator[Observation]:
        busy = self.trace.device_side.on(device).covered
        if self.capture.state == "tiny" or not len(busy):
            return
        window = spans.span(float(busy[0, 0]), float(busy[-1, 1]))
        found = shares.of_device(self.trace, device, window, self.waiting)
        where = "from first to last device activity, no steps marked"
        yield self._share("span_busy_share", found.busy, where, scope)
        if self.capture.whole:
            yield self._share("span_input_gap_share", found.input_gap, where, scope)
            yield self._share("span_host_gap_share", found.host_gap, where, scope)
