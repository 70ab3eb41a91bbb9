"""What is kept of each kernel that was measured, and what is said of all of them, weighted by their durations.

Nsight Compute locks the clocks and runs kernels one by one, so its durations weigh kernels against each other and are
not told. *Memory Throughput* is the largest of caches, device memory and their links; device memory alone is *DRAM
Throughput*. Where that is missing the former is only an upper bound.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import grouped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

KERNELS = 1_000_000
"""Kernels beyond which the rest is left out; a profile of so many would take days."""

DURATION, COMPUTE, MEMORY, DRAM = "duration", "compute", "memory", "dram"

NAMES = {
    "Duration": DURATION,
    "gpu__time_duration.sum": DURATION,
    "gpu__time_duration.avg": DURATION,
    "Compute (SM) Throughput": COMPUTE,
    "Compute (SM) [%]": COMPUTE,
    "SM [%]": COMPUTE,
    "SOL SM": COMPUTE,
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": COMPUTE,
    "Memory Throughput": MEMORY,
    "Memory [%]": MEMORY,
    "SOL Memory": MEMORY,
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed": MEMORY,
    "DRAM Throughput": DRAM,
    "SOL DRAM": DRAM,
    "SOL FB": DRAM,
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": DRAM,
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": DRAM,
    "L1/TEX Cache Throughput": "l1",
    "SOL L1/TEX Cache": "l1",
    "SOL TEX": "l1",
    "l1tex__throughput.avg.pct_of_peak_sustained_active": "l1",
    "L2 Cache Throughput": "l2",
    "SOL L2 Cache": "l2",
    "SOL L2": "l2",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed": "l2",
    "Achieved Occupancy": "occupancy",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancy",
    "Waves Per SM": "waves",
    "launch__waves_per_multiprocessor": "waves",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active": "tensor",
    "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active": "tensor",
    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active": "tensor",
}
"""Labels of the sections, 2019 to today, and ids of the metrics behind them."""

_SECONDS = {
    "ns": 1e-9, "nsecond": 1e-9, "nanosecond": 1e-9, "us": 1e-6, "usecond": 1e-6, "microsecond": 1e-6,
    "ms": 1e-3, "msecond": 1e-3, "millisecond": 1e-3, "s": 1.0, "second": 1.0,
}  # fmt: skip

_TOLD = (
    ("compute_throughput_share", COMPUTE),
    ("memory_subsystem_share", MEMORY),
    ("memory_throughput_share", DRAM),
    ("l1_throughput_share", "l1"),
    ("l2_throughput_share", "l2"),
    ("achieved_occupancy", "occupancy"),
    ("tensor_pipe_share", "tensor"),
    ("waves_per_multiprocessor", "waves"),
)


@dataclasses.dataclass(slots=True)
class Kernel:
    """One kernel: values in seconds and shares, and the line where it begins."""

    line: int
    values: dict[str, float] = dataclasses.field(default_factory=dict)

    def take(self, name: str, unit: str, cell: str) -> bool:
        """Keep a metric; return False for one that is used and whose value or unit cannot be read.

        >>> kernel = Kernel(1)
        >>> kernel.take("DRAM Throughput", "%", "61.84"), kernel.take("Duration", "nsecond", "21,058,944")
        (True, True)
        >>> kernel.take("Memory Throughput", "Gbyte/second", "196.4"), sorted(kernel.values)
        (True, ['dram', 'duration'])
        """
        what = NAMES.get(name)
        if what is None:
            return True
        value = grouped(cell)
        if value is None or value < 0.0:
            return False
        if what == DURATION:
            factor = _SECONDS.get(unit)
            if factor is None:
                return False
        elif what == "waves":
            factor = 1.0
        elif unit == "%" or (unit == "" and name.endswith("[%]")):
            factor = 0.01
        else:  # a rate under the same label, in another section
            return True
        self.values.setdefault(what, value * factor)
        return True


def observations(kernels: Sequence[Kernel], tell: Teller) -> Iterator[Observation]:
    """Yield the means over all kernels that have a metric, weighted by duration where all durations are known."""
    measured = [kernel for kernel in kernels if kernel.values]
    if not measured:
        return
    timed = all(kernel.values.get(DURATION) for kernel in measured)
    for measurement, what in _TOLD:
        having = [kernel for kernel in measured if what in kernel.values]
        bound = what == DRAM and not having
        if bound:
            having = [kernel for kernel in measured if MEMORY in kernel.values]
        if not having:
            continue
        weights = [kernel.values[DURATION] if timed else 1.0 for kernel in having]
        weighed = zip(weights, having, strict=True)
        mean = sum(weight * kernel.values[MEMORY if bound else what] for weight, kernel in weighed) / sum(weights)
        how = "weighted by duration" if timed else "unweighted, no durations"
        detail = f"{len(having)} of {len(measured)} kernels, {how}"
        if bound:
            value, detail = Interval(0.0, max(mean, 0.0)), f"{detail}; at most, of all memory levels"
        else:
            value = Interval.point(mean)
        yield tell.observe(measurement, value, line=having[0].line, detail=detail, samples=len(having))
    count = Interval.point(len(measured))
    yield tell.observe("kernels_profiled", count, line=measured[0].line, detail="kernels with metrics")
