"""FLOP counters: what each number counts."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import CALFLOPS, DEEPSPEED_FLOPS, FLOP_COUNTER, FVCORE, PTFLOPS

from dam_expert.readers.flops import FlopsReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("flops.txt", text.encode())
    assert FlopsReader().recognises(source)
    return FlopsReader().read(source)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param(
            DEEPSPEED_FLOPS,
            {
                "world_size": 8,
                "batch_size": 80,
                "parameters": 336.23e6,
                "forward_macs": 3139.93e9,
                "forward_flops": 6279.86e9,
                "forward_time": 0.07667,
                "backward_time": 0.10802,
                "update_time": 34.09e-6,
                "device_flops_rate": 101.98e12,
            },
            id="DeepSpeed: FLOPS is a rate; no step time; 0 for a sharded model is unknown",
        ),
        pytest.param(
            CALFLOPS,
            {"parameters": 20110, "forward_macs": 274.56e6, "forward_flops": 557.96e6, "step_flops": 1.67e9},
            id="calflops: FLOPS is a count",
        ),
        pytest.param(PTFLOPS, {"parameters": 25.56e6, "forward_macs": 4.12e9}, id="ptflops: MACs"),
        pytest.param(FVCORE, {"parameters": 20106, "forward_macs": 0.279e9}, id="fvcore: MACs, headed flops"),
        pytest.param(FLOP_COUNTER, {"forward_flops": 552.5e6}, id="FlopCounterMode, forward only"),
        pytest.param(
            FLOP_COUNTER + "- aten.convolution_backward  1011.548M     64.81%\n",
            {"step_flops": 552.5e6},
            id="FlopCounterMode with the backward pass",
        ),
    ],
)
def test_conventions(text, known):
    """Multiply-accumulates and operations go to measurements of their own."""
    reading = read(text)
    assert values(reading) == pytest.approx(known)
    assert reading.lines_not_understood == 0


def test_every_count_names_its_convention():
    """The detail of a count says what it counts."""
    for text in (DEEPSPEED_FLOPS, CALFLOPS, PTFLOPS, FVCORE, FLOP_COUNTER):
        for found in read(text).observations:
            if found.measurement in {"forward_macs", "forward_flops", "step_flops"}:
                assert "MAC" in str(found.origin.detail)


def test_a_title_without_totals_says_so():
    """A summary that is cut after its title holds no values."""
    assert codes(read(DEEPSPEED_FLOPS[:100])) == {"no-values"}
    assert read("| module | #parameters or shape | #flops |\n| model | - | - |").lines_not_understood == 1


@pytest.mark.parametrize(
    "text",
    [
        "+--------+----------------------+--------+--------------+\n"
        "| module | #parameters or shape | #flops | #activations |\n"
        "+--------+----------------------+--------+--------------+\n"
        "| resnet | 25.557M              | 4.145G | 11.115M      |\n|  conv1 | 9.408K | 0.118G | 0.803M |\n",
        "MMResNet50(\n#params: 25.557M, #flops: 4.145G, #acts: 11.11M\n(fc): Linear(\n#params: 2M, #flops: 2M\n",
    ],
)
def test_the_first_row_is_the_whole_model(text):
    """MMEngine prints activations as well, and any name; also as a tree."""
    assert values(read(text)) == {"parameters": 25.557e6, "forward_macs": 4.145e9}
