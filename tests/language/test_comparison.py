"""Comparisons of ranges."""

from __future__ import annotations

import pytest

from dam_expert.documents.intervals import Interval
from dam_expert.language.comparison import compare, is_word
from dam_expert.language.conditions import Operator


def truth(value, operator, limit):
    value = Interval(*value) if isinstance(value, tuple) else Interval.point(value)
    limit = Interval(*limit) if isinstance(limit, tuple) else Interval.point(limit)
    return compare(value, Operator(operator), limit).word


@pytest.mark.parametrize(
    ("value", "operator", "limit", "expected"),
    [
        pytest.param(1, "<", 2, "true", id="less"),
        pytest.param(2, "<", 2, "false", id="equal is not less"),
        pytest.param((1, 2), "<", 2, "unknown", id="all but the end is less"),
        pytest.param((2, 3), "<", 2, "false", id="nothing of it is less"),
        pytest.param((1, 2), "<=", 2, "true", id="all is at most"),
        pytest.param((2, 3), "<=", 2, "unknown", id="only the end is at most"),
        pytest.param((2.5, 3), "<=", 2, "false", id="nothing is at most"),
        pytest.param((1, 2), ">", 2, "false", id="nothing is more"),
        pytest.param((2, 3), ">", 2, "unknown", id="all but the end is more"),
        pytest.param((2, 3), ">=", 2, "true", id="all is at least"),
        pytest.param((1, 2), ">=", 2, "unknown", id="only the end is at least"),
        pytest.param((1, 1.5), ">=", 2, "false", id="nothing is at least"),
        pytest.param((1, 3), "<", (4, 5), "true", id="below all of a range"),
        pytest.param((1, 4), "<", (4, 5), "unknown", id="touches a range"),
        pytest.param((5, 6), "<", (4, 5), "false", id="not below any of a range"),
        pytest.param((0, float("inf")), ">", 3, "unknown", id="open above"),
        pytest.param(3, "is", 3, "true", id="same"),
        pytest.param(3, "is", 4, "false", id="other"),
        pytest.param((2, 4), "is", 3, "unknown", id="perhaps the same"),
        pytest.param((2, 4), "is", (2, 4), "unknown", id="the same range may be two values"),
    ],
)
def test_a_comparison_holds_if_all_of_the_range_does(value, operator, limit, expected):
    """It fails if nothing of the range does; otherwise it is unknown."""
    assert truth(value, operator, limit) == expected


@pytest.mark.parametrize(
    ("word", "expected"), [("Socket", "true"), (" socket ", "true"), ("NVLink", "false"), ("", "false")]
)
def test_words_are_the_same_in_any_case(word, expected):
    """Tools write ``NET/Socket`` and people ``socket``; conditions hold words in lower case."""
    assert is_word(word, {"socket", "tcp"}).word == expected
