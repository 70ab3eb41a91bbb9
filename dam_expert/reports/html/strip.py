"""The budget: one strip in which every part has its length, and a small bar for each row of its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from dam_expert.reports.html.svg import SIZE, element, picture, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.reports.model import Bar

_HEIGHT: Final = 34.0
_PADDING: Final = 10.0
_MINI: Final = (100.0, 12.0)


def strip(bars: Sequence[Bar], width: float) -> Markup:
    """Draw the known parts side by side, to scale; the one that binds stands out, names stand where there is room."""
    known = [(bar, (bar.low + bar.high) / 2) for bar in bars if bar.low is not None and bar.high is not None]
    whole = max(sum(share for _, share in known), 1.0)
    shapes: list[Markup] = []
    left = 0.0
    for number, (bar, share) in enumerate(known):
        length = width * share / whole
        kind = "binds" if bar.leads else f"part{number % 2}"
        shapes.append(element("rect", x=left, y=0, width=length, height=_HEIGHT, class_=kind))
        if width_of(bar.label) + 2 * _PADDING <= length:
            place = {"x": left + _PADDING, "y": _HEIGHT / 2 + SIZE / 3}
            shapes.append(element("text", bar.label, class_="inside", **place))
        left += length
    alt = "; ".join(f"{bar.label} {bar.text}" for bar, _ in known)
    return picture(alt, width, _HEIGHT, shapes)


def mini(bar: Bar) -> Markup:
    """Draw one share: filled to its lower bound, paler to its upper; the cell beside it says the number."""
    width, height = _MINI
    low, high = width * (bar.low or 0.0), width * (bar.high or 0.0)
    kind = "binds" if bar.leads else "part0"
    shapes = [
        element("rect", x=0, y=0, width=width, height=height, class_="track"),
        element("rect", x=0, y=0, width=low, height=height, class_=kind),
        element("rect", x=low, y=0, width=high - low, height=height, class_=f"{kind} unsure"),
    ]
    box = {"viewBox": f"0 0 {width:.0f} {height:.0f}", "preserveAspectRatio": "none", "aria_hidden": "true"}
    return element("svg", *shapes, class_="mini", **box)
