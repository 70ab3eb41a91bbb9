"""``mpstat -o JSON``: the same reports with keys for columns, complete or cut off by Ctrl-C.

>>> from dam_expert.readers.source import Source
>>> report = '{"timestamp": "16:55:5%d", "cpu-load": [{"cpu": "all", "usr": 79.6, "iowait": 0.0, "idle": 20.0}]}'
>>> raw = '{"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": [' + report % 1 + "," + report % 2 + "," + report
>>> reading = MpstatJsonReader().read(Source.of_bytes("mpstat.json", raw[:-20].encode()))
>>> [(found.measurement, found.value.lo) for found in reading.observations], reading.messages[0].code
([('cpu_utilization', 0.8), ('cpu_iowait_share', 0.0), ('host_cores', 2.0)], 'truncated')
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.json_text import whole
from dam_expert.readers.mpstat import Processors
from dam_expert.readers.sysstat_json import ends_early, processors, statistics

if TYPE_CHECKING:
    from dam_expert.readers.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class MpstatJsonReader:
    """Reads the JSON of ``mpstat``."""

    tool: str = "mpstat"
    title: str = "mpstat JSON"
    versions: str = "sysstat 11.7 to 12.7"

    def recognises(self, source: Source) -> bool:
        """Whether the head is sysstat JSON with processor loads."""
        return '"sysstat"' in source.head and '"cpu-load"' in source.head

    def read(self, source: Source) -> Reading:
        """Return the means over the reports; a single one may be since boot and is not used."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = whole(source, tell)
        found, count = Processors(), 0
        found.cores = processors(text)
        for reports, complete in statistics(text):
            count += len(reports)
            if not complete and not messages:
                messages.append(ends_early(tell, len(reports)))
            for report in reports if len(reports) > 1 else []:
                _add(found, report)
        if found.empty:
            said = "it holds one report, which may cover the time since boot" if count else "no complete report in it"
            hint = "run 'mpstat -o JSON -P ALL 1 30' during the job"
            messages.append(tell.warn("since-boot-only" if count else "no-samples", said, hint=hint))
        told = tuple(found.observations(tell))
        if not told and not messages:
            text, hint = "it holds no row of all processors", "run 'mpstat -o JSON -P ALL 1 30' during the job"
            messages.append(tell.warn("no-samples", text, hint=hint))
        return tell.reading(
            observations=told,
            messages=tuple(messages),
            lines_read=count,
        )


def _add(processors: Processors, report: object) -> None:
    """Add one report; what has another shape than mpstat writes is unknown."""
    loads = report.get("cpu-load") if isinstance(report, dict) else None
    for load in loads if isinstance(loads, list) else []:
        if isinstance(load, dict) and isinstance(load.get("cpu"), str):
            processors.add(load["cpu"][:8], {str(name): str(value) for name, value in load.items()}, None)
