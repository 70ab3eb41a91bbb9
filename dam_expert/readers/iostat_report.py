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
    from collections.abc import Iterable, Iterator, Sequence

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


def observations(reports: Sequence[Report], cores: int | None, tell: Teller) -> Iterator[Observation]:
    """Yield the means over all reports but those since boot."""
    if cores is not None:
        yield tell.observe("host_cores", Interval.point(cores), detail="banner")
    used = [report for report in reports if not report.since_boot]
    series = Series()
    for report in used:
        if "idle" in report.cpu:
            busy = 100.0 - report.cpu["idle"] - report.cpu.get("iowait", 0.0)
            series.add("", "cpu_utilization", max(busy, 0.0) / 100.0, report.line)
        for name, measurement in (("iowait", "cpu_iowait_share"), ("steal", "cpu_steal_share")):
            value = report.cpu.get(name)
            series.add("", measurement, None if value is None else value / 100.0, report.line)
    for measurement in ("cpu_utilization", "cpu_iowait_share", "cpu_steal_share"):
        yield from series.said(tell, (), "", measurement, measurement)
    for disk in whole_disks(name for report in used for name in report.disks):
        yield from _disk(disk, used, tell)


def _disk(disk: str, reports: Iterable[Report], tell: Teller) -> Iterator[Observation]:
    series, scope = Series(), (("disk", disk),)
    reads = waited = moved = 0.0
    for report in reports:
        values = report.disks.get(disk, {})
        for measurement, value in values.items():
            series.add(disk, measurement, value, report.line)
        iops = values.get("disk_read_iops", 0.0)
        if "disk_read_await" in values and "disk_read_rate" in values:
            reads, waited = reads + iops, waited + iops * values["disk_read_await"]
            moved += values["disk_read_rate"] if iops else 0.0
    for measurement in MEASUREMENTS:
        if measurement != "disk_read_await":
            yield from series.said(tell, scope, disk, measurement, measurement)
    if reads:  # without a read there is no wait of reads, whatever the column prints
        line, detail = series.line(disk, "disk_read_iops"), "mean over all reads of the intervals"
        yield checked(tell, "disk_read_await", waited / reads, scope, line, detail)
        yield checked(tell, "disk_read_request_size", moved / reads, scope, line, "bytes read over reads")


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


def complaints(reports: Sequence[Report], tell: Teller) -> Iterator[Message]:
    """Yield what keeps the reports from saying anything."""
    if not reports:
        yield tell.warn("no-samples", "no complete report in it", hint="run 'iostat -x 1 30' during the job")
    elif all(report.since_boot for report in reports):
        text = "the only report covers the time since boot and says nothing of the job"
        yield tell.warn("since-boot-only", text, hint="run 'iostat -x 1 30' during the job")
