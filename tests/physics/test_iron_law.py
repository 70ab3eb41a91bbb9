"""The iron law: vectors, order of bounds, and impossible measurements."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, iron_law

SECONDS = st.floats(0, 1e6, allow_subnormal=False)
SOME = st.floats(1e-6, 1e6)


@pytest.mark.parametrize(
    ("data_s", "serial", "bound", "gain"),
    [
        pytest.param(0.040, 0.105, 0.065, 1.62, id="comparable terms"),
        pytest.param(0.005, 0.070, 0.065, 1.08, id="one term dominates"),
    ],
)
def test_worked_overlap(data_s, serial, bound, gain):
    """60 ms of compute and 5 ms of latency: overlap gains most where the terms are balanced."""
    assert iron_law.sequential_s(data_s, 0.060, 0.005) == pytest.approx(serial)
    assert iron_law.overlapped_bound_s(data_s, 0.060, 0.005) == pytest.approx(bound)
    assert round(float(iron_law.overlap_gain(data_s, 0.060, 0.005)), 2) == gain


@given(SECONDS, SECONDS, SECONDS)
def test_sequential_is_at_least_overlapped_is_at_least_each_term(data, compute, latency):
    """The sum is never below the bound, and the bound never below any term."""
    total, bound = iron_law.sequential_s(data, compute, latency), iron_law.overlapped_bound_s(data, compute, latency)
    assert total >= bound >= max(data, compute, latency)


@given(SOME, SOME, SECONDS)
def test_overlap_gain_is_between_one_and_two(data, compute, latency):
    """Perfect overlap gives at least 1 and at most 2."""
    assert 1 <= iron_law.overlap_gain(data, compute, latency) <= 2 + 1e-12


@given(SOME, SOME, SECONDS, st.floats(0, 1))
def test_achieved_overlap_and_gain_left_agree_with_a_made_up_measurement(data, compute, latency, phi):
    """A time built from a share of overlap gives that share back, and the gain left leads to the bound."""
    total, bound = iron_law.sequential_s(data, compute, latency), iron_law.overlapped_bound_s(data, compute, latency)
    measured = total - phi * (total - bound)
    left = iron_law.gain_left(measured, data, compute, latency)
    assert left >= 1
    assert measured / left == pytest.approx(bound, rel=1e-6)
    if total - bound > 1e-6 * total:
        assert iron_law.overlap_achieved(measured, data, compute, latency) == pytest.approx(phi, abs=1e-6)


@given(SOME, SOME, SOME, st.floats(0.1, 10))
def test_units_scale(moved, bandwidth, operations, factor):
    """Bytes and bandwidth in another unit give the same seconds; twice the operations twice the compute time."""
    assert iron_law.data_time_s(moved * factor, bandwidth * factor) == pytest.approx(
        iron_law.data_time_s(moved, bandwidth)
    )
    once, more = iron_law.compute_time_s(operations, 1e12, 0.5), iron_law.compute_time_s(operations * factor, 1e12, 0.5)
    assert more == pytest.approx(once * factor)


@given(SOME, SOME, st.floats(0.01, 1), st.floats(0.01, 1))
def test_time_falls_with_every_denominator(operations, peak, low, high):
    """A higher efficiency never gives a longer compute time."""
    low, high = sorted((low, high))
    assert iron_law.compute_time_s(operations, peak, high) <= iron_law.compute_time_s(operations, peak, low)


@pytest.mark.parametrize(
    ("terms", "name"),
    [
        ((3, 2, 1), "data_movement"),
        ((1, 2, 1), "compute"),
        ((1, 2, 3), "latency"),
        ((2, 2, 1), "data_movement"),
        ((1, np.nan, 3), "unknown"),
    ],
)
def test_binding_term(terms, name):
    """The largest term binds, of equal ones the first; an unknown term leaves it unknown."""
    assert str(iron_law.binding_term(*terms)) == name


def test_binding_term_broadcasts():
    """Arrays give one name per element."""
    assert iron_law.binding_term([1, 3], 2).tolist() == ["compute", "data_movement"]


def test_measured_below_the_bound_is_an_input_error():
    """A step faster than the bound of its terms means that an input is wrong."""
    with pytest.raises(PhysicsError, match="less than the lower bound") as caught:
        iron_law.overlap_achieved([0.085, 0.050], 0.040, 0.060, 0.005)
    assert caught.value.argument == "measured_s[1]"


def test_time_beyond_the_sum_is_unexplained():
    """A step longer than the sum shows no overlap; the rest is unexplained and stays after perfect overlap."""
    assert iron_law.overlap_achieved(0.205, 0.040, 0.060, 0.005) == 0
    assert iron_law.unexplained_s(0.205, 0.040, 0.060, 0.005) == pytest.approx(0.100)
    assert iron_law.gain_left(0.205, 0.040, 0.060, 0.005) == pytest.approx(0.205 / 0.165)


def test_nothing_to_overlap_is_unknown():
    """Without a second term the achieved overlap has no meaning."""
    assert np.isnan(iron_law.overlap_achieved(0.065, 0.0, 0.060, 0.005))
    assert np.isnan(iron_law.overlap_gain(0, 0, 0))


def test_unknown_terms_stay_unknown():
    """A term that is NaN makes sums and bounds NaN."""
    assert np.isnan(iron_law.sequential_s(np.nan, 1))
    assert np.isnan(iron_law.overlapped_bound_s(np.nan, 1))


def test_zero_efficiency_is_refused():
    """An efficiency of 0 would give infinite time: it is an input error."""
    with pytest.raises(PhysicsError, match="efficiency"):
        iron_law.compute_time_s(1, 1, 0)
