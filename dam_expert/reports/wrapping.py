"""Where a paragraph may be broken: Chinese has no blanks, and a mark that ends something begins no row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

_LEAST = 6
_WIDE = re.compile("[\u2e80-\u9fff]")
_OPENS, _CLOSES = "（“‘《【", "，。；：、）”’》】？！"
#: What is not broken: a Chinese letter with the marks around it, or a word of other letters with its blanks.
_PIECES = re.compile(
    rf"[{_OPENS}]*(?:[\u2e80-\u9fff]|[^\s\u2e80-\u9fff{_OPENS}{_CLOSES}]+)[{_CLOSES}]*\s*|[{_OPENS}{_CLOSES}]+\s*|\s+"
)


def wrapped(console: Console, text: Text, room: int) -> Sequence[Text]:
    """Break a paragraph into rows. Chinese has no blanks: it is broken anywhere but before a mark that ends."""
    if room < _LEAST or not _WIDE.search(text.plain):
        return list(text.wrap(console, room))
    rows, row = [], ""
    for piece in _PIECES.findall(text.plain):
        if cell_len(row) + cell_len(piece.rstrip()) <= room:
            row += piece if row or piece.strip() else ""
            continue
        if row.strip():
            rows.append(row.rstrip())
        row = piece.lstrip()
        while cell_len(row) > room:
            end = max(size for size in range(1, len(row) + 1) if cell_len(row[:size]) <= room)
            rows.append(row[:end])
            row = row[end:]
    return [Text(each, style=text.style) for each in (*rows, row.rstrip()) if each]
