r"""``nvidia-smi -L``: the devices of a host by their whole name, one a line, and the instances of each.

The links of ``nvidia-smi nvlink -s`` may stand below each: they say what a port offers, not where it leads.

With instances (MIG) a job gets a part of a device. The name told is then that of the instance, and how many devices the
job has is not told: the list shows what there is, and a process uses one instance.

>>> from dam_expert.readers.source import Source
>>> raw = b'''GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5d5ba0d6-d33d)
...   MIG 3g.20gb     Device  0: (UUID: MIG-c6d4f1ef-42e4)'''
>>> reading = NvidiaListReader().read(Source.of_bytes("list.txt", raw))
>>> [(found.measurement, found.value) for found in reading.observations], reading.messages[0].code
([('accelerator', 'NVIDIA A100-SXM4-40GB MIG 3g.20gb'), ('mig_enabled', 'true')], 'divided-devices')
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import only, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_DEVICE = re.compile(r"^GPU (\d{1,3}): (\S.{0,78}?) \(UUID: (GPU-[0-9A-Za-z-]{1,60})\)$")
_INSTANCE = re.compile(r"^MIG (\d{1,2}\S{0,30})\s+Device\s+\d{1,3}: \(UUID: (MIG-[0-9A-Za-z/-]{1,80})\)$")
_LINK = re.compile(r"^Link \d{1,2}: (?:[\d.]{1,8} GB/s|<inactive>|NA|N/A)$")
_TROUBLE = re.compile(r"^(?:NVML: |Unable to|Failed to|WARNING|Warning|Error|ERROR|Unknown Error)\b")


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaListReader:
    """Reads ``nvidia-smi -L``. A log in which such a list stands among other lines is not taken for one."""

    tool: str = "nvidia_smi"
    title: str = "nvidia-smi -L"
    versions: str = "drivers 450 to 610, with and without instances (MIG); devices of nvlink -s"

    def recognises(self, source: Source) -> bool:
        """Whether the lines are devices and instances with their UUIDs, and nothing else but the tool's complaints."""
        lines = [line for line in source.head_lines if line]
        listed = {line for line in lines if _DEVICE.match(line) or _INSTANCE.match(line)}
        return bool(listed) and all(_TROUBLE.match(line) or _LINK.match(line) for line in lines if line not in listed)

    def read(self, source: Source) -> Reading:
        """Return how many devices there are and their name where all have the same."""
        return read_lines(source, self.tool, _Devices())


@dataclasses.dataclass(slots=True)
class _Devices:
    """The state between lines: instances belong to the device above them. A list may have been printed twice."""

    indices: dict[str, str] = dataclasses.field(default_factory=dict)
    names: dict[str, str] = dataclasses.field(default_factory=dict)
    instances: dict[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    """By UUID of the instance: its device, empty where that is not listed, and its profile."""
    current: str = ""
    first: dict[str, int] = dataclasses.field(default_factory=dict)
    hosts: bool = False
    """Whether one index is that of two devices."""

    def take(self, line: int, text: str) -> bool:
        if device := _DEVICE.match(text):
            self.current = device[3]
            self.hosts = self.hosts or self.indices.setdefault(device[1], device[3]) != device[3]
            self.names[device[3]] = device[2].strip()
            self.first.setdefault("device", line)
        elif instance := _INSTANCE.match(text):
            self.instances[instance[2]] = (self.current, instance[1])
            self.first.setdefault("instance", line)
        else:
            return bool(not text or _LINK.match(text) or text.startswith("NVML: "))
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        divided: dict[str, set[str]] = {}
        for device, profile in self.instances.values():
            divided.setdefault(device, set()).add(profile)
        names = {
            f"{name} MIG {profile}" if profile else name
            for device, name in self.names.items()
            for profile in divided.get(device, {""})
        }
        line = self.first.get("device")
        yield from said(tell, "accelerator", only(names), "the name that all in the list have", line=line)
        if self.instances:
            yield from said(tell, "mig_enabled", "true", "it lists instances", line=self.first["instance"])
        elif not self.hosts:
            yield from said(tell, "device_count", len(self.names) or None, "devices in the list", line=line)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.instances:
            text = f"devices are divided into {len(self.instances)} instances (MIG); a process uses one of them"
            hint = "say which instance the job has: echo $CUDA_VISIBLE_DEVICES"
            yield tell.warn("divided-devices", text, hint=hint, line=self.first["instance"])
        if self.hosts:
            text = "one index is that of two devices: these are the lists of several hosts, and their number is unknown"
            yield tell.warn("several-hosts", text, hint="pass the list of each host as a file of its own")
        if not self.names and not self.instances:
            yield tell.warn("no-samples", "no device is listed in it", hint="run 'nvidia-smi -L'")
