"""What the rows of sysstat begin with."""

from __future__ import annotations

import pytest

from dam_expert.readers.sysstat_rows import AVERAGE, Header, cell, stamped


@pytest.mark.parametrize(
    ("text", "stamp", "rest"),
    [
        pytest.param("16:55:54     all   84.00", "16:55:54", "all   84.00", id="24 hours"),
        pytest.param("12:06:39 PM     0", "12:06:39 PM", "0", id="12 hours"),
        pytest.param("1646859221     0   6", "1646859221", "0   6", id="seconds"),
        pytest.param("11时22分33秒   all 1", "11时22分33秒", "all 1", id="Chinese"),
        pytest.param("14時22分33秒   all 1", "14時22分33秒", "all 1", id="Japanese"),
        pytest.param("14시 25분 53초   all 1", "14시 25분 53초", "all 1", id="Korean"),
        pytest.param("14.26.32   all 1", "14.26.32", "all 1", id="Finnish"),
        pytest.param("02:27:11 μμ   all 1", "02:27:11 μμ", "all 1", id="Greek"),
        pytest.param("02:27:26 PM UTC  all 1", "02:27:26 PM UTC", "all 1", id="with a zone"),
        pytest.param("下午 02時27分56秒 UTC  all 1", "下午 02時27分56秒 UTC", "all 1", id="Hong Kong"),
        pytest.param("UTC 02:29:14 م  all 1", "UTC 02:29:14 م", "all 1", id="Arabic"),
        pytest.param("02:27:26 PM CPU  %usr", "02:27:26 PM", "CPU  %usr", id="without a zone"),
        pytest.param("Average:   all 1", AVERAGE, "all 1", id="average"),
        pytest.param("平均时间:   all 1", AVERAGE, "all 1", id="average in Chinese"),
        pytest.param("# Time   UID", "Time", "UID", id="one line form"),
        pytest.param("usr", "", "usr", id="none"),
    ],
)
def test_rows_begin_with_a_time(text, stamp, rest):
    """Every form of time that sysstat prints is known."""
    assert stamped(text) == (stamp, rest)


def test_the_last_column_takes_what_is_left():
    """A command may hold blanks; a row with too few cells does not fit."""
    header = Header("", ["PID", "Command"])
    assert header.row("7 python train.py") == {"PID": "7", "Command": "python train.py"}
    assert header.row("7") is None
    assert Header().row("7") is None


def test_minus_one_is_unknown():
    """Pidstat prints -1.00 where it may not look."""
    assert cell({"kB_rd/s": "-1.00"}, "kB_rd/s") is None
    assert cell({"%CPU": "150,5"}, "%CPU") == 150.5
