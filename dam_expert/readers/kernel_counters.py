r"""Files of the kernel about shortage: pressure (``/proc/pressure/*``, ``*.pressure``) and control groups.

Of a group: ``cpu.stat``, ``cpu.max`` and ``memory.events``. The files come one by one, or together with their paths as
``grep . FILES`` and ``head FILES`` print them.

What a pressure file is about stands only in its path: it is taken from a path in the text, or else from the file's
name. A group's counters count since it was made; of several copies in one text the growth between first and last is
used.

>>> from dam_expert.readers.source import Source
>>> raw = b'''/proc/pressure/io:some avg10=27.42 avg60=16.50 avg300=5.38 total=23466255
... cpu.max:200000 100000
... nr_periods 100
... nr_throttled 90'''
>>> reading = KernelCountersReader().read(Source.of_bytes("x", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('io_pressure_share', 0.2742), ('cpu_quota_cores', 2.0), ('cpu_throttled_share', 0.9)]
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_PATH = r"(?:(?P<path>[\w./@\\-]{1,400}):\s?)?"
_PRESSURE = re.compile(
    rf"^{_PATH}(?P<who>some|full) avg10=(?P<now>\d{{1,3}}\.\d\d) avg60=\d{{1,3}}\.\d\d avg300=\S+ total=\d+"
)
_HEADING = re.compile(
    r"^(?:==> (?P<head>\S{1,400}) <==|[$#] cat (?P<cat>\S{1,400})"
    r"|[=#\-\s]{0,20}(?P<word>[\w/.]{0,400}(?:cpu|io|memory|irq)[\w/.]{0,40})[=\-:\s]{0,20})$"
)
_QUOTA = re.compile(rf"^{_PATH}(?P<quota>max|\d{{1,12}}) (?P<period>\d{{4,7}})$")
_KEYS = {
    "nr_periods", "nr_throttled", "usage_usec", "throttled_usec", "throttled_time", "nr_bursts",
    "oom", "oom_kill", "oom_group_kill", "low", "high", "max",
}  # fmt: skip
_COUNT = re.compile(rf"^{_PATH}(?P<key>[a-z_.]{{2,40}}) (?P<count>\d{{1,20}})$")
_SURE = re.compile(rf"^{_PATH}(?:nr_periods|nr_throttled|oom_kill|oom_group_kill) \d{{1,20}}$")
_RESOURCE = re.compile(r"(?<![a-z])(cpu|io|memory|mem|irq)(?![a-z])")


@dataclasses.dataclass(frozen=True, slots=True)
class KernelCountersReader:
    """Reads pressure files and the counters of control groups, versions 1 and 2."""

    tool: str = "kernel_counters"
    title: str = "pressure and control group files"
    versions: str = "Linux 4.20 and later; control groups 1 and 2"

    def recognises(self, source: Source) -> bool:
        """Whether a line is one of pressure or of a group's counters, or the only line is a quota."""
        if any_line(source, _PRESSURE) or any_line(source, _SURE):
            return True
        lines = source.head_lines
        return bool(_QUOTA.match(lines[0])) and not any(lines[1:])

    def read(self, source: Source) -> Reading:
        """Return pressure now, the quota, and how much of the time it held the group back."""
        return read_lines(source, self.tool, _Lines(resource(PurePath(source.shown).name)))


def resource(name: str) -> str:
    """Return what a path is about, the last that it names: ``cpu``, ``io``, ``memory``, ``irq`` or nothing.

    >>> resource("/sys/fs/cgroup/cpu.d/io.pressure"), resource("psi_mem.txt"), resource("notes")
    ('io', 'memory', '')
    """
    found = _RESOURCE.findall(name.lower().replace("_", " "))
    return {"mem": "memory"}.get(found[-1], found[-1]) if found else ""


@dataclasses.dataclass(slots=True)
class _Lines:
    """What has been read; ``resource`` is what the text is about where a line does not say it."""

    resource: str
    series: Series = dataclasses.field(default_factory=Series)
    counts: dict[str, list[int]] = dataclasses.field(default_factory=dict)
    lines: dict[str, int] = dataclasses.field(default_factory=dict)
    quota: float | None = None
    unlimited: bool = False
    unnamed: int | None = None

    def take(self, line: int, text: str) -> bool:
        if heading := _HEADING.match(text):
            self.resource = resource(PurePath(heading["head"] or heading["cat"] or heading["word"]).name)
        elif found := _PRESSURE.match(text):
            name = resource(PurePath(found["path"]).name) if found["path"] else self.resource
            self.unnamed = self.unnamed if name else self.unnamed or line
            self.series.add(name, found["who"], float(found["now"]) / 100.0, line)
        elif found := _QUOTA.match(text):
            self.unlimited = found["quota"] == "max"
            period = int(found["period"])
            self.quota = None if self.unlimited or not period else int(found["quota"]) / period
        elif (found := _COUNT.match(text)) and found["key"] in _KEYS:
            self.counts.setdefault(found["key"], []).append(int(found["count"]))
            self.lines.setdefault(found["key"], line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for name, who in self.series.pairs():
            ids = {"some": f"{name}_pressure_share", "full": f"{name}_pressure_full_share"}
            if not name or (name == "cpu" and who == "full"):
                continue  # of the whole host the latter is always 0
            value, line = self.series.mean(name, who), self.series.line(name, who)
            yield from said(tell, ids[who], value, "avg10: mean over the last 10 s", line=line)
        yield from said(tell, "cpu_quota_cores", self.quota, "quota over period")
        yield from self._throttled(tell)
        kills = self._grown("oom_kill")
        line = self.lines.get("oom_kill")
        yield from said(
            tell, "cgroup_oom_kills", None if kills is None else float(kills[0]), kills[1] if kills else "", line=line
        )
        if kills is not None and kills[0] > 0:
            yield from said(tell, "allocation_state", "host_killed", "oom_kill of the group counts a kill", line=line)

    def _throttled(self, tell: Teller) -> Iterator[Observation]:
        periods, throttled = self._grown("nr_periods"), self._grown("nr_throttled")
        if periods is not None and throttled is not None and periods[0] > 0:
            detail = f"throttled periods over periods, {throttled[1]}"
            share, line = throttled[0] / periods[0], self.lines["nr_throttled"]
            yield from said(tell, "cpu_throttled_share", share, detail, line=line, samples=periods[0])

    def _grown(self, key: str) -> tuple[int, str] | None:
        counts = self.counts.get(key)
        if not counts:
            return None
        if len(counts) > 1 and counts[-1] >= counts[0]:
            return counts[-1] - counts[0], "growth between the copies"
        return counts[-1], "since the group was made"

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.unnamed is not None:
            text = "nothing tells whether this pressure is of cpu, io or memory"
            yield tell.warn("no-resource", text, line=self.unnamed, hint="run 'grep . /proc/pressure/*'")
        if self.unlimited or self.counts.get("nr_periods", [1])[-1] == 0:
            yield tell.note("no-quota", "the group has no processor quota, so nothing is throttled by one")
