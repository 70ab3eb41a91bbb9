"""Queues: worked values, agreement of the models with each other, and overload."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError
from dam_expert.physics import queueing as queue

LOADS = st.floats(0.01, 0.99)


@pytest.mark.parametrize(("load", "factor"), [(0.5, 2), (0.7, 3.3), (0.8, 5), (0.9, 10), (0.95, 20)])
def test_knee_of_one_server(load, factor):
    """Response over service time at M/M/1."""
    assert round(float(queue.mm1_response_s(load, 1.0)), 1) == factor


def test_p99_at_80_percent():
    """At a load of 0.8 the mean is 5.0 and the p99 23.0 service times."""
    assert float(queue.mm1_response_s(0.8, 1.0)) == pytest.approx(5.0)
    assert round(float(queue.mm1_percentile_s(0.8, 1.0, 0.99)), 1) == 23.0


def test_p100_does_not_exist():
    """The largest value has no finite bound."""
    with pytest.raises(PhysicsError, match="no finite bound"):
        queue.mm1_percentile_s(0.8, 1.0, 1.0)


def test_batching_misses_the_objective_through_formation():
    """Service 12 ms alone, 20 ms for 16, 60 requests/s: 43 ms alone, but 250 ms to fill a batch at a load of 0.075."""
    assert float(queue.utilization(400, 0.012)) == pytest.approx(4.8)
    assert float(queue.utilization(60, 0.012)) == pytest.approx(0.72)
    assert round(float(queue.mm1_response_s(60, 0.012)) * 1e3) == 43
    assert float(queue.batch_wait_first_s(60, 16)) == 0.25
    assert float(queue.batch_wait_mean_s(60, 16)) == 0.125
    assert float(queue.batch_wait_first_s(60, 16, timeout_s=0.010)) == 0.010
    assert float(queue.batched_utilization(60, 0.020, 16)) == pytest.approx(0.075)


@pytest.mark.parametrize(
    "wait",
    [queue.mm1_wait_s, queue.md1_wait_s, queue.mm1_response_s, queue.mm1_in_system],
    ids=["mm1", "md1", "response", "number"],
)
@pytest.mark.parametrize("load", [1.0, 4.8])
def test_overload_never_ends(wait, load):
    """At a load of 1 or more the queue grows without bound."""
    assert wait(load, 1.0) == np.inf
    assert queue.mmc_wait_s(load * 3, 1.0, 3) == np.inf


@given(LOADS)
def test_one_server_agrees_with_many_server_formula(load):
    """M/M/c with one server is M/M/1, where the probability of waiting is the load."""
    assert queue.erlang_c(load, 1.0, 1) == pytest.approx(load)
    assert queue.mmc_wait_s(load, 1.0, 1) == pytest.approx(queue.mm1_wait_s(load, 1.0))


@given(LOADS, st.integers(2, 40))
def test_erlang_c_against_the_sum(load, servers):
    """The recursion gives what the textbook sum gives where the sum can be computed."""
    offered = load * servers
    last = offered**servers / math.factorial(servers) / (1 - load)
    direct = last / (sum(offered**k / math.factorial(k) for k in range(servers)) + last)
    assert queue.erlang_c(offered, 1.0, servers) == pytest.approx(direct, rel=1e-9)


def test_erlang_c_with_thousands_of_servers():
    """No overflow where factorials would have: at 95 % load 5000 servers almost never make a request wait."""
    waiting = float(queue.erlang_c(0.95 * 5000, 1.0, 5000))
    assert 0 < waiting < 1e-3


@given(LOADS, st.integers(1, 50))
def test_pooling_never_hurts(load, servers):
    """At the same load per server, more servers wait no longer."""
    assert queue.mmc_wait_s(load * (servers + 1), 1.0, servers + 1) <= queue.mmc_wait_s(load * servers, 1.0, servers)


def test_servers_broadcast():
    """Arrays of servers and rates give one value each, overload included."""
    waits = queue.mmc_wait_s([0.8, 1.6, 9.0], 1.0, [1, 2, 4])
    assert waits[0] == pytest.approx(4.0)
    assert waits[1] == pytest.approx(queue.mmc_wait_s(1.6, 1.0, 2))
    assert waits[2] == np.inf


@given(LOADS, st.floats(0, 5), st.floats(0, 5))
def test_models_agree_on_their_common_cases(load, arrival, service):
    """Kingman with variations of 1 is M/M/1, with constant service M/D/1; Pollaczek-Khinchine lies on it."""
    assert queue.kingman_wait_s(load, 1.0, 1, 1) == pytest.approx(queue.mm1_wait_s(load, 1.0))
    assert queue.mg1_wait_s(load, 1.0, 0) == pytest.approx(queue.md1_wait_s(load, 1.0))
    assert queue.kingman_wait_s(load, 1.0, arrival, service) <= queue.kingman_wait_s(load, 1.0, arrival, service + 1)


@given(LOADS, st.floats(0.001, 0.5), st.floats(1e-6, 1e3))
def test_waits_grow_with_load_and_scale_with_service(load, more, service):
    """A higher load never waits less; times scale with the service time."""
    higher = min(load + more, 0.995)
    assert queue.mm1_wait_s(higher, 1.0) >= queue.mm1_wait_s(load, 1.0)
    assert queue.mm1_wait_s(load / service, service) == pytest.approx(queue.mm1_wait_s(load, 1.0) * service)


@given(LOADS)
def test_littles_law_holds_for_the_model(load):
    """Number in the system = arrivals x response."""
    ratio = queue.littles_law_ratio(queue.mm1_in_system(load, 1.0), load, queue.mm1_response_s(load, 1.0))
    assert ratio == pytest.approx(1)


def test_littles_law_shows_a_leftover():
    """Twenty in the system where rate and time explain ten: something is counted that one of them leaves out."""
    assert queue.littles_law_ratio(20, 100, 0.1) == 2


def test_fan_out():
    """100 parts of which 1 % are slow: 63.4 % of requests meet a slow one; each part would need p99.99."""
    assert round(float(queue.fan_out_slow_share(0.01, 100)) * 100, 1) == 63.4
    assert round(float(queue.part_percentile(0.99, 100)), 4) == 0.9999
    assert queue.fan_out_slow_share(1.0, 3) == 1


def test_tiny_slow_share_keeps_its_digits():
    """A share far below the rounding of 1 - p still counts."""
    assert queue.fan_out_slow_share(1e-18, 1000) == pytest.approx(1e-15)


def test_unknown_stays_unknown():
    """A missing rate gives missing waits, also next to known ones."""
    waits = queue.mmc_wait_s([np.nan, 0.5], 1.0, 2)
    assert np.isnan(waits[0])
    assert waits[1] > 0
