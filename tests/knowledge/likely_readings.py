"""Likely readings of reports, each with the cases that break it: what it names, and the measurement that tells.

One entry per reading; the reading names hypotheses, any of which an innocent job seems to have.
"""

from __future__ import annotations

from typing import Final

#: Reading -> the case that breaks it, the hypotheses that it names, and the measurements any of which discriminates.
TRAINING: Final[dict[str, list[tuple[str, tuple[str, ...], tuple[str, ...]]]]] = {
    "an idle device and a busy processor are the loader": [
        (
            "compiler_that_looks_like_a_loader",
            ("input_wait", "loader_parallelism"),
            ("compiles_per_step", "fixed_shapes_speedup"),
        ),
        ("cores_filled_by_other_threads", ("cpu_decode_bound", "input_wait"), ("input_gap_share",)),
    ],
    "an idle device is data": [
        ("step_flat_in_the_batch", ("input_wait",), ("batch_doubling_speedup", "graph_replay_speedup")),
        ("no_workers_and_no_wait", ("input_wait", "loader_parallelism"), ("input_wait_share", "input_gap_share")),
        ("log_that_holds_the_step", ("input_wait", "loader_parallelism"), ("logging_free_speedup", "input_gap_share")),
        ("idle_devices_of_two_nodes", ("input_wait",), ("collective_transport", "communication_exposed_share")),
    ],
    "a full device is healthy": [
        ("link_that_fell_back", ("device_compute", "working_as_expected"), ("pcie_link_gen", "pcie_link_width")),
        ("full_and_cool", ("device_compute", "working_as_expected"), ("sm_active", "dram_active")),
        ("full_device_of_eight_tenants", ("device_compute",), ("exclusive_device_speedup",)),
    ],
    "no idle time is not starved": [
        ("never_idle_and_not_working", ("device_compute",), ("input_gap_share",)),
        ("never_idle_and_fed", ("input_wait",), ("input_gap_share",)),
    ],
    "data that are waited for need workers": [
        (
            "masked_cores_behind_a_network_disk",
            ("loader_parallelism",),
            ("worker_cores_share", "full_affinity_speedup"),
        ),
        ("threads_in_every_worker", ("loader_parallelism",), ("single_threaded_workers_speedup",)),
        ("neighbours_of_the_workers", ("loader_parallelism",), ("isolated_host_speedup",)),
        ("rows_of_a_table", ("loader_parallelism", "storage_bound"), ("ready_samples_speedup",)),
        ("workers_that_swap", ("loader_parallelism",), ("fewer_buffers_speedup", "swap_rate")),
    ],
    "a network file system is the storage": [
        (
            "masked_cores_behind_a_network_disk",
            ("network_reads", "storage_bound"),
            ("worker_cores_share", "full_affinity_speedup"),
        ),
        (
            "network_disk_that_is_innocent",
            ("network_reads", "storage_bound"),
            ("cached_pass_speedup", "local_files_speedup"),
        ),
        ("slow_disk_that_is_innocent", ("storage_bound",), ("input_gap_share",)),
    ],
    "slower since an upgrade is the framework": [
        (
            "upgrade_that_pinned_the_workers",
            ("fallback_kernels", "launch_bound"),
            ("changed_part", "worker_cores_share"),
        ),
        ("upgrade_that_left_the_cores_alone", ("cores_unavailable",), ("worker_cores_share", "changed_part")),
        ("one_new_line_of_an_upgrade", ("fallback_kernels", "launch_bound"), ("changed_part", "host_gap_share")),
    ],
    "many synchronisations bind": [
        ("synchronisations_that_cost_nothing", ("host_synchronization",), ("sync_free_speedup", "sync_gap_share")),
        ("trace.busy_and_synchronising", ("host_synchronization",), ("dram_active",)),
    ],
    "many stages are a bubble": [
        ("bubble_that_does_not_matter", ("pipeline_bubble",), ("more_micro_batches_speedup",))
    ],
    "a wait in a collective is the network": [
        ("pauses_of_one_rank", ("exposed_communication", "slow_fabric"), ("collection_free_speedup",)),
        ("uneven_ranks", ("exposed_communication", "slow_fabric"), ("even_load_speedup",)),
    ],
    "the step of a rank finds the straggler": [
        ("equal_steps_of_a_late_rank", ("exposed_communication", "missing_overlap"), ("pre_collective_time",)),
    ],
    "lower precision is faster": [
        ("half_precision_on_an_old_card", ("precision_path",), ("native_precision_speedup",)),
        (
            "half_precision_behind_the_input",
            ("unsupported_precision",),
            ("native_precision_speedup", "input_gap_share"),
        ),
    ],
    "fewer operations are faster": [
        ("fewer_parameters_slower", ("device_compute",), ("dram_active", "other_layout_speedup")),
        ("zeros_that_are_computed", ("avoidable_work",), ("uncompressed_speedup",)),
    ],
    "a fused, pinned or flagged option is faster": [
        ("search_for_every_shape", ("launch_bound",), ("untuned_speedup",)),
        ("search_that_pays", ("repeated_tuning",), ("varying_shapes", "untuned_speedup")),
        ("graphs_at_a_large_batch", ("launch_bound",), ("batch_doubling_speedup",)),
        (
            "batches_that_need_no_pinning",
            ("pageable_copies", "exposed_copies"),
            ("copy_exposed_share", "pinned_memory_speedup"),
        ),
    ],
    "out of memory is a batch that is too big": [
        ("states_larger_than_the_card", ("activations_exceed_memory",), ("memory_states", "fit_at_batch_one")),
        ("losses_in_a_list", ("activations_exceed_memory",), ("memory_without_references",)),
        ("logits_of_an_evaluation", ("activations_exceed_memory",), ("allocation_phase",)),
        ("half_of_the_memory_in_pieces", ("activations_exceed_memory",), ("free_bytes_place",)),
        ("process_killed_for_host_memory", ("memory_capacity", "activations_exceed_memory"), ("host_memory_growth",)),
    ],
    "binding to memory nodes always helps": [
        ("memory_nodes_beside_a_network", ("remote_memory_node",), ("communication_exposed_share",)),
    ],
    "a copy that is slow in the profile is slow": [
        (
            "copy_that_absorbs_the_wait",
            ("exposed_copies", "host_synchronization"),
            ("copy_exposed_share", "sync_gap_share"),
        ),
        ("times_without_waiting", ("exposed_copies",), ("remeasured",)),
    ],
    "good in training and bad in validation is overfitting": [
        ("training_images_in_validation", ("data_amount", "model_capacity"), ("training_examples_at_serving",)),
        ("two_images_per_device", ("data_amount",), ("synchronised_norm_gap_closed",)),
    ],
    "a very good validation is a good model": [
        ("validation_seen_in_training", ("working_as_expected",), ("split_overlap_share",)),
    ],
    "the same script on more devices is the same model": [
        ("schedule_that_ends_early", ("data_amount",), ("scheduler_steps_per_update",)),
        ("rate_of_one_device_on_eight", ("batch_statistics",), ("scaled_rate_gap_closed",)),
        ("two_images_per_device", ("batch_rate_coupling",), ("synchronised_norm_gap_closed",)),
    ],
    "one fix explains all": [("one_fix_of_several", ("schedule_mismatch",), ("schedule_gap_closed",))],
}

SERVING: Final[dict[str, list[tuple[str, tuple[str, ...], tuple[str, ...]]]]] = {
    "full devices are bound by arithmetic": [
        ("full_ranks_that_wait", ("device_compute",), ("collection_free_speedup",)),
    ],
    "a full device has no room": [("full_device_of_eight_tenants", ("device_compute",), ("exclusive_device_speedup",))],
    "a full device is a healthy card": [("link_that_fell_back", ("device_compute",), ("pcie_link_gen",))],
    "an idle device needs a larger batch or more clients": [
        ("media_before_the_first_token", ("client_limited", "admission_limit"), ("preprocess_time",)),
        ("sampler_between_tokens", ("client_limited", "launch_bound"), ("host_gap_share", "plain_sampling_speedup")),
        ("part_on_the_processor", ("client_limited",), ("execution_provider",)),
    ],
    "an idle device needs more requests": [
        ("split_too_wide", ("client_limited", "admission_limit"), ("narrower_parallelism_speedup",)),
    ],
    "ranks that are equally slow are bound by arithmetic": [
        ("equal_steps_of_a_late_rank", ("device_compute",), ("pre_collective_time",)),
    ],
    "an active power cap throttles": [("power_cap_that_is_innocent", ("device_throttled",), ("dram_active",))],
    "ratios of two devices tell what binds": [
        ("ratios_of_two_devices", ("device_compute", "device_memory_bandwidth"), ("lower_clock_effect",)),
    ],
    "slower than before is the model's code": [
        ("neighbours_on_the_processor", ("avoidable_work", "fallback_kernels"), ("isolated_host_speedup",)),
    ],
    "a processor below its limit is fine": [
        ("quota_below_its_limit", ("device_compute",), ("cpu_throttled_share", "unlimited_processor_speedup")),
    ],
    "idle cores need threads": [
        ("idle_cores_that_wait_for_memory", ("threads_too_few",), ("decode_threads_speedup",)),
        ("idle_siblings", ("threads_too_few",), ("decode_threads_speedup",)),
    ],
    "a collective in the trace is slow": [
        ("weights_blamed_on_the_collective", ("exposed_communication", "slow_fabric"), ("near_model_files_speedup",)),
    ],
    "a warm page cache excludes storage": [
        ("weights_in_a_warm_cache", ("device_compute",), ("near_model_files_speedup",)),
    ],
    "the conspicuous stage of a log is the cause": [
        ("conspicuous_stage_of_a_start", ("startup_work",), ("kept_compilation_speedup",)),
    ],
    "the function named in the gap is the cause": [
        ("numbers_as_text", ("device_compute", "host_gaps"), ("binary_payload_speedup",)),
    ],
    "a slower INT8 is the hardware of INT8": [
        ("narrow_model_in_wide_layers", ("unsupported_precision",), ("wide_layers_share", "quantised_layer_speedup")),
    ],
    "what is said of a kernel option holds in every version": [
        ("convolutions_in_fallback", ("device_memory_bandwidth",), ("other_kernels_speedup",)),
    ],
    "zeros are fewer operations": [("zeros_that_are_computed", ("avoidable_work",), ("uncompressed_speedup",))],
    "a tiny request that fails is fragmentation": [
        ("memory_of_captured_graphs", ("fragmentation",), ("fit_without_graphs",)),
    ],
    "out of memory is a context that is too long": [
        ("sequences_times_images", ("context_limit_memory",), ("fit_with_shorter_context", "fit_with_fewer_sequences")),
    ],
    "half of the memory is unusable": [
        ("half_of_the_memory_unusable", ("memory_held_by_others",), ("fit_with_expandable_segments",)),
        ("half_of_the_memory_in_pools", ("fragmentation",), ("free_bytes_place",)),
    ],
    "a sooner first token is a better policy": [
        ("first_token_at_the_cost_of_others", ("working_as_expected",), ("whole_context_admission_speedup",)),
    ],
    "a load test that is fine is a server that is fine": [
        ("bursts_hidden_by_the_load_test", ("server_overhead", "device_compute"), ("even_arrivals_speedup",)),
    ],
    "a preferred batch is throughput": [
        ("preferred_batch_unfilled", ("device_compute",), ("zero_batch_delay_speedup", "queue_time")),
    ],
    "drafts always speed up": [("drafts_at_a_large_batch", ("token_by_token",), ("unspeculated_speedup",))],
    "a prefix cache that is on hits": [("cache_that_never_hits", ("kv_space_short",), ("prefix_reuse_speedup",))],
    "an upgraded framework slowed the exchange": [
        ("library_that_came_with_the_upgrade", ("missing_overlap", "launch_bound"), ("other_library_speedup",)),
    ],
    "full sharding is slow on many nodes": [
        ("sharding_over_a_network_that_is_off", ("sharding_traffic",), ("collective_transport",)),
    ],
    "half of the rate is a broken link": [
        ("bandwidth_of_another_kind", ("slow_fabric", "exposed_communication"), ("figure_definition",)),
    ],
    "what is set to overlap overlaps": [
        ("overlap_by_flag_alone", ("working_as_expected",), ("communication_exposed_share",)),
    ],
    "an exposed collective is worth hiding": [
        ("exposed_and_off_the_path", ("missing_overlap",), ("overlap_speedup",)),
    ],
    "a drop after a release is the model": [
        ("score_of_another_harness", ("quantisation_damage", "numerical_fault"), ("evaluation_gap_closed",)),
    ],
    "a ruined INT8 needs better calibration": [
        ("activation_rounded_twice", ("calibration_mismatch",), ("quantisation_error_place", "unquantised_gap_closed")),
    ],
    "a plateau is data or the model": [
        ("schedule_that_ends_early", ("data_amount", "model_capacity"), ("scheduler_steps_per_update",)),
    ],
    "a healthy endpoint runs on the device": [
        ("two_of_three_models_on_the_processor", ("device_compute",), ("execution_provider",)),
    ],
    "a faster step is a faster pipeline": [
        ("fast_step_in_a_scarce_pool", ("device_compute",), ("device_wait_share",)),
    ],
    "requests that are cut by a fifth save a fifth": [
        ("requests_cut_by_a_fifth", ("over_provisioned",), ("packing_savings_share",)),
    ],
    "usage that costs what is allocated is a busy fleet": [
        ("usage_that_costs_the_reservation", ("working_as_expected",), ("figure_definition", "reserved_idle_share")),
    ],
}
