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
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(
    r"^#\s*(?:(?:Date|Time),?\s+)*gpu\b(?!.*\bpid\b)"
    r".*[\s,](?:pwr|g?temp|sm|mem|[mp]clk|[pt]viol|fb|bar1|sbecc|[rt]xpci|enc)\b",
    re.IGNORECASE,
)
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
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines: the columns in force, and the samples so far."""

    series: Series = dataclasses.field(default_factory=Series)
    devices: dict[str, int] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)

    def take(self, line: int, text: str) -> bool:
        if text.startswith("#"):
            if _HEADER.match(text):
                self.columns = _cells(text.lstrip("# ").lower())
            return True
        cells = _cells(text)
        sample = dict(zip(self.columns, cells, strict=False))
        if len(cells) != len(self.columns) or not _INDEX.match(sample.get("gpu", "")):
            return False
        device = sample["gpu"]
        self.devices[device] = self.devices.get(device, 0) + 1
        for column, (measurement, factor) in _COLUMNS.items():
            value = number(sample[column]) if column in sample else None
            self.series.add(device, measurement, None if value is None else value * factor, line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for device in sorted(self.devices, key=int):
            scope = (("device", device),)
            for measurement in dict.fromkeys(name for name, _ in _COLUMNS.values()):
                percentiles = measurement == "accelerator_utilization"
                yield from self.series.said(tell, scope, device, measurement, measurement, percentiles=percentiles)
            samples = self.series.count(device, "accelerator_utilization")
            if samples:
                yield tell.observe("utilization_samples", Interval.point(samples), scope=scope, detail="known samples")
        if self.devices:
            yield tell.observe("device_count", Interval.point(len(self.devices)), detail="devices that have rows")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.devices:
            yield tell.warn("no-samples", "the header is there and no sample", hint="let dmon run longer")


def _cells(text: str) -> list[str]:
    """Return the cells of a line that blanks or, with ``--format csv``, commas divide.

    >>> _cells("0  40  -"), _cells("0, 40, -")
    (['0', '40', '-'], ['0', '40', '-'])
    """
    return text.replace(",", " ").split()
