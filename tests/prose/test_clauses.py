"""Words across clause marks, names with numbers, rates of counts, and lines of logs between fences."""

from __future__ import annotations

import pytest

from dam_expert.documents.incident import Effect
from dam_expert.prose.recognise import is_report
from dam_expert.readers.source import Source

LOG = (
    "INFO 11-12 10:14:05 metrics.py:345] avg prompt throughput: 9123.4 tokens/s, avg generation throughput: "
    "1810.2 tokens/s, Running: 141 reqs, Swapped: 0 reqs, Pending: 57 reqs, GPU KV cache usage: 98.7%, "
    "CPU KV cache usage: 0.0%.\n"
    "WARNING 11-12 10:14:06 scheduler.py:1481] Sequence group cmpl-88 is preempted because there is not enough "
    "KV cache space. total_cumulative_preemption_cnt=1251\n"
)


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("training is slow, GPU utilization low", "one_device_slow"),
        ("It runs on node gpu-17.", "device_count"),
        ("The all-reduce is 1.31 s per step.", "step_rate"),
        ("We copied 20 GB to /dev/shm and trained on that.", "shared_memory_failed"),
        ("The server has preemptions 12 per minute.", "preemptions"),
        ("Running: 141 reqs, Swapped: 0 reqs.", "host_memory_named"),
        ("The server has 57 pending requests on the GPU.", "scarce_devices"),
        ("CPU KV cache usage: 0.0%, all of it free.", "kv_cache_usage"),
        ("Avg prompt throughput: 9123.4 tokens/s at noon.", "token_rate"),
    ],
)
def test_what_only_shares_words(values, sentence, measurement):
    """Words of two clauses, parts of names, rates of counts and zero counts state nothing."""
    assert measurement not in values(f"# Slow\n\n{sentence}\n")


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("The cluster is without RDMA (NCCL falls back to sockets).", "fallback_named", "true"),
        ("Training takes 1.31 s per step.", "step_rate", pytest.approx(1 / 1.31)),
        ("The server counts 12 preemptions.", "preemptions", 12),
        ("There is no space left on device in /dev/shm for the workers.", "shared_memory_failed", "true"),
    ],
)
def test_what_stands_beside_it(values, sentence, measurement, value):
    """The same words in one clause state it."""
    assert values(f"# Slow\n\n{sentence}\n")[measurement][0] == value


def test_a_batch_per_device_asks_nothing(read):
    """Where *per GPU* stands beside the number, nobody asks whether it is."""
    understood = read("# Slow\n\nWe train on 4x V100-SXM2-32GB with batch size 16 per GPU.\n")
    assert not understood.questions


@pytest.mark.parametrize("text", [f"# Slow\n\n```\n{LOG}```\n", f"# Slow\n\n{LOG}", f"```\n{LOG}```\n"])
def test_a_log_is_read_between_fences_and_without(values, text):
    """A log that no reader knows states the same with a fence around it."""
    found = values(text)
    assert found["kv_cache_usage"] == (0.987, "said")
    assert found["token_rate"][0] == 1810.2
    assert found["preemptions"][0] == 1251
    assert found["preempted_reported"][0] == "true"


def test_counts_of_a_log_without_times(values):
    """Names with counts are output although no time and no level stands before them."""
    found = values("# Slow\n\n```\nRunning: 40 reqs, Waiting: 210 reqs, GPU KV cache usage: 91 %\n```\n")
    assert found["kv_cache_usage"][0] == 0.91


@pytest.mark.parametrize(
    "block",
    [
        '```python\nlogger.info("KV cache usage: 91 %")\n```',
        "```\nmodel.train()\n# GPU utilisation: 35 %\nassert kv_cache_usage == 0.9\n```",
        "```yaml\ngpu_utilization: 35 %\n```",
    ],
)
def test_source_between_fences_states_no_measurement(values, block):
    """Source and comments tell nothing of what happened."""
    assert not {"kv_cache_usage", "accelerator_utilization", "workload_kind"} & set(values(f"# Slow\n\n{block}\n"))


def test_a_log_of_another_machine_states_nothing(values):
    """What the words before a fence call another case is not this job."""
    assert "kv_cache_usage" not in values(f"# Slow\n\nOn another machine:\n\n```\n{LOG}```\n")


@pytest.mark.parametrize(
    ("sentence", "metric", "actual", "wanted"),
    [
        ("The loss plateaus at 2.8 after 3k steps, we expected 2.3.", "training_loss", 2.8, 2.3),
        ("validation loss stuck at 3.1 since step 20000, baseline reached 2.7", "heldout_loss", 3.1, 2.7),
        ("loss is 2.8, wanted 2.3", "training_loss", 2.8, 2.3),
        ("The job takes 14 hours, target 8 hours.", "training_time", 50400, 28800),
    ],
)
def test_a_target_beside_counts(read, sentence, metric, actual, wanted):
    """Counts of steps are no rate and no value of the metric."""
    target = read(f"# Report\n\n{sentence}\n").target
    assert (target.metric, target.actual.lo, target.wanted.lo) == (metric, actual, wanted)


def test_counts_are_no_accuracy(values):
    """The number with the metric is its value, that of epochs is not."""
    found = values("# Report\n\nafter 3 epochs accuracy is stuck at 60 %\n")
    assert found["accuracy"][0] == 0.6
    assert "step_rate" not in values("# Report\n\nSince step 20000 nothing happens.\n")


def test_a_missed_limit_is_wanted(read):
    """*Misses 500 ms* tells what is wanted, not what is."""
    target = read("# TTFT p99 misses 500 ms\n\nIt is slow.\n").target
    assert (target.metric, target.actual, target.wanted.lo) == ("time_to_first_token_p99", None, 0.5)


@pytest.mark.parametrize(
    "sentence",
    [
        "We increased the number of workers, no effect.",
        "Ann doubled num_workers from 8 to 16 and nothing changed.",
        "Ann doubled the workers to 16, no change.",
    ],
)
def test_more_workers_were_tried(read, sentence):
    """Whatever the verb is, workers that became more are the lever."""
    (attempt,) = read(f"# Slow\n\n{sentence}\n").tried
    assert (attempt.lever, attempt.effect) == ("more_loader_workers", Effect.NOTHING)


def test_an_end_is_a_range(values):
    """*Is under 2 ms* is all from nothing to 2 ms, and a wish for it is none."""
    assert values("# Slow\n\nDataloader wait is under 2 ms.\n")["input_wait_time"][0] == (0, 0.002)
    assert values("# Slow\n\nThe GPU utilisation was always above 90 %.\n")["accelerator_utilization"][0] == (0.9, 1)
    for wish in ("We need that the step time is under 200 ms.", "It is fine when the step time is under 200 ms."):
        assert "step_time" not in values(f"# Slow\n\n{wish}\n")


SMI = """\
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 525.105.17   Driver Version: 525.105.17   CUDA Version: 12.0     |
|-------------------------------+----------------------+----------------------+
|   0  Tesla V100-SXM2...  On   | 00000000:15:00.0 Off |                    0 |
| N/A   41C    P0    78W / 300W |  21432MiB / 32768MiB |     23%      Default |
+-------------------------------+----------------------+----------------------+
"""


def test_an_indented_block_is_pasted(read):
    """Markdown sets code off by four blanks as well as by fences."""
    block = "".join(f"    {line}\n" for line in SMI.splitlines())
    fenced, indented = (
        read(f"# Slow\n\nnvidia-smi while it trains:\n\n{each}\n\nIt is slow.\n") for each in (f"```\n{SMI}```", block)
    )
    stated = [
        {(each.measurement, each.value) for reading in one.readings for each in reading.observations}
        for one in (fenced, indented)
    ]
    assert stated[0] == stated[1]
    assert ("accelerator_utilization", 0.23) in {(name, getattr(value, "lo", value)) for name, value in stated[1]}


def test_indented_words_are_words(values):
    """A paragraph that is but indented is read as any other; it does not stand by itself."""
    found = values("# Slow\n\n## Measured\n\n    GPU utilisation is 35 %.\n\n- step time: 2 s\n")
    assert found["accelerator_utilization"] == (0.35, "said")
    assert found["step_time"] == (2, "said")


@pytest.mark.parametrize("text", [f"```\n{LOG}```\n", f"# slow\n\n```\n{LOG}```\n"])
def test_a_fence_with_a_log_is_a_report(text):
    """A report that holds nothing but a log between fences is read, and one with nothing but source is none."""
    assert is_report(Source.of_bytes("report.md", text.encode()))
    assert not is_report(Source.of_bytes("report.md", b"```\nimport torch\nx = 1\n```\n"))


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("We train on about 8x A100.", "device_count", 8),
        ("GPU utilization stays at 35 %.", "accelerator_utilization", 0.35),
        ("It looks like we run on 8x A100.", "accelerator", "A100"),
    ],
)
def test_small_words_of_marks_must_stand_there(values, sentence, measurement, value):
    """*About to*, *has to stay*, *looking to* and *needs to be* are found only with all their words."""
    assert values(f"# Slow\n\n{sentence}\n")[measurement][0] == value


@pytest.mark.parametrize("sentence", ["Training is slow with bf16.", "Nothing is logged and bf16 is on."])
def test_slow_and_nothing_alone_are_no_effect(read, sentence):
    """*Still slow* and *did nothing* tell what an attempt gave, their last words alone do not."""
    assert not read(f"# Report\n\n{sentence}\n").tried


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("We train on two nodes with eight H100 each.", "node_count", 2),
        ("We train on two nodes with eight H100 each.", "device_count", 8),
        ("用 4 张 V100 训练。", "device_count", 4),
        ("单卡 RTX 4090，序列长度 4096。", "device_count", 1),
        ("单卡 RTX 4090，序列长度 4096。", "sequence_length", 4096),
        ("单卡 RTX 4090，序列长度 4096。", "accelerator", "RTX 4090"),
        ("Mình huấn luyện trên 2 card T4.", "device_count", 2),
        ("Output throughput is 1.4k tokens/s.", "token_rate", 1400),
        ("The monthly bill is $3.2k.", "training_cost", 3200),
        ("At 20 requests/s the p99 latency is 2 s.", "offered_rate", 20),
        ("Data loading takes 0.8 s per step.", "input_wait_time", 0.8),
        ("About 45 requests are waiting.", "queue_depth", (36, 54)),
        ("p99 延迟从昨天开始涨到 850 ms。", "request_p99", 0.85),
        ("GPU 利用率只有 10% 左右。", "accelerator_utilization", (0.08, 0.12)),
        ("Between 9 and 11 the mean TTFT climbs to 3.8 s.", "time_to_first_token", 3.8),
        ("Step time is 2.4 s, 1.1 s of that is all-reduce.", "step_time", 2.4),
        ("Số yêu cầu đồng thời 64.", "concurrency", 64),
        ("A step takes 1.9 s, on our old V100 box it was 0.5 s.", "step_time", 1.9),
        ("On a single GPU a step takes 0.6 s, with both GPUs a step takes 1.3 s.", "step_time", 1.3),
        ("Step time is 0.5 s. With bf16 the step time went from 0.5 s to 0.3 s.", "step_time", 0.5),
        ("We use num_workers=8. We set num_workers to 32, no change.", "dataloader_workers", 8),
        ("GPU utilization is low. The GPU utilization is 35 %.", "accelerator_utilization", 0.35),
    ],
)
def test_numbers_of_the_job(values, sentence, measurement, value):
    """Counts in words, thousands, offered rates, parts of steps; attempts and parts of the job give way to what is."""
    found = values(f"# Slow\n\n{sentence}\n")[measurement][0]
    assert found == (pytest.approx(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("A 6M parameter model.", "parameters"),
        ("Mục tiêu là dưới $5000 mỗi tháng cho độ trễ p95.", "request_p95"),
        ("At 20 requests/s the p99 latency is 2 s.", "throughput"),
    ],
)
def test_numbers_that_are_others(values, sentence, measurement):
    """Letters behind a number that are no unit make a name of it, and the unit ends with its word."""
    assert measurement not in values(f"# Slow\n\n{sentence}\n")


def test_others_speak_of_theirs(values):
    """In a thread, what somebody else says of their own job is no value of the reporter's."""
    thread = "[14:02] mia: our step time is 0.9 s\n[14:09] tom: on my box my step time is 0.2 s, I have an H100\n"
    found = values(thread)
    assert found["step_time"][0] == 0.9
    assert "accelerator" not in found


def test_keys_in_braces(values):
    """A key of a configuration in one line is a setting, in the unit that its name tells."""
    text = "# Slow\n\n```\ndynamic_batching { max_queue_delay_microseconds: 50000 }\n```\n"
    assert values(text)["batching_delay"][0] == pytest.approx(0.05)


def test_a_lever_taken_off(read):
    """What did not help without the lever says nothing of the lever."""
    assert not read("# Slow\n\npersistent_workers=False didn't help.\n").tried


def test_set_to_more(read):
    """Where the former value is known, *set to 32* is more of it."""
    text = "# 慢\n\nnum_workers=8。试过把 num_workers 调到 32，没什么变化。\n"
    assert [(each.lever, each.effect) for each in read(text).tried] == [("more_loader_workers", Effect.NOTHING)]
    assert not read("# 慢\n\n试过把 num_workers 调到 3，没什么变化。\n").tried


def test_a_metric_that_fell(read):
    """A time that fell to a value behind a lever tells that it helped."""
    text = "# 慢\n\n换成本地 SSD 之后每步时间降到 0.9 秒。\n"
    understood = read(text)
    assert [(each.lever, each.effect) for each in understood.tried] == [("local_copy_of_data", Effect.HELPED)]
    assert "suspected_spending" not in [each.observation.measurement for each in understood.findings]
