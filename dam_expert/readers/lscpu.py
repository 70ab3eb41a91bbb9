r"""``lscpu``, text and JSON: processors, sockets, memory nodes, and whether the host is a virtual machine.

>>> from dam_expert.readers.source import Source
>>> raw = b"Architecture: x86_64\nCPU(s): 64\nThread(s) per core: 2\nNUMA node(s): 2\nModel name: AMD EPYC 7543\n"
>>> reading = LscpuReader().read(Source.of_bytes("lscpu.txt", raw))
>>> [(each.measurement, each.value if isinstance(each.value, str) else each.value.lo) for each in reading.observations]
[('host_cores', 64.0), ('threads_per_core', 2.0), ('numa_nodes', 2.0), ('cpu_model', 'AMD EPYC 7543')]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_MARK = re.compile(r'^(?:Thread\(s\) per core:|On-line CPU\(s\) list:|\{?"lscpu": \[|"?\{?"field": ?"CPU\(s\):")')
_PAIR = re.compile(r"^([A-Za-z][\w() -]{1,40}):\s+(\S.*)$")
_JSON = re.compile(r'"field": ?"([^"]{2,40}):?", ?"data": ?"([^"]{0,200})"')
_COUNTS = {"CPU(s)": "host_cores", "Thread(s) per core": "threads_per_core", "NUMA node(s)": "numa_nodes"}
_WORDS = {"Model name": "cpu_model", "Hypervisor vendor": "hypervisor"}


@dataclasses.dataclass(frozen=True, slots=True)
class LscpuReader:
    """Reads ``lscpu`` and ``lscpu -J``."""

    tool: str = "lscpu"
    title: str = "lscpu"
    versions: str = "util-linux 2.3x: text, JSON"

    def recognises(self, source: Source) -> bool:
        """Whether a line is one that only this tool prints."""
        return any_line(source, _MARK)

    def read(self, source: Source) -> Reading:
        """Return the settings of the host."""
        return read_lines(source, self.tool, Processor())


@dataclasses.dataclass(slots=True)
class Processor:
    """The first value of each known field; environment reports hold such a list too."""

    found: dict[str, tuple[float | str, int]] = dataclasses.field(default_factory=dict)
    name: str = ""

    def take(self, line: int, text: str) -> bool:
        """Take a line; what is no known field is passed over."""
        if text.startswith('"field"'):
            self.name = text
            return True
        both, self.name = (self.name + " " + text if self.name else text), ""
        pairs = _JSON.findall(both) or ([pair.groups()] if (pair := _PAIR.match(text)) else [])
        return all(self._keep(field.rstrip(":"), value, line) for field, value in pairs)

    def _keep(self, field: str, value: str, line: int) -> bool:
        if field in _COUNTS:
            if not re.fullmatch(r"\d{1,6}", value):
                return False
            self.found.setdefault(_COUNTS[field], (float(value), line))
        elif field in _WORDS and value.strip() not in {"-", "N/A", "Unknown"}:
            self.found.setdefault(_WORDS[field], (value.strip()[:80], line))
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield each setting that was found."""
        for measurement in (*_COUNTS.values(), *_WORDS.values()):
            if measurement in self.found:
                value, line = self.found[measurement]
                yield from said(tell, measurement, value, "lscpu", line=line)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        """Yield that nothing known is there."""
        if not self.found:
            yield tell.warn("no-values", "no known field has a value in it", hint="run 'lscpu' on the host of the job")
