"""What all pictures share: a white figure, colours, escaped names, and the bytes of a file.

Colours are those of Okabe and Ito, 2008, which people with colour-blindness can tell apart.
"""

from __future__ import annotations

import io
from typing import Any

from dam_expert.documents.messages import printable

BLACK, ORANGE, BLUE, GREEN, RED = "#222222", "#E69F00", "#0072B2", "#009E73", "#D55E00"
GREY, PALE = "#666666", "#e6e6e6"
_DPI = 150
_LONGEST_NAME = 28


def canvas(width: float, height: float, margins: tuple[float, float, float, float]) -> tuple[Any, Any]:
    """Return a figure (inches) and its axes, without global state; margins are the left, right, top, bottom ends."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=_DPI, facecolor="white")
    left, right, top, bottom = margins
    figure.subplots_adjust(left=left, right=right, top=top, bottom=bottom)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    return figure, axes


def content(figure: Any, ending: str) -> bytes:  # noqa: ANN401
    """Return the file: texts of an SVG stay texts, a fixed salt and no date give the same bytes every time."""
    import matplotlib as mpl

    sink = io.BytesIO()
    metadata = {"Date": None} if ending == "svg" else {"Software": None}
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "dam"}):
        figure.savefig(sink, format=ending, facecolor="white", metadata=metadata)
    return sink.getvalue()


def name(text: str) -> str:
    r"""Return a name from the input as it may be drawn: escaped, short, and without mathematics between dollars.

    >>> name("gemm $x$"), len(name("k" * 100))
    ('gemm \\$x\\$', 28)
    """
    shown = printable(text)
    short = shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 1]}…"
    return short.replace("$", r"\$")
