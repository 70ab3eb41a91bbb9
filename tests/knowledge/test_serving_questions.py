"""What is asked of a model server and of a training job, and which of their probes cannot stand beside one another."""

from __future__ import annotations

from typing import Any

import pytest
from knowledge.rows import diagnosed

SERVING: dict[str, Any] = {"workload": {"workload_kind": "serving"}}
TRAINING: dict[str, Any] = {"workload": {"workload_kind": "training"}}
QUEUE = {"running_requests": 32, "queue_depth": 41, "preempted_share": "0 %"}


def test_a_queue_beside_a_cache_with_room_leads_to_the_limit_on_admission():
    """The first of the ranking is the limit, and what is asked first decides it; nothing is called likely yet."""
    found = diagnosed(SERVING, {**QUEUE, "kv_cache_usage": "58 %"})
    assert (found.hypotheses[0].id, found.hypotheses[0].status) == ("admission_limit", "candidate")
    asked = [step.measurement for step in found.next_measurements[:3]]
    assert set(asked) == {"more_slots_speedup", "queue_time", "max_num_seqs"}


def test_slots_that_are_full_make_it_likely():
    """With as many running as may run the limit is likely."""
    found = diagnosed(SERVING, {**QUEUE, "kv_cache_usage": "58 %", "max_num_seqs": 32})
    assert (found.status, found.hypotheses[0].id) == ("supported", "admission_limit")


def test_a_full_cache_is_no_room():
    """Where the cache is full, neither room that is not used nor the limit on admission leads or ties."""
    found = diagnosed(
        SERVING, {**QUEUE, "kv_cache_usage": "97 %", "queue_time": "5 s", "request_time": "9 s", "max_num_seqs": 32}
    )
    ranked = {each.id: place for place, each in enumerate(found.hypotheses)}
    assert found.hypotheses[0].id == "kv_space_short"
    scores = {each.id: each.score for each in found.hypotheses}
    assert scores["kv_space_short"] > max(scores.get("request_queueing", -1), scores.get("admission_limit", -1))
    assert ranked["kv_space_short"] == 0


@pytest.mark.parametrize(("kind", "is_server"), [(TRAINING, False), (SERVING, True)])
def test_ways_to_measure_are_of_the_kind_of_work(kind, is_server):
    """A training job has no server to be started for it, and a server is not asked for a training run."""
    found = diagnosed(kind, {"slower_with_more_ranks": True})
    commands = [way.command or "" for step in found.next_measurements for way in step.commands]
    assert any("vllm serve" in command for command in commands) == is_server
    narrower = next(step for step in found.next_measurements if step.measurement == "narrower_parallelism_speedup")
    assert [bool(way.command) for way in narrower.commands] == [is_server]


@pytest.mark.parametrize(
    ("part", "whole", "gains"),
    [
        ("predecoded_speedup", "synthetic_input_speedup", (2.4, 1.5)),
        ("fast_network_speedup", "unsynchronised_speedup", (2.4, 1.5)),
    ],
)
def test_a_part_gains_no_more_than_all_of_it(part, whole, gains):
    """Neither decides where a part of a path gains more than leaving out the path; within their noise both do."""
    high, low = gains
    impossible = diagnosed(TRAINING, {part: high, whole: low})
    assert impossible.binding is None
    assert diagnosed(TRAINING, {part: low * 1.05, whole: low}).binding is not None
    assert diagnosed(TRAINING, {part: low, whole: high}).binding is not None
