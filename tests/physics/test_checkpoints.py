"""Checkpoint intervals and their cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import checkpoints

HOUR = 3600


def test_worked_example():
    """200 s writes, a failure every 7.9 h (Kokolis et al. 2024, 1024 devices): every 56 min, 11.9 % lost."""
    interval = checkpoints.young_interval_s(200, 7.9 * HOUR)
    assert round(float(interval) / 60) == 56
    assert round(float(checkpoints.checkpoint_waste(200, interval, 7.9 * HOUR)) * 100, 1) == 11.9


def test_bloom():
    """BLOOM wrote 40 s every 3 h: 0.37 % of the time (S. Bekman, Machine Learning Engineering)."""
    assert round(40 / (3 * HOUR) * 100, 2) == 0.37
    assert float(checkpoints.checkpoint_waste(40, 3 * HOUR, 1e12)) == pytest.approx(0.0037, abs=5e-5)


@given(st.floats(1, 1e3), st.floats(1e4, 1e7), st.floats(0.2, 5))
def test_no_other_interval_wastes_less(write, between, factor):
    """The first-order interval minimises the first-order waste, which is then sqrt(2 write / between)."""
    best = checkpoints.young_interval_s(write, between)
    least = checkpoints.checkpoint_waste(write, best, between)
    assert least == pytest.approx((2 * write / between) ** 0.5)
    assert checkpoints.checkpoint_waste(write, best * factor, between) >= least * (1 - 1e-12)


@given(st.floats(1, 1e3), st.floats(1e4, 1e7))
def test_both_orders_agree_when_writing_is_short(write, between):
    """The higher order subtracts about one write and differs little beyond that."""
    young, daly = checkpoints.young_interval_s(write, between), checkpoints.daly_interval_s(write, between)
    assert daly == pytest.approx(young, abs=write)


def test_writes_longer_than_twice_the_failure_interval():
    """Then the interval is the time between failures itself."""
    assert checkpoints.daly_interval_s([10, 300], 100).tolist() == [pytest.approx(38.303, abs=1e-3), 100]
