"""What a report misses: its metric, and how the actual value is known."""

from __future__ import annotations

import pytest

from dam_expert.documents.incident import Incident
from dam_expert.engine.diagnose import diagnose
from dam_expert.prose import joined_with


@pytest.mark.parametrize(
    ("title", "metric", "track"),
    [
        ("OOM error after 30 epochs", None, "fit"),
        ("Slow GPU usage rate", None, "time"),
        ("Severe performance drop with 30 users", None, "time"),
        ("GPUs sit idle and all CPU cores are busy", None, "time"),
    ],
)
def test_words_of_a_title_that_are_no_metric(read, title, metric, track):
    """*Error*, *rate* and *performance* alone name no metric of quality or time, and idle devices no bill."""
    target = read(f"# {title}\n\nIt happens in training, on one A100.\n").target
    assert (None if target is None else target.metric) == metric
    assert target is None or str(target.track) == track


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("# p99 latency\n\nThe p99 latency is 180 ms, our target was 500 ms.\n", "said"),
        ("# p99 latency\n\n## Measured\n\n- p99 latency: 180 ms\n- target p99 latency: 500 ms\n", "reported"),
    ],
)
def test_how_the_actual_value_is_known(base, read, text, basis):
    """What words say is reached keeps its basis, and proves no health."""
    report = read(text)
    assert str(report.target.basis) == basis
    diagnosis = diagnose(base, joined_with(Incident(id="a", file="a"), [report]))
    assert (diagnosis.status == "no_fault") is (basis == "reported")


def test_a_line_of_its_own_is_the_line_that_is_shown(read):
    """A sentence behind a line break stands in its own line, also where all of it was understood."""
    report = read("The loader is slow.\nIt has 8 workers.\nI raised num_workers to 16, no effect.\n")
    found = {each.observation.measurement: each.observation.origin.line for each in report.findings}
    assert found["more_workers_speedup"] == 3
    assert [each.origin.line for each in report.tried] == [3]


@pytest.mark.parametrize(
    "text",
    [
        "Mục tiêu p99 TTFT dưới 1 giây. max_num_seqs = 256, gpu_memory_utilization = 0.9.",
        "Mục tiêu p99 TTFT dưới 1 giây, max_num_seqs = 256.",
        "目标是 p99 TTFT 低于 1 秒。max_num_seqs = 256。",
        "Our target p99 TTFT is below 1 s, max_num_seqs = 256.",
        "The goal is a p99 TTFT below 1 s. max_num_seqs: 256",
    ],
)
def test_a_target_takes_no_number_of_a_setting(read, text):
    """The number of another sentence, or behind the name of an option, is what that one is."""
    report = read(f"{text}\n")
    assert (report.target.metric, report.target.wanted.lo) == ("time_to_first_token_p99", 1.0)
    settings = {each.observation.measurement: each.observation.value for each in report.settings}
    assert settings["max_num_seqs"].lo == 256


def test_a_label_may_hold_a_word_that_is_cut_short(values):
    """A full stop behind one word ends no sentence."""
    assert values("avg. step time: 300 ms\n")["step_time"][0] == 0.3


@pytest.mark.parametrize(
    ("text", "actual", "wanted"),
    [
        ("On one node a step takes 610 ms. On two nodes a step takes 1.15 s, and we hoped for 650 ms.", 1.15, 0.65),
        ("A step takes 2.4 s; I was hoping for 900 ms.", 2.4, 0.9),
        ("A step takes 2.4 s, we had hoped to reach 900 ms.", 2.4, 0.9),
        ("两台机器上每步要 1.4 秒，本来指望 800 毫秒。", 1.4, 0.8),
        ("Trên hai máy mỗi bước mất 1,4 giây, chúng tôi đã hy vọng 800 ms.", 1.4, 0.8),
        ("A step takes 500 ms, it used to be 210 ms.", 0.5, 0.21),
        ("每步现在要 500 毫秒，以前是 210 毫秒。", 0.5, 0.21),
        ("Mỗi bước mất 500 ms, trước đây chỉ 210 ms.", 0.5, 0.21),
    ],
)
def test_what_was_hoped_for_and_what_was_is_wanted(read, text, actual, wanted):
    """A hope is a wish, and what got worse should be as it was; neither is what is."""
    target = read(f"{text}\n").target
    assert target.metric == "step_time"
    assert (target.actual.lo, target.wanted.lo) == (actual, wanted)


def test_a_hope_without_a_number_takes_none(read, values):
    """What stands before it is what is; a hope for a metric states none of it."""
    text = "A step takes 900 ms, we had hoped for better.\n"
    assert values(text)["step_time"][0] == 0.9
    assert read(text).target is None or read(text).target.wanted is None
    assert "step_time" not in values("We had hoped for a step time of 300 ms.\n")
