"""The output of one job, in which several tools print in turns: each reader of logs reads its own lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from readers.training_texts import DEEPSPEED_FLOPS, MEGATRON, OOM_NEW, SUMMARY

from dam_expert.readers.gather import gather, read_all
from dam_expert.readers.source import HEAD_BYTES, Source

NCCL = (
    "gpu1:7:9 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>\n"
    "gpu1:7:9 [0] NCCL INFO Using network IB\n"
    "gpu1:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n"
)
BORING = "building GPT model ... number of parameters on rank 0: 1\n" * (3 * HEAD_BYTES // 56)


def told(text: str) -> dict[str, str]:
    """Return which tool says each measurement, of all readings of a job's output."""
    readings, problems = read_all(Source.of_bytes("job.out", text.encode()))
    assert not problems, problems
    return {each.measurement: each.origin.tool for reading in readings for each in reading.observations}


@pytest.mark.parametrize("between", ["", BORING])
@pytest.mark.parametrize("first", [True, False])
def test_the_library_and_the_loop_print_in_turns(between, first):
    """Whichever stands in the head, and however far behind it the other does."""
    found = told(NCCL + between + MEGATRON if first else MEGATRON + between + NCCL)
    assert found["collective_network"] == "nccl_debug_log"
    assert found["step_time"] == "framework_log"


def test_the_head_says_nothing():
    """A long preamble is no reason to leave a log unread."""
    assert told(BORING + MEGATRON)["step_time"] == "framework_log"


def test_a_setting_named_after_a_profiler_is_no_profile():
    """DeepSpeed prints at every start whether its profiler runs."""
    found = told("[INFO] [engine.py:164:__init__] DeepSpeed Flops Profiler Enabled: False\n" + MEGATRON)
    assert set(found.values()) == {"framework_log"}


def test_a_profile_amid_a_log_is_read():
    """DeepSpeed prints its profile between two steps."""
    found = told(MEGATRON + DEEPSPEED_FLOPS + MEGATRON)
    assert found["forward_macs"] == "deepspeed_flops_profiler"
    assert found["step_time"] == "framework_log"


def test_a_failure_is_told_once():
    """The training log and the allocator's reader both know the message; the summary is the allocator's alone."""
    readings, _ = read_all(Source.of_bytes("job.out", (MEGATRON + OOM_NEW + "\n" + SUMMARY).encode()))
    every = [each for reading in readings for each in reading.observations]
    assert sum(each.measurement == "memory_requested" for each in every) == 1
    assert sum(each.measurement == "allocator_retries" for each in every) == 1


def test_other_outputs_are_asked_once():
    """Only logs are shared: a table with a word of a log in it is no log."""
    readings, _ = read_all(
        Source.of_bytes("a", b"some avg10=1.00 avg60=0.00 avg300=0.00 total=7\nstep: 1 loss: 2 tps: 3\n")
    )
    assert [reading.tool for reading in readings] == ["kernel_counters"]


def test_lines_are_those_of_the_file(tmp_path: Path):
    """Also behind a table that is cut off the front."""
    table = "some avg10=1.00 avg60=0.00 avg300=0.00 total=7\n\n"
    text = "$ cat /proc/pressure/io\n" + table + "$ cat job.out\n" + NCCL + MEGATRON
    (tmp_path / "notes.txt").write_text(text)
    step = next(each for each in gather([tmp_path]).observations if each.measurement == "step_time")
    assert "elapsed time per iteration" in text.split("\n")[(step.origin.line or 0) - 1]
