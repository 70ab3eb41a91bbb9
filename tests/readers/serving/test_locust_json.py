"""locust --json: a list of the kinds of requests, with distributions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from readers.said import codes, read, values

from dam_expert.readers.gather import read_one
from dam_expert.readers.serving.locust_json import LocustJsonReader
from dam_expert.readers.source import Source


def kind(times: dict[str, int], *, began: float = 1000.0, ended: float = 1010.0, **other: Any) -> dict[str, Any]:
    count = sum(times.values())
    return {
        "name": "/v1/completions",
        "method": "POST",
        "last_request_timestamp": ended,
        "start_time": began,
        "num_requests": count,
        "num_none_requests": 0,
        "num_failures": 0,
        "total_response_time": float(sum(int(time) * each for time, each in times.items())),
        "max_response_time": 900.0,
        "min_response_time": 10.0,
        "total_content_length": 0,
        "response_times": times,
        "num_reqs_per_sec": {},
        "num_fail_per_sec": {},
        **other,
    }


KINDS = [
    kind({"100": 60, "200": 20}, num_failures=5),
    kind({"800": 20}, began=1005.0, ended=1020.0, name="/v1/embeddings"),
]
TWO_KINDS = json.dumps(KINDS, indent=4)


def test_kinds_are_put_together():
    """Sums give mean and failures, the distributions give percentiles, the whole span gives the rate."""
    found = read(LocustJsonReader(), TWO_KINDS)
    assert values(found) == {
        "request_time": 0.26,
        "request_p50": 0.1,
        "request_p90": 0.8,
        "request_p95": 0.8,
        "request_p99": 0.8,
        "failed_request_share": 0.05,
        "throughput": 5.0,
    }
    assert {each.samples for each in found.observations} == {100}


def test_requests_without_a_time_count_and_have_none():
    """A task that reports no time is a request; the mean is over those that have one."""
    found = values(read(LocustJsonReader(), json.dumps([kind({"100": 10}, num_requests=20, num_none_requests=10)])))
    assert found["request_time"] == 0.1
    assert found["throughput"] == 2.0


def test_one_request_has_no_rate():
    """Nothing passed between the first and the last."""
    found = values(read(LocustJsonReader(), json.dumps([kind({"100": 1}, ended=1000.0)])))
    assert found["request_time"] == 0.1
    assert "throughput" not in found


def test_lines_of_the_log_before_it_do_not_matter():
    """The log goes to the same terminal."""
    log = "[2026-01-05 10:00:00,123] node7/INFO/locust.main: Starting Locust 2.32.0\n"
    assert values(read(LocustJsonReader(), log + TWO_KINDS))["throughput"] == 5.0


@pytest.mark.parametrize("end", [40, 200, len(TWO_KINDS) // 2])
def test_a_part_of_the_kinds_is_not_the_run(end):
    """Where the list is cut nothing is told of all requests."""
    reading = read(LocustJsonReader(), TWO_KINDS[:-end])
    assert codes(reading) == {"truncated"}
    assert not reading.observations


@pytest.mark.parametrize(
    "wrong",
    [
        {"num_failures": 90},
        {"total_response_time": -1.0},
        {"response_times": {"100": 3}},
        {"response_times": {"x": 80}},
        {"last_request_timestamp": 1.0},
        {"start_time": None},
        {"num_none_requests": 81},
    ],
)
def test_an_entry_that_cannot_be_is_refused(wrong):
    """Counts that contradict each other make no figure."""
    reading = read(LocustJsonReader(), json.dumps([KINDS[0] | wrong, KINDS[1]]))
    assert not reading.observations
    assert codes(reading) == {"truncated"}


def test_a_run_without_requests_says_so():
    """Kinds that were never asked for have no times, and 0 is no value of theirs."""
    reading = read(LocustJsonReader(), json.dumps([kind({}, last_request_timestamp=None)]))
    assert codes(reading) == {"no-samples"}


def test_it_is_recognised_among_all_readers():
    """No other reader takes it."""
    found, message = read_one(Source.of_bytes("run.json", TWO_KINDS.encode()))
    assert message is None
    assert found is not None
    assert found.tool == "load_generator"
