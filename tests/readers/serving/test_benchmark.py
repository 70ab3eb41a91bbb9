"""Tables and JSON of serving benchmarks, old and new labels."""

from __future__ import annotations

import json

import pytest
from readers.said import codes, read, values

from dam_expert.readers.serving.benchmark import ServingBenchmarkReader

TABLE = """\
Traffic request rate: 8.0
============ Serving Benchmark Result ============
Backend:                                 vllm
Successful requests:                     90
Failed requests:                         10
Request rate configured (RPS):           {rate}
Maximum request concurrency:             {concurrency}
Total input tokens:                      90,000
Total generated tokens:                  9000
Request throughput (req/s):              {throughput}
Output token throughput (tok/s):         1,234.50
----------------End-to-End Latency----------------
Mean E2E Latency (ms):                   2000.00
Median E2E Latency (ms):                 1800.00
---------------Inter-token Latency----------------
Mean ITL (ms):                           2621.00
P99 ITL (ms):                            N/A
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          272.00
==================================================
lines after the table belong to the program
"""


def table(*, rate="8.00", concurrency=64, throughput=4.0) -> str:
    return TABLE.format(rate=rate, concurrency=concurrency, throughput=throughput)


def test_a_table_gives_rates_times_and_failures():
    """Milliseconds become seconds, thousands separators are read, bursts keep ITL and TPOT apart."""
    found = values(read(ServingBenchmarkReader(), table()))
    assert found["throughput"] == 4.0
    assert found["offered_rate"] == 8.0
    assert found["concurrency"] == 64.0
    assert found["token_rate"] == 1234.5
    assert found["failed_request_share"] == 0.1
    assert found["prompt_tokens_per_request"] == 1000.0
    assert found["request_time"] == 2.0
    assert found["request_p50"] == 1.8
    assert found["token_interval"] == 2.621
    assert found["time_per_output_token"] == 0.272
    assert "token_interval_p99" not in found


def test_lines_of_the_program_around_the_table_are_not_counted():
    """Only lines of the table can be not understood."""
    reading = read(ServingBenchmarkReader(), table() + "more words\n")
    assert (reading.lines_not_understood, codes(reading)) == (0, set())


def test_an_unlimited_rate_is_a_capacity_test():
    """Without limits the offered rate is unknown, and a note says what the first token waits for."""
    text = table(rate="inf").replace("Maximum request concurrency:             64\n", "")
    reading = read(ServingBenchmarkReader(), text)
    assert "offered_rate" not in values(reading)
    assert codes(reading) == {"unlimited-rate"}


def test_of_several_results_the_highest_load_is_used():
    """A sweep in one file is told, and its heaviest result read."""
    reading = read(ServingBenchmarkReader(), table(rate="16.0", throughput=4.1) + table(rate="2.0", throughput=2.0))
    assert values(reading)["throughput"] == 4.1
    assert codes(reading) == {"several-results"}


SAVED = {
    "date": "x", "num_prompts": 100, "request_rate": "inf", "max_concurrency": 16, "duration": 10.0, "completed": 95,
    "total_input_tokens": 950, "total_output_tokens": 9500, "request_throughput": 9.5, "output_throughput": 950.0,
    "ttfts": [0.1, 0.2], "errors": ["", ""], "mean_ttft_ms": 100.0, "median_ttft_ms": 90.0, "p99_ttft_ms": 250.0,
    "std_itl_ms": 1.0, "mean_e2e_latency_ms": 1000.0, "p99_tpot_ms": None,
}  # fmt: skip


@pytest.mark.parametrize("form", ["object", "list", "lines", "indented"])
def test_saved_results_have_the_same_measurements(form):
    """An object (vLLM), a list, or one to a line (SGLang): all are read; what is null is unknown."""
    text = {
        "object": json.dumps(SAVED),
        "list": json.dumps([SAVED]),
        "lines": json.dumps(SAVED) + "\n" + json.dumps(SAVED) + "\n",
        "indented": "```json\n" + json.dumps(SAVED, indent=2) + "\n```",
    }[form]
    found = values(read(ServingBenchmarkReader(), text))
    assert found["throughput"] == 9.5
    assert found["time_to_first_token"] == 0.1
    assert found["time_to_first_token_p50"] == 0.09
    assert found["failed_request_share"] == 0.05
    assert found["request_time"] == 1.0
    assert "time_per_output_token_p99" not in found


def test_a_cut_file_says_so():
    """JSON that ends early holds no result."""
    assert codes(read(ServingBenchmarkReader(), json.dumps(SAVED)[:-20])) == {"no-samples"}


def test_a_table_without_a_value_that_is_used_says_so():
    """A title and a duration are no result."""
    text = "============ Serving Benchmark Result ============\nBenchmark duration (s):      63.81\n"
    assert codes(read(ServingBenchmarkReader(), text)) == {"no-samples"}
