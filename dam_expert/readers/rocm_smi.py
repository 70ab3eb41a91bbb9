r"""``rocm-smi``: JSON, CSV, the concise table and lines of one key each, of ROCm 2 to 7.

All values are text, and keys change by release.

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

from dam_expert.readers.amd_device import ROCM_SMI, Cells, read_devices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.readers.interface import Reading
    from dam_expert.readers.source import Source

_JSON = re.compile(r'"card\d{1,3}"\s*:\s*\{')
_CSV = re.compile(r"^device,")
_TABLE = re.compile(r"^(?:GPU|Device)\s+.*(?:\bGPU%|\bAvgPwr\s+SCLK\b)")
_CARD = re.compile(r"^card(\d{1,3})$")
_KEYS = (
    ("util", re.compile(r"^GPU use \(%\)$")),
    ("memory_util", re.compile(r"^GPU Memory Read/Write Activity \(%\)$")),
    ("used_share", re.compile(r"^GPU Memory Allocated \(VRAM%\)$")),
    ("used", re.compile(r"^VRAM Total Used Memory \(B\)$")),
    ("total", re.compile(r"^VRAM Total Memory \(B\)$")),
    ("power", re.compile(r"^(?:Average|Current Socket) Graphics Package Power \(W\)$")),
    ("limit", re.compile(r"^Max Graphics Package Power \(W\)$")),
    ("clock", re.compile(r"^sclk clock (?:speed:?|level)$")),
    ("memory_clock", re.compile(r"^mclk clock (?:speed:?|level)$")),
    ("temperature", re.compile(r"^Temperature \(Sensor junction\) \(C\)$")),
    ("link", re.compile(r"^pcie clock level:?$")),
    ("name", re.compile(r"^Card [Ss]eries$")),
    ("partition", re.compile(r"^Compute Partition$")),
)
_UNITS = {"util": "%", "memory_util": "%", "used_share": "%"}
_COLUMNS = {"GPU%": "util", "VRAM%": "used_share", "AvgPwr": "power", "Power": "power", "PwrCap": "limit",
            "SCLK": "clock", "MCLK": "memory_clock"}  # fmt: skip
_LINE = re.compile(r"^GPU\[(\d{1,3})\]\s*: ([^:]{1,80}):\s*(\S.{0,80})$")
_LEVEL = re.compile(r"^\d{1,2}: (?=\()")
NAME_CHARACTERS = 20
"""Where the concise table of ROCm 6.0 cuts a name, which stands below its row."""

_PLACE = re.compile(r"\([^()]*\)")
_MODE = re.compile(r"^(?:SPX|DPX|TPX|QPX|CPX),?$")
_WATTS, _DEGREES = re.compile(r"^[\d.]{1,10}W$"), re.compile(r"^[\d.]{1,10}°?[cC]$")


@dataclasses.dataclass(frozen=True, slots=True)
class RocmSmiReader:
    """Reads what ``rocm-smi`` prints."""

    tool: str = "rocm_smi"
    title: str = "rocm-smi"
    versions: str = "ROCm 4.3 to 7: table, CSV, JSON, and the text of its --show options"

    def recognises(self, source: Source) -> bool:
        """Whether the head has cards as JSON, or the header of the CSV or of the concise table."""
        head = source.head
        if _JSON.search(head) or any(_line_of(line) for line in source.head_lines):
            return True
        if ROCM_SMI in head:
            return True
        return any(_CSV.match(line) and ("GPU use" in line or "VRAM" in line) for line in source.head_lines[:50])

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
    """Yield the rows of the CSV or of the concise table, whose header may come again, and what single lines say."""
    yield from _of_keys(lines)
    columns: list[str] = []
    separator, named = ",", False
    row: Cells | None = None
    for line in lines:
        if "Name (20 chars)" in line:
            named = True
        elif named and row is not None and line[:1].isalpha() and len(line) < NAME_CHARACTERS:
            row.cells.setdefault("name", line)
            row = None
        if _CSV.match(line) or _TABLE.match(line):
            separator = "," if _CSV.match(line) else ""
            columns = line.replace(" OD", "_OD").split(separator or None)  # overdrive: one column of two words
            continue
        cells = (line if separator else _PLACE.sub("", line)).split(separator or None)
        first = re.fullmatch(r"(?:card)?(\d{1,3})", cells[0].strip()) if cells else None
        if first is None or not columns:
            continue
        if separator:
            yield Cells(device=first[1], cells=_known(zip(columns, cells, strict=False)))
        else:
            row = Cells(device=first[1], cells=_of_row(columns, cells))
            yield row


def _of_keys(lines: list[str]) -> Iterator[Cells]:
    """Yield what lines of one key each say of a device; where a key comes again, the next printing begins.

    >>> rows = ["GPU[0] : GPU use (%): 97", "GPU[0] : sclk clock level: 1: (1700Mhz)", "GPU[0] : GPU use (%): 99"]
    >>> [found.cells for found in _of_keys(rows)]
    [{'util': '97 %', 'clock': '(1700Mhz)'}, {'util': '99 %'}]
    """
    found: dict[str, dict[str, str]] = {}
    for line in lines:
        told = _line_of(line)
        if told is None:
            continue
        device, cells = told
        before = found.setdefault(device, {})
        if before.keys() & cells.keys():
            yield Cells(device=device, cells=before)
            found[device] = before = {}
        before.update(cells)
    yield from (Cells(device=device, cells=cells) for device, cells in found.items())


def _line_of(line: str) -> tuple[str, dict[str, str]] | None:
    """Return the device and the known cell of a line, None for any other line."""
    match = _LINE.match(line)
    cells = _known({match[2].strip(): _LEVEL.sub("", match[3])}.items()) if match else {}
    return (match[1], cells) if match and cells else None


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
    found = {name: cell for name, cell in found.items() if "clock" not in name or cell.lower().endswith("hz")}
    left = cells[: len(cells) - columns[::-1].index("SCLK") - 1] if "SCLK" in columns else []
    for name, unit in (("power", _WATTS), ("temperature", _DEGREES)):
        marked = [cell for cell in left if unit.match(cell)]
        if marked:
            found[name] = marked[0]
        elif left:
            found.pop(name, None)
    modes = [cell.rstrip(",") for cell in left if _MODE.match(cell)]
    return found | ({"partition": modes[0]} if modes else {})
