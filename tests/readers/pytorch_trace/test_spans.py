"""The interval algebra against counting on a grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dam_expert.readers.pytorch_trace import spans

PAIRS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=8)


def made(pairs: list[tuple[int, int]]) -> spans.Spans:
    starts = np.array([float(start) for start, _ in pairs])
    return spans.union(starts, starts + np.array([float(length) for _, length in pairs]))


def cells(covered: spans.Spans) -> set[int]:
    return {cell for start, end in covered for cell in range(int(start), int(end))}


@settings(max_examples=100, deadline=None)
@given(one=PAIRS, other=PAIRS)
def test_spans_are_sets_of_time(one, other):
    """Union, intersection and difference cover exactly what sets of grid cells do."""
    first, second = made(one), made(other)
    assert cells(spans.join(first, second)) == cells(first) | cells(second)
    assert cells(spans.intersect(first, second)) == cells(first) & cells(second)
    assert cells(spans.subtract(first, second)) == cells(first) - cells(second)
    assert spans.total(first) == len(cells(first))
    before = spans.covered_before(np.arange(60.0), first)
    assert before.tolist() == [float(sum(cell < time for cell in cells(first))) for time in range(60)]


def test_edges_are_inside():
    """A gap that begins at the very end of a call began within it."""
    assert spans.inside(np.array([0.0, 1.0, 2.0, 2.1]), spans.span(1.0, 2.0)).tolist() == [False, True, True, False]


@pytest.mark.parametrize("function", [spans.intersect, spans.subtract, spans.join])
def test_nothing_stays_nothing(function):
    """No spans with no spans are no spans."""
    assert spans.total(function(spans.nothing(), spans.nothing())) == 0.0
