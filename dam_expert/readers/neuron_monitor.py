r"""``neuron-monitor``: one JSON document a line, with the use of each NeuronCore.

>>> from dam_expert.readers.source import Source
>>> core = '{"0": {"neuroncore_utilization": 99.38, "effective_flops": 34776185139834}}'
>>> raw = '{"neuron_runtime_data": [{"report": {"neuroncore_counters": {"neuroncores_in_use": %s}}}]}' % core
>>> reading = NeuronMonitorReader().read(Source.of_bytes("neuron.json", raw.encode()))
>>> [(found.measurement, round(found.value.lo, 4)) for found in reading.observations][:2]
[('accelerator_utilization', 0.9938), ('executed_flop_rate', 34776185139834.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.json_text import documents, whole
from dam_expert.readers.lines import said
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class NeuronMonitorReader:
    """Reads the reports of ``neuron-monitor``."""

    tool: str = "neuron_monitor"
    title: str = "neuron-monitor"

    def recognises(self, source: Source) -> bool:
        """Whether the head holds the monitor's key."""
        return '"neuron_runtime_data"' in source.head

    def read(self, source: Source) -> Reading:
        """Return the means over the reports, for each core."""
        tell = Teller(file=source.shown, tool=self.tool)
        text, messages = whole(source, tell)
        found, is_whole = documents(text)
        if not is_whole:
            messages.append(tell.warn("truncated", "a part of the JSON is damaged", hint="copy the file again"))
        series = Series()
        for document in found:
            _keep(series, document)
        if not series.pairs():
            hint = "run neuron-monitor while the job runs"
            messages.append(tell.warn("no-samples", "no core is in use in it", hint=hint))
        return Reading(
            tool=self.tool,
            observations=tuple(_observations(series, tell)),
            messages=tuple(messages),
            lines_read=len(found),
        )


def _keep(series: Series, document: object) -> None:
    """Add the cores of one report; what has another shape than the monitor writes is unknown."""
    for runtime in _list(_under(document, "neuron_runtime_data")):
        cores = _under(runtime, "report", "neuroncore_counters", "neuroncores_in_use")
        for index, core in cores.items() if isinstance(cores, dict) else ():
            if not re.fullmatch(r"\d{1,4}", index):
                continue
            busy = _number(_under(core, "neuroncore_utilization"))
            series.add(index, "accelerator_utilization", None if busy is None else busy / 100.0)
            series.add(index, "executed_flop_rate", _number(_under(core, "effective_flops")))


def _observations(series: Series, tell: Teller) -> Iterator[Observation]:
    cores = sorted({owner for owner, _ in series.pairs()}, key=int)
    for core in cores:
        scope = (("device", core),)
        yield from series.said(
            tell, scope, core, "accelerator_utilization", "accelerator_utilization", percentiles=True
        )
        yield from series.said(tell, scope, core, "executed_flop_rate", "executed_flop_rate")
        samples = len(series.values(core, "accelerator_utilization"))
        yield from said(tell, "utilization_samples", samples or None, "known samples", scope=scope)
    yield from said(tell, "device_count", len(cores) or None, "cores in use")


def _under(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _number(value: object) -> float | None:
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e30
    return float(value) if good and isinstance(value, int | float) else None
