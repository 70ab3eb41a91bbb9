"""Ceilings, upgrades, parallel speed-up and stragglers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, amdahl

SHARES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("share", "factor"),
    [
        pytest.param(0.02, 1.02, id="98 % busy: perfect feeding gives 1.02"),
        pytest.param(0.5, 2.0, id="half"),
        pytest.param(0.0, 1.0, id="nothing"),
        pytest.param(1.0, np.inf, id="everything"),
    ],
)
def test_ceiling(share, factor):
    """The ceiling of removing a share of the time."""
    assert round(float(amdahl.ceiling(share)), 2) == factor


@given(SHARES, st.floats(1, 1e9))
def test_upgrades_stay_between_one_and_the_ceiling(share, factor):
    """A faster part never slows the whole and never beats its removal."""
    assert 1 <= amdahl.upgrade_speedup(share, factor) <= amdahl.ceiling(share) * (1 + 1e-12)


@given(SHARES, SHARES)
def test_recoverable_is_never_more_than_the_share(exposed, reached):
    """A part that computes can give back only what lies below its roof, a wait all of it."""
    assert 0 <= amdahl.recoverable_share(exposed, reached) <= exposed
    assert amdahl.recoverable_share(exposed) == exposed


@pytest.mark.parametrize(("workers", "speedup"), [(8, 5.9), (64, 15.4), (512, 19.3)])
def test_amdahl_at_95_percent(workers, speedup):
    """Speed-up of a problem of which 95 % run in parallel."""
    assert round(float(amdahl.amdahl_speedup(0.95, workers)), 1) == speedup


@given(SHARES, st.integers(1, 10_000))
def test_parallel_speedups(share, workers):
    """1 <= Amdahl <= Gustafson <= n, and Amdahl never above the ceiling of the parallel share."""
    fixed, grown = amdahl.amdahl_speedup(share, workers), amdahl.gustafson_speedup(share, workers)
    assert 1 - 1e-12 <= fixed <= grown * (1 + 1e-9)
    assert grown <= workers
    assert fixed <= amdahl.ceiling(share) * (1 + 1e-12)
    assert amdahl.amdahl_speedup(share, workers + 1) >= fixed - 1e-12


def test_weak_scaling_of_a_published_table():
    """mosaicml/llm-foundry, benchmarking README: MPT 7B on H100 falls from 46.4 to 42.2 % MFU, 8 to 512: 91 %."""
    assert round(float(amdahl.weak_efficiency(8 * 46.4, 512 * 42.2, 64)) * 100) == 91


def test_strong_efficiency():
    """Eight workers that take a sixth of the time are 75 % efficient."""
    assert amdahl.strong_efficiency(6, 1, 8) == 0.75


def test_stragglers():
    """One rank 30 % slower makes the step 1.3 times as long; the others wait for it."""
    ranks = [1.0, 1.0, 1.0, 1.3]
    assert amdahl.straggler_slowdown(ranks) == 1.3
    assert float(amdahl.straggler_waste(ranks)) == pytest.approx(1 - 1.075 / 1.3)
    assert amdahl.straggler_slowdown([ranks, [2.0] * 4]).tolist() == [1.3, 1.0]


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=32))
def test_straggler_figures_are_in_range(ranks):
    """A slowdown is never below 1, waste never outside 0 to 1."""
    assert amdahl.straggler_slowdown(ranks) >= 1
    assert -1e-12 <= amdahl.straggler_waste(ranks) < 1


def test_last_to_arrive():
    """The rank that arrives last is named; without all arrivals none is."""
    assert amdahl.last_to_arrive([0.1, 0.9, 0.3]) == 1
    with pytest.raises(PhysicsError, match="an arrival is unknown"):
        amdahl.last_to_arrive([0.1, np.nan])


def test_one_unknown_rank_leaves_the_slowdown_unknown():
    """The unknown rank could be the slowest."""
    assert np.isnan(amdahl.straggler_slowdown([1.0, np.nan]))
