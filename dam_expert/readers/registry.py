"""The readers that are offered, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.readers.allocator import AllocatorReader
from dam_expert.readers.amd_smi import AmdSmiReader
from dam_expert.readers.ascend_kernels import AscendKernelsReader
from dam_expert.readers.ascend_steps import AscendStepsReader
from dam_expert.readers.collect_env import CollectEnvReader
from dam_expert.readers.dcgm_dmon import DcgmDmonReader
from dam_expert.readers.dcgm_exporter import DcgmExporterReader
from dam_expert.readers.field_lists import FieldListReader
from dam_expert.readers.fio import FioReader
from dam_expert.readers.flops import FlopsReader
from dam_expert.readers.free import FreeReader
from dam_expert.readers.hf_state import HfTrainerStateReader
from dam_expert.readers.ibstat import IbstatReader
from dam_expert.readers.input_pipeline import InputPipelineReader
from dam_expert.readers.iostat import IostatReader
from dam_expert.readers.iostat_json import IostatJsonReader
from dam_expert.readers.kernel_counters import KernelCountersReader
from dam_expert.readers.kernel_log import KernelLogReader
from dam_expert.readers.key_averages import KeyAveragesReader
from dam_expert.readers.kubectl import KubectlReader
from dam_expert.readers.lightning import LightningProfilerReader
from dam_expert.readers.lscpu import LscpuReader
from dam_expert.readers.lspci import LspciReader
from dam_expert.readers.metrics_csv import MetricsCsvReader
from dam_expert.readers.mllog import MllogReader
from dam_expert.readers.monitoring.grafana import GrafanaReader
from dam_expert.readers.monitoring.range_query import RangeQueryReader
from dam_expert.readers.mpstat import MpstatReader
from dam_expert.readers.mpstat_json import MpstatJsonReader
from dam_expert.readers.nccl.reader import NcclLogReader, NcclTestsReader
from dam_expert.readers.ncu.reader import NcuReader
from dam_expert.readers.neuron_monitor import NeuronMonitorReader
from dam_expert.readers.nsys.export import NsysExportReader
from dam_expert.readers.nsys.stats import NsysStatsReader
from dam_expert.readers.nvidia_apps import NvidiaAppsReader
from dam_expert.readers.nvidia_dmon import NvidiaDmonReader
from dam_expert.readers.nvidia_list import NvidiaListReader
from dam_expert.readers.nvidia_pmon import NvidiaPmonReader
from dam_expert.readers.nvidia_query import NvidiaQueryReader
from dam_expert.readers.nvidia_report import NvidiaReportReader
from dam_expert.readers.nvidia_table import NvidiaTableReader
from dam_expert.readers.nvidia_topo import NvidiaTopoReader
from dam_expert.readers.nvidia_version import NvidiaVersionReader
from dam_expert.readers.nvidia_xml import NvidiaXmlReader
from dam_expert.readers.opaque import MemorySnapshotReader, TensorBoardEventsReader
from dam_expert.readers.packages import PackagesReader
from dam_expert.readers.perf_report import PerfReportReader
from dam_expert.readers.perf_stacks import PerfStacksReader
from dam_expert.readers.perf_stat import PerfStatReader
from dam_expert.readers.pidstat import PidstatReader
from dam_expert.readers.pidstat_json import PidstatJsonReader
from dam_expert.readers.py_spy import PySpyReader
from dam_expert.readers.pytorch_trace import PyTorchTraceReader
from dam_expert.readers.rocm_smi import RocmSmiReader
from dam_expert.readers.sar_network import SarNetworkReader
from dam_expert.readers.serving.aiperf import AiperfReader
from dam_expert.readers.serving.benchmark import ServingBenchmarkReader
from dam_expert.readers.serving.engine_log import EngineLogReader
from dam_expert.readers.serving.load import LoadGeneratorReader
from dam_expert.readers.serving.locust_json import LocustJsonReader
from dam_expert.readers.serving.metrics import ServerMetricsReader
from dam_expert.readers.serving.perf_analyzer import PerfAnalyzerReader
from dam_expert.readers.top import TopReader
from dam_expert.readers.training_log import TrainingLogReader
from dam_expert.readers.vmstat import VmstatReader
from dam_expert.readers.vmstat_disks import VmstatDisksReader

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reader

READERS: tuple[Reader, ...] = (
    PyTorchTraceReader(),
    IostatJsonReader(),
    RocmSmiReader(),
    AmdSmiReader(),
    CollectEnvReader(),
    NvidiaDmonReader(),
    NvidiaPmonReader(),
    NvidiaXmlReader(),
    NvidiaReportReader(),
    NvidiaTableReader(),
    NvidiaTopoReader(),
    NvidiaListReader(),
    NvidiaAppsReader(),
    NvidiaQueryReader(),
    FieldListReader(),
    MpstatJsonReader(),
    MpstatReader(),
    PidstatJsonReader(),
    PidstatReader(),
    SarNetworkReader(),
    VmstatReader(),
    VmstatDisksReader(),
    TopReader(),
    FreeReader(),
    IostatReader(),
    KernelCountersReader(),
    DcgmDmonReader(),
    DcgmExporterReader(),
    LspciReader(),
    IbstatReader(),
    LscpuReader(),
    PackagesReader(),
    NsysExportReader(),
    NsysStatsReader(),
    ServingBenchmarkReader(),
    PerfAnalyzerReader(),
    AiperfReader(),
    LoadGeneratorReader(),
    LocustJsonReader(),
    ServerMetricsReader(),
    EngineLogReader(),
    NcclTestsReader(),
    NcclLogReader(),
    NcuReader(),
    FioReader(),
    KubectlReader(),
    RangeQueryReader(),
    GrafanaReader(),
    KeyAveragesReader(),
    FlopsReader(),
    LightningProfilerReader(),
    HfTrainerStateReader(),
    MllogReader(),
    MetricsCsvReader(),
    MemorySnapshotReader(),
    TensorBoardEventsReader(),
    NeuronMonitorReader(),
    AscendStepsReader(),
    AscendKernelsReader(),
    InputPipelineReader(),
    PySpyReader(),
    PerfReportReader(),
    PerfStatReader(),
    PerfStacksReader(),
    TrainingLogReader(),
    AllocatorReader(),
    NvidiaVersionReader(),
    # the last: it takes any log in which a device error stands
    KernelLogReader(),
)
