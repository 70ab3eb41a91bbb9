"""The readers that are offered, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.readers.allocator import AllocatorReader
from dam_expert.readers.ascend_steps import AscendStepsReader
from dam_expert.readers.flops import FlopsReader
from dam_expert.readers.hf_state import HfTrainerStateReader
from dam_expert.readers.input_pipeline import InputPipelineReader
from dam_expert.readers.iostat import IostatReader
from dam_expert.readers.iostat_json import IostatJsonReader
from dam_expert.readers.key_averages import KeyAveragesReader
from dam_expert.readers.lightning import LightningProfilerReader
from dam_expert.readers.metrics_csv import MetricsCsvReader
from dam_expert.readers.mllog import MllogReader
from dam_expert.readers.neuron_monitor import NeuronMonitorReader
from dam_expert.readers.nvidia_dmon import NvidiaDmonReader
from dam_expert.readers.nvidia_query import NvidiaQueryReader
from dam_expert.readers.opaque import MemorySnapshotReader, TensorBoardEventsReader
from dam_expert.readers.perf_report import PerfReportReader
from dam_expert.readers.py_spy import PySpyReader
from dam_expert.readers.pytorch_trace import PyTorchTraceReader
from dam_expert.readers.training_log import TrainingLogReader

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reader

READERS: tuple[Reader, ...] = (
    PyTorchTraceReader(),
    IostatJsonReader(),
    NvidiaDmonReader(),
    NvidiaQueryReader(),
    IostatReader(),
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
    InputPipelineReader(),
    PySpyReader(),
    PerfReportReader(),
    TrainingLogReader(),
    AllocatorReader(),
)
