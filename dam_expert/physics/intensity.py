"""Operations and bytes of the common kernels and of language-model decoding, and from them the intensity.

Bytes are the least that has to cross the memory interface: every operand read once, every result written once. Real
traffic is higher, so real intensity is lower. A multiply-add counts as two operations.

Sources: J. Austin et al., How to Scale Your Model (scaling book), 2025, chapters on rooflines and inference; V. Sze et
al., Efficient Processing of Deep Neural Networks, 2017 (convolution); T. Dao et al., FlashAttention, 2022 (fused
attention traffic).
"""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.inputs import Array, count, nonnegative, positive, refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


BYTES_PER_ELEMENT = MappingProxyType({
    "fp64": 8.0, "fp64_tensor": 8.0, "fp32": 4.0, "fp32_matrix": 4.0, "tf32": 4.0,
    "fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0, "fp4": 0.5, "int4": 0.5,
})  # fmt: skip
"""Bytes of one element in memory by precision; tf32 is a way to multiply elements of fp32."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a kernel does: operations, and the least bytes it moves."""

    operations: Array
    bytes_moved: Array

    @property
    def intensity(self) -> Array:
        """Operations per byte (FLOP/byte)."""
        return self.operations / self.bytes_moved


def gemm(m: ArrayLike, n: ArrayLike, k: ArrayLike, bytes_per_element: ArrayLike = 2.0) -> Work:
    """Return the work of a matrix product (m, k) x (k, n). For small m the intensity tends to 2 m / bytes.

    >>> round(float(gemm(1, 4096, 4096).intensity), 2)
    1.0
    """
    rows, columns, inner = count("m", m), count("n", n), count("k", k)
    elements = rows * inner + inner * columns + rows * columns
    return Work(
        operations=2 * rows * columns * inner,
        bytes_moved=positive("bytes_per_element", bytes_per_element) * elements,
    )


def attention(
    *,
    batch: ArrayLike,
    heads: ArrayLike,
    kv_heads: ArrayLike,
    queries: ArrayLike,
    keys: ArrayLike,
    head_size: ArrayLike,
    bytes_per_element: ArrayLike = 2.0,
    fused: bool = True,
) -> Work:
    """Return the work of softmax(Q K^T) V, all keys counted (a causal mask may skip half of both).

    Fused kernels keep the scores on the chip; unfused ones write and read scores and probabilities once each. With one
    query per sequence the intensity is about heads / kv_heads operations per byte in 16 bit, whatever the batch.

    >>> step = attention(batch=8, heads=32, kv_heads=8, queries=1, keys=8192, head_size=128)
    >>> round(float(step.intensity), 1)
    4.0
    """
    b, h, q, s = count("batch", batch), count("heads", heads), count("queries", queries), count("keys", keys)
    shared, d = count("kv_heads", kv_heads), count("head_size", head_size)
    refuse("kv_heads", shared, shared > h, "{value} key-value heads are more than heads", "arguments swapped?")
    elements = b * (2 * h * q * d + 2 * shared * s * d)
    if not fused:
        elements = elements + 4 * b * h * q * s
    return Work(
        operations=4 * b * h * q * s * d,
        bytes_moved=positive("bytes_per_element", bytes_per_element) * elements,
    )


def convolution(
    *,
    batch: ArrayLike,
    channels_in: ArrayLike,
    channels_out: ArrayLike,
    height_out: ArrayLike,
    width_out: ArrayLike,
    kernel_height: ArrayLike,
    kernel_width: ArrayLike,
    stride: ArrayLike = 1,
    groups: ArrayLike = 1,
    bytes_per_element: ArrayLike = 2.0,
) -> Work:
    """Return the work of a two-dimensional convolution; the input is taken as output size x stride (same padding).

    >>> conv = convolution(batch=1, channels_in=64, channels_out=64, height_out=56, width_out=56,
    ...                    kernel_height=3, kernel_width=3)
    >>> float(conv.operations)
    231211008.0
    """
    n, c, k = count("batch", batch), count("channels_in", channels_in), count("channels_out", channels_out)
    p, q, g = count("height_out", height_out), count("width_out", width_out), count("groups", groups)
    r, s, step = count("kernel_height", kernel_height), count("kernel_width", kernel_width), count("stride", stride)
    filters = k * (c / g) * r * s
    elements = n * c * p * q * step**2 + filters + n * k * p * q
    return Work(
        operations=2 * n * p * q * filters,
        bytes_moved=positive("bytes_per_element", bytes_per_element) * elements,
    )


def elementwise(
    elements: ArrayLike,
    operations_per_element: ArrayLike = 1.0,
    reads_per_element: ArrayLike = 2.0,
    writes_per_element: ArrayLike = 1.0,
    bytes_per_element: ArrayLike = 2.0,
) -> Work:
    """Return the work of an elementwise kernel. Adding two 16-bit tensors: one operation per six bytes.

    >>> round(float(elementwise(1e6).intensity), 3)
    0.167
    """
    number = count("elements", elements)
    moved = nonnegative("reads_per_element", reads_per_element) + nonnegative("writes_per_element", writes_per_element)
    return Work(
        operations=number * nonnegative("operations_per_element", operations_per_element),
        bytes_moved=number * positive("reads and writes", moved) * positive("bytes_per_element", bytes_per_element),
    )


def decode_step(
    *,
    parameters: ArrayLike,
    weight_bytes: ArrayLike,
    batch: ArrayLike,
    context: ArrayLike,
    kv_bytes_per_token: ArrayLike,
    attention_operations_per_context_token: ArrayLike = 0.0,
) -> Work:
    """Return the work of one decoding step: one new token for each sequence of the batch.

    Bytes: all weights once, and the key-value cache of every sequence. Operations: two per parameter and token, and
    those of attention, 4 x layers x heads x head_size per token of context. Parameters are the active ones.

    >>> step = decode_step(parameters=8.03e9, weight_bytes=16.06e9, batch=1, context=0, kv_bytes_per_token=131072)
    >>> round(float(step.bytes_moved) / 2.039e12 * 1e3, 2)  # milliseconds on an A100 80 GB
    7.88
    """
    b, seen = count("batch", batch), nonnegative("context", context)
    cache = b * seen * nonnegative("kv_bytes_per_token", kv_bytes_per_token)
    attended = b * seen * nonnegative("attention_operations_per_context_token", attention_operations_per_context_token)
    return Work(
        operations=2 * b * positive("parameters", parameters) + attended,
        bytes_moved=positive("weight_bytes", weight_bytes) + cache,
    )


def decode_bytes_per_token(
    *, weight_bytes: ArrayLike, batch: ArrayLike, context: ArrayLike, kv_bytes_per_token: ArrayLike
) -> Array:
    """Return the bytes moved for one generated token: its part of the weights, and its own cache.

    >>> float(decode_bytes_per_token(weight_bytes=16e9, batch=16, context=0, kv_bytes_per_token=131072))
    1000000000.0
    """
    own = nonnegative("context", context) * nonnegative("kv_bytes_per_token", kv_bytes_per_token)
    return positive("weight_bytes", weight_bytes) / count("batch", batch) + own


def decode_step_bound_s(
    *,
    parameters: ArrayLike,
    weight_bytes: ArrayLike,
    batch: ArrayLike,
    context: ArrayLike,
    kv_bytes_per_token: ArrayLike,
    peak_flops_per_s: ArrayLike,
    bandwidth_bytes_per_s: ArrayLike,
) -> Array:
    """Return the least time of a decoding step: reading the cache, then the larger of matmuls and weight reads.

    Attention is bound by memory at any batch, so its cache reads add to the rest (scaling book, inference chapter).
    """
    b = count("batch", batch)
    bandwidth = positive("bandwidth_bytes_per_s", bandwidth_bytes_per_s)
    cache = b * nonnegative("context", context) * nonnegative("kv_bytes_per_token", kv_bytes_per_token)
    matmul_s = 2 * b * positive("parameters", parameters) / positive("peak_flops_per_s", peak_flops_per_s)
    return cache / bandwidth + np.maximum(matmul_s, positive("weight_bytes", weight_bytes) / bandwidth)


def critical_batch(
    peak_flops_per_s: ArrayLike, bandwidth_bytes_per_s: ArrayLike, bytes_per_weight: ArrayLike = 2.0
) -> Array:
    """Return the tokens in flight at which weight reads and matmuls take equal time: peak x bytes / (2 x bandwidth).

    >>> round(float(critical_batch(989.4e12, 3.35e12)))
    295
    """
    ridge = positive("peak_flops_per_s", peak_flops_per_s) / positive("bandwidth_bytes_per_s", bandwidth_bytes_per_s)
    return ridge * positive("bytes_per_weight", bytes_per_weight) / 2
