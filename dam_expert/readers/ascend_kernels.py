r"""``kernel_details.csv`` of the Ascend profiler: one row for each kernel that ran on the device.

Start times are quoted with a tab inside; what a kernel does not have is ``N/A``. Kernels of HCCL are communication.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)
... 10,aclnnMatmul,MatMulV2,AI_CORE,"1700000000.1	",60.0,3.2
... 10,hcom_allReduce_,hcom_allReduce_,HCCL,"1700000200.1	",20.0,N/A'''
>>> reading = AscendKernelsReader().read(Source.of_bytes("kernel_details.csv", raw))
>>> [(found.measurement, round(found.value.lo, 9)) for found in reading.observations]
[('kernel_duration_mean', 6e-05), ('communication_work_share', 0.25)]
"""

from __future__ import annotations

import csv
import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import Series, checked
from dam_expert.readers.text import clean, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_NAMES, _TIMES = ("name", "op name"), ("duration(us)", "task duration(us)")
_CORES = ("accelerator core", "accelerator_core", "task type")
_COMMUNICATION = re.compile(r"^(?:hcom_|hccl)|communication", re.IGNORECASE)
_MICRO = 1e-6


@dataclasses.dataclass(frozen=True, slots=True)
class AscendKernelsReader:
    """Reads the kernel table; of times on one device, sums and means."""

    tool: str = "ascend_profiler"
    title: str = "Ascend kernel_details.csv"
    versions: str = "Ascend PyTorch Profiler: kernel_details.csv; msprof: op_summary.csv"

    def recognises(self, source: Source) -> bool:
        """Whether a line is the table's header."""
        return any(_header(clean(line)) for line in source.head.split("\n", 20))

    def read(self, source: Source) -> Reading:
        """Return the mean time of a kernel, and the part of the device's work that is communication."""
        return read_lines(source, self.tool, _Kernels())


def _header(text: str) -> dict[str, int]:
    """Return the places of the columns of a header line, nothing for any other line."""
    cells = text.split(",")
    columns = {cell.strip().lower(): place for place, cell in enumerate(cells)}
    found = {
        key: columns[name]
        for key, names in (("name", _NAMES), ("time", _TIMES), ("core", _CORES))
        for name in names
        if name in columns
    }
    return {**found, "width": len(cells)} if len(found) == 3 else {}


@dataclasses.dataclass(slots=True)
class _Kernels:
    """Durations by kind of work."""

    series: Series = dataclasses.field(default_factory=Series)
    columns: dict[str, int] = dataclasses.field(default_factory=dict)
    undated: set[str] = dataclasses.field(default_factory=set)
    """Kinds of which the time of some kernel is not available."""

    def take(self, line: int, text: str) -> bool:
        if header := _header(text):
            self.columns = header
            return True
        cells = next(csv.reader([text]), [])
        if not self.columns or len(cells) != self.columns["width"]:
            return False
        time = number(cells[self.columns["time"]])
        if time is not None and time < 0.0:
            return False
        named = (cells[self.columns["name"]].strip(), cells[self.columns["core"]].strip())
        kind = "communication" if any(_COMMUNICATION.search(each) for each in named) else "kernel"
        if time is None:  # not available is no damage
            self.undated.add(kind)
            return True
        self.series.add("", kind, time * _MICRO, line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        count, line = self.series.count("", "kernel"), self.series.line("", "kernel")
        kernels, others = self.series.total("", "kernel"), self.series.total("", "communication")
        if count:
            mean = Interval.point(kernels / count)
            yield tell.observe("kernel_duration_mean", mean, line=line, detail=f"mean of {count} kernels")
        if kernels + others > 0.0 and all(self.series.count("", kind) for kind in self.undated):
            share = others / (kernels + others)
            detail = "time of collectives over that of all kernels, overlap counted twice"
            yield checked(tell, "communication_work_share", share, (), line, detail)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.series.pairs():
            yield tell.warn("no-samples", "the table has a header and no kernel", hint="profile several steps")
