"""What stands beside a cause and contradicts nothing: values that go together, and what says nothing of it."""

from __future__ import annotations

from typing import Any, Final

import pytest

_DEVICE: Final = {"compute_throughput_share": "88 %", "memory_throughput_share": "45 %", "kernel_share": "70 %"}
_MFU: Final = {"mfu": "56 %", "sm_active": "92 %", "dram_active": "60 %"}
_QUEUE: Final = {"queue_time": "60 ms", "request_time": "100 ms", "instance_busy_share": "30 %"}
_H100: Final = {"accelerator": "NVIDIA H100 80GB HBM3", "precision": "bf16"}


def _case(name: str, hypothesis: str, **facts: Any) -> Any:
    return pytest.param(hypothesis, facts, id=name)


#: Causes with figures beside them that go together with them: near what would contradict, and on the right side of it.
INNOCENT: Final = [
    _case("a server between requests", "device_compute", **_DEVICE, accelerator_utilization="25 %"),
    _case("a sampler that saw pauses", "device_compute", **_DEVICE, accelerator_utilization="45 %"),
    _case("an engine with pauses", "device_memory_bandwidth", dram_active="88 %", graphics_engine_active="60 %"),
    _case(
        "a controller with pauses", "device_memory_bandwidth", dram_active="88 %", memory_controller_utilization="60 %"
    ),
    _case(
        "the memory system",
        "device_memory_bandwidth",
        memory_throughput_share="90 %",
        kernel_share="70 %",
        memory_subsystem_share="92 %",
    ),
    _case("input gaps in the capture", "input_wait", input_gap_share="35 %", span_input_gap_share="20 %"),
    _case(
        "idle in the capture", "input_wait", input_gap_share="35 %", span_busy_share="75 %", span_kernel_share="70 %"
    ),
    _case("busy in the capture", "device_compute", **_DEVICE, span_kernel_share="40 %", span_busy_share="45 %"),
    _case("host gaps in the capture", "host_gaps", host_gap_share="60 %", span_host_gap_share="40 %"),
    _case("copies of the work", "exposed_copies", copy_exposed_share="30 %", copy_work_share="15 %"),
    _case(
        "collectives of the work",
        "socket_transport",
        communication_exposed_share="25 %",
        collective_transport="socket",
        communication_work_share="12 %",
        collective_network="socket",
    ),
    _case(
        "a link that is reached",
        "exposed_communication",
        communication_exposed_share="25 %",
        collective_link_share="82 %",
        collective_bus_bandwidth="40 GB/s",
        expected_bus_bandwidth="48 GB/s",
    ),
    _case("a tail above the mean", "request_queueing", **_QUEUE, queue_p99="90 ms", request_p99="180 ms"),
    _case(
        "a clock that boosts", "device_compute", **_MFU, sm_clock="1.6 GHz", sm_clock_max="1.98 GHz", power_share="80 %"
    ),
    _case(
        "operations of the peak",
        "device_compute",
        **_MFU,
        **_H100,
        device_flops_rate="560 TFLOP/s",
        device_count=8,
        parameters=7e9,
        token_rate="80000/s",
    ),
    _case("recomputed operations", "device_compute", **_MFU, **_H100, device_flops_rate="720 TFLOP/s"),
    _case(
        "a delay that is used up",
        "batch_formation",
        batch_formation_time="60 ms",
        request_time="100 ms",
        batching_delay="60 ms",
    ),
    _case("decoding that is saved", "input_wait", predecoded_speedup=2.2, decode_share_of_worker="60 %"),
    _case(
        "late ranks",
        "uneven_work",
        collective_wait_share="70 %",
        even_load_speedup=1.4,
        collective_arrival_spread="35 %",
    ),
    _case(
        "requests by Little's law",
        "request_queueing",
        **_QUEUE,
        throughput="1000/s",
        requests_in_flight=100,
        concurrency=100,
    ),
    _case(
        "kernels of a step",
        "device_compute",
        **_DEVICE,
        kernels_per_step=7000,
        kernel_duration_mean="10 us",
        step_time="100 ms",
    ),
    _case(
        "bytes of a step",
        "exposed_copies",
        copy_exposed_share="30 %",
        h2d_exposed_share="30 %",
        h2d_bytes_per_step="300 MB",
        h2d_bandwidth="10 GB/s",
        step_time="100 ms",
    ),
    _case(
        "bytes of the weights",
        "weights_exceed_memory",
        memory_weights="140 GB",
        device_memory_total="80 GB",
        parameters=70e9,
    ),
    _case(
        "short kernels", "launch_bound", graph_replay_speedup=1.4, kernel_duration_mean="6 us", kernels_per_step=2000
    ),
    _case("small messages", "small_collectives", larger_bucket_speedup=1.4, collective_message_bytes="1 MB"),
    _case("slots in use", "admission_limit", more_slots_speedup=1.6, running_requests=250, max_num_seqs=256),
    _case(
        "large logits",
        "logits_memory",
        allocation_state="device_out_of_memory",
        fit_with_chunked_logits="fits",
        memory_logits="8 GiB",
        memory_requested="8 GiB",
    ),
    _case(
        "a model on the processor, seldom asked",
        "cpu_execution",
        execution_provider="host",
        workload_kind="serving",
        cpu_utilization="0 %",
    ),
    _case(
        "a hot device",
        "device_throttled",
        kernel_share="80 %",
        thermal_slowdown_share="70 %",
        device_temperature="88 °C",
    ),
    _case(
        "a processor at work",
        "processor_oversubscription",
        fewer_threads_speedup=1.4,
        cpu_utilization="60 %",
        cpu_pressure_share="40 %",
    ),
    _case(
        "memory in fragments",
        "fragmentation",
        allocation_state="device_out_of_memory",
        fit_with_expandable_segments="fits",
        memory_reserved="70 GB",
        memory_allocated="50 GB",
    ),
    _case(
        "held by others",
        "memory_held_by_others",
        allocation_state="device_out_of_memory",
        memory_other_processes="30 GiB",
        memory_requested="2 GiB",
        device_memory_total="80 GiB",
        device_memory_used_share="95 %",
    ),
    _case("free for the host", "host_gaps", host_gap_share="60 %", device_free_share="65 %"),
    _case("a python thread", "host_gaps", host_gap_share="60 %", main_thread_state="python"),
    _case(
        "a request and its exchange",
        "client_network",
        send_receive_time="60 ms",
        request_time="100 ms",
        compute_time="35 ms",
    ),
    _case("prompts that hurt", "prefill_interference", chunked_prefill_speedup=1.4, prompt_tokens_per_request=4000),
]

#: Measurements of which no value contradicts a confirmed cause, by the reason; what is new needs one as well.
SAYS_NOTHING: Final = {
    "what a person says decides nothing and excludes nothing that was measured": (
        *("*_named", "*_reported", "suspected_*", "report_topics", "*_hurt", "*_fine", "*_slow", "*_in_doubt"),
        *("*_no_faster", "*_slower", "*_missing", "*_unused", "wrong_interface", "peer_access_off", "only_slow_*"),
        *("slower_with_more_ranks", "many_small_collectives", "one_rank_*", "uneven_lengths", "stalls_irregular"),
        *("collective_timed_out", "*_changed", "link_flapping", "link_trouble", "large_payloads", "client_sees_more"),
        *("memory_grows", "host_memory_grows", "results_kept", "fails_in_capture", "scarce_devices", "rate_limited"),
        *("metric_*", "worse_*", "timing_without_sync", "warmup_counted", "cut_saved_nothing", "redundant_work"),
        *("memory_taken_on_purpose", "small_work_named", "copies_each_call", "layout_conversions", "varying_shapes"),
        *("batch_insensitive", "reads_back_each_step", "cache_emptied_often", "irregular_pauses", "slows_over_time"),
        *("epoch_start_delay", "later_epochs_faster", "media_*", "heavy_augmentation", "few_cores_busy"),
        *("sticky_routing", "single_stream_decode", "shared_memory_failed", "no_faster_than_host"),
        *("first_token_better", "usage_equals_allocation", "quantisation_error_place", "changed_part"),
    ),
    "versions, names and kinds of things bound nothing": (
        *("*_version", "cpu_model", "hypervisor", "model", "framework", "dataset", "optimizer", "parallelism"),
        *("interconnect", "input_format", "accelerator", "last_rank"),
    ),
    "a setting that is on may be without effect, and one that is off may be replaced by another": (
        *("fully_sharded", "find_unused_parameters", "overlap_configured", "eager_execution", "debug_mode_on"),
        *("data_parallel_wrapper", "spawn_start", "tf32_allowed", "mps_on", "fast_path_disabled", "storage_kind"),
        *("mig_enabled", "server_processes", "prefetch_factor", "pipeline_parallel_size", "min_replicas"),
        *("gpu_memory_fraction", "max_model_length", "threads_per_core", "physical_cores", "shm_size"),
        *("global_batch_size", "training_tokens", "tokens_per_parameter", "container_*", "expected_batch"),
        *("scheduler_*", "total_steps", "eager_admission", "single_device_queue"),
    ),
    "an instant, beside a share of the time": (
        *("*_now", "runnable_processes", "blocked_processes", "swap_used", "process_memory"),
        *("host_memory_total", "host_memory_available*"),
    ),
    "faults that were counted, or were not, have other consequences than time": (
        *("row_remap_*", "device_fault", "ecc_*", "last_xid", "xid_errors", "*_errors", "hung_tasks", "*_link_losses"),
        *(
            "link_transitions",
            "cpu_throttle_events",
            "allocator_retries",
            "failed_request_share",
            "orphan_device_share",
        ),
    ),
    "what a storage or network can give is no bound where pages are cached, remote or moved without the processor": (
        *("disk_*", "storage_*", "process_read_rate", "process_write_rate", "io_pressure_*", "cpu_iowait_share"),
        *("network_*", "nic_path_worst", "device_path_worst", "nvlinks_between_devices", "collective_channels"),
        *("collective_latency", "collective_port_ratio", "memory_pressure_full_share", "swap_rate"),
        *("irq_pressure_full_share", "process_major_fault_rate"),
    ),
    "threads move between cores, and samplers leave out what waits, so that a low share is no absence": (
        *("busiest_core_utilization", "cpu_system_share", "cpu_steal_share", "context_switch_rate", "stack_*"),
        *("cycles_*", "instructions_per_cycle", "last_cache_miss_share", "lock_holder", "host_transfer_share"),
    ),
    "units of the device that the cause does not need, and shares of them that are small in good kernels too": (
        *("encoder_utilization", "decoder_utilization", "sm_occupancy", "achieved_occupancy", "l1_*", "l2_*"),
        *("memory_clock", "power_capped_share", "arithmetic_intensity", "ridge_intensity", "launch_duration_mean"),
    ),
    "figures of the whole run, which every cause changes": (
        *(
            "training_time",
            "training_cost",
            "unit_cost",
            "epoch_time",
            "accuracy",
            "score",
            "training_loss*",
            "heldout_*",
        ),
        *("error_rate", "step_time_*", "loss_*", "learning_rate_*", "reference_achievement", "scaling_*"),
        *("drift_index", "label_disagreement_share", "time_per_output_token*", "token_interval*", "request_p9?"),
        *("served_rate_ratio", "executed_batch_size", "device_token_rate", "step_marks", "reduction_time"),
        *("forward_macs", "*_flops", "collective_arrival_delay", "pre_collective_time", "weight_read_share"),
    ),
    "bytes that are read before or after what failed": (
        *("memory_outside_allocator", "reserved_free_over_request", "memory_requested"),
    ),
    "measured by the same change or the same check as what it stands beside": (
        *("*_gap_closed", "*_speedup", "fit_*", "label_overlay", "restored_loss", "normalised_twice"),
        *("documented_as_such", "figure_definition", "remeasured", "admission_fill"),
    ),
}
