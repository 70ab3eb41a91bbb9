"""What fits: states, activations, logits, cache and margins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, memory
from dam_expert.physics.memory import STATES
from dam_expert.physics.utilization import Recompute

GIB = 2**30
GPT3 = {"sequence": 2048, "batch": 1, "hidden": 12288, "heads": 96}


@pytest.mark.parametrize(
    ("states", "gib"), [("adam-mixed", 104.3), ("adam-mixed-fp32-gradients", 117.3), ("adam-fp32", 104.3)]
)
def test_states_of_seven_billion_parameters(states, gib):
    """7 B parameters do not fit 80 GiB unsharded, at 16 or 18 bytes each."""
    needed = float(memory.training_state_bytes(7e9, STATES[states]))
    assert round(needed / GIB, 1) == gib
    assert not memory.fit({"states": needed}, 80 * GIB).fits


@pytest.mark.parametrize(("stage", "gb"), [(0, 120.0), (1, 31.4), (2, 16.6), (3, 1.9)])
def test_zero_figure_1(stage, gb):
    """Rajbhandari et al. 2020, figure 1: 7.5 B parameters on 64 devices, GB per device by stage."""
    assert round(float(memory.training_state_bytes(7.5e9, STATES["adam-mixed"], 64, stage)) / 1e9, 1) == gb


@given(st.integers(1, 4096), st.floats(1e6, 1e13))
def test_more_sharding_never_needs_more(shards, parameters):
    """A later stage, and more ranks, never take more bytes per device."""
    by_stage = [memory.training_state_bytes(parameters, STATES["adam-mixed"], shards, stage) for stage in range(4)]
    assert by_stage == sorted(by_stage, reverse=True)
    assert memory.training_state_bytes(parameters, STATES["adam-mixed"], shards + 1, 3) <= by_stage[3]


@pytest.mark.parametrize("stage", [-1, 4])
def test_unknown_stage(stage):
    """Stages other than 0 to 3 do not exist."""
    with pytest.raises(PhysicsError, match="is no sharding stage"):
        memory.training_state_bytes(1e9, STATES["adam-mixed"], 8, stage)


@pytest.mark.parametrize(
    ("recompute", "gib"),
    [
        pytest.param(Recompute.NONE, 256.5, id="none"),
        pytest.param(Recompute.SELECTIVE, 76.5, id="selective"),
        pytest.param(Recompute.FULL, 4.5, id="full"),
    ],
)
def test_gpt_3_activations(recompute, gib):
    """GPT-3, 96 layers, one sequence of 2048 (Korthikanti et al. 2022, table 2): GiB by recomputation."""
    assert float(memory.layer_activation_bytes(**GPT3, recompute=recompute)) * 96 / GIB == pytest.approx(gib, abs=0.05)


def test_one_gpt_3_layer():
    """5 a s / h is 80 for GPT-3 and 64 for MT-NLG; a layer of GPT-3 keeps 2.672 GiB."""
    assert round(float(memory.layer_activation_bytes(**GPT3)) / GIB, 3) == 2.672
    mt_nlg = memory.layer_activation_bytes(sequence=2048, batch=1, hidden=20480, heads=128)
    assert float(mt_nlg) / (2048 * 20480) == 34 + 64


def test_tensor_and_sequence_parallelism():
    """Tensor parallelism leaves 10 of 34 terms whole; sequence parallelism divides them too (table 2)."""
    unit = 2048 * 12288
    tensor = memory.layer_activation_bytes(**GPT3, tensor_parallel=8)
    sequence = memory.layer_activation_bytes(**GPT3, tensor_parallel=8, sequence_parallel=True)
    assert float(tensor) / unit == 10 + 24 / 8 + 80 / 8
    assert float(sequence) / unit == (34 + 80) / 8


@pytest.mark.parametrize(
    ("shape", "per_token"),
    [
        pytest.param((32, 8, 128), 131072, id="Llama-3.1-8B: 32 layers, 8 of 32 heads, size 128 (config.json)"),
        pytest.param((80, 8, 128), 327680, id="Llama-3.1-70B: 80 layers, 8 of 64 heads, size 128 (config.json)"),
    ],
)
def test_cache_of_public_models(shape, per_token):
    """Key-value bytes of one token in bf16, from the published configurations."""
    assert memory.kv_cache_bytes_per_token(*shape) == per_token


def test_latent_cache_of_deepseek_v3():
    """DeepSeek-V3 (config.json: kv_lora_rank 512, qk_rope_head_dim 64, 61 layers): 70 272 bytes per token."""
    assert memory.latent_cache_bytes_per_token(61, 512, 64) == 70272


def test_logits():
    """32 k tokens over a vocabulary of 128 256 take 15.7 GiB in fp32."""
    assert round(float(memory.logit_bytes(32768, 128256)) / GIB, 1) == 15.7


def test_weights_by_bits():
    """4-bit weights take a quarter of 16-bit ones."""
    assert memory.weight_bytes(8e9, 4) * 4 == memory.weight_bytes(8e9, 16)


def test_fit_reports_room_and_the_largest_part():
    """Fragmentation grows the need, headroom shrinks the capacity."""
    result = memory.fit({"weights": 16e9, "cache": 20e9}, 48e9, fragmentation=0.1, headroom=0.1)
    assert result.required_bytes == pytest.approx(39.6e9)
    assert result.usable_bytes == pytest.approx(43.2e9)
    assert result.room_bytes == pytest.approx(3.6e9)
    assert result.fits
    assert result.largest == "cache"


def test_nothing_to_place():
    """An estimate without parts is an error, not a fit."""
    with pytest.raises(PhysicsError, match="nothing to place"):
        memory.fit({}, 80e9)


def test_negative_part_is_named():
    """A part below zero is refused by its name."""
    with pytest.raises(PhysicsError, match="cache: -1 is negative"):
        memory.fit({"cache": -1}, 80e9)


def test_fragmentation():
    """A fifth of the reserved memory is not allocated; allocated above reserved cannot be."""
    assert memory.fragmentation_share(10e9, 8e9) == pytest.approx(0.2)
    with pytest.raises(PhysicsError, match="more than reserved"):
        memory.fragmentation_share(8e9, 10e9)


def test_tokens_that_fit():
    """Whole tokens only, none where nothing is left."""
    assert memory.cache_tokens_that_fit(np.array([0, 131071, 16 * GIB]), 131072).tolist() == [0, 0, 131072]


@given(st.integers(1, 8192), st.integers(1, 64))
def test_activations_grow_with_sequence_and_batch(sequence, batch):
    """Longer sequences and larger micro-batches never keep less; batch is linear."""
    args = {"hidden": 4096, "heads": 32}
    here = memory.layer_activation_bytes(sequence=sequence, batch=batch, **args)
    assert memory.layer_activation_bytes(sequence=sequence + 1, batch=batch, **args) > here
    assert memory.layer_activation_bytes(sequence=sequence, batch=2 * batch, **args) == pytest.approx(2 * here)
