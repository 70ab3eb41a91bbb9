"""Numbers in sentences of three languages: what is, what was, and what is wanted."""

from __future__ import annotations

import pytest

HEAD = "# Slow service\n\nIt is slow on our node.\n\n"


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("Throughput went from 900 to 300 samples/s.", "throughput", 300),
        ("Throughput: 900 -> 300 samples/s, says the log of today.", "throughput", 300),
        ("Step time went from 0.5 s to 2 s.", "step_time", 2),
        ("GPU utilisation fell from 95 % to 30 % over night.", "accelerator_utilization", 0.3),
        ("GPU utilisation fluctuates from 20 % to 90 %.", "accelerator_utilization", (0.2, 0.9)),
        ("GPU utilisation varies between 20 % and 90 %.", "accelerator_utilization", (0.2, 0.9)),
        ("We raised the batch size from 8 to 16.", "batch_size", 16),
        ("吞吐量从 900 降到 300 samples/s。", "throughput", 300),
        ("GPU利用率只有35%。", "accelerator_utilization", 0.35),
        ("每步时间1.2秒，其中数据加载0.8秒。", "input_wait_time", 0.8),
        ("Thông lượng giảm từ 900 xuống 300 mẫu/giây.", "throughput", 300),
        ("Mỗi bước mất 1,2 giây, nạp dữ liệu 0,8 giây.", "step_time", 1.2),
    ],
)
def test_what_is(values, sentence, measurement, value):
    """Of a change the last number is what is; of a spread both ends are."""
    assert values(HEAD + sentence + "\n")[measurement][0] == value


@pytest.mark.parametrize(
    "sentence",
    [
        "The p99 latency should be under 200 ms but is 450 ms.",
        "Our goal is 200 ms p99 latency, we get 450 ms.",
        "The target is 200 ms; the p99 latency is 450 ms.",
        "The p99 latency is 450 ms against a target of 200 ms.",
        "The p99 latency must stay below 200 ms. The p99 latency is 450 ms.",
        "p99 超过 200ms 目标，现在是 450ms。",
        "p99延迟目标是200ms，实际450ms。",
        "p99: mục tiêu 200 ms, hiện 450 ms.",
        "Độ trễ p99 mục tiêu 200 ms, hiện 450 ms.",
    ],
)
def test_what_is_wanted(read, sentence):
    """A number by a word for a wish is the target, the other one what is."""
    target = read(HEAD + sentence + "\n").target
    assert (target.metric, target.wanted.lo, target.actual.lo) == ("request_p99", 0.2, 0.45)


def test_a_wish_under_its_own_label_belongs_to_the_metric_of_the_title(read):
    """``target: 200 ms`` names no metric; the title does."""
    target = read("# P99 latency\n\nIt is slow.\n\n- p99 latency: 450 ms\n- target: 200 ms\n").target
    assert (target.metric, target.wanted.lo, target.actual.lo) == ("request_p99", 0.2, 0.45)


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("There is no InfiniBand in this cluster.", "fast_network_unused"),
        ("We plan to buy H100s.", "accelerator"),
        ("We would like to get 8x H100 next year.", "accelerator"),
        ("A colleague has 8x H100 and gets 900 samples/s.", "accelerator"),
        ("A colleague has 8x H100 and gets 900 samples/s.", "throughput"),
        ("According to the blog post the throughput is 900 samples/s.", "throughput"),
        ("Someone on the forum gets a step time of 0.3 s.", "step_time"),
        ("同事的吞吐量是 900 samples/s。", "throughput"),
        ("Thông lượng trên máy khác là 900 samples/s.", "throughput"),
        ("Data augmentation runs on CPU.", "host_execution_named"),
        ("The tokenizer runs on the CPU.", "host_execution_named"),
        ("- requested gpus: 40", "memory_requested"),
        ("- requested gpus: 40", "accelerator"),
    ],
)
def test_what_is_not_of_this_job(values, sentence, measurement):
    """What does not exist, is wished for, belongs to others or to another part of the program states nothing."""
    assert measurement not in values(HEAD + sentence + "\n")


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("InfiniBand is not used although it is there.", "fast_network_unused"),
        ("We run on 4x A100.", "accelerator"),
        ("The model runs on CPU although a GPU is there.", "host_execution_named"),
        ("- requested: 2 GiB", "memory_requested"),
    ],
)
def test_what_is_of_this_job(values, sentence, measurement):
    """The same words of the job itself do."""
    assert measurement in values(HEAD + sentence + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "我们用 8 张 H800，每卡 batch size 2。",
        "We use 8x H100; each GPU has a batch size of 2.",
        "Chúng tôi dùng 8 H100, mỗi GPU batch size 2.",
    ],
)
def test_of_each_device_may_stand_before_the_name(read, values, text):
    """Then nobody is asked whose it is; without such words it stays a question."""
    assert values(text)["batch_size"] == (2.0, "reported")
    assert not read(text).questions
    assert read("We use 8x H100, batch size 2.").questions


@pytest.mark.parametrize(
    "text",
    [
        "8 GPUs per node, two nodes, 16 GPUs in total",
        "We use 8 GPUs per node on two nodes, 16x H100 in total.",
        "mỗi máy 8 GPU, hai máy, tổng cộng 16 GPU",
    ],
)
def test_devices_of_a_node_give_way_to_all_of_them(read, text):
    """What each node has is no second value of what the job has."""
    found = [
        each.observation.value.lo for each in read(text).settings if each.observation.measurement == "device_count"
    ]
    assert found == [16.0]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Mỗi bước mất 900 ms, một nửa là chờ dữ liệu.", "input_wait_share", 0.5),
        ("数据加载占四成。", "input_wait_share", 0.4),
        ("一半时间是等数据。", "input_wait_share", 0.5),
        ("数据等待不到 3%。", "input_wait_share", (0.0, 0.03)),
        ("40 % of the time is in the loader.", "input_wait_share", 0.4),
        ("We wait for data about half of each step.", "input_wait_share", (0.4, 0.6)),
        ("Half of the step is communication.", "communication_share", 0.5),
        ("通信占步时约两成。", "communication_share", (0.16, 0.24)),
        ("KV cache đầy 95-99 %.", "kv_cache_usage", (0.95, 0.99)),
        ("KV cache 使用率接近七成。", "kv_cache_usage", 0.7),
        ("Số request chờ khoảng 50.", "queue_depth", (40.0, 60.0)),
        ("等待队列里一般有 6 个左右。", "queue_depth", (4.8, 7.2)),
        ("GPU utilization is always 97 %.", "accelerator_utilization", 0.97),
        ("Each card draws power 250 W of 400 W.", "device_power", 250.0),
        ("前缀缓存没有开，命中率是 0。", "prefix_cache_hit_share", 0.0),
        ("TPOT 45 ms, TTFT 800 ms.", "time_per_output_token", 0.045),
    ],
)
def test_shares_and_figures_as_people_put_them(values, text, name, value):
    """They are said: in a sentence nothing decides by itself."""
    found, basis = values(f"# Slow\n\n{text}\n")[name]
    assert (pytest.approx(found, rel=1e-6), basis) == (value, "said")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Half of the requests time out.", "input_wait_share"),
        ("We use half precision.", "communication_share"),
        ("L2 命中率是 80%。", "prefix_cache_hit_share"),
        ("The power limit is 300 W.", "device_power"),
        ("If half of the step were communication, we would see it.", "communication_share"),
        ("数据加载没有占六成。", "input_wait_share"),
    ],
)
def test_shares_of_something_else(values, text, name):
    """Neither parts of other things, nor conditions, nor denials."""
    assert name not in values(f"# Slow\n\n{text}\n")


def test_how_often_is_not_how_much(values):
    """A part of the time in which a device idles is no utilisation of so much."""
    for text in ("GPU utilization is low half of each step.", "GPU utilization is low 40 % of the time."):
        assert values(f"# Slow\n\n{text}\n")["accelerator_utilization"] == ((0.0, 0.5), "said")
