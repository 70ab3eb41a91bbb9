"""Stripping and numbers."""

from __future__ import annotations

import pytest

from dam_expert.readers.text import clean, number


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("0:     0   630    53", "0   630    53"),
        ("[1,0]<stdout>:sda 1.0", "sda 1.0"),
        ("Fri Feb 26 10:00:00 2021[1,0]<stdout>:sda 1.0", "sda 1.0"),
        ("[prterun-node7-2214@1,12]<stdout>: sda 1.0", "sda 1.0"),
        ("[0]     75.11  0.05", "75.11  0.05"),
        ("[  13.7] usb 1-2", "[  13.7] usb 1-2"),
        ("[rank6]: sda 1.0", "sda 1.0"),
        ("[default0]:sda", "sda"),
        ("2026-11-29T10:00:00.1Z stdout F [rank0]: sda", "sda"),
        ("(Worker pid=12, ip=10.0.0.1) sda", "sda"),
        ("> > sda", "sda"),
        ("\x1b[1;31msda\x1b[0m\x1b]0;title\x07", "sda"),
        ("```text", ""),
        ("    sda\u00a01\r", "sda 1"),
        ("2026-11-29T16:55:20+0100", "2026-11-29T16:55:20+0100"),
        ("11/29/26 16:55:20", "11/29/26 16:55:20"),
    ],
)
def test_what_others_put_around_a_line_is_stripped(line, text):
    """Launchers, logs, terminals and chat windows leave the tool's own line."""
    assert clean(line) == text


@pytest.mark.parametrize(
    "cell",
    [
        "N/A",
        "[N/A]",
        "[Not Supported]",
        "[Unknown Error]",
        "[Function Not Found]",
        "[Requested functionality has been deprecated]",
        "[Insufficient Permissions]",
        "-",
        "--",
        "",
        "<not supported>",
        "nan",
        "NaN",
        "inf",
        "None",
        "Unknown",
        "9" * 400,
        "1.2.3",
    ],
)
def test_not_available_is_unknown_and_never_zero(cell):
    """Every spelling of a missing number is None."""
    assert number(cell) is None


@pytest.mark.parametrize(
    ("cell", "value"),
    [("98 %", 98.0), ("1024 MiB", 1024.0), ("-3.5", -3.5), ("0", 0.0), (".5", 0.5), ("6.2M", 6.2), ("1e3", 1000.0)],
)
def test_numbers_keep_their_value_with_a_unit_behind(cell, value):
    """The unit in a cell does not hide its number."""
    assert number(cell) == value


def test_a_comma_is_decimal_only_where_the_tool_says_so():
    """The same text is a number under one tool's locale and none under another's."""
    assert (number("21,15"), number("21,15", decimal_comma=True)) == (None, 21.15)
