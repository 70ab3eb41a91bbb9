"""Sentences that are easily taken for facts and are none: wishes, quotes, differences, what is compared."""

from __future__ import annotations

import json

import pytest

HEAD = "# Training is slow\n\nWe train on one A100.\n\n"


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("We would like 85 % GPU utilisation.", "accelerator_utilization"),
        ("I was hoping for a GPU utilization of 85 %.", "accelerator_utilization"),
        ("I wish the GPU utilization was 85 %.", "accelerator_utilization"),
        ("If it were 35 ms per step nobody would complain.", "step_time"),
        ("Imagine the step time was 35 ms.", "step_time"),
        ("Let's say the step time is 35 ms.", "step_time"),
        ("They report a step time of 110 ms on the same card.", "step_time"),
        ("NVIDIA claims 95 % GPU utilization for this network.", "accelerator_utilization"),
        ('The README says "a step takes 110 ms".', "step_time"),
        ("As reported by the maintainers a step takes 110 ms.", "step_time"),
        ("The authors train it at 870 img/s.", "throughput"),
        ("Other users see 870 img/s.", "throughput"),
        ("要是步时 35 ms 就好了。", "step_time"),
        ("官方称 GPU 利用率能到 95 %。", "accelerator_utilization"),
        ("他们说步时 110 ms。", "step_time"),
        ("Giá mà mức sử dụng GPU là 85 %.", "accelerator_utilization"),
        ("Nghe nói thời gian bước là 110 ms.", "step_time"),
    ],
)
def test_wishes_quotes_and_what_if_state_nothing(values, sentence, measurement):
    """What is wanted, imagined, or told by others and by documents is nothing of this job."""
    assert measurement not in values(HEAD + sentence + "\n")


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("nvidia-smi reports a GPU utilization of 35 %.", "accelerator_utilization", 0.35),
        ("The profiler says a step takes 1.2 s.", "step_time", 1.2),
        ("Our dashboard shows 35 % GPU utilization.", "accelerator_utilization", 0.35),
        ("Customers report that the p99 latency is 900 ms.", "request_p99", 0.9),
    ],
)
def test_tools_and_users_of_the_job_speak_of_it(values, sentence, measurement, value):
    """What measures, or suffers from, the job itself is no hearsay."""
    assert values(HEAD + sentence + "\n")[measurement][0] == value


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("GPU utilization dropped by 25 %.", "accelerator_utilization"),
        ("Each step is 45 ms longer.", "step_time"),
        ("Step time went up by 45 ms.", "step_time"),
        ("There is a 150 tokens/s decrease in throughput.", "token_rate"),
        ("The difference of 45 ms in step time puzzles us.", "step_time"),
        ("步时增加了 45 ms。", "step_time"),
        ("Thời gian bước tăng thêm 45 ms.", "step_time"),
    ],
)
def test_a_difference_is_no_value(values, sentence, measurement):
    """By how much something changed is not what it is."""
    assert measurement not in values(HEAD + sentence + "\n")


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("Throughput is 900 img/s compared to 1500 img/s on the old cluster.", "throughput", 900),
        ("GPU utilization is 30 % vs 90 % on the other cluster.", "accelerator_utilization", 0.3),
        ("Step time is 400 ms, unlike 250 ms on another machine.", "step_time", 0.4),
        ("The GPU utilization is lower than 40 %.", "accelerator_utilization", None),
        ("It is slower than 4 GPUs of a friend, which need 200 ms per step.", "device_count", 1),
        ("Before, a step took 250 ms with batch size 8.", "batch_size", None),
    ],
)
def test_of_a_comparison_only_the_own_side_counts(values, sentence, measurement, value):
    """What something is compared with, and what was before, is not what is."""
    assert values(HEAD + sentence + "\n").get(measurement, (None,))[0] == value


@pytest.mark.parametrize(
    "sentence",
    [
        "Run A does 300 img/s, run B does 34 img/s.",
        "The job runs at 4.9 it/s vs 2.8 it/s.",
        "The float16 speed was 3.5 iter/s, while the int8 model achieved 2.4 iter/s.",
    ],
)
def test_two_values_of_one_sentence_that_exclude_each_other(values, sentence):
    """Neither is taken where it is not said which one is that of the job."""
    assert {"throughput", "step_rate"}.isdisjoint(values(HEAD + sentence + "\n"))


def test_which_of_two_holds_is_asked(read):
    """The question names both, and the line."""
    (question,) = read(HEAD + "Run A does 300 img/s, run B does 34 img/s.\n").questions
    assert question.text.startswith("throughput: several values are given")
    assert "300 img/s / 34 img/s" in question.text


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("We run with --preprocessing_num_workers 16 and it is slow.", "dataloader_workers"),
        ("We run with --warmup_steps 20 and it is slow.", "startup_named"),
        ("With num_workers > 0 it hangs.", "loader_mode"),
        ("With num_workers 0, 2, 4 it is the same.", "loader_mode"),
        ("It progresses 4 batches at a time.", "batch_size"),
        ("Prompts have 1k tokens.", "training_tokens"),
        ("8 GPUs and 5 nodes are in the rack, busbw is low, and (2) it varies.", "collective_bus_bandwidth"),
        ("Temperature and power are fine, no throttling.", "heat_named"),
    ],
)
def test_parts_of_names_and_counts_of_things_state_nothing(values, sentence, measurement):
    """Longer names of options, ends of ranges, enumerations and counts of what is none of the setting."""
    assert values(HEAD + sentence + "\n").get(measurement, ("false",))[0] == "false"


@pytest.mark.parametrize(
    ("sentence", "flag"),
    [
        ("CUDA graphs are enabled and flash attention is on.", "launches_named"),
        ("We already use gradient checkpointing.", "needless_work_named"),
        ("已开启 CUDA graph。", "launches_named"),
        ("Đã bật CUDA graph.", "launches_named"),
    ],
)
def test_a_feature_in_use_is_no_complaint(values, sentence, flag):
    """That something is on says nothing against it; that it made things slow does."""
    assert flag not in values(f"# Training job\n\n{sentence}\n")


def test_a_feature_that_is_blamed_is_a_complaint(values):
    """A sentence that complains is about the feature."""
    assert values("# Training job\n\nSince CUDA graphs are enabled it is slower.\n")["launches_named"][0] == "true"


def test_features_in_use_point_nowhere(read):
    """Pinned memory and prefetching that are on do not make it a report about the loader."""
    found = read("# Job\n\nWe enabled pin_memory and prefetching.\n").findings
    assert "suspected_loader" not in {each.observation.measurement for each in found}
    blamed = read("# Job\n\nThe data loader is slow, prefetching is off.\n").findings
    assert "suspected_loader" in {each.observation.measurement for each in blamed}


def test_exclusion_stays_with_its_part(values, read):
    """What is normal in one part of a sentence excludes nothing in the next one; a list goes on."""
    assert values("# 慢\n\n单卡训练正常，多卡出现了OOM。\n")["allocation_state"][0] == "device_out_of_memory"
    found = {
        each.observation.measurement: each.observation.value.lo
        for each in read("# Slow\n\nWe ruled out the network, NCCL and the disk.\n").findings
        if each.observation.measurement.startswith("suspected_")
    }
    assert found["suspected_storage"] == 0.0


def test_strangers_state_nothing(read):
    """Comments of other accounts below an issue speak of their jobs, or in general; those of the reporter count."""
    issue = {"title": "Slow training", "body": "GPU util is 30 %.", "user": {"login": "a"}}
    issue["comments"] = [
        {
            "user": {"login": "b"},
            "body": "Hardware: 1 RTX 5090, 12 s per step, num_workers=16, batches of different sizes.",
        },
        {"user": {"login": "a"}, "body": "I use num_workers=2."},
    ]
    report = read(json.dumps(issue))
    stated = {each.observation.measurement: each.observation.value for each in (*report.settings, *report.findings)}
    assert {"accelerator", "step_time", "varying_shapes"}.isdisjoint(stated)
    assert stated["dataloader_workers"].lo == 2


COMMANDS = """\
Training is slow.

(env) me@box:~/work$ CUDA_VISIBLE_DEVICES=1 python finetune.py --flash_attn=True --workers 4
52.3 s/it

torchrun --nproc_per_node=8 train.py --warmup 3000 \\
  --save_steps 20 --batch-size 24
"""


def test_of_a_command_only_its_options_count(values):
    """What stands in a command line among words tells nothing of what happened."""
    found = values(f"# Slow\n\n{COMMANDS}")
    assert (found["dataloader_workers"][0], found["batch_size"][0], found["device_count"][0]) == (4, 24, 8)
    assert {"startup_named", "checkpointing_named", "other_kernels_speedup"}.isdisjoint(found)
