"""The report as text for a terminal or a pipe.

Drawn with rich at a fixed width, without its markup: brackets in a file name stay brackets. Control characters are
spelt out, wide characters take two cells, and what is to be pasted is never broken. Pictures are left out: the lines,
bars and tables beside them say the same.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from dam_expert.documents.messages import printable
from dam_expert.reports.model import Bar, Code, Line, Table, Tone
from dam_expert.reports.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.reports.model import Item, Report, Section

WIDTH = 80
_INDENT = 2
_DEPTH = 3
_BAR_CELLS = 24
_LABEL_CELLS = 32
_LEAST_CELLS = 6
_COLUMN_CELLS = 12
#: Columns beside the first one are as wide at least where their cells are wrapped.
_WRAPPED_CELLS = 26
_GAP = "  "
_STYLES = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.GOOD: "bold green",
    Tone.WARNING: "yellow",
    Tone.BAD: "bold red",
    Tone.FAINT: "dim",
}


def to_text(
    report: Report, *, brief: bool = False, explain: bool = False, color: bool = False, width: int = WIDTH
) -> str:
    """Draw a report: ``brief`` its three lines, ``explain`` the whole proof as well; ``color`` adds escape codes."""
    if brief:
        sink, console = _console(color, width)
        for number, line in enumerate(report.brief):
            style = _STYLES[report.head.tone if number == 0 else Tone.PLAIN]
            _print(console, Text(printable(line), style=style))
        return sink.getvalue()
    return sections_text(report.sections + (report.details if explain else ()), color=color, width=width)


def sections_text(sections: Iterable[Section], *, color: bool = False, width: int = WIDTH) -> str:
    """Draw sections below each other, with a blank line between them."""
    sink, console = _console(color, width)
    for number, section in enumerate(sections):
        if number:
            console.print()
        _draw_section(console, section)
    return sink.getvalue()


def items_text(items: Sequence[Item], *, color: bool = False, width: int = WIDTH) -> str:
    """Draw items without a title, from the left margin on; wrapped, aligned and escaped as in a section."""
    sink, console = _console(color, width)
    _draw_items(console, items, indent=0)
    return sink.getvalue()


def _console(color: bool, width: int) -> tuple[io.StringIO, Console]:
    """Return a console and what is written to it: the caller decides on colour and width, nothing else does."""
    sink = io.StringIO()
    console = Console(
        file=sink,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    return sink, console


def _draw_section(console: Console, section: Section) -> None:
    _print(console, Text(printable(section.title), style="bold underline" if console.color_system else ""))
    _draw_items(console, section.items, indent=_INDENT)


def _draw_items(console: Console, items: Sequence[Item], *, indent: int) -> None:
    label_cells, bar_cells = _columns([item for item in items if isinstance(item, Bar)], console.width)
    for item in items:
        match item:
            case Line():
                _draw_line(console, item, indent)
            case Code():
                _draw_code(console, item, indent)
            case Bar():
                _draw_bar(console, item, label_cells, bar_cells)
            case Table():
                _draw_table(console, item)


def _columns(bars: list[Bar], width: int) -> tuple[int, int]:
    """Return how many cells the labels and the bars get; where it is narrow first the bars shrink, then labels."""
    wanted = max((cell_len(printable(bar.label)) for bar in bars), default=0)
    texts = max((cell_len(printable(bar.text)) for bar in bars), default=0)
    room = width - _INDENT - 2 * len(_GAP) - texts
    label_cells = max(min(wanted, _LABEL_CELLS, room - _LEAST_CELLS), _LEAST_CELLS)
    return label_cells, max(min(room - label_cells, _BAR_CELLS), _LEAST_CELLS)


def _draw_line(console: Console, line: Line, indent: int) -> None:
    """Draw a paragraph with a hanging indent: its mark stands alone in the margin."""
    left = " " * (indent + _DEPTH * line.depth)
    mark = f"{printable(line.mark)} " if line.mark else ""
    text = Text(printable(line.text), style=_STYLES[line.tone])
    room = console.width - cell_len(left) - cell_len(mark)
    for number, row in enumerate([text] if line.verbatim or room < 1 else wrapped(console, text, room)):
        row.rstrip()
        margin = left + (mark if number == 0 else " " * cell_len(mark))
        _print(console, Text.assemble(margin, row))


def _draw_code(console: Console, code: Code, indent: int) -> None:
    """Draw what is to be pasted, unbroken: shell commands behind a ``$``, Python indented once more."""
    left = " " * (indent + _DEPTH * code.depth)
    for row in marked(code):
        _print(console, Text(printable(f"{left}{row}")))


def marked(code: Code) -> Iterator[str]:
    r"""Yield the lines of a block, each command of a shell behind a ``$``; blank lines are left out.

    >>> list(marked(Code("first \\\n  more\nsecond\n", "sh")))
    ['$ first \\', '    more', '$ second']
    """
    continued = False
    for row in code.text.splitlines():
        if row.strip():
            yield f"{'  ' if continued or code.language == 'python' else '$ '}{row}"
            continued = row.endswith("\\")


def _draw_bar(console: Console, bar: Bar, label_cells: int, bar_cells: int) -> None:
    """Draw a share to scale; what lies between its bounds is shaded."""
    label = Text(printable(bar.label))
    label.truncate(label_cells, overflow="ellipsis", pad=True)
    low, high = (round((end or 0.0) * bar_cells) for end in (bar.low, bar.high))
    drawn = "█" * low + "▒" * (high - low) + "·" * (bar_cells - high)
    if bar.low is None:
        drawn = "?".ljust(bar_cells, "·")
    _print(console, Text.assemble(" " * _INDENT, label, _GAP, (drawn, "cyan"), _GAP, printable(bar.text)))


def _draw_table(console: Console, table: Table) -> None:
    """Draw rows in columns; where they are too wide the first column is cut, or else each row becomes a paragraph."""
    rows = [[printable(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(table.header))]
    room = console.width - _INDENT - sum(widths[1:]) - len(_GAP) * (len(widths) - 1)
    if room < min(widths[0], _COLUMN_CELLS):
        each = (console.width - _INDENT - widths[0]) // max(len(widths) - 1, 1) - len(_GAP)
        if each >= _WRAPPED_CELLS:
            _draw_wrapped(console, rows, (Tone.FAINT, *table.tones), [widths[0], *[each] * (len(widths) - 1)])
            return
        _draw_stacked(console, rows[0], rows[1:], table.tones)
        return
    widths[0] = min(widths[0], room)
    for row, tone in zip(rows, (Tone.FAINT, *table.tones), strict=True):
        cells = []
        for cell, width in zip(row, widths, strict=True):
            text = Text(cell, style=_STYLES[tone])
            text.truncate(width, overflow="ellipsis", pad=True)
            cells.append(text)
        line = Text(_GAP).join(cells)
        line.rstrip()
        _print(console, Text.assemble(" " * _INDENT, line))


def _draw_wrapped(
    console: Console, rows: Iterable[Sequence[str]], tones: Iterable[Tone], widths: Sequence[int]
) -> None:
    """Draw rows in columns whose cells go on below themselves: what is compared stands side by side."""
    for row, tone in zip(rows, tones, strict=True):
        cells = [
            wrapped(console, Text(cell, style=_STYLES[tone]), width) for cell, width in zip(row, widths, strict=True)
        ]
        for number in range(max(map(len, cells))):
            pieces = []
            for lines, width in zip(cells, widths, strict=True):
                piece = lines[number].copy() if number < len(lines) else Text("")
                piece.rstrip()
                piece.pad_right(width - piece.cell_len)
                pieces.append(piece)
            line = Text(_GAP).join(pieces)
            line.rstrip()
            _print(console, Text.assemble(" " * _INDENT, line))


def _draw_stacked(
    console: Console, header: Sequence[str], rows: Iterable[Sequence[str]], tones: Iterable[Tone]
) -> None:
    """Draw each row as a line of its own with its cells below, each behind what heads its column."""
    for row, tone in zip(rows, tones, strict=True):
        _draw_line(console, Line(row[0], tone=tone), _INDENT)
        for name, cell in zip(header[1:], row[1:], strict=True):
            if cell:
                _draw_line(console, Line(f"{name}: {cell}" if name else cell, depth=1), _INDENT)


def _print(console: Console, text: Text) -> None:
    """Print one row as it is: never wrapped or cut again."""
    console.print(text, no_wrap=True, overflow="ignore", crop=False, soft_wrap=True)
