r"""Environment reports: ``python -m torch.utils.collect_env``, and those of vLLM and transformers built like it.

Named fields only: host names, paths and environment variables in such reports are not read.

>>> from dam_expert.readers.source import Source
>>> raw = b'''PyTorch version: 2.1.0+cu121
... CUDA used to build PyTorch: 12.1
... Is CUDA available: True
... GPU models and configuration:
... GPU 0: NVIDIA A100-SXM4-80GB
... GPU 1: NVIDIA A100-SXM4-80GB
... Nvidia driver version: 535.104.05'''
>>> reading = CollectEnvReader().read(Source.of_bytes("env.txt", raw))
>>> found = {each.measurement: each.value for each in reading.observations}
>>> found["framework_version"], found["accelerator"], found["device_count"].lo, found["device_available"]
('2.1.0+cu121', 'NVIDIA A100-SXM4-80GB', 2.0, 'true')
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import any_line, only, read_lines, said
from dam_expert.readers.lscpu import Processor
from dam_expert.readers.nvidia_topo import Matrix
from dam_expert.readers.packages import Packages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_MARK = re.compile(
    r"^(?:Collecting environment information|PyTorch version: \d|CUDA used to build PyTorch\s*:"
    r"|- `transformers` version: \d|- PyTorch version \(GPU\?\): )"
)
_FIELDS = (
    ("framework_version", re.compile(r"^PyTorch version\s*: (\d\S{0,40})$")),
    ("framework_version", re.compile(r"^- PyTorch version \(GPU\?\): (\d\S{0,40}) ")),
    ("cuda_version", re.compile(r"^CUDA used to build PyTorch\s*: (\d[\d.]{0,12})$")),
    ("python_version", re.compile(r"^(?:- )?Python version\s*: (\d+\.\d+(?:\.\d+)?)")),
    ("driver_version", re.compile(r"^Nvidia driver version\s*: ([\d.]{3,20})$")),
    ("cudnn_version", re.compile(r"^cuDNN version\s*: (\d[\d.]{0,12})$")),
)
_AVAILABLE = re.compile(r"^(?:Is CUDA available\s*: |- PyTorch version \(GPU\?\): \S+ \()(True|False)")
_DEVICE = re.compile(r"^(?:GPU models and configuration\s*: )?GPU (\d{1,3}): (\S.{1,79}?)(?: \(UUID.*\))?$")
_PIP = re.compile(r"^\[(?:pip3?|conda)\] ")


@dataclasses.dataclass(frozen=True, slots=True)
class CollectEnvReader:
    """Reads environment reports."""

    tool: str = "collect_env"
    title: str = "environment report (collect_env)"
    versions: str = "PyTorch collect_env, vLLM collect_env"

    def recognises(self, source: Source) -> bool:
        """Whether a line is one that only such reports have."""
        return any_line(source, _MARK)

    def read(self, source: Source) -> Reading:
        """Return versions, devices and processors."""
        return read_lines(source, self.tool, _Report())


@dataclasses.dataclass(slots=True)
class _Report:
    """The first value of each field; lists within the report go to those who know them."""

    found: dict[str, tuple[str, int]] = dataclasses.field(default_factory=dict)
    devices: dict[str, str] = dataclasses.field(default_factory=dict)
    processor: Processor = dataclasses.field(default_factory=Processor)
    matrix: Matrix = dataclasses.field(default_factory=Matrix)
    packages: Packages = dataclasses.field(default_factory=Packages)

    def take(self, line: int, text: str) -> bool:
        for measurement, pattern in _FIELDS:
            if found := pattern.match(text):
                self.found.setdefault(measurement, (found[1], line))
        if available := _AVAILABLE.match(text):
            self.found.setdefault("device_available", (available[1].lower(), line))
        if device := _DEVICE.match(text):
            self.devices.setdefault(device[1], device[2])
        if _PIP.match(text):
            self.packages.take(line, text)
        self.processor.take(line, text)
        self.matrix.take(line, text)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        if "framework_version" in self.found:
            yield from said(tell, "framework", "PyTorch", "report", line=self.found["framework_version"][1])
        for measurement, (value, line) in self.found.items():
            yield from said(tell, measurement, value, "report", line=line)
        names = set(self.devices.values())
        yield from said(tell, "accelerator", only(names), "list of devices")
        if self.devices:
            yield tell.observe("device_count", Interval.point(len(self.devices)), detail="list of devices")
        told = {*self.found, *(("framework", "device_count") if self.found or self.devices else ())}
        for part in (self.packages, self.processor, self.matrix):
            for observation in part.observations(tell):
                if observation.measurement not in told:
                    told.add(observation.measurement)
                    yield observation

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.found.get("device_available", ("", 0))[0] == "false":
            text = "the framework sees no device in this environment"
            line = self.found["device_available"][1]
            yield tell.note("no-device", text, line=line, hint="check that it was printed where the job runs")
