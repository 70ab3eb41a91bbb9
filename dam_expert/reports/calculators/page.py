"""What all pages share: drawing, and numbers written with their units.

>>> amount(2.039e12, "B/s"), part(0.457)
('2.04 TB/s', '45.7 %')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from dam_expert.documents.kinds import Kind
from dam_expert.reports.glossary import written
from dam_expert.reports.model import Section
from dam_expert.reports.text import WIDTH, sections_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_BINARY = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def draw(sections: Sequence[Section], *, color: bool = False, width: int = WIDTH) -> str:
    """Draw a page of sections."""
    return sections_text(sections, color=color, width=width)


def amount(value: float, unit: str) -> str:
    """Write a rate, a number of operations or an intensity with a decimal prefix."""
    return written(value, unit, Kind.LEVEL)


def memory(value: float) -> str:
    """Write bytes as memory is counted, in binary units.

    >>> memory(80 * 2**30), memory(-3 * 2**29)
    ('80 GiB', '-1.5 GiB')
    """
    size, unit = next(((size, unit) for size, unit in _BINARY if abs(value) >= size), (1, "B"))
    return f"{value / size:.3g} {unit}" if abs(value) < 1000 * size else f"{value / size:,.0f} {unit}"


def count(value: float) -> str:
    """Write parameters, tokens and other large counts, as people do who train models: B is a billion.

    >>> count(7e10), count(1.4e12), count(12)
    ('70 B', '1.4 T', '12')
    """
    for size, prefix in ((1e12, " T"), (1e9, " B"), (1e6, " M")):
        if abs(value) >= size:
            return f"{value / size:.3g}{prefix}" if abs(value) < 1e15 else f"{value:.3g}"
    return f"{value:.4g}"


def part(value: float) -> str:
    """Write a share in percent."""
    return written(value, "1", Kind.SHARE)


def cells(text: str, width: int) -> str:
    """Fill a text up with blanks to a width in cells, on its right; on its left where the width is negative.

    >>> cells("内存", 6), cells("内存", -6)
    ('内存  ', '  内存')
    """
    blanks = " " * (abs(width) - cell_len(text))
    return text + blanks if width > 0 else blanks + text
