"""Answers of Prometheus."""

from __future__ import annotations

import json

from readers.said import codes, read, values

from dam_expert.documents.observations import Basis
from dam_expert.readers.monitoring.range_query import RangeQueryReader


def answer(*series: tuple[str, dict[str, str], list], kind: str = "matrix") -> str:
    key = "values" if kind == "matrix" else "value"
    result = [{"metric": {"__name__": name, **labels}, key: samples} for name, labels, samples in series]
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": result}})


def over_time(*numbers: float) -> list:
    return [[1_700_000_000 + 10 * place, str(number)] for place, number in enumerate(numbers)]


def test_gauges_are_averaged_over_time_and_added_over_engines():
    """Waiting requests of two engines add up, cache use is the largest; NaN is no sample."""
    text = answer(
        ("vllm:num_requests_waiting", {"engine": "0"}, over_time(2, 4)),
        ("vllm:num_requests_waiting", {"engine": "1"}, over_time(1, float("nan"))),
        ("vllm:kv_cache_usage_perc", {"engine": "0"}, over_time(0.2, 0.4)),
        ("vllm:kv_cache_usage_perc", {"engine": "1"}, over_time(0.8, 1.0)),
    )
    assert values(read(RangeQueryReader(), text)) == {
        "kv_cache_usage": 0.9,
        "queue_depth": 4.0,
        "workload_kind": "serving",
    }


def test_counters_give_means_and_rates_over_the_range():
    """A restart in between begins at zero; the range has a duration, so rates are known."""
    name = "vllm:request_queue_time_seconds"
    text = answer(
        (f"{name}_sum", {}, over_time(100, 110, 4)),
        (f"{name}_count", {}, over_time(50, 55, 2)),
        ("vllm:generation_tokens_total", {}, over_time(0, 1000, 2000)),
    )
    reading = read(RangeQueryReader(), text)
    assert values(reading) == {"queue_time": 2.0, "token_rate": 100.0, "throughput": 0.35, "workload_kind": "serving"}
    assert {each.basis for each in reading.observations} == {Basis.TOOL}


def test_device_gauges_have_the_device_and_no_sentinels():
    """Percent become shares; the value for not supported is unknown."""
    text = answer(
        ("DCGM_FI_DEV_GPU_UTIL", {"gpu": "3"}, over_time(50, 70)),
        ("DCGM_FI_PROF_SM_ACTIVE", {"gpu": "3"}, over_time(9223372036854775794)),
    )
    assert values(read(RangeQueryReader(), text)) == {"accelerator_utilization[3]": 0.6}


def test_an_instant_answer_is_one_scrape():
    """A vector gives gauges, and means since the start that decide nothing."""
    name = "vllm:request_queue_time_seconds"
    text = answer((f"{name}_sum", {}, [1, "4"]), (f"{name}_count", {}, [1, "2"]), kind="vector")
    reading = read(RangeQueryReader(), text)
    found = [(each.measurement, each.basis) for each in reading.observations]
    assert found == [("queue_time", Basis.SAID), ("workload_kind", Basis.TOOL)]


def test_expressions_and_cut_answers_say_so():
    """Without a name nothing says what a series is."""
    nameless = json.dumps({"data": {"resultType": "matrix", "result": [{"metric": {}, "values": [[1, "2"]]}]}})
    assert codes(read(RangeQueryReader(), nameless)) == {"no-names", "no-samples"}
    assert codes(read(RangeQueryReader(), answer(("vllm:num_requests_waiting", {}, over_time(1)))[:-5])) == {
        "no-samples"
    }
