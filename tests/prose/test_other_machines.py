"""What takes the standing of values: commands to other machines, keys ahead of a text, changes that came together."""

from __future__ import annotations

import pytest

from dam_expert.documents.intervals import Interval

MEASURED = "## Measured\n\n- GPU utilization: 30 %\n"
TRIED = (
    "# Step time\n\n## Measured\n\n- step time: 600 ms\n\n## Tried\n\nWith CUDA graphs.\n\n- step time after: 300 ms\n"
)


@pytest.mark.parametrize(
    ("head", "basis"),
    [
        ("# Slow training\n\n", "reported"),
        ("# Slow\n\n```\n$ ssh gpu07\n```\n\n", "said"),
        ("# Slow\n\nI did `ssh node-2` first.\n\n", "said"),
        ("# Slow\n\n```\ngcloud compute ssh trainer-4\n```\n\n", "said"),
        ("# Slow\n\n```\nsrun --nodelist=n17 nvidia-smi\n```\n\n", "said"),
        ("# Slow\n\n```\na@n1:~$ nvidia-smi\n```\n\n```\na@n2:~$ nvidia-smi\n```\n\n", "said"),
        ("# Slow\n\n```\na@n1:~$ nvidia-smi\n```\n\n", "reported"),
        ("# Slow\n\nWe use ssh keys and it is slow.\n\n", "reported"),
        ("---\ntitle: Slow training\ndate: 2026-03-01\n---\n\n", "reported"),
        ("---\ntitle: Slow training\nhost: bob-box\n---\n\n", "said"),
        ("---\n标题: 训练慢\n机器: 小王的\n---\n\n# 慢\n\n", "said"),
        ("---\ntiêu đề: Chậm\nmáy: máy khác\n---\n\n# Chậm\n\n", "said"),
    ],
)
def test_another_machine_or_key_takes_standing(values, head, basis):
    """Behind a command that goes elsewhere, or below a key that says whose it is, values are said."""
    assert values(head + MEASURED)["accelerator_utilization"] == (0.3, basis)


def test_keys_ahead_give_the_title(read):
    """The title of a report may stand among the keys ahead of it, and lines stay those of the file."""
    report = read(f"---\ntitle: Slow training\n---\n\n{MEASURED}")
    assert report.title == "Slow training"
    assert [
        each.span.line for each in report.findings if each.observation.measurement == "accelerator_utilization"
    ] == [7]


@pytest.mark.parametrize(
    "remark",
    [
        "The batch size was also changed.",
        "We changed both at once.",
        "In the same run we also upgraded torch.",
        "We raised the batch size and enabled bf16 at the same time.",
        "同时升级了 torch。",
        "batch 也改了。",
        "Đồng thời cũng nâng cấp torch.",
    ],
)
def test_of_two_changes_at_once_nobody_knows_which(read, remark):
    """A remark that more was changed takes the comparison, in figures and in words."""
    assert {each.lever: each.effect for each in read(TRIED).tried} == {"replay_graphs": Interval(2.0, 2.0)}
    found = read(f"{TRIED}\n{remark}\n")
    assert found.tried == ()
    told = read(f"# Slow\n\nStep time is 600 ms. CUDA graphs gave 1.8x. {remark}\n")
    names = {each.observation.measurement for each in (*found.findings, *told.findings)}
    assert "graph_replay_speedup" not in names


def test_what_did_nothing_stays(read):
    """That two changes at once gained nothing says so of both."""
    report = read("# Slow\n\nMore workers did not help. The batch size was also changed.\n")
    assert {each.lever: str(each.effect) for each in report.tried} == {"more_loader_workers": "nothing"}


@pytest.mark.parametrize("remark", ["The GPU is idle at the same time.", "Did the batch size also change at once?"])
def test_what_only_happens_together_changes_nothing(read, remark):
    """Things that are at one time are no changes."""
    assert read(f"{TRIED}\n## More\n\n{remark}\n").tried


@pytest.mark.parametrize(
    ("sentence", "lever"),
    [
        ("Consider increasing num_workers to improve performance.", "more_loader_workers"),
        ("More workers may help.", "more_loader_workers"),
        ("int8 is slower than bf16.", "lower_precision"),
    ],
)
def test_advice_and_the_other_side_were_not_tried(read, sentence, lever):
    """What could help, and what something is compared with, is no attempt."""
    assert lever not in {each.lever for each in read(f"# Slow\n\nWe tested this.\n\n{sentence}\n").tried}
