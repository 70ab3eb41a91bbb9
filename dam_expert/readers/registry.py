"""The readers that are offered, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.readers.field_lists import FieldListReader
from dam_expert.readers.iostat import IostatReader
from dam_expert.readers.iostat_json import IostatJsonReader
from dam_expert.readers.nvidia_apps import NvidiaAppsReader
from dam_expert.readers.nvidia_dmon import NvidiaDmonReader
from dam_expert.readers.nvidia_pmon import NvidiaPmonReader
from dam_expert.readers.nvidia_query import NvidiaQueryReader
from dam_expert.readers.nvidia_report import NvidiaReportReader
from dam_expert.readers.nvidia_table import NvidiaTableReader
from dam_expert.readers.nvidia_topo import NvidiaTopoReader
from dam_expert.readers.nvidia_xml import NvidiaXmlReader
from dam_expert.readers.pytorch_trace import PyTorchTraceReader

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reader

READERS: tuple[Reader, ...] = (
    PyTorchTraceReader(),
    IostatJsonReader(),
    NvidiaDmonReader(),
    NvidiaPmonReader(),
    NvidiaXmlReader(),
    NvidiaReportReader(),
    NvidiaTableReader(),
    NvidiaTopoReader(),
    NvidiaAppsReader(),
    NvidiaQueryReader(),
    FieldListReader(),
    IostatReader(),
)
