"""Which name a number belongs to, in lists of settings and behind what was counted before."""

from __future__ import annotations

import pytest

HEAD = "# Training is slow\n\nWe train on 4x A100 and it is slow.\n\n"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Step time is 4.1 s at micro batch 1, sequence 4096, gradient accumulation 4.",
            {"step_time": 4.1, "batch_size": 1, "gradient_accumulation": 4},
        ),
        ("batch size 64, seq len 2048, 8 workers, lr 3e-4", {"batch_size": 64, "dataloader_workers": 8}),
        ("The container has 6 cores, the node has 96.", {"host_cores": 6}),
        ("The GPUs sit at around 30-40 % in nvidia-smi.", {"accelerator_utilization": (0.3, 0.4)}),
    ],
)
def test_each_number_goes_to_its_own_name(values, sentence, expected):
    """A number follows its name in a list; what a thing *has* counts what was named before."""
    read = values(HEAD + sentence + "\n")
    assert {name: read[name][0] for name in expected} == expected
    assert "node_count" not in read
    assert read["accelerator"][0] == "A100"


def test_a_share_of_the_peak_can_be_wanted(read):
    """MFU is a target as times and rates are."""
    target = read(HEAD + "We want at least 40 % MFU. MFU is 21 %.\n").target
    assert (target.metric, target.wanted.lo) == ("mfu", 0.4)


def test_what_is_wanted_of_another_metric_than_the_title_names_is_missed(read):
    """A title names what somebody looked at; the wanted value tells what is missed."""
    target = read(
        "# Throughput does not scale\n\nIt runs on one L40S. Our SLO is TTFT p99 < 2 s at 64 clients.\n"
    ).target
    assert target.metric == "time_to_first_token_p99"


@pytest.mark.parametrize("greeting", ["Hi all,", "Hello team,", "大家好，", "Chào mọi người,"])
def test_a_greeting_is_no_title(read, greeting):
    """What a mail is about comes behind it."""
    found = read(f"{greeting}\n\nTraining became slow\n\nA step takes 2 s on one A100.\n")
    assert found.title == "Training became slow"
