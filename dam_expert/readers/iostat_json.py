"""``iostat -o JSON``: the same reports with keys for columns, complete or cut off by Ctrl-C.

>>> from dam_expert.readers.source import Source
>>> report = '{"avg-cpu": {"iowait": %s, "idle": 50.0}, "disk": [{"disk_device": "vda", "r/s": 0.0, "util": %s}]}'
>>> raw = '{"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": [' + report % (9, 9) + "," + report % (1.5, 80)
>>> reading = IostatJsonReader().read(Source.of_bytes("iostat.json", raw.encode()))
>>> [(found.measurement, found.value.lo) for found in reading.observations][:3]
[('host_cores', 2.0), ('cpu_utilization', 0.485), ('cpu_iowait_share', 0.015)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import bounded_text
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.iostat_report import COLUMNS, Report, Summary
from dam_expert.readers.json_text import JSON_BYTES
from dam_expert.readers.sysstat_json import ends_early, processors, statistics
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.readers.source import Source

_DECIMAL_COMMA = re.compile(r"(:\s*-?\d+),(\d+)(?=\s*[,}\]])")


@dataclasses.dataclass(frozen=True, slots=True)
class IostatJsonReader:
    """Reads the JSON of ``iostat``; the first entry of a host is since boot."""

    tool: str = "iostat"
    title: str = "iostat JSON"
    versions: str = "sysstat 11.5.1 to 12.7"

    def recognises(self, source: Source) -> bool:
        """Whether the head is sysstat JSON with a CPU average or disks."""
        head = source.head
        return '"sysstat"' in head and ('"disk_device"' in head or '"avg-cpu"' in head)

    def read(self, source: Source) -> Reading:
        """Return the means over all reports but the first of each host."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = _text(source, tell)
        summary, reports = Summary(), 0
        whole = True
        for found_here, complete in statistics(text):
            whole = whole and complete
            reports += len(found_here)
            for place, entry in enumerate(found_here):
                summary.add(_report(entry, since_boot=place == 0))
        if not whole and not messages:
            messages.append(ends_early(tell, reports))
        messages += summary.complaints(tell)
        return tell.reading(
            observations=tuple(summary.observations(processors(text), tell)),
            messages=tuple(messages),
            lines_read=reports,
        )


def _text(source: Source, tell: Teller) -> tuple[str, list[Message]]:
    """Return the text of a source, cut at a bound, with numbers as JSON has them (old versions wrote ``1,5``)."""
    messages: list[Message] = []
    said, hint = "only the first reports are read", "pass fewer hours"
    text = bounded_text(source, JSON_BYTES, tell, messages, hint=hint, said=said)
    return _DECIMAL_COMMA.sub(r"\1.\2", text), messages


def _report(entry: object, *, since_boot: bool) -> Report:
    """Return one report; what has another shape than iostat writes is unknown."""
    report = Report(since_boot=since_boot)
    if not isinstance(entry, dict):
        return report
    cpu = entry.get("avg-cpu")
    if isinstance(cpu, dict):
        report.cpu = dict(_numbers(cpu))
    disks = entry.get("disk")
    for disk in disks if isinstance(disks, list) else []:
        if isinstance(disk, dict) and isinstance(disk.get("disk_device"), str):
            columns = {column.lower(): value for column, value in _numbers(disk)}
            known = {COLUMNS[name][0]: value * COLUMNS[name][1] for name, value in columns.items() if name in COLUMNS}
            report.disks[disk["disk_device"]] = known
    return report


def _numbers(fields: dict[object, object]) -> Iterator[tuple[str, float]]:
    for name, value in fields.items():
        found = number(str(value))
        if found is not None:
            yield str(name), found
