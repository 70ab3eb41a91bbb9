r"""``nvidia-smi -q``: the long report as text, once or in a loop.

The same key stands under many headings, so a value is known by its nearest heading and its key; indentation is not
needed and may be lost. Headings and keys were renamed over the years.

>>> from dam_expert.readers.source import Source
>>> raw = b'''==============NVSMI LOG==============
... GPU 00000000:00:09.0
...     Utilization
...         Gpu : 98 %
...         Memory : N/A
... '''
>>> reading = NvidiaReportReader().read(Source.of_bytes("q.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('accelerator_utilization', 0.98), ('utilization_samples', 1.0), ('device_count', 1.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines
from dam_expert.readers.nvidia_snapshot import Snapshot, complaints, moment, observations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_BANNER = re.compile(r"^=+NVSMI LOG=+$")
_DEVICE = re.compile(r"^GPU [0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]$")
_PAIR = re.compile(r"^([^:]{1,80}?)\s*:(?:\s+(.*))?$")

_UNDER = {
    ("utilization", "gpu"): "util",
    ("utilization", "memory"): "memory_util",
    ("gpu utilization samples", "avg"): "util_average",
    ("gpu utilization samples", "number of samples"): "util_samples",
    ("memory utilization samples", "avg"): "memory_util_average",
    ("utilization", "encoder"): "encoder_util",
    ("utilization", "decoder"): "decoder_util",
    ("fb memory usage", "total"): "fb_total",
    ("fb memory usage", "used"): "fb_used",
    ("power readings", "power draw"): "power",
    ("power readings", "power limit"): "limit",
    ("power readings", "enforced power limit"): "limit_enforced",
    ("gpu power readings", "power draw"): "power",
    ("gpu power readings", "average power draw"): "power_average",
    ("gpu power readings", "instantaneous power draw"): "power_instant",
    ("gpu power readings", "current power limit"): "limit_current",
    ("gpu power readings", "enforced power limit"): "limit_enforced",
    ("gpu ceiling power limit", "current power limit"): "limit_current",
    ("clocks", "sm"): "sm_clock",
    ("clocks", "memory"): "memory_clock",
    ("max clocks", "sm"): "sm_clock_max",
    ("temperature", "gpu current temp"): "temperature",
    ("pcie generation", "current"): "gen",
    ("pcie generation", "device current"): "gen",
    ("pcie generation", "max"): "gen_max",
    ("link width", "current"): "width",
    ("link width", "max"): "width_max",
    ("volatile", "sram uncorrectable"): "ecc_uncorrected_sram",
    ("volatile", "sram uncorrectable parity"): "ecc_uncorrected_sram_parity",
    ("volatile", "sram uncorrectable sec-ded"): "ecc_uncorrected_sram_secded",
    ("volatile", "dram uncorrectable"): "ecc_uncorrected_dram",
    ("volatile", "sram correctable"): "ecc_corrected_sram",
    ("volatile", "dram correctable"): "ecc_corrected_dram",
    ("remapped rows", "pending"): "remap_pending",
    ("remapped rows", "remapping failure occurred"): "remap_failure",
    ("mig mode", "current"): "mig",
}
_REASONS = {
    ("event", "sw power cap"): "reason_sw_power_cap",
    ("event", "hw slowdown"): "reason_hw_slowdown",
    ("event", "hw thermal slowdown"): "reason_hw_thermal_slowdown",
    ("event", "hw power brake slowdown"): "reason_hw_power_brake_slowdown",
    ("event", "sw thermal slowdown"): "reason_sw_thermal_slowdown",
    ("counters", "sw power capping"): "counter_sw_power",
    ("counters", "sw thermal slowdown"): "counter_sw_thermal",
    ("counters", "hw thermal slowdown"): "counter_hw_thermal",
    ("counters", "hw power braking"): "counter_hw_brake",
}
_HEADINGS = {
    "clocks event reasons": "event",
    "clocks throttle reasons": "event",
    "clocks event reasons counters": "counters",
    "clocks throttle reasons counters": "counters",
}
_ANYWHERE = {"tx throughput": "tx", "rx throughput": "rx", "product name": "name", "minor number": "minor"}


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaReportReader:
    """Reads the text of ``nvidia-smi -q``, whole or of chosen sections (``-d``)."""

    tool: str = "nvidia_smi_report"
    title: str = "nvidia-smi -q"
    versions: str = "drivers 470 to 610"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the report's banner."""
        return any_line(source, _BANNER)

    def read(self, source: Source) -> Reading:
        """Return the values of each device, and shares of time where the report repeats."""
        return read_lines(source, self.tool, _Reports())


@dataclasses.dataclass(slots=True)
class _Reports:
    """The reports so far, and the heading in force."""

    snapshots: list[Snapshot] = dataclasses.field(default_factory=list)
    heading: str = ""

    def take(self, line: int, text: str) -> bool:
        if _BANNER.match(text):
            self.snapshots.append(Snapshot(line=line))
            self.heading = ""
        elif not self.snapshots:
            return True  # a prompt or prose before the report
        elif _DEVICE.match(text):
            self.snapshots[-1].devices.append({})
            self.heading = ""
        elif pair := _PAIR.match(text):
            self._pair(pair[1].lower(), (pair[2] or "").strip())
        else:
            self.heading = text[:80].lower()
        return True

    def _pair(self, key: str, value: str) -> None:
        snapshot = self.snapshots[-1]
        if not snapshot.devices:
            if key == "timestamp":
                snapshot.time = moment(value)
            elif key == "attached gpus" and re.fullmatch(r"\d{1,4}", value):
                snapshot.attached = int(value)
            elif key in {"driver version", "kmd version"} and value != "N/A":
                snapshot.driver = value[:40]
            elif key in {"cuda version", "cuda umd version"} and value != "N/A":
                snapshot.cuda = value[:40]
            return
        cells = snapshot.devices[-1]
        if key == "type" and value in {"C", "C+G", "M+C"}:
            cells["processes"] = str(int(cells.get("processes", "0")) + 1)
        name = (
            _UNDER.get((self.heading, key))
            or _REASONS.get((_HEADINGS.get(self.heading, ""), key))
            or _ANYWHERE.get(key)
        )
        if name is not None:
            cells[name] = value[:80]

    def observations(self, tell: Teller) -> Iterable[Observation]:
        return observations(self.snapshots, tell)

    def complaints(self, tell: Teller) -> Iterable[Message]:
        return complaints(self.snapshots, tell)
