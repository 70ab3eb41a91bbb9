"""MFU and HFU: formulas, impossible values, and published figures from the numbers that their papers state."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError
from dam_expert.physics import utilization as use
from dam_expert.physics.utilization import Recompute

A100, H100, TPU_V4 = 312e12, 989.4e12, 275e12


def test_llama_3_8b_operations_per_token():
    """N 8.03e9, 32 layers, 32 heads of 128, 8192 tokens: 61.06 GFLOP per token, 21.1 % of it attention."""
    attended = use.attention_flops_per_token(32, 32, 128, 8192)
    assert round(float(use.training_flops_per_token(8.03e9, attended)) / 1e9, 2) == 61.06
    assert round(float(use.attention_share(8.03e9, attended)) * 100, 1) == 21.1


@pytest.mark.parametrize(
    ("heads", "printed"), [pytest.param(48, 46.2, id="with attention"), pytest.param(None, 45.7, id="without")]
)
def test_palm_540b(heads, printed):
    """PaLM (Chowdhery et al. 2022, appendix B): 238.3 k tokens/s on 6144 TPU v4; 118 layers, 48 heads of 256."""
    attended = 0 if heads is None else use.attention_flops_per_token(118, heads, 256, 2048)
    per_token = use.training_flops_per_token(540.35e9, attended)
    assert round(float(use.mfu_from_tokens(238.3e3, per_token, 6144, TPU_V4)) * 100, 1) == printed


@pytest.mark.parametrize(
    ("batch", "layers", "hidden", "devices", "seconds", "printed"),
    [
        pytest.param(4, 48, 6144, 8, 1.10, 41.5, id="22B"),
        pytest.param(64, 96, 12288, 64, 13.75, 51.4, id="175B"),
        pytest.param(280, 105, 20480, 280, 37.83, 56.0, id="530B"),
        pytest.param(512, 128, 25600, 512, 71.49, 56.3, id="1T"),
    ],
)
def test_korthikanti_table_5(batch, layers, hidden, devices, seconds, printed):
    """Korthikanti et al. 2022, tables 3 and 5: MFU from shape, devices and a time given to 10 ms."""
    flops = use.gpt_training_flops(batch=batch, sequence=2048, layers=layers, hidden=hidden, vocabulary=51200)
    shortest, longest = (use.mfu(flops, seconds + off, devices, A100) * 100 for off in (0.005, -0.005))
    assert shortest - 0.05 <= printed <= longest + 0.05


@pytest.mark.parametrize(("tflops", "printed"), [(430, 43), (380, 38)], ids=["8192 GPUs", "131k tokens"])
def test_llama_3_405b(tflops, printed):
    """The Llama 3 paper, table 4: BF16 TFLOP/s per H100 and the MFU printed beside them."""
    assert round(float(use.mfu(tflops * 1e12, 1, 1, H100)) * 100) == printed


def test_430_tflops_on_h100():
    """430 TFLOP/s of 989.4 are 43.5 %."""
    assert round(float(use.mfu(430e12, 1, 1, H100)) * 100, 1) == 43.5


def test_full_recomputation_is_a_third_more():
    """Full recomputation adds one forward pass: HFU = 4/3 MFU."""
    attended = use.attention_flops_per_token(32, 32, 128, 8192)
    model = use.training_flops_per_token(8e9, attended)
    assert use.hardware_flops_per_token(8e9, attended, Recompute.FULL) == pytest.approx(model * 4 / 3)
    assert use.hardware_flops_per_token(8e9, attended) == model


@given(st.floats(1e6, 1e12), st.floats(0, 1e12))
def test_recomputation_only_adds(parameters, attended):
    """No recomputation <= selective <= full."""
    none, some, full = (use.hardware_flops_per_token(parameters, attended, each) for each in Recompute)
    assert none <= some <= full


@given(st.floats(1e6, 1e12), st.floats(0, 1e12))
def test_training_is_three_times_inference_and_adapters_lie_between(parameters, attended):
    """Backward costs twice forward; with a frozen base less."""
    forward = use.inference_flops_per_token(parameters, attended)
    training = use.training_flops_per_token(parameters, attended)
    assert training == pytest.approx(3 * forward)
    assert forward <= use.adapter_training_flops_per_token(parameters, attended) <= training


@pytest.mark.parametrize("figure", [use.mfu, use.hfu], ids=["mfu", "hfu"])
def test_above_one_is_an_input_error(figure):
    """Utilisation above 1 names likely reasons and the element."""
    with pytest.raises(PhysicsError, match="is above 1") as caught:
        figure([100e12, 400e12], 1, 1, A100)
    assert caught.value.argument == f"{figure.__name__}[1]"
    assert "ordinary cores" in caught.value.likely


def test_without_a_peak_there_is_no_mfu():
    """No other device's peak stands in for an unknown one."""
    with pytest.raises(PhysicsError, match="mfu without a stated peak"):
        use.mfu(1, 1, 1, None)


def test_effective_peak_follows_the_clock():
    """Half of the reference clock gives half of the peak."""
    assert use.effective_peak_flops_per_s(A100, 705e6, 1410e6) == A100 / 2


def test_unknown_stays_unknown():
    """A missing time gives a missing MFU."""
    assert np.isnan(use.mfu(1e12, np.nan, 1, A100))


@given(st.floats(1, 1e6), st.integers(1, 1000))
def test_mfu_scales(seconds, devices):
    """Twice the time or twice the devices halve the MFU."""
    here = use.mfu(1e12, seconds, devices, A100)
    assert use.mfu(1e12, 2 * seconds, devices, A100) == pytest.approx(here / 2)
    assert use.mfu(1e12, seconds, 2 * devices, A100) == pytest.approx(here / 2)
