"""Every trace and profile beside the checkout gets the bottleneck that it shows, or no more than it can show."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from shared_files import ROOT, shared

from dam_expert import Incident, diagnose, load_knowledge
from dam_expert.readers.gather import gather

# file, status, bottleneck that leads (the binding one if confirmed, None if nothing leads), why
TABLE = [
    (
        "pytorch-profiler/kineto_resnet50_w0_a.json.gz",
        "confirmed",
        "input",
        "a third of the step the device is idle in the loader, in the training process",
    ),
    (
        "pytorch-profiler/kineto_resnet50_w4_a.json.gz",
        "supported",
        "host",
        "the loader hardly waits; a quarter of the step is host gaps, not more than the rest together",
    ),
    (
        "pytorch-profiler/tl_h100_bert_small.json.gz",
        "confirmed",
        "host",
        "kernels of 5 us, and the device idle for the host 93 % of the step",
    ),
    (
        "pytorch-profiler/tl_h100_owlv2_dataloader.json.gz",
        "confirmed",
        "input",
        "half of the step in __next__ with no workers",
    ),
    (
        "pytorch-profiler/tl_mi300_vit_nsfw.json.gz",
        "confirmed",
        "host",
        "the device is idle for the host 77 % of the step",
    ),
    (
        "pytorch-profiler/tl_b200_eager_nosteps.json.gz",
        "supported",
        "host",
        "86 % gaps between activities, but no steps are marked: that never decides",
    ),
    (
        "pytorch-profiler/tl_mi300_vllm_decode_graph.json.gz",
        "undetermined",
        None,
        "partial capture: its idle time is not the job's",
    ),
    (
        "pytorch-profiler/hta_a100_8rank_control.json.gz",
        "supported",
        "communication",
        "19 % exposed collectives seen from one of eight ranks: wait and transfer cannot be told apart",
    ),
    (
        "pytorch-profiler/hta_v100_resnet_ns.json.gz",
        "undetermined",
        None,
        "99 % busy: arithmetic or memory needs counters; launches are back-pressure",
    ),
    ("pytorch-profiler/hta_old_caps_inference.json.gz", "undetermined", None, "a handful of kernels is no job"),
    (
        "pytorch-profiler/hta_alexnet_cuda_sync.json.gz",
        "undetermined",
        None,
        "one pass, some tens of kernels, no steps",
    ),
    ("pytorch-profiler/hta_triton_example.json.gz", "undetermined", None, "one kernel"),
    (
        "pytorch-profiler/gen_fastload_w0.json",
        "undetermined",
        None,
        "host side only: 12 % of the step in the loader may be hidden by a device",
    ),
    ("pytorch-profiler/gen_fastload_w0_table.txt", "undetermined", None, "the same as a table"),
    (
        "pytorch-profiler/gen_fastload_w0_stack_mem_shapes_table_tst.txt",
        "undetermined",
        None,
        "a table cut to few rows says nothing of the loader",
    ),
    (
        "pytorch-profiler/gen_slowload_w2.json",
        "supported",
        "input",
        "95 % of the step in the loader, but no device side: the gap is asked for",
    ),
    (
        "nsys/nsightful_power_iteration_baseline.sqlite",
        "supported",
        "host",
        "37 % of the span in gaps after a synchronisation; no steps",
    ),
    (
        "nsys/nsysai_healthy_1pct.sqlite",
        "undetermined",
        None,
        "1 % idle: nothing to fix, and no target says that anything is wrong",
    ),
    (
        "nsys/nsysai_mfu_2gpu_before.sqlite",
        "undetermined",
        None,
        "91 % busy on one device, collectives 6 %: which kernel limit binds needs counters",
    ),
    (
        "nsys/moomoo_stats_2019_5_old_format.txt",
        "supported",
        "transfer",
        "copies take ten times what kernels take; sums are no shares of a step",
    ),
    (
        "ncu/nsightful_copy_blocked.csv",
        "supported",
        "memory",
        "one kernel at 62 % of memory throughput and 1 % of compute; one kernel is not the job",
    ),
    (
        "nccl/gnosia_allreduce_2node_efa_nccl229.txt",
        "undetermined",
        None,
        "a benchmark of a healthy link is not the job",
    ),
    ("nccl/aws_srun_label_prefix.txt", "undetermined", None, "a benchmark is not the job"),
    ("nccl/issue_nccl1773_p2p_lines.txt", "undetermined", None, "transport alone, without time in collectives"),
    ("nccl/issue_nccltests74_header_old.txt", "undetermined", None, "the header of a table without rows"),
    (
        "pyspy-perf/gen_perf_report.txt",
        "undetermined",
        None,
        "cycles of the processor by library: whether the job waits for them is not in it",
    ),
    (
        "pyspy-perf/gen_pyspy_chrometrace.json",
        "undetermined",
        None,
        "where threads of the host are by samples: no step, no device, and a thread may wait for either",
    ),
    ("pyspy-perf/gen_pyspy_dump.json", "undetermined", None, "one instant of the threads"),
    ("pyspy-perf/gen_pyspy_dump.txt", "undetermined", None, "one instant of the threads"),
    ("pyspy-perf/gen_pyspy_dump_locals.txt", "undetermined", None, "one instant of the threads"),
    ("flops/gen_calflops.txt", "undetermined", None, "operations of a model, no time"),
    (
        "flops/gen_deepspeed_flops_profiler_cnn.txt",
        "undetermined",
        None,
        "operations and times of the passes on a device of unknown peak: nothing to compare them with",
    ),
    (
        "flops/gen_deepspeed_flops_profiler_tf.txt",
        "undetermined",
        None,
        "operations and times of the passes on a device of unknown peak: nothing to compare them with",
    ),
    ("flops/gen_fvcore_table.txt", "undetermined", None, "operations of a model, no time"),
    ("flops/gen_torch_FlopCounterMode.txt", "undetermined", None, "operations of a model, no time"),
    (
        "training/gen_lightning_simple_2.6.6.txt",
        "supported",
        "input",
        "84 % of the epoch in the next batch, as the host counts it: the gap on the device is asked for",
    ),
    (
        "training/gen_lightning_advanced_2.6.6.txt",
        "supported",
        "input",
        "the same as function profiles",
    ),
    (
        "amd-tpu-neuron/tf_profiler_input_pipeline.json",
        "confirmed",
        "input",
        "85 % of the step the device waits for its infeed, as the profiler measured on the device",
    ),
]
UNREADABLE = [
    ("nsys/vector_add_N10.nsys-rep", "nsys"),
    ("ncu/moomoo_baseline.ncu-rep", "ncu --import"),
]


@functools.cache
def base() -> Any:
    return load_knowledge()[0]


def diagnosed(name: str) -> Any:
    gathered = gather([shared(f"samples/{name}")])
    incident = Incident(id=name, file=name, observations=gathered.observations)
    return diagnose(base(), incident, messages=gathered.messages)


@pytest.mark.parametrize(("name", "status", "bottleneck"), [pytest.param(*row[:3], id=row[0]) for row in TABLE])
def test_the_verdict_is_what_the_file_can_show(name, status, bottleneck):
    """Status and leading bottleneck are those that the file allows; what is not confirmed asks on."""
    diagnosis = diagnosed(name)
    first = diagnosis.hypotheses[0]
    leading = (
        diagnosis.binding.bottleneck if diagnosis.binding else first.bottleneck if first.status == "supported" else None
    )
    assert (diagnosis.status, leading) == (status, bottleneck)
    assert (diagnosis.binding is not None) == (status == "confirmed")
    assert diagnosis.next_measurements


@pytest.mark.parametrize(("name", "command"), [pytest.param(*row, id=row[0]) for row in UNREADABLE])
def test_what_needs_the_vendors_tool_is_answered_with_its_command(name, command):
    """Nothing is made of a binary report; the message has the command that exports it."""
    found = gather([shared(f"samples/{name}")])
    assert found.observations == ()
    assert command in str(found.messages[0])


def test_every_trace_and_profile_is_in_the_table():
    """No file of the folders of profilers is left out."""
    folders = ("pytorch-profiler", "nsys", "ncu", "nccl", "pyspy-perf", "flops")
    listed = {f"{folder}/{path.name}" for folder in folders for path in shared(f"samples/{folder}").iterdir()}
    told = {row[0] for row in (*TABLE, *UNREADABLE)}
    assert listed == {name for name in told if name.partition("/")[0] in folders}


def test_the_page_says_why():
    """``docs/traces.md`` has the verdict and the reason of every file of the table."""
    page = (ROOT / "docs" / "traces.md").read_text(encoding="utf-8")
    for name, status, bottleneck, why in TABLE:
        assert f"| `{name}` | {status} | {bottleneck or '–'} | {why} |" in page
    for name, _ in UNREADABLE:
        assert f"`{name}`" in page
