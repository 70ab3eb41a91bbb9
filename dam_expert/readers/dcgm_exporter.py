r"""Metrics of the DCGM exporter, one scrape or several in a row: gauges per device, old and new names.

A line that is damaged is left out and the others are used. Counters of violations are not read: their unit differs
between versions. A device is known by its ``gpu`` label; MIG instances are not devices and are left out.

>>> from dam_expert.readers.source import Source
>>> raw = b'''# HELP DCGM_FI_PROF_DRAM_ACTIVE Ratio of cycles (in %).
... DCGM_FI_PROF_DRAM_ACTIVE{gpu="0",UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3"} 0.880
... DCGM_FI_DEV_GPU_UTIL{gpu="0",modelName="NVIDIA H100 80GB HBM3"} 97'''
>>> reading = DcgmExporterReader().read(Source.of_bytes("metrics", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations[:3]]
[('accelerator_utilization', 0.97), ('dram_active', 0.88), ('device_count', 1.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.dcgm_fields import FIELDS, MEASUREMENTS, canonical
from dam_expert.readers.lines import any_line, only, read_lines, said
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_SAMPLE = re.compile(r"^(DCGM_FI_\w{2,80})\{([^}]{0,4000})\}\s+(\S{1,40})(?:\s+-?\d{1,20})?$")
_LABEL = re.compile(r'([A-Za-z_]\w{0,60})="((?:[^"\\]|\\.){0,300})"')


@dataclasses.dataclass(frozen=True, slots=True)
class DcgmExporterReader:
    """Reads Prometheus text with fields of DCGM."""

    tool: str = "dcgm_exporter"
    title: str = "DCGM exporter metrics"
    versions: str = "dcgm-exporter 2 to 4"

    def recognises(self, source: Source) -> bool:
        """Whether a line is a sample of a DCGM field."""
        return any_line(source, _SAMPLE)

    def read(self, source: Source) -> Reading:
        """Return each known gauge for each device; of several scrapes, the mean."""
        return read_lines(source, self.tool, _Samples())


@dataclasses.dataclass(slots=True)
class _Samples:
    """The samples so far, by device."""

    series: Series = dataclasses.field(default_factory=Series)
    devices: set[str] = dataclasses.field(default_factory=set)
    names: set[str] = dataclasses.field(default_factory=set)
    drivers: set[str] = dataclasses.field(default_factory=set)

    def take(self, line: int, text: str) -> bool:
        if not text.startswith("DCGM_FI_"):
            return True  # help, types and metrics of other exporters
        found = _SAMPLE.match(text)
        if found is None:
            return False
        labels = dict(_LABEL.findall(found[2]))
        device = labels.get("gpu", "")
        if not re.fullmatch(r"\d{1,4}", device):
            return False
        if labels.get("modelName"):
            self.names.add(labels["modelName"][:80])
        if labels.get("DCGM_FI_DRIVER_VERSION"):
            self.drivers.add(labels["DCGM_FI_DRIVER_VERSION"][:40])
        self.devices.add(device)
        field = FIELDS.get(found[1])
        if field is not None and not labels.get("GPU_I_ID"):
            self.series.add(device, field[0], canonical(found[3], field), line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for device in sorted(self.devices, key=int):
            scope = (("device", device),)
            for measurement in MEASUREMENTS:
                if measurement != "last_xid" or self.series.mean(device, measurement):  # 0 is "none yet"
                    yield from self.series.said(tell, scope, device, measurement, measurement)
        yield from said(tell, "device_count", len(self.devices) or None, "devices that have samples")
        yield from said(tell, "accelerator", only(self.names), "modelName label")
        yield from said(tell, "driver_version", only(self.drivers), "label")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.devices and not {"sm_active", "dram_active"} & {name for _, name in self.series.pairs()}:
            hint = "add DCGM_FI_PROF_SM_ACTIVE, _PIPE_TENSOR_ACTIVE and _DRAM_ACTIVE to the exporter's counters"
            yield tell.note("no-profiling-fields", "it holds no profiling counter", hint=hint)
