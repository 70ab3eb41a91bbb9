"""What of one rank's trace can be compared with those of the other ranks: its collectives, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.collectives import Collectives
from dam_expert.readers.pytorch_trace.events import Kind

if TYPE_CHECKING:
    from dam_expert.readers.collectives import Key
    from dam_expert.readers.pytorch_trace.steps import Steps
    from dam_expert.readers.pytorch_trace.stream import Header
    from dam_expert.readers.pytorch_trace.table import Trace


def compared(trace: Trace, steps: Steps, header: Header) -> Collectives | None:
    """Return the collectives of the used steps that keep all ranks until the end; None without steps or collectives.

    A collective belongs to the step in which it starts on the device.
    """
    kernels = trace.tracks[Kind.COMMUNICATION]
    kernels = kernels.where(kernels.label >= 0)
    kernels = kernels.where(np.argsort(kernels.start, kind="stable"))
    durations: dict[Key, list[float]] = {}
    for mark, start, end in zip(steps.track.label, steps.track.start, steps.track.end, strict=True):
        low, high = np.searchsorted(kernels.start, (start, end))
        for label, length in zip(kernels.label[low:high], (kernels.end - kernels.start)[low:high], strict=True):
            durations.setdefault((trace.labels[mark][0], *trace.labels[label]), []).append(float(length))
    if not durations:
        return None
    return Collectives(
        rank=header.rank,
        world_size=header.world_size,
        one_group=header.groups is None or header.groups <= 1,
        step_time=float(steps.durations.mean()),
        steps=steps.count,
        durations={key: tuple(lengths) for key, lengths in durations.items()},
    )
