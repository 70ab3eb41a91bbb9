r"""``nvidia-smi topo -m``: the matrix of paths between devices and network adapters, tabs or pasted blanks.

The path says what the hardware offers, not what a library uses: it decides nothing alone.

>>> from dam_expert.readers.source import Source
>>> raw = b"\tGPU0\tGPU1\tNIC0\tCPU Affinity\nGPU0\t X \tNV4\tSYS\t0-19\nGPU1\tNV4\t X \tPIX\t0-19\n"
>>> reading = NvidiaTopoReader().read(Source.of_bytes("topo.txt", raw))
>>> [(found.measurement, found.value) for found in reading.observations if isinstance(found.value, str)]
[('device_path_worst', 'nvlink'), ('nic_path_worst', 'socket_interconnect')]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import any_line, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^GPU\d{1,3}\b(?=.*\bCPU Affinity\b)")
_NAME = re.compile(r"^(?:GPU\d{1,3}|NIC\d{1,3}|mlx\w{1,20}|\w{1,20}_\d{1,3})$")
_PATH = re.compile(r"^(?:X|SYS|NODE|PHB|PXB|PIX|PSB|NV\d{1,3})$")
_BEST_FIRST = {
    "NV": "nvlink",
    "PSB": "pcie_switch",
    "PIX": "pcie_switch",
    "PXB": "pcie_switch",
    "PHB": "host_bridge",
    "NODE": "numa_node",
    "SYS": "socket_interconnect",
}
"""The legend of nvidia-smi, best path first, in the words of the base."""

_WORDS = tuple(dict.fromkeys(_BEST_FIRST.values()))


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaTopoReader:
    """Reads the matrix of ``nvidia-smi topo -m``."""

    tool: str = "nvidia_smi_topo"
    title: str = "nvidia-smi topo -m"
    versions: str = "drivers 470 to 610"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads device columns and the affinity column."""
        return any_line(source, _HEADER)

    def read(self, source: Source) -> Reading:
        """Return the worst path between devices, and from each device to its best adapter."""
        return read_lines(source, self.tool, Matrix())


@dataclasses.dataclass(slots=True)
class Matrix:
    """The columns, and the cells of each row; environment reports hold such a matrix too."""

    columns: list[str] = dataclasses.field(default_factory=list)
    rows: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    line: int = 0

    def take(self, line: int, text: str) -> bool:
        """Take a line; what is no part of the matrix is passed over."""
        if _HEADER.match(text):
            names = text.partition("CPU Affinity")[0].split()
            columns = [name for name in names if _NAME.match(name)]
            if columns != self.columns:
                self.rows.clear()  # the matrix of another machine
            self.columns, self.line = columns, line
            return True
        name, *cells = text.split()
        if name not in self.columns:
            return True  # legend or prose
        cells = cells[: len(self.columns)]
        if len(cells) != len(self.columns) or not all(_PATH.match(cell) for cell in cells):
            return False
        self.rows[name] = dict(zip(self.columns, cells, strict=True))
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield the number of devices and the worst paths."""
        devices = list(dict.fromkeys(name for name in self.columns if name.startswith("GPU")))
        if devices:
            yield tell.observe("device_count", Interval.point(len(devices)), line=self.line, detail="device columns")
        pairs = [self.rows[a][b] for a in devices for b in devices if a != b and a in self.rows]
        yield from said(tell, "device_path_worst", _worst(pairs), "over all pairs of devices", line=self.line)
        links = [int(cell[2:]) for cell in pairs if cell.startswith("NV")]
        if pairs and len(links) == len(pairs):
            yield from said(tell, "nvlinks_between_devices", min(links), "fewest over all pairs", line=self.line)
        adapters = [name for name in self.columns if name not in devices]
        best = [_best([self.rows[name][nic] for nic in adapters]) for name in devices if name in self.rows and adapters]
        yield from said(tell, "nic_path_worst", _worst(best), "from each device to its best adapter", line=self.line)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        """Yield why there is no path."""
        devices = list(dict.fromkeys(name for name in self.columns if name.startswith("GPU")))
        if len(devices) == 1:
            yield tell.note("one-device", "there is one device, so there is no path between devices")


def _rank(path: str) -> int:
    return list(_BEST_FIRST).index("NV" if path.startswith("NV") else path)


def _best(paths: list[str]) -> str:
    return min((path for path in paths if path != "X"), key=_rank, default="")


def _worst(paths: list[str]) -> str | None:
    found = max((path for path in paths if path not in {"X", ""}), key=_rank, default=None)
    return None if found is None else _BEST_FIRST["NV" if found.startswith("NV") else found]
