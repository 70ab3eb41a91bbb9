r"""``nvidia-smi --query-gpu=… --format=csv``: the fields that the user asked for, one row per device and time.

The header names each field and its unit, also with ``nounits``; a cell may repeat the unit. Fields were renamed over
the years and are known under every name. The state of the PCIe link is used only from rows in which the device was
busy: an idle link clocks down and says nothing.

>>> from dam_expert.readers.source import Source
>>> raw = b"index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n0, 98 %, 1024 MiB, [N/A]\n"
>>> reading = NvidiaQueryReader().read(Source.of_bytes("gpu.csv", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations][:2]
[('accelerator_utilization', 0.98), ('device_memory_used', 1073741824.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_FIELDS = {
    "accelerator_utilization": ("utilization.gpu",),
    "memory_controller_utilization": ("utilization.memory",),
    "device_memory_used": ("memory.used",),
    "device_memory_total": ("memory.total",),
    "device_power": ("power.draw", "power.draw.average", "power.draw.instant"),
    "power_limit": ("enforced.power.limit", "power.limit"),
    "sm_clock": ("clocks.current.sm", "clocks.sm"),
    "sm_clock_max": ("clocks.max.sm",),
    "memory_clock": ("clocks.current.memory", "clocks.mem", "clocks.memory"),
    "device_temperature": ("temperature.gpu",),
}
_UNDER_LOAD = {
    "pcie_link_gen": ("pcie.link.gen.gpucurrent", "pcie.link.gen.current"),
    "pcie_link_gen_max": ("pcie.link.gen.max",),
    "pcie_link_width": ("pcie.link.width.current",),
    "pcie_link_width_max": ("pcie.link.width.max",),
}
_REASONS = {
    "power_capped_share": (0x4, ("sw_power_cap",)),
    "thermal_slowdown_share": (0x20 | 0x40, ("sw_thermal_slowdown", "hw_thermal_slowdown")),
    "hw_slowdown_share": (0x8 | 0x80, ("hw_slowdown", "hw_power_brake_slowdown")),
}
"""Bits of ``clocks_event_reasons.active`` (NVML ``nvmlClocksEventReasons``), and the fields that give them singly."""

_RATIOS = {
    "device_memory_used_share": ("device_memory_used", "device_memory_total"),
    "power_share": ("device_power", "power_limit"),
}
_UNITS = {"%": 0.01, "mib": 2.0**20, "kib": 2.0**10, "gib": 2.0**30, "mhz": 1e6, "w": 1.0, "mw": 1e-3, "c": 1.0}
_DEFAULTS = (("memory.", 2.0**20), ("utilization.", 0.01), ("clocks.", 1e6))
"""What the tool counts fields in, where neither header nor cell says it: a header written by hand and ``nounits``."""

_OWNERS = ("index", "pci.bus_id", "gpu_bus_id", "uuid", "gpu_uuid", "serial", "gpu_serial")
_NAMES = ("name", "gpu_name")
_CELL = re.compile(r"^[a-z][\w.]*(?: \[[^\]]*\])?$", re.IGNORECASE)
_KNOWN = frozenset(name for names in (*_FIELDS.values(), *_UNDER_LOAD.values()) for name in names)


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaQueryReader:
    """Reads the CSV of ``nvidia-smi --query-gpu``; the header is needed."""

    tool: str = "nvidia_smi_query"
    title: str = "nvidia-smi --query-gpu CSV"
    versions: str = "drivers 450 to 610, old and new field names"

    def recognises(self, source: Source) -> bool:
        """Whether a line is a header of query fields, at least one of them known here."""
        return any(_header(line) for line in source.head_lines[:200])

    def read(self, source: Source) -> Reading:
        """Return the mean of each known field for each device."""
        return read_lines(source, self.tool, _Rows())


def _header(text: str) -> list[tuple[str, str]]:
    """Return (field, unit) of each column of a header line, nothing for any other line.

    >>> _header("index, utilization.gpu [%]"), _header("0, 98 %")
    ([('index', ''), ('utilization.gpu', '%')], [])
    """
    cells = [cell.strip() for cell in text.split(",")]
    if not all(_CELL.match(cell) for cell in cells):
        return []
    columns = [(cell.split(" ")[0].lower(), cell.partition("[")[2].rstrip("]").lower()) for cell in cells]
    if len(columns) == 1 and not columns[0][1]:
        return []  # a word on a line of its own: such a list is no table
    return columns if any(field in _KNOWN for field, _ in columns) else []


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns in force, and the samples so far."""

    series: Series = dataclasses.field(default_factory=Series)
    devices: dict[str, int] = dataclasses.field(default_factory=dict)
    names: set[str] = dataclasses.field(default_factory=set)
    columns: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    def take(self, line: int, text: str) -> bool:
        header = _header(text)
        if header:
            self.columns = header
            return True
        cells = [cell.strip() for cell in text.split(",")]
        if len(cells) != len(self.columns):
            return False
        row = {field: (cell, unit) for (field, unit), cell in zip(self.columns, cells, strict=True)}
        device = next((row[name][0] for name in _OWNERS if name in row), "")
        if row.get("gpu", ("", ""))[0].isdecimal():  # no field of the tool: a script numbers the devices itself
            device = row["gpu"][0]
        self.devices[device] = self.devices.get(device, 0) + 1
        self.names |= {row[name][0][:80] for name in _NAMES if name in row and not row[name][0].startswith("[")}
        self._keep(device, row, line)
        return True

    def _keep(self, device: str, row: dict[str, tuple[str, str]], line: int) -> None:
        values = {measurement: _value(row, names) for measurement, names in _FIELDS.items()}
        for measurement, value in values.items():
            self.series.add(device, measurement, value, line)
        for measurement, (part, whole) in _RATIOS.items():
            used, limit = values[part], values[whole]
            self.series.add(device, measurement, used / limit if used is not None and limit else None, line)
        for measurement, (bits, names) in _REASONS.items():
            self.series.add(device, measurement, _reason(row, bits, names), line)
        if values["accelerator_utilization"]:
            for measurement, names in _UNDER_LOAD.items():
                self.series.add(device, measurement, _value(row, names), line)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for device in sorted(self.devices, key=lambda name: (len(name), name)):
            scope = (("device", device),) if device else ()
            for measurement in (*_FIELDS, *_RATIOS, *_REASONS, *_UNDER_LOAD):
                percentiles = measurement == "accelerator_utilization"
                yield from self.series.said(tell, scope, device, measurement, measurement, percentiles=percentiles)
            samples = self.series.count(device, "accelerator_utilization")
            if samples:
                yield tell.observe("utilization_samples", Interval.point(samples), scope=scope, detail="known samples")
        if self.devices and "" not in self.devices:
            yield tell.observe("device_count", Interval.point(len(self.devices)), detail="devices that have rows")
        if len(self.names) == 1:
            yield tell.observe("accelerator", next(iter(self.names)), detail="name column")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.devices:
            yield tell.warn("no-samples", "the header is there and no sample", hint="query again with -l 1")


def _value(row: dict[str, tuple[str, str]], names: tuple[str, ...]) -> float | None:
    """Return the first known value under any of the names, in its canonical unit."""
    for name in names:
        cell, unit = row.get(name, ("", ""))
        value = number(cell)
        if value is not None:
            written = re.search(r"[A-Za-z%]+$", cell)
            told = written[0].lower() if written else unit
            default = next((factor for start, factor in _DEFAULTS if name.startswith(start)), 1.0)
            return value * (_UNITS.get(told, 1.0) if told else default)
    return None


def _reason(row: dict[str, tuple[str, str]], bits: int, names: tuple[str, ...]) -> float | None:
    """Return 1 where a slowdown reason was active, 0 where not, None where the row does not say."""
    for prefix in ("clocks_event_reasons", "clocks_throttle_reasons"):
        mask = row.get(f"{prefix}.active", ("", ""))[0]
        if re.fullmatch(r"0x[0-9a-fA-F]{1,16}", mask):
            return float(bool(int(mask, 16) & bits))
        words = [row[f"{prefix}.{name}"][0].lower() for name in names if f"{prefix}.{name}" in row]
        said = [word == "active" for word in words if word in {"active", "not active"}]
        if said:
            return float(any(said))
    return None
