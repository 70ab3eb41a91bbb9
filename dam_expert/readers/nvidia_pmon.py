r"""``nvidia-smi pmon``: one row per process and second, columns as the user chose them.

``-`` is unknown, not 0. What the processes of a device use is added up within each cycle. A command name may hold
blanks and stands last.

>>> from dam_expert.readers.source import Source
>>> raw = b"# gpu pid type sm mem enc dec command\n# Idx # C/G % % % % name\n0 7 C 3 1 49 - ff mpeg\n0 8 C 5 1 49 - b\n"
>>> reading = NvidiaPmonReader().read(Source.of_bytes("pmon.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations][:2]
[('accelerator_utilization', 0.08), ('encoder_utilization', 0.98)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^#\s*(?:(?:Date|Time)\s+)*gpu\s+pid\s+type\b", re.IGNORECASE)
_INDEX = re.compile(r"^\d{1,4}$")
_COLUMNS = {"sm": "accelerator_utilization", "enc": "encoder_utilization", "dec": "decoder_utilization"}


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaPmonReader:
    """Reads the rows of ``nvidia-smi pmon``, dated or not."""

    tool: str = "nvidia_smi_pmon"
    title: str = "nvidia-smi pmon"
    versions: str = "drivers 470 to 610"

    def recognises(self, source: Source) -> bool:
        """Whether a header line names ``gpu``, ``pid`` and ``type``."""
        return any_line(source, _HEADER)

    def read(self, source: Source) -> Reading:
        """Return the sums over the processes of each device, as means over the cycles."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: columns in force, and the sums of the cycle that is open."""

    series: Series = dataclasses.field(default_factory=Series)
    columns: list[str] = dataclasses.field(default_factory=list)
    processes: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    cycle: dict[tuple[str, str], float] = dataclasses.field(default_factory=dict)
    members: set[tuple[str, str]] = dataclasses.field(default_factory=set)
    line: int = 0

    def take(self, line: int, text: str) -> bool:
        if text.startswith("#"):
            if _HEADER.match(text):
                self.columns = text.lstrip("# ").lower().split()
            return True
        if not self.columns:
            return True  # a prompt or prose before the table
        cells = text.split(None, len(self.columns) - 1)
        row = dict(zip(self.columns, cells, strict=False))
        device, process = row.get("gpu", ""), row.get("pid", "")
        if len(cells) != len(self.columns) or not _INDEX.match(device):
            return False
        if process == "-":
            return True  # the device runs no process
        if (device, process) in self.members:
            self._close()
        self.line = self.line or line
        self.members.add((device, process))
        if "C" in row.get("type", ""):
            self.processes.setdefault(device, set()).add(process)
        for column, measurement in _COLUMNS.items():
            value = number(row.get(column, "-"))
            if value is not None:
                key = (device, measurement)
                self.cycle[key] = self.cycle.get(key, 0.0) + value / 100.0
        return True

    def _close(self) -> None:
        for (device, measurement), value in self.cycle.items():
            self.series.add(device, measurement, min(value, 1.0), self.line)  # rounding of many processes
        self.cycle, self.members, self.line = {}, set(), 0

    def observations(self, tell: Teller) -> Iterator[Observation]:
        self._close()
        measured = (device for device, _ in self.series.pairs())
        for device in sorted({*self.processes, *measured}, key=int):
            scope = (("device", device),)
            for measurement in _COLUMNS.values():
                yield from self.series.said(tell, scope, device, measurement, measurement)
            samples = self.series.count(device, "accelerator_utilization")
            yield from said(tell, "utilization_samples", samples or None, "cycles with a known value", scope=scope)
            count = len(self.processes.get(device, ()))
            yield from said(tell, "processes_on_device", count or None, "processes that compute", scope=scope)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.processes and not self.cycle:
            text = "it lists no process that computes; in a container, processes of others are hidden"
            yield tell.warn("no-samples", text, hint="run 'nvidia-smi pmon -c 30' on the host during the job")
