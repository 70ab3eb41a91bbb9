"""The table that genai-perf and aiperf print; their files are tried among the variants."""

from __future__ import annotations

import pytest
from readers.said import codes, read, values

from dam_expert.readers.serving.aiperf import AiperfReader

GENAI = """\
                              NVIDIA GenAI-Perf | LLM Metrics
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┓
┃                         Statistic ┃      avg ┃      min ┃      p99 ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━┩
│          Time to first token (ms) │    16.25 │    12.39 │    17.09 │
│              Request latency (ms) │ 6,740.76 │ 4,387.10 │ 8,929.88 │
│ Output token throughput (per sec) │   520.87 │      N/A │      N/A │
│      Request throughput (per sec) │     1.99 │      N/A │      N/A │
└───────────────────────────────────┴──────────┴──────────┴──────────┘
"""
WRAPPED = """\
            NVIDIA AIPerf | LLM Metrics
┏━━━━━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┓
┃         Metric ┃      avg ┃      p50 ┃
┡━━━━━━━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━┩
│  Time to First │    45.00 │    44.00 │
│     Token (ms) │          │          │
│   Output Token │   100.00 │      N/A │
│     Throughput │          │          │
│       Per User │          │          │
│        Request │    10.50 │      N/A │
│     Throughput │          │          │
│ (requests/sec) │          │          │
└────────────────┴──────────┴──────────┘
"""


def test_the_printed_table():
    """Thousands have commas, what is not available is not told."""
    assert values(read(AiperfReader(), GENAI)) == {
        "time_to_first_token": 0.01625,
        "time_to_first_token_p99": 0.01709,
        "request_time": 6.74076,
        "request_p99": 8.92988,
        "token_rate": 520.87,
        "throughput": 1.99,
        "workload_kind": "serving",
    }


def test_names_that_are_wrapped():
    """A narrow terminal breaks names; the rate of one user is not that of all."""
    assert values(read(AiperfReader(), WRAPPED)) == {
        "time_to_first_token": 0.045,
        "time_to_first_token_p50": 0.044,
        "throughput": 10.5,
        "workload_kind": "serving",
    }


def test_the_rate_below_the_table_of_embeddings():
    """Tools of rankings and embeddings print it in a line of its own."""
    text = "\n".join(GENAI.split("\n")[:4]) + "\n│ Request latency (ms) │ 42.21 │ 28.18 │ 56.50 │\n"
    found = values(read(AiperfReader(), text + "Request throughput (per sec): 23.63\n"))
    assert found["throughput"] == 23.63


@pytest.mark.parametrize("cut", [3, 4])
def test_a_table_without_rows(cut):
    """The head alone is recognised."""
    assert codes(read(AiperfReader(), "\n".join(GENAI.split("\n")[:cut]))) == {"no-samples"}
