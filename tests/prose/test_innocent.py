"""What is written around plain values leaves them standing only where it is understood and innocent."""

from __future__ import annotations

import pytest

GAP = "- input gap share: 45 %\n- step time: 180 ms\n"
BASE = f"# Training job slow\n\n## Measured\n\n{GAP}"


BEFORE = [
    "I have not run this yet; the figures below are what I expect to see.",
    "Here is what a healthy node would show:",
    "Suppose for a moment we had this.",
    "My intern typed these from memory after lunch.",
    "Don't trust any of it.",
    "The profile was taken during warm-up, first 3 steps only.",
    "Goal for next quarter:",
    "Dream:",
    "This is what the sales deck promises:",
    "Below is the sheet that the previous owner of this cluster left behind in 2021.",
    "A healthy run, so that you see the difference:",
    "以下是供应商提供的数字，不是我们的。",
    "假设我们得到以下结果：",
    "下面是我们希望看到的：",
    "Dưới đây là số liệu của nhà cung cấp, không phải của chúng tôi.",
    "Trích từ bài blog:",
    "Sau đây là những gì chúng tôi mong đợi:",
]
BEHIND = [
    "PS: I typed the figures from a slide deck.",
    "Scrap that, the trace was of the evaluation script.",
    "The profile turned out to belong to job 1181, ours is 1182.",
    "That table is a template; replace the values by your own.",
    "Nobody has verified the above.",
    "Just kidding.",
    "They are from the neighbours.",
    "These figures are not comparable with anything.",
    "以上是供应商的数据。",
    "开玩笑的。",
    "那些数字是抄来的。",
    "Số trên là của máy khác.",
    "Chỉ đùa thôi.",
]
INNOCENT = [
    "It is slow.",
    "We train a ResNet-50 on 8 GPUs, and the GPU utilisation is low.",
    "The values below were measured today on the training node.",
    "Measured with the profiler during steady training:",
    "The job is slower than before.",
    "Why is it so slow? Any ideas? Thanks!",
    "One rank waits for input while the others wait for it.",
    "训练很慢，为什么？",
    "以下是实测结果：",
    "Huấn luyện chậm, xin giúp.",
    "Sau đây là kết quả đo:",
]


@pytest.mark.parametrize("words", BEFORE)
def test_words_before_values_that_are_not_understood(confirmed, words):
    """What points at values and is not wholly understood takes their standing, below a heading of its own or not."""
    assert confirmed(f"# Training job slow\n\n{words}\n\n## Measured\n\n{GAP}") == []
    assert confirmed(f"# Training job slow\n\n## Problem\n\n{words}\n\n### Measured\n\n{GAP}") == []


@pytest.mark.parametrize("words", BEHIND)
def test_words_behind_values_that_are_not_understood(confirmed, words):
    """So does what refers back to them, right behind them or under another heading."""
    assert confirmed(f"{BASE}\n## Notes\n\n{words}\n") == []
    assert confirmed(f"{BASE}\n{words}\n") == []


@pytest.mark.parametrize("words", INNOCENT)
def test_words_that_are_understood_leave_values_standing(confirmed, words):
    """Complaints, questions and plain words on how it was measured say nothing against the values."""
    assert "input_wait" in confirmed(f"# Training job slow\n\n{words}\n\n## Measured\n\n{GAP}")
    assert "input_wait" in confirmed(f"{BASE}\n## Notes\n\n{words}\n")


@pytest.mark.parametrize("outer", ["Background", "Problem", "背景", "Bối cảnh"])
@pytest.mark.parametrize(
    "words",
    [
        "This happened at a company that I used to work for.",
        "The numbers come from the emulator.",
        "I am writing a tutorial and need an example.",
        "这是以前公司的事。",
        "Chuyện này xảy ra ở công ty cũ.",
    ],
)
def test_another_place_told_above(confirmed, outer, words):
    """What stands above a nested section and is of another place holds for it."""
    assert confirmed(f"# Training job slow\n\n## {outer}\n\n{words}\n\n### Measured\n\n{GAP}") == []


def test_a_second_incident_in_one_text(confirmed):
    """Which of two incidents is the reporter's is not known."""
    assert confirmed(f"{BASE}\n# Serving of the other product slow\n\nTTFT is high.\n") == []
    assert "input_wait" in confirmed(f"{BASE}\n# Setup\n\n- batch size: 8\n")


@pytest.mark.parametrize(
    "head",
    [
        "tags: [example, fictional]",
        "environment: staging",
        "machine: the vendor's demo box",
        "Host: node7 of the vendor",
    ],
)
def test_keys_and_items_that_tell_of_another_place(confirmed, head):
    """Ahead of a text, or among its items, they take the standing of all values."""
    assert confirmed(f"---\ntitle: Training job slow\n{head}\n---\n\n## Measured\n\n{GAP}") == []
    assert confirmed(f"# Training job slow\n\n## Setup\n\n- {head}\n\n## Measured\n\n{GAP}") == []
    assert confirmed(f"# Training job slow\n\n{head}\n\n## Measured\n\n{GAP}") == []


@pytest.mark.parametrize(
    "title",
    [
        "Hypothetical: training job slow",
        "Training job of another company slow",
        "Fixture: slow training",
        "Exercise 3: slow training",
        "Textbook case of slow training",
        "Slow training in the simulation",
        "Demo: slow training",
        "A story of slow training",
        "[RESOLVED, wrong diagnosis] Training job slow",
        "Training job slow (false alarm)",
        "If training is slow",
        "What if training is slow",
        "Not our training is slow",
        "Our competitor's training is slow",
        "竞争对手的训练很慢",
        "假如训练很慢",
        "练习：训练很慢",
        "Huấn luyện của công ty khác chậm",
        "Nếu huấn luyện chậm",
    ],
)
def test_titles_that_make_all_of_it_hearsay(confirmed, title):
    """A title of others, of what is thought out or done for learning takes the standing of every value."""
    assert confirmed(f"# {title}\n\n## Measured\n\n{GAP}") == []


@pytest.mark.parametrize("row", ["source | vendor", "job | other", "来源 | 厂商", "nguồn | tài liệu"])
def test_a_row_on_their_origin_holds_for_its_table(confirmed, row):
    """A row of a table that tells where its values come from is what such an item is for a list."""
    table = "| metric | value |\n| --- | --- |\n| input gap share | 45 % |\n| step time | 180 ms |\n"
    assert confirmed(f"# Training job slow\n\n## Measured\n\n{table}| {row} |\n") == []
    assert "input_wait" in confirmed(f"# Training job slow\n\n## Measured\n\n{table}| workers | 4 |\n")


@pytest.mark.parametrize(
    "command",
    [
        "slogin gpu7",
        "autossh -M 0 gpu7",
        "sshpass -p x ssh gpu7",
        "tailscale ssh gpu7",
        "parallel-ssh -h hosts nvidia-smi",
        "ansible gpu7 -m shell -a nvidia-smi",
        "aws ssm start-session --target i-1",
        "virsh console gpu7",
        "qrsh -l gpu",
        "mpirun -H gpu7 nvidia-smi",
        "salloc -w gpu7",
        "kubectl exec trainer-4 -- nvidia-smi",
    ],
)
def test_commands_that_go_to_another_machine(confirmed, command):
    """Whatever takes a command to another machine leaves open where the values were measured."""
    assert confirmed(f"# Training job slow\n\n```\n$ {command}\n```\n\n## Measured\n\n{GAP}") == []


def test_a_login_in_words(confirmed):
    """So does a sentence that tells of it."""
    assert confirmed(f"# Training job slow\n\nI logged in to the other box.\n\n## Measured\n\n{GAP}") == []


CASES = "# Step time high\n\n## Measured\n\n- step time: 600 ms\n- step time with CUDA graphs: 300 ms\n"


@pytest.mark.parametrize(
    "words",
    [
        "The driver was upgraded between the runs.",
        "The second run was on another cluster.",
        "The batch size differs.",
        "The second run had half the data.",
        "We rebooted in between.",
        "They are not comparable.",
        "Both runs were on different days.",
        "The second was in an otherwise empty cluster.",
        "The first ran while the backup ran.",
        "The runs used different seeds.",
        "两次之间还换了机器。",
        "Giữa hai lần chạy chúng tôi cũng đổi máy.",
    ],
)
def test_a_further_difference_takes_the_comparison(read, words):
    """Beside two compared values, a sentence of what else differed leaves nothing of what the lever did."""
    assert [each.lever for each in read(CASES).tried] == ["replay_graphs"]
    assert not read(f"{CASES}\n{words}\n").tried
    assert not read(f"{CASES}\n## Notes\n\n{words}\n").tried


@pytest.mark.parametrize(
    "label", ["p99", "max", "min", "first epoch", "second epoch", "and 2 workers", "during the night", "on node 3"]
)
def test_labels_that_differ_by_more_than_the_lever(read, label):
    """A statistic, an epoch or another setting in only one of two labels is a further difference."""
    text = f"# Step time high\n\n## Measured\n\n- step time: 600 ms\n- step time with CUDA graphs {label}: 300 ms\n"
    assert not read(text).tried


PLAIN_TARGET = "- step time: 100 ms\n- target step time: 250 ms\n"


def test_a_plain_target_that_is_reached_proves_health(diagnosed):
    """Two labelled values of one metric, with units and no other words."""
    assert diagnosed(f"# Step time\n\n## Measured\n\n{PLAIN_TARGET}").status == "no_fault"


@pytest.mark.parametrize(
    "items",
    [
        "- step time: 100 ms\n- old target step time: 250 ms\n",
        "- step time: 100 ms\n- target step time of v1: 250 ms\n",
        "- step time: 100 ms\n- step time limit: 250 ms\n",
        "- step time: 100 ms\n- step time budget: 250 ms\n",
        "- min step time: 200 ms\n- target step time: 250 ms\n",
        "- step time: 100 ms\n- target p99 step time: 250 ms\n",
        "- step time: 0.2\n- target step time: 250\n",
        "- step time: 100 ms\n- target step time: 250\n",
        "- step time: 100 ms\n- target step time: 250 ms?\n",
        "- step time: 100 ms\n- target step time: 250 ms (of the old model)\n",
        f"{PLAIN_TARGET}- step time in production: 500 ms\n",
        f"{PLAIN_TARGET}- step time at peak: 300 ms\n",
    ],
)
def test_targets_that_prove_no_health(diagnosed, items):
    """Another word in either label, no unit, or another value that misses the target leave it open."""
    assert diagnosed(f"# Step time\n\n## Measured\n\n{items}").status != "no_fault"


@pytest.mark.parametrize(
    "words",
    [
        "The target step time was 250 ms, is 100 ms now.",
        "The target step time is 250 ms until May.",
        "目标 step time 曾经是 250 ms。",
        "The target step time of another team is 250 ms.",
        "Is our target step time 250 ms?",
        "Target step time 250 ms (of the old model).",
        "A target step time of 250 ms is a joke.",
    ],
)
def test_targets_in_sentences_prove_no_health(diagnosed, words):
    """What sentences say of a target may have been so once, or for others."""
    assert diagnosed(f"# Step time\n\n{words}\n\n## Measured\n\n- step time: 100 ms\n").status != "no_fault"


def test_a_mean_against_a_target_of_its_p99(diagnosed):
    """A mean that is below the target of a p99 proves nothing of it."""
    text = "# Request latency\n\n## Measured\n\n- mean latency: 100 ms\n- target p99 latency: 250 ms\n"
    assert diagnosed(text).status != "no_fault"
