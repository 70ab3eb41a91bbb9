"""Shares in words, statistics apart from what they are of, cards by their number: in three languages."""

from __future__ import annotations

import pytest

HEAD = "# Slow\n\nIt is slow on our node.\n\n"


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("GPU utilization is only half.", "accelerator_utilization", 0.5),
        ("GPU util is three quarters.", "accelerator_utilization", 0.75),
        ("GPU 利用率只有六成。", "accelerator_utilization", 0.6),
        ("GPU 利用率不到三成。", "accelerator_utilization", (0, 0.3)),
        ("GPU 利用率只有一半。", "accelerator_utilization", 0.5),
        ("GPU 利用率百分之三十五。", "accelerator_utilization", 0.35),
        ("GPU chỉ chạy 3 phần 4.", "accelerator_utilization", 0.75),
        ("Mức dùng GPU chỉ một nửa.", "accelerator_utilization", 0.5),
        ("慢了一倍。", "reference_achievement", 0.5),
        ("Chậm gấp đôi so với trước.", "reference_achievement", 0.5),
        ("吞吐下降了六成。", "reference_achievement", pytest.approx(0.4)),
        ("Tốc độ chỉ còn một nửa.", "reference_achievement", 0.5),
        ("95 % of the KV cache is in use.", "kv_cache_usage", 0.95),
        ("The KV cache fills up to 95 %.", "kv_cache_usage", 0.95),
        ("KV 缓存使用率达到 95%。", "kv_cache_usage", 0.95),
        ("KV cache dùng tới 95 %.", "kv_cache_usage", 0.95),
        ("Throughput falls from ~10 steps/sec to ~6 steps/sec.", "step_rate", (4.8, 7.2)),
        ("GPU utilization swings from 0 to 100 %.", "accelerator_utilization", (0, 1)),
        ("We see 1k tokens per GPU per second.", "token_rate", 1000),
        ("使用3个A100训练", "accelerator", "A100"),
        ("显卡为4090 24G", "accelerator", "RTX 4090"),
        ("I train on my 3080 with 10 GB.", "accelerator", "RTX 3080"),
    ],
)
def test_what_is_spelt_out(values, sentence, measurement, value):
    """Words and signs for parts, multiples, swings and cards are values as digits are."""
    assert values(f"{HEAD}{sentence}\n")[measurement][0] == value


@pytest.mark.parametrize(
    "sentence",
    [
        "GPU utilization in half precision is fine.",
        "GPU utilization is low half of the time.",
        "GPU 利用率忽高忽低。",
        "GPU 利用率百分之十五六。",
        "GPU 利用率百分之三五。",
        "GPU 利用率二三成。",
        "We looked at 4090 images and the GPU utilization.",
    ],
)
def test_what_is_no_share(values, sentence):
    """Half of something else, a swing in words, a range of digits and a count of images are no share or card."""
    found = values(f"{HEAD}{sentence}\n")
    assert found.get("accelerator_utilization", ((0, 0.5),))[0] == (0, 0.5)
    assert "accelerator" not in found


TTFT = {"time_to_first_token_p50": 0.12, "time_to_first_token_p99": 0.9}


@pytest.mark.parametrize(
    "text",
    [
        "TTFT: p50 120 ms, p99 900 ms",
        "TTFT p50 is 120 ms and p99 is 900 ms.",
        "Time to first token is 120 ms (p50) and 900 ms (p99).",
        "The median of TTFT is 120 ms. The p99 of the first token is 900 ms.",
        "| metric | p50 | p99 |\n| --- | --- | --- |\n| TTFT | 120 ms | 900 ms |\n| TPOT | 20 ms | 40 ms |",
        "| | TTFT | TPOT |\n| --- | --- | --- |\n| p50 | 120 ms | 20 ms |\n| p99 | 900 ms | 40 ms |",
        "## TTFT\n\n- p50: 120 ms\n- p99: 900 ms",
        "Time to first token:\n\n- p50: 120 ms\n- p99: 900 ms",
        "首 token 延迟 p50 120 ms，p99 900 ms。",
        "Độ trễ token đầu tiên p50 120 ms, p99 900 ms.",
    ],
)
def test_a_statistic_is_that_of_what_is_named(values, text):
    """It may stand apart from its name: in brackets, in a cell, or below a heading."""
    found = values(f"{HEAD}{text}\n")
    assert {name: found[name][0] for name in TTFT} == pytest.approx(TTFT)
    assert {"request_p50", "request_p99"}.isdisjoint(found)


def test_a_statistic_of_nothing_else_is_that_of_requests(values):
    """A bare p99 is one of requests; that of a step, or of the time between tokens, is no request's."""
    assert values(f"{HEAD}Our p99 is 900 ms.\n")["request_p99"][0] == 0.9
    assert values(f"{HEAD}Throughput is 40 req/s and p99 is 900 ms.\n")["request_p99"][0] == 0.9
    assert "request_p99" not in values(f"{HEAD}Inter-token latency: p99 60 ms.\n")
    assert "request_p90" not in values(f"{HEAD}Step time p90 is 3 s.\n")
