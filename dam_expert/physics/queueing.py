"""Queues: how long requests wait, from arrival rate, service time and their variability.

All results are steady-state means unless a percentile is named. At a utilisation of 1 or more the queue grows without
bound: the answer is infinity, not an error, since such a load can be offered.

Sources: L. Kleinrock, Queueing Systems, volume 1, 1975 (M/M/1, M/M/c, M/G/1); J. Kingman, The single server queue in
heavy traffic, 1961; J. Little, 1961; J. Dean, L. Barroso, The Tail at Scale, CACM 56(2), 2013 (fan-out). The recursion
for Erlang's formula is the textbook one, which neither overflows nor cancels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.inputs import Array, count, nonnegative, positive, refuse, share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def utilization(arrivals_per_s: ArrayLike, service_s: ArrayLike, servers: ArrayLike = 1) -> Array:
    """Return the offered load per server: arrivals x service time / servers. 1 or more cannot be sustained.

    >>> float(utilization(400, 0.012))
    4.8
    """
    offered = nonnegative("arrivals_per_s", arrivals_per_s) * positive("service_s", service_s)
    return offered / count("servers", servers)


def _stable(load: Array, value: Array) -> Array:
    """Give value where the load is below 1, infinity at and above it, and NaN for NaN."""
    return np.where(load >= 1, np.inf, value)[()]


def _over_idle(load: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return _stable(load, load / (1 - load))


def mm1_wait_s(arrivals_per_s: ArrayLike, service_s: ArrayLike) -> Array:
    """Return the mean wait before service with Poisson arrivals and exponential service at one server."""
    return positive("service_s", service_s) * _over_idle(utilization(arrivals_per_s, service_s))


def mm1_response_s(arrivals_per_s: ArrayLike, service_s: ArrayLike) -> Array:
    """Return the mean time in the system of M/M/1: service / (1 - utilisation).

    >>> round(float(mm1_response_s(60, 0.012)) * 1e3, 1)
    42.9
    """
    return positive("service_s", service_s) + mm1_wait_s(arrivals_per_s, service_s)


def mm1_in_system(arrivals_per_s: ArrayLike, service_s: ArrayLike) -> Array:
    """Return the mean number of requests waiting or in service at M/M/1."""
    return _over_idle(utilization(arrivals_per_s, service_s))


def mm1_percentile_s(arrivals_per_s: ArrayLike, service_s: ArrayLike, percentile: ArrayLike) -> Array:
    """Return a percentile (a share, 0.99 for p99) of the time in the system of M/M/1, first come first served.

    -ln(1 - p) times the mean, since the time is exponential. In units of the service time, at 80 % load:

    >>> round(float(mm1_percentile_s(0.8, 1.0, 0.99)), 1)
    23.0
    """
    p = share("percentile", percentile)
    refuse("percentile", p, p == 1, "{value} has no finite bound", "the largest value of a sample is no percentile")
    return -np.log1p(-p) * mm1_response_s(arrivals_per_s, service_s)


def _blocked(offered: float, servers: int) -> float:
    """Give Erlang's B for one case in plain floats: thirty times faster than an array of one."""
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = offered * blocked / (k + offered * blocked)
    return blocked


def erlang_c(arrivals_per_s: ArrayLike, service_s: ArrayLike, servers: ArrayLike) -> Array:
    """Return the probability that a request has to wait at M/M/c. 1 at and above full load.

    >>> round(float(erlang_c(1.5, 1.0, 2)), 4)
    0.6429
    """
    load = utilization(arrivals_per_s, service_s, servers)
    load, number = np.broadcast_arrays(load, count("servers", servers))
    offered, blocked = load * number, np.ones_like(load)
    if load.ndim == 0:
        blocked = np.asarray(_blocked(float(offered), 0 if np.isnan(number) else int(number)))
    else:
        for k in range(1, int(np.nanmax(number, initial=1.0)) + 1):
            blocked = np.where(k <= number, offered * blocked / (k + offered * blocked), blocked)
    waiting = blocked / np.maximum(1 - np.minimum(load, 1.0) * (1 - blocked), np.finfo(np.float64).tiny)
    return np.where(load >= 1, 1.0, waiting + 0 * load)[()]


def mmc_wait_s(arrivals_per_s: ArrayLike, service_s: ArrayLike, servers: ArrayLike) -> Array:
    """Return the mean wait before service at M/M/c: P(wait) x service / (servers x (1 - utilisation)).

    >>> float(mmc_wait_s(0.8, 1.0, 1)) == float(mm1_wait_s(0.8, 1.0))
    True
    """
    load = utilization(arrivals_per_s, service_s, servers)
    with np.errstate(divide="ignore", invalid="ignore"):
        wait = erlang_c(arrivals_per_s, service_s, servers) * positive("service_s", service_s)
        return _stable(load, wait / (count("servers", servers) * (1 - load)))


def mmc_response_s(arrivals_per_s: ArrayLike, service_s: ArrayLike, servers: ArrayLike) -> Array:
    """Return the mean time in the system of M/M/c."""
    return positive("service_s", service_s) + mmc_wait_s(arrivals_per_s, service_s, servers)


def mg1_wait_s(arrivals_per_s: ArrayLike, service_s: ArrayLike, service_variation: ArrayLike) -> Array:
    """Return the mean wait at M/G/1 (Pollaczek-Khinchine), from the coefficient of variation of the service time.

    Standard deviation over mean: 0 constant, 1 exponential, above 1 a heavy tail.

    >>> float(mg1_wait_s(0.8, 1.0, 0.0)) == float(md1_wait_s(0.8, 1.0))
    True
    """
    return kingman_wait_s(arrivals_per_s, service_s, 1.0, service_variation)


def md1_wait_s(arrivals_per_s: ArrayLike, service_s: ArrayLike) -> Array:
    """Return the mean wait with Poisson arrivals and constant service: half of M/M/1."""
    return mm1_wait_s(arrivals_per_s, service_s) / 2


def kingman_wait_s(
    arrivals_per_s: ArrayLike, service_s: ArrayLike, arrival_variation: ArrayLike, service_variation: ArrayLike
) -> Array:
    """Return Kingman's estimate of the mean wait at G/G/1, good under heavy load: load/(1-load) (ca^2+cs^2)/2 service.

    Variations are standard deviation over mean, of the gaps between arrivals and of the service time.
    """
    arrivals = nonnegative("arrival_variation", arrival_variation)
    service = nonnegative("service_variation", service_variation)
    factor = (arrivals**2 + service**2) / 2
    wait = mm1_wait_s(arrivals_per_s, service_s)
    # Infinite wait times no variation at all is the one case without a limit: constant gaps at full load.
    with np.errstate(invalid="ignore"):
        return wait * factor


def batch_wait_mean_s(arrivals_per_s: ArrayLike, batch: ArrayLike, timeout_s: ArrayLike | None = None) -> Array:
    """Return the mean wait of a request until its batch is full or times out.

    Without a timeout, and where that is never reached: (batch - 1) / (2 x arrivals). Else the first request waits the
    whole timeout T, and the arrivals x T that come after it half of it each.

    >>> float(batch_wait_mean_s(60, 16)), round(float(batch_wait_mean_s(60, 16, 0.010)), 5)
    (0.125, 0.00813)
    """
    rate = positive("arrivals_per_s", arrivals_per_s)
    full: Array = (count("batch", batch) - 1) / (2 * rate)
    if timeout_s is None:
        return full
    limit = nonnegative("timeout_s", timeout_s)
    later = rate * limit
    return np.where(2 * full <= limit, full, limit * (1 + later / 2) / (1 + later))


def batch_wait_first_s(arrivals_per_s: ArrayLike, batch: ArrayLike, timeout_s: ArrayLike | None = None) -> Array:
    """Return the expected wait of the first request of a batch: (batch - 1) / arrivals, at most the timeout.

    >>> float(batch_wait_first_s(60, 16)), float(batch_wait_first_s(60, 16, 0.010))
    (0.25, 0.01)
    """
    wait: Array = (count("batch", batch) - 1) / positive("arrivals_per_s", arrivals_per_s)
    return wait if timeout_s is None else np.minimum(wait, nonnegative("timeout_s", timeout_s))


def batched_utilization(arrivals_per_s: ArrayLike, batch_service_s: ArrayLike, batch: ArrayLike) -> Array:
    """Return the offered load of a server that takes whole batches: arrivals x batch service time / batch.

    >>> round(float(batched_utilization(60, 0.020, 16)), 3)
    0.075
    """
    return utilization(arrivals_per_s, batch_service_s) / count("batch", batch)


def littles_law_ratio(in_system: ArrayLike, arrivals_per_s: ArrayLike, response_s: ArrayLike) -> Array:
    """Return in_system / (arrivals x response): 1 where three measured values agree, over the same window.

    Above 1: requests are counted that did not finish, or the response time leaves a stage out. Below 1: the reverse.
    """
    expected = positive("arrivals_per_s", arrivals_per_s) * positive("response_s", response_s)
    return nonnegative("in_system", in_system) / expected


def fan_out_slow_share(slow_share: ArrayLike, fan_out: ArrayLike) -> Array:
    """Return the share of requests that meet at least one slow part: 1 - (1 - p)^n for independent parts.

    >>> round(float(fan_out_slow_share(0.01, 100)), 3)
    0.634
    """
    p, n = share("slow_share", slow_share), count("fan_out", fan_out)
    with np.errstate(divide="ignore"):
        return -np.expm1(n * np.log1p(-p))


def part_percentile(percentile: ArrayLike, fan_out: ArrayLike) -> Array:
    """Return the percentile that each of n parallel parts must meet so that all of them meet the given one: p^(1/n).

    >>> round(float(part_percentile(0.99, 100)), 4)
    0.9999
    """
    return share("percentile", percentile) ** (1 / count("fan_out", fan_out))
