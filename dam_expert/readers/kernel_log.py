r"""Lines of the kernel log (``dmesg``, ``journalctl -k``): faults, killed processes, errors of memory, links, disks.

An Xid is NVIDIA's number for a device error. Some are the program's own doing, others mean that the device or its
link is broken (NVIDIA, "XID Errors"). A kernel log that names none of these says nothing: it may be cut.

>>> from dam_expert.readers.source import Source
>>> raw = b'''[12.3] NVRM: Xid (PCI:0000:0d:00): 79, pid=7, GPU has fallen off the bus.
... [99.1] Out of memory: Killed process 8 (python)'''
>>> reading = KernelLogReader().read(Source.of_bytes("dmesg.txt", raw))
>>> [(each.measurement, each.value if isinstance(each.value, str) else each.value.lo) for each in reading.observations]
[('xid_errors', 1.0), ('device_fault', 'lost'), ('oom_kills', 1.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_XID = re.compile(r"NVRM: Xid \((?:PCI:)?([0-9A-Fa-f:.]{4,20})[^)]{0,40}\): (\d{1,4})\b")
_LOST = re.compile(r"NVRM: .{0,120}\bfallen off the bus\b")
"""How drivers say Xid 79 where they print no number; the sentence may be broken over several lines."""

_FAULTS = {
    "lost": (79,),
    "memory": (48, 63, 64, 92, 94, 95),
    "link": (74,),
    "processor": (61, 62, 119, 120),
    "program": (13, 31, 43, 45),
}
"""What is at fault, worst first, by Xid (docs.nvidia.com/deploy/xid-errors); other numbers are counted only."""

_FAULT_OF = {number: fault for fault, numbers in _FAULTS.items() for number in numbers}
_EVENTS = {
    "oom_kills": re.compile(r"(?:Out of memory|Memory cgroup out of memory): Kill(?:ed)? process \d"),
    "host_memory_errors": re.compile(
        r"EDAC \S+: \d+ [CU]E\b|mce: \[Hardware Error\].*(?:memory|MEMORY)|Memory failure: "
    ),
    "pcie_errors": re.compile(r"PCIe Bus Error: severity=|AER: (?:Corrected|Multiple Corrected|Uncorrected|Fatal)"),
    "cpu_throttle_events": re.compile(
        r"(?:Core|Package) temperature (?:is )?above threshold, cpu clock (?:is )?throttled"
    ),
    "hung_tasks": re.compile(r"INFO: task .{1,80} blocked for more than \d+ seconds"),
    "storage_errors": re.compile(
        r"I/O error, dev |nfs: server \S+ not responding|Buffer I/O error on dev|LustreError: "
    ),
    "network_link_losses": re.compile(
        r"(?:mlx\d|\bbnxt|\bixgbe|\bice|\bena|\bi40e)\S*.{0,80}\b[Ll]ink (?:is )?[Dd]own"
    ),
}
_KNOWN = re.compile(
    r"^(?:<\d{1,3}>)?(?:\[\s*\d{1,9}\.\d{1,9}\]|\[\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}\]"
    r"|\w{3} [ \d]\d [\d:]{8} \S+ kernel:|\S{10,40} \S+ kernel:)"
)


@dataclasses.dataclass(frozen=True, slots=True)
class KernelLogReader:
    """Reads the kernel log, whole or grepped."""

    tool: str = "kernel_log"
    title: str = "kernel log"
    versions: str = "dmesg, journalctl -k, syslog"

    def recognises(self, source: Source) -> bool:
        """Whether most lines begin as those of the kernel do, or one of them names a known event."""
        lines = [text for text in source.head_lines if text]
        known = sum(bool(_KNOWN.match(line)) for line in lines)
        return known > len(lines) // 2 or any(event.search(source.head) for event in (_XID, _LOST, *_EVENTS.values()))

    def read(self, source: Source) -> Reading:
        """Return how often each kind of event is in the log, and what is at fault with each device."""
        return read_lines(source, self.tool, _Events())


@dataclasses.dataclass(slots=True)
class _Events:
    """How often, and the first line of each."""

    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    lines: dict[str, int] = dataclasses.field(default_factory=dict)
    xids: dict[str, dict[int, int]] = dataclasses.field(default_factory=dict)
    seen: int = 0
    lost: int | None = None
    """The line that says in words that a device is gone."""

    def take(self, line: int, text: str) -> bool:
        self.seen += 1
        if xid := _XID.search(text):
            numbers = self.xids.setdefault(xid[1].lower(), {})
            numbers[int(xid[2])] = numbers.get(int(xid[2]), 0) + 1
            self.lines.setdefault(f"xid {xid[1].lower()}", line)
            return True
        if _LOST.search(text):
            self.lost = self.lost or line
        for name, event in _EVENTS.items():
            if event.search(text):
                self.counts[name] = self.counts.get(name, 0) + 1
                self.lines.setdefault(name, line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        if self.xids:
            total = sum(count for numbers in self.xids.values() for count in numbers.values())
            named = sorted({number for numbers in self.xids.values() for number in numbers})
            detail = f"on {len(self.xids)} devices: Xid {', '.join(map(str, named[:12]))}"
            line = min(self.lines[name] for name in self.lines if name.startswith("xid "))
            yield from said(tell, "xid_errors", float(total), detail, line=line)
            faults = {_FAULT_OF[number] for number in named if number in _FAULT_OF}
            worst = next((fault for fault in _FAULTS if fault in faults), None)
            yield from said(tell, "device_fault", "lost" if self.lost else worst, detail, line=self.lost or line)
        elif self.lost:
            yield from said(tell, "device_fault", "lost", "a device has fallen off the bus", line=self.lost)
        # whether a killed process was the job, and when, the kernel log does not say: the kills are counted, no more
        for name, count in self.counts.items():
            yield from said(tell, name, float(count), "lines of this kind", line=self.lines[name])

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.xids and not self.counts and self.lost is None:
            text = f"none of its {self.seen} lines names a fault, a killed process or an error that is known"
            yield tell.note("no-values", text)
