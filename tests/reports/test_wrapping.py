"""Where paragraphs are broken: no row wider than the room, none that begins with a mark that ends something."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from dam_expert.reports.wrapping import wrapped

MIXED = (
    "算术峰值更高的加速器：在这里是浪费。更多 FLOP/s 并不缩短所等待的东西"
    "（hmma、tensorop、s1688、wgmma）；设备只会更快地进入空闲。"
)
CONSOLE = Console(file=io.StringIO(), width=80)


@pytest.mark.parametrize("room", [7, 10, 20, 33, 80, 200])
def test_rows_fit_and_lose_nothing(room: int) -> None:
    rows = [row.plain for row in wrapped(CONSOLE, Text(MIXED), room)]
    assert max(map(cell_len, rows)) <= room
    assert "".join(rows).replace(" ", "") == MIXED.replace(" ", "")


@pytest.mark.parametrize("room", [20, 33, 50])
def test_no_row_begins_with_a_mark_and_no_name_is_broken(room: int) -> None:
    rows = [row.plain for row in wrapped(CONSOLE, Text(MIXED), room)]
    assert not [row for row in rows if row[0] in "，。；：、）”"]
    assert all(any(name in row for row in rows) for name in ("FLOP/s", "tensorop", "wgmma"))


def test_rows_are_filled() -> None:
    """A Chinese sentence is no single long word: every row but the last is nearly full."""
    rows = [row.plain for row in wrapped(CONSOLE, Text(MIXED), 40)]
    assert all(cell_len(row) > 40 - 12 for row in rows[:-1])


def test_other_languages_are_broken_at_blanks() -> None:
    rows = [row.plain.rstrip() for row in wrapped(CONSOLE, Text("Thiết bị chờ đầu vào trong lúc host đọc"), 16)]
    assert rows == ["Thiết bị chờ đầu", "vào trong lúc", "host đọc"]
