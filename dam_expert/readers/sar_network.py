r"""``sar -n DEV``: traffic of each network interface. Loopback is left out; the busiest interface speaks.

Bonds and bridges carry the traffic of their members again, so interfaces are not added up.

>>> from dam_expert.readers.source import Source
>>> raw = b'''16:56:13        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   %ifutil
... 16:56:14           lo    900.00    900.00   9000.00   9000.00      0.00
... 16:56:14         eth0    100.00      0.00   1024.00      1.00     50.00'''
>>> reading = SarNetworkReader().read(Source.of_bytes("sar.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('network_receive_rate', 1048576.0), ('network_send_rate', 1024.0), ('network_utilization', 0.5)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said
from dam_expert.readers.series import Series
from dam_expert.readers.sysstat_rows import AVERAGE, BANNER, Header, cell, stamped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^.{0,24}?\bIFACE\s+rxpck/s\b")
_ANOTHER = re.compile(r"^.{0,24}?\b[A-Za-z%][\w%/-]*/s\b")
_COLUMNS = {
    "network_receive_rate": (("rxkB/s", 1024.0), ("rxMB/s", 1024.0**2), ("rxbyt/s", 1.0)),
    "network_send_rate": (("txkB/s", 1024.0), ("txMB/s", 1024.0**2), ("txbyt/s", 1.0)),
    "network_utilization": (("%ifutil", 0.01),),
}


@dataclasses.dataclass(frozen=True, slots=True)
class SarNetworkReader:
    """Reads the interface table of ``sar -n DEV``."""

    tool: str = "sar"
    title: str = "sar -n DEV"
    versions: str = "sysstat 10 to 12.7, every locale"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads the interface table."""
        return any_line(source, _HEADER)

    def read(self, source: Source) -> Reading:
        """Return the traffic of the busiest interface."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """Samples by interface; averages are used only where no interval is shown."""

    used: Series = dataclasses.field(default_factory=Series)
    averages: Series = dataclasses.field(default_factory=Series)
    header: Header = dataclasses.field(default_factory=Header)
    cores: int | None = None

    def take(self, line: int, text: str) -> bool:
        if banner := BANNER.match(text):
            self.cores = int(banner[1])
            return True
        stamp, rest = stamped(text)
        if _ANOTHER.match(text):
            self.header = Header(stamp, rest.split()) if _HEADER.match(text) else Header()
            return True
        if not self.header.columns:
            return True  # another table of sar
        row = self.header.row(rest)
        if row is None or "IFACE" not in row:
            return False
        series = self.averages if stamp == AVERAGE else self.used
        for measurement, names in _COLUMNS.items():
            values = [value * factor for name, factor in names if (value := cell(row, name)) is not None]
            if row["IFACE"] != "lo":
                series.add(row["IFACE"], measurement, values[0] if values else None, line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        series = self.used if self.used.pairs() else self.averages
        for measurement in _COLUMNS:
            owners = [owner for owner, name in series.pairs() if name == measurement]
            means = {owner: series.mean(owner, measurement) or 0.0 for owner in owners}
            if means:
                owner = max(means, key=lambda name: means[name])
                detail = f"mean of {series.count(owner, measurement)} samples of the busiest interface"
                yield from said(tell, measurement, means[owner], detail, line=series.line(owner, measurement))
        yield from said(tell, "host_cores", self.cores, "banner")

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.used.pairs() and not self.averages.pairs():
            yield tell.warn("no-samples", "no row in it", hint="run 'sar -n DEV 1 30' during the job")
