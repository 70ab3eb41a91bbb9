"""What iostat reports, whatever the form: one entry per interval, and what is said of all of them.

The first report of a run covers the time since boot and is left out. Partitions, device-mapper, RAID and loop devices
show the same requests again and are left out beside the disks they lie on. Sysstat's kB is 1024 bytes (it halves
sectors of 512), its MB 1024 of those.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.series import Series, checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

_SECTOR, _KILO, _MEGA = 512.0, 1024.0, 1024.0**2

COLUMNS: dict[str, tuple[str, float]] = {
    "%util": ("disk_utilization", 0.01),
    "util": ("disk_utilization", 0.01),
    "r/s": ("disk_read_iops", 1.0),
    "w/s": ("disk_write_iops", 1.0),
    "rsec/s": ("disk_read_rate", _SECTOR),
    "rkb/s": ("disk_read_rate", _KILO),
    "rmb/s": ("disk_read_rate", _MEGA),
    "blk_read/s": ("disk_read_rate", _SECTOR),
    "kb_read/s": ("disk_read_rate", _KILO),
    "mb_read/s": ("disk_read_rate", _MEGA),
    "wsec/s": ("disk_write_rate", _SECTOR),
    "wkb/s": ("disk_write_rate", _KILO),
    "wmb/s": ("disk_write_rate", _MEGA),
    "blk_wrtn/s": ("disk_write_rate", _SECTOR),
    "kb_wrtn/s": ("disk_write_rate", _KILO),
    "mb_wrtn/s": ("disk_write_rate", _MEGA),
    "r_await": ("disk_read_await", 1e-3),
    "aqu-sz": ("disk_queue_depth", 1.0),
    "avgqu-sz": ("disk_queue_depth", 1.0),
}
"""Column, in lower case, to measurement and factor, over sysstat 9 to 12."""

MEASUREMENTS = tuple(dict.fromkeys(measurement for measurement, _ in COLUMNS.values()))

DISKS = 10_000
"""Devices that are remembered; more come only from broken files."""

_PARTITION = re.compile(r"^(?P<disk>(?:nvme\d+n\d+|mmcblk\d+|nbd\d+|md\d+)(?=p\d+$)|(?:sd|hd|vd|xvd)[a-z]+(?=\d+$))")
_LAYERED = re.compile(r"^(?:dm-\d+|md\d+|loop\d+|sr\d+|ram\d+|zram\d+|drbd\d+|nvme\d+c\d+n\d+)$")
_TOTALS = frozenset({"total", "ALL", "all"})


@dataclasses.dataclass(slots=True)
class Report:
    """One interval. Values are in canonical units; CPU in percent under sysstat's names without the sign."""

    since_boot: bool = False
    line: int | None = None
    cpu: dict[str, float] = dataclasses.field(default_factory=dict)
    disks: dict[str, dict[str, float]] = dataclasses.field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether nothing was read yet."""
        return not self.cpu and not self.disks


@dataclasses.dataclass(slots=True)
class Summary:
    """What all reports say together; a report is folded in and forgotten, so hours take no more memory than minutes."""

    series: Series = dataclasses.field(default_factory=Series)
    disks: dict[str, _Reads] = dataclasses.field(default_factory=dict)
    reports: int = 0
    used: int = 0

    def add(self, report: Report) -> None:
        """Fold one report in, unless it is empty; one since boot is only counted."""
        if report.empty:
            return
        self.reports += 1
        if report.since_boot:
            return
        self.used += 1
        if "idle" in report.cpu:
            busy = 100.0 - report.cpu["idle"] - report.cpu.get("iowait", 0.0)
            self.series.add("", "cpu_utilization", max(busy, 0.0) / 100.0, report.line)
        for name, measurement in (("iowait", "cpu_iowait_share"), ("steal", "cpu_steal_share")):
            value = report.cpu.get(name)
            self.series.add("", measurement, None if value is None else value / 100.0, report.line)
        for disk, values in report.disks.items():
            if disk in self.disks or len(self.disks) < DISKS:
                self._add_disk(disk, values, report.line)

    def _add_disk(self, disk: str, values: dict[str, float], line: int | None) -> None:
        reads = self.disks.setdefault(disk, _Reads())
        for measurement, value in values.items():
            self.series.add(disk, measurement, value, line)
        iops = values.get("disk_read_iops", 0.0)
        if "disk_read_await" in values and "disk_read_rate" in values:
            reads.count += iops
            reads.waited += iops * values["disk_read_await"]
            reads.moved += values["disk_read_rate"] if iops else 0.0

    def observations(self, cores: int | None, tell: Teller) -> Iterator[Observation]:
        """Yield the means over all reports but those since boot."""
        if cores is not None:
            yield tell.observe("host_cores", Interval.point(cores), detail="banner")
        for measurement in ("cpu_utilization", "cpu_iowait_share", "cpu_steal_share"):
            yield from self.series.said(tell, (), "", measurement, measurement)
        for disk in whole_disks(self.disks):
            yield from self._disk(disk, tell)

    def _disk(self, disk: str, tell: Teller) -> Iterator[Observation]:
        scope, reads = (("disk", disk),), self.disks[disk]
        for measurement in MEASUREMENTS:
            if measurement != "disk_read_await":
                yield from self.series.said(tell, scope, disk, measurement, measurement)
        if reads.count:  # without a read there is no wait of reads, whatever the column prints
            line, detail = self.series.line(disk, "disk_read_iops"), "mean over all reads of the intervals"
            yield checked(tell, "disk_read_await", reads.waited / reads.count, scope, line, detail)
            size = reads.moved / reads.count
            yield checked(tell, "disk_read_request_size", size, scope, line, "bytes read over reads")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        """Yield what keeps the reports from saying anything."""
        if not self.reports:
            yield tell.warn("no-samples", "no complete report in it", hint="run 'iostat -x 1 30' during the job")
        elif not self.used:
            text = "the only report covers the time since boot and says nothing of the job"
            yield tell.warn("since-boot-only", text, hint="run 'iostat -x 1 30' during the job")


@dataclasses.dataclass(slots=True)
class _Reads:
    """Sums over the intervals of one disk, each weighted by its seconds, which are alike."""

    count: float = 0.0
    waited: float = 0.0
    moved: float = 0.0


def whole_disks(names: Iterable[str]) -> list[str]:
    """Return the disks among device names, in order: each request is counted once.

    >>> whole_disks(["sda", "sda1", "dm-0", "nvme0n1p2", "nvme0n1"])
    ['nvme0n1', 'sda']
    >>> whole_disks(["dm-0", "sdb1"])
    ['dm-0', 'sdb1']
    """
    every = set(names) - _TOTALS
    real = {name for name in every if not _on_a_disk(name, every) and not _LAYERED.match(name)}
    return sorted(real if any(not _PARTITION.match(name) for name in real) else every)


def _on_a_disk(name: str, every: set[str]) -> bool:
    found = _PARTITION.match(name)
    return found is not None and found["disk"] in every
