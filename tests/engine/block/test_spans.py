"""Spans over rows come, value by value, to what intervals come to."""

from __future__ import annotations

import itertools
import math
import operator

import numpy as np
import pytest

from dam_expert.documents.intervals import Interval, largest, smallest
from dam_expert.engine.block.spans import Span, calculated
from dam_expert.language.conditions import Column
from dam_expert.language.expressions import ColumnValue, Operation

ENDS = [(1, 1), (0, 0), (-2, 3), (2, 5), (-4, -1), (0, 2), (3, math.inf), (-math.inf, 1)]
POINTS = [(1, 1), (0, 0), (-2, -2), (2, 2), (0.3, 0.3), (1e300, 1e300)]
ONE_BY_ONE = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "min": smallest,
    "max": largest,
}


def span(values: list[tuple[float, float]]) -> Span:
    """Return a span of some values, of which points share one array."""
    lo, hi = (np.array([value[end] for value in values], float) for end in (0, 1))
    return Span(np.arange(len(values)), lo, lo if (lo == hi).all() else hi)


def alone(sign: str, first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float] | None:
    try:
        found = ONE_BY_ONE[sign](Interval(*first), Interval(*second))
    except ArithmeticError:
        return None
    return found.lo, found.hi


@pytest.mark.parametrize("sign", ONE_BY_ONE)
@pytest.mark.parametrize(("left", "right"), list(itertools.product([ENDS, POINTS], repeat=2)))
def test_arithmetic(sign: str, left: list[tuple[float, float]], right: list[tuple[float, float]]) -> None:
    """Of intervals and of points; unknown where no interval comes of it."""
    pairs = list(itertools.product(left, right))
    values = {
        ColumnValue(Column("a")): span([a for a, _ in pairs]),
        ColumnValue(Column("b")): span([b for _, b in pairs]),
    }
    one, other = values
    found = calculated(Operation(sign, one, other), values.__getitem__, len(pairs))
    by_row = dict(zip(found.rows.tolist(), zip(found.lo.tolist(), found.hi.tolist(), strict=True), strict=True))
    assert [by_row.get(row) for row in range(len(pairs))] == [alone(sign, a, b) for a, b in pairs]
    assert (found.lo is found.hi) == (left is POINTS and right is POINTS)


@pytest.mark.parametrize("values", [POINTS, ENDS], ids=["points", "intervals"])
@pytest.mark.parametrize("within", [(0, 1), (0.3, 2), (-1, 0), (5, 6), (-math.inf, math.inf)])
def test_what_lies_in_a_range(values: list[tuple[float, float]], within: tuple[float, float]) -> None:
    """The part of each value that does; nothing of one that lies outside."""
    found = span(values).cut(Interval(*within))
    by_row = dict(zip(found.rows.tolist(), zip(found.lo.tolist(), found.hi.tolist(), strict=True), strict=True))
    shared = [Interval(*value).intersection(Interval(*within)) for value in values]
    assert [by_row.get(row) for row in range(len(values))] == [each and (each.lo, each.hi) for each in shared]
