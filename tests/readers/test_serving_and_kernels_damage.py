"""Whatever is cut, flipped or put in place of a number: observations and messages come out, nothing else."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readers.monitoring.test_range_query import answer, over_time
from readers.nccl.test_nccl import BARE, NEW, RANKS, ROWS, log
from readers.ncu.test_ncu import HEAD, PRINTED, RAW, details
from readers.nsys.exports import training
from readers.nsys.test_stats import CSV, OLD
from readers.said import survives
from readers.serving.test_aiperf import GENAI
from readers.serving.test_benchmark import SAVED, table
from readers.serving.test_engine_log import SGLANG as ENGINE
from readers.serving.test_load import K6, LOCUST, WRK
from readers.serving.test_locust_json import TWO_KINDS
from readers.serving.test_metrics import vllm
from readers.serving.test_perf_analyzer import HEAD as PERF_HEAD
from readers.serving.test_perf_analyzer import PRINTED as PERF_PRINTED
from readers.test_fio import TEXT as FIO_TEXT
from readers.test_fio import document, job
from readers.test_kubectl import POD
from readers.test_perf_stat import CSV as STAT_CSV
from readers.test_perf_stat import JSON as STAT_JSON

from dam_expert.readers.fio import FioReader
from dam_expert.readers.kubectl import KubectlReader
from dam_expert.readers.monitoring.grafana import GrafanaReader
from dam_expert.readers.monitoring.range_query import RangeQueryReader
from dam_expert.readers.nccl.reader import NcclLogReader, NcclTestsReader
from dam_expert.readers.ncu.reader import NcuReader
from dam_expert.readers.nsys.export import NsysExportReader
from dam_expert.readers.nsys.stats import NsysStatsReader
from dam_expert.readers.perf_stat import PerfStatReader
from dam_expert.readers.serving.aiperf import AiperfReader
from dam_expert.readers.serving.benchmark import ServingBenchmarkReader
from dam_expert.readers.serving.engine_log import EngineLogReader
from dam_expert.readers.serving.load import LoadGeneratorReader
from dam_expert.readers.serving.locust_json import LocustJsonReader
from dam_expert.readers.serving.metrics import ServerMetricsReader
from dam_expert.readers.serving.perf_analyzer import PerfAnalyzerReader

EXPORT = training().file()
QUERY = answer(("vllm:num_requests_waiting", {}, over_time(1, 2)), ("vllm:request_success_total", {}, over_time(1, 5)))
AIPERF = {"inter_token_latency": {"unit": "ms", "avg": 21.3, "p99": 40.2}, "request_throughput": {"avg": 4.82}}
AIPERF_CSV = "Metric,avg,min,max,p99,p50\nInter Token Latency (ms),21.30,18.10,44.01,40.20,20.10\n"
TEXTS = {
    "aiperf": (AiperfReader(), AIPERF_CSV),
    "aiperf saved": (AiperfReader(), json.dumps(AIPERF)),
    "counters": (PerfStatReader(), STAT_CSV),
    "counters saved": (PerfStatReader(), STAT_JSON),
    "metrics": (ServerMetricsReader(), vllm(1) + vllm(2)),
    "benchmark": (ServingBenchmarkReader(), table() + table()),
    "saved": (ServingBenchmarkReader(), json.dumps(SAVED)),
    "perf CSV": (PerfAnalyzerReader(), PERF_HEAD + "4,84.2,279,1604,33669,233,11731,18,1,47045,64886\n"),
    "perf": (PerfAnalyzerReader(), PERF_PRINTED),
    "wrk": (LoadGeneratorReader(), WRK),
    "locust": (LoadGeneratorReader(), LOCUST + ",Aggregated,10,1,13,31.2,187.0,13,N/A,95\n"),
    "locust saved": (LocustJsonReader(), TWO_KINDS),
    "k6": (LoadGeneratorReader(), K6),
    "nsys text": (NsysStatsReader(), OLD),
    "nsys CSV": (NsysStatsReader(), CSV),
    "rows of collectives": (NcclTestsReader(), BARE),
    "collectives": (NcclTestsReader(), RANKS + NEW + ROWS + log("Using network IB", "via NET/IB/0/GDRDMA")),
    "log": (NcclLogReader(), log("Using network IB", "nRanks 8 nNodes 2", "Channel 00/0 : 0[0] -> 1[0] via NET/IB/0")),
    "kernels": (NcuReader(), HEAD + details(0, "1,000", dram=20, sm=3)),
    "kernels raw": (NcuReader(), RAW),
    "kernels text": (NcuReader(), PRINTED.format(sm="SOL SM", dram="SOL DRAM")),
    "fio": (FioReader(), document(job(0, 1e6, 10, 1000))),
    "fio text": (FioReader(), FIO_TEXT),
    "engine log": (EngineLogReader(), ENGINE * 2),
    "aiperf table": (AiperfReader(), GENAI),
    "pod": (KubectlReader(), POD.format(reason="OOMKilled")),
    "query": (RangeQueryReader(), QUERY),
    "panel": (GrafanaReader(), '"Time","Requests waiting","TTFT p99"\n1,4,350 ms\n2,6,1.05 s\n'),
}
WORDS = [
    "",
    "N/A",
    "nan",
    "inf",
    "-1",
    "1e999",
    "9" * 400,
    "true",
    "null",
    "[]",
    "{}",
    "0",
    "1,5",
    "\x00",
    "é",
    '"',
    "%s",
]


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=40, deadline=None)
@given(edits=st.lists(st.tuples(st.integers(0, 2**16), st.sampled_from(WORDS)), min_size=1, max_size=6))
def test_other_words_in_the_place_of_numbers(name, edits):
    """Cells that are no numbers, no numbers of this world, or nothing at all."""
    reader, text = TEXTS[name]
    pieces = re.split(r"(\d[\d.,]*)", text)
    for place, word in edits:
        pieces[1 + 2 * (place % (len(pieces) // 2))] = word
    survives(reader, "".join(pieces).encode())


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=40, deadline=None)
@given(edits=st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), max_size=8), end=st.integers(0, 2**16))
def test_bytes_cut_and_flipped(name, edits, end):
    """Files that end early and files with wrong bytes in them."""
    reader, text = TEXTS[name]
    data = bytearray(text.encode())
    for place, byte in edits:
        data[place % len(data)] = byte
    survives(reader, bytes(data[: len(data) // 2 + end % (len(data) // 2 + 1)]))


@settings(max_examples=120, deadline=None)
@given(
    edits=st.lists(st.tuples(st.integers(0, len(EXPORT) - 1), st.integers(0, 255)), max_size=12),
    end=st.integers(len(EXPORT) // 4, len(EXPORT)),
)
def test_databases_cut_and_flipped(edits, end):
    """A database with wrong pages gives what can be read of it."""
    data = bytearray(EXPORT)
    for place, byte in edits:
        data[place] = byte
    survives(NsysExportReader(), bytes(data[:end]))
