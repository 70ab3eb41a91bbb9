r"""``ibstat`` and ``ibstatus``: state and rate of InfiniBand and RoCE ports. Rates are Gb/s, told in bytes.

>>> from dam_expert.readers.source import Source
>>> raw = b'''CA 'mlx5_0'
...     Port 1:
...         State: Active
...         Physical state: LinkUp
...         Rate: 400
... CA 'mlx5_1'
...     Port 1:
...         State: Down
...         Rate: 10'''
>>> reading = IbstatReader().read(Source.of_bytes("ib.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('network_port_rate', 50000000000.0), ('network_ports_active', 1.0), ('network_ports_down', 1.0)]
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

_ADAPTER = re.compile(r"^(?:CA '[\w.-]{1,40}'|Infiniband device '[\w.-]{1,40}' port \d+ status:)$")
_PORT = re.compile(r"^Port \d{1,3}:$")
_STATE = re.compile(r"^[Ss]tate:\s*(?:\d+:\s*)?(\w{2,20})$", re.IGNORECASE)
_RATE = re.compile(r"^rate:\s*(\d{1,5}(?:\.\d)?)(?:\s+Gb/sec.*)?$", re.IGNORECASE)
_BYTES = 1e9 / 8


@dataclasses.dataclass(frozen=True, slots=True)
class IbstatReader:
    """Reads the text of ``ibstat`` and ``ibstatus``."""

    tool: str = "ibstat"
    title: str = "ibstat"
    versions: str = "infiniband-diags"

    def recognises(self, source: Source) -> bool:
        """Whether a line names an adapter as these tools do."""
        return any_line(source, _ADAPTER)

    def read(self, source: Source) -> Reading:
        """Return the slowest rate of an active port, and how many are active and down."""
        return read_lines(source, self.tool, _Ports())


@dataclasses.dataclass(slots=True)
class _Ports:
    """(state, rate, line) of each port."""

    ports: list[dict[str, str | float]] = dataclasses.field(default_factory=list)
    line: int | None = None

    def take(self, line: int, text: str) -> bool:
        if _PORT.match(text) or text.startswith("Infiniband device"):
            self.ports.append({})
        elif self.ports and (state := _STATE.match(text)):
            self.ports[-1]["state"] = state[1].lower()
        elif self.ports and (rate := _RATE.match(text)):
            self.ports[-1]["rate"] = float(rate[1]) * _BYTES
            self.line = self.line or line
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        active = [port for port in self.ports if port.get("state") == "active"]
        rates = [rate for port in active if isinstance(rate := port.get("rate"), float) and rate]
        yield from said(tell, "network_port_rate", min(rates, default=None), "slowest active port", line=self.line)
        if self.ports:
            yield from said(tell, "network_ports_active", float(len(active)), "ports in state Active")
            known = sum("state" in port for port in self.ports)
            yield from said(tell, "network_ports_down", float(known - len(active)), "ports in another state")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.ports:
            yield tell.warn("no-samples", "no port is listed in it", hint="run 'ibstat' on a node of the job")
