"""Whether a capture shows all that ran in it. Where it does not, idle time in it means nothing.

thinned   the device calls that are kept are few among those that their correlation ids count
partial   the file ends early; or the device was at work that the capture does not show: launches without device
          activity or the reverse, or launched work and host waits that outlast a device which seems idle; or the
          start-up of the device or of the loader's workers is in it
tiny      a handful of device activities: a unit test, not a job

The limits below tell what a file is, as a header tells its tool: they are part of recognising a capture, decide nothing
about a job, and stand here beside the format and not among the thresholds of the knowledge base. Their source is what
whole captures measure: PyTorch Kineto's two ResNet-50 samples (2021), the test traces of HolisticTraceAnalysis (A100,
V100) and of TraceLens (H100, B200, MI300X), and for launch times the profiling guides of the vendors.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.pytorch_trace import spans
from dam_expert.readers.pytorch_trace.events import CALL_KINDS, DEVICE_KINDS, Kind

if TYPE_CHECKING:
    from dam_expert.readers.pytorch_trace.spans import Spans
    from dam_expert.readers.pytorch_trace.steps import Steps
    from dam_expert.readers.pytorch_trace.table import Numbers, Trace, Track

TINY, TINY_UNMARKED = 16, 128
"""Device activities below which a capture is no job. The smallest whole step among them, of a small BERT, has 61; the
unit tests among them have 1, 4 and, without step marks, 98: there nothing says that it is a whole iteration."""

THINNED_RATIO = 30.0
"""Correlation ids per kept call. The whole captures have 0.9 to 17.8, since not every driver call is recorded; keeping
one event in a hundred multiplies that by a hundred."""

THINNED_CALLS = 16
"""Calls from which that ratio means something: with fewer, one gap in the numbers makes it anything."""

TINY_STEP = 6
"""Device activities in a marked step below which it is none of a job: one linear layer alone has two forward,
two of the loss, two backward and an update. The smallest step among the whole captures has 61."""

OFTEN, WITHOUT_KERNEL = 8, 0.2
"""How often an operator that always launches must be there to count, and the part of it without a launch that is too
many. The whole captures have 0 of each; such an operator was thinned out, or ran on the host where others did not."""

ORPHANS, LOST = 0.05, 0.2
"""Parts of the device activities without a launch, and of the launches without an activity, that are too many. The
whole captures have 0 of both; an edge of the capture leaves a few."""

QUEUED = 1e-3
"""Seconds. Launched work on an idle device starts within tens of microseconds, and a host wait on it returns so."""

UNSEEN = 0.05
"""Part of the time that is looked at in which the device must have been at work that is not shown."""

START_UP = 0.1
"""Seconds. A call this long while the device is idle makes a context or loads modules: no warm job does."""

LONG_CALL, STEP_OF_ONE_CALL = 1e-3, 0.2
"""Seconds, and the part of all steps that are looked at, from which a single call while the device is idle loads the
module that it launches from: the steps are those of a warm-up. A warm launch takes microseconds."""

FIRST_WAIT = 0.8
"""Part of all the waiting for the loader that is in the first of several steps, from which it may be the start of the
workers. Steps that wait alike hold at most a half each; a stall that comes back needs steps enough to come back in."""


@dataclasses.dataclass(frozen=True, slots=True)
class Capture:
    """``state`` is complete, partial, thinned or tiny; ``why`` says how that is known."""

    state: str
    why: str
    orphans: float | None
    """Part of the device activities whose launch is not in the capture; None where ids are missing."""
    host_whole: bool = True
    """Whether the host side shows all that the host did."""

    @property
    def whole(self) -> bool:
        """Whether idle time in the capture is idle time of the job."""
        return self.state == "complete"


def judged(trace: Trace, steps: Steps, *, damaged: bool) -> Capture:
    """Return what a capture is worth."""
    device = trace.device_side
    orphans = _without(device.correlation, trace.column("correlation", *CALL_KINDS))
    if damaged:
        return Capture("partial", "the file is cut or damaged", orphans, host_whole=False)
    if not len(device) and len(trace.tracks[Kind.LAUNCH]):
        return Capture("partial", "launches and no device activity", None)
    if not len(device):
        return Capture("complete", "host side only", None)
    for state, why in (
        _thinned(trace),
        _unmatched(trace, orphans),
        _tiny(device, steps),
        _dropped(trace),
        _hidden(trace, steps),
        _filling(trace, steps),
    ):
        if why:
            return Capture(state, why, orphans, host_whole=state != "thinned")
    return Capture("complete", f"{len(device)} device activities", orphans)


def _thinned(trace: Trace) -> tuple[str, str]:
    ids = trace.column("correlation", *CALL_KINDS, *DEVICE_KINDS)
    known = np.unique(ids[ids > 0])
    if len(known) < THINNED_CALLS:
        return "thinned", ""
    low, high = np.percentile(known, (5, 95))  # one stray id says nothing
    ratio = float(high - low) / (0.9 * len(known))
    return "thinned", f"correlation ids count {ratio:.0f} calls for each one kept" if ratio > THINNED_RATIO else ""


def _unmatched(trace: Trace, orphans: float | None) -> tuple[str, str]:
    if orphans is not None and orphans > ORPHANS:
        return "partial", f"{orphans:.0%} of the device activities have no launch in the capture"
    lost = _without(trace.tracks[Kind.LAUNCH].correlation, trace.column("correlation", *DEVICE_KINDS))
    if lost is not None and lost > LOST:
        return "partial", f"{lost:.0%} of the launches have no device activity in the capture"
    return "partial", ""


def _tiny(device: Track, steps: Steps) -> tuple[str, str]:
    if len(device) < (TINY if steps.count else TINY_UNMARKED):
        return "tiny", f"{len(device)} device activities"
    few = steps.count and len(device) < TINY_STEP * (steps.count + steps.warm_up)
    return "tiny", f"{len(device)} device activities in {steps.count + steps.warm_up} steps" if few else ""


def _dropped(trace: Trace) -> tuple[str, str]:
    """Look for an operator that always launches and here often did not."""
    found = trace.tracks[Kind.LAUNCHING]
    found = found.where(found.label >= 0)
    launches = np.sort(trace.of(Kind.LAUNCH, Kind.COPY_CALL).start)
    empty = np.searchsorted(launches, found.end) <= np.searchsorted(launches, found.start)
    count = np.bincount(found.label)
    lacking = np.bincount(found.label, weights=empty)[count >= OFTEN] / count[count >= OFTEN]
    most = float(lacking.max()) if len(lacking) else 0.0
    told = f"{most:.0%} of an operator that always launches work launched none"
    return "thinned", told if most > WITHOUT_KERNEL else ""


def _hidden(trace: Trace, steps: Steps) -> tuple[str, str]:
    """Look for work that the capture hides, in the steps that are used or else in all of it."""
    device = trace.device_side
    start, end = min(0.0, float(device.start.min())), float(device.end.max())
    window = steps.window if steps.count else spans.span(start, end)
    idle = spans.subtract(window, device.covered)
    length = spans.total(window)
    if not length:
        return "tiny", "no device activity lasts"
    unseen = spans.total(_waited_for(trace, device, idle)) / length
    if unseen > UNSEEN:
        return "partial", f"for {unseen:.0%} of it launched work waits for a device that seems idle"
    started = trace.of(Kind.LAUNCH, Kind.OTHER_CALL)
    lasted = started.end - started.start
    long = started.where((lasted > START_UP) | ((lasted > LONG_CALL) & (lasted > STEP_OF_ONE_CALL * length)))
    starting = spans.total(spans.intersect(long.covered, idle)) / length
    return "partial", f"for {starting:.0%} of it the device is being started up" if starting > UNSEEN else ""


def _filling(trace: Trace, steps: Steps) -> tuple[str, str]:
    """Look for a first step that waits while the others do not: workers that start, or a stall yet to come back."""
    if steps.count < 2:
        return "partial", ""
    waits, marks = trace.tracks[Kind.LOADER].covered, steps.track
    waited = spans.covered_before(marks.end, waits) - spans.covered_before(marks.start, waits)
    total, length = float(waited.sum()), float((marks.end - marks.start).sum())
    first = float(waited[marks.start.argmin()])
    if total <= UNSEEN * length or first < FIRST_WAIT * total:
        return "partial", ""
    return "partial", f"{first / total:.0%} of the waiting for the loader is in the first step"


def _without(ids: Numbers, partners: Numbers) -> float | None:
    """Return the part of the correlation ids that no partner has; None where ids are missing."""
    known = ids[ids > 0]
    return float(1.0 - np.isin(known, partners).mean()) if len(known) else None


def _waited_for(trace: Trace, device: Track, idle: Spans) -> Spans:
    """Return the idle time in which something launched is waiting, or the host waits for the device."""
    ids = trace.column("correlation", *CALL_KINDS)
    if not len(ids):
        return spans.nothing()
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    at = np.searchsorted(ids, device.correlation).clip(max=len(ids) - 1)
    matched = (ids[at] == device.correlation) & (device.correlation > 0)
    launched = np.where(matched, trace.column("end", *CALL_KINDS)[order[at]], device.start)
    waits = trace.tracks[Kind.BLOCKING_CALL].covered
    both = spans.intersect(idle, spans.join(spans.union(launched, device.start), waits))
    return both[both[:, 1] - both[:, 0] > QUEUED]
