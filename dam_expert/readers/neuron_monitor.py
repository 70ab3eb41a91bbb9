r"""``neuron-monitor``: one JSON report per line with counters of AWS Neuron cores, utilisation in percent.

>>> from dam_expert.readers.source import Source
>>> cores = '{"0": {"neuroncore_utilization": 99.0, "effective_flops": 3.5e13}}'
>>> report = f'{{"report": {{"neuroncore_counters": {{"period": 1.0, "neuroncores_in_use": {cores}}}}}}}'
>>> reading = NeuronMonitorReader().read(Source.of_bytes("n", f'{{"neuron_runtime_data": [{report}]}}'.encode()))
>>> [(found.measurement, found.value.lo) for found in reading.observations][:2]
[('accelerator_utilization', 0.99), ('device_flops_rate', 35000000000000.0)]
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, inside, known
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_KEYS = ('"neuron_runtime_data"', '"neuroncore_counters"', '"neuron_hardware_info"')
_CORE = (("neuroncore_utilization", "accelerator_utilization", 0.01), ("effective_flops", "device_flops_rate", 1.0))


@dataclasses.dataclass(frozen=True, slots=True)
class NeuronMonitorReader:
    """Reads the reports that ``neuron-monitor`` writes to its standard output."""

    tool: str = "neuron_monitor"
    title: str = "neuron-monitor"
    versions: str = "AWS Neuron 2"

    def recognises(self, source: Source) -> bool:
        """Whether the head is JSON with the report's keys."""
        return source.head_text.lstrip().startswith("{") and any(key in source.head for key in _KEYS)

    def read(self, source: Source) -> Reading:
        """Return means per core over all reports, and the memory of the device."""
        tell, samples = Teller(file=source.shown, tool=self.tool), _Samples()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            samples.take(line, text)
        if not samples.reports and samples.lines:
            samples.take_all()
        messages += tell.not_understood(samples.odd, samples.seen, first=samples.first_odd)
        told = tuple(_observations(samples, tell))
        if not told:
            hint = "start the job first; an idle host reports no runtime"
            messages.append(tell.warn("no-samples", "the reports hold no core in use", hint=hint))
        return tell.reading(
            observations=told,
            messages=tuple(messages),
            lines_read=samples.seen,
            lines_not_understood=samples.odd,
        )


@dataclasses.dataclass(slots=True)
class _Samples:
    """Samples by core; a single report may be spread over lines by a formatter."""

    series: Series = dataclasses.field(default_factory=Series)
    cores: set[str] = dataclasses.field(default_factory=set)
    lines: list[str] = dataclasses.field(default_factory=list)
    reports: int = 0
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        report = _decoded(text)
        if isinstance(report, dict) and (report.keys() & {"neuron_runtime_data", "neuron_hardware_info"}):
            self.reports += 1
            self._report(report, line)
            return
        self.odd += 1
        self.first_odd = self.first_odd or line
        if not self.reports and len(self.lines) < 100_000:
            self.lines.append(text)

    def take_all(self) -> None:
        """Read all lines as one report."""
        report = _decoded("\n".join(self.lines))
        if isinstance(report, dict):
            self.odd, self.first_odd = 0, None
            self._report(report, 1)

    def _report(self, report: dict[str, object], line: int) -> None:
        hardware = inside(report, "neuron_hardware_info")
        self.series.add("", "memory_total", known(hardware.get("neuron_device_memory_size")), line)
        self.series.add("", "devices", known(hardware.get("neuron_device_count")), line)
        runtimes = report.get("neuron_runtime_data")
        for runtime in runtimes if isinstance(runtimes, list) else []:
            cores = inside(runtime, "report", "neuroncore_counters", "neuroncores_in_use")
            for core, counters in list(cores.items())[:4096]:
                if not (core.isascii() and core.isdecimal()) or len(core) > 6:
                    continue
                self.cores.add(core)
                for key, measurement, factor in _CORE:
                    value = known(counters.get(key)) if isinstance(counters, dict) else None
                    self.series.add(core, measurement, None if value is None else value * factor, line)
            used = inside(runtime, "report", "memory_used", "neuron_runtime_used_bytes")
            self.series.add("", "memory_used", known(used.get("neuron_device")), line)


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _observations(samples: _Samples, tell: Teller) -> Iterator[Observation]:
    for core in sorted(samples.cores, key=int):
        for _, measurement, _ in _CORE:
            yield from samples.series.said(tell, (("device", core),), core, measurement, measurement)
        count = samples.series.count(core, "accelerator_utilization")
        if count:
            scope = (("device", core),)
            yield tell.observe("utilization_samples", Interval.point(count), scope=scope, detail="reports of the core")
    yield from samples.series.said(tell, (), "", "device_memory_used", "memory_used")
    yield from samples.series.said(tell, (), "", "device_memory_total", "memory_total")
    yield from samples.series.said(tell, (), "", "device_count", "devices")
