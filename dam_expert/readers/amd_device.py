"""What the tools of AMD say of each device, under one set of names.

The link state is said as the state under load only where the same row shows the device busy.

>>> from dam_expert.readers.interface import Teller
>>> row = Cells(device="0", cells={"util": "0 %", "link": "1 (16.0GT/s x16)", "power": "N/A"})
>>> [(found.measurement, found.value.lo) for found in observations([row], Teller(file="x", tool="y"))][:3]
[('accelerator_utilization', 0.0), ('pcie_link_gen_now', 4.0), ('pcie_link_width_now', 16.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.json_text import documents, whole
from dam_expert.readers.lines import only, said
from dam_expert.readers.series import Series
from dam_expert.readers.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_AMOUNT = re.compile(r"^\(?(-?\d{1,15}(?:\.\d{1,6})?)\s*(%|[KMG]?B|MiB|mW|W|[Mm]Hz|Mhz|°?[Cc]|GT/s|)\)?$")
_UNITS = {
    "%": 0.01, "B": 1.0, "KB": 2.0**10, "MB": 2.0**20, "MiB": 2.0**20, "GB": 2.0**30, "W": 1.0, "mW": 1e-3,
    "MHz": 1e6, "Mhz": 1e6, "mHz": 1e6, "C": 1.0, "c": 1.0, "°C": 1.0, "°c": 1.0, "GT/s": 1.0, "": 1.0,
}  # fmt: skip
_PLAIN = {
    "accelerator_utilization": "util",
    "memory_controller_utilization": "memory_util",
    "device_memory_used": "used",
    "device_memory_total": "total",
    "device_power": "power",
    "power_limit": "limit",
    "sm_clock": "clock",
    "sm_clock_max": "clock_max",
    "memory_clock": "memory_clock",
    "device_temperature": "temperature",
    "pcie_link_width_max": "width_max",
    "ecc_uncorrected_errors": "ecc_uncorrected",
    "ecc_corrected_errors": "ecc_corrected",
}
_NEVER_ZERO = frozenset({"device_memory_total", "power_limit", "sm_clock_max", "pcie_link_width_max"})
"""What no device has none of: a tool that prints 0 there does not know it."""
_DERIVED = (
    "device_memory_used_share",
    "power_share",
    "pcie_link_gen",
    "pcie_link_width",
    "pcie_link_gen_now",
    "pcie_link_width_now",
    "pcie_link_gen_max",
)
_LINK = re.compile(r"([\d.]{1,5})\s*GT/s(?:\s*x(\d{1,2}))?")
_GENERATIONS = {2.5: 1, 5.0: 2, 8.0: 3, 16.0: 4, 32.0: 5, 64.0: 6}
_DIVIDED = re.compile(r"^(?:DPX|TPX|QPX|CPX)$")
"""Modes in which a device that a job sees is a part of the one that its name says; in SPX it is the whole."""
_MARKETED = re.compile(r"\[([^\[\]]{3,60})\]$")

ROCM_SMI = "ROCm System Management Interface"
"""The banner of the older tool, some of whose tables have headers like those of amd-smi."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """One row of one device: cells as printed, under canonical names."""

    device: str
    cells: dict[str, str]


def amount(cell: str | None) -> float | None:
    """Return a cell in its canonical unit; None for everything that is not a number with a known unit.

    >>> amount("(300Mhz)"), amount("16368 MB"), amount("N/A")
    (300000000.0, 17163091968.0, None)
    """
    found = _AMOUNT.match((cell or "").strip())
    return float(found[1]) * _UNITS[found[2]] if found else None


def read_devices(
    source: Source,
    tool: str,
    *,
    json: re.Pattern[str],
    of_json: Callable[[object], Iterator[Cells]],
    of_lines: Callable[[list[str]], Iterator[Cells]],
    command: str,
) -> Reading:
    """Return the reading of what a tool says of each device, as JSON or as cleaned lines.

    Of several printings the mean is told.

    ``command`` is what gives the whole output again where this one is damaged or empty.
    """
    tell = Teller(file=source.shown, tool=tool)
    text, messages = whole(source, tell)
    if json.search(source.head):
        found, is_whole = documents(text)
        rows = [row for document in found for row in of_json(document)]
        if not is_whole:
            messages.append(tell.warn("truncated", "a part of the JSON is damaged", hint=f"run '{command}' again"))
    else:
        rows = list(of_lines([clean(line) for line in text.split("\n")]))
    if not rows:
        messages.append(tell.warn("no-samples", "no device has values in it", hint=f"run '{command}'"))
    elif any(_is_divided(row) for row in rows):
        text = "devices are divided into partitions, which have a part of the units and the memory: no name is told"
        hint = "say what the partition can do, or run undivided: amd-smi set --gpu all --compute-partition SPX"
        messages.append(tell.warn("divided-devices", text, hint=hint))
    return tell.reading(
        observations=tuple(observations(rows, tell)),
        messages=tuple(messages),
        lines_read=text.count("\n") + 1,
    )


def observations(rows: Sequence[Cells], tell: Teller) -> Iterator[Observation]:
    """Yield the means of each device, how many there are, and their name where it is one."""
    series = Series()
    for row in rows:
        _keep(series, row)
    devices = sorted({row.device for row in rows}, key=int)
    for device in devices:
        scope = (("device", device),)
        for measurement in (*_PLAIN, *_DERIVED):
            yield from series.said(tell, scope, device, measurement, measurement)
        samples = series.count(device, "accelerator_utilization")
        yield from said(tell, "utilization_samples", samples or None, "known samples", scope=scope)
    yield from said(tell, "device_count", len(devices) or None, "devices that have values")
    most = max((int(row.cells["processes"]) for row in rows if "processes" in row.cells), default=None)
    yield from said(tell, "processes_on_device", most, "that hold memory, on the device that has most of them")
    names = {name for row in rows if not _is_divided(row) and (name := _name(row.cells.get("name", "")))}
    yield from said(tell, "accelerator", only(names), "name of the card")
    drivers = {row.cells["driver"][:40] for row in rows if row.cells.get("driver", "N/A") != "N/A"}
    yield from said(tell, "driver_version", only(drivers), "driver")


def _keep(series: Series, row: Cells) -> None:
    values = {measurement: amount(row.cells.get(name)) for measurement, name in _PLAIN.items()}
    for measurement, value in values.items():
        series.add(row.device, measurement, value or (None if measurement in _NEVER_ZERO else value))
    used, total = values["device_memory_used"], values["device_memory_total"]
    share = used / total if used is not None and total else amount(row.cells.get("used_share"))
    series.add(row.device, "device_memory_used_share", share)
    power, limit = values["device_power"], values["power_limit"]
    series.add(row.device, "power_share", power / limit if power is not None and limit else None)
    suffix = "" if values["accelerator_utilization"] else "_now"
    link, width = _LINK.search(row.cells.get("link", "")), amount(row.cells.get("width"))
    if link is not None:
        width = float(link[2]) if link[2] else width
        series.add(row.device, f"pcie_link_gen{suffix}", _GENERATIONS.get(_rate(link[1])))
    series.add(row.device, f"pcie_link_width{suffix}", width)
    best = _LINK.search(row.cells.get("link_max", ""))
    series.add(row.device, "pcie_link_gen_max", _GENERATIONS.get(_rate(best[1])) if best else None)


def _is_divided(row: Cells) -> bool:
    return bool(_DIVIDED.match(row.cells.get("partition", "")))


def _rate(text: str) -> float:
    return float(text) if re.fullmatch(r"\d{1,3}(?:\.\d)?", text) else 0.0


def _name(text: str) -> str:
    """Return the name that a card is sold under, nothing for a number.

    >>> _name("Arcturus GL-XL [Instinct MI100]"), _name("0x1002")
    ('Instinct MI100', '')
    """
    marketed = _MARKETED.search(text)
    name = marketed[1] if marketed else text
    return "" if name.startswith("0x") or name in {"N/A", ""} else name[:80]
