"""The terms of the iron law before and after: one bar each on one scale, and a key to the colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports.html.svg import LEADING, SIZE, element, lines_at, picture, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from dam_expert.reports.pictures import TermRow, Terms

_BAR: Final = 30.0
_GAP: Final = 14.0
_PADDING: Final = 8.0
_SWATCH: Final = 12.0


def terms(figure: Terms, width: float) -> Markup:
    """Draw the rows below each other, then the key."""
    shapes: list[Markup] = []
    top = 0.0
    for row in figure.rows:
        drawn, top = _row(row, width, top)
        shapes += drawn
    key, top = _key(figure, width, top)
    return picture(figure.alt, width, top, [*shapes, *key])


def _row(row: TermRow, width: float, top: float) -> tuple[list[Markup], float]:
    """Draw a label with the total, and under it the bar."""
    lines = wrapped(f"{row.label}: {row.text}", width, bold=True)
    shapes = lines_at(lines, 0, top + SIZE, "strong")
    top += len(lines) * LEADING + 4
    left = 0.0
    for segment in row.segments:
        length = width * segment.share
        shapes.append(element("rect", x=left, y=top, width=length, height=_BAR, class_=f"term-{segment.term}"))
        if width_of(segment.text) + 2 * _PADDING <= length:
            place = {"x": left + _PADDING, "y": top + _BAR / 2 + SIZE / 3}
            shapes.append(element("text", segment.text, class_="inside", **place))
        left += length
    return shapes, top + _BAR + _GAP


def _key(figure: Terms, width: float, top: float) -> tuple[list[Markup], float]:
    """Name each colour once, in rows that fit."""
    shapes: list[Markup] = []
    left = 0.0
    for term, label in _named(figure):
        needed = _SWATCH + 6 + width_of(label) + 16
        if left and left + needed > width:
            left, top = 0.0, top + LEADING
        shapes.append(element("rect", x=left, y=top, width=_SWATCH, height=_SWATCH, class_=f"term-{term}"))
        shapes.append(element("text", label, x=left + _SWATCH + 6, y=top + SIZE - 2, class_="small"))
        left += needed
    return shapes, top + LEADING


def _named(figure: Terms) -> Iterator[tuple[str, str]]:
    seen = set()
    for row in figure.rows:
        for segment in row.segments:
            if (segment.term, segment.label) not in seen:
                seen.add((segment.term, segment.label))
                yield segment.term, segment.label
