r"""``top -b``: load, processors, memory and processes per frame, in every unit and language.

With several frames the first is left out: it covers the time since boot or a very short time. A list that is cut
short says nothing of how many processes wait.

>>> from dam_expert.readers.source import Source
>>> raw = b'''top - 16:56:11 up 13 min,  0 user,  load average: 3,99, 1,95, 0,91
... Tasks:   1 total,   1 running,   0 sleeping,   0 stopped,   0 zombie
... %CPU(s): 75,0 us, 12,5 sy,  0,0 ni,  0,0 id,  2,5 wa,  0,0 hi, 10,0 si,  0,0 st
... MiB Spch:  24105,6 total,  20601,7 free,    553,0 used,   3258,0 buff/cache
...   PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     ZEIT+ BEFEHL
... 16202 root      20   0   66360   1,5g  11784 R 150,0   0,2   0:03.42 python'''
>>> reading = TopReader().read(Source.of_bytes("top.txt", raw))
>>> found = {each.measurement: each.value.lo for each in reading.observations}
>>> found["load_average"], found["cpu_utilization"], found["process_cpu_cores"], found["process_memory"]
(3.99, 0.975, 1.5, 1610612736.0)
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import any_line, read_lines
from dam_expert.readers.processes import Processes
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_FRAME = re.compile(r"^top - .*load average:\s*(\d{1,6}[.,]\d\d)")
_TASKS = re.compile(r"^[^\W\d%]{2,20}\s?:\s*(\d{1,7}) \D{2,30},\s*(\d{1,7}) \D{2,30},\s*\d{1,7} ")
_ALL = re.compile(r"^%?C[Pp][Uu]\(s\)\s*:")
_ONE = re.compile(r"^%?C[Pp][Uu]\s?\d{1,5}\s*:")
_PART = re.compile(r"(\d{1,3}(?:[.,]\d{1,2})?)\s*%?\s*(us|sy|ni|id|wa|hi|si|st)\b")
_EIGHT = re.compile(r"^%?[^\W\d_]\S{0,9}?(?P<core>\d{1,5})?\s*:(?=(?:\s*\d{1,3}[.,]\d\s+[^\s\d.,]{1,3},?){8}\s*$)")
"""A line of processors in any language: what it tells and in which order has not changed."""
_VALUE = re.compile(r"(\d{1,3}[.,]\d)\s+[^\s\d.,]{1,3}")
_TAGS = ("us", "sy", "ni", "id", "wa", "hi", "si", "st")
_MEMORY = re.compile(r"^([KMGT\u041a\u041c\u0413\u0422])(?:i?B|io|[\u0456\u0438]\u0411)\s+(\S.{0,20}?)\s*:")
_AMOUNT = re.compile(r"(\d{1,15}(?:[.,]\d{1,2})?)\s*([^\W\d]{2,12})")
_KINDS = {
    "total": ("total", "razem", "\ucd1d\uacc4", "\u0437\u0430\u0433\u0430\u043b"),
    "used": ("used", "util", "anv", "u\u017cyte", "\uc0ac\uc6a9", "\u0432\u0438\u043a"),
    "avail": ("avail", "dispo", "dost", "tillg", "\uac00\uc6a9", "\u0434\u043e\u0441\u0442"),
}
"""How the translations of procps begin the words for whole, used and available memory."""
_HEADER = re.compile(r"^\S+\s+\S+\s+PRI?\s+NI\b.*%CPU\b")
_USUAL = ("PID", "USER", "PR", "NI", "VIRT", "RES", "SHR", "S", "%CPU", "%MEM", "TIME+", "COMMAND")
_SIZE = re.compile(r"^(\d{1,15}(?:[.,]\d{1,3})?)([mgtp]?)$")
_BYTES = dict(zip("KMGT\u041a\u041c\u0413\u0422", (2.0**10, 2.0**20, 2.0**30, 2.0**40) * 2, strict=True))
_SUFFIX = {"": 2.0**10, "m": 2.0**20, "g": 2.0**30, "t": 2.0**40, "p": 2.0**50}
_ORDER = (
    "cpu_utilization", "cpu_system_share", "cpu_iowait_share", "cpu_steal_share", "busiest_core_utilization",
    "load_average", "runnable_processes", "blocked_processes",
    "host_memory_total", "host_memory_available", "swap_used",
)  # fmt: skip


@dataclasses.dataclass(slots=True)
class _Frame:
    """One frame: values under their measurements, and the rows of processes."""

    line: int
    values: dict[str, float] = dataclasses.field(default_factory=dict)
    rows: list[tuple[int, dict[str, str]]] = dataclasses.field(default_factory=list)
    tasks: int | None = None
    cores: list[float] = dataclasses.field(default_factory=list)
    """How busy each core is, where the frame shows the cores singly."""


_STATES = frozenset("RSDTtZIWXxKP")
"""What a process may be doing (proc(5))."""


@dataclasses.dataclass(frozen=True, slots=True)
class TopReader:
    """Reads what ``top -b`` prints, or a screen of ``top`` that was copied."""

    tool: str = "top"
    title: str = "top -b"
    versions: str = "procps 3.3 and 4, every locale"

    def recognises(self, source: Source) -> bool:
        """Whether a line begins a frame."""
        return any_line(source, _FRAME)

    def read(self, source: Source) -> Reading:
        """Return the means over the frames but the first, or of the only one."""
        return read_lines(source, self.tool, _Frames())


@dataclasses.dataclass(slots=True)
class _Frames:
    """The state between lines. Only the sums over finished frames are kept."""

    series: Series = dataclasses.field(default_factory=Series)
    processes: Processes = dataclasses.field(default_factory=Processes)
    frame: _Frame | None = None
    columns: list[str] = dataclasses.field(default_factory=list)
    finished: int = 0

    def take(self, line: int, text: str) -> bool:
        if begin := _FRAME.match(text):
            self._finish()
            self.frame, self.columns = _Frame(line), []
            self.frame.values["load_average"] = number(begin[1], decimal_comma=True) or 0.0
        elif self.frame is None:
            return True  # a prompt or prose before the first frame
        elif tasks := _TASKS.match(text):
            self.frame.tasks = int(tasks[1])
            self.frame.values["runnable_processes"] = float(tasks[2])
        elif _ALL.match(text) or _ONE.match(text) or _EIGHT.match(text):
            return _processors(self.frame, text)
        elif memory := _MEMORY.match(text):
            _memory(self.frame, memory, text)
        elif _HEADER.match(text):
            self.columns = _columns(text.split())
        elif self.columns:
            cells = text.split(None, len(self.columns) - 1)
            if len(cells) != len(self.columns) or not cells[0].isdecimal():
                return False
            row = dict(zip(self.columns, cells, strict=True))
            if "PID" not in row or row.get("S", "S") not in _STATES:
                return False  # nobody's; or a cell with a blank in it shifts all that stand behind
            self.frame.rows.append((line, row))
        return True

    def _finish(self) -> None:
        """Add the frame that ends; what the first frame said goes as soon as there is a second."""
        frame, self.frame = self.frame, None
        if frame is None:
            return
        self.finished += 1
        if self.finished == 2:
            self.series, self.processes = Series(), Processes()
        if frame.tasks is not None and frame.tasks <= len(frame.rows):
            frame.values["blocked_processes"] = float(sum(row.get("S") == "D" for _, row in frame.rows))
        if frame.cores:
            frame.values["busiest_core_utilization"] = max(frame.cores)
        for measurement, value in frame.values.items():
            self.series.add("", measurement, value, frame.line)
        for line, row in frame.rows:
            cores, size = number(row.get("%CPU", ""), decimal_comma=True), _SIZE.match(row.get("RES", ""))
            command = row[self.columns[-1]] if self.columns and self.columns[-1] in row else ""
            if cores is not None:
                self.processes.add(row["PID"], command, "process_cpu_cores", cores / 100.0, line)
            if size is not None:
                memory = (number(size[1], decimal_comma=True) or 0.0) * _SUFFIX[size[2]]
                self.processes.add(row["PID"], command, "process_memory", memory, line)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        self._finish()
        for measurement in _ORDER:
            yield from self.series.said(tell, (), "", measurement, measurement)
        total, free = self.series.mean("", "host_memory_total"), self.series.mean("", "host_memory_available")
        if total and free is not None:
            yield tell.observe("host_memory_available_share", Interval.point(free / total), detail="available of total")
        intervals = max(self.finished - 1, 1)
        yield from self.processes.observations(tell, {"process_cpu_cores": intervals})

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.finished == 0:
            hint = "for use over time: pidstat -urd -h 1 30"
            yield tell.note("one-instant", "it shows one frame", hint=hint)


def _columns(names: list[str]) -> list[str]:
    """Return the names of the usual columns, which are translated; other choices of columns are taken as printed.

    >>> _columns("PID U\u017bYTK. PR NI WIRT REZ WSP S %CPU %PAM CZAS+ KOMENDA".split())[5]
    'RES'
    """
    if len(names) == len(_USUAL) and names[8] == "%CPU":
        return list(_USUAL)
    if len(names) == len(_USUAL) - 1 and names[7] == "%CPU":  # in Chinese the state has no name
        return list(_USUAL)
    return names


def _processors(frame: _Frame, text: str) -> bool:
    eight = _EIGHT.match(text)
    pairs = zip(_VALUE.findall(text[eight.end() :]), _TAGS, strict=True) if eight else _PART.findall(text)
    parts = {name: number(value, decimal_comma=True) or 0.0 for value, name in pairs}
    if "id" not in parts:
        return False
    busy = max(100.0 - parts["id"] - parts.get("wa", 0.0), 0.0) / 100.0
    if eight["core"] if eight else _ONE.match(text):
        frame.cores.append(busy)
        return True
    frame.values["cpu_utilization"] = busy
    frame.values["cpu_system_share"] = sum(parts.get(name, 0.0) for name in ("sy", "hi", "si")) / 100.0
    for name, measurement in (("wa", "cpu_iowait_share"), ("st", "cpu_steal_share")):
        if name in parts:
            frame.values[measurement] = parts[name] / 100.0
    return True


def _memory(frame: _Frame, found: re.Match[str], text: str) -> None:
    """Take a line of memory. The first of a frame is of main memory, the second of swap, whatever they are called."""
    factor = _BYTES[found[1]]
    pairs = ((name, number(value, decimal_comma=True)) for value, name in _AMOUNT.findall(text))
    amounts = {kind: value * factor for name, value in pairs if value is not None and (kind := _kind_of(name))}
    if "host_memory_total" in frame.values or found[2].lower() == "swap":
        names = {"used": "swap_used", "avail": "host_memory_available"}
    else:
        names = {"total": "host_memory_total"}
    for name, measurement in names.items():
        if name in amounts:
            frame.values[measurement] = amounts[name]


def _kind_of(word: str) -> str:
    """Return which amount a word names, nothing for another."""
    return next((kind for kind, words in _KINDS.items() if word.lower().startswith(words)), "")
