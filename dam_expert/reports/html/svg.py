"""Small pieces of SVG: elements whose text and attributes are escaped, and how much room a text takes.

>>> print(element("text", "a < b", x=1.25, text_anchor="end"))
<text x="1.2" text-anchor="end">a &lt; b</text>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape
from rich.cells import cell_len, chop_cells

from dam_expert.documents.messages import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The mean width of a Latin letter over the size of its font; wide letters take two. Measured on common system fonts.
_LETTER: Final = 0.58
#: How much wider bold letters are.
_BOLD: Final = 1.13
SIZE: Final = 13.0
LEADING: Final = 18.0


def element(name: str, *inside: str | Markup, **attributes: str | float) -> Markup:
    """Return an element. ``class_`` is written ``class``, other underscores become hyphens, numbers get one digit."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"' for key, value in attributes.items()
    )
    body = Markup("").join(each if isinstance(each, Markup) else escape(printable(each)) for each in inside)
    return Markup(f"<{name}{written}>{body}</{name}>")  # the parts are escaped above


def _value(value: str | float) -> str:
    return printable(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def picture(alt: str, width: float, height: float, shapes: Iterable[Markup]) -> Markup:
    """Return a whole picture; ``alt`` is what it says to whoever cannot see it."""
    box = f"0 0 {_value(width)} {_value(height)}"
    return element("svg", *shapes, viewBox=box, width=width, height=height, role="img", aria_label=alt)


def wrapped(text: str, room: float, size: float = SIZE, *, bold: bool = False) -> list[str]:
    """Break a text into lines that fit into ``room``; a word longer than a line is cut.

    >>> wrapped("one two three", 60)
    ['one two', 'three']
    """
    cells = max(int(room / (size * _LETTER * (_BOLD if bold else 1.0))), 4)
    lines = [""]
    for word in printable(text).split(" "):
        for number, piece in enumerate(chop_cells(word, cells) or [""]):
            joined = f"{lines[-1]} {piece}" if lines[-1] and number == 0 else f"{lines[-1]}{piece}"
            if cell_len(joined) <= cells:
                lines[-1] = joined
            else:
                lines.append(piece)
    return lines


def width_of(text: str, size: float = SIZE, *, bold: bool = False) -> float:
    """Return about how much room a text takes on one line."""
    return cell_len(printable(text)) * size * _LETTER * (_BOLD if bold else 1.0)


def lines_at(lines: Iterable[str], x: float, y: float, class_: str) -> list[Markup]:
    """Return lines of text below each other, the first with its base line at ``y``."""
    return [element("text", line, x=x, y=y + number * LEADING, class_=class_) for number, line in enumerate(lines)]
