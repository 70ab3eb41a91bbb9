"""Reports in prose: what they state, what they only guess, and what they are about."""

from __future__ import annotations

import pytest

from dam_expert.documents.incident import Effect


def test_labels_and_sentences(values):
    """A number beside a measurement's name is taken in any of its units; in a bare list it is reported, else said."""
    found = values(
        "# Step time\n\nGPU utilisation is only 35 %.\n\n## Measured\n\n"
        "- step time: 482 ms\n- batch size: 16\n- kv cache usage pct: 91\n"
    )
    assert found["accelerator_utilization"] == (0.35, "said")
    assert found["step_time"] == (0.482, "reported")
    assert found["batch_size"] == (16, "reported")
    assert found["kv_cache_usage"] == (0.91, "reported")


@pytest.mark.parametrize(
    "sentence",
    [
        "Is the GPU utilisation 35 %?",
        "If the GPU utilisation were 35 % we would not complain.",
        "The GPU utilisation should be 95 %.",
        "The GPU utilisation is not 35 %.",
    ],
)
def test_what_is_no_fact(values, sentence):
    """Questions, conditions, wishes and denials state no value."""
    assert "accelerator_utilization" not in values(f"# Slow\n\nTraining is slow on our node today.\n\n{sentence}\n")


@pytest.mark.parametrize("sentence", ["Maybe the GPU utilisation is 35 %.", "GPU utilisation is about 35 %."])
def test_hedged_values_are_said(values, sentence):
    """A guess and a rough figure are said, not reported."""
    assert values(f"# Slow\n\n{sentence}\n")["accelerator_utilization"][1] == "said"


def test_a_variant_is_not_the_job(values):
    """A label that names another batch, a rank or a repaired state says nothing of the job as it is."""
    found = values(
        "# Slow\n\n- step ms batch 8: 105\n- step time after fix: 3 s\n- step time without flash attn: 39 s\n"
    )
    assert "step_time" not in found


def test_what_was_tried(read):
    """What was tried is taken with its effect; a denied help is no help."""
    report = read("# Slow\n\nMore workers did not help. Mixed precision made it slower.\nPin memory helped a bit.\n")
    assert {each.lever: each.effect for each in report.tried} == {
        "more_loader_workers": Effect.NOTHING,
        "lower_precision": Effect.WORSE,
        "pin_batches": Effect.HELPED,
    }


def test_pasted_output_goes_to_the_readers(read):
    """A fenced tool output is read by the tool's reader, with the lines of the report."""
    report = read("# Slow\n\nThis is what the card says:\n\n```\n# gpu  sm\n# Idx   %\n    0  35\n    0  37\n```\n")
    (reading,) = report.readings
    assert {each.measurement for each in reading.observations} >= {"accelerator_utilization"}
    assert min(each.origin.line for each in reading.observations) in (6, 8)


def test_settings_from_commands_and_code(values):
    """Options, keyword arguments and keys of configurations become settings."""
    found = values(
        "# Slow\n\nWe run `python train.py --num_workers 0 --batch-size 64` here.\n\n"
        '```json\n{"gradient_accumulation_steps": 4}\n```\n\n```python\nDataLoader(data, pin_memory=False)\n```\n'
    )
    assert found["dataloader_workers"] == (0, "reported")
    assert found["batch_size"] == (64, "reported")
    assert found["gradient_accumulation"] == (4, "reported")
    assert found["pinned_memory"] == ("false", "reported")


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("# Slow training\n\nThe GPU waits for the data loader most of the time.\n", "suspected_loader"),
        ("# 训练很慢\n\nGPU 一直在等待数据加载。\n", "suspected_loader"),
        ("# Huấn luyện chậm\n\nGPU luôn chờ dữ liệu từ bộ nạp.\n", "suspected_loader"),
        (
            "# All-reduce\n\nScaling from one to four nodes brings nothing, NCCL takes half the step.\n",
            "suspected_collectives",
        ),
    ],
)
def test_what_a_report_is_about(read, text, topic):
    """The words of a report, in any of three languages, say what it is about; that is said and never more."""
    topics = {
        each.observation.measurement: each.observation
        for each in read(text).findings
        if each.observation.measurement.startswith("suspected_")
    }
    assert topics[topic].value.lo == 1.0
    assert {str(each.basis) for each in topics.values()} == {"said"}


def test_what_is_ruled_out(read):
    """What a report rules out is told apart from what it does not mention."""
    report = read("# Slow training\n\nWe ruled out NCCL and the network. The data loader is slow.\n")
    weights = {each.observation.measurement: each.observation.value for each in report.findings}
    assert weights["suspected_collectives"].lo == 0.0
    assert weights["suspected_loader"].lo == 1.0


def test_the_target_is_what_the_title_names(read):
    """The title names the metric that is missed; a label that says 'target' gives what is wanted."""
    report = read(
        "# P99 latency\n\nRequests are slow under load.\n\n- p99 latency: 80 ms\n- target p99 latency: 30 ms\n"
    )
    assert (report.target.metric, report.target.wanted.lo, report.target.actual.lo) == ("request_p99", 0.03, 0.08)


def test_words_of_categories_in_labels(values):
    """A label and a phrase for one of its values report it; a true flag reports what its label says."""
    found = values("# Slow\n\nIt is slow.\n\n## Measured\n\n- collective transport: NET/Socket\n- oom: True\n")
    assert found["collective_transport"] == ("socket", "reported")
    assert found["allocation_state"] == ("device_out_of_memory", "reported")


@pytest.mark.parametrize("value", ["no CUDA out of memory", "CUDA out of memory?", "maybe CUDA OOM", "CUDA OOM, fixed"])
def test_taken_back_values(values, value):
    """A value that denies, asks, guesses or speaks of what is over is none."""
    assert "allocation_state" not in values(f"# Slow\n\nIt is slow here.\n\n- error: {value}\n") or (
        values(f"# Slow\n\nIt is slow here.\n\n- error: {value}\n")["allocation_state"][1] == "said"
    )


@pytest.mark.parametrize(
    ("words", "basis"),
    [("## Measured", "tool"), ("This is what it prints:", "said"), ("On the old node it was, as expected:", "said")],
)
def test_pasted_output_of_another_case(read, words, basis):
    """Output among words, which may call it anything, counts as said."""
    report = read(f"# Slow\n\n{words}\n\n```\n# gpu  sm\n# Idx   %\n    0  35\n```\n")
    assert {str(each.basis) for each in report.readings[0].observations} == {basis}


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The new node is 4x slower than the old one.", 0.25),
        ("Inference is five times slower after the upgrade.", 0.2),
        ("We reach half the speed of the published run.", 0.5),
        ("比单卡慢了4倍。", 0.25),
        ("Chạy chậm hơn 4 lần so với máy cũ.", 0.25),
    ],
)
def test_comparisons(values, sentence, value):
    """A comparison in words has a direction and a factor; it is said."""
    assert values(f"# Slow training\n\nIt is slow on our node.\n\n{sentence}\n")["reference_achievement"] == (
        value,
        "said",
    )


@pytest.mark.parametrize(
    "sentence", ["It is not 4x slower.", "Is it 4x slower?", "It should be 2x faster.", "The other node is 2x faster."]
)
def test_no_comparisons(values, sentence):
    """Denied, asked and wished comparisons state nothing."""
    found = values(f"# Slow training\n\nThe job is slow on our node.\n\n{sentence}\n")
    assert "reference_achievement" not in found
