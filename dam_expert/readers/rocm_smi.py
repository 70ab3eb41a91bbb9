r"""``rocm-smi``: JSON, CSV and the concise table, of ROCm 2 to 7. All values are text, and keys change by release.

``GPU memory use (%)`` meant traffic in some releases and allocation in others and is not read; bytes are.

>>> from dam_expert.readers.source import Source
>>> raw = b'''WARNING: old
... {"card0": {"GPU use (%)": "98", "Average Graphics Package Power (W)": "N/A", "sclk clock speed:": "(300Mhz)"}}'''
>>> reading = RocmSmiReader().read(Source.of_bytes("rocm.json", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('accelerator_utilization', 0.98), ('sm_clock', 300000000.0), ('utilization_samples', 1.0), ('device_count', 1.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.amd_device import Cells, read_devices
from dam_expert.readers.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.readers.interface import Reading
    from dam_expert.readers.source import Source

_JSON = re.compile(r'"card\d{1,3}"\s*:\s*\{')
_CSV = re.compile(r"^device,")
_TABLE = re.compile(r"^(?:GPU|Device)\s+.*\bGPU%")
_CARD = re.compile(r"^card(\d{1,3})$")
_KEYS = (
    ("util", re.compile(r"^GPU use \(%\)$")),
    ("memory_util", re.compile(r"^GPU Memory Read/Write Activity \(%\)$")),
    ("used_share", re.compile(r"^GPU Memory Allocated \(VRAM%\)$")),
    ("used", re.compile(r"^VRAM Total Used Memory \(B\)$")),
    ("total", re.compile(r"^VRAM Total Memory \(B\)$")),
    ("power", re.compile(r"^(?:Average|Current Socket) Graphics Package Power \(W\)$")),
    ("limit", re.compile(r"^Max Graphics Package Power \(W\)$")),
    ("clock", re.compile(r"^sclk clock speed:?$")),
    ("memory_clock", re.compile(r"^mclk clock speed:?$")),
    ("temperature", re.compile(r"^Temperature \(Sensor junction\) \(C\)$")),
    ("link", re.compile(r"^pcie clock level:?$")),
    ("name", re.compile(r"^Card [Ss]eries$")),
    ("partition", re.compile(r"^Compute Partition$")),
)
_UNITS = {"util": "%", "memory_util": "%", "used_share": "%"}
_COLUMNS = {"GPU%": "util", "VRAM%": "used_share", "AvgPwr": "power", "Power": "power", "PwrCap": "limit",
            "SCLK": "clock", "MCLK": "memory_clock"}  # fmt: skip
_PLACE = re.compile(r"\([^()]*\)")
_MODE = re.compile(r"^(?:SPX|DPX|TPX|QPX|CPX),?$")
_WATTS, _DEGREES = re.compile(r"^[\d.]{1,10}W$"), re.compile(r"^[\d.]{1,10}°?[cC]$")


@dataclasses.dataclass(frozen=True, slots=True)
class RocmSmiReader:
    """Reads what ``rocm-smi`` prints."""

    tool: str = "rocm_smi"
    title: str = "rocm-smi"
    versions: str = "ROCm 4.3 to 7: table, CSV, JSON"

    def recognises(self, source: Source) -> bool:
        """Whether the head has cards as JSON, or the header of the CSV or of the concise table."""
        head = source.head
        if _JSON.search(head) or ("ROCm System Management Interface" in head and "GPU%" in head):
            return True
        lines = (clean(line) for line in head.split("\n")[:50])
        return any(_CSV.match(line) and ("GPU use" in line or "VRAM" in line) for line in lines)

    def read(self, source: Source) -> Reading:
        """Return the values of each device; of several printings, their mean."""
        command = "rocm-smi -a --json"
        return read_devices(source, self.tool, json=_JSON, of_json=_of_json, of_lines=_of_lines, command=command)


def _of_json(document: object) -> Iterator[Cells]:
    if not isinstance(document, dict):
        return
    system = document.get("system")
    driver = system.get("Driver version") if isinstance(system, dict) else None
    for name, fields in document.items():
        card = _CARD.match(name)
        if card is not None and isinstance(fields, dict):
            cells = _known(fields.items())
            if cells and isinstance(driver, str):
                cells["driver"] = driver
            if cells:
                yield Cells(device=card[1], cells=cells)


def _known(fields: object) -> dict[str, str]:
    """Return the known fields of one card under canonical names."""
    cells: dict[str, str] = {}
    for key, value in dict(fields).items():  # type: ignore[call-overload]
        for name, pattern in _KEYS:
            if isinstance(key, str) and isinstance(value, str) and pattern.match(key):
                cells[name] = value.strip() + (" %" if name in _UNITS else "")
    return cells


def _of_lines(lines: list[str]) -> Iterator[Cells]:
    """Yield the rows of the CSV or of the concise table; a header may come again."""
    columns: list[str] = []
    separator = ","
    for line in lines:
        if _CSV.match(line) or _TABLE.match(line):
            separator = "," if _CSV.match(line) else ""
            columns = line.split(separator or None)
            continue
        cells = (line if separator else _PLACE.sub("", line)).split(separator or None)
        first = re.fullmatch(r"(?:card)?(\d{1,3})", cells[0].strip()) if cells else None
        if first is None or not columns:
            continue
        if separator:
            yield Cells(device=first[1], cells=_known(zip(columns, cells, strict=False)))
        else:
            yield Cells(device=first[1], cells=_of_row(columns, cells))


def _of_row(columns: list[str], cells: list[str]) -> dict[str, str]:
    """Return the known cells of a row of the concise table.

    Columns count from the right: further left, releases differ in how many cells a column has, and what stands there
    is known by its unit.

    >>> cells = "0 2 0x74a1, 28851 49.0°C 613.0W NPS1, SPX, 0 132Mhz 900Mhz 0% auto 750.0W 93% 97%".split()
    >>> row = _of_row("Device Node IDs Temp Power Partitions SCLK MCLK Fan Perf PwrCap VRAM% GPU%".split(), cells)
    >>> row["power"], row["temperature"], row["clock"], row["limit"], row["util"]
    ('613.0W', '49.0°C', '132Mhz', '750.0W', '97%')
    """
    right = dict(zip(reversed(columns), reversed(cells), strict=False))
    found = {_COLUMNS[name]: right[name] for name in columns if name in _COLUMNS and name in right}
    left = cells[: len(cells) - columns[::-1].index("SCLK") - 1] if "SCLK" in columns else []
    for name, unit in (("power", _WATTS), ("temperature", _DEGREES)):
        marked = [cell for cell in left if unit.match(cell)]
        if marked:
            found[name] = marked[0]
        elif left:
            found.pop(name, None)
    modes = [cell.rstrip(",") for cell in left if _MODE.match(cell)]
    return found | ({"partition": modes[0]} if modes else {})
