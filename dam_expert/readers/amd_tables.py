r"""Tables of amd-smi, one row per device: ``monitor`` as text, and every command with ``--csv``.

Columns are found by name, in capitals where the tool prints a table and in small letters in CSV. A cell of the text
table is a number, a blank and its unit; CSV has numbers only, and the unit is that of the column.

>>> rows = ["GPU  XCP  POWER  GPU_T  GFX%  MEM%  VRAM_USAGE", "0  0  612 W  71 \u00b0C  97 %  N/A  180.0/192.0 GB"]
>>> found = next(of_tables(rows)).cells
>>> found["power"], found["util"], found["memory_util"], found["used"], found["total"]
('612 W', '97 %', 'N/A', '180.0 GB', '192.0 GB')
>>> next(of_tables(["gpu,gfx_activity,socket_power,used_vram", "1,98,N/A,1024"])).cells
{'util': '98 %', 'power': 'N/A', 'used': '1024 MB'}
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from dam_expert.readers.amd_device import Cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COLUMNS = {
    "power": ("power", "W"),
    "power_usage": ("power", "W"),
    "socket_power": ("power", "W"),
    "average_socket_power": ("power", "W"),
    "gpu_t": ("temperature", "C"),
    "gpu_temp": ("temperature", "C"),
    "hotspot": ("temperature", "C"),
    "hotspot_temperature": ("temperature", "C"),
    "gfx%": ("util", "%"),
    "gfx_util": ("util", "%"),
    "gfx": ("util", "%"),
    "gfx_activity": ("util", "%"),
    "mem%": ("memory_util", "%"),
    "mem_util": ("memory_util", "%"),
    "umc_activity": ("memory_util", "%"),
    "gfx_clk": ("clock", "MHz"),
    "gfx_clock": ("clock", "MHz"),
    "gfx_0_clk": ("clock", "MHz"),
    "gfx_0_max_clk": ("clock_max", "MHz"),
    "mem_clock": ("memory_clock", "MHz"),
    "mem_0_clk": ("memory_clock", "MHz"),
    "vram_used": ("used", "MB"),
    "used_vram": ("used", "MB"),
    "vram_total": ("total", "MB"),
    "total_vram": ("total", "MB"),
    "pwr_cap": ("limit", "W"),
    "max_power": ("limit", "W"),
    "max_power_limit": ("limit", "W"),
    "socket_power_limit": ("limit", "W"),
    "market_name": ("name", ""),
    "total_correctable_count": ("ecc_corrected", ""),
    "total_uncorrectable_count": ("ecc_uncorrected", ""),
}
_USAGE = "vram_usage"
_CELL = re.compile(r"[\d.]{1,10}/ ?[\d.]{1,10} [KMG]B(?=\s|$)|\S+(?: (?:m?W|\u00b0?C|%|MHz|[KMG]B|[KMG]b/s))?(?=\s|$)")
_HEADING = re.compile(r"^(?:TIMESTAMP\s+)?GPU\s+[A-Z_]")
_INDEX = re.compile(r"^\d{1,3}$")


def table_columns(line: str) -> list[str]:
    """Return the columns of a header line in small letters, nothing for any other line.

    >>> table_columns("GPU  POWER  GFX%"), table_columns("gpu,gfx_activity"), table_columns("GPU  Name")
    (['gpu', 'power', 'gfx%'], ['gpu', 'gfx_activity'], [])
    """
    if line.startswith(("gpu,", "timestamp,gpu,")):
        columns = [cell.strip() for cell in line.split(",")]
    elif _HEADING.match(line) and line == line.upper():
        columns = line.lower().split()
    else:
        return []
    return columns if any(name in _COLUMNS for name in columns) else []


def of_tables(lines: Sequence[str]) -> Iterator[Cells]:
    """Yield the rows of all tables in cleaned lines; a header may come again, with other columns."""
    columns: list[str] = []
    separated = False
    for line in lines:
        if header := table_columns(line):
            columns, separated = header, "," in line
        elif columns:
            cells = next(csv.reader([line]), []) if separated else _CELL.findall(line)
            row = dict(zip(columns, cells, strict=False))
            if len(cells) == len(columns) and _INDEX.match(row["gpu"].strip()):
                yield Cells(device=row["gpu"].strip(), cells=dict(_known(row)))


def _known(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    for column, cell in row.items():
        text = cell.strip()
        if column == _USAGE and (parts := re.match(r"^([\d.]{1,10})/ ?([\d.]{1,10}) (\w{2})$", text)):
            yield "used", f"{parts[1]} {parts[3]}"
            yield "total", f"{parts[2]} {parts[3]}"
        elif column in _COLUMNS:
            name, unit = _COLUMNS[column]
            yield name, f"{text} {unit}" if re.fullmatch(r"[\d.]{1,15}", text) and unit else text
