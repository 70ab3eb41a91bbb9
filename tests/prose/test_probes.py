"""Probes that a report tells of in sentences: factors, no change, and values beside those of the job."""

from __future__ import annotations

import pytest

HEAD = "# Training is slow\n\nWe train on one A100 and it is slow.\n\n"


@pytest.mark.parametrize(
    ("sentence", "probe", "low", "high"),
    [
        ("Throughput is 1900 img/s. With synthetic data it is 5400 img/s.", "synthetic_input_speedup", 2.84, 2.85),
        ("With fake data we reach 5400 img/s instead of 1900 img/s.", "synthetic_input_speedup", 2.84, 2.85),
        ("With random tensors the speed goes from 1900 to 5400 img/s.", "synthetic_input_speedup", 2.84, 2.85),
        ("Replacing the loader by a fixed batch makes it 2.8x faster.", "synthetic_input_speedup", 2.8, 2.8),
        ("With a local copy of the files nothing changed.", "local_files_speedup", 0.97, 1.03),
        ("把数据换成随机张量后吞吐从 1900 img/s 升到 5400 img/s。", "synthetic_input_speedup", 2.84, 2.85),
        ("Dùng dữ liệu giả thì tốc độ tăng từ 1900 lên 5400 img/s.", "synthetic_input_speedup", 2.84, 2.85),
    ],
)
def test_a_sentence_tells_a_probe(values, sentence, probe, low, high):
    """The factor is said; what was measured in the trial is no value of the job."""
    read = values(HEAD + sentence + "\n")
    value, basis = read[probe]
    ends = value if isinstance(value, tuple) else (value, value)
    assert basis == "said"
    assert low <= ends[0] <= ends[1] <= high
    assert read.get("throughput", (1900,))[0] == 1900


@pytest.mark.parametrize(
    "sentence",
    [
        "With synthetic data it may be 5400 img/s instead of 1900 img/s.",
        "Would it be 5400 img/s instead of 1900 img/s with synthetic data?",
        "A colleague gets 5400 img/s instead of 1900 img/s with synthetic data.",
        "With synthetic data and a local copy it is 5400 img/s instead of 1900 img/s.",
        "We get 300 img/s instead of the expected 520 img/s with synthetic data.",
        "We train on synthetic data at 5400 img/s.",
    ],
)
def test_guesses_other_people_and_several_changes_tell_none(values, sentence):
    """Neither does the job's own input, nor what was expected."""
    assert "synthetic_input_speedup" not in values(HEAD + sentence + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "Synthetic data gives the same step time.",
        "With random tensors the step time stays the same.",
        "用合成数据每步时间一样。",
        "Dữ liệu giả cho thời gian mỗi bước như nhau.",
    ],
)
def test_the_same_under_a_condition_is_a_factor_of_one(values, text):
    """It is said, and decides nothing."""
    assert values(f"# Slow\n\n{text}\n")["synthetic_input_speedup"] == ((0.97, 1.03), "said")


@pytest.mark.parametrize(
    "text", ["Synthetic data does not give the same step time.", "Would synthetic data give the same step time?"]
)
def test_what_is_not_the_same_is_no_factor(values, text):
    """Nor what is only asked."""
    assert "synthetic_input_speedup" not in values(f"# Slow\n\n{text}\n")


def test_a_vietnamese_factor_has_a_comma(values):
    """``2,4 lần`` is 2.4 times."""
    assert values("# Chậm\n\nBật CUDA graph nhanh gấp 2,4 lần.\n")["graph_replay_speedup"] == (2.4, "said")
