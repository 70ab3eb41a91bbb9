"""The terms of the iron law before and after: one bar each on one scale, and a key to the colours."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from dam_expert.reports.html.svg import LEADING, SIZE, element, lines_at, picture, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from dam_expert.reports.pictures import TermRow, Terms

_BAR: Final = 30.0
_GAP: Final = 14.0
_PADDING: Final = 8.0
_SWATCH: Final = 12.0
_SHADES: Final = 2


def terms(figure: Terms, width: float) -> Markup:
    """Draw the rows below each other, then the key."""
    shapes: list[Markup] = []
    top = 0.0
    classes = _classes(figure)
    for row in figure.rows:
        drawn, top = _row(row, width, top, classes)
        shapes += drawn
    key, top = _key(classes, width, top)
    return picture(figure.alt, width, top, [*shapes, *key])


def _row(row: TermRow, width: float, top: float, classes: Mapping[tuple[str, str], str]) -> tuple[list[Markup], float]:
    """Draw a label with the total, and under it the bar."""
    lines = wrapped(f"{row.label}: {row.text}", width, bold=True)
    shapes = lines_at(lines, 0, top + SIZE, "strong")
    top += len(lines) * LEADING + 4
    left = 0.0
    for segment in row.segments:
        length = width * segment.share
        class_ = classes[segment.term, segment.label]
        shapes.append(element("rect", x=left, y=top, width=length, height=_BAR, class_=class_))
        if width_of(segment.text) + 2 * _PADDING <= length:
            place = {"x": left + _PADDING, "y": top + _BAR / 2 + SIZE / 3}
            shapes.append(element("text", segment.text, class_="inside", **place))
        left += length
    return shapes, top + _BAR + _GAP


def _key(classes: Mapping[tuple[str, str], str], width: float, top: float) -> tuple[list[Markup], float]:
    """Name each colour once, in rows that fit."""
    shapes: list[Markup] = []
    left = 0.0
    for (_, label), class_ in classes.items():
        needed = _SWATCH + 6 + width_of(label) + 16
        if left and left + needed > width:
            left, top = 0.0, top + LEADING
        shapes.append(element("rect", x=left, y=top, width=_SWATCH, height=_SWATCH, class_=class_))
        shapes.append(element("text", label, x=left + _SWATCH + 6, y=top + SIZE - 2, class_="small"))
        left += needed
    return shapes, top + LEADING


def _classes(figure: Terms) -> dict[tuple[str, str], str]:
    """Return what each stretch is drawn as: the colour of its term, paler for further names of the same term."""
    named = dict.fromkeys((segment.term, segment.label) for row in figure.rows for segment in row.segments)
    seen: Counter[str] = Counter()
    found = {}
    for term, label in named:
        shade = min(seen[term], _SHADES)
        found[term, label] = f"term-{term}" + (f" shade{shade}" if shade else "")
        seen[term] += 1
    return found
