r"""``pidstat -o JSON``: the same reports with keys for columns, complete or cut off by Ctrl-C.

The tool does not escape the command of a process, so a quotation mark in it breaks the JSON; commands are quoted anew
before it is decoded. ``cpu`` is divided by the processors where ``-I`` was given and nothing says so: the cores that a
process uses are the sum of its parts.

>>> from dam_expert.readers.source import Source
>>> load = '{"PID": "%d", "usr": %s, "system": 10.0, "guest": 0.0, "wait": 5.0, "cpu": 40.0, "cmd": "python3 -c "a""}'
>>> report = '{"timestamp": "10:00:0%d", "task-cpu-load": [\n' + load + '\n]}'
>>> raw = '{"sysstat": {"hosts": [{"number-of-cpus": 4, "statistics": ['
>>> raw += report % (1, 7, 150.0) + ", " + report % (2, 7, 50.0) + "]}]}}"
>>> reading = PidstatJsonReader().read(Source.of_bytes("pidstat.json", raw.encode()))
>>> [(found.measurement, found.scope, found.value.lo) for found in reading.observations][:2]
[('host_cores', (), 4.0), ('process_cpu_cores', (('process', '7'),), 1.1)]
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import known
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.json_text import whole
from dam_expert.readers.lines import said
from dam_expert.readers.processes import Processes
from dam_expert.readers.sysstat_json import ends_early, processors, statistics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_HEAD = re.compile(r'"(?:task-cpu-load|child-cpu-load|task-memory|io|context-switch|stack|kernel|realtime)"\s*:\s*\[')
_MARK, _LEADER, _AFTER = '"cmd": "', '"leader": "', '", '
_NUMBER = re.compile(r"^\d{1,10}$")
_HINT = "run 'pidstat -urd -o JSON 1 30' during the job"
_PERCENT, _KIB = 0.01, 1024.0
_PARTS = ("usr", "system", "guest")
_FIELDS = {
    "task-cpu-load": {"wait": ("process_run_wait_share", _PERCENT)},
    "task-memory": {"majflt/s": ("process_major_fault_rate", 1.0), "RSS": ("process_memory", _KIB)},
    "io": {"kB_rd/s": ("process_read_rate", _KIB), "kB_wr/s": ("process_write_rate", _KIB)},
}
_RATES = {
    "process_cpu_cores": "task-cpu-load",
    "process_major_fault_rate": "task-memory",
    "process_read_rate": "io",
    "process_write_rate": "io",
}


@dataclasses.dataclass(frozen=True, slots=True)
class PidstatJsonReader:
    """Reads the JSON of ``pidstat`` with any choice of ``-u -d -r -t -l``."""

    tool: str = "pidstat"
    title: str = "pidstat JSON"
    versions: str = "sysstat 12.7.7 to 12.7.9"

    def recognises(self, source: Source) -> bool:
        """Whether the head is sysstat JSON with what single processes do."""
        head = source.head
        return '"sysstat"' in head and bool(_HEAD.search(head)) and '"cpu-load"' not in head

    def read(self, source: Source) -> Reading:
        """Return what the processes that use most use, as means over the reports; a single one is not used."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = whole(source, tell)
        text = "\n".join(_mended(line) for line in text.split("\n"))
        tasks, count = _Tasks(), 0
        for reports, complete in statistics(text):
            count += len(reports)
            if not complete and not messages:
                messages.append(ends_early(tell, len(reports)))
            for report in reports if len(reports) > 1 else []:
                tasks.add(report)
        if count < 2:
            text_of = "a single report may cover the life of the processes and says nothing of the job as it runs"
            code, told = ("since-boot-only", text_of) if count else ("no-samples", "no complete report in it")
            messages.append(tell.warn(code, told, hint=_HINT))
        elif tasks.used.empty:
            messages.append(tell.warn("no-samples", "no process with known values in it", hint=_HINT))
        observations = [
            *said(tell, "host_cores", processors(text) or None, "banner"),
            *tasks.observations(tell),
        ]
        return tell.reading(observations=tuple(observations), messages=tuple(messages), lines_read=count)


def _mended(line: str) -> str:
    r"""Return a row as JSON has it; one that is sound stays as it is.

    >>> _mended('{"PID": "7", "cmd": "sh -c "a""},'), _mended('"cmd": "a"')
    ('{"PID": "7", "cmd": "sh -c \\"a\\""},', '"cmd": "a"')
    """
    row, comma = (line[:-1], ",") if line.endswith(",") else (line, "")
    before, mark, command = row.partition(_MARK)
    if not mark or not row.startswith("{") or not row.endswith('"}'):
        return line
    try:
        json.loads(row)
    except RecursionError:
        return line
    except ValueError:
        start, leads, leader = before.partition(_LEADER)
        if leads:
            before = f"{start}{_LEADER[:-1]}{json.dumps(leader.removesuffix(_AFTER))}, "
        return f"{before}{_MARK[:-1]}{json.dumps(command[:-2])}}}{comma}"
    return line


@dataclasses.dataclass(slots=True)
class _Tasks:
    """Samples of processes and threads, and how many reports have each kind of statistics, rows or none."""

    used: Processes = dataclasses.field(default_factory=Processes)
    threads: dict[str, float] = dataclasses.field(default_factory=dict)
    reports: dict[str, int] = dataclasses.field(default_factory=dict)

    def add(self, report: object) -> None:
        """Add one report; what has another shape than pidstat writes is unknown."""
        for kind in _FIELDS if isinstance(report, dict) else ():
            rows = report.get(kind) if isinstance(report, dict) else None
            if isinstance(rows, list):
                self.reports[kind] = self.reports.get(kind, 0) + 1
                for row in rows:
                    if isinstance(row, dict):
                        self._add(kind, row)

    def _add(self, kind: str, row: dict[str, object]) -> None:
        process, thread = row.get("PID", row.get("TGID")), row.get("TID")
        cores = _cores(row) if kind == "task-cpu-load" else None
        if isinstance(thread, str) and _NUMBER.match(thread):
            if cores is not None:
                self.threads[thread] = self.threads.get(thread, 0.0) + cores
            return
        if not isinstance(process, str) or not _NUMBER.match(process):
            return
        command = row.get("cmd")
        values = {measure: (known(row.get(name)), scale) for name, (measure, scale) in _FIELDS[kind].items()}
        for measurement, (value, scale) in {"process_cpu_cores": (cores, 1.0), **values}.items():
            if value is not None and value >= 0.0:  # -1 is pidstat's word for what it may not read
                self.used.add(process, command if isinstance(command, str) else "", measurement, value * scale, None)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield what the processes use that use most, and how busy the busiest thread is."""
        intervals = {measurement: self.reports.get(kind, 0) for measurement, kind in _RATES.items()}
        yield from self.used.observations(tell, intervals)
        count = intervals["process_cpu_cores"]
        if self.threads and count:
            thread = max(self.threads, key=lambda name: self.threads[name])
            detail = f"thread {thread}, mean of {count} intervals"
            yield from said(tell, "busiest_thread_utilization", self.threads[thread] / count, detail, samples=count)


def _cores(row: dict[str, object]) -> float | None:
    """Return the cores that a row says are used; None where a part of them is unknown."""
    parts = [known(row.get(part)) for part in _PARTS]
    if any(part is None or part < 0.0 for part in parts):
        return None
    return sum(part for part in parts if part is not None) * _PERCENT
