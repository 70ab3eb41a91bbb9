"""What has to fit into device memory: training states, activations, logits, key-value cache, and the margin.

Sources: S. Rajbhandari et al., ZeRO, 2020 (states and sharding stages); V. Korthikanti et al., Reducing Activation
Recomputation in Large Transformer Models, 2022, table 2 (activations of a layer, 16 bit, dropout masks included);
DeepSeek-AI, DeepSeek-V2, 2024 (cache of latent attention).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import Array, count, nonnegative, positive, refuse, share
from dam_expert.physics.utilization import Recompute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

_LARGEST_STAGE = 3


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class StateBytes:
    """Bytes per parameter kept through training. The optimizer part includes a master copy of the weights."""

    weights: float
    gradients: float
    optimizer: float

    @property
    def total(self) -> float:
        """Bytes per parameter without sharding."""
        return self.weights + self.gradients + self.optimizer


#: Training states by precision and optimizer, bytes per parameter.
STATES: Mapping[str, StateBytes] = {
    "adam-mixed": StateBytes(weights=2, gradients=2, optimizer=12),
    "adam-mixed-fp32-gradients": StateBytes(weights=2, gradients=4, optimizer=12),
    "adam-fp32": StateBytes(weights=4, gradients=4, optimizer=8),
    "adam-bf16": StateBytes(weights=2, gradients=2, optimizer=4),
    "adam-8bit-mixed": StateBytes(weights=2, gradients=2, optimizer=6),
    "sgd-momentum-fp32": StateBytes(weights=4, gradients=4, optimizer=4),
}


def training_state_bytes(parameters: ArrayLike, states: StateBytes, shards: ArrayLike = 1, stage: int = 0) -> Array:
    """Return the bytes of weights, gradients and optimizer on one device.

    Stage 1 shards the optimizer, 2 also the gradients, 3 also the weights (FSDP full sharding); 0 nothing. The 7.5 B
    example of the ZeRO paper on 64 devices:

    >>> [round(float(training_state_bytes(7.5e9, STATES["adam-mixed"], 64, stage)) / 1e9, 1) for stage in range(4)]
    [120.0, 31.4, 16.6, 1.9]
    """
    if not 0 <= stage <= _LARGEST_STAGE:
        raise PhysicsError("stage", f"{stage} is no sharding stage", "stages are 0 (none), 1, 2 and 3")
    number, ranks = positive("parameters", parameters), count("shards", shards)
    parts = ((states.optimizer, 1), (states.gradients, 2), (states.weights, 3))
    return number * sum(each / (ranks if stage >= first else np.ones_like(ranks)) for each, first in parts)


def weight_bytes(parameters: ArrayLike, bits_per_weight: ArrayLike) -> Array:
    """Return the bytes of the weights alone, as inference holds them; all experts of a mixture count.

    >>> float(weight_bytes(70e9, 16)) / 1e9
    140.0
    """
    return positive("parameters", parameters) * positive("bits_per_weight", bits_per_weight) / 8


def layer_activation_bytes(
    *,
    sequence: ArrayLike,
    batch: ArrayLike,
    hidden: ArrayLike,
    heads: ArrayLike,
    tensor_parallel: ArrayLike = 1,
    sequence_parallel: bool = False,
    recompute: Recompute = Recompute.NONE,
) -> Array:
    """Return the activation bytes that one transformer layer keeps for the backward pass, on one device.

    s b h (10 + 24 / t + 5 a s / (h t)); all of it over t with sequence parallelism; selective recomputation, and fused
    attention, drop the last term; full recomputation keeps only the input, 2 s b h. Batch is the micro-batch. GPT-3:

    >>> layer = layer_activation_bytes(sequence=2048, batch=1, hidden=12288, heads=96)
    >>> round(float(layer) / 2**30, 3), round(96 * float(layer) / 2**30, 1)
    (2.672, 256.5)
    """
    s, h, t = count("sequence", sequence), count("hidden", hidden), count("tensor_parallel", tensor_parallel)
    a, tokens = count("heads", heads), s * count("batch", batch)
    if recompute is Recompute.FULL:
        return 2 * tokens * h * np.ones_like(a * t)
    scores = 5 * a * s / (h * t) if recompute is Recompute.NONE else np.zeros_like(a * t)
    linear = 34 / t if sequence_parallel else 10 + 24 / t
    return tokens * h * (linear + scores)


def logit_bytes(tokens: ArrayLike, vocabulary: ArrayLike, bytes_per_logit: ArrayLike = 4.0) -> Array:
    """Return the bytes of the logits of all tokens of a micro-batch: 4 each in fp32, 6 with a 16-bit copy beside."""
    return count("tokens", tokens) * count("vocabulary", vocabulary) * positive("bytes_per_logit", bytes_per_logit)


def kv_cache_bytes_per_token(
    layers: ArrayLike, kv_heads: ArrayLike, head_size: ArrayLike, bytes_per_element: ArrayLike = 2.0
) -> Array:
    """Return the key and value bytes of one token: 2 x layers x key-value heads x head size x bytes.

    Llama-3.1-8B:

    >>> float(kv_cache_bytes_per_token(32, 8, 128))
    131072.0
    """
    entries = count("layers", layers) * count("kv_heads", kv_heads) * count("head_size", head_size)
    return 2 * entries * positive("bytes_per_element", bytes_per_element)


def latent_cache_bytes_per_token(
    layers: ArrayLike, latent_size: ArrayLike, rope_size: ArrayLike, bytes_per_element: ArrayLike = 2.0
) -> Array:
    """Return the cache bytes of one token with multi-head latent attention: one latent and one rotary key per layer.

    DeepSeek-V3:

    >>> float(latent_cache_bytes_per_token(61, 512, 64))
    70272.0
    """
    entries = count("latent_size", latent_size) + count("rope_size", rope_size)
    return count("layers", layers) * entries * positive("bytes_per_element", bytes_per_element)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Whether a sum of parts fits. ``room_bytes`` is negative where it does not; all on one device."""

    required_bytes: float
    usable_bytes: float
    parts: Mapping[str, float]

    @property
    def room_bytes(self) -> float:
        """Bytes left over."""
        return self.usable_bytes - self.required_bytes

    @property
    def fits(self) -> bool:
        """Whether everything fits into the usable bytes."""
        return self.room_bytes >= 0

    @property
    def largest(self) -> str:
        """The largest part: where a lever can do most."""
        return max(self.parts, key=lambda name: self.parts[name])


def fit(parts: Mapping[str, float], capacity_bytes: float, *, fragmentation: float = 0.0, headroom: float = 0.0) -> Fit:
    """Return whether the parts fit into the capacity.

    Fragmentation is the share by which reserved memory exceeds allocated memory and grows the requirement; headroom is
    the share of the capacity that stays free. Both come from the caller: they depend on allocator and habit.

    >>> fit({"states": 7e9 * 16}, 80 * 2**30).fits
    False
    """
    if not parts:
        raise PhysicsError("parts", "nothing to place", "an estimate without any part?")
    checked = {name: float(nonnegative(name, value)) for name, value in parts.items()}
    free = 1 - float(share("headroom", headroom))
    return Fit(
        required_bytes=sum(checked.values()) * (1 + float(nonnegative("fragmentation", fragmentation))),
        usable_bytes=float(positive("capacity_bytes", capacity_bytes)) * free,
        parts=checked,
    )


def fragmentation_share(reserved_bytes: ArrayLike, allocated_bytes: ArrayLike) -> Array:
    """Return the share of reserved memory that is not allocated. Allocated above reserved is an error."""
    reserved, allocated = positive("reserved_bytes", reserved_bytes), nonnegative("allocated_bytes", allocated_bytes)
    refuse("allocated_bytes", allocated, allocated > reserved, "{value} B is more than reserved",
           "peak and current values mixed?")  # fmt: skip
    return 1 - allocated / reserved


def cache_tokens_that_fit(free_bytes: ArrayLike, cache_bytes_per_token: ArrayLike) -> Array:
    """Return how many tokens of cache fit into what weights and margins leave; 0 where nothing is left.

    >>> float(cache_tokens_that_fit(16 * 2**30, 131072))
    131072.0
    """
    each = positive("cache_bytes_per_token", cache_bytes_per_token)
    return np.floor(nonnegative("free_bytes", free_bytes) / each)
