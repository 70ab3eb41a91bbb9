r"""``nvidia-smi`` without options: the table, one instant per printing, in the layouts of drivers 4xx to 6xx.

Widths and rules changed over the years, so cells are found by what is in them. A cut name (``...``) is not used.
Inside a container the processes of a device are often not listed: no process is unknown, not 0.

>>> from dam_expert.readers.source import Source
>>> raw = b'''| NVIDIA-SMI 550.90.07    Driver Version: 550.90.07    CUDA Version: 12.4 |
... |   0  NVIDIA L4          Off |   00000000:00:03.0 Off |                    0 |
... | N/A   76C    P0   35W /  72W |   20313MiB /  23034MiB |     97%      Default |'''
>>> reading = NvidiaTableReader().read(Source.of_bytes("smi.txt", raw))
>>> found = {each.measurement: each.value for each in reading.observations}
>>> found["accelerator_utilization"].lo, found["device_power"].lo, found["accelerator"]
(0.97, 35.0, 'NVIDIA L4')
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_BANNER = re.compile(r"^\|\s*NVIDIA-SMI\s+\d")
_DRIVER = re.compile(r"(?:Driver|KMD) Version:\s*([\d.]{1,20})")
_CUDA = re.compile(r"CUDA (?:UMD )?Version:\s*(\d[\d.]{0,9})")
_FIRST = re.compile(
    r"^\|\s*(\d{1,3})\s+(\S.*?)\s+\S+\s*\|\s*[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\b"
)
_MEMORY = re.compile(r"(\d{1,9})\s*MiB\s*/\s*(\d{1,9})\s*MiB")
_POWER = re.compile(r"(?<![\w.])(\d{1,6}(?:\.\d+)?)\s*W\s*/\s*(\d{1,6}(?:\.\d+)?)\s*W")
_GPUSTAT = re.compile(
    r"^\[(?P<device>\d{1,3})\] (?P<name>\S[^|]{0,80}?)\s*\|\s*(?P<heat>\d{1,3}|\?\?)['°]C,(?:\s*(?:\d{1,3}|\?\?) %,)??"
    r"\s*(?P<busy>\d{1,3}|\?\?) %(?:,\s*(?P<draw>\d{1,5}|\?\?)\s*/\s*(?P<limit>\d{1,5}|\?\?) W)?\s*"
    r"\|\s*(?P<used>\d{1,8})\s*/\s*(?P<total>\d{1,8}) MB(?P<users>.*)$"
)
"""A row of gpustat, which asks the same library; with ``-F`` the fan stands before the use, with ``-P`` the power."""
_USER = re.compile(r"\(\d{1,8}M\)")
_DRAW = re.compile(r"(?<![\w.])(\d{1,6}(?:\.\d+)?)\s*W\s*/")
_HEAT = re.compile(r"\b(\d{1,3})C\b")
_BUSY = re.compile(r"^(\d{1,3})%$")
_PROCESS = re.compile(r"^\|\s+(\d{1,3})(?:\s+(?:N/A|\d{1,4}|0x\w{1,6})){0,2}\s+\d{1,10}\s+(C|C\+G|M\+C)\s+\S")
_MIG = re.compile(r"^\|\s*MIG devices:")
_MIB = 2.0**20
_MEASUREMENTS = (
    "accelerator_utilization",
    "device_memory_used",
    "device_memory_total",
    "device_memory_used_share",
    "device_power",
    "power_limit",
    "power_share",
    "device_temperature",
    "processes_on_device",
)


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaTableReader:
    """Reads the default table of ``nvidia-smi``, printed once or again and again (``watch``, ``-l``)."""

    tool: str = "nvidia_smi_table"
    title: str = "nvidia-smi table"
    versions: str = "drivers 450 to 610, Linux and Windows; gpustat 0.6 to 1.1"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the table's banner, a device row with the bus address, or one of gpustat."""
        return any_line(source, _BANNER) or any_line(source, _FIRST) or any_line(source, _GPUSTAT)

    def read(self, source: Source) -> Reading:
        """Return the values of each device; of several printings, their mean."""
        return read_lines(source, self.tool, _Printings())


@dataclasses.dataclass(slots=True)
class _Printings:
    """The state between lines: the device whose second row is awaited."""

    series: Series = dataclasses.field(default_factory=Series)
    devices: dict[str, None] = dataclasses.field(default_factory=dict)
    names: set[str] = dataclasses.field(default_factory=set)
    processes: dict[str, int] = dataclasses.field(default_factory=dict)
    device: str = ""
    driver: str = ""
    cuda: str = ""
    mig: bool = False
    printings: int = 0

    def take(self, line: int, text: str) -> bool:
        if _BANNER.match(text):
            self._banner(text)
        elif found := _FIRST.match(text):
            self.device = str(int(found[1]))
            self.devices[self.device] = None
            self.names.add(found[2].strip()[:80])
        elif self.device and (found := _MEMORY.search(text)):
            device, self.device = self.device, ""
            return self._second(device, text, found, line)
        elif found := _PROCESS.match(text):
            owner = str(int(found[1]))
            self.processes[owner] = self.processes.get(owner, 0) + 1
        elif found := _GPUSTAT.match(text):
            self._gpustat(found, line)
        elif _MIG.match(text):
            self.mig, self.device = True, ""
        return True

    def _banner(self, text: str) -> None:
        self._close()
        self.printings += 1
        driver, cuda = _DRIVER.search(text), _CUDA.search(text)
        self.driver, self.cuda = driver[1] if driver else "", cuda[1] if cuda else ""

    def _close(self) -> None:
        """End a printing: its processes are counted."""
        for owner, count in self.processes.items():
            self.series.add(owner, "processes_on_device", float(count))
        self.processes = {}

    def _gpustat(self, row: re.Match[str], line: int) -> None:
        device = str(int(row["device"]))
        self.printings += device in self.devices
        self.devices[device] = None
        self.names.add(row["name"])
        used, total = float(row["used"]) * _MIB, float(row["total"]) * _MIB
        self.series.add(device, "device_memory_used", used, line)
        self.series.add(device, "device_memory_total", total or None, line)
        self.series.add(device, "device_memory_used_share", used / total if total else None, line)
        busy, heat, draw, limit = (number(row[name] or "") for name in ("busy", "heat", "draw", "limit"))
        self.series.add(device, "accelerator_utilization", None if busy is None else busy / 100.0, line)
        self.series.add(device, "device_temperature", heat, line)
        self.series.add(device, "device_power", draw, line)
        self.series.add(device, "power_limit", limit or None, line)
        self.series.add(device, "power_share", draw / limit if draw is not None and limit else None, line)
        if users := len(_USER.findall(row["users"])):
            self.series.add(device, "processes_on_device", float(users), line)

    def _second(self, device: str, text: str, memory: re.Match[str], line: int) -> bool:
        cells = text.strip("|").split("|")
        if len(cells) < 3:
            return False
        used, total = float(memory[1]) * _MIB, float(memory[2]) * _MIB
        self.series.add(device, "device_memory_used", used, line)
        self.series.add(device, "device_memory_total", total or None, line)
        self.series.add(device, "device_memory_used_share", used / total if total else None, line)
        power, draw, heat = _POWER.search(cells[0]), _DRAW.search(cells[0]), _HEAT.search(cells[0])
        self.series.add(device, "device_power", float(draw[1]) if draw else None, line)
        if power is not None and float(power[2]):
            self.series.add(device, "power_limit", float(power[2]), line)
            self.series.add(device, "power_share", float(power[1]) / float(power[2]), line)
        self.series.add(device, "device_temperature", float(heat[1]) if heat else None, line)
        words = cells[2].split()
        busy = _BUSY.match(words[0]) if words else None
        self.series.add(device, "accelerator_utilization", int(busy[1]) / 100 if busy else None, line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        self._close()
        for device in self.devices:
            scope = (("device", device),)
            for measurement in _MEASUREMENTS:
                yield from self.series.said(tell, scope, device, measurement, measurement)
            samples = self.series.count(device, "accelerator_utilization")
            yield from said(tell, "utilization_samples", samples or None, "known samples", scope=scope)
        if self.devices:
            yield tell.observe("device_count", Interval.point(len(self.devices)), detail="devices in the table")
        name = next(iter(self.names)) if len(self.names) == 1 else ""
        yield from said(tell, "accelerator", "" if name.endswith("...") else name, "name column")
        yield from said(tell, "driver_version", self.driver, "banner")
        yield from said(tell, "driver_cuda_version", self.cuda, "highest version the driver supports")
        yield from said(tell, "mig_enabled", "true" if self.mig else None, "it lists MIG devices")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.devices:
            yield tell.warn("no-samples", "no device is listed in it", hint="paste the whole table")
        elif self.printings < 2:
            hint = "for use over time: nvidia-smi dmon -s pucvmet -c 60"
            yield tell.note("one-instant", "the table shows one instant", hint=hint)
