"""What is said not to be so, off, wished for or over is no fact, wherever the word that says it stands."""

from __future__ import annotations

import pytest

HEAD = "# Slow\n\n"


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("没有看到抢占（preemption）。", "preempted_reported"),
        ("日志里没有出现过抢占 (preemption)。", "preempted_reported"),
        ("There is no eviction (preemption).", "preempted_reported"),
        ("Không có hiện tượng chiếm quyền (preemption).", "preempted_reported"),
        ("Preemption was not observed.", "preempted_reported"),
        ("Preemption never happens.", "preempted_reported"),
        ("preemption 没有发生。", "preempted_reported"),
        ("Preemption không xảy ra.", "preempted_reported"),
        ("torch.compile 也没开。", "compiler_named"),
        ("torch.compile 没有启用。", "compiler_named"),
        ("torch.compile 是关着的。", "compiler_named"),
        ("torch.compile isn't enabled.", "compiler_named"),
        ("torch.compile is currently off.", "compiler_named"),
        ("torch.compile was never used.", "compiler_named"),
        ("We train with torch.compile disabled.", "compiler_named"),
        ("torch.compile chưa bật.", "compiler_named"),
        ("torch.compile đang tắt.", "compiler_named"),
        ("torch.compile thì không dùng.", "compiler_named"),
    ],
)
def test_what_is_absent_is_denied(values, sentence, measurement):
    """In front, in a bracket that says it again, or behind."""
    assert values(HEAD + sentence)[measurement][0] == "false"


@pytest.mark.parametrize(
    "sentence",
    [
        "The log shows preemption.",
        "Not slow at first, then preemption.",
        "It is not fast (preemption all the time).",
        "日志里有抢占（preemption）。",
        "Có preemption liên tục.",
    ],
)
def test_what_is_there_is_stated(values, sentence):
    """A negation of something else leaves it as it is."""
    assert values(HEAD + sentence)["preempted_reported"][0] == "true"


@pytest.mark.parametrize("sentence", ["We turned torch.compile on, no effect.", "开了 torch.compile 没用。"])
def test_what_gave_nothing_is_in_use(values, sentence):
    """That it was of no use does not say that it was not used."""
    assert values(HEAD + sentence)["compiler_named"][0] == "true"


@pytest.mark.parametrize(
    "text",
    [
        "Epoch đầu chậm, các epoch sau cũng chậm y như vậy.",
        "The first epoch is slow and later epochs are just as slow.",
        "第一个 epoch 慢，后面的 epoch 也一样慢。",
        "The first epoch takes 40 minutes, but every epoch is equally slow.",
    ],
)
def test_passes_that_are_alike_are_no_faster_ones(values, text):
    """A slow first pass tells of faster later ones only where those are not slow too."""
    assert values(HEAD + text).get("later_epochs_faster", ("false",))[0] == "false"


@pytest.mark.parametrize(
    "text",
    [
        "Plain 25 Gbit/s ethernet, no InfiniBand, and the NCCL log shows NET/Socket.",
        "NCCL uses NET/Socket. We have no InfiniBand.",
        "集群没有 InfiniBand，NCCL 走 NET/Socket。",
        "Cụm không có InfiniBand. NCCL dùng NET/Socket.",
    ],
)
def test_what_is_not_there_cannot_be_unused(values, text):
    """The transport is told, no fast network that is left aside."""
    found = values(HEAD + text)
    assert "fast_network_unused" not in found
    assert found["collective_transport"][0] == "socket"


def test_a_network_that_is_there_may_be_unused(values):
    """Nobody says that there is none."""
    assert values(f"{HEAD}InfiniBand is there, but NCCL shows NET/Socket.")["fast_network_unused"][0] == "true"


@pytest.mark.parametrize(
    ("sentence", "measurement", "actual", "wanted"),
    [
        ("希望 MFU 到 45%，现在 31%。", "mfu", 0.31, 0.45),
        ("Muốn MFU lên 45 %, hiện 31 %.", "mfu", 0.31, 0.45),
        ("We want MFU at 45 %, now it is 31 %.", "mfu", 0.31, 0.45),
    ],
)
def test_a_wish_is_the_target(read, sentence, measurement, actual, wanted):
    """The number behind the wish is wanted, the other one is."""
    target = read(HEAD + sentence).target
    assert (target.metric, target.actual.lo, target.wanted.lo) == (measurement, actual, wanted)


@pytest.mark.parametrize(
    "sentence",
    [
        "GPU memory is not full.",
        "There is no memory leak.",
        "We get no out of memory errors.",
        "显存没有满，也没有内存泄漏。",
        "Bộ nhớ GPU chưa đầy, không bị tràn bộ nhớ.",
    ],
)
def test_a_denied_failure_sets_no_track(read, sentence):
    """Neither the words that name it nor its topic make it what the report is about."""
    target = read(f"# Report\n\n{sentence}").target
    assert target is None or target.track != "fit"


def test_a_failure_sets_the_track(read):
    """The same words without a denial."""
    assert read("# Report\n\nGPU memory is full and there is a memory leak.").target.track == "fit"


def _topics(understood):
    return {
        each.observation.measurement: each.observation.value.hi
        for each in understood.findings
        if each.observation.measurement.startswith("suspected_")
    }


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("没有用 NFS，数据在本地 NVMe 上，不是数据加载的问题。", "suspected_storage"),
        ("没有用 NFS，数据在本地 NVMe 上，不是数据加载的问题。", "suspected_loader"),
        ("It is not a data loading problem.", "suspected_loader"),
        ("This is not an NCCL issue.", "suspected_collectives"),
        ("不是 NCCL 的问题。", "suspected_collectives"),
        ("Không phải do NCCL.", "suspected_collectives"),
        ("Không phải lỗi của DataLoader.", "suspected_loader"),
        ("KV cache is not full.", "suspected_kv_space"),
    ],
)
def test_a_denied_topic_is_not_suspected(read, sentence, topic):
    """What is said not to be the problem, or not to be there, does not count for its topic."""
    assert _topics(read(HEAD + sentence)).get(topic, 0) == 0


def test_who_is_not_sure_rules_nothing_out(read):
    """A doubt is no denial."""
    assert _topics(read(f"{HEAD}Not sure, a data loading problem?"))["suspected_loader"] > 0


@pytest.mark.parametrize(
    "text",
    [
        "Step time went from 180 to 430 ms after moving to the new cluster.",
        "After migrating to new servers a step takes 430 ms.",
        "It was faster before, on the old cluster.",
        "升级后换了新集群，变慢了。",
        "Chậm từ khi chuyển sang cụm máy mới.",
    ],
)
def test_another_machine_is_no_other_version(values, text):
    """A move changes the machines."""
    assert "version_changed" not in values(HEAD + text)


@pytest.mark.parametrize("text", ["Slower after moving to PyTorch 2.3.", "升级后变慢。", "After upgrading it is slow."])
def test_another_version_is_one(values, text):
    """An upgrade is still told."""
    assert values(HEAD + text)["version_changed"][0] == "true"


@pytest.mark.parametrize(
    ("sentence", "lever"),
    [
        ("Somebody suggested buying H100s.", "faster_accelerator"),
        ("Dự định mua RTX 5090.", "faster_accelerator"),
        ("老板想再买 4 张卡。", "more_accelerators"),
        ("We plan to buy 4 more A100s.", "more_accelerators"),
        ("Sếp định mua thêm 2 card 4090.", "more_accelerators"),
    ],
)
def test_what_is_to_be_bought_is_planned(read, sentence, lever):
    """Whoever suggests it; the job has none of it yet."""
    understood = read(HEAD + sentence)
    assert lever in [each.lever for each in understood.planned]
    assert not [each for each in understood.findings if each.observation.measurement == "accelerator"]


@pytest.mark.parametrize(
    "sentence",
    [
        "We bought 4 more A100s.",
        "刚买了 8 张 H100。",
        "Đã mua 2 card 4090.",
        "We will not buy H100s.",
        "Since buying H100s it is slow.",
    ],
)
def test_what_was_bought_or_will_not_be_is_not_planned(read, sentence):
    """A past purchase and a denied one."""
    assert read(HEAD + sentence).planned == ()


@pytest.mark.parametrize("share", ["KV cache đầy 60 %.", "The KV cache is 60 % full.", "KV cache full to 60 %."])
def test_full_by_a_share_is_not_full(values, share):
    """The number tells how much, the word alone would tell all of it."""
    assert "preempted_reported" not in values(HEAD + share)


def test_what_is_said_both_ways_is_not_taken(values):
    """Two sentences that contradict each other state neither."""
    assert "preempted_reported" not in values(f"{HEAD}No preemption. Later there is preemption.")


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("Speculative throughput drops were not observed.", "speculation_slower"),
        ("That RAM grows is not the problem.", "host_memory_grows"),
        ("It is not caused by a slow checkpoint save.", "checkpointing_named"),
        ("Không gặp hiện tượng hai nút chậm.", "only_slow_across_nodes"),
        ("多机变慢没有发生。", "only_slow_across_nodes"),
        ("没有出现过多机变慢的情况。", "only_slow_across_nodes"),
        ("Hai nút chậm không xảy ra.", "only_slow_across_nodes"),
    ],
)
def test_what_several_words_tell_is_denied_as_one(values, sentence, measurement):
    """In front of the first or behind the last of them."""
    assert measurement not in values(HEAD + sentence) or values(HEAD + sentence)[measurement][0] == "false"


@pytest.mark.parametrize("sentence", ["多机变慢。", "Hai nút chậm.", "Two nodes are slower than one."])
def test_what_several_words_tell_is_stated(values, sentence):
    """The same without a denial."""
    assert values(HEAD + sentence)["only_slow_across_nodes"][0] == "true"
