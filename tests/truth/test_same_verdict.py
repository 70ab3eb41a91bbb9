"""Real traces say the same when half of their steps are left out, their clock is shifted or their ranks renamed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from shared_files import shared
from truth.jobs import diagnosed

from dam_expert.readers.pytorch_trace import PyTorchTraceReader
from dam_expert.readers.source import Source

STEPS = {
    "kineto_resnet50_w0_a.json.gz": 6,
    "kineto_resnet50_w4_a.json.gz": 6,
    "hta_a100_8rank_control.json.gz": 6,
    "hta_v100_resnet_ns.json.gz": 5,
    "tl_h100_bert_small.json.gz": 1,
    "tl_h100_owlv2_dataloader.json.gz": 1,
}
LEAST = 4
HOST = ("cpu_op", "operator", "user_annotation", "cuda_runtime", "cuda_driver", "runtime", "python_function")


def document(name: str) -> dict[str, Any]:
    path: Path = shared(f"samples/pytorch-profiler/{name}")
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


def verdict(trace: dict[str, Any]) -> tuple[str, str | None]:
    reading = PyTorchTraceReader().read(Source.of_bytes("trace.json", json.dumps(trace).encode()))
    diagnosis = diagnosed({}, reading.observations)
    return diagnosis.status, diagnosis.binding.bottleneck if diagnosis.binding else None


def marks(trace: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the step marks of the host, in order."""
    found = [
        event
        for event in trace["traceEvents"]
        if str(event.get("name", "")).startswith("ProfilerStep") and event.get("cat") != "gpu_user_annotation"
    ]
    return sorted(found, key=lambda event: float(event["ts"]))


def twice(trace: dict[str, Any]) -> dict[str, Any]:
    """Return the trace followed by itself: twice the steps, with numbers of their own."""
    events = trace["traceEvents"]
    times = [float(event["ts"]) for event in events if event.get("ph") == "X"]
    ends = [float(event["ts"]) + float(event.get("dur") or 0) for event in events if event.get("ph") == "X"]
    shift, ids = max(ends) - min(times) + 50.0, 1 + max(_correlation(event) for event in events)
    again = []
    for event in events:
        copy = {**event, "args": dict(event.get("args") or {})}
        if "ts" in event:
            copy["ts"] = float(event["ts"]) + shift
        if _correlation(event) > 0:
            copy["args"]["correlation"] = _correlation(event) + ids
        if str(event.get("name", "")).startswith("ProfilerStep#"):
            copy["name"] = f"ProfilerStep#{int(event['name'].partition('#')[2]) + 1000}"
        again.append(copy)
    return {**trace, "traceEvents": [*events, *again]}


def _correlation(event: dict[str, Any]) -> int:
    try:
        return int((event.get("args") or {}).get("correlation", -1))
    except (TypeError, ValueError):
        return -1


def half(trace: dict[str, Any]) -> dict[str, Any]:
    """Return the first half of the steps: everything that starts before the end of the last of them."""
    steps = marks(trace)
    last = steps[(len(steps) + 1) // 2 - 1]
    end = float(last["ts"]) + float(last["dur"])
    kept = [event for event in trace["traceEvents"] if float(event.get("ts", 0.0)) < end]
    return {**trace, "traceEvents": kept}


@pytest.mark.parametrize("name", [name for name, steps in STEPS.items() if steps >= LEAST])
def test_half_of_the_steps_give_the_same_verdict(name: str) -> None:
    """The recording is doubled first, so that at least four steps are left."""
    trace = document(name)
    assert len(marks(trace)) == STEPS[name]
    assert verdict(half(twice(trace))) == verdict(trace)


@pytest.mark.parametrize("name", STEPS)
def test_a_shifted_clock_changes_nothing(name: str) -> None:
    """Time stamps are compared with each other only."""
    trace = document(name)
    before = verdict(trace)
    for event in trace["traceEvents"]:
        if "ts" in event:
            event["ts"] = float(event["ts"]) + 86_400_000_000.0
    assert verdict(trace) == before


@pytest.mark.parametrize("name", ["hta_a100_8rank_control.json.gz", "hta_v100_resnet_ns.json.gz"])
def test_a_renamed_rank_changes_nothing(name: str) -> None:
    """Which number a rank has says nothing of its speed."""
    trace = document(name)
    before = verdict(trace)
    told = trace.get("distributedInfo") or {}
    trace["distributedInfo"] = {**told, "rank": 5}
    assert verdict(trace) == before


@pytest.mark.parametrize("name", STEPS)
def test_other_threads_and_processes_change_nothing(name: str) -> None:
    """Numbers of threads and processes are names."""
    trace = document(name)
    before = verdict(trace)
    for event in trace["traceEvents"]:
        category = str(event.get("cat", "")).lower()
        for key in ("pid", "tid"):
            if isinstance(event.get(key), int) and category in HOST:
                event[key] += 100_000
    assert verdict(trace) == before
