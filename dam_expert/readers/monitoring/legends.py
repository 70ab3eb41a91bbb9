"""What a series of a dashboard is: by the metric's own name, or by the words of its legend.

>>> legend('vllm:kv_cache_usage_perc{engine="0"}'), legend("TTFT p99"), legend("requests waiting")
(('kv_cache_usage', 1.0), ('time_to_first_token_p99', None), ('queue_depth', None))
>>> legend("disk space"), amount("97.5%"), amount("500 ms"), amount("1.5 GiB"), amount("undefined")
(None, (97.5, '%'), (0.5, 's'), (1610612736.0, 'B'), None)
"""

from __future__ import annotations

import re

from dam_expert.readers.content import grouped, known
from dam_expert.readers.serving.exposition import unified
from dam_expert.readers.serving.names import GAUGES

DEVICE_FIELDS = {
    "DCGM_FI_DEV_GPU_UTIL": ("accelerator_utilization", 0.01),
    "DCGM_FI_PROF_SM_ACTIVE": ("sm_active", 1.0),
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": ("tensor_active", 1.0),
    "DCGM_FI_PROF_DRAM_ACTIVE": ("dram_active", 1.0),
    "DCGM_FI_DEV_FB_USED": ("device_memory_used", 2.0**20),
    "DCGM_FI_DEV_POWER_USAGE": ("device_power", 1.0),
    "DCGM_FI_DEV_GPU_TEMP": ("device_temperature", 1.0),
    "DCGM_FI_DEV_SM_CLOCK": ("sm_clock", 1e6),
    "nv_gpu_utilization": ("accelerator_utilization", 1.0),
}
"""Gauges of devices with the factor to the canonical unit."""

SENTINEL = 140737488355328.0
"""From here on a value of DCGM says that it is blank, not found or not supported (dcgm_structs.h)."""

SHARES = frozenset({"kv_cache_usage", "accelerator_utilization", "cpu_utilization", "prefix_cache_hit_share"})
TIMES = ("time_to_first_token", "time_per_output_token", "token_interval", "request", "queue_time")

OF_SERVERS = (
    *("queue_depth", "running_requests", "kv_cache_usage", "prefix_cache_hit_share"),
    *("time_to_first_token", "time_per_output_token", "token_interval"),
)
"""What only a model server has."""

_NAME = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{.*\})?$")
_WORDS = (
    (re.compile(r"kv[ _-]?cache|gpu[ _]cache[ _]usage", re.IGNORECASE), "kv_cache_usage"),
    (re.compile(r"prefix[ _]cache.*hit|cache hit rate", re.IGNORECASE), "prefix_cache_hit_share"),
    (re.compile(r"\b(?:ttft|time to first token)\b", re.IGNORECASE), "time_to_first_token"),
    (re.compile(r"\b(?:tpot|time per output token)\b", re.IGNORECASE), "time_per_output_token"),
    (re.compile(r"\b(?:itl|inter[- ]token)\b", re.IGNORECASE), "token_interval"),
    (re.compile(r"\b(?:queue|queueing|queuing)[ _]?(?:time|wait|latency)\b", re.IGNORECASE), "queue_time"),
    (re.compile(r"\b(?:e2e|end[- ]to[- ]end|request)\b.*\b(?:latency|time|duration)\b", re.IGNORECASE), "request"),
    (re.compile(r"\bwaiting\b|\bqueued\b|\bqueue (?:depth|size|length)\b", re.IGNORECASE), "queue_depth"),
    (re.compile(r"\brunning\b", re.IGNORECASE), "running_requests"),
    (re.compile(r"\b(?:gpu|accelerator)[ _-]?util", re.IGNORECASE), "accelerator_utilization"),
    (re.compile(r"\bcpu[ _-]?(?:util|usage)", re.IGNORECASE), "cpu_utilization"),
)
_PERCENTILE = re.compile(r"\bp?(50|90|95|99)(?:th|%)?\b|\b0\.(50?|90?|95|99)\b", re.IGNORECASE)
_POINTS = {
    "request": ("50", "90", "95", "99"),
    "time_to_first_token": ("50", "99"),
    "time_per_output_token": ("50", "99"),
    "token_interval": ("50", "99"),
}
_AMOUNT = re.compile(r"^([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*(%|[A-Za-zµμ/]{1,8})?$")
_UNITS = {
    "%": (1.0, "%"), "ns": (1e-9, "s"), "us": (1e-6, "s"), "µs": (1e-6, "s"), "μs": (1e-6, "s"), "ms": (1e-3, "s"),
    "s": (1.0, "s"), "min": (60.0, "s"), "mins": (60.0, "s"), "B": (1.0, "B"), "kB": (1e3, "B"), "MB": (1e6, "B"),
    "GB": (1e9, "B"), "KiB": (2.0**10, "B"), "MiB": (2.0**20, "B"), "GiB": (2.0**30, "B"), "K": (1e3, ""),
    "W": (1.0, "W"), "req/s": (1.0, "/s"), "reqps": (1.0, "/s"),
}  # fmt: skip


def legend(text: str) -> tuple[str, float | None] | None:
    """Return the measurement of a series, and the factor of its values where the metric's name fixes it."""
    named = _NAME.match(text.strip())
    if named is not None:
        name = unified(named[1])
        if name in DEVICE_FIELDS:
            return DEVICE_FIELDS[name]
        if name in GAUGES:
            return GAUGES[name][0], 1.0
        if ":" in name or "_" in name:  # another metric: its name is no legend
            return None
    for pattern, measurement in _WORDS:
        if pattern.search(text):
            return _with_percentile(text, measurement)
    return None


def _with_percentile(text: str, measurement: str) -> tuple[str, float | None] | None:
    points = _POINTS.get(measurement)
    found = _PERCENTILE.search(text)
    if points is None:
        return (measurement, None) if found is None else None
    if found is None:
        return ("request_time" if measurement == "request" else measurement), None
    point = found[1] or found[2].ljust(2, "0")
    return (f"{measurement}_p{point}", None) if point in points else None


def amount(cell: str) -> tuple[float, str] | None:
    """Return number and unit of a cell, the unit one of ``%``, ``s``, ``B``, ``W``, ``/s`` or none."""
    found = _AMOUNT.match(cell.strip()[:64])
    if found is None:
        return None
    value = grouped(found[1]) if "," in found[1] else known(found[1])
    factor, unit = _UNITS.get(found[2] or "", (1.0, found[2] or ""))
    return None if value is None else (value * factor, unit)
