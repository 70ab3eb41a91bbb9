r"""``mpstat`` and ``sar -u``: how the processors spend their time, all together and each.

One core at its limit while the mean is low is the mark of a single busy thread; the mean alone hides it.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Linux 6.1 (host) 11/29/26 _x86_64_ (2 CPU)
... 16:55:53     CPU    %usr  %sys %iowait  %soft  %steal   %idle
... 16:55:54     all   50,00  1,00    0,00   0,00    0,00   49,00
... 16:55:54       0   99,00  1,00    0,00   0,00    0,00    0,00
... 16:55:54       1    1,00  1,00    0,00   0,00    0,00   98,00'''
>>> reading = MpstatReader().read(Source.of_bytes("mpstat.txt", raw))
>>> found = {each.measurement: each.value.lo for each in reading.observations}
>>> found["cpu_utilization"], found["busiest_core_utilization"], found["host_cores"]
(0.51, 1.0, 2.0)
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.series import Series
from dam_expert.readers.sysstat_rows import AVERAGE, BANNER, Header, cell, stamped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^.{0,24}?\bCPU(?:\s+(?:CORE|SOCK|NODE)){0,3}\s+%(?:usr|user)\b.*%idle\b")
_NO_CPU = re.compile(r"^.{0,24}?\b(?:NODE\s+%usr\b|CPU\s+intr/s$)")
_OTHER = re.compile(r"^.{0,24}?\b(?:CPU|NODE|INTR|RESTART)\b")
_NUMBER = re.compile(r"^-?[\d.,]+%?$|^nan$")
_PLACES = ("CORE", "SOCK", "NODE")
"""Where a processor is (``mpstat -T``); the row of all of them has these cells empty."""
_SHARES = ("cpu_utilization", "cpu_system_share", "cpu_iowait_share", "cpu_steal_share")


@dataclasses.dataclass(frozen=True, slots=True)
class MpstatReader:
    """Reads the text of ``mpstat`` with or without ``-P ALL``, and the processor table of ``sar``."""

    tool: str = "mpstat"
    title: str = "mpstat text"
    versions: str = "sysstat 10 to 12.7, every locale"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads the processor table."""
        return any_line(source, _HEADER) or any_line(source, _NO_CPU)

    def read(self, source: Source) -> Reading:
        """Return the means over all reports but one since boot."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class Processors:
    """Samples by processor (``all`` or its number); shared by text and JSON."""

    series: Series = dataclasses.field(default_factory=Series)
    cores: int | None = None

    def add(self, owner: str, row: dict[str, str], line: int | None) -> bool:
        """Add one row of percentages; False where it says nothing."""
        idle, waiting = cell(row, "%idle", "idle"), cell(row, "%iowait", "iowait")
        if idle is None:
            return False
        parts = [cell(row, name, name.lstrip("%")) for name in ("%sys", "%system", "%irq", "%soft")]
        system = [part for part in parts if part is not None]
        steal = cell(row, "%steal", "steal")
        values = {
            "cpu_utilization": max(100.0 - idle - (waiting or 0.0), 0.0),
            "cpu_system_share": sum(system) if system else None,
            "cpu_iowait_share": waiting,
            "cpu_steal_share": steal,
        }
        for measurement, value in values.items():
            self.series.add(owner, measurement, None if value is None else round(value / 100.0, 6), line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield the shares of all processors, and the busiest one."""
        for measurement in _SHARES:
            yield from self.series.said(tell, (), "all", measurement, measurement)
        owners = dict.fromkeys(owner for owner, _ in self.series.pairs() if owner != "all")
        means = {owner: mean for owner in owners if (mean := self.series.mean(owner, "cpu_utilization")) is not None}
        if len(means) > 1:
            busiest = max(means, key=lambda owner: means[owner])
            line = self.series.line(busiest, "cpu_utilization")
            yield from said(tell, "busiest_core_utilization", means[busiest], f"mean of core {busiest}", line=line)
        yield from said(tell, "host_cores", self.cores, "banner")

    @property
    def empty(self) -> bool:
        """Whether there is no sample."""
        return not self.series.pairs()


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines. Averages are used only where no interval is shown."""

    used: Processors = dataclasses.field(default_factory=Processors)
    averages: Processors = dataclasses.field(default_factory=Processors)
    header: Header = dataclasses.field(default_factory=Header)
    since_boot: int = 0

    def take(self, line: int, text: str) -> bool:
        if banner := BANNER.match(text):
            self.used.cores = self.averages.cores = int(banner[1])
            return True
        stamp, rest = stamped(text)
        if _HEADER.match(text):
            self.header = Header(stamp, rest.split())
            return True
        if _OTHER.match(text):
            self.header = Header()
            return True
        if not self.header.columns:
            return True  # interrupt tables and other tables of sar
        if not any(_NUMBER.match(each) for each in rest.split()):
            self.header = Header()  # another table of sar
            return True
        columns = self.header.columns
        if rest.startswith("all ") and len(rest.split()) < len(columns):
            columns = [name for name in columns if name not in _PLACES]
        row = Header(columns=columns).row(rest)
        owner = (row or {}).get("CPU", "")
        if row is None or not re.fullmatch(r"all|\d{1,5}", owner):
            return False
        if stamp == AVERAGE:
            return self.averages.add(owner, row, line)
        if stamp == self.header.stamp and stamp:
            self.since_boot += 1
            return True
        return self.used.add(owner, row, line)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        yield from (self.averages if self.used.empty else self.used).observations(tell)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.used.empty or not self.averages.empty:
            return
        if self.since_boot:
            text = "the only report covers the time since boot and says nothing of the job"
            yield tell.warn("since-boot-only", text, hint="run 'mpstat -P ALL 1 30' during the job")
        else:
            yield tell.warn("no-samples", "no complete report in it", hint="run 'mpstat -P ALL 1 30' during the job")
