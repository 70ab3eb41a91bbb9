"""Operations and bytes of kernels and decoding steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, intensity

SIZES = st.integers(1, 1 << 15)

LLAMA_70B = {"parameters": 70.5e9, "weight_bytes": 141e9, "kv_bytes_per_token": 327680}


def test_gemm_counts():
    """A product (m, k) x (k, n) takes 2 m n k operations and moves three matrices."""
    work = intensity.gemm(2, 3, 4)
    assert (float(work.operations), float(work.bytes_moved)) == (48, 2 * (8 + 12 + 6))


@given(SIZES, SIZES, SIZES)
def test_gemm_intensity_grows_with_rows_and_stays_below_them(m, n, k):
    """In 16 bit the intensity is below m, and more rows never lower it."""
    once, twice = intensity.gemm(m, n, k).intensity, intensity.gemm(2 * m, n, k).intensity
    assert once < m
    assert twice >= once


@given(SIZES, st.floats(0.5, 8))
def test_wider_elements_lower_the_intensity_in_proportion(m, width):
    """Bytes per element scale the bytes and nothing else."""
    narrow, wide = intensity.gemm(m, 64, 64, 1.0), intensity.gemm(m, 64, 64, width)
    assert wide.intensity * width == pytest.approx(narrow.intensity)


@pytest.mark.parametrize(
    ("kv_heads", "expected"), [pytest.param(32, 1.0, id="one to one"), pytest.param(8, 4.0, id="grouped")]
)
@pytest.mark.parametrize("batch", [1, 64])
def test_decode_attention_intensity(kv_heads, expected, batch):
    """With one query, attention does heads / kv_heads operations per byte whatever the batch."""
    work = intensity.attention(batch=batch, heads=32, kv_heads=kv_heads, queries=1, keys=1 << 16, head_size=128)
    assert float(work.intensity) == pytest.approx(expected, rel=1e-3)


def test_unfused_attention_moves_the_scores():
    """Unfused attention does the same operations and moves four more score matrices."""
    shape = {"batch": 1, "heads": 2, "kv_heads": 2, "queries": 16, "keys": 16, "head_size": 8}
    fused, plain = intensity.attention(**shape), intensity.attention(**shape, fused=False)
    assert plain.operations == fused.operations
    assert plain.bytes_moved - fused.bytes_moved == 2 * 4 * 2 * 16 * 16


def test_more_key_value_heads_than_heads_is_an_error():
    """Key-value heads are shared by heads, never more than them."""
    with pytest.raises(PhysicsError, match="key-value heads are more than heads"):
        intensity.attention(batch=1, heads=8, kv_heads=32, queries=1, keys=1, head_size=64)


def test_convolution_counts():
    """The 3 x 3 layer of 64 channels at 56 x 56 takes 231 million operations; depthwise 64 times fewer."""
    shape = {"batch": 1, "channels_in": 64, "channels_out": 64, "height_out": 56, "width_out": 56,
             "kernel_height": 3, "kernel_width": 3}  # fmt: skip
    whole, depthwise = intensity.convolution(**shape), intensity.convolution(**shape, groups=64)
    assert float(whole.operations) == 2 * 56 * 56 * 64 * 64 * 9
    assert whole.operations == 64 * depthwise.operations
    assert depthwise.intensity < whole.intensity


def test_elementwise_addition():
    """Adding two 16-bit tensors does one operation per six bytes."""
    assert float(intensity.elementwise(1000).intensity) == pytest.approx(1 / 6)


def test_decode_at_batch_one_is_bound_by_the_weights():
    """8.03 B parameters in bf16 on an A100 80 GB: at least 7.88 ms per token, at most 127 tokens per second."""
    seconds = intensity.decode_step_bound_s(
        parameters=8.03e9, weight_bytes=16.06e9, batch=1, context=0, kv_bytes_per_token=131072,
        peak_flops_per_s=312e12, bandwidth_bytes_per_s=2.039e12,
    )  # fmt: skip
    assert round(float(seconds) * 1e3, 2) == 7.88
    assert int(1 / seconds) == 126
    assert round(1 / float(seconds)) == 127


def test_weights_over_eight_devices():
    """141 GB of weights over eight A100 80 GB take at least 8.64 ms per step."""
    work = intensity.decode_step(**LLAMA_70B, batch=1, context=0)
    assert round(float(work.bytes_moved) / (8 * 2.039e12) * 1e3, 2) == 8.64


@pytest.mark.parametrize(
    ("peak", "bandwidth", "width", "batch"),
    [
        pytest.param(989.4e12, 3.35e12, 2, 295, id="H100 bf16"),
        pytest.param(312e12, 2.039e12, 2, 153, id="A100 80 GB bf16"),
        pytest.param(197e12, 0.819e12, 2, 241, id="TPU v5e bf16"),
        pytest.param(989.4e12, 3.35e12, 1, 148, id="H100, int8 weights, bf16 arithmetic"),
    ],
)
def test_critical_batch(peak, bandwidth, width, batch):
    """Tokens in flight at which matmuls take as long as reading the weights."""
    assert round(float(intensity.critical_batch(peak, bandwidth, width))) == batch


@given(st.integers(1, 512), st.integers(0, 100_000))
def test_bytes_per_token_fall_with_batch_and_grow_with_context(batch, context):
    """Sharing weights lowers the bytes per token, context raises them."""
    args = {"weight_bytes": 16e9, "kv_bytes_per_token": 131072}
    here = intensity.decode_bytes_per_token(batch=batch, context=context, **args)
    assert intensity.decode_bytes_per_token(batch=batch + 1, context=context, **args) <= here
    assert intensity.decode_bytes_per_token(batch=batch, context=context + 1, **args) >= here


@given(st.integers(1, 512), st.integers(0, 100_000))
def test_step_bytes_agree_with_bytes_per_token(batch, context):
    """The bytes of a step are those of one token times the batch."""
    step = intensity.decode_step(**LLAMA_70B, batch=batch, context=context)
    args = {"weight_bytes": 141e9, "kv_bytes_per_token": 327680}
    each = intensity.decode_bytes_per_token(batch=batch, context=context, **args)
    assert float(step.bytes_moved) == pytest.approx(float(each) * batch)


def test_step_bound_turns_to_compute_above_the_critical_batch():
    """Below the critical batch the step time is flat, above it grows in proportion."""
    args = {**LLAMA_70B, "context": 0, "peak_flops_per_s": 989.4e12, "bandwidth_bytes_per_s": 3.35e12}
    times = intensity.decode_step_bound_s(batch=np.array([1, 256, 512, 1024]), **args)
    assert times[0] == times[1]
    assert times[3] == pytest.approx(2 * times[2])
