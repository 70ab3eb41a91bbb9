r"""``amd-smi`` without a command, ``metric``, ``static`` and ``monitor``: JSON, text and tables.

Some releases wrap the list of devices in an object.

A value is known by its nearest heading and its key, in both forms; indentation is not needed and may be lost.

>>> from dam_expert.readers.source import Source
>>> raw = b'''GPU: 0
...     USAGE:
...         GFX_ACTIVITY: 98 %
...     POWER:
...         SOCKET_POWER: N/A
...     MEM_USAGE:
...         TOTAL_VRAM: 16368 MB'''
>>> reading = AmdSmiReader().read(Source.of_bytes("amd.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations][:2]
[('accelerator_utilization', 0.98), ('device_memory_total', 17163091968.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.amd_device import ROCM_SMI, Cells, read_devices
from dam_expert.readers.amd_overview import HEADING, of_overview, processes
from dam_expert.readers.amd_tables import of_tables, table_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.readers.interface import Reading
    from dam_expert.readers.source import Source

_JSON = re.compile(
    r'"gpu"\s*:\s*\d{1,3}\s*,\s*"(?:usage|asic|power|clock|temperature|bus|limit|mem_usage|vram|driver)"\s*:'
)
_TEXT = re.compile(r"(?m)^[ \t]*GPU:[ \t]*\d{1,3}[ \t\r]*$")
_SECTION = re.compile(r"(?m)^[ \t]*(?:USAGE|ASIC|POWER|CLOCK|MEM_USAGE|VRAM|BUS|LIMIT|DRIVER):[ \t\r]*$")
_DEVICE = re.compile(r"^GPU:\s*(\d{1,3})$")
_PAIR = re.compile(r"^([A-Z][A-Z0-9_]{1,60}):(?:\s+(\S.*))?$")
_NAMES = {
    ("usage", "gfx_activity"): "util",
    ("usage", "umc_activity"): "memory_util",
    ("power", "socket_power"): "power",
    ("power", "average_socket_power"): "power",
    ("limit", "socket_power_limit"): "limit",
    ("limit", "socket_power"): "limit",
    ("limit", "max_power"): "limit",
    ("limit", "max_power_limit"): "limit",
    ("gfx_0", "clk"): "clock",
    ("gfx_0", "max_clk"): "clock_max",
    ("mem_0", "clk"): "memory_clock",
    ("temperature", "hotspot"): "temperature",
    ("mem_usage", "total_vram"): "total",
    ("mem_usage", "used_vram"): "used",
    ("vram", "size"): "total",
    ("pcie", "speed"): "link",
    ("pcie", "width"): "width",
    ("bus", "max_pcie_speed"): "link_max",
    ("bus", "max_pcie_width"): "width_max",
    ("asic", "market_name"): "name",
    ("driver", "version"): "driver",
    ("partition", "compute_partition"): "partition",
    ("ecc", "total_uncorrectable_count"): "ecc_uncorrected",
    ("ecc", "total_correctable_count"): "ecc_corrected",
}
_DEPTH = 12


@dataclasses.dataclass(frozen=True, slots=True)
class AmdSmiReader:
    """Reads ``amd-smi``, ``amd-smi metric``, ``amd-smi static`` and ``amd-smi monitor``."""

    tool: str = "amd_smi"
    title: str = "amd-smi"
    versions: str = "amd-smi of ROCm 6 and 7: its table (7); metric, static and monitor as text, CSV, JSON"

    def recognises(self, source: Source) -> bool:
        """Whether the head holds devices with sections as this tool names them."""
        head = source.head
        if ROCM_SMI in head:
            return False
        if _JSON.search(head) or (_TEXT.search(source.head_text) and _SECTION.search(source.head_text)):
            return True
        return any(table_columns(line) or HEADING.match(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return the values of each device; of several printings, their mean."""
        command = "amd-smi metric --json"
        return read_devices(source, self.tool, json=_JSON, of_json=_of_json, of_lines=_of_lines, command=command)


def _of_json(document: object) -> Iterator[Cells]:
    """Yield the devices of one document: a list of them, a list in ``gpu_data``, or one."""
    if isinstance(document, dict) and isinstance(document.get("gpu_data"), list):
        document = document["gpu_data"]
    for entry in document if isinstance(document, list) else [document]:
        index = entry.get("gpu") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and type(index) is int and 0 <= index < 1000:
            cells: dict[str, str] = {}
            _walk(entry, "", cells, 0)
            if cells:
                yield Cells(device=str(index), cells=cells)


def _walk(value: dict[str, object], heading: str, cells: dict[str, str], depth: int) -> None:
    for key, inner in value.items():
        name = _NAMES.get((heading, key))
        if isinstance(inner, dict):
            if name is not None and "value" in inner:
                cells[name] = f"{inner['value']} {inner.get('unit', '')}".strip()[:80]
            elif depth < _DEPTH:
                _walk(inner, key, cells, depth + 1)
        elif name is not None and isinstance(inner, str | int | float):
            cells[name] = str(inner)[:80]


def _of_lines(lines: list[str]) -> Iterator[Cells]:
    row: Cells | None = None
    heading = ""
    yield from of_tables(lines)
    yield from of_overview(lines)
    yield from (
        Cells(device=device, cells={"processes": str(len(found))}) for device, found in processes(lines).items()
    )
    for stripped in lines:
        if device := _DEVICE.match(stripped):
            if row is not None:
                yield row
            row, heading = Cells(device=device[1], cells={}), ""
        elif row is not None and (pair := _PAIR.match(stripped)):
            if pair[2] is None:
                heading = pair[1].lower()
            elif (name := _NAMES.get((heading, pair[1].lower()))) is not None:
                row.cells[name] = pair[2].strip()[:80]
    if row is not None:
        yield row
