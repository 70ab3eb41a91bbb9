"""The table that ``amd-smi`` prints without a command: two lines for each device, one instant per printing.

Cells are found by what is in them, since widths differ. A name that does not fit is cut at its beginning and not used;
a limit or a size of 0 is printed where there is none.

>>> rows = ["| 0000:05:00.0    AMD Instinct MI300X | 2 %      39 \u00b0C   0           142/750 W |",
...         "|   0       0       2        SPX/NPS1 | 97 %       N/A        98144/196288 MB |"]
>>> found = next(of_overview(rows))
>>> found.device, found.cells["name"], found.cells["util"], found.cells["power"], found.cells["used"]
('0', 'AMD Instinct MI300X', '97 %', '142 W', '98144 MB')
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.readers.amd_device import Cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADING = re.compile(r"^\| (?:AMD-SMI \d|BDF\s+GPU-Name\s)")

_VERSION = re.compile(r"amdgpu version: (\d[\w.]{0,30})")
_FIRST = re.compile(
    r"^\|\s*[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\s+(?P<name>\S[^|]{0,60}?)\s*"
    r"\|\s*(?P<memory_util>N/A|\d{1,3} ?%)\s+(?P<temperature>N/A|\d{1,3}(?= ?\S{0,3}C\s))(?: ?\S{0,3}C)?"
    r"\s+(?P<ecc_uncorrected>N/A|\d{1,9})\s+(?P<power>N/A|[\d.]{1,8})(?:/(?P<limit>N/A|[\d.]{1,8}) ?W)?\s*\|$"
)
_SECOND = re.compile(
    r"^\|\s*(?P<device>\d{1,3})(?:\s+(?:N/A|\d{1,3})){2}\s+(?P<partition>[^\s/|]{1,10})\S{0,10}\s*"
    r"\|\s*(?P<util>N/A|\d{1,3} ?%)\s+(?:N/A|[\d.]{1,6}(?: ?%)?)"
    r"\s+(?P<used>N/A|[\d.]{1,12})/(?P<total>N/A|[\d.]{1,12}) ?(?P<unit>[KMG]B)\s*\|$"
)
_PROCESSES = re.compile(r"^\|\s+GPU\s+PID\s+Process Name\s+GTT_MEM\s+VRAM_MEM\s+MEM_USAGE\b")
_PROCESS = re.compile(
    r"^\|\s*(?P<device>\d{1,3})\s+(?P<pid>\d{1,10})\s+\S[^|]{0,40}?\s+"
    r"[\d.]{1,8} [KMGT]?B\s+(?P<vram>[\d.]{1,8} [KMGT]?B)\s+(?P<all>[\d.]{1,8} [KMGT]?B)\s"
)
_HOLDS = re.compile(r"^(?!0\.0 )[\d.]+ [MGT]B$")
"""Memory that a job holds: several releases list every process at every device, at most with some KB."""

_CUT = "..."


def of_overview(lines: Sequence[str]) -> Iterator[Cells]:
    """Yield the devices of all printings in cleaned lines; a device with only one of its lines is left out."""
    driver = ""
    first: re.Match[str] | None = None
    for line in lines:
        if HEADING.match(line):
            version = _VERSION.search(line)
            driver, first = version[1] if version else driver, None
        elif found := _FIRST.match(line):
            first = found
        elif first is not None and (second := _SECOND.match(line)):
            yield Cells(device=str(int(second["device"])), cells=dict(_cells(first, second, driver)))
            first = None


def processes(lines: Sequence[str]) -> dict[str, set[str]]:
    """Return the processes that hold memory of each device, of all printings in cleaned lines.

    >>> rows = ["|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |",
    ...         "|    0       4242  python3                2.0 MB   90.1 GB    90.2 GB      N/A |",
    ...         "|    1       4242  python3                2.0 MB   62.5 KB      0.0 B    0.0 % |"]
    >>> processes(rows)
    {'0': {'4242'}}
    """
    found: dict[str, set[str]] = {}
    inside = False
    for line in lines:
        if HEADING.match(line):
            inside = False
        elif _PROCESSES.match(line):
            inside = True
        elif inside and (row := _PROCESS.match(line)) and (_HOLDS.match(row["vram"]) or _HOLDS.match(row["all"])):
            found.setdefault(str(int(row["device"])), set()).add(row["pid"])
    return found


def _cells(first: re.Match[str], second: re.Match[str], driver: str) -> Iterator[tuple[str, str]]:
    if not first["name"].startswith(_CUT) and not first["name"].endswith(_CUT):
        yield "name", first["name"]
    if driver:
        yield "driver", driver
    for name, unit in (("memory_util", ""), ("temperature", "C"), ("ecc_uncorrected", ""), ("power", "W")):
        yield name, _with(first[name], unit)
    yield "limit", _with(first["limit"] or "N/A", "W")
    yield "util", second["util"]
    yield "partition", second["partition"]
    yield "used", _with(second["used"], second["unit"])
    yield "total", _with(second["total"], second["unit"])


def _with(cell: str, unit: str) -> str:
    return f"{cell} {unit}".strip()
