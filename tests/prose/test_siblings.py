"""What stands beside the values of a list: an item that is not understood takes the standing of all of them."""

from __future__ import annotations

import pytest

HEAD = "# Slow training on 1x A100\n\nStep time is 200 ms, want 100 ms.\n\n## Measured\n\n"
GAP = "- input_gap_share: 45 %\n"

ORIGINS = [
    "host: node-b (other cluster)",
    "phase: validation",
    "phase: warm-up",
    "epoch: first only",
    "epoch: 1",
    "stage: second of three",
    "stage: 2",
    "state: before the upgrade",
    "measured on: 2019-03-01",
    "steps observed: 1",
    "batches profiled: 2",
    "fresh: no, from March",
    "job: llama-ft (not this one)",
    "environment: laptop",
    "cluster: old one",
    "user: bob",
    "node: 7",
    "rank: 7",
    "branch: refactoring",
    "gpu: T4",
    "hardware: 4x T4",
    "valid: no",
    "trustworthy: hardly",
    "tool: a guess",
    "method: estimated by eye",
    "basis: estimate",
    "verdict: nonsense",
    "after the fix: gone",
    "today: all fine",
    "weather: cold",
    "ticket: 4711",
    "framework: that of our vendor",
    "workers: those of last year",
    "阶段: 验证",
    "环境: 笔记本",
    "版本: 升级之前",
    "Giai đoạn: kiểm định",
    "Môi trường: laptop",
    "Hiệu lực: không",
]
SINCERE = [
    "step time: 200 ms",
    "batch size: 64",
    "dataloader workers: 4",
    "framework: PyTorch 2.4",
    "driver: 550.54.15",
    "model: ResNet-50",
    "optimizer: AdamW",
    "gpu: A100",
    "hardware: 1x A100 80GB",
    "precision: bf16",
    "gpu utilization: low (35 %)",
    "cpu utilization: all cores pinned",
    "decode time per image: 14 ms",
    "target: 100 ms",
    "pin_memory: true",
    "nvlink: no",
    "os: Ubuntu 22.04",
    "模型: ResNet-50",
    "驱动: 550.54",
    "mô hình: ResNet-50",
]


@pytest.mark.parametrize("item", ORIGINS)
def test_an_item_that_is_not_understood_takes_the_standing_of_its_list(confirmed, item):
    """It may tell where the values come from, whichever side of them it stands on."""
    assert confirmed(f"{HEAD}- {item}\n{GAP}") == []
    assert confirmed(f"{HEAD}{GAP}- {item}\n") == []


@pytest.mark.parametrize("item", ORIGINS)
def test_so_does_a_row_of_a_table(confirmed, item):
    """What an item is for a list, a row is for its table."""
    label, _, value = item.partition(": ")
    table = f"| metric | value |\n| --- | --- |\n| input gap share | 45 % |\n| {label} | {value} |\n"
    assert confirmed(HEAD + table) == []


def test_so_does_a_column_of_a_table_of_one_row(confirmed):
    """Its heads are the labels."""
    table = "| input gap share | {} |\n| --- | --- |\n| 45 % | {} |\n"
    assert confirmed(HEAD + table.format("phase", "validation")) == []
    assert "input_wait" in confirmed(HEAD + table.format("batch size", "64"))


@pytest.mark.parametrize("item", SINCERE)
def test_what_is_known_to_say_nothing_of_them_leaves_values_as_they_are(confirmed, item):
    """A measurement, a setting, a figure, or what the job is made of."""
    assert "input_wait" in confirmed(f"{HEAD}- {item}\n{GAP}")
    label, _, value = item.partition(": ")
    table = f"| metric | value |\n| --- | --- |\n| {label} | {value} |\n| input gap share | 45 % |\n"
    assert "input_wait" in confirmed(HEAD + table)


@pytest.mark.parametrize("item", ["typed in by hand on day 2", "抄自第3页"])
def test_an_item_without_a_label_is_understood_too(confirmed, item):
    """Each of its words is known, or it takes the standing of its list."""
    assert confirmed(f"{HEAD}{GAP}- {item}\n") == []
    assert "input_wait" in confirmed(f"{HEAD}{GAP}- 8 workers\n- 500 steps take 100 s\n")


@pytest.mark.parametrize(("given", "stands"), [("8", False), ("64", True)])
def test_both_sides_of_a_probe_have_the_same_settings(values, given, stands):
    """A setting of one side is a further difference, unless it is that of the job."""
    sides = f"- batch size: 64\n- batch size of the synthetic run: {given}\n"
    found = values(f"{HEAD}{GAP}{sides}")
    assert (found["input_gap_share"][1] == "reported") is stands
