"""Collectives: what they take at least, what a measured time says of the links, and what can hide behind compute.

Sources: NVIDIA nccl-tests, doc/PERFORMANCE.md (bus-bandwidth factors); P. Patarasuk, X. Yuan, Bandwidth Optimal
All-reduce Algorithms, 2009 (ring); P. Sanders, J. Speck, J. L. Traeff, Two-tree Algorithms, 2009 (double tree); S. Li
et al., PyTorch Distributed, 2020 (buckets behind the backward pass). Bytes are those of the whole buffer of one rank.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import Array, count, nonnegative, positive, refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Collective(enum.StrEnum):
    """The collectives, as NCCL names them."""

    ALL_REDUCE = "all_reduce"
    REDUCE_SCATTER = "reduce_scatter"
    ALL_GATHER = "all_gather"
    ALL_TO_ALL = "all_to_all"
    BROADCAST = "broadcast"
    REDUCE = "reduce"


def bus_factor(collective: Collective, ranks: ArrayLike) -> Array:
    """Return bus bandwidth / algorithm bandwidth: how many times each byte of the buffer crosses a link of a ring.

    All-reduce 2 (n - 1) / n, the scattering and gathering ones (n - 1) / n, broadcast and reduce 1. Reduction inside
    the switch moves less, so a bus bandwidth computed with these factors may then exceed the link.

    >>> float(bus_factor(Collective.ALL_REDUCE, 8))
    1.75
    """
    n = count("ranks", ranks)
    if collective in (Collective.BROADCAST, Collective.REDUCE):
        return np.where(n > 1, 1.0, 0.0)[()]
    return (2 if collective is Collective.ALL_REDUCE else 1) * (n - 1) / n


def bus_bandwidth_bytes_per_s(
    collective: Collective, buffer_bytes: ArrayLike, seconds: ArrayLike, ranks: ArrayLike
) -> Array:
    """Return the bus bandwidth that a measured time means, comparable with the rate of a link in one direction."""
    rate = nonnegative("buffer_bytes", buffer_bytes) / positive("seconds", seconds)
    return rate * bus_factor(collective, ranks)


def ring_time_s(
    collective: Collective,
    buffer_bytes: ArrayLike,
    ranks: ArrayLike,
    bandwidth_bytes_per_s: ArrayLike,
    hop_latency_s: ArrayLike = 0.0,
) -> Array:
    """Return the time of a ring: bytes x factor / bandwidth, and one latency for each of its steps.

    All-reduce of 14 GB over 8 H100 at 367 GB/s, in milliseconds:

    >>> round(float(ring_time_s(Collective.ALL_REDUCE, 14e9, 8, 367e9)) * 1e3, 1)
    66.8
    """
    n = count("ranks", ranks)
    steps = (2 if collective is Collective.ALL_REDUCE else 1) * (n - 1)
    moved = nonnegative("buffer_bytes", buffer_bytes) * bus_factor(collective, n)
    seconds: Array = moved / positive("bandwidth_bytes_per_s", bandwidth_bytes_per_s)
    return seconds + steps * nonnegative("hop_latency_s", hop_latency_s)


def tree_time_s(
    buffer_bytes: ArrayLike, ranks: ArrayLike, bandwidth_bytes_per_s: ArrayLike, hop_latency_s: ArrayLike = 0.0
) -> Array:
    """Return the time of an all-reduce over a double binary tree: the bytes up and down, and 2 log2(n) latencies.

    More bytes than a ring by n / (n - 1), far fewer steps: better for small messages and many ranks.
    """
    n = count("ranks", ranks)
    twice = 2 * nonnegative("buffer_bytes", buffer_bytes) / positive("bandwidth_bytes_per_s", bandwidth_bytes_per_s)
    steps = 2 * np.ceil(np.log2(n))
    return np.where(n > 1, twice, 0.0)[()] + steps * nonnegative("hop_latency_s", hop_latency_s)


def node_link_bytes_per_s(bus_bandwidth: ArrayLike, nodes: ArrayLike, ranks: ArrayLike) -> Array:
    """Return the rate on the link of one rank between nodes when the reduction is hierarchical.

    Bus bandwidth (bytes per second) x (nodes - 1) / (ranks - 1): the bus figure is no rate of a wire there (S. Bekman,
    Machine Learning Engineering, network chapter).
    """
    k, n = count("nodes", nodes), count("ranks", ranks)
    refuse("ranks", n, (n < k) | (n == 1), "{value} ranks cannot span the nodes", "nodes and ranks swapped?")
    return nonnegative("bus_bandwidth", bus_bandwidth) * (k - 1) / (n - 1)


def exposed_s(communication_s: ArrayLike, hideable_s: ArrayLike) -> Array:
    """Return the communication that compute cannot hide: what remains after the seconds that run beside it."""
    communication = nonnegative("communication_s", communication_s)
    return np.maximum(communication - nonnegative("hideable_s", hideable_s), 0.0)


def gradient_sync_exposed_s(communication_s: ArrayLike, backward_s: ArrayLike, buckets: ArrayLike) -> Array:
    """Return the exposed time of gradients reduced in equal buckets behind an even backward pass.

    The first bucket is ready after 1/k of the backward pass, and the last can only start at its end, so that at least
    one bucket is exposed: max(C / k, C - B (1 - 1/k)). One bucket hides nothing.

    >>> round(float(gradient_sync_exposed_s(0.1, 0.2, 10)), 6)
    0.01
    >>> round(float(gradient_sync_exposed_s(0.64, 0.42, 10)), 6)
    0.262
    """
    c, b = nonnegative("communication_s", communication_s), nonnegative("backward_s", backward_s)
    k = count("buckets", buckets)
    return np.maximum(c / k, c - b * (1 - 1 / k))


def pcie_bytes_per_s(generation: int, lanes: int) -> float:
    """Return the rate of a PCIe link in one direction, before packet overhead: lanes x GT/s x coding / 8.

    Generations 3 to 5 code 128 bits in 130; 6 carries 242 of 256 bytes of a flit (PCI-SIG base specifications).

    >>> round(pcie_bytes_per_s(4, 16) / 1e9, 2), round(pcie_bytes_per_s(6, 16) / 1e9, 1)
    (31.51, 121.0)
    """
    transfers = {1: (2.5e9, 0.8), 2: (5e9, 0.8), 3: (8e9, 128 / 130), 4: (16e9, 128 / 130), 5: (32e9, 128 / 130),
                 6: (64e9, 242 / 256)}  # fmt: skip
    if generation not in transfers:
        raise PhysicsError("generation", f"PCIe {generation} is not known", "generations 1 to 6 are")
    rate, coding = transfers[generation]
    return float(count("lanes", lanes)) * rate * coding / 8
