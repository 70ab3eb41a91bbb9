"""The roofline on two logarithmic axes: the roof, where the work stands, and how far the roof is above it."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Final

from dam_expert.documents.formatting import format_value
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.reports.html.svg import LEADING, SIZE, element, picture, width_of

if TYPE_CHECKING:
    from markupsafe import Markup

    from dam_expert.reports.pictures import Roof

_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 14.0, 44.0, 44.0
_ASPECT: Final = 0.5
_LEAST_HEIGHT: Final = 240.0
_POINT: Final = 6.0


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Plane:
    """Where a pair of numbers lies in the picture; the bounds are powers of ten."""

    width: float
    height: float
    low: tuple[int, int]
    high: tuple[int, int]

    def at(self, intensity: float, share: float) -> tuple[float, float]:
        across = (math.log10(intensity) - self.low[0]) / (self.high[0] - self.low[0])
        up = (math.log10(share) - self.low[1]) / (self.high[1] - self.low[1])
        x = _LEFT + across * (self.width - _LEFT - _RIGHT)
        return x, self.height - _BOTTOM - up * (self.height - _TOP - _BOTTOM)


def roof(figure: Roof, width: float) -> Markup:
    """Draw the roof as a line, the possible and the reached rate as points."""
    height = max(width * _ASPECT, _LEAST_HEIGHT)
    plane = _plane(figure, width, height)
    start = 10.0 ** plane.low[0]
    path = [plane.at(start, max(start / figure.ridge, 10.0 ** plane.low[1])), plane.at(figure.ridge, 1.0)]
    if start / figure.ridge < 10.0 ** plane.low[1]:
        path[0] = plane.at(figure.ridge * 10.0 ** plane.low[1], 10.0 ** plane.low[1])
    path.append(plane.at(10.0 ** plane.high[0], 1.0))
    line = element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in path), class_="roof")
    x, y = plane.at(figure.ridge, 1.0)
    ridge = element("text", figure.ridge_label, x=x, y=y - 8, text_anchor="middle", class_="small")
    return picture(figure.alt, width, height, [*_axes(figure, plane), line, ridge, *_point(figure, plane)])


def _plane(figure: Roof, width: float, height: float) -> _Plane:
    lowest = min(figure.attainable, figure.achieved or 1.0)
    low = (math.floor(math.log10(min(figure.intensity, figure.ridge) / 2)), math.floor(math.log10(lowest / 1.5)))
    high = (math.ceil(math.log10(max(figure.intensity, figure.ridge) * 2)), 0)
    return _Plane(width=width, height=height, low=low, high=high)


def _axes(figure: Roof, plane: _Plane) -> list[Markup]:
    """Draw both axes with a tick at every power of ten, and say what they are."""
    bottom, right = plane.height - _BOTTOM, plane.width - _RIGHT
    shapes = [
        element("line", x1=_LEFT, y1=bottom, x2=right, y2=bottom, class_="axis"),
        element("line", x1=_LEFT, y1=_TOP, x2=_LEFT, y2=bottom, class_="axis"),
        element("text", figure.x_label, x=right, y=plane.height - 6, text_anchor="end", class_="small"),
        element("text", figure.y_label, x=0, y=SIZE, class_="small"),
    ]
    for power in range(plane.low[0], plane.high[0] + 1):
        x, _ = plane.at(10.0**power, 1.0)
        label = format_value(Interval.point(10.0**power), unit="1", kind=Kind.LEVEL)
        shapes.append(element("text", label, x=x, y=bottom + LEADING, text_anchor="middle", class_="small"))
    for power in range(plane.low[1], 1):
        _, y = plane.at(10.0 ** plane.low[0], 10.0**power)
        label = format_value(Interval.point(10.0**power), unit="1", kind=Kind.SHARE)
        shapes.append(element("line", x1=_LEFT, y1=y, x2=right, y2=y, class_="grid"))
        shapes.append(element("text", label, x=_LEFT - 6, y=y + SIZE / 3, text_anchor="end", class_="small"))
    return shapes


def _point(figure: Roof, plane: _Plane) -> list[Markup]:
    """Mark the possible rate; where the reached one is known, mark it too, and the gap between them."""
    x, above = plane.at(figure.intensity, figure.attainable)
    if figure.achieved is None:
        return [
            element("circle", cx=x, cy=above, r=_POINT, class_="point"),
            *_label(figure.point_label, x, above, plane),
        ]
    _, below = plane.at(figure.intensity, figure.achieved)
    return [
        element("line", x1=x, y1=above, x2=x, y2=below, class_="gap"),
        element("circle", cx=x, cy=above, r=_POINT - 1, class_="possible"),
        element("circle", cx=x, cy=below, r=_POINT, class_="point"),
        *_label(figure.gap_label, x, (above + below) / 2, plane),
        *_label(figure.point_label, x, below + LEADING, plane),
    ]


def _label(text: str, x: float, y: float, plane: _Plane) -> list[Markup]:
    """Write beside a point, on the side on which there is room."""
    fits = x + 12 + width_of(text, bold=True) <= plane.width
    anchor, place = ("start", x + 12) if fits else ("end", x - 12)
    return [element("text", text, x=place, y=y + SIZE / 3, text_anchor=anchor, class_="strong")]
