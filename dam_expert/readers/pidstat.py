r"""``pidstat`` in all its forms: what each process uses, several tables per interval or (``-h``) one line each.

A task that did nothing in an interval is not listed, so rates are summed over the rows and divided by the number of
intervals. ``%CPU`` counts cores: 250 means two and a half; with ``-I`` it is divided by the processors of the host and
its parts are not, so that the larger counts. With ``-t`` the rows of threads tell only which thread is
the busiest. A single report, printed without an interval, covers the life of the processes and is not used.

>>> from dam_expert.readers.source import Source
>>> raw = b'''16:55:35 UID  PID  %usr %system %guest  %wait  %CPU CPU Command
... 16:55:36   0   42 69,61    2,94   0,00  27,45 150,0   0 python3
... 16:55:36 UID  PID  %usr %system %guest  %wait  %CPU CPU Command
... 16:55:37   0   42 40,00   10,00   0,00  32,00  50,0   1 python3'''
>>> reading = PidstatReader().read(Source.of_bytes("pidstat.txt", raw))
>>> [(found.measurement, found.scope, found.value.lo) for found in reading.observations]
[('process_cpu_cores', (('process', '42'),), 1.0), ('process_run_wait_share', (('process', '42'),), 0.29725)]
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.processes import Processes
from dam_expert.readers.sysstat_rows import AVERAGE, BANNER, Header, cell, stamped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^(?:#\s*)?.{0,40}?\b(?:PID|TGID)\s+.*\bCommand$")
_HINT = "run 'pidstat -urd -h 1 30' during the job"
_PERCENT, _KIB = 0.01, 1024.0
_UNEVEN = 2.0
"""Ticks of a thread may be counted to the interval after: up to twice what fits into one."""
_RATES = {
    "%CPU": ("process_cpu_cores", _PERCENT),
    "kB_rd/s": ("process_read_rate", _KIB),
    "kB_wr/s": ("process_write_rate", _KIB),
    "majflt/s": ("process_major_fault_rate", 1.0),
}
_LEVELS = {"%wait": ("process_run_wait_share", _PERCENT), "RSS": ("process_memory", _KIB)}


@dataclasses.dataclass(frozen=True, slots=True)
class PidstatReader:
    """Reads ``pidstat`` with any choice of ``-u -d -r -w -t -h -H -l -T``."""

    tool: str = "pidstat"
    title: str = "pidstat"
    versions: str = "sysstat 10 to 12.7, every locale"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads a table of processes that ends with their command."""
        return any_line(source, _HEADER)

    def read(self, source: Source) -> Reading:
        """Return what the processes that use most use, as means over the intervals."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines. A table is known by its columns; its intervals are the times of its rows."""

    used: Processes = dataclasses.field(default_factory=Processes)
    averages: Processes = dataclasses.field(default_factory=Processes)
    threads: dict[str, float] = dataclasses.field(default_factory=dict)
    header: Header = dataclasses.field(default_factory=Header)
    times: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    cores: int | None = None
    since_start: int = 0
    impossible: int | None = None
    """The first line that says more processor time than there is."""

    def take(self, line: int, text: str) -> bool:
        if banner := BANNER.match(text):
            self.cores = int(banner[1])
            return True
        stamp, rest = stamped(text)
        if _HEADER.match(text):
            self.header = Header(stamp, rest.split())
            return True
        if not self.header.columns:
            return True  # a prompt or prose before the table
        row = self.header.row(rest)
        process = (row or {}).get("PID") or (row or {}).get("TGID", "")
        if row is None or not stamp or not re.fullmatch(r"\d{1,10}|-", process):
            return False
        if stamp == AVERAGE:
            self._add(self.averages, "average", process, row, line)
        elif stamp == self.header.stamp:
            self.since_start += 1
        else:
            self._add(self.used, stamp, process, row, line)
        return True

    def _add(self, processes: Processes, moment: str, process: str, row: dict[str, str], line: int) -> None:
        for column, (measurement, factor) in {**_RATES, **_LEVELS}.items():
            if column not in row:
                continue
            value = _cores(row) if column == "%CPU" else cell(row, column)
            if processes is self.used:
                self.times.setdefault(measurement, set()).add(moment)
            if value is None:
                continue
            if column == "%CPU" and value > _most(self.cores, thread=process == "-"):
                self.impossible = self.impossible or line
                continue
            if process == "-":
                if column == "%CPU":
                    thread = row.get("TID", "")
                    self.threads[thread] = self.threads.get(thread, 0.0) + value * factor
                continue
            processes.add(process, row.get("Command", ""), measurement, value * factor, line)

    @property
    def _single(self) -> bool:
        """Whether one line per process was asked for and only one report is there: it may cover their whole life."""
        return self.header.stamp == "Time" and max((len(times) for times in self.times.values()), default=0) < 2

    def observations(self, tell: Teller) -> Iterator[Observation]:
        yield from said(tell, "host_cores", self.cores, "banner")
        if self.used.empty:
            yield from self.averages.observations(tell, {name: 1 for name, _ in _RATES.values()})
        elif not self._single:
            intervals = {name: len(self.times.get(name, ())) for name, _ in _RATES.values()}
            yield from self.used.observations(tell, intervals)
            count = intervals["process_cpu_cores"]
            if self.threads and count:
                thread = max(self.threads, key=lambda name: self.threads[name])
                detail = f"thread {thread[:10]}, mean of {count} intervals"
                yield from said(tell, "busiest_thread_utilization", self.threads[thread] / count, detail)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.impossible is not None:
            text = "rows that say more processor time than there is are left out"
            yield tell.warn("impossible-value", text, hint="look at the first of them", line=self.impossible)
        if not self.used.empty and not self._single:
            return
        if self.since_start or (self._single and not self.used.empty):
            text = "a single report covers the life of the processes and says nothing of the job as it runs"
            yield tell.warn("since-boot-only", text, hint=_HINT)
        elif self.averages.empty:
            yield tell.warn("no-samples", "no row with known values in it", hint=_HINT)


def _most(cores: int | None, *, thread: bool) -> float:
    """Return the most percent of one processor that a thread or a process can use, uneven sampling included.

    >>> _most(8, thread=True), _most(8, thread=False), _most(None, thread=False)
    (200.0, 1600.0, inf)
    """
    if thread:
        return _UNEVEN * 100.0
    return math.inf if cores is None else _UNEVEN * 100.0 * cores


def _cores(row: dict[str, str]) -> float | None:
    """Return the percent of one processor that a row says are used; None where their sum is unknown.

    >>> _cores({"%usr": "150.00", "%system": "50.00", "%guest": "0.00", "%CPU": "25.00"}), _cores({"%CPU": "-1.00"})
    (200.0, None)
    """
    whole = cell(row, "%CPU")
    parts = [value for name in ("%usr", "%system", "%guest") if (value := cell(row, name)) is not None]
    return None if whole is None else max(whole, sum(parts))
