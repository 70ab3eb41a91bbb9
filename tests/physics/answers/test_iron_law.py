"""The iron law as an answer: what binds, what removing a term gives, what levers change."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics.answers.iron_law import VARIABLES, change, iron_law
from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.iron_law import Term

SECONDS = st.floats(1e-6, 1e3)


@given(SECONDS, SECONDS, SECONDS)
def test_bounds_and_gains(data, compute, latency):
    """The sum is at least the bound, shares add up to 1, and no gain is below 1."""
    answer = iron_law(data, compute, latency)
    assert answer.sequential_s >= answer.bound_s >= max(data, compute)
    assert math.isclose(sum(each.share for each in answer.terms), 1.0)
    assert all(each.sequential_gain >= 1 and each.overlapped_gain >= 1 for each in answer.terms)


@given(SECONDS, SECONDS, SECONDS, st.sampled_from(sorted(VARIABLES)), st.floats(1.0, 100.0))
def test_levers_never_beat_removing_the_term(data, compute, latency, variable, factor):
    """A lever gives at least nothing, and at most what removing its term gives."""
    before = iron_law(data, compute, latency)
    term, slows = VARIABLES[variable]
    after = change(before, ((variable, 1 / factor if slows else factor),))
    assert 1 - 1e-9 <= after.sequential_gain <= before.of(term).sequential_gain * (1 + 1e-9)
    assert 1 - 1e-9 <= after.overlapped_gain <= before.of(term).overlapped_gain * (1 + 1e-9)


def test_the_hidden_term_gains_nothing_overlapped():
    """The smaller of data movement and compute is hidden by the other: removing it gives 1."""
    assert iron_law(0.040, 0.060, 0.005).of(Term.DATA_MOVEMENT).overlapped_gain == 1.0


def test_a_single_term_has_no_bound():
    """Where one term is everything, removing it has no bound, and the margin has none either."""
    answer = iron_law(data_s=0.01)
    assert (answer.of(Term.DATA_MOVEMENT).sequential_gain, answer.margin) == (math.inf, math.inf)


def test_measured_time():
    """A time between the bounds shows how much of the overlap is reached; above the sum, what no term explains."""
    between, above = iron_law(0.04, 0.06, 0.005, 0.085).measured, iron_law(0.04, 0.06, 0.005, 0.125).measured
    assert (round(between.overlap_achieved, 9), between.unexplained_s) == (0.5, 0.0)
    assert (above.overlap_achieved, round(above.unexplained_s, 9)) == (0.0, 0.02)


def test_no_overlap_to_measure():
    """Where there is nothing to overlap the reached share is unknown."""
    assert iron_law(compute_s=0.06, measured_s=0.07).measured.overlap_achieved is None


def test_nothing_at_all():
    """A step without any term is an error."""
    with pytest.raises(PhysicsError, match="no term takes any time"):
        iron_law()
