"""What was tried and what it gave: verbs of change, effects beside, behind and above them, and factors."""

from __future__ import annotations

import pytest

from dam_expert.documents.incident import Effect, Incident
from dam_expert.documents.intervals import Interval
from dam_expert.prose import joined_with

HEAD = "# Slow\n\nIt is slow on our node.\n\n"
MORE_WORKERS = {"more_loader_workers": Effect.NOTHING}


def tried(read, text):
    """Return what a text says was tried, with its effects."""
    return {each.lever: each.effect for each in read(HEAD + text + "\n").tried}


@pytest.mark.parametrize(
    "sentence",
    [
        "增加 worker 没有效果。",
        "加了更多 worker，没有效果。",
        "把 num_workers 从 4 调到 16 也没用。",
        "把 worker 调大以后速度没有任何提升。",
        "多开几个 worker 没啥变化。",
        "num_workers 调大了一倍，还是一样慢。",
        "试了加大 num_workers，毫无改善。",
        "提高 worker 数量后速度没变快。",
        "增加数据加载进程不起作用。",
        "Tăng số worker không giúp.",
        "Tăng số worker không giúp được gì.",
        "Đã tăng num_workers lên 16 nhưng không nhanh hơn.",
        "Tăng gấp đôi số worker mà vẫn chậm như cũ.",
        "Thêm worker chẳng khác gì.",
        "Đã thử tăng số tiến trình nạp dữ liệu, không ăn thua.",
        "Nâng num_workers từ 4 lên 16 không cải thiện tốc độ.",
        "I bumped num_workers to 16, doesn't seem to make a difference.",
        "Cranking up the number of workers had no impact.",
        "Adding more dataloader workers didn't change anything.",
        "num_workers 4 -> 16: no difference.",
        "We doubled the workers. No change.",
        "We increased num_workers to 16. It made no difference at all.",
        "我们把 worker 加到 16。没有变化。",
        "Chúng tôi đã tăng số worker. Không có tác dụng.",
    ],
)
def test_more_workers_in_vain(read, sentence):
    """Whatever the verb, the language and the place of the effect, it is the same attempt."""
    assert tried(read, sentence) == MORE_WORKERS


@pytest.mark.parametrize(
    ("sentence", "lever", "effect"),
    [
        ("增大 batch size 之后也没变快。", "larger_batch", Effect.NOTHING),
        ("Thử giảm batch size, không ăn thua.", "smaller_batch", Effect.NOTHING),
        ("开了 pin_memory，没啥用。", "pin_batches", Effect.NOTHING),
        ("换成 webdataset 还是一样慢。", "sequential_format", Effect.NOTHING),
        ("Reducing num_workers from 16 to 4 helped.", "free_host_memory", Effect.HELPED),
        ("num_workers 16 -> 4 helped.", "free_host_memory", Effect.HELPED),
        ("Đã bật pin_memory, không có tác dụng.", "pin_batches", Effect.NOTHING),
        ("调大 max_num_seqs 没有改善。", "raise_admission_limit", Effect.NOTHING),
        ("Raising gpu_memory_utilization did not help.", "more_kv_space", Effect.NOTHING),
    ],
)
def test_other_levers(read, sentence, lever, effect):
    """The grammar is the same for all that is made more or less, enabled or replaced."""
    assert tried(read, sentence) == {lever: effect}


def test_each_lever_has_the_effect_of_its_clause(read):
    """Two attempts of one sentence keep their own effects."""
    assert tried(read, "More workers did not help but pinned memory helped a bit.") == {
        "more_loader_workers": Effect.NOTHING,
        "pin_batches": Effect.HELPED,
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "我们没用 DALI。",
        "Không tăng số worker.",
        "We did not enable bf16, nothing changed.",
        "Does increasing num_workers help?",
        "如果增加 worker 也没有效果就换机器。",
        "同事增加 worker 没有效果。",
        "> Increasing num_workers did not help me either.",
        "数据加载 worker 没有效果图。",
        "We run more than 8 workers.",
        "We enabled bf16 last year. The disk has no difference to the old one in any of our benchmarks so far.",
        "We increased num_workers to 16. Is there no change?",
        "No change in the config: bf16, pin_memory, 8 workers.",
        "We changed nothing: same bf16, same number of workers.",
        "GPU 数量没有增加，速度也没有变化。",
        "Quantization has no effect on accuracy.",
        "The loss shows no improvement after epoch 3 with bf16.",
        "Số worker không thay đổi.",
        "worker 数没有变化。",
    ],
)
def test_what_was_not_tried(read, sentence):
    """What was not done, asked, imagined, or done by others is no attempt."""
    assert tried(read, sentence) == {}


@pytest.mark.parametrize(
    ("sentence", "lever"),
    [
        ("We plan to increase num_workers.", "more_loader_workers"),
        ("打算增加 worker。", "more_loader_workers"),
        ("Dự định tăng số worker.", "more_loader_workers"),
    ],
)
def test_plans_by_verbs(read, sentence, lever):
    """A plan may name its lever by a verb as well."""
    assert [each.lever for each in read(HEAD + sentence + "\n").planned] == [lever]


@pytest.mark.parametrize(
    "text",
    [
        "What we tried, none of it helped:\n\n- more workers\n- pinned memory",
        "We tried:\n\n- increased num_workers to 16\n- enabled pin_memory\n\nNo improvement.",
        "## What did not help\n\n- more workers\n- pin_memory",
        "已经试过以下方法，都没有效果：\n\n- 增大 num_workers\n- 开启 pin_memory",
        "Đã thử, không có tác dụng:\n\n- tăng num_workers\n- bật pin_memory",
    ],
)
def test_a_list_of_what_was_tried(read, text):
    """What stands above or below a list tells the effect of all that is in it."""
    assert tried(read, text) == {"more_loader_workers": Effect.NOTHING, "pin_batches": Effect.NOTHING}


def test_a_complaint_above_a_list_is_no_verdict(read):
    """A heading that tells what is wrong says nothing of the settings below it."""
    assert tried(read, "## Still slow\n\n- bf16\n- pin_memory") == {}


@pytest.mark.parametrize(
    ("sentence", "probe", "value"),
    [
        ("CUDA graphs gave 1.8x.", "graph_replay_speedup", 1.8),
        ("CUDA graphs gave us about 2x.", "graph_replay_speedup", (1.6, 2.4)),
        ("Enabling bf16: step 410 -> 205 ms.", "tensor_core_speedup", 2),
        ("Switching to webdataset made it 3 times faster.", "packed_files_speedup", 3),
        ("Raising num_workers to 16 made it 20 % faster.", "more_workers_speedup", (1.2, 1.25)),
        ("With CUDA graphs the throughput went from 300 to 450 samples/s.", "graph_replay_speedup", 1.5),
        ("Pinned memory cut the step time by 20 %.", "pinned_memory_speedup", 1.25),
        ("We enabled CUDA graphs. Step time went from 400 ms to 200 ms.", "graph_replay_speedup", 2),
        ("启用 CUDA graphs 后，每步时间从 400 ms 降到 200 ms。", "graph_replay_speedup", 2),
        ("用 bf16 快了 20%。", "tensor_core_speedup", (1.2, 1.25)),
        ("用 bf16 快了 2 倍。", "tensor_core_speedup", (2, 3)),
        ("Bật CUDA graphs: thời gian bước từ 400 ms xuống 200 ms.", "graph_replay_speedup", 2),
        ("Dùng bf16 nhanh gấp 2 lần.", "tensor_core_speedup", 2),
        ("bf16 made it 2x slower.", "tensor_core_speedup", 0.5),
    ],
)
def test_a_factor_is_what_the_probe_gives(values, read, sentence, probe, value):
    """The factor of an attempt is known, and said."""
    found, basis = values(HEAD + sentence + "\n")[probe]
    assert (found, basis) == (pytest.approx(value), "said")
    (effect,) = tried(read, sentence).values()
    assert effect is (Effect.WORSE if value == 0.5 else Effect.HELPED)


@pytest.mark.parametrize(
    "sentence",
    [
        "bf16 might give 2x.",
        "A colleague says CUDA graphs gave 1.8x.",
        "CUDA graphs and bf16 gave 1.8x.",
        "With bf16 we got 8x A100.",
        "Would CUDA graphs give 1.8x?",
        "bf16 gave 2x, then 3x.",
        "bf16 cut the bill by 20 %.",
        "With CUDA graphs memory went from 20 GB to 30 GB.",
    ],
)
def test_no_factor(values, sentence):
    """Guesses, others, several levers or factors, and what is no speed give none."""
    assert not {name for name in values(HEAD + sentence + "\n") if name.endswith("_speedup")}


@pytest.mark.parametrize(
    "text",
    [
        "# Slow step\n\nCUDA graphs gave 3x.\n\n## Measured\n\n- step time: 180 ms\n",
        "# Slow step\n\n## Tried\n\nMore workers made it 3 times faster.\n\n## Measured\n\n- step time: 180 ms\n",
        "# 慢\n\n启用 CUDA graphs 后，每步时间从 400 ms 降到 100 ms。\n",
    ],
)
def test_a_factor_in_words_confirms_nothing(confirmed, read, text):
    """However large it is, what a sentence says decides no cause."""
    incident = joined_with(Incident(id="x", file="x"), [read(text)])
    assert not any(isinstance(each.effect, Interval) for each in incident.tried)
    assert confirmed(text) == []


def test_an_effect_on_what_is_missed(read):
    """No effect on accuracy tells of a lever where accuracy is what is missed."""
    text = "# Accuracy too low\n\nQuantization-aware training made no difference to the accuracy.\n"
    assert [each.effect for each in read(text).tried] == [Effect.NOTHING]
    assert tried(read, "Pinned memory had no effect on step time.") == {"pin_batches": Effect.NOTHING}


@pytest.mark.parametrize(
    "text",
    [
        "I tried a larger prefetch factor, no effect.",
        "We raised prefetch_factor from 2 to 8: no change.",
        "把预取数调大，没有效果。",
        "Đã tăng hệ số prefetch, không có tác dụng.",
    ],
)
def test_another_lever_tells_nothing_of_the_workers(read, text):
    """A deeper prefetch is one lever and more workers another: no probe of the one is known by the other."""
    report = read(f"# Slow training\n\n{text}\n")
    assert [each.lever for each in report.tried] == ["prefetch_batches"]
    assert not [each for each in report.findings if each.observation.measurement.endswith("_speedup")]


def test_prefetching_itself_is_what_it_was(read):
    """Where the loader prefetches or does not, it loads beside the step or within it."""
    report = read("# Slow training\n\nWe turned on background loading, no effect.\n")
    assert "more_workers_speedup" in {each.observation.measurement for each in report.findings}
