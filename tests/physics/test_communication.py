"""Collectives: ring and tree, bus bandwidth, and what stays exposed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError
from dam_expert.physics import communication as comm
from dam_expert.physics.communication import Collective

RANKS = st.integers(1, 4096)


@pytest.mark.parametrize(
    ("collective", "factor"),
    [
        (Collective.ALL_REDUCE, 1.75),
        (Collective.REDUCE_SCATTER, 0.875),
        (Collective.ALL_GATHER, 0.875),
        (Collective.ALL_TO_ALL, 0.875),
        (Collective.BROADCAST, 1.0),
        (Collective.REDUCE, 1.0),
    ],
)
def test_bus_factors_of_eight_ranks(collective, factor):
    """The factors of nccl-tests."""
    assert comm.bus_factor(collective, 8) == factor


def test_all_reduce_of_14_gb():
    """14 GB over 8 H100 at a bus bandwidth of 367 GB/s take 66.8 ms."""
    assert round(float(comm.ring_time_s(Collective.ALL_REDUCE, 14e9, 8, 367e9)) * 1e3, 1) == 66.8


@given(st.sampled_from(list(Collective)), st.integers(2, 4096), st.floats(1, 1e12), st.floats(1e6, 1e12))
def test_time_and_bus_bandwidth_are_inverse(collective, ranks, size, bandwidth):
    """The time of a ring without latency gives its bandwidth back."""
    seconds = comm.ring_time_s(collective, size, ranks, bandwidth)
    assert comm.bus_bandwidth_bytes_per_s(collective, size, seconds, ranks) == pytest.approx(bandwidth)


@given(RANKS, st.floats(0, 1e12), st.floats(0, 1e-3))
def test_more_ranks_never_make_a_ring_faster(ranks, size, latency):
    """Bytes and steps of an all-reduce grow with the ranks; one rank takes no time."""
    args = (Collective.ALL_REDUCE, size)
    assert comm.ring_time_s(*args, ranks + 1, 1e9, latency) >= comm.ring_time_s(*args, ranks, 1e9, latency)
    assert comm.ring_time_s(*args, 1, 1e9, latency) == 0


def test_trees_win_for_small_messages():
    """With many ranks a tree has far fewer steps; for large messages it moves a little more."""
    small = [comm.tree_time_s(1e3, 512, 100e9, 1e-5), comm.ring_time_s(Collective.ALL_REDUCE, 1e3, 512, 100e9, 1e-5)]
    large = [comm.tree_time_s(1e12, 512, 100e9, 1e-5), comm.ring_time_s(Collective.ALL_REDUCE, 1e12, 512, 100e9, 1e-5)]
    assert small[0] < small[1]
    assert large[0] > large[1]
    assert comm.tree_time_s(1e12, 1, 100e9, 1e-5) == 0


def test_data_parallel_worked_example():
    """S. Bekman, Machine Learning Engineering: 2 B fp32 gradients take 53 ms at 300 GB/s, 640 ms at 200 Gb/s."""
    times = comm.ring_time_s(Collective.ALL_REDUCE, 8e9, 1 << 20, np.array([300e9, 25e9]))
    assert np.round(times * 1e3).tolist() == [53, 640]
    exposed = comm.gradient_sync_exposed_s(times, 0.42, 100)
    assert exposed[0] == pytest.approx(times[0] / 100)
    assert exposed[1] == pytest.approx(0.2242, abs=1e-4)


@given(st.floats(0, 10), st.floats(0, 10), st.integers(1, 1000))
def test_exposed_gradients_lie_between_one_bucket_and_all(seconds, backward, buckets):
    """At least the last bucket shows, at most everything; more buckets never expose more than one."""
    exposed = comm.gradient_sync_exposed_s(seconds, backward, buckets)
    assert seconds / buckets <= exposed <= seconds + 1e-12
    assert comm.gradient_sync_exposed_s(seconds, backward, 1) == pytest.approx(seconds)


def test_exposed():
    """What fits beside compute is not exposed."""
    assert comm.exposed_s([0.1, 0.5], 0.2).tolist() == [0, 0.3]


def test_hierarchical_rate_per_link():
    """Four nodes of eight at a bus bandwidth of 381.8 GB/s put 36.9 GB/s, 74 % of 50, on each network link."""
    rate = float(comm.node_link_bytes_per_s(381.8e9, 4, 32))
    assert round(rate / 50e9, 3) == 0.739
    with pytest.raises(PhysicsError, match="cannot span"):
        comm.node_link_bytes_per_s(1, 32, 4)


@pytest.mark.parametrize(("generation", "gb"), [(3, 15.754), (4, 31.508), (5, 63.015), (6, 121.0)])
def test_pcie_rates(generation, gb):
    """Sixteen lanes in one direction, GB/s."""
    assert comm.pcie_bytes_per_s(generation, 16) / 1e9 == pytest.approx(gb, abs=5e-4)


def test_unknown_pcie_generation():
    """A generation that does not exist is refused."""
    with pytest.raises(PhysicsError, match="PCIe 9 is not known"):
        comm.pcie_bytes_per_s(9, 16)
