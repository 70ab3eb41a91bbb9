"""The readers that are offered, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.readers.fio import FioReader
from dam_expert.readers.iostat import IostatReader
from dam_expert.readers.iostat_json import IostatJsonReader
from dam_expert.readers.kubectl import KubectlReader
from dam_expert.readers.monitoring.grafana import GrafanaReader
from dam_expert.readers.monitoring.range_query import RangeQueryReader
from dam_expert.readers.nccl.reader import NcclLogReader, NcclTestsReader
from dam_expert.readers.ncu.reader import NcuReader
from dam_expert.readers.nsys.export import NsysExportReader
from dam_expert.readers.nsys.stats import NsysStatsReader
from dam_expert.readers.nvidia_dmon import NvidiaDmonReader
from dam_expert.readers.nvidia_query import NvidiaQueryReader
from dam_expert.readers.pytorch_trace import PyTorchTraceReader
from dam_expert.readers.serving.benchmark import ServingBenchmarkReader
from dam_expert.readers.serving.load import LoadGeneratorReader
from dam_expert.readers.serving.metrics import ServerMetricsReader
from dam_expert.readers.serving.perf_analyzer import PerfAnalyzerReader

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reader

READERS: tuple[Reader, ...] = (
    PyTorchTraceReader(),
    IostatJsonReader(),
    NvidiaDmonReader(),
    NvidiaQueryReader(),
    IostatReader(),
    NsysExportReader(),
    NsysStatsReader(),
    ServingBenchmarkReader(),
    PerfAnalyzerReader(),
    LoadGeneratorReader(),
    ServerMetricsReader(),
    NcclTestsReader(),
    NcclLogReader(),
    NcuReader(),
    FioReader(),
    KubectlReader(),
    RangeQueryReader(),
    GrafanaReader(),
)
