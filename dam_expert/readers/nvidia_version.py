r"""``nvidia-smi --version``: the driver. The CUDA version is what it can run, not what the job uses.

>>> from dam_expert.readers.source import Source
>>> raw = b"NVIDIA-SMI version  : 580.95.05\nDRIVER version      : 580.95.05\nCUDA Version        : 13.0"
>>> reading = NvidiaVersionReader().read(Source.of_bytes("version.txt", raw))
>>> [(found.measurement, found.value) for found in reading.observations]
[('driver_version', '580.95.05')]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, only, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_TOOL = re.compile(r"^NVIDIA-SMI version\s*:")
_DRIVER = re.compile(r"^(?:DRIVER|KMD) version\s*:\s*(\d[\d.]{2,20})$", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaVersionReader:
    """Reads ``nvidia-smi --version``; from release 610 on the driver may be called KMD."""

    tool: str = "nvidia_smi"
    title: str = "nvidia-smi --version"
    versions: str = "drivers 535 to 610"

    def recognises(self, source: Source) -> bool:
        """Whether a line says the version of the tool itself."""
        return any_line(source, _TOOL)

    def read(self, source: Source) -> Reading:
        """Return the version of the driver where only one is said."""
        return read_lines(source, self.tool, _Versions())


@dataclasses.dataclass(slots=True)
class _Versions:
    """The drivers that were named so far, and where the first was."""

    drivers: set[str] = dataclasses.field(default_factory=set)
    line: int | None = None

    def take(self, line: int, text: str) -> bool:
        if driver := _DRIVER.match(text):
            self.drivers.add(driver[1])
            self.line = self.line or line
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        yield from said(tell, "driver_version", only(self.drivers), "DRIVER version", line=self.line)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.drivers:
            yield tell.warn("no-values", "it names no driver", hint="run 'nvidia-smi -q' on the host of the job")
        elif len(self.drivers) > 1:
            text = "it names several drivers: these are the answers of several hosts"
            yield tell.warn("several-hosts", text, hint="pass the answer of each host as a file of its own")
