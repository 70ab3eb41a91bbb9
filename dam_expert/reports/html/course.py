"""The course of a session: a line for each cause over the steps, the one that leads at the end drawn strong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports.html.svg import LEADING, SIZE, element, lines_at, picture, width_of, wrapped

if TYPE_CHECKING:
    from markupsafe import Markup

    from dam_expert.reports.pictures import Course, Trace

_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 16.0, 26.0, 26.0
_HEIGHT: Final = 230.0
_SWATCH: Final = 26.0
_GRID: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_TICKS: Final = 12


def course(figure: Course, width: float) -> Markup:
    """Draw the lines over numbered steps, and below them the key with the name of each."""
    shapes = [*_axes(figure, width)]
    for number, trace in reversed(list(enumerate(figure.traces))):  # the one that ends first lies on top
        points = " ".join(f"{_x(figure, step, width):.1f},{_y(share):.1f}" for step, share in enumerate(trace.shares))
        shapes.append(element("polyline", points=points, class_=_class(trace, number)))
    key, bottom = _key(figure, width)
    return picture(figure.alt, width, bottom, [*shapes, *key])


def _class(trace: Trace, number: int) -> str:
    return f"trace trace{number}" + (" leads" if trace.leads else "")


def _x(figure: Course, step: int, width: float) -> float:
    return _LEFT + (width - _LEFT - _RIGHT) * step / max(figure.steps, 1)


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1.0 - share)


def _axes(figure: Course, width: float) -> list[Markup]:
    shapes = [element("text", figure.axis, x=0, y=SIZE, class_="small")]
    for share in _GRID:
        y = _y(share)
        shapes.append(element("line", x1=_LEFT, y1=y, x2=width - _RIGHT, y2=y, class_="grid"))
        label = f"{share:.0%}".replace("%", " %")
        shapes.append(element("text", label, x=_LEFT - 6, y=y + SIZE / 3, text_anchor="end", class_="small"))
    every = max(1, -(-figure.steps // _MOST_TICKS))
    base = _HEIGHT - _BOTTOM + LEADING
    start = element("text", figure.starts, x=_LEFT, y=base, text_anchor="start", class_="small")
    free = _LEFT + width_of(figure.starts) + 8
    ticks = [step for step in range(every, figure.steps + 1, every) if _x(figure, step, width) > free]
    return [
        *shapes,
        start,
        *(
            element("text", str(step), x=_x(figure, step, width), y=base, text_anchor="middle", class_="small")
            for step in ticks
        ),
    ]


def _key(figure: Course, width: float) -> tuple[list[Markup], float]:
    """Name each line, one below the other: names of causes are sentences."""
    shapes: list[Markup] = []
    top = _HEIGHT + 4
    for number, trace in enumerate(figure.traces):
        y = top + SIZE / 2
        shapes.append(element("line", x1=0, y1=y, x2=_SWATCH, y2=y, class_=_class(trace, number)))
        lines = wrapped(trace.label, width - _SWATCH - 8, bold=trace.leads)
        shapes += lines_at(lines, _SWATCH + 8, top + SIZE - 2, "strong" if trace.leads else "")
        top += len(lines) * LEADING
    return shapes, top
