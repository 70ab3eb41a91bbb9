"""Real outputs of load tests, servers, profilers and collectives, with the values known for them."""

from __future__ import annotations

import pytest
from readers.said import base_ids, codes, in_the_base, values
from shared_files import shared

from dam_expert.readers.gather import read_one
from dam_expert.readers.monitoring.legends import DEVICE_FIELDS
from dam_expert.readers.ncu import kernels
from dam_expert.readers.serving import benchmark, names
from dam_expert.readers.source import Source

KNOWN = [
    (
        "serving/perf_analyzer_inception.csv",
        "serving_benchmark",
        {
            "queue_time": 0.033669,
            "compute_time": 0.011731,
            "throughput": 84.2,
            "concurrency": 4,
            "concurrency_doubling_speedup": 0.9656,
        },
    ),
    (
        "serving/perf_analyzer_stdout_capi.txt",
        "serving_benchmark",
        {"throughput": 19.6095, "queue_time": 0.000063, "compute_time": 0.050663, "server_overhead_time": 0.000114},
    ),
    (
        "serving/dd_vllm_metrics_extract.prom",
        "server_metrics",
        {
            "time_to_first_token": 0.313,
            "time_per_output_token": 0.0317,
            "request_time": 0.503,
            "prefix_cache_hit_share": 0.547,
        },
    ),
    ("serving/llmprobe_vllm_metrics_live.txt", "server_metrics", {"kv_cache_usage": 0.314, "running_requests": 2}),
    (
        "serving/vllm_bench_mi300x_70b_tp8.txt",
        "serving_benchmark",
        {
            "throughput": 16.05,
            "token_interval_p50": 0.02143,
            "token_interval_p99": 0.27644,
            "time_to_first_token": 0.56463,
        },
    ),
    (
        "serving/gen_locust_stats.csv",
        "load_generator",
        {"request_time": 0.0312, "request_p99": 0.095, "throughput": 187.0, "failed_request_share": 0.0},
    ),
    (
        "nsys/nsightful_power_iteration_baseline.sqlite",
        "nsight_systems",
        {
            "span_busy_share": 0.632,
            "span_sync_gap_share": 0.3677,
            "accelerator": "Tesla T4",
            "copy_memory_kind": "pageable",
        },
    ),
    (
        "nsys/nsysai_healthy_1pct.sqlite",
        "nsight_systems",
        {"span_busy_share": 0.9901, "span_host_gap_share": 0.0099, "capture_state": "complete"},
    ),
    (
        "nsys/nsysai_mfu_2gpu_before.sqlite",
        "nsight_systems",
        {"span_busy_share[0]": 0.913, "span_communication_exposed_share[0]": 0.0573, "span_busy_share[1]": 0.895},
    ),
    (
        "nsys/moomoo_stats_2019_5_old_format.txt",
        "nsight_systems",
        {"d2h_bandwidth": 1723922 * 1024 / 0.972281, "copy_work_share": 0.909, "communication_work_share": 0.0},
    ),
    (
        "nccl/gnosia_allreduce_2node_efa_nccl229.txt",
        "nccl_tests",
        {
            "collective_bus_bandwidth": 12.37e9,
            "collective_network": "libfabric",
            "gpu_direct_rdma": "false",
            "world_size": 2,
            "node_count": 2,
            "collective_library_version": "2.29.2+cuda12.8",
        },
    ),
    (
        "nccl/aws_srun_label_prefix.txt",
        "nccl_tests",
        {"collective_bus_bandwidth": 78.33e9, "collective_latency": 161.5e-6},
    ),
    ("nccl/issue_nccl1773_p2p_lines.txt", "nccl_debug_log", {"peer_transport": "peer_to_peer"}),
    ("nccl/issue_nccltests74_header_old.txt", "nccl_tests", {"accelerator": "A40"}),
    (
        "ncu/nsightful_copy_blocked.csv",
        "nsight_compute",
        {"memory_throughput_share": 0.6184, "compute_throughput_share": 0.013, "waves_per_multiprocessor": 6.4},
    ),
]


@pytest.mark.parametrize(("name", "tool", "expected"), KNOWN, ids=[name for name, _, _ in KNOWN])
def test_known_values_of_real_outputs(name, tool, expected):
    """Each file is recognised as what it is and gives the values that are known of it."""
    reading, message = read_one(Source.of_path(shared(f"samples/{name}")))
    assert message is None
    assert reading is not None
    assert reading.tool == tool
    assert reading.lines_not_understood == 0
    found = values(in_the_base(reading))
    for measurement, value in expected.items():
        assert found[measurement] == (value if isinstance(value, str) else pytest.approx(value, rel=0.005)), measurement


def test_nothing_is_told_of_a_step_that_is_not_marked():
    """Without step marks no share of the step comes out of an export."""
    reading, _ = read_one(Source.of_path(shared("samples/nsys/nsightful_power_iteration_baseline.sqlite")))
    assert not {"device_busy_share", "kernel_share", "host_gap_share"} & values(reading).keys()
    assert "no-steps" in codes(reading)


@pytest.mark.parametrize("name", ["serving/gen_locust_exceptions.csv", "serving/gen_locust_failures.csv"])
def test_files_without_values_name_the_one_that_has_them(name):
    """A list of failures is recognised and answered."""
    reading, _ = read_one(Source.of_path(shared(f"samples/{name}")))
    assert reading is not None
    assert not reading.observations
    assert [message.hint for message in reading.messages] == ["pass the file that ends in _stats.csv"]


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("nsys/vector_add_N10.nsys-rep", "nsys export --type sqlite"),
        ("ncu/moomoo_baseline.ncu-rep", "ncu --import FILE --csv"),
    ],
)
def test_binary_reports_are_answered_with_the_export_command(name, command):
    """What needs the vendor's tool is recognised by its first bytes."""
    reading, message = read_one(Source.of_path(shared(f"samples/{name}")))
    assert reading is None
    assert command in message.hint


def test_every_id_in_the_tables_of_the_readers_exists():
    """What a table maps to is a measurement of the base."""
    told = {*names.MEANS, *names.RATIOS, *names.RATES, *names.DEVICE_GAUGES.values()}
    told |= {measurement for measurement, _ in (*names.GAUGES.values(), *DEVICE_FIELDS.values())}
    told |= {percentile for points in names.QUANTILES.values() for percentile, _ in points}
    told |= {measurement for measurement, _ in kernels._TOLD} | {measurement for measurement, _, _ in benchmark._PLAIN}
    told |= {mean for mean, _ in benchmark._TIMES.values()}
    assert told <= base_ids()[0].keys()
