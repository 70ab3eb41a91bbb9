"""What cannot be, and what shows only an instant, confirms nothing and is shown."""

from __future__ import annotations

from typing import Any

import pytest
from truth.jobs import diagnosed, evaluated, job

from dam_expert import Diagnosis
from dam_expert.documents.intervals import Interval
from dam_expert.engine.claims import CONTESTED
from dam_expert.engine.diagnose import FEW
from dam_expert.engine.outcomes import outcomes_of
from dam_expert.readers.dcgm_dmon import DcgmDmonReader
from dam_expert.readers.dcgm_exporter import DcgmExporterReader
from dam_expert.readers.source import Source

IMPOSSIBLE = [
    pytest.param({"device_busy_share": "100 %", "input_gap_share": "60 %"}, id="busy all the time and idle for input"),
    pytest.param({"input_gap_share": "85 %", "host_gap_share": "85 %"}, id="idle for two reasons, 170 % together"),
    pytest.param({"kernel_share": "70 %", "input_gap_share": "60 %"}, id="computing and idle, 130 % together"),
    pytest.param({"host_gap_share": "60 %", "sync_gap_share": "90 %"}, id="a part above the whole"),
    pytest.param({"synthetic_input_speedup": 1000}, id="a thousand times faster"),
    pytest.param({"synthetic_input_speedup": 3, "device_busy_share": "95 %"}, id="faster than the device allows"),
    pytest.param({"graph_replay_speedup": 3, "host_gap_share": "20 %"}, id="more gained than the gaps take"),
    pytest.param({"dram_active": "88 %", "device_busy_share": "10 %"}, id="memory busy while the device is not"),
    pytest.param({"host_gap_share": "60 %", "sm_active": "95 %"}, id="multiprocessors busy while the device waits"),
    pytest.param({"input_gap_share": "25 %", "tensor_active": "95 %"}, id="matrix units busy while the device waits"),
    pytest.param({"dram_active": "88 %", "sm_active": "3 %"}, id="memory busy and nothing runs"),
    pytest.param({"copy_exposed_share": "40 %", "device_busy_share": "10 %"}, id="copies for longer than busy"),
    pytest.param({"execution_provider": "mixed", "host_gap_share": "60 %"}, id="idle while the processor computes"),
    pytest.param({"queue_time": "90 ms", "compute_time": "80 ms", "request_time": "100 ms"}, id="stages above it"),
    pytest.param({"queue_time": "90 s", "request_time": "100 ms"}, id="milliseconds read as seconds"),
    *(
        pytest.param({f"{part}_share": "60 %", f"{part}_time": "1 ms", "request_time": "900 ms", **more}, id=f"{part}")
        for part, more in (
            ("queue", {"instance_busy_share": "30 %"}),
            ("network", {}),
            ("preprocess", {}),
            ("batch_formation", {}),
            ("server_overhead", {}),
            ("send_receive", {}),
        )
    ),
    pytest.param(
        {"network_share": "60 %", "network_time": "9 s", "request_time": "1 s"}, id="a stage above the request"
    ),
    pytest.param({"send_receive_share": "60 %", "compute_stage_share": "70 %"}, id="sent and computed, 130 % together"),
    pytest.param(
        {"device_count": 1, "communication_exposed_share": "40 %", "collective_transport": "socket"}, id="alone"
    ),
    pytest.param({"execution_provider": "host", "device_busy_share": "99 %"}, id="on the host, and the device is busy"),
    pytest.param(
        {"kernel_share": "80 %", "hw_slowdown_share": "70 %", "sm_clock": "1.98 GHz", "sm_clock_max": "1.98 GHz"},
        id="slowed down at the highest clock",
    ),
    pytest.param(
        {"copy_exposed_share": "5 %", "pcie_link_width": 8, "pcie_link_width_max": 16, "h2d_bandwidth": "55 GB/s"},
        id="more than the link carries",
    ),
    pytest.param({"memory_weights": "140 GB", "device_memory_total": "80 GB", "peak_memory": "60 GB"}, id="it runs"),
    pytest.param({"container_restarts": 0, "restart_share": "40 %"}, id="lost to restarts that never were"),
    pytest.param(
        {"workload_kind": "serving", "throughput": "50/s", "offered_rate": "50/s", "input_gap_share": "60 %"},
        id="a server that lacks nothing but requests",
    ),
    pytest.param(
        {"workload_kind": "training", "queue_time": "60 ms", "request_time": "100 ms", "instance_busy_share": "30 %"},
        id="requests of a training job",
    ),
    pytest.param({"steps_captured": 1, "input_gap_share": "60 %"}, id="one step"),
    pytest.param({"kernels_profiled": 1, "memory_throughput_share": "90 %", "kernel_share": "70 %"}, id="one kernel"),
]
#: What a part takes beside its whole, parts of one whole together, and gains beside what they leave out.
SUMS = [
    pytest.param({"input_gap_share": "45 %", "input_wait_time": "2 ms", "step_time": "100 ms"}, id="a short wait"),
    pytest.param(
        {"input_gap_share": "45 %", "input_wait_share": "45 %", "input_wait_time": "2 ms", "step_time": "100 ms"},
        id="two shares and a short wait",
    ),
    pytest.param({"synthetic_input_speedup": 1.9, "input_wait_share": "6 %"}, id="1.06x at most"),
    pytest.param({"synthetic_input_speedup": 1.9, "input_wait_time": "60 ms", "step_time": "1 s"}, id="6 % of times"),
    pytest.param({"predecoded_speedup": 1.3, "input_wait_share": "6 %"}, id="prepared samples gain too much"),
    *(
        pytest.param({f"{probe}_speedup": 1.5, "input_wait_share": "0 %"}, id=f"{probe} and no wait")
        for probe in ("local_files", "ready_samples", "fewer_buffers", "single_threaded_workers", "full_affinity")
    ),
    *(
        pytest.param({"communication_transfer_share": "40 %", name: value}, id=f"transfers and {name}")
        for name, value in (
            ("device_count", 1),
            ("world_size", 1),
            ("communication_share", "2 %"),
            ("communication_exposed_share", "2 %"),
            ("kernel_share", "95 %"),
        )
    ),
    *(
        pytest.param({f"{probe}_speedup": 1.5, "communication_share": "8 %"}, id=f"{probe} and short collectives")
        for probe in ("overlap", "larger_bucket", "fast_network", "peer_access", "other_library")
    ),
    pytest.param(
        {"even_load_speedup": 1.5, "collective_wait_share": "60 %", "communication_share": "1 %"}, id="even load"
    ),
    pytest.param({"copy_exposed_share": "30 %", "copy_share": "2 %"}, id="more exposed than copied"),
    pytest.param(
        {"copy_exposed_share": "30 %", "h2d_exposed_share": "1 %", "d2h_exposed_share": "1 %"}, id="neither way"
    ),
    pytest.param(
        {"device_wait_share": "60 %", "pipeline_time": "10 s", "device_work_time": "9.9 s"}, id="waits and works, 159 %"
    ),
    pytest.param({"device_wait_share": "60 %", "pool_devices": 8, "pool_devices_free": 8}, id="waits for free devices"),
    pytest.param(
        {
            "elsewhere_work_time": "10 s",
            "device_work_time": "9 s",
            "elsewhere_pipeline_time": "1 s",
            "pipeline_time": "100 s",
        },
        id="work longer than its run",
    ),
    pytest.param(
        {"network_time": "6 s", "request_time": "10 s", "server_request_time": "9 s"}, id="outside the server"
    ),
    pytest.param(
        {"send_receive_time": "6 s", "request_time": "10 s", "server_request_time": "9.9 s"}, id="sent for too long"
    ),
    pytest.param({"restart_share": "60 %", "reserved_idle_share": "60 %", "pause_share": "60 %"}, id="lost, 180 %"),
    pytest.param({"input_gap_share": "45 %", "mfu": "70 %"}, id="calculating and idle, 115 %"),
    pytest.param({"checkpoint_free_speedup": 1.19, "checkpoint_time_share": "0 %"}, id="checkpoints that take nothing"),
    pytest.param(
        {"allocation_state": "device_out_of_memory", "memory_requested": "1 GiB", "device_memory_free": "60 GiB"},
        id="refused and free",
    ),
    pytest.param({"allocation_state": "device_out_of_memory", "device_available": False}, id="refused by nobody"),
    pytest.param({"full_precision_run": "learns", "loss_trend": "flat", "precision": "fp32"}, id="full precision"),
    *(
        pytest.param({f"{probe}_speedup": 1.5, name: value}, id=f"{probe} beside {name}")
        for probe, name, value in (
            ("sync_free", "sync_time_share", "0 %"),
            ("graph_replay", "launch_time_share", "0.1 %"),
            ("fewer_threads", "thread_count", 1),
            ("exclusive_device", "processes_on_device", 1),
            ("more_slots", "queue_depth", 0),
            ("local_files", "network_storage", False),
            ("full_affinity", "worker_cores_share", "100 %"),
            ("untuned", "cudnn_benchmark", False),
            ("isolated_host", "cpu_utilization", "1 %"),
            ("without_slow_device", "device_count", 1),
            ("fast_network", "node_count", 1),
            ("kept_compilation", "startup_time", "0 s"),
            ("plain_sampling", "workload_kind", "training"),
        )
    ),
]
#: Parts that exceed a whole together, which are told by what the base says of wholes.
WHOLES = [
    pytest.param(
        {
            "forward_time": "40 ms",
            "backward_time": "60 ms",
            "update_time": "10 ms",
            "step_time": "100 ms",
            "input_gap_share": "45 %",
        },
        id="stages of a step beside a wait",
    ),
    pytest.param(
        {"backward_time": "70 ms", "step_time": "100 ms", "input_gap_share": "45 %"}, id="one stage beside a wait"
    ),
    pytest.param(
        {"device_wait_share": "60 %", "pipeline_time": "10 s", "device_work_time": "6 s"}, id="waits and works"
    ),
    pytest.param({"restart_share": "70 %", "pause_share": "52 %"}, id="restarts and pauses"),
    pytest.param(
        {"network_time": "6 s", "request_time": "10 s", "server_request_time": "5.5 s"}, id="network and server"
    ),
    pytest.param(
        {"queue_time": "60 ms", "request_time": "100 ms", "instance_busy_share": "30 %", "decode_time": "70 ms"},
        id="waits and decodes",
    ),
    pytest.param({"half_bytes_speedup": 3}, id="three times quicker with half the bytes"),
    pytest.param({"half_resources_effect": 2.0, "device_count": 8}, id="twice as much on half of the devices"),
    pytest.param({"collection_free_speedup": 1.6, "kernel_share": "90 %"}, id="more than the kernels leave"),
    pytest.param(
        {"other_nodes_speedup": 2, "communication_exposed_share": "40 %", "communication_share": "40 %"}, id="2"
    ),
]
#: Facts beside which only one of several hypotheses is in doubt.
EXCLUDED = [
    pytest.param(
        "degraded_link", {"copy_exposed_share": "40 %", "pcie_link_gen": 1, "pcie_link_gen_max": 4}, id="a link at rest"
    ),
    pytest.param(
        "degraded_link",
        {"copy_exposed_share": "40 %", "pcie_link_width": 8, "pcie_link_width_max": 16, "h2d_bandwidth": "55 GB/s"},
        id="more than the link carries",
    ),
    pytest.param(
        "peer_path_off",
        {"communication_exposed_share": "40 %", "collective_transport": "shared_memory"},
        id="a path that nobody saw",
    ),
    pytest.param(
        "memory_held_by_others",
        {
            "allocation_state": "device_out_of_memory",
            "memory_other_processes": "30 GiB",
            "memory_requested": "2 GiB",
            "device_memory_free": "70 GiB",
        },
        id="held by others, and free",
    ),
    pytest.param(
        "memory_held_by_others",
        {
            "allocation_state": "device_out_of_memory",
            "memory_other_processes": "30 GiB",
            "memory_requested": "2 GiB",
            "processes_on_device": 1,
        },
        id="held by others, and alone",
    ),
    pytest.param(
        "retained_memory",
        {
            "allocation_state": "device_out_of_memory",
            "memory_growth": "steady_growth",
            "memory_early": "40 GiB",
            "memory_late": "40 GiB",
        },
        id="grows, and is no larger",
    ),
    pytest.param(
        "activations_exceed_memory",
        {
            "allocation_state": "device_out_of_memory",
            "fit_at_batch_one": "fits",
            "memory_growth": "level",
            "batch_size": 1,
        },
        id="a batch of one fails and fits",
    ),
    pytest.param(
        "working_as_expected",
        {"allocation_state": "device_out_of_memory", "target_achievement": 1.2},
        id="fails, and meets its target",
    ),
    pytest.param(
        "storage_bound", {"cached_pass_speedup": 1.3, "synthetic_input_speedup": 1.2}, id="a pass that still reads"
    ),
]
OUT_OF_RANGE = [
    ("device_count", -2),
    ("device_count", 2.5),
    ("device_count", 1e30),
    ("batch_size", 0),
    ("dataloader_workers", -1),
    ("world_size", 0),
    ("step_time", "0 s"),
    ("step_time", "1e308 s"),
    ("device_memory_total", "1e30 B"),
    ("throughput", "1e300/s"),
    ("queue_time", "1e12 s"),
    ("steps_captured", 2.5),
    ("synthetic_input_speedup", 1e6),
    ("device_temperature", "9000 °C"),
    ("pcie_link_gen", 4000),
]


def rejected(diagnosis: Diagnosis) -> dict[str, str | None]:
    return {told.measurement: told.reason for told in diagnosis.rejected}


@pytest.mark.parametrize("facts", [*IMPOSSIBLE, *SUMS, *WHOLES])
def test_an_impossible_combination_confirms_nothing(facts: dict[str, Any]) -> None:
    """One of the values is wrong, and nobody knows which."""
    diagnosis = diagnosed(facts)
    assert diagnosis.status not in ("confirmed", "no_fault")
    assert diagnosis.binding is None


@pytest.mark.parametrize(("hypothesis", "facts"), EXCLUDED)
def test_what_its_facts_exclude_is_not_confirmed(hypothesis: str, facts: dict[str, Any]) -> None:
    """Another one may be."""
    assert evaluated(job(facts)).standings.status[hypothesis] != "confirmed"


@pytest.mark.parametrize(("measurement", "value"), OUT_OF_RANGE)
def test_a_value_that_cannot_be_is_rejected_with_a_reason(measurement: str, value: object) -> None:
    """It is not used, and it is shown."""
    diagnosis = diagnosed({measurement: value})
    assert rejected(diagnosis).get(measurement)
    assert measurement not in {told.measurement for told in diagnosis.observations}


@pytest.mark.parametrize(
    ("measurement", "value"),
    [
        ("batch_size", 1),
        ("dataloader_workers", 0),
        ("step_time", "20 min"),
        ("kernels_per_step", 1368.33),
        ("parameters", 2e12),
        ("queue_time", "0 s"),
        ("device_count", 24_576),
        ("cached_pass_speedup", 40),
    ],
)
def test_rare_values_of_real_jobs_are_kept(measurement: str, value: object) -> None:
    """The bounds lie far beyond any job."""
    assert rejected(diagnosed({measurement: value})) == {}


@pytest.mark.parametrize("rows", [1, 3])
def test_an_instant_of_a_counter_never_decides(rows: int) -> None:
    """One row of dcgmi dmon, or a few, show a phase; a minute of them shows the job."""
    text = "#Entity  SMACT  DRAMA\nID\n" + "GPU 0    0.92   0.880\n" * rows
    reading = DcgmDmonReader().read(Source.of_bytes("dcgm.txt", text.encode()))
    diagnosis = diagnosed({}, reading.observations)
    assert diagnosis.binding is None
    assert {told.reason for told in diagnosis.observations if told.measurement == "dram_active"} == {FEW}


def test_a_minute_of_a_counter_decides() -> None:
    """The same rows sixty times confirm memory bandwidth."""
    text = "#Entity  SMACT  DRAMA\nID\n" + "GPU 0    0.92   0.880\n" * 60
    reading = DcgmDmonReader().read(Source.of_bytes("dcgm.txt", text.encode()))
    binding = diagnosed({}, reading.observations).binding
    assert binding is not None
    assert binding.bottleneck == "memory"


def test_a_probe_is_imagined_within_what_the_budget_leaves_room_for() -> None:
    """A next measurement is worth asking only for outcomes that can be."""
    found = evaluated(job({"host_gap_share": "25 %"}))
    largest = [outcome.value for outcome in outcomes_of(found, "graph_replay_speedup")][-1]
    assert isinstance(largest, Interval)
    assert 1.1 < largest.hi < 1.1 / 0.75


@pytest.mark.parametrize(
    ("facts", "doubted"),
    [
        pytest.param({"host_gap_share": "70 %", "cached_pass_speedup": 1.62}, True, id="more than the whole"),
        pytest.param({"host_gap_share": "50 %", "cached_pass_speedup": 1.62}, False, id="room for both"),
        pytest.param(
            {"input_gap_share": "45 %", "cached_pass_speedup": 1.62}, False, id="a probe of the measured part"
        ),
        pytest.param({"cached_pass_speedup": 1.9, "graph_replay_speedup": 2.6}, True, id="two probes"),
    ],
)
def test_what_a_probe_gained_and_what_was_measured_fit_into_the_whole(facts: dict[str, Any], doubted: bool) -> None:
    """A gain of 1.62 is 38 % of a step of which 70 % is something else: neither is confirmed, and one is asked."""
    diagnosis = diagnosed({"workload_kind": "training", **facts})
    assert {told.measurement for told in diagnosis.observations if told.reason == CONTESTED} == (
        set(facts) if doubted else set()
    )
    if doubted:
        assert (diagnosis.binding, diagnosis.secondary) == (None, [])
        asked = [each.measurement for each in diagnosis.next_measurements[:4] if each.why == CONTESTED]
        assert asked
        assert set(asked) <= set(facts)
    else:
        assert diagnosis.binding is not None


def test_one_scrape_of_the_exporter_never_decides() -> None:
    """It is one reading of each gauge."""
    text = 'DCGM_FI_PROF_DRAM_ACTIVE{gpu="0"} 0.880\nDCGM_FI_DEV_GPU_UTIL{gpu="0"} 97\n'
    reading = DcgmExporterReader().read(Source.of_bytes("metrics", text.encode()))
    assert diagnosed({}, reading.observations).binding is None


def test_of_equally_trusted_sources_the_longer_is_believed() -> None:
    """An instant that differs from a minute of the same counter is no contradiction."""
    minute = "#Entity  SMACT  DRAMA\nID\n" + "GPU 0    0.92   0.880\n" * 60
    instant = 'DCGM_FI_PROF_DRAM_ACTIVE{gpu="0"} 0.100\n'
    long = DcgmDmonReader().read(Source.of_bytes("dcgm.txt", minute.encode())).observations
    short = DcgmExporterReader().read(Source.of_bytes("metrics", instant.encode())).observations
    diagnosis = diagnosed({}, (*short, *long))
    assert diagnosis.binding is not None
    assert diagnosis.binding.bottleneck == "memory"
