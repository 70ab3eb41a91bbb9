"""What stands beside a number: a word for a range, what there is of what is used, a wish, a label."""

from __future__ import annotations

import pytest

HEAD = "# Slow\n\nIt is slow on our node.\n\n"


@pytest.mark.parametrize(
    ("sentence", "measurement", "value"),
    [
        ("GPU utilization is low (35 %).", "accelerator_utilization", 0.35),
        ("GPU utilization is low, between 10 and 40 %.", "accelerator_utilization", (0.1, 0.4)),
        ("GPU util is pretty low - only 35%.", "accelerator_utilization", 0.35),
        ("Low GPU utilization (10-20%) is what we see.", "accelerator_utilization", (0.1, 0.2)),
        ("CPU utilization was pegged at 100 %.", "cpu_utilization", 1),
        ("- GPU utilization: low (35 %)", "accelerator_utilization", 0.35),
        ("GPU 利用率很低（35%）。", "accelerator_utilization", 0.35),
        ("GPU 利用率低，只有 35 %。", "accelerator_utilization", 0.35),
        ("Mức sử dụng GPU thấp (35 %).", "accelerator_utilization", 0.35),
        ("Mức dùng CPU rất cao: 95 %.", "cpu_utilization", 0.95),
        ("GPU utilization is low, we want 90 %.", "accelerator_utilization", (0, 0.5)),
        ("The GPU utilization is low and a step takes 35 ms.", "accelerator_utilization", (0, 0.5)),
        ("GPU 利用率很低。", "accelerator_utilization", (0, 0.5)),
        ("Mức sử dụng GPU thấp.", "accelerator_utilization", (0, 0.5)),
    ],
)
def test_a_number_tells_more_than_a_word(values, sentence, measurement, value):
    """A number beside the word for a range is the value; only without one the word gives its range."""
    assert values(f"{HEAD}{sentence}\n")[measurement] == (value, "said")


@pytest.mark.parametrize("sentence", ["GPU utilization is not low (35 %).", "Is the GPU utilization low (35 %)?"])
def test_what_is_denied_or_asked_has_no_range(values, sentence):
    """Neither the word nor the number is taken."""
    assert "accelerator_utilization" not in values(f"{HEAD}{sentence}\n")


@pytest.mark.parametrize(
    "sentence",
    [
        "- GPU memory: 44 GB of 46 GB used",
        "- VRAM: 44/46 GB",
        "VRAM is nearly full: 44 GB / 46 GB.",
        "The GPU uses 44 of 46 GB.",
        "46G 显存用了 44G。",
        "显存已用 44 GB，共 46 GB。",
        "GPU dùng 44 GB trên 46 GB.",
        "Bộ nhớ GPU: 44/46 GB",
    ],
)
def test_what_is_used_of_what_there_is(values, sentence):
    """Both numbers are taken, each as what it is; they are no range."""
    found = values(f"{HEAD}{sentence}\n")
    assert (found["device_memory_used"][0], found["device_memory_total"][0]) == (44e9, 46e9)


def test_of_the_host_there_is_only_the_whole(values):
    """Host memory in use has no measurement; that of the device is not meant."""
    found = values(f"{HEAD}RAM: 60 GB of 64 GB used.\n")
    assert found["host_memory_total"] == (64e9, "said")
    assert "device_memory_used" not in found


@pytest.mark.parametrize(
    "sentence", ["If the GPU memory were 44 of 46 GB it would fail.", "We do not use 44 GB of 46 GB of the GPU memory."]
)
def test_no_share_that_is(values, sentence):
    """What would be or is denied is no share, and times with a slash are none either."""
    assert not {"device_memory_used", "device_memory_total"} & set(values(f"{HEAD}{sentence}\n"))
    assert values(f"{HEAD}The latency is 200/300 ms.\n")["request_time"][0] == (0.2, 0.3)


def test_an_unnamed_share_is_asked(read):
    """Whose memory it is is not guessed; a name beside it answers."""
    (question,) = read("# Slow\n\nIt sits at 44 GB of 46 GB used.\n").questions
    assert "device or of the host" in question.text
    assert not read("# Slow\n\nAlready allocated 10 GiB of 16 GiB.\n").questions


@pytest.mark.parametrize(
    ("sentence", "metric", "wanted"),
    [
        ("Throughput is 3 it/s. We want 8.", "step_rate", 8),
        ("Throughput is 3 it/s, we want 8.", "step_rate", 8),
        ("Throughput is 3 it/s but we expected about 8.", "step_rate", 6.4),
        ("Step time is 450 ms. We need at most 200.", "step_time", 0.2),
        ("p99 是 450 ms，我们要 200。", "request_p99", 0.2),
        ("吞吐量是 900 samples/s，我们希望达到 2000。", "throughput", 2000),
        ("Thông lượng là 900 mẫu/giây, chúng tôi cần 2000.", "throughput", 2000),
        ("- p99 latency: 450 ms\n- target: 200", "request_p99", 0.2),
    ],
)
def test_a_bare_wish_is_in_the_unit_of_what_is(read, sentence, metric, wanted):
    """The metric that was spoken of before tells what a bare wanted number is."""
    target = read(f"{HEAD}{sentence}\n").target
    assert (target.metric, target.wanted.lo) == (metric, pytest.approx(wanted))


def test_a_wish_of_nothing_is_asked(read):
    """Where nothing before it tells, it is asked, and no target is guessed."""
    report = read("# Help\n\nWe want 8.\n")
    assert [question.text for question in report.questions] == [
        "8 is wanted: it is not said of what, and in which unit"
    ]


@pytest.mark.parametrize("sentence", ["Throughput is 3 it/s. We want 8 H100s.", "It does 3 it/s. We need two GPUs."])
def test_a_wish_for_things_is_no_target(read, sentence):
    """What is counted is no value of a metric."""
    report = read(f"{HEAD}{sentence}\n")
    assert (report.target.wanted, report.questions) == (None, ())


SURROUNDINGS = """\
- OS: Ubuntu 22.04.3 LTS (x86_64)
- Python version: 3.9.18 (main, Sep 11 2023, 13:41:44)  [GCC 11.2.0] (64-bit runtime)
- CUDA: 12.1
- Driver: 535.104.05
- cpu: AMD EPYC 7763 64-Core
- Kernel: 5.15.0-91-generic
- Libc version: glibc-2.35
- memory: 256 GB
- Docker image: registry/pytorch:23.10-py3
- Processor: x86_64
- 操作系统: CentOS 7.9
- Hệ điều hành: Ubuntu 20.04
- Is debug build: False
- GPU: A100
"""


def test_labels_of_the_surroundings_state_nothing_else(values):
    """Versions, systems and a host's processor beside an accelerator are no values of the job."""
    found = values(f"# Slow\n\n## Environment\n\n{SURROUNDINGS}")
    assert {name: value for name, value in found.items() if name != "report_topics"} == {
        "accelerator": ("A100", "reported"),
        "debug_mode_on": ("false", "reported"),
    }
