"""Facts that contradict a cause by themselves, by the mechanism by which they do, as the search over pairs found them.

Each was still confirmed beside the fact before the base knew of it. The search is :mod:`truth.pairs`.
"""

from __future__ import annotations

from typing import Final

from truth.beside import OF_A_STEP, SERVED, Beside

_WORK = ("device_compute", "device_memory_bandwidth", "serial_depth")
_AT_WORK = ("mfu", "kernel_share", "dram_active", "sm_active", "memory_throughput_share", "compute_throughput_share")
_SERVED = (*SERVED, "kv_space_short")
_PROCESSOR = (
    "cpu_decode_bound",
    "python_samples",
    "cpu_execution",
    "processor_oversubscription",
    "processor_quota",
    "python_contention",
    "token_loop_overhead",
    "garbage_collection",
    "launch_bound",
    "payload_handling",
    "host_memory_bandwidth",
    "contended_host",
    "threads_too_few",
)

#: The same quantity, measured in two ways.
TWO_WAYS: Final = {
    "a sampler that saw no work": Beside(
        facts={"accelerator_utilization": "2 %", "utilization_samples": 60}, excludes=_WORK, of=_AT_WORK
    ),
    "an engine that rests": Beside(facts={"graphics_engine_active": "2 %"}, excludes=_WORK, of=_AT_WORK),
    "a sampler that saw no kernels": Beside(
        facts={"accelerator_utilization": "1 %"},
        excludes=(
            *(
                "fallback_kernels",
                "unsuited_layout",
                "low_reuse_operators",
                "unfriendly_shapes",
                "unsupported_precision",
            ),
            *("ineffective_compression", "precision_path", "avoidable_work", "recurrent_steps", "device_throttled"),
        ),
    ),
    "a summary that calls the device idle": Beside(facts={"idle_in_summary": "98 %"}, excludes=_WORK, of=_AT_WORK),
    "a memory controller that rests": Beside(
        facts={"memory_controller_utilization": "2 %"},
        excludes=("device_memory_bandwidth",),
        of=("dram_active", "memory_throughput_share"),
    ),
    "a memory system that rests": Beside(
        facts={"memory_subsystem_share": "2 %"},
        excludes=("device_memory_bandwidth",),
        of=("memory_throughput_share",),
    ),
    "matrix pipes of plain kernels": Beside(facts={"tensor_pipe_share": "98 %"}, excludes=("precision_path",)),
    "a capture without input gaps": Beside(
        facts={"span_input_gap_share": "2 %"}, excludes=("input_wait",), of=("input_gap_share",), probed=False
    ),
    "a capture without host gaps": Beside(
        facts={"span_host_gap_share": "2 %"}, excludes=("host_gaps",), of=("host_gap_share",), probed=False
    ),
    "a capture that is busy": Beside(
        facts={"span_busy_share": "98 %"},
        excludes=("input_wait", "host_gaps"),
        of=("input_gap_share", "host_gap_share"),
        probed=False,
    ),
    "a capture that computes": Beside(
        facts={"span_kernel_share": "98 %"},
        excludes=("input_wait", "host_gaps", "exposed_copies", "exposed_communication"),
        of=OF_A_STEP[:-1],
    ),
    "a capture that does not compute": Beside(facts={"span_kernel_share": "2 %"}, excludes=_WORK, of=("kernel_share",)),
    "a capture that rests": Beside(
        facts={"span_busy_share": "2 %"}, excludes=(*_WORK, "exposed_copies"), of=("kernel_share", "copy_exposed_share")
    ),
    "a capture without exposed copies": Beside(
        facts={"span_copy_exposed_share": "2 %"}, excludes=("exposed_copies",), of=("copy_exposed_share",)
    ),
    "a capture without exposed collectives": Beside(
        facts={"span_communication_exposed_share": "2 %"},
        excludes=("exposed_communication",),
        of=("communication_exposed_share",),
    ),
    "hardly any work in copies": Beside(
        facts={"copy_work_share": "2 %"}, excludes=("exposed_copies",), of=("copy_exposed_share",)
    ),
    "hardly any work in collectives": Beside(
        facts={"communication_work_share": "2 %"},
        excludes=("exposed_communication",),
        of=("communication_exposed_share",),
    ),
    "collectives that move nothing": Beside(
        facts={"collective_bus_bandwidth": "1 MB/s"}, excludes=("exposed_communication",), of=("collective_link_share",)
    ),
    "collectives on a fast network": Beside(facts={"collective_network": "infiniband"}, excludes=("socket_transport",)),
    "collectives on RDMA": Beside(facts={"gpu_direct_rdma": "true"}, excludes=("socket_transport",)),
    "peers at once": Beside(facts={"peer_transport": "peer_to_peer"}, excludes=("peer_path_off",)),
    "weights of few parameters": Beside(
        facts={"parameters": 1000000},
        excludes=("weights_exceed_memory", "states_exceed_memory"),
        of=("memory_weights", "memory_states"),
    ),
    "a tail below the mean of the queue": Beside(
        facts={"queue_p99": "1 ms"}, excludes=("request_queueing",), of=("queue_time",)
    ),
    "a tail below the mean": Beside(
        facts={"request_p99": "1 ms"},
        excludes=("request_queueing", "batch_formation", "client_network", "server_overhead", "request_preprocessing"),
        of=("request_time",),
    ),
    "a tail of preprocessing below its mean": Beside(
        facts={"preprocess_p99": "1 ms"}, excludes=("request_preprocessing",), of=("preprocess_time",)
    ),
}
#: More than a limit lets through.
LIMITS: Final = {
    "a clock of rest": Beside(facts={"sm_clock": "60 MHz"}, excludes=("device_compute",), of=("mfu",)),
    "a clock that crawls": Beside(
        facts={"sm_clock": "135 MHz", "sm_clock_max": "1.98 GHz"}, excludes=("device_compute",), of=("mfu",)
    ),
    "a device that draws no power": Beside(
        facts={"power_share": "2 %"},
        excludes=("device_compute", "device_memory_bandwidth"),
        of=("mfu", "dram_active", "sm_active"),
    ),
    "a short delay for a batch": Beside(
        facts={"batching_delay": "1 ms"}, excludes=("batch_formation",), of=("batch_formation_time",)
    ),
    "kernels that fill the arithmetic": Beside(
        facts={"compute_throughput_share": "98 %"}, excludes=("serial_depth",), of=("batch_doubling_speedup",)
    ),
    "a grid of many waves": Beside(
        facts={"waves_per_multiprocessor": 50}, excludes=("serial_depth",), of=("batch_doubling_speedup",)
    ),
    "long kernels": Beside(facts={"kernel_duration_mean": "20 ms"}, excludes=("launch_bound",)),
    "large messages": Beside(facts={"collective_message_bytes": "2 GB"}, excludes=("small_collectives",)),
    "few slots in use": Beside(facts={"running_requests": 4, "max_num_seqs": 256}, excludes=("admission_limit",)),
    "workers that do not decode": Beside(
        facts={"decode_share_of_worker": "2 %"}, excludes=("cpu_decode_bound", "input_wait"), of=("predecoded_speedup",)
    ),
    "small logits": Beside(facts={"memory_logits": "1 MB"}, excludes=("logits_memory",)),
    "no gap behind a synchronisation": Beside(
        facts={"sync_gap_share": "0 %"}, excludes=("host_synchronization",), of=("sync_free_speedup",)
    ),
}
#: None of what a cause takes.
NOTHING: Final = {
    "nothing is served": Beside(facts={"throughput": "0/s"}, excludes=_SERVED, probed=False),
    "nothing arrives": Beside(facts={"offered_rate": "0/s"}, excludes=_SERVED),
    "nothing is in flight": Beside(facts={"requests_in_flight": 0}, excludes=_SERVED),
    "instances that rest": Beside(
        facts={"instance_busy_share": "0 %"}, excludes=("prefill_interference", "kv_space_short")
    ),
    "no step is done": Beside(
        facts={"step_rate": "0/s"},
        excludes=("input_wait", "host_gaps", "exposed_communication", "exposed_copies", *_WORK),
        of=OF_A_STEP,
        probed=False,
    ),
    "no kernels": Beside(facts={"kernels_per_step": 0}, excludes=_WORK, of=("kernel_share", "dram_active", "mfu")),
    "no device in the trace": Beside(
        facts={"device_side": "false"},
        excludes=("input_wait", "host_gaps", "exposed_communication", "exposed_copies", *_WORK),
        of=OF_A_STEP,
        probed=False,
    ),
    "nothing crosses the link": Beside(
        facts={"pcie_rx_rate": "0 B/s", "pcie_tx_rate": "0 B/s"},
        excludes=("exposed_copies",),
        of=("copy_exposed_share",),
    ),
    "one kernel a step": Beside(facts={"kernels_per_step": 1}, excludes=("launch_bound", "intermediate_traffic")),
    "everybody arrives at once": Beside(
        facts={"collective_arrival_spread": "0 %"}, excludes=("uneven_work",), of=("collective_wait_share",)
    ),
    "everything reserved is used": Beside(
        facts={"memory_reserved": "70 GB", "memory_allocated": "70 GB"}, excludes=("fragmentation",)
    ),
    "a processor that rests": Beside(facts={"cpu_utilization": "0 %"}, excludes=_PROCESSOR),
    "threads that rest": Beside(facts={"busiest_thread_utilization": "2 %"}, excludes=_PROCESSOR),
    "a process that rests": Beside(facts={"process_cpu_cores": 0}, excludes=_PROCESSOR),
    "nobody waits for a core": Beside(facts={"cpu_pressure_share": "0 %"}, excludes=("processor_oversubscription",)),
    "the process waits for no core": Beside(
        facts={"process_run_wait_share": "0 %"}, excludes=("processor_oversubscription",)
    ),
    "nobody waits for memory": Beside(facts={"memory_pressure_share": "0 %"}, excludes=("loader_memory_short",)),
}
#: A state in which the mechanism of a cause is not at work.
STATES: Final = {
    "a cool device": Beside(
        facts={"device_temperature": "35 °C"},
        excludes=("device_throttled",),
        of=("thermal_slowdown_share", "cooled_speedup"),
    ),
    "counters of a model on the processor": Beside(
        facts={"sm_active": "70 %"}, excludes=("cpu_execution",), of=("execution_provider",)
    ),
    "arithmetic of a model on the processor": Beside(
        facts={"mfu": "40 %"}, excludes=("cpu_execution",), of=("execution_provider",)
    ),
    "memory traffic of a model on the processor": Beside(
        facts={"dram_active": "60 %"}, excludes=("cpu_execution",), of=("execution_provider",)
    ),
    "one prompt token": Beside(
        facts={"prompt_tokens_per_request": 1}, excludes=("prefill_interference", "repeated_prefill")
    ),
    "one output token": Beside(
        facts={"output_tokens_per_request": 1}, excludes=("token_by_token", "wasted_speculation", "token_loop_overhead")
    ),
    "sequences of one": Beside(facts={"sequence_length": 1}, excludes=("kv_traffic",)),
}
#: Facts that say of a probe that there was nothing to change, or next to nothing to leave out.
ALREADY_TOO: Final = {
    "host_cores": (1, ("full_affinity_speedup",)),
    "prefix_cache_hit_share": ("98 %", ("prefix_reuse_speedup",)),
    "instance_start_time": ("0 s", ("warm_pool_speedup",)),
    "loader_mode": (
        "single_process",
        ("persistent_workers_speedup", "single_threaded_workers_speedup", "full_affinity_speedup"),
    ),
}
BY_MECHANISM: Final = {**TWO_WAYS, **LIMITS, **NOTHING, **STATES}
#: What refutes a cause, and a figure that says that the cause takes its part all the same: nobody is cleared.
NOT_CLEARED: Final = {
    "waits for input between the marked steps": (
        "input_wait",
        {"input_gap_share": "0.4 %"},
        {"span_input_gap_share": "40 %"},
    ),
    "waits for the host between the marked steps": (
        "host_gaps",
        {"host_gap_share": "0.4 %"},
        {"span_host_gap_share": "40 %"},
    ),
    "copies between the marked steps": (
        "exposed_copies",
        {"copy_exposed_share": "0.4 %"},
        {"span_copy_exposed_share": "40 %"},
    ),
    "collectives between the marked steps": (
        "exposed_communication",
        {"communication_exposed_share": "0.4 %"},
        {"span_communication_exposed_share": "40 %"},
    ),
    "checkpoints that take a third of the time": (
        "checkpoint_stalls",
        {"checkpoint_free_speedup": 1.01},
        {"checkpoint_time_share": "33 %"},
    ),
    "kernels that use the memory": (
        "device_memory_bandwidth",
        {"dram_active": "20 %", "device_busy_share": "90 %"},
        {"memory_throughput_share": "90 %", "kernel_share": "85 %"},
    ),
    "no device for the framework": (
        "cpu_execution",
        {"execution_provider": "accelerator"},
        {"device_available": "false"},
    ),
    "killed for memory": (
        "host_memory_short",
        {"allocation_state": "fits", "swap_rate": "0 B/s", "memory_pressure_full_share": "0 %"},
        {"cgroup_oom_kills": 2},
    ),
    "slowed down by heat": ("device_throttled", {"cooled_speedup": 1.01}, {"thermal_slowdown_share": "70 %"}),
}
