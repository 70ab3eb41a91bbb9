"""Figures that others publish as thresholds, and where the base has each; what it leaves out, with the reason.

Facts of hardware and formulas are tested in ``tests/physics``; here are the figures that part good from bad.
"""

from __future__ import annotations

from typing import Final

#: What is published -> the threshold of the base, its value in base units, and a word of its source.
TAKEN: Final[dict[str, tuple[str, float, str]]] = {
    "utilisation that asks for starvation": ("utilization_low", 0.80, "D-A-M"),
    "utilisation that is high": ("utilization_high", 0.95, "D-A-M"),
    "utilisation that a profiler calls low": ("utilization_very_low", 0.50, "kineto"),
    "multiprocessors active, as is necessary": ("sm_filled", 0.80, "DCGM"),
    "multiprocessors active, as is ineffective": ("sm_ineffective", 0.50, "DCGM"),
    "memory interface at its practical limit": ("dram_saturated", 0.80, "DCGM"),
    "kernel throughput below which it is latency": ("sol_low", 0.60, "Nsight Compute"),
    "kernel throughput from which it is the limit": ("sol_limit", 0.80, "Nsight Compute"),
    "waves of a grid": ("one_full_wave", 1, "Nsight Compute"),
    "input overhead to investigate": ("io_overhead_investigate", 0.10, "D-A-M"),
    "input overhead of a strong job": ("io_overhead_strong", 0.01, "D-A-M"),
    "loader share that a profiler warns of": ("loader_share_warned", 0.05, "kineto"),
    "input share, not bound": ("input_not_bound", 0.05, "kModeratelyInfeedBound"),
    "input share, highly bound": ("input_highly_bound", 0.20, "kHighlyInfeedBound"),
    "output share, not bound": ("copy_not_bound", 0.05, "kModeratelyOutfeedBound"),
    "output share, highly bound": ("copy_highly_bound", 0.20, "kHighlyOutfeedBound"),
    "launch and other host share, moderate": ("host_low", 0.03, "kModeratelyKernelLaunchBound"),
    "launch and other host share, high": ("host_high", 0.15, "kHighlyKernelLaunchBound"),
    "disk utilisation that hurts": ("disk_busy", 0.60, "Gregg"),
    "disk utilisation that is saturation": ("disk_saturated", 0.95, "iostat"),
    "short kernels": ("kernel_short", 10e-6, "TraceLens"),
    "runtime at twice the batch that is overhead": ("batch_nearly_free", 1.8, "Brrrr"),
    "communication of a profiler": ("communication_total_high", 0.10, "kineto"),
    "collectives, moderate": ("communication_low", 0.03, "xprof"),
    "collectives, high": ("communication_high", 0.15, "xprof"),
    "share of a link's rate that is reached": ("link_saturated", 0.78, "stas00"),
    "message below which latency binds": ("message_small", 8 * 2**20, "stas00"),
    "slowdown of a straggling job": ("clear_effect", 1.1, "2505.05713"),
    "time lost by interruptions": ("restarts_high", 0.10, "2407.21783"),
    "step outlier": ("spread_large", 1.5, "nsys-ai"),
    "low MFU": ("mfu_low", 0.30, "D-A-M"),
    "strong MFU": ("mfu_strong", 0.50, "D-A-M"),
    "memory nearly full": ("memory_nearly_full", 0.90, "kineto"),
    "tokens per parameter": ("tokens_compute_optimal", 20, "Hoffmann"),
    "labels of a test set that are wrong": ("labels_disputed", 0.033, "Northcutt"),
    "population stability index that is large": ("drift_large", 0.25, "credit scoring"),
    "KV cache that is nearly full": ("kv_usage_high", 0.90, "heuristic"),
    "server that still has room": ("server_room", 0.50, "M/M/1"),
    "server near its knee": ("server_loaded", 0.80, "M/M/1"),
    "evaluation beyond chance": ("beyond_noise", 2, "Normal distribution"),
}

#: What is published and in no rule, and why.
LEFT: Final[dict[str, str]] = {
    "accelerator utilisation of a storage benchmark, 90 or 70 %": (
        "what a submission of emulated training has to reach; a tenth of waiting is the input overhead to investigate"
    ),
    "idle time of a TPU for the host, 3 %": "the same 3 % as the share of the host, in which it is counted",
    "all-reduce of a TPU, 6 %": (
        "lies between the 3 % and 15 % of the same program for collectives; one ladder for all devices"
    ),
    "bus bandwidth 20 % below what is expected": (
        "one vendor's blog; the share of the link's rate that is reached has a measured source"
    ),
    "memory pressure at which the system kills, 60 %": (
        "says when a process ends, not when it is slowed; a killed process is a state of its own"
    ),
    "processor pressure, 20 %, and other bands of pressure": (
        "the kernel names no level; what is known of pressure only chooses the next question"
    ),
    "time for an S3 request, 85 to 90 MB/s each": (
        "a figure of one store and region for planning; the job's read rate over what its storage gives decides"
    ),
    "opening a small file, 11 us or 2.3 ms": "one site; packing the samples is the probe",
    "busbw of multi-node messages, 12.5 and 74 %": "one fabric; a benchmark of the job's own network is asked for",
    "spread of devices within a node, 5 %": "says what is usual and no fault; a swap of the device decides",
    "checkpoint share, 2 and 5 %": (
        "no source was found; the share of the epochs' time and a run without checkpoints decide"
    ),
    "power below 60 % of the limit": "no source was found; it asks for the counters and supports nothing",
    "p99 over p50, 2, 4 and 5": "no source was found; burst, queue and admission are told by their probes",
    "weak scaling, 90 and 70 %": "no source was found; it only suggests what to measure",
    "clock below 90 % of the reference": "no source was found; the reason bits of the driver say what slows it",
}

#: Signs that other tools look for -> the rules or thresholds that read them here.
SIGNS: Final[dict[str, tuple[str, ...]]] = {
    "input wait as a share of the step": ("input_not_bound", "input_highly_bound", "io_overhead_investigate"),
    "device busy share": ("utilization_very_low", "utilization_low"),
    "fluctuating utilisation": ("screening.utilization.swinging",),
    "full processor and idle device": (
        "host.words.idle_device_full_processor",
        "input.words.ask_who_fills_the_cores",
    ),
    "waiting for storage beside an idle device": ("input.storage.suggest_by_disk",),
    "saturated disk": ("disk_saturated", "input.storage.support_by_saturated_disk"),
    "small reads": ("input.files.suggest",),
    "workers that decode": ("input.decode.support_by_cycles",),
    "too few workers": ("input.workers.support", "input.words.no_workers_idle"),
    "a loader that is uneven over its workers": ("sanity.capture.shorter_than_a_worker_cycle",),
    "copies as a share of the step": ("copy_not_bound", "copy_highly_bound"),
    "copies from pageable memory": ("transfer.pageable.support_by_kind",),
    "short kernels": ("kernel_short", "host.launch.support"),
    "launches and a device that waits": ("host_high", "host.launch.support"),
    "synchronisation that opens a gap": ("host.sync.support", "host.sync.refute"),
    "garbage collection": ("host.garbage.confirm", "host.words.collection"),
    "exposed communication": ("communication_high", "communication.collectives.confirm_by_transfer"),
    "overlap of communication": ("communication.overlap.support", "communication.overlap.confirm"),
    "small messages": ("message_small", "communication.small.support"),
    "a slow rank": ("compute.uneven.support", "communication.step_times.ask"),
    "units of a kernel at their limit": ("sol_low", "sol_limit"),
    "a grid below one wave": ("one_full_wave", "serial.grids.confirm"),
    "matrix units that are not used": ("compute.precision.support", "compute.precision.confirm"),
    "MFU": ("mfu_low", "mfu_strong"),
    "MFU beyond what can be": ("sanity.mfu.beyond_the_best",),
    "memory nearly full": ("memory_nearly_full", "capacity.device.suggest"),
    "reserved and not allocated": ("capacity.fragments.support", "capacity.fragments.confirm"),
    "memory that grows": ("capacity.retained.support", "capacity.retained.confirm"),
    "heat, with the reason bits": ("compute.throttled.confirm", "compute.throttled.support"),
    "counters that contradict each other": (
        "sanity.counters.active_while_idle",
        "sanity.counters.active_while_waiting",
    ),
    "a step that is an outlier": ("spread_large", "host.pauses.suggest"),
    "first steps": ("sanity.warmup.included",),
    "work at the start": ("input.words.startup_target", "advice.ask.likely.startup_work"),
    "checkpoints that block": ("host.checkpoint.support", "host.checkpoint.confirm"),
    "enough readings": ("enough_samples", "sanity.utilization.few_samples"),
    "KV cache and preemption": ("kv_usage_high", "some_preempted"),
    "requests that wait": ("queue.admission.support", "queue.waiting.support"),
    "prefixes that are found": ("compute.prefix.suggest_by_hits", "compute.prefix.weaken_by_hits"),
    "replicas that differ": ("queue.routing.support",),
    "shapes that change": ("host.words.compiler_and_shapes", "host.compile.support"),
    "reserved devices that rest": ("none.idle.confirm", "none.idle.support"),
    "link below its generation": ("transfer.link.confirm", "transfer.link.refute"),
    "a batch that is too small": ("batch_nearly_free", "memory.weights.confirm"),
    "a priority by what can be gained": ("worth_recovering", "negligible_share"),
}

#: Signs that other tools look for and no rule here reads, and why.
UNREAD: Final[dict[str, str]] = {
    "latency of remote storage, 15 and 50 ms": "absolute; the same latency is hidden by enough workers",
    "prefetch queue that is empty, 30 % of fetches": (
        "no tool that is read prints it; the wait for the batch is its effect"
    ),
    "loader time of 10 ms a step": "absolute; a step of a second does not mind",
    "launch queue of 1024 that is full": "a trace tells that the device lags by its busy share",
    "tail effect of a grid, 20 %": "named by the profiler for one kernel, of which the share of the step is unknown",
    "warp stalls, 30 %": "named by the profiler for one kernel, and a reading of the kernel's author",
    "occupancy below 80": "no floor holds for all kernels; the guide of the counter says so itself",
    "time to the first token above 2 s": "a limit of one tool; the service has its own",
    "synchronised batch norm, more than 20": "a count without a time",
    "traffic that contends for one link, 80 %": "one vendor's fabric; a probe without the other traffic tells",
    "a phase that explains 80 % of a gap": "a way of naming phases of one tool; here a swap or equal work decides",
    "a load test whose windows agree": (
        "the load tool prints it and repeats by itself; its output is read when it is done"
    ),
    "regression by 3 to 25 %": "comparison of two runs takes the noise of the runs that it is given",
}
