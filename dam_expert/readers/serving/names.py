"""What the metrics of model servers are called, by server and version, and the measurement each gives.

Counters are named without ``_total``. vLLM renamed over its versions (0.6 to 0.20: ``gpu_cache_usage_perc`` to
``kv_cache_usage_perc``, ``time_per_output_token_seconds`` to ``inter_token_latency_seconds`` and
``request_time_per_output_token_seconds``); all names are known, the first that is there counts.
"""

from __future__ import annotations

import enum

KNOWN = r"(?:(?:ray_)?vllm[:_]|(?:ray_)?sglang[:_]|nv_inference_|nv_gpu_|tgi_)\w+"
"""A pattern of the names that this reader answers for."""

MEANS: dict[str, tuple[str, ...]] = {
    "request_time": (
        "vllm:e2e_request_latency_seconds",
        "sglang:e2e_request_latency_seconds",
        "tgi_request_duration",
    ),
    "queue_time": (
        "vllm:request_queue_time_seconds",
        "vllm:time_in_queue_requests",
        "sglang:queue_time_seconds",
        "tgi_request_queue_duration",
    ),
    "preprocess_time": ("tgi_request_validation_duration",),
    "compute_time": ("vllm:request_inference_time_seconds", "tgi_request_inference_duration"),
    "prefill_time": ("vllm:request_prefill_time_seconds",),
    "decode_time": ("vllm:request_decode_time_seconds",),
    "time_to_first_token": ("vllm:time_to_first_token_seconds", "sglang:time_to_first_token_seconds"),
    "time_per_output_token": (
        "vllm:request_time_per_output_token_seconds",
        "vllm:time_per_output_token_seconds",
        "sglang:time_per_output_token_seconds",
        "tgi_request_mean_time_per_token_duration",
    ),
    "token_interval": ("vllm:inter_token_latency_seconds", "sglang:inter_token_latency_seconds"),
    "prompt_tokens_per_request": ("vllm:request_prompt_tokens", "tgi_request_input_length"),
    "output_tokens_per_request": ("vllm:request_generation_tokens", "tgi_request_generated_tokens"),
}
"""Histograms whose mean, sum over count, is a measurement."""

QUANTILES: dict[str, tuple[tuple[str, float], ...]] = {
    "request_time": (("request_p50", 0.5), ("request_p90", 0.9), ("request_p95", 0.95), ("request_p99", 0.99)),
    "time_to_first_token": (("time_to_first_token_p50", 0.5), ("time_to_first_token_p99", 0.99)),
    "time_per_output_token": (("time_per_output_token_p50", 0.5), ("time_per_output_token_p99", 0.99)),
    "token_interval": (("token_interval_p50", 0.5), ("token_interval_p99", 0.99)),
}

FINISHED: dict[str, tuple[str, ...]] = {
    "vllm": (
        "vllm:request_success",
        *(
            f"vllm:{name}_count"
            for name in (
                "e2e_request_latency_seconds",
                "request_inference_time_seconds",
                "request_queue_time_seconds",
                "request_decode_time_seconds",
                "request_generation_tokens",
            )
        ),
    ),
    "sglang": ("sglang:e2e_request_latency_seconds_count",),
    "tgi": ("tgi_request_success", "tgi_request_duration_count"),
}
"""By server the counters that go up by one with each request that ends; any of them says how many there were."""

RATIOS: dict[str, tuple[tuple[str, str, float], ...]] = {
    "queue_time": (("nv_inference_queue_duration_us", "nv_inference_request_success", 1e-6),),
    "compute_time": (("nv_inference_compute_infer_duration_us", "nv_inference_request_success", 1e-6),),
    "request_time": (("nv_inference_request_duration_us", "nv_inference_request_success", 1e-6),),
    "executed_batch_size": (("nv_inference_count", "nv_inference_exec_count", 1.0),),
    "prefix_cache_hit_share": (
        ("vllm:prefix_cache_hits", "vllm:prefix_cache_queries", 1.0),
        ("vllm:gpu_prefix_cache_hits", "vllm:gpu_prefix_cache_queries", 1.0),
        ("sglang:cached_tokens", "sglang:prompt_tokens", 1.0),
    ),
    "draft_acceptance_share": (("vllm:spec_decode_num_accepted_tokens", "vllm:spec_decode_num_draft_tokens", 1.0),),
    "preempted_share": tuple(("vllm:num_preemptions", finished, 1.0) for finished in FINISHED["vllm"]),
}
"""Counter, counter and factor: the increase of the first over that of the second."""

FAILURES = (
    ("nv_inference_request_failure", "nv_inference_request_success"),
    ("tgi_request_failure", "tgi_request_success"),
)

RATES: dict[str, tuple[str, ...]] = {
    "throughput": (
        *FINISHED["vllm"],
        *FINISHED["sglang"],
        "nv_inference_request_success",
        *FINISHED["tgi"],
    ),
    "token_rate": ("vllm:generation_tokens", "sglang:generation_tokens"),
}
"""Counters whose increase over time is a measurement; known only where samples carry their time."""


class Over(enum.Enum):
    """How the gauges of several engines or models become one."""

    SUM = "sum"
    MAX = "largest"


GAUGES: dict[str, tuple[str, Over]] = {
    "vllm:kv_cache_usage_perc": ("kv_cache_usage", Over.MAX),
    "vllm:gpu_cache_usage_perc": ("kv_cache_usage", Over.MAX),
    "vllm:num_requests_waiting": ("queue_depth", Over.SUM),
    "vllm:num_requests_running": ("running_requests", Over.SUM),
    "vllm:avg_generation_throughput_toks_per_s": ("token_rate", Over.SUM),
    "vllm:gpu_prefix_cache_hit_rate": ("prefix_cache_hit_share", Over.MAX),
    "sglang:token_usage": ("kv_cache_usage", Over.MAX),
    "sglang:num_queue_reqs": ("queue_depth", Over.SUM),
    "sglang:num_running_reqs": ("running_requests", Over.SUM),
    "sglang:gen_throughput": ("token_rate", Over.SUM),
    "sglang:cache_hit_rate": ("prefix_cache_hit_share", Over.MAX),
    "tgi_queue_size": ("queue_depth", Over.SUM),
    "tgi_batch_current_size": ("running_requests", Over.SUM),
    "nv_inference_pending_request_count": ("queue_depth", Over.SUM),
}

DEVICE_GAUGES: dict[str, str] = {
    "nv_gpu_utilization": "accelerator_utilization",
    "nv_gpu_memory_used_bytes": "device_memory_used",
    "nv_gpu_memory_total_bytes": "device_memory_total",
    "nv_gpu_power_usage": "device_power",
    "nv_gpu_power_limit": "power_limit",
}

SUMMARIES: dict[str, float] = {"nv_inference_request_summary_us": 1e-6}
"""Summaries of the request time with the factor to seconds."""

GROWING = ("_sum", "_count", "_bucket", "_total", "_us")
"""Ends of the names of what only grows while a server lives; some gauges have them as well."""
