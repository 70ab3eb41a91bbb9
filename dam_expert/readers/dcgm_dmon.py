r"""``dcgmi dmon``: profiling counters of data-centre devices, one row per entity and interval.

Short column names stand in a line that begins ``#Entity``, possibly in another order than asked. The first row of the
profiling counters is ``N/A``, and so are the parents of MIG instances: both unknown. Instances are not devices and
are left out.

>>> from dam_expert.readers.source import Source
>>> raw = b"#Entity  SMACT  DRAMA  PCIRX  POWER\nID                 B/s      W\nGPU 0    N/A    N/A     N/A   300\n"
>>> reading = DcgmDmonReader().read(Source.of_bytes("dcgm.txt", raw + b"GPU 0    0.92   0.880  5000  310\n"))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('sm_active', 0.92), ('dram_active', 0.88), ('pcie_rx_rate', 5000.0), ('device_power', 305.0), ('device_count', 1.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.dcgm_fields import FIELDS, MEASUREMENTS, canonical
from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^#\s*Entity\b")
_ROW = re.compile(r"^(GPU|GPU-I|GPU-CI|CI|CPU|Core|Switch|Link|NvSwitch|Node)\s+(\d{1,4})\s+(.*)$", re.IGNORECASE)
_HINT = "run 'dcgmi dmon -e 1002,1003,1004,1005 -d 1000 -c 60' during the job"


@dataclasses.dataclass(frozen=True, slots=True)
class DcgmDmonReader:
    """Reads the rows of ``dcgmi dmon`` with any choice of fields."""

    tool: str = "dcgm"
    title: str = "dcgmi dmon"
    versions: str = "DCGM 2 to 4"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads the columns of entities."""
        return any_line(source, _HEADER)

    def read(self, source: Source) -> Reading:
        """Return the mean of each known field for each device."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns in force, and the samples so far."""

    series: Series = dataclasses.field(default_factory=Series)
    devices: set[str] = dataclasses.field(default_factory=set)
    columns: list[str] = dataclasses.field(default_factory=list)

    def take(self, line: int, text: str) -> bool:
        if _HEADER.match(text):
            self.columns = text.lstrip("# ").upper().split()[1:]
            return True
        found = _ROW.match(text)
        if not self.columns or text.upper().startswith("ID"):
            return True  # prose before the table; the line of units
        if found is None:
            return False
        if found[1].upper() != "GPU":
            return True
        cells = found[3].split()
        if len(cells) != len(self.columns):
            return False
        self.devices.add(found[2])
        for column, cell in zip(self.columns, cells, strict=True):
            field = FIELDS.get(column)
            if field is not None:
                self.series.add(found[2], field[0], canonical(cell, field), line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for device in sorted(self.devices, key=int):
            scope = (("device", device),)
            for measurement in MEASUREMENTS:
                yield from self.series.said(tell, scope, device, measurement, measurement)
        if self.series.pairs():
            yield from said(tell, "device_count", len(self.devices), "devices that have rows")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.series.pairs():
            yield tell.warn("no-samples", "no known field has a value in it", hint=_HINT)
