"""Sweeps of perf_analyzer, printed and as CSV."""

from __future__ import annotations

import pytest
from readers.said import codes, read, values

from dam_expert.readers.serving.perf_analyzer import PerfAnalyzerReader

HEAD = "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,"
HEAD += "Server Compute Infer,Server Compute Output,Client Recv,p50 latency,p99 latency\n"


def test_rows_are_ordered_by_load_and_not_as_they_stand():
    """The row of the highest concurrency is used, its parts add up, doubling is told."""
    rows = "4,84.2,279,1604,33669,233,11731,18,1,47045,64886\n2,87.2,235,1973,9151,190,11346,17,0,21874,34766\n"
    found = values(read(PerfAnalyzerReader(), HEAD + rows))
    assert found["concurrency"] == 4.0
    assert found["queue_time"] == 0.033669
    assert found["compute_time"] == 0.011731
    assert found["server_overhead_time"] == 0.000251
    assert found["network_time"] == 0.001884
    assert found["request_time"] == pytest.approx(0.047535)
    assert found["request_p99"] == 0.064886
    assert found["concurrency_doubling_speedup"] == pytest.approx(84.2 / 87.2)


def test_cells_that_are_not_available_are_unknown():
    """A server without statistics leaves its columns empty: no stage is 0, and no sum is made."""
    found = values(read(PerfAnalyzerReader(), HEAD + "1,50,10,,,,,,3,900,N/A\n"))
    assert found == {"concurrency": 1.0, "throughput": 50.0, "request_p50": 0.0009, "network_time": 1.3e-05} | {
        "workload_kind": "serving"
    }


PRINTED = """
Request Rate: 50 inference requests per seconds
  Client:
    Request count: 353
    Throughput: 19.6 infer/sec
    Avg latency: 50951 usec (standard deviation 2265 usec)
    p50 latency: 50833 usec
  Server:
    Inference count: 706
    Execution count: 353
    Avg request latency: 50841 usec (overhead 20 usec + queue 63 usec + compute input 35 usec + compute infer 50 usec)
"""


def test_the_printed_form_has_the_same_stages():
    """What the client sees beyond the server is the network."""
    found = values(read(PerfAnalyzerReader(), PRINTED))
    assert found["offered_rate"] == 50.0
    assert found["request_time"] == pytest.approx(0.050951)
    assert found["network_time"] == pytest.approx(0.00011)
    assert found["server_overhead_time"] == pytest.approx(0.000055)
    assert found["executed_batch_size"] == 2.0


def test_a_header_alone_is_no_measurement():
    """A run that was stopped says so."""
    assert codes(read(PerfAnalyzerReader(), HEAD)) == {"no-samples"}


def test_a_cut_row_is_counted():
    """A row with fewer cells than columns is not read."""
    reading = read(PerfAnalyzerReader(), HEAD + "1,50,10\n")
    assert reading.lines_not_understood == 1
