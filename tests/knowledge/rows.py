"""The rows of the appendix's tables 4 and 5 as incidents: what is missed, what confirms it, and the same reversed."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any

from dam_expert import Diagnosis, load_knowledge
from dam_expert.documents.incident import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose
from dam_expert.engine.facts import as_from_a_tool

if TYPE_CHECKING:
    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One way in which a row of a table shows itself."""

    symptom: dict[str, Any]
    """The incident as it is reported, with its observations."""
    evidence: dict[str, Any]
    """What the row says confirms it."""
    against: dict[str, Any]
    """The same measurements the other way round."""
    binding: str
    works: tuple[str, ...]
    wasted: tuple[str, ...] = ()


@functools.cache
def base() -> Base:
    """Return the shipped base."""
    loaded, messages = load_knowledge()
    assert loaded is not None, [str(message) for message in messages]
    return loaded


def diagnosed(incident: dict[str, Any], *more: dict[str, Any]) -> Diagnosis:
    """Diagnose an incident given as a document, with further observations from tools."""
    observations = dict(incident.get("observations", {}))
    for each in more:
        observations |= each
    data = {"schema": "dam-incident/1", **incident, "observations": observations}
    read, messages = incident_from(data, base().names, lambda _: Origin(file="row"))
    assert not messages
    return diagnose(base(), as_from_a_tool(read), executor=BitExecutor(base().program))


_TRAINING: dict[str, Any] = {"workload": {"workload_kind": "training"}}
_SERVING: dict[str, Any] = {"workload": {"workload_kind": "serving"}}
_LOW = {**_TRAINING, "observations": {"accelerator_utilization": "35 %"}}
_TAIL = {**_SERVING, "target": {"metric": "request_time", "wanted": "20 ms", "actual": "100 ms"}}
_COST = {**_TRAINING, "target": {"metric": "training_cost", "track": "cost"}, "observations": {"mfu": "18 %"}}
_RANKS = {"workload": {"workload_kind": "training"}, "environment": {"world_size": 8}}
_OOM = {**_TRAINING, "observations": {"allocation_state": "device_out_of_memory"}}

#: Table 4: what works and what is wasted, by dominant term.
WORK_AND_WASTE = {
    "memory-bound: weights": Row(
        symptom=_SERVING,
        evidence={"kernel_share": "90 %", "dram_active": "88 %", "batch_doubling_speedup": 1.95},
        against={"kernel_share": "90 %", "dram_active": "20 %", "sm_active": "90 %", "batch_doubling_speedup": 1.02},
        binding="weight_traffic",
        works=("quantize_weights", "structured_pruning", "larger_batch", "more_memory_bandwidth"),
        wasted=("faster_accelerator",),
    ),
    "memory-bound: intermediate results": Row(
        symptom=_TRAINING,
        evidence={"kernel_share": "90 %", "dram_active": "88 %", "fusion_speedup": 1.4},
        against={"kernel_share": "90 %", "dram_active": "20 %", "sm_active": "90 %", "fusion_speedup": 1.01},
        binding="intermediate_traffic",
        works=("fuse_operations",),
        wasted=("faster_accelerator",),
    ),
    "compute-bound": Row(
        symptom=_TRAINING,
        evidence={"mfu": "56 %", "sm_active": "93 %", "dram_active": "40 %"},
        against={"batch_doubling_speedup": 1.95, "sm_active": "93 %", "dram_active": "88 %"},
        binding="device_compute",
        works=("custom_kernels", "faster_accelerator", "lower_precision"),
        wasted=("more_memory_bandwidth",),
    ),
    "compute-bound off the matrix units": Row(
        symptom={"workload": {"workload_kind": "training", "precision": "fp32"}},
        evidence={"kernel_share": "90 %", "plain_matrix_share": "70 %", "tensor_core_speedup": 2.1},
        against={"kernel_share": "90 %", "plain_matrix_share": "2 %", "tensor_core_speedup": 1.01},
        binding="precision_path",
        works=("use_matrix_units", "lower_precision"),
        wasted=("more_memory_bandwidth",),
    ),
    "latency-bound: serial depth": Row(
        symptom=_SERVING,
        evidence={
            "kernel_share": "82 %",
            "device_busy_share": "85 %",
            "batch_doubling_speedup": 1.93,
            "dram_active": "11 %",
        },
        against={"kernel_share": "82 %", "batch_doubling_speedup": 1.02, "dram_active": "11 %"},
        binding="serial_depth",
        works=("reduce_depth", "distil_model", "larger_batch"),
        wasted=("faster_accelerator", "more_memory_bandwidth"),
    ),
    "latency-bound: launches": Row(
        symptom=_SERVING,
        evidence={"host_gap_share": "70 %", "kernel_share": "25 %", "graph_replay_speedup": 2.5},
        against={"host_gap_share": "1 %", "kernel_share": "95 %", "graph_replay_speedup": 1.01},
        binding="launch_bound",
        works=("fuse_operations", "replay_graphs", "fewer_launches", "larger_batch"),
        wasted=("faster_accelerator", "more_memory_bandwidth"),
    ),
}

#: Table 5: the diagnostic matrix.
MATRIX = {
    "low utilisation: input": Row(
        symptom=_LOW,
        evidence={"input_gap_share": "55 %", "host_gap_share": "5 %", "kernel_share": "38 %"},
        against={"input_gap_share": "1 %", "host_gap_share": "5 %", "kernel_share": "92 %"},
        binding="input_wait",
        works=("prefetch_batches",),
        wasted=("faster_accelerator",),
    ),
    "low utilisation: too few workers": Row(
        symptom=_LOW,
        evidence={"input_gap_share": "55 %", "more_workers_speedup": 1.7, "cached_pass_speedup": 1.01},
        against={"input_gap_share": "1 %", "more_workers_speedup": 1.01, "cached_pass_speedup": 1.01},
        binding="loader_parallelism",
        works=("more_loader_workers", "prefetch_batches"),
        wasted=("faster_accelerator",),
    ),
    "low utilisation: storage": Row(
        symptom=_LOW,
        evidence={"input_gap_share": "55 %", "cached_pass_speedup": 1.9},
        against={"input_gap_share": "55 %", "cached_pass_speedup": 1.01},
        binding="storage_bound",
        works=("sequential_format", "local_copy_of_data"),
        wasted=("faster_accelerator",),
    ),
    "low utilisation: decoding on the processor": Row(
        symptom=_LOW,
        evidence={
            "input_gap_share": "55 %",
            "cached_pass_speedup": 1.01,
            "decode_share_of_worker": "78 %",
            "worker_cores_share": "100 %",
        },
        against={"input_gap_share": "55 %", "cached_pass_speedup": 1.9, "predecoded_speedup": 1.01},
        binding="cpu_decode_bound",
        works=("device_decode", "more_loader_workers"),
        wasted=("local_copy_of_data",),
    ),
    "low utilisation: launches": Row(
        symptom=_LOW,
        evidence={"input_gap_share": "1 %", "host_gap_share": "62 %", "kernel_share": "35 %"},
        against={"input_gap_share": "1 %", "host_gap_share": "1 %", "kernel_share": "96 %"},
        binding="host_gaps",
        works=("fewer_launches",),
        wasted=("more_loader_workers", "faster_accelerator"),
    ),
    "high latency: queue": Row(
        symptom=_TAIL,
        evidence={
            "request_time": "100 ms",
            "queue_time": "70 ms",
            "compute_time": "20 ms",
            "instance_busy_share": "30 %",
        },
        against={
            "request_time": "100 ms",
            "queue_time": "2 ms",
            "compute_time": "20 ms",
            "instance_busy_share": "30 %",
        },
        binding="request_queueing",
        works=("admit_sooner",),
        wasted=("faster_accelerator",),
    ),
    "high latency: runtime": Row(
        symptom=_TAIL,
        evidence={
            "request_time": "100 ms",
            "queue_time": "2 ms",
            "compute_time": "20 ms",
            "server_overhead_time": "70 ms",
        },
        against={
            "request_time": "100 ms",
            "queue_time": "2 ms",
            "compute_time": "90 ms",
            "server_overhead_time": "2 ms",
        },
        binding="server_overhead",
        works=("leaner_server",),
        wasted=("faster_accelerator",),
    ),
    "high latency: algorithm": Row(
        symptom=_TAIL,
        evidence={
            "request_time": "100 ms",
            "queue_time": "2 ms",
            "compute_time": "92 ms",
            "kernel_share": "85 %",
            "batch_doubling_speedup": 1.9,
            "memory_throughput_share": "20 %",
        },
        against={
            "request_time": "100 ms",
            "queue_time": "2 ms",
            "compute_time": "92 ms",
            "kernel_share": "85 %",
            "batch_doubling_speedup": 1.02,
        },
        binding="serial_depth",
        works=("reduce_depth",),
        wasted=("faster_accelerator",),
    ),
    "high latency: preprocessing": Row(
        symptom=_TAIL,
        evidence={"request_time": "100 ms", "queue_time": "2 ms", "preprocess_time": "75 ms"},
        against={"request_time": "100 ms", "queue_time": "2 ms", "preprocess_time": "2 ms"},
        binding="request_preprocessing",
        works=("faster_preprocessing",),
    ),
    "high cost: communication": Row(
        symptom=_COST,
        evidence={"communication_exposed_share": "40 %", "collective_wait_share": "10 %", "kernel_share": "50 %"},
        against={"communication_exposed_share": "1 %", "collective_wait_share": "10 %", "kernel_share": "90 %"},
        binding="exposed_communication",
        works=("bucket_gradients", "fewer_bytes_in_collectives"),
        wasted=("more_accelerators",),
    ),
    "high cost: idle time": Row(
        symptom=_COST,
        evidence={"input_gap_share": "45 %", "communication_exposed_share": "2 %", "kernel_share": "48 %"},
        against={"input_gap_share": "1 %", "communication_exposed_share": "2 %", "kernel_share": "90 %"},
        binding="input_wait",
        works=("prefetch_batches",),
        wasted=("more_accelerators",),
    ),
    "high cost: restarts": Row(
        symptom=_COST,
        evidence={"restart_share": "22 %"},
        against={"restart_share": "1 %"},
        binding="lost_to_restarts",
        works=("lose_less_to_failures",),
        wasted=("more_accelerators",),
    ),
    "communication between devices: overlap": Row(
        symptom=_RANKS,
        evidence={"communication_exposed_share": "30 %", "communication_share": "31 %", "overlap_speedup": 1.25},
        against={"communication_exposed_share": "1 %", "communication_share": "31 %", "overlap_speedup": 1.01},
        binding="missing_overlap",
        works=("overlap_collectives", "bucket_gradients"),
        wasted=("more_accelerators",),
    ),
    "communication between devices: buckets": Row(
        symptom=_RANKS,
        evidence={
            "communication_exposed_share": "30 %",
            "collective_message_bytes": "1 MiB",
            "larger_bucket_speedup": 1.25,
        },
        against={
            "communication_exposed_share": "30 %",
            "collective_message_bytes": "80 MiB",
            "larger_bucket_speedup": 1.01,
        },
        binding="small_collectives",
        works=("bucket_gradients",),
        wasted=("more_accelerators",),
    ),
    "out of memory: activations": Row(
        symptom=_OOM,
        evidence={"fit_at_batch_one": "fits", "memory_growth": "level"},
        against={"fit_at_batch_one": "fails", "memory_growth": "steady_growth"},
        binding="activations_exceed_memory",
        works=("activation_checkpointing", "smaller_batch"),
    ),
    "out of memory: states": Row(
        symptom=_OOM,
        evidence={"memory_states": "104 GiB", "device_memory_total": "80 GiB"},
        against={"memory_states": "20 GiB", "device_memory_total": "80 GiB", "fit_at_batch_one": "fits"},
        binding="states_exceed_memory",
        works=("shard_states",),
        wasted=("activation_checkpointing", "smaller_batch"),
    ),
    "out of memory: weights": Row(
        symptom={**_SERVING, "observations": {"allocation_state": "device_out_of_memory"}},
        evidence={"memory_weights": "140 GB", "device_memory_total": "80 GB"},
        against={"memory_weights": "16 GB", "device_memory_total": "80 GB"},
        binding="weights_exceed_memory",
        works=("quantize_weights", "shard_states"),
        wasted=("smaller_batch",),
    ),
}
