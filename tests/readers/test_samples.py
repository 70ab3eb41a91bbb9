"""Real outputs that lie beside a checkout, with the values known for them."""

from __future__ import annotations

from typing import Any

import pytest
from readers.traces import codes, values
from shared_files import shared

from dam_expert.readers.gather import read_one
from dam_expert.readers.source import Source

PARTS = ("kernel_share", "communication_exposed_share", "copy_exposed_share", "device_other_share", "input_gap_share")


def read(name: str) -> Any:
    reading, message = read_one(Source.of_path(shared(f"samples/{name}")))
    assert message is None
    assert reading is not None
    return reading


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        (
            "kineto_resnet50_w0_a.json.gz",
            {
                "input_wait_share": (0.39, 0.41),
                "device_busy_share": (0.51, 0.60),
                "input_gap_share": (0.30, 0.41),
                "step_time": (0.164, 0.182),
                "steps_captured": (6, 6),
            },
        ),
        (
            "kineto_resnet50_w4_a.json.gz",
            {"input_wait_share": (0.0, 0.015), "device_busy_share": (0.76, 0.83), "step_time": (0.116, 0.135)},
        ),
        (
            "tl_h100_owlv2_dataloader.json.gz",
            {
                "input_wait_share": (0.505, 0.52),
                "device_busy_share": (0.466, 0.470),
                "input_gap_share": (0.45, 0.52),
                "sync_time_share": (0.29, 0.32),
                "sync_gap_share": (0.0, 0.03),
                "step_time": (1.211, 1.212),
            },
        ),
        (
            "tl_h100_bert_small.json.gz",
            {
                "host_gap_share": (0.90, 0.95),
                "device_busy_share": (0.065, 0.080),
                "step_time": (0.00442, 0.00443),
                "input_wait_share": (0.0, 0.0),
            },
        ),
        ("tl_mi300_vit_nsfw.json.gz", {"device_busy_share": (0.22, 0.26), "input_wait_share": (0.0, 0.0)}),
        ("tl_b200_eager_nosteps.json.gz", {"span_busy_share": (0.1368, 0.1378), "world_size": (8, 8)}),
        (
            "hta_v100_resnet_ns.json.gz",
            {"device_busy_share": (0.985, 0.991), "sync_gap_share": (0.0, 0.001), "launch_time_share": (0.45, 0.65)},
        ),
        (
            "hta_a100_8rank_control.json.gz",
            {"device_busy_share": (0.77, 0.88), "step_time": (0.075, 0.081), "input_wait_share": (0.0, 0.002)},
        ),
        ("gen_slowload_w2.json", {"input_wait_share": (0.945, 0.965), "step_time": (0.163, 0.165)}),
        ("gen_fastload_w0.json", {"input_wait_share": (0.08, 0.15), "step_time": (0.0042, 0.0052)}),
    ],
)
def test_known_values_of_real_traces(name, bounds):
    """What others measured on a trace is what is read from it."""
    found = values(read(f"pytorch-profiler/{name}"))
    assert found["capture_state"] == "complete"
    for measurement, (lo, hi) in bounds.items():
        assert lo <= found[measurement] <= hi, measurement
    if "kernel_share" in found:
        assert sum(found[part] for part in PARTS) + found["host_gap_share"] == pytest.approx(1.0, abs=1e-6)


def test_exposed_collectives_of_a_real_trace():
    """Exposed collective time is 10 to 19 ms of a step of 75 to 81 ms."""
    found = values(read("pytorch-profiler/hta_a100_8rank_control.json.gz"))
    assert 0.010 <= found["communication_exposed_share"] * found["step_time"] <= 0.019
    assert found["world_size"] == 8
    assert found["accelerator"] == "NVIDIA A100-PG509-200"


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("tl_mi300_vllm_decode_graph.json.gz", "partial"),
        ("hta_alexnet_cuda_sync.json.gz", "tiny"),
        ("hta_old_caps_inference.json.gz", "tiny"),
        ("hta_triton_example.json.gz", "tiny"),
    ],
)
def test_real_captures_that_say_nothing_of_gaps(name, state):
    """Work launched before the capture, and single unit tests, blame nobody."""
    reading = read(f"pytorch-profiler/{name}")
    found = values(reading)
    assert found["capture_state"] == state
    assert not {"host_gap_share", "input_gap_share", "span_host_gap_share"} & set(found)
    assert f"{state}-capture" in codes(reading)


@pytest.mark.parametrize("name", ["gen_fastload_w0.json", "gen_slowload_w2.json"])
def test_a_real_host_trace_says_nothing_of_a_device(name):
    """CPU-only traces leave the device unknown."""
    found = values(read(f"pytorch-profiler/{name}"))
    assert found["device_side"] == "false"
    assert not {"device_busy_share", "host_gap_share"} & set(found)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("h200_590_dmon_load.txt", {"accelerator_utilization": 1.0, "device_power": 629.8, "sm_clock": 1.98e9}),
        ("h200_590_dmon_idle.txt", {"accelerator_utilization": 0.0}),
        ("h100_590_dmon_load.txt", {"accelerator_utilization": 1.0, "utilization_samples": 5}),
        ("l40s_595_dmon_idle.txt", {"accelerator_utilization": 0.0, "device_power": 56.8}),
        ("rtx2080s_610_dmon_idle.txt", {"accelerator_utilization": 0.0}),
        ("rtx2080s_610_dmon_load.txt", {"accelerator_utilization": 0.08}),
        ("rtx2080s_win_610_dmon_idle.txt", {"accelerator_utilization": 0.0}),
        (
            "h200_590_querygpu_load.csv",
            {
                "accelerator_utilization": 1.0,
                "memory_controller_utilization": 0.07,
                "device_power": 627.4,
                "power_limit": 700.0,
                "power_capped_share": 0.0,
                "pcie_link_gen": 5,
                "accelerator": "NVIDIA H200",
            },
        ),
        ("h200_590_querygpu_idle.csv", {"accelerator_utilization": 0.0}),
        ("h100_590_querygpu_idle.csv", {"accelerator_utilization": 0.0}),
        ("h100mig_590_querygpu_load.csv", {"device_power": 433.78, "power_limit": 700.0}),
        ("l40s_595_querygpu_idle.csv", {"device_memory_total": 46068 * 2.0**20}),
        ("rtx2080s_610_querygpu_idle.csv", {"accelerator_utilization": 0.0}),
        ("rtx2080s_610_querygpu_load.csv", {"accelerator_utilization": 0.08, "pcie_link_gen": 3}),
        ("rtx2080s_win_610_querygpu_idle.csv", {"accelerator_utilization": 0.0}),
        ("rtx2080s_win_610_querygpu_load.csv", {"accelerator_utilization": 0.07}),
    ],
)
def test_known_values_of_real_device_samples(name, known):
    """Dmon and query CSV of drivers 590 to 610 on Linux and Windows."""
    found = values(read(f"nvidia-smi/{name}"))
    assert {measurement: found[measurement] for measurement in known} == known


def test_mig_leaves_utilisation_unknown():
    """With MIG on, a loaded device has no utilisation and no link under load."""
    found = values(read("nvidia-smi/h100mig_590_querygpu_load.csv"))
    assert not {"accelerator_utilization", "pcie_link_gen", "utilization_samples"} & set(found)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gen_iostat-dxm.txt", {"disk_utilization": 0.436, "disk_read_iops": 2796, "disk_queue_depth": 1.07}),
        ("gen_iostat-xs_short.txt", {"disk_utilization": 0.448, "cpu_utilization": 0.995, "host_cores": 2}),
        ("gen_iostat-xzt_load.txt", {"cpu_iowait_share": 0.0}),
        ("gen_iostat_basic.txt", {"disk_read_rate": 14356.44 * 1024, "cpu_steal_share": 0.1095}),
        ("gen_iostat-x_de_DE.json", {"disk_utilization": 0.456, "disk_read_await": 0.00011, "cpu_utilization": 0.99}),
        ("sysstat_expected.iostat-compact.txt", {"host_cores": 9, "cpu_utilization": 0.1699}),
        ("sysstat_expected.iostat-gpALL.txt", {"host_cores": 9, "cpu_utilization": 0.1699}),
        ("sysstat_expected.iostat+f-alt-pALL-ms.txt", {"host_cores": 9, "cpu_utilization": 0.1699}),
        ("jc_ubuntu2010_iostat-x.txt", {"host_cores": 2}),
    ],
)
def test_known_values_of_real_iostat_output(name, known):
    """Versions 12.2 to 12.6, text and JSON, short, compact and grouped."""
    reading = read(f"iostat/{name}")
    found = values(reading)
    assert {measurement: found[measurement] for measurement in known} == pytest.approx(known)
    assert reading.lines_not_understood == 0


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("nsys/vector_add_N10.nsys-rep", "Nsight Systems"),
        ("ncu/moomoo_baseline.ncu-rep", "Nsight Compute"),
    ],
)
def test_other_kinds_are_named(name, kind):
    """A file that no reader takes is called what it is."""
    reading, message = read_one(Source.of_path(shared(f"samples/{name}")))
    assert reading is None
    assert message is not None
    assert kind in message.text
