"""The memory fit: published states and caches, margins, the largest batch, and what levers free."""

from __future__ import annotations

import dataclasses

import pytest

from dam_expert.physics.answers.memory import Margins, Serving, Shape, Training, memory_fit, serving_parts
from dam_expert.physics.utilization import Recompute

NONE = Margins(fragmentation=0.0, headroom=0.0)
LLAMA = Shape(layers=32, hidden=4096, heads=32, kv_heads=8, head_size=128, sequence=8192)

ZERO = [
    pytest.param(0, 120.0, id="plain"),
    pytest.param(1, 31.4, id="optimizer"),
    pytest.param(2, 16.6, id="gradients"),
    pytest.param(3, 1.9, id="weights"),
]


@pytest.mark.parametrize(("stage", "gigabytes"), ZERO)
def test_zero_paper(stage, gigabytes):
    """7.5 B parameters over 64 devices need what figure 1 of Rajbhandari et al. 2020 prints."""
    answer = memory_fit(Training(parameters=7.5e9, shards=64, stage=stage), Shape(), 80e9, NONE)
    assert round(answer.required_bytes / 1e9, 1) == gigabytes


@pytest.mark.parametrize(
    "how", [Training(parameters=1e9, recompute=Recompute.FULL), Serving(parameters=8e9)], ids=["training", "serving"]
)
def test_the_largest_batch_is_the_last_that_fits(how):
    """The named batch fits and one more does not, whatever the batch that was asked for."""
    margins = Margins(fragmentation=0.1, headroom=0.1)
    answer = memory_fit(how, LLAMA, 80 * 2**30, margins)
    for extra, fits in ((0, True), (1, False)):
        shape = dataclasses.replace(LLAMA, batch=answer.largest_batch + extra)
        assert memory_fit(how, shape, 80 * 2**30, margins).fits is fits


def test_states_alone_have_no_largest_batch():
    """Where nothing known grows with the batch no largest one is claimed."""
    assert memory_fit(Training(parameters=1e9), Shape(), 80e9, NONE).largest_batch is None


def test_nothing_fits():
    """Where not even one sequence fits, the largest batch is 0."""
    assert memory_fit(Serving(parameters=70e9), LLAMA, 80e9, NONE).largest_batch == 0


def test_levers_are_ranked_and_not_offered_twice():
    """The best lever comes first; what is already done is not offered."""
    how = Training(parameters=1e9, recompute=Recompute.FULL, stage=3, shards=8)
    names = [lever.id for lever in memory_fit(how, LLAMA, 80e9, NONE).levers]
    assert names == ["8-bit optimizer"]
    gains = [lever.gain for lever in memory_fit(Training(parameters=1e9), LLAMA, 80e9, NONE).levers]
    assert gains == sorted(gains, reverse=True)


def test_key_value_heads_are_not_split():
    """Beyond one device per key-value head further devices hold copies of the cache."""
    parts = [serving_parts(Serving(parameters=8e9, shards=n), LLAMA)["key-value cache"] for n in (1, 8, 16)]
    assert parts[0] / 8 == parts[1] == parts[2]


def test_margins():
    """Fragmentation grows what is required, headroom shrinks what is usable, other bytes count in full."""
    answer = memory_fit(Training(parameters=1e9), Shape(), 100e9, Margins(fragmentation=0.5, headroom=0.1), 4e9)
    assert (answer.required_bytes, answer.usable_bytes) == (30e9, 90e9)


@pytest.mark.parametrize(
    ("how", "shape", "part", "lacking", "levers"),
    [
        pytest.param(
            Training(parameters=7e9),
            Shape(layers=32, hidden=4096),
            "activations",
            ("heads", "sequence"),
            {"full recomputation", "selective recomputation"},
            id="training",
        ),
        pytest.param(
            Serving(parameters=7e9),
            Shape(layers=32, head_size=128, sequence=8192),
            "key-value cache",
            ("kv_heads",),
            {"8-bit cache"},
            id="serving",
        ),
    ],
)
def test_what_is_not_counted_is_no_part_of_the_verdict(how, shape, part, lacking, levers):
    """A part that lacks a number is named with it, and a lever on it is neither good nor wasted."""
    answer = memory_fit(how, shape, 80e9, NONE)
    assert answer.not_counted[part] == lacking
    assert {lever.id for lever in answer.levers if lever.of_unknown == part} == levers
    full = memory_fit(how, dataclasses.replace(LLAMA, vocabulary=32000), 80e9, NONE)
    assert not full.not_counted
    assert all(lever.of_unknown is None for lever in full.levers)
