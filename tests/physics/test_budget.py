"""Closed budgets and unions of intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, budget

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=12)


def _spans(pairs):
    starts = np.array([start for start, _ in pairs], dtype=float)
    return starts, starts + np.array([length for _, length in pairs], dtype=float)


def _seconds(pairs):
    return {second for start, length in pairs for second in range(start, start + length)}


def test_parts_and_residual_close_the_budget():
    """What no part explains is the residual."""
    closed = budget.close_budget(0.105, {"input": 0.040, "device": 0.060})
    assert closed.residual_s == pytest.approx(0.005)
    assert closed.share("input") + closed.share("device") + closed.residual_share == pytest.approx(1)
    assert closed.ceiling("input") == pytest.approx(0.105 / 0.065)


def test_ceiling_of_a_part_at_its_roof():
    """A part that already runs at its roof gives nothing; at half of it, half of its share."""
    closed = budget.close_budget(1.0, {"device": 0.8})
    assert closed.ceiling("device", roof_share=1.0) == 1
    assert closed.ceiling("device", roof_share=0.5) == pytest.approx(1 / 0.6)


@given(st.floats(0.1, 10), st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_shares_close_and_ceilings_are_at_least_one(total, weights):
    """Shares and residual are one whole whatever the parts, and no ceiling is below 1."""
    scale = total / max(sum(weights), 1.0)
    closed = budget.close_budget(total, {str(i): weight * scale for i, weight in enumerate(weights)})
    shares = [closed.share(part) for part in closed.parts_s]
    assert sum(shares) + closed.residual_share == pytest.approx(1)
    assert all(closed.ceiling(part) >= 1 for part in closed.parts_s if closed.share(part) <= 1)


def test_parts_that_exceed_the_total_are_refused():
    """Overlapping parts, summed ranks or added percentiles give more than the whole."""
    with pytest.raises(PhysicsError, match=r"the parts take 1.2 s of a total of 1 s; parts that overlap"):
        budget.close_budget(1.0, {"a": 0.7, "b": 0.5}, tolerance=0.05)


def test_a_little_too_much_is_scaled_down():
    """Within the tolerance the parts are scaled, so that shares never exceed 1."""
    closed = budget.close_budget(1.0, {"a": 0.52, "b": 0.52}, tolerance=0.05)
    assert closed.share("a") == pytest.approx(0.5)
    assert closed.residual_s == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("parts", "largest"), [({"a": 0.6, "b": 0.2}, "a"), ({"a": 0.4, "b": 0.2}, None), ({}, None)])
def test_a_part_larger_than_all_else(parts, largest):
    """A part exceeds all others and the residual together, or none does."""
    assert budget.close_budget(1.0, parts).largest() == largest


@given(SPANS)
def test_union_counts_each_second_once(pairs):
    """Busy time is the union, however many things ran at once."""
    assert budget.union_s(*_spans(pairs)) == len(_seconds(pairs))


@given(SPANS, SPANS)
def test_exposed_is_what_no_cover_runs_beside(pairs, covers):
    """Communication beside compute is hidden, the rest exposed."""
    assert budget.exposed_union_s(*_spans(pairs), *_spans(covers)) == len(_seconds(pairs) - _seconds(covers))


@given(SPANS)
def test_merged_intervals_are_disjoint_and_in_order(pairs):
    """Merging gives intervals that neither overlap nor touch."""
    starts, ends = budget.merged(*_spans(pairs))
    assert (starts[1:] > ends[:-1]).all()


def test_end_before_start():
    """An interval that ends before it starts comes from two clocks."""
    with pytest.raises(PhysicsError, match="clocks of two machines mixed"):
        budget.union_s([0, 5], [1, 4])


def test_unknown_interval():
    """An interval without an end cannot be merged."""
    with pytest.raises(PhysicsError, match="an interval is unknown"):
        budget.union_s([0], [np.nan])
