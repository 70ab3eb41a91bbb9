"""Facts beside which a hypothesis cannot hold, by what they mean, and the figures that one of them contradicts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from truth.jobs import shipped

#: Shares of a step that a trace measures.
OF_A_STEP: Final = (
    "input_gap_share",
    "host_gap_share",
    "sync_gap_share",
    "copy_exposed_share",
    "communication_exposed_share",
    "communication_transfer_share",
    "kernel_share",
)
#: What only a server has.
SERVED: Final = (
    "request_queueing",
    "batch_formation",
    "cold_start",
    "prefill_interference",
    "client_network",
    "server_overhead",
    "request_preprocessing",
    "client_limited",
)
OF_KERNELS: Final = ("compute_throughput_share", "memory_throughput_share", "waves_per_multiprocessor")
ON_THE_HOST: Final = "the same change shortens the same work on the host processor"
HIDDEN: Final = "a window counts as busy in which any kernel ran, so that short waits do not show"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Beside:
    """Facts, and which hypotheses nothing confirms beside them.

    ``excludes`` names hypotheses with all below them, ``of`` the figures of which one has to stand among the facts;
    without it any confirmation counts. ``but`` says of what may be confirmed all the same why; ``beyond`` names facts
    beside which nothing is excluded, and so are probes where ``probed`` is false: they compare, whatever was measured.
    """

    facts: Mapping[str, Any]
    excludes: tuple[str, ...]
    of: tuple[str, ...] = ()
    but: Mapping[str, str] = dataclasses.field(default_factory=dict)
    beyond: tuple[str, ...] = ()
    probed: bool = True


#: What has to be known beside a probe for it to confirm.
NEEDED: Final[Mapping[str, Mapping[str, Any]]] = {
    "node_binding_speedup": {"host_inference": "false"},
    "host_node_binding_speedup": {"host_inference": "true"},
}
#: Facts that say of a probe that there was nothing to change, or next to nothing to leave out.
ALREADY: Final = {
    "batching_delay": ("0 s", ("zero_batch_delay_speedup",)),
    "chunked_prefill": ("true", ("chunked_prefill_speedup",)),
    "numa_nodes": (1, ("node_binding_speedup", "host_node_binding_speedup")),
    "persistent_workers": ("true", ("persistent_workers_speedup",)),
    "tensor_parallel_size": (1, ("narrower_parallelism_speedup",)),
    "zero_stage": (0, ("less_sharding_speedup",)),
    "sharing_mode": ("exclusive", ("exclusive_device_speedup",)),
    "arrival_pattern": ("uniform", ("even_arrivals_speedup",)),
    "replica_load_skew": (1.0, ("even_routing_speedup",)),
    "compiles_per_step": (0, ("compile_free_speedup",)),
    "cold_start_share": ("0 %", ("warm_pool_speedup",)),
    "cpu_throttled_share": ("0 %", ("unlimited_processor_speedup",)),
    "copy_share": ("3 %", ("resident_speedup", "bound_inputs_speedup")),
    "communication_share": ("3 %", ("overlap_speedup", "fast_network_speedup", "peer_access_speedup")),
    "collective_transport": ("nvlink", ("peer_access_speedup",)),
    "preferred_batch_size": (1, ("zero_batch_delay_speedup",)),
    "checkpoint_time_share": ("1 %", ("checkpoint_free_speedup",)),
    "kernel_share": ("90 %", ("collection_free_speedup", "fewer_threads_speedup", "unlimited_processor_speedup")),
    "instance_start_time": ("0 s", ("near_model_files_speedup",)),
}
_PEERS = ("exposed_communication", "uneven_work", "uneven_input", "single_process_parallelism", "batch_statistics")
_SEVERAL = ("device_count", "world_size", "node_count", "rank_traces", "tensor_parallel_size", "pipeline_parallel_size")
_ON_DEVICE = ("device_compute", "device_memory_bandwidth", "serial_depth", "exposed_copies", "host_gaps")
_ANY_PROCESSOR = dict.fromkeys(
    (
        "avoidable_work",
        "ineffective_compression",
        "unsupported_precision",
        "unfriendly_shapes",
        "low_reuse_operators",
        "recurrent_steps",
        "wasted_speculation",
        "repeated_prefill",
        "recompilation",
        "python_contention",
        "contended_host",
        "token_loop_overhead",
    ),
    ON_THE_HOST,
)

_GAPS_CLOSED = tuple(name for name in shipped().measurements if name.endswith("_gap_closed"))

BESIDE: Final = {
    "arithmetic that fills the device": Beside(
        facts={"mfu": "70 %"}, excludes=("serial_depth",), of=("batch_doubling_speedup", "waves_per_multiprocessor")
    ),
    "one rank alone": Beside(
        facts={"world_size": 1}, excludes=("numerical_fault", "batch_statistics"), beyond=_SEVERAL
    ),
    "one device alone": Beside(
        facts={"device_count": 1}, excludes=("numerical_fault", "batch_statistics"), beyond=_SEVERAL
    ),
    "nothing accumulated": Beside(facts={"gradient_accumulation": 1}, excludes=("accumulation_scaling",)),
    "the batch stays": Beside(facts={"global_batch_changed": "false"}, excludes=("batch_rate_coupling",)),
    "nothing is missing": Beside(
        facts={"quality_gap": 0},
        excludes=("learning_limited",),
        of=_GAPS_CLOSED,
        beyond=("scheduler_steps_per_update",),
    ),
    "the loss falls": Beside(facts={"loss_trend": "falling"}, excludes=("optimization_fault",)),
    "it fails everywhere": Beside(
        facts={"where_it_fails": "everywhere"},
        excludes=("environment_mismatch", "load_dependence", "serving_mismatch"),
        beyond=("normalised_twice",),
    ),
    "one environment": Beside(facts={"environment_match": "same"}, excludes=("environment_mismatch",)),
    "not quantised": Beside(facts={"quantized_model": "false"}, excludes=("quantisation_damage",)),
    "not compressed": Beside(
        facts={"quantized_model": "false", "pruned_model": "false"},
        excludes=("ineffective_compression",),
        beyond=("smaller_export_speedup",),
    ),
    "nothing was killed": Beside(facts={"oom_kills": 0}, excludes=("host_memory_short",)),
    "nothing was killed here": Beside(facts={"cgroup_oom_kills": 0}, excludes=("host_memory_short",)),
    "nothing was refused": Beside(
        facts={"allocation_failures": 0},
        excludes=("memory_capacity",),
        but={
            "states_exceed_memory": "it is told by arithmetic, before anything is allocated",
            "weights_exceed_memory": "it is told by arithmetic, before anything is allocated",
            "retained_memory": "growth is told by two figures, with or without a failure",
        },
    ),
    "nothing was preempted": Beside(facts={"preemptions": 0}, excludes=("kv_space_short",), of=("preempted_share",)),
    "a cache that is free": Beside(
        facts={"kv_cache_usage": "20 %"},
        excludes=("kv_space_short",),
        of=("preempted_share", "whole_context_admission_speedup"),
        beyond=("memory_kv",),
    ),
    "training without tokens": Beside(
        facts={"workload_kind": "training"},
        excludes=("kv_space_short", "kv_traffic", "token_by_token", "sequence_limit_memory", "load_dependence"),
    ),
    "training, and served examples": Beside(
        facts={"workload_kind": "training"}, excludes=("serving_mismatch",), beyond=("normalised_twice",)
    ),
    "serving without gradients": Beside(
        facts={"workload_kind": "serving"},
        excludes=(
            "states_exceed_memory",
            "evaluation_memory",
            "sharding_traffic",
            "small_collectives",
            "uneven_work",
            "accumulation_scaling",
        ),
    ),
    "one node": Beside(facts={"node_count": 1}, excludes=("slow_fabric", "slow_interface")),
    "peers that reach each other": Beside(facts={"collective_transport": "nvlink"}, excludes=("peer_path_off",)),
    "batches of one": Beside(facts={"preferred_batch_size": 1}, excludes=("batch_formation",)),
    "an empty queue": Beside(
        facts={"queue_depth": 0}, excludes=("request_queueing",), of=("queue_time", "queue_share")
    ),
    "busy matrix units": Beside(facts={"tensor_active": "70 %"}, excludes=("precision_path",)),
    "never slowed down": Beside(
        facts={"hw_slowdown_share": "0 %", "thermal_slowdown_share": "0 %"}, excludes=("device_throttled",)
    ),
    "a link at its best": Beside(
        facts={"pcie_link_gen": 4, "pcie_link_gen_max": 4, "pcie_link_width": 16, "pcie_link_width_max": 16},
        excludes=("degraded_link",),
    ),
    "a start at once": Beside(facts={"startup_time": "0 s"}, excludes=("model_loading", "startup_work")),
    "one device": Beside(facts={"device_count": 1}, excludes=_PEERS, beyond=_SEVERAL),
    "one rank": Beside(facts={"world_size": 1}, excludes=_PEERS, beyond=_SEVERAL),
    "busy all the step": Beside(
        facts={"device_busy_share": "100 %"},
        excludes=("input_wait", "host_gaps", "cpu_execution", "processor_oversubscription", "processor_quota"),
    ),
    "computing all the step": Beside(
        facts={"kernel_share": "98 %"},
        excludes=("input_wait", "host_gaps", "exposed_communication", "exposed_copies", "cpu_execution"),
    ),
    "always at work": Beside(
        facts={"accelerator_utilization": "99 %", "utilization_samples": 60},
        excludes=("cpu_execution", "periodic_pauses", "idle_reservation", "lost_to_restarts", "epoch_startup"),
        of=("execution_provider", "pause_share", "reserved_idle_share", "restart_share", "epoch_gap_share"),
    ),
    "never at work": Beside(
        facts={"accelerator_utilization": "0 %", "utilization_samples": 60},
        excludes=(
            "device_compute",
            "device_memory_bandwidth",
            "serial_depth",
            "exposed_copies",
            "exposed_communication",
        ),
    ),
    "never busy": Beside(
        facts={"device_busy_share": "0 %"},
        excludes=(
            "device_compute",
            "device_memory_bandwidth",
            "serial_depth",
            "exposed_copies",
            "exposed_communication",
        ),
    ),
    "no device": Beside(facts={"device_available": "false"}, excludes=_ON_DEVICE, but=_ANY_PROCESSOR),
    "on the host processor": Beside(facts={"execution_provider": "host"}, excludes=_ON_DEVICE, but=_ANY_PROCESSOR),
    "it fits": Beside(facts={"allocation_state": "fits"}, excludes=("memory_capacity", "host_memory_short")),
    "counters that rest": Beside(
        facts={"dram_active": "3 %", "sm_active": "5 %", "kernel_share": "70 %"},
        excludes=("device_compute", "device_memory_bandwidth"),
        of=("memory_throughput_share", "compute_throughput_share"),
        probed=False,
    ),
    "nothing to halve": Beside(facts={"device_count": 1}, excludes=("over_provisioned",)),
    "training": Beside(
        facts={"workload_kind": "training"},
        excludes=SERVED,
    ),
    "serving": Beside(
        facts={"workload_kind": "serving"}, excludes=("epoch_startup", "checkpoint_stalls", "evaluation_stalls")
    ),
    "a server between requests": Beside(
        facts={"workload_kind": "serving"}, excludes=("input_wait",), of=("input_gap_share",), probed=False
    ),
    "all is served": Beside(
        facts={"workload_kind": "serving", "throughput": "100/s", "offered_rate": "100/s"},
        excludes=("input_wait",),
        of=("input_gap_share",),
        probed=False,
    ),
    "one step": Beside(
        facts={"steps_captured": 1},
        excludes=(
            "input_wait",
            "host_gaps",
            "exposed_communication",
            "exposed_copies",
            "device_compute",
            "serial_depth",
        ),
        of=OF_A_STEP,
        probed=False,
    ),
    "one kernel": Beside(
        facts={"kernels_profiled": 1},
        excludes=("device_compute", "device_memory_bandwidth", "serial_depth"),
        of=OF_KERNELS,
        probed=False,
    ),
    "the highest clock": Beside(
        facts={"sm_clock": "1.98 GHz", "sm_clock_max": "1.98 GHz"}, excludes=("device_throttled",)
    ),
    "copies at full speed": Beside(
        facts={"h2d_bandwidth": "55 GB/s"}, excludes=("degraded_link",), of=("pcie_link_gen", "pcie_link_width")
    ),
    "it runs": Beside(
        facts={"token_rate": "300/s"},
        excludes=("states_exceed_memory", "weights_exceed_memory"),
        beyond=("allocation_state",),
    ),
    "its peak is small": Beside(
        facts={"peak_memory": "1 GB"},
        excludes=("states_exceed_memory", "weights_exceed_memory"),
        beyond=("allocation_state",),
    ),
    "little is held": Beside(facts={"device_memory_used": "1 GB"}, excludes=("memory_held_by_others",)),
    "much is free": Beside(facts={"device_memory_free": "70 GB"}, excludes=("memory_held_by_others",)),
    "never restarted": Beside(facts={"container_restarts": 0}, excludes=("lost_to_restarts",)),
    "pinned already": Beside(facts={"copy_memory_kind": "pinned"}, excludes=("pageable_copies",)),
    "workers that read": Beside(
        facts={"read_share_of_worker": "70 %"},
        excludes=("cpu_decode_bound",),
        of=("decode_share_of_worker",),
        beyond=("predecoded_speedup",),
    ),
    "ranks that wait": Beside(
        facts={"collective_wait_share": "80 %"},
        excludes=("exposed_communication",),
        of=("communication_exposed_share", "collective_link_share"),
        but={
            "socket_transport": "a slow transport makes every rank late, and the last one most",
            "peer_path_off": "a slow path makes every rank late, and the last one most",
            "slow_fabric": "other nodes were tried, and they were quicker",
        },
    ),
    "short checkpoints": Beside(facts={"checkpoint_time_share": "2 %"}, excludes=("checkpoint_stalls",)),
    "short waits": Beside(
        facts={"input_wait_share": "2 %"},
        excludes=("input_wait",),
        of=("synthetic_input_speedup", "predecoded_speedup", "more_workers_speedup", "packed_files_speedup"),
    ),
    "no workers": Beside(
        facts={"dataloader_workers": 0},
        excludes=("worker_threads", "loader_memory_short", "cores_unavailable", "epoch_startup"),
        of=("single_threaded_workers_speedup", "fewer_buffers_speedup", "full_affinity_speedup"),
    ),
    "the model takes most of the request": Beside(
        facts={"compute_time": "80 ms", "request_time": "100 ms"},
        excludes=("request_queueing", "batch_formation", "client_network", "server_overhead", "request_preprocessing"),
        of=("queue_time", "batch_formation_time", "network_time", "send_receive_time", "server_overhead_time"),
    ),
}
