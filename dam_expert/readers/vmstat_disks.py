r"""``vmstat -d``: what each disk did since boot. Only the difference of two of its reports says something of the job.

The columns of reads are requests, merged requests, sectors of 512 bytes and milliseconds waited. How long two reports
are apart is not printed: there are no rates, but the mean wait and the mean size of a read do not need it.

>>> from dam_expert.readers.source import Source
>>> head = "disk- ------------reads------------ ------------writes----------- -----IO------"
>>> rows = ["sda 100 5 1600 300 0 0 0 0 0 1", "sda 150 5 9600 800 0 0 0 0 0 2"]
>>> reading = VmstatDisksReader().read(Source.of_bytes("disks.txt", "\n".join([head, *rows]).encode()))
>>> [(found.measurement, found.scope, found.value.lo) for found in reading.observations]
[('disk_read_await', (('disk', 'sda'),), 0.01), ('disk_read_request_size', (('disk', 'sda'),), 81920.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.iostat_report import DISKS, whole_disks
from dam_expert.readers.lines import any_line, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_RULE = re.compile(r"^disk- -+reads-+ -+writes-+ -+IO-+")
_NAMES = re.compile(r"^total\s+merged\s+sectors\s+ms\b")
_ROW = re.compile(r"^([A-Za-z][\w!.-]{0,60})((?:\s+\d{1,18}){10})(?:\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?$")
_SECTOR = 512.0


@dataclasses.dataclass(frozen=True, slots=True)
class _Reads:
    """Counters of one disk: requests, sectors and milliseconds since boot, with their line."""

    requests: int
    sectors: int
    waited: int
    line: int


@dataclasses.dataclass(frozen=True, slots=True)
class VmstatDisksReader:
    """Reads ``vmstat -d`` (also ``-w``, ``-t``), once or with an interval."""

    tool: str = "vmstat"
    title: str = "vmstat -d"
    versions: str = "procps 3.3 and 4"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads the columns of disks."""
        return any_line(source, _RULE)

    def read(self, source: Source) -> Reading:
        """Return wait and size of the reads between the first and the last report."""
        return read_lines(source, self.tool, _Counters())


@dataclasses.dataclass(slots=True)
class _Counters:
    """The first and the last counters of each disk; a disk whose counters fell is one of another host or boot."""

    first: dict[str, _Reads] = dataclasses.field(default_factory=dict)
    last: dict[str, _Reads] = dataclasses.field(default_factory=dict)
    fallen: dict[str, int] = dataclasses.field(default_factory=dict)
    """The line at which the counters of a disk fell."""

    def take(self, line: int, text: str) -> bool:
        if _RULE.match(text) or _NAMES.match(text):
            return True
        if (row := _ROW.match(text)) is None:
            return not self.first  # prose before the table
        name, cells = row[1], [int(cell) for cell in row[2].split()]
        if name not in self.first and len(self.first) >= DISKS:
            return False
        found = _Reads(cells[0], cells[2], cells[3], line)
        before = self.last.get(name, found)
        if any(now < then for now, then in zip(_of(found), _of(before), strict=True)):
            self.fallen.setdefault(name, line)
        self.first.setdefault(name, found)
        self.last[name] = found
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for disk in whole_disks(self.first):
            first, last = self.first[disk], self.last[disk]
            requests = last.requests - first.requests
            if requests <= 0 or disk in self.fallen:
                continue
            scope, line, detail = (("disk", disk),), last.line, "all reads from the first report to the last"
            waited, size = last.waited - first.waited, (last.sectors - first.sectors) * _SECTOR
            wait = waited / 1000.0 / requests
            yield from said(tell, "disk_read_await", wait, detail, line=line, scope=scope, samples=requests)
            yield from said(tell, "disk_read_request_size", size / requests, detail, line=line, scope=scope)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        hint = "run 'iostat -x 1 30' during the job"
        if not self.first:
            yield tell.warn("no-samples", "no row in it", hint=hint)
        elif self.fallen:
            text = "counters fell: these are the reports of several hosts, or of before and after a start"
            yield tell.warn("counters-fell", text, hint=hint, line=min(self.fallen.values()))
        elif all(self.first[disk] is self.last[disk] for disk in self.first):
            text = "the only report covers the time since boot and says nothing of the job"
            yield tell.warn("since-boot-only", text, hint=hint)
        elif all(self.first[disk].requests == self.last[disk].requests for disk in self.first):
            yield tell.note("no-reads", "no disk read anything between its reports", hint=hint)


def _of(reads: _Reads) -> tuple[int, int, int]:
    return reads.requests, reads.sectors, reads.waited
