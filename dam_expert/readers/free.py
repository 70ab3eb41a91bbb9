r"""``free``: how much memory the host has, and how much of it could be had without swapping.

Nothing in the output says its unit (KiB, or what ``-m`` and ``-g`` choose) but the suffixes of ``-h``: without them
only the share is told. Suffixes of one letter (``1.9G``) are 1,000 or 1,024 to a step, as ``--si`` chose or the release
does: there too. Releases before 2014 have no column of what is available; what they call free leaves out the
cache.

>>> from dam_expert.readers.source import Source
>>> raw = b"total used free shared  buff/cache   available\nMem:  1000  700  50  1  250  200\n"
>>> [(each.measurement, each.value.lo) for each in FreeReader().read(Source.of_bytes("x", raw)).observations]
[('host_memory_available_share', 0.2)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines
from dam_expert.readers.series import Series
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^total\s+used\s+free\s+shared\s+\S+(?:\s+cache)?(?:\s+(?:available|cached))?$")
_ROW = re.compile(r"^(Mem|Swap):\s+(\S.*)$")
_AMOUNT = re.compile(r"^\d{1,18}(?:[.,]\d{1,3})?(?P<unit>[KMGTP]i|[BKMGTP]|)$")
_BYTES = {"B": 1.0, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}
_ORDER = ("host_memory_total", "host_memory_available", "host_memory_available_share", "swap_used")


@dataclasses.dataclass(frozen=True, slots=True)
class FreeReader:
    """Reads ``free`` once or several times (``-s``)."""

    tool: str = "vmstat"
    title: str = "free"
    versions: str = "procps 3.3 and 4"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads the columns."""
        return any_line(source, _HEADER)

    def read(self, source: Source) -> Reading:
        """Return the means over all printings."""
        return read_lines(source, self.tool, _Rows())


@dataclasses.dataclass(slots=True)
class _Rows:
    """The state between lines."""

    columns: list[str] = dataclasses.field(default_factory=list)
    series: Series = dataclasses.field(default_factory=Series)

    def take(self, line: int, text: str) -> bool:
        if _HEADER.match(text):
            self.columns = text.split()
            return True
        row = _ROW.match(text) if self.columns else None
        if row is None:
            return True
        cells = dict(zip(self.columns, row[2].split(), strict=False))
        amounts = {name: _AMOUNT.match(cell) for name, cell in cells.items()}
        if amounts.get("total") is None:
            return False
        if row[1] == "Swap":
            self._keep("swap_used", amounts.get("used"), line)
            return True
        self._keep("host_memory_total", amounts["total"], line)
        self._keep("host_memory_available", amounts.get("available"), line)
        total, available = _scaled(amounts["total"]), _scaled(amounts.get("available"))
        if total and available is not None:
            self.series.add("", "host_memory_available_share", available / total, line)
        return True

    def _keep(self, measurement: str, amount: re.Match[str] | None, line: int) -> None:
        """Add an amount that says its unit."""
        if amount is not None and amount["unit"] in _BYTES:
            self.series.add("", measurement, _scaled(amount), line)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for measurement in _ORDER:
            yield from self.series.said(tell, (), "", measurement, measurement)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.series.pairs():
            text = "no row says how much is available: the release is older than that column, or the row was cut"
            yield tell.warn("no-samples", text, hint="run 'free -h' or 'grep . /proc/meminfo'")


def _scaled(amount: re.Match[str] | None) -> float | None:
    """Return an amount, in bytes where it says its unit."""
    if amount is None:
        return None
    value = number(amount[0].removesuffix(amount["unit"]) if amount["unit"] else amount[0], decimal_comma=True)
    unit = amount["unit"]
    return None if value is None else value * _BYTES.get(unit, _BYTES.get(f"{unit}i", 1.0))
