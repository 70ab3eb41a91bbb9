"""The proof as a tree of boxes: the conclusion on top, indented under it the rules, under these what they saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports.html.svg import LEADING, SIZE, element, lines_at, picture, wrapped

if TYPE_CHECKING:
    from markupsafe import Markup

    from dam_expert.reports.pictures import Node, Tree

_INDENT: Final = 0.035
_LEAST_INDENT: Final = 18.0
_PADDING: Final = 10.0
_EDGE: Final = 5.0
_GAP: Final = 8.0
_NOTE_SIZE: Final = 12.0


def tree(figure: Tree, width: float) -> Markup:
    """Draw the boxes below each other, joined by elbows."""
    shapes, height = _node(figure.root, width, 0.0, 0.0)
    return picture(figure.alt, width, height, shapes)


def _node(node: Node, width: float, left: float, top: float) -> tuple[list[Markup], float]:
    """Draw a node and what is under it; return where the next one may begin."""
    step = max(width * _INDENT, _LEAST_INDENT)
    shapes, bottom = _box(node, width, left, top)
    spine, joint = left + step / 2, top
    after = bottom
    for child in node.children:
        joint = after + _GAP
        drawn, after = _node(child, width, left + step, joint)
        turn = joint + _PADDING + SIZE / 2
        shapes.append(
            element(
                "polyline",
                points=f"{spine:.1f},{bottom:.1f} {spine:.1f},{turn:.1f} {left + step:.1f},{turn:.1f}",
                class_="elbow",
            )
        )
        shapes += drawn
    return shapes, after


def _box(node: Node, width: float, left: float, top: float) -> tuple[list[Markup], float]:
    """Draw a box with its text, and its note in smaller letters; its edge has the colour of what it is."""
    room = width - left - 2 * _PADDING - _EDGE
    bold = bool(node.children)
    text, note = wrapped(node.text, room, bold=bold), wrapped(node.note, room, _NOTE_SIZE) if node.note else []
    height = 2 * _PADDING + (len(text) + len(note)) * LEADING - (LEADING - SIZE)
    x, y = left + _EDGE + _PADDING, top + _PADDING + SIZE - 2
    shapes = [
        element("rect", x=left, y=top, width=width - left, height=height, rx=4, class_="box"),
        element("rect", x=left, y=top, width=_EDGE, height=height, class_=f"edge edge-{node.kind}"),
        *lines_at(text, x, y, "strong" if bold else "plain"),
        *lines_at(note, x, y + len(text) * LEADING, "note"),
    ]
    return shapes, top + height
