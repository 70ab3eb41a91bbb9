"""What words alone must not prove: health by a target in passing, a failure that is only spoken of, a time of many."""

from __future__ import annotations

import pytest

from dam_expert.prose.recognise import is_report
from dam_expert.readers.source import Source

HEAD = "# Training is slow\n\nWe train on one A100.\n\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "Validation accuracy is 92 %, our goal was 90 %, so quality is fine. One epoch takes 5 hours.",
        "Step time was 230 ms before the upgrade and is 410 ms now.",
        "Target step time 100 ms. Bob reaches a step time of 90 ms; we get 300 ms.",
        "服务成本太高，p99 延迟 180 ms，目标 500 ms，没问题。",
    ],
)
def test_what_is_said_to_be_reached_is_no_target_that_is_met(read, sentence):
    """Nobody writes a report because a target is met, and a value of before is no target."""
    target = read(HEAD + sentence + "\n").target
    assert target is None or target.wanted is None or target.actual is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We fixed the CUDA out of memory error last week.", True),
        ("HIP out of memory is not our problem.", True),
        ("我们没有遇到 CUDA out of memory 的错误，只是慢。", True),
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n\nThis was before, it is slow.",
            True,
        ),
        ("RuntimeError: CUDA out of memory. Tried to allocate 62.00 MiB (GPU 0; 12.00 GiB total capacity)", False),
        ("2026-01-02 ERROR the worker died with CUDA out of memory", False),
    ],
)
def test_what_is_said_of_a_message_is_no_message(text, expected):
    """A few lines in which somebody speaks of a failure are a report; the message alone is the tool's."""
    assert is_report(Source.of_bytes("note.md", f"{text}\n".encode())) is expected


@pytest.mark.parametrize("line", ["500 steps take 20 min", "1000 steps take 50 s", "5 epochs take 10 h"])
def test_the_time_of_many_is_not_that_of_one(values, line):
    """Neither as a time nor by its count."""
    assert {"step_time", "epoch_time"}.isdisjoint(values(f"{HEAD}## Measured\n\n- {line}\n- gpu util: 40 %\n"))


@pytest.mark.parametrize(
    "sentence",
    ["Throughput is 1 900 img/s.", "Step time is 1 500 ms.", "Step time is 1'500 ms.", "It is 12.345,6 img/s."],
)
def test_thousands_of_other_countries_are_left_out(values, sentence):
    """Half of such a number would be another one."""
    assert {"step_time", "throughput"}.isdisjoint(values(HEAD + sentence + "\n"))


def test_which_one_is_not_how_many(values):
    """A number behind a thing in the singular names it."""
    assert "node_count" not in values("# Slow\n\nAll 4 GPUs on node 3 are slow.\n")


@pytest.mark.parametrize(
    "title",
    ["[SOLVED] training is slow", "Training used to be slow", "已解决：训练很慢", "Customer X: training is slow"],
)
def test_a_title_may_take_back_what_stands_below(values, title):
    """What is over, or somebody else's, is said."""
    assert values(f"# {title}\n\n## Measured\n\n- input_gap_share: 60 %\n")["input_gap_share"][1] == "said"


@pytest.mark.parametrize(
    "sentence", ["Disabling pinned memory made it faster: 1900 -> 2400 img/s.", "关闭CUDA graph之后快了1.8倍。"]
)
def test_what_is_taken_off_was_not_tried(read, sentence):
    """That it is faster without it does not speak for it."""
    assert read(HEAD + sentence + "\n").tried == ()
