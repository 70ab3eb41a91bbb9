"""What a device did in a window of time, and why it was idle: parts that add up to the window exactly.

    kernel + communication exposed + copies exposed + other + input gap + host gap = 1

A part later in the list counts only where none before it was going on. A gap is *input* while the host waits for or
prepares inputs, and *host* otherwise. A host gap is opened by a synchronisation when it begins while a call that
blocks the host is in progress; the calls themselves are innocent where the device was at work meanwhile.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.pytorch_trace import spans
from dam_expert.readers.pytorch_trace.events import DEVICE_KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.readers.pytorch_trace.spans import Spans
    from dam_expert.readers.pytorch_trace.table import Trace, Track


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Parts of a window, 0 to 1."""

    busy: float
    kernel: float
    communication: float
    communication_exposed: float
    copy_exposed: float
    to_device_exposed: float
    to_host_exposed: float
    other: float
    input_gap: float
    host_gap: float
    sync_gap: float
    spans: Mapping[str, Spans]
    """When the parts took place that may come from a single event."""


def of_device(trace: Trace, device: int, window: Spans, waiting: Spans) -> Shares:
    """Return the parts of the window on one device. The window must not be empty."""
    length = spans.total(window)

    def covered(*kinds: Kind) -> Spans:
        return spans.intersect(trace.of(*kinds).on(device).covered, window)

    def part(found: Spans) -> float:
        return spans.total(found) / length

    kernel, communication = covered(Kind.KERNEL), covered(Kind.COMMUNICATION)
    working = spans.join(kernel, communication)
    copies = covered(Kind.HOST_TO_DEVICE, Kind.DEVICE_TO_HOST, Kind.OTHER_COPY)
    busy = covered(*DEVICE_KINDS)
    idle = spans.subtract(window, busy)
    unfed = spans.subtract(idle, waiting)
    exposed, uncovered = spans.subtract(communication, kernel), spans.subtract(copies, working)
    starved = spans.intersect(idle, waiting)
    return Shares(
        busy=part(busy),
        kernel=part(kernel),
        communication=part(communication),
        communication_exposed=part(exposed),
        copy_exposed=part(uncovered),
        to_device_exposed=part(spans.subtract(covered(Kind.HOST_TO_DEVICE), working)),
        to_host_exposed=part(spans.subtract(covered(Kind.DEVICE_TO_HOST), working)),
        other=part(spans.subtract(busy, spans.join(working, copies))),
        input_gap=part(starved),
        host_gap=part(unfed),
        sync_gap=part(spans.intersect(unfed, _opened_by_waiting(trace, device))),
        spans={"input_gap": starved, "host_gap": unfed, "communication_exposed": exposed, "copy_exposed": uncovered},
    )


def blocking(trace: Trace) -> Spans:
    """Return the time in calls that block the host: synchronisations, and copies that returned only when done."""
    calls, copies = trace.tracks[Kind.COPY_CALL], trace.of(Kind.HOST_TO_DEVICE, Kind.DEVICE_TO_HOST, Kind.OTHER_COPY)
    waited = calls.where(calls.end >= _done(calls, copies))
    return spans.join(trace.tracks[Kind.BLOCKING_CALL].covered, waited.covered)


def _done(calls: Track, copies: Track) -> np.ndarray:
    """Return when the copy of each call was done; infinity for a call without one."""
    if not len(copies):
        return np.full(len(calls), np.inf)
    order = np.argsort(copies.correlation, kind="stable")
    ids = copies.correlation[order]
    at = np.searchsorted(ids, calls.correlation).clip(max=len(ids) - 1)
    return np.where((ids[at] == calls.correlation) & (calls.correlation > 0), copies.end[order][at], np.inf)


def _opened_by_waiting(trace: Trace, device: int) -> Spans:
    """Return the whole gaps after activities of a device that begin while the host is blocked."""
    busy = trace.device_side.on(device).covered
    after = np.column_stack([busy[:, 1], np.r_[busy[1:, 0], np.inf][: len(busy)]])
    return after[spans.inside(after[:, 0], blocking(trace))]
