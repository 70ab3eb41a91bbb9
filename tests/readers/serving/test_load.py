"""wrk, locust and k6."""

from __future__ import annotations

import json

import pytest
from readers.said import codes, read, values

from dam_expert.readers.serving.load import LoadGeneratorReader

WRK = """Running 30s test @ http://127.0.0.1:8080/
  12 threads and 400 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   635.91us    0.89ms  12.92ms   93.69%
    Req/Sec    56.20k     8.07k   62.00k    86.54%
  Latency Distribution
     50%  250.00us
     99%    1.05s
  1000 requests in 30.00s, 17.76GB read
  Socket errors: connect 0, read 1, write 0, timeout 4
  Non-2xx or 3xx responses: 45
Requests/sec: 748868.53
"""


def test_wrk_has_a_unit_in_every_cell():
    """us, ms and s become seconds; errors of sockets and status both count."""
    assert values(read(LoadGeneratorReader(), WRK)) == {
        "concurrency": 400.0,
        "request_time": 0.00063591,
        "request_p50": 0.00025,
        "request_p99": 1.05,
        "failed_request_share": 0.05,
        "throughput": 748868.53,
    }


LOCUST = "Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Requests/s,50%,95%,99%\n"


def test_locust_uses_the_row_of_all_requests():
    """The aggregated row has an empty type; N/A is unknown."""
    rows = "GET,/,5,0,1,1,1,1,1,1\n,Aggregated,10,1,13,31.2,187.0,13,N/A,95\n"
    assert values(read(LoadGeneratorReader(), LOCUST + rows)) == {
        "request_time": 0.0312,
        "request_p50": 0.013,
        "request_p99": 0.095,
        "throughput": 187.0,
        "failed_request_share": 0.1,
    }


def test_locust_history_is_a_mean_over_the_rows_with_requests():
    """Rows before the first request do not count."""
    head = "Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,Total Average Response Time\n"
    rows = "1,5,,Aggregated,0,0,N/A,0\n2,10,,Aggregated,100,0,9,20\n3,10,,Aggregated,200,0,9,30\n"
    assert values(read(LoadGeneratorReader(), head + rows)) == {
        "throughput": 150.0,
        "concurrency": 10.0,
        "request_time": 0.03,
    }


@pytest.mark.parametrize(
    "text", ["Count,Message,Traceback,Nodes\n", "Method,Name,Error,Occurrences,First Seen,Last Seen\n"]
)
def test_lists_of_failures_are_answered(text):
    """Files of the same run without times are recognised and name the one to pass."""
    reading = read(LoadGeneratorReader(), text)
    assert not reading.observations
    assert codes(reading) == {"no-values"}


K6 = """
     http_req_duration..............: avg=117.48ms min=90µs med=1.5ms max=1m2s p(90)=300ms p(95)=1.2s
       { expected_response:true }...: avg=1ms min=1ms med=1ms max=1ms p(90)=1ms p(95)=1ms
     http_req_failed................: 2.50%  ✓ 5        ✗ 195
     http_reqs......................: 200    16.6/s
     vus_max........................: 10     min=10     max=10
"""


def test_k6_text_mixes_units():
    """Each statistic has a unit of its own, the sub-series is not mistaken for it."""
    assert values(read(LoadGeneratorReader(), K6)) == {
        "request_time": 0.11748,
        "request_p50": 0.0015,
        "request_p90": 0.3,
        "request_p95": 1.2,
        "failed_request_share": 0.025,
        "throughput": 16.6,
        "concurrency": 10.0,
    }


def test_k6_shows_parts_below_the_whole():
    """The full summary repeats all metrics for each scenario and group."""
    part = K6.replace("117.48ms", "900ms").replace("16.6/s", "2.5/s")
    text = f"█ TOTAL RESULTS\n\n  HTTP\n{K6}\n█ SCENARIO: left\n{part}\n  ↳ GROUP: crocodiles\n{part}"
    assert values(read(LoadGeneratorReader(), text)) == values(read(LoadGeneratorReader(), K6))


@pytest.mark.parametrize("nested", [False, True], ids=["summary-export", "handleSummary"])
def test_k6_json_is_in_milliseconds(nested):
    """Both forms of the summary are read."""
    metrics = {
        "http_req_duration": {"avg": 10.0, "med": 8.0, "p(95)": 20.0},
        "http_reqs": {"count": 100, "rate": 25.0},
        "http_req_failed": {"passes": 1, "fails": 99, "value": 0.01},
    }
    document = {"metrics": {name: {"values": one} if nested else one for name, one in metrics.items()}}
    found = values(read(LoadGeneratorReader(), json.dumps(document)))
    expected = {"request_time": 0.01, "request_p50": 0.008, "request_p95": 0.02, "throughput": 25.0}
    assert found == expected | {"failed_request_share": 0.01}


def test_a_run_that_was_stopped_says_so():
    """A head without results is a message."""
    assert codes(read(LoadGeneratorReader(), LOCUST)) == {"no-samples"}
