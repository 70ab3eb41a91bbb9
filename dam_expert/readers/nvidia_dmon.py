r"""``nvidia-smi dmon``: one row per device and second, columns as the user chose them.

Two lines beginning with ``#`` name the columns and their units; they are printed again every few dozen rows and
may change. ``mem`` is the share of time in which the memory controller was busy, not a share of bandwidth. With
MIG every utilisation column is ``-``, which is unknown.

>>> from dam_expert.readers.source import Source
>>> raw = b"# gpu  pwr gtemp  sm  mem\n# Idx    W     C   %    %\n    0  630    53  90    8\n    0  628    53   -    8"
>>> reading = NvidiaDmonReader().read(Source.of_bytes("dmon.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations][:2]
[('accelerator_utilization', 0.9), ('memory_controller_utilization', 0.08)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^#\s*(?:(?:Date|Time)\s+)*gpu\b(?!.*\bpid\b)", re.IGNORECASE)
_INDEX = re.compile(r"^\d{1,4}$")
_MEBI, _MEGA, _PERCENT = 2.0**20, 1e6, 0.01

_COLUMNS = {
    "sm": ("accelerator_utilization", _PERCENT),
    "mem": ("memory_controller_utilization", _PERCENT),
    "fb": ("device_memory_used", _MEBI),
    "pwr": ("device_power", 1.0),
    "pclk": ("sm_clock", _MEGA),
    "mclk": ("memory_clock", _MEGA),
    "gtemp": ("device_temperature", 1.0),
    "temp": ("device_temperature", 1.0),
    "rxpci": ("pcie_rx_rate", _MEGA),
    "txpci": ("pcie_tx_rate", _MEGA),
    "pviol": ("power_capped_share", _PERCENT),
    "tviol": ("thermal_slowdown_share", 1.0),
}
"""Column to measurement and factor. ``fb`` is headed MB and counts MiB; ``tviol`` is 0 or 1 per sample."""


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaDmonReader:
    """Reads the rows of ``nvidia-smi dmon`` with any choice of columns, dated or not."""

    tool: str = "nvidia_smi_dmon"
    title: str = "nvidia-smi dmon"
    versions: str = "drivers 470 to 610"

    def recognises(self, source: Source) -> bool:
        """Whether a header line names a ``gpu`` column and no process."""
        return any(_HEADER.match(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return the mean of each column for each device."""
        tell, rows = Teller(file=source.shown, tool=self.tool), _Rows()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            rows.take(line, text)
        messages += tell.not_understood(rows.odd, rows.seen, first=rows.first_odd)
        if not rows.devices:
            messages.append(tell.warn("no-samples", "the header is there and no sample", hint="let dmon run longer"))
        return Reading(
            tool=self.tool,
            observations=tuple(_observations(rows, tell)),
            messages=tuple(messages),
            lines_read=rows.seen,
            lines_not_understood=rows.odd,
        )


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns in force, and the samples so far."""

    series: Series = dataclasses.field(default_factory=Series)
    devices: dict[str, int] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        if text.startswith("#"):
            if _HEADER.match(text):
                self.columns = text.lstrip("# ").lower().split()
            return
        cells = text.split()
        sample = dict(zip(self.columns, cells, strict=False))
        if len(cells) != len(self.columns) or not _INDEX.match(sample.get("gpu", "")):
            self.odd += 1
            self.first_odd = self.first_odd or line
            return
        device = sample["gpu"]
        self.devices[device] = self.devices.get(device, 0) + 1
        for column, (measurement, factor) in _COLUMNS.items():
            value = number(sample[column]) if column in sample else None
            self.series.add(device, measurement, None if value is None else value * factor, line)


def _observations(rows: _Rows, tell: Teller) -> Iterator[Observation]:
    for device in sorted(rows.devices, key=int):
        scope = (("device", device),)
        for measurement in dict.fromkeys(name for name, _ in _COLUMNS.values()):
            yield from rows.series.said(
                tell, scope, device, measurement, measurement, percentiles=measurement == "accelerator_utilization"
            )
        samples = rows.series.count(device, "accelerator_utilization")
        if samples:
            yield tell.observe("utilization_samples", Interval.point(samples), scope=scope, detail="known samples")
    if rows.devices:
        yield tell.observe("device_count", Interval.point(len(rows.devices)), detail="devices that have rows")
