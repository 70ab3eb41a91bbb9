r"""``ibstat``, ``ibstatus`` and ``ibv_devinfo``: state and rate of InfiniBand and RoCE ports.

Rates are Gb/s, told in bytes. Of ``ibv_devinfo`` only ``-v`` shows them, as lanes times the speed of one. A device made
of software on another adapter (rxe, whose vendor is 0xffffff) shows a speed that means nothing.

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

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import any_line, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_ADAPTER = re.compile(
    r"^(?:CA '[\w.-]{1,40}'|Infiniband device '[\w.-]{1,40}' port \d+ status:|hca_id:\s*[\w.-]{1,40})$"
)
_PORT = re.compile(r"^(?:Port (?!GUID).{0,24}:|port:.{0,24})$")
"""Whatever its number is: a port that is missed would give its state to the one before it."""
_STATE = re.compile(r"^[Ss]tate:\s*(?:\d+:\s*)?(?:PORT_)?(\w{2,20})(?: \(\d\))?$", re.IGNORECASE)
_RATE = re.compile(r"^rate:\s*(\d{1,5}(?:\.\d)?)(?:\s+Gb/sec.*)?$", re.IGNORECASE)
_WIDTH = re.compile(r"^active_width:\s*(1|2|4|8|12)X \(\d{1,3}\)$")
_LANE = re.compile(r"^active_speed:\s*(\d{1,4}\.\d) Gbps \(\d{1,4}\)$")
_SOFTWARE = re.compile(r"^vendor_id:\s*0xffffff$")
_BYTES = 1e9 / 8


@dataclasses.dataclass(frozen=True, slots=True)
class IbstatReader:
    """Reads the text of ``ibstat``, ``ibstatus`` and ``ibv_devinfo``."""

    tool: str = "ibstat"
    title: str = "ibstat"
    versions: str = "infiniband-diags; ibv_devinfo of rdma-core, rates with -v"

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
    software: bool = False
    """Whether the adapter of the lines is made of software."""

    def take(self, line: int, text: str) -> bool:
        if _ADAPTER.match(text):
            self.software = False
        if _PORT.match(text) or text.startswith("Infiniband device"):
            self.ports.append({})
        elif _SOFTWARE.match(text):
            self.software = True
        elif self.ports and (state := _STATE.match(text)):
            self.ports[-1]["state"] = state[1].lower()
        elif self.ports and (rate := _RATE.match(text)):
            self._rate(float(rate[1]) * _BYTES, line)
        elif self.ports and (width := _WIDTH.match(text)):
            self.ports[-1]["width"] = float(width[1])
        elif self.ports and (lane := _LANE.match(text)):
            lanes = self.ports[-1].get("width")
            if isinstance(lanes, float) and not self.software:
                self._rate(lanes * float(lane[1]) * _BYTES, line)
        return True

    def _rate(self, rate: float, line: int) -> None:
        self.ports[-1]["rate"] = rate
        self.line = self.line or line

    def observations(self, tell: Teller) -> Iterator[Observation]:
        active = [port for port in self.ports if port.get("state") == "active"]
        rates = [rate for port in active if isinstance(rate := port.get("rate"), float) and rate]
        yield from said(tell, "network_port_rate", min(rates, default=None), "slowest active port", line=self.line)
        states = [state for port in self.ports if (state := port.get("state"))]
        unsaid = len(self.ports) - len(states)
        if states:  # a port without a state may be either
            up, down = float(len(active)), float(len(states) - len(active))
            yield tell.observe("network_ports_active", Interval(up, up + unsaid), detail="ports in state Active")
            yield tell.observe("network_ports_down", Interval(down, down + unsaid), detail="ports in another state")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.ports:
            yield tell.warn("no-samples", "no port is listed in it", hint="run 'ibstat' on a node of the job")
        elif not any("state" in port for port in self.ports):
            yield tell.warn("no-values", "no port says its state", hint="run 'ibstat' on a node of the job")
