r"""``nvidia-smi --query-compute-apps=… --format=csv``: one row per process that computes.

>>> from dam_expert.readers.source import Source
>>> raw = b"gpu_bus_id, pid, used_gpu_memory [MiB]\n00000000:00:09.0, 7, 2566 MiB\n00000000:00:09.0, 8, [N/A]\n"
>>> reading = NvidiaAppsReader().read(Source.of_bytes("apps.csv", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('processes_on_device', 2.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, only, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(
    r"^(?=.*\bpid\b)(?=.*\bused_(?:gpu_)?memory\b)[a-z_.]+(?: \[[^\]]*\])?(?:, *[a-z_.]+(?: \[[^\]]*\])?)*$"
)
_ACCOUNTED = re.compile(
    r"^(?=.*\bpid\b)(?=.*\bmax_memory_usage\b)[a-z_.]+(?: \[[^\]]*\])?(?:, *[a-z_.]+(?: \[[^\]]*\])?)*$"
)
_OWNERS = ("gpu_bus_id", "gpu_uuid", "gpu_serial")


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaAppsReader:
    """Reads the CSV of ``nvidia-smi --query-compute-apps``; the header is needed."""

    tool: str = "nvidia_smi_apps"
    title: str = "nvidia-smi --query-compute-apps CSV"
    versions: str = "drivers 470 to 610"

    def recognises(self, source: Source) -> bool:
        """Whether a header line names the process and its device memory."""
        return any_line(source, _HEADER) or any_line(source, _ACCOUNTED)

    def read(self, source: Source) -> Reading:
        """Return how many processes share the device that has most of them."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """The processes seen on each device. Devices without one are not listed, so no device has an index here."""

    columns: list[str] = dataclasses.field(default_factory=list)
    processes: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    names: set[str] = dataclasses.field(default_factory=set)
    line: int | None = None
    accounted: bool = False
    """Whether rows tell of processes over their whole life, most of which have ended: ``--query-accounted-apps``."""

    def take(self, line: int, text: str) -> bool:
        if _HEADER.match(text) or _ACCOUNTED.match(text):
            self.accounted = self.accounted or _ACCOUNTED.match(text) is not None
            self.columns = [cell.strip().split(" ")[0] for cell in text.split(",")]
            return True
        if not self.columns:
            return True  # a prompt or prose before the table
        cells = [cell.strip() for cell in text.split(",")]
        row = dict(zip(self.columns, cells, strict=False))
        if len(cells) < len(self.columns) or not re.fullmatch(r"\d{1,10}", row.get("pid", "")):
            return False  # a process name with commas makes more cells, and shifts only what is not used
        device = next((row[name] for name in _OWNERS if name in row), "")
        if "max_memory_usage" not in self.columns:
            self.processes.setdefault(device, set()).add(row["pid"])
        if not row.get("gpu_name", "[").startswith("["):
            self.names.add(row["gpu_name"][:80])
        self.line = self.line or line
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        most = max((len(pids) for pids in self.processes.values()), default=None)
        detail = "on the device that has most of them"
        yield from said(tell, "processes_on_device", most, detail, line=self.line)
        yield from said(tell, "accelerator", only(self.names), "gpu_name column")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.accounted:
            text = "what is accounted covers the whole life of processes, most of which have ended: it is not used"
            yield tell.warn(
                "no-samples", text, hint="run 'nvidia-smi --query-compute-apps=pid,used_memory --format=csv'"
            )
        elif not self.processes:
            text = "it lists no process; in a container, processes of others are hidden"
            yield tell.warn("no-samples", text, hint="run it on the host during the job")
