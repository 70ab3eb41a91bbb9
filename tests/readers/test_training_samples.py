"""Real outputs of training tools that lie beside a checkout, with the values known for them."""

from __future__ import annotations

from typing import Any

import pytest
from readers.traces import codes, values
from shared_files import shared

from dam_expert.readers.gather import read_one
from dam_expert.readers.source import Source

MI, GI = 2.0**20, 2.0**30


def read(name: str) -> Any:
    reading, message = read_one(Source.of_path(shared(f"samples/{name}")))
    assert message is None
    return reading


@pytest.mark.parametrize(
    ("name", "tool", "known"),
    [
        (
            "training/excerpt_oom_torch_1x.txt",
            "allocator_message",
            {"memory_requested": 62 * MI, "device_memory_total": 12 * GI, "memory_reserved": 10.71 * GI},
        ),
        (
            "training/excerpt_oom_torch21_capacty.txt",
            "allocator_message",
            {"memory_requested": 224 * MI, "memory_reserved_free": 509.85 * MI, "device_memory_total": 14.75 * GI},
        ),
        (
            "training/excerpt_memory_summary_head.txt",
            "allocator_message",
            {"memory_allocated": 5673 * MI, "allocator_retries": 0, "allocation_failures": 0},
        ),
        (
            "training/gen_hf_trainer_state_5.24.0.json",
            "framework_log",
            {
                "step_time": 1.0912 / 14,
                "throughput": 97.313,
                "training_loss_early": 0.697188,
                "training_loss": 0.693942,
            },
        ),
        (
            "training/gen_hf_trainer_stdout_5.24.0.txt",
            "framework_log",
            {"step_time": 1 / 12.16, "throughput": 97.31, "training_loss": 0.6939},
        ),
        (
            "training/gen_lightning_simple_2.6.6.txt",
            "lightning_profiler",
            {"input_wait_share": 0.838, "steps_captured": 16, "epoch_time": 0.79617, "input_wait_time": 0.083422},
        ),
        ("training/gen_lightning_advanced_2.6.6.txt", "lightning_profiler", {"loader_mode": "single_process"}),
        (
            "training/gen_lightning_metrics.csv",
            "framework_log",
            {"training_loss_early": 0.74934, "training_loss": 0.68634},
        ),
        (
            "training/issue_mmdet4090_lines.txt",
            "framework_log",
            {"input_wait_share": 0.017 / 0.78, "step_time": 0.39, "memory_allocated": 3946 * MI},
        ),
        (
            "training/issue_mmyolo789_yolox_lines.txt",
            "framework_log",
            {"input_wait_share": 0.003 / 1.397, "step_time": 1.397, "steps_captured": 10},
        ),
        (
            "flops/gen_calflops.txt",
            "flop_counter",
            {"forward_macs": 274.56e6, "forward_flops": 557.96e6, "step_flops": 1.67e9, "parameters": 20110},
        ),
        (
            "flops/gen_deepspeed_flops_profiler_cnn.txt",
            "deepspeed_flops_profiler",
            {
                "forward_macs": 274.56e6,
                "forward_flops": 557.96e6,
                "forward_time": 0.01724,
                "device_flops_rate": 32.37e9,
            },
        ),
        (
            "flops/gen_deepspeed_flops_profiler_tf.txt",
            "deepspeed_flops_profiler",
            {"forward_macs": 937.95e6, "forward_flops": 1.88e9, "forward_time": 0.03298, "parameters": 3.67e6},
        ),
        ("flops/gen_fvcore_table.txt", "flop_counter", {"forward_macs": 0.279e9, "parameters": 20106}),
        ("flops/gen_torch_FlopCounterMode.txt", "flop_counter", {"step_flops": 1560.678e6}),
        (
            "pytorch-profiler/gen_fastload_w0_table.txt",
            "key_averages",
            {"step_time": 4.865e-3, "input_wait_share": 2.249 / 19.459, "loader_mode": "single_process"},
        ),
        (
            "pytorch-profiler/gen_fastload_w0_stack_mem_shapes_table_tst.txt",
            "key_averages",
            {"step_time": 2.750e-3, "steps_captured": 4, "device_side": "false"},
        ),
        ("pyspy-perf/gen_pyspy_dump.txt", "py_spy", {"lock_holder": "input_work"}),
        (
            "pyspy-perf/gen_pyspy_dump_locals.txt",
            "py_spy",
            {"lock_holder": "input_work", "main_thread_state": "python"},
        ),
        ("pyspy-perf/gen_pyspy_dump.json", "py_spy", {"lock_holder": "input_work"}),
        ("pyspy-perf/gen_perf_report.txt", "perf", {"cycles_interpreter_share": (0.1937, 1.0)}),
        (
            "amd-tpu-neuron/excerpt_neuron_monitor.json",
            "neuron_monitor",
            {"accelerator_utilization": 0.993804, "device_flops_rate": 34776185139834.0},
        ),
        (
            "amd-tpu-neuron/tf_profiler_input_pipeline.json",
            "xprof",
            {"input_gap_share": 0.848, "step_time": 0.1418, "steps_captured": 3},
        ),
    ],
)
def test_known_values(name, tool, known):
    """Each file is read by its own reader, gives the known values within rounding, and leaves no line aside."""
    reading = read(name)
    assert reading.tool == tool
    found = values(reading)
    for measurement, value in known.items():
        expected = value if isinstance(value, str) else pytest.approx(value, rel=1e-3)
        assert found[measurement] == expected, measurement
    assert reading.lines_not_understood == 0


def test_a_thread_of_a_loader_holds_the_processor():
    """Most of the recorded time lies in the thread that decodes."""
    found = values(read("pyspy-perf/gen_pyspy_chrometrace.json"))
    assert 0.6 < found["stack_input_share"] < 0.7
    assert found["stack_compile_share"] == 0


def test_the_advanced_profiler_finds_the_same_wait():
    """Within the distortion of cProfile the wait is that of the simple profiler."""
    assert 0.80 < values(read("training/gen_lightning_advanced_2.6.6.txt"))["input_wait_share"] < 0.90


def test_an_idle_main_thread_is_left_open():
    """A sleeping script says nothing of a wait for input."""
    assert "main_thread_state" not in values(read("pyspy-perf/gen_pyspy_dump.txt"))


def test_event_files_are_recognised():
    """An event file is answered with the export."""
    assert codes(read("training/gen_tensorboard_events.out.tfevents")) == {"not-opened"}
