"""What the readers of tools around a job do with damaged text: messages, never an exception, never a wild number."""

from __future__ import annotations

import importlib
import math

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from readers import (
    test_amd_overview,
    test_dcgm,
    test_environment,
    test_free,
    test_kernel_counters,
    test_links,
    test_mpstat,
    test_nvidia_list,
    test_nvidia_processes,
    test_nvidia_report,
    test_nvidia_table,
    test_nvidia_topo,
    test_nvidia_version,
    test_nvidia_xml,
    test_perf_stacks,
    test_perf_stat,
    test_pidstat_json,
    test_top,
    test_vmstat,
    test_vmstat_disks,
)
from shared_files import ROOT

from dam_expert.documents.intervals import Interval
from dam_expert.kb.where import base_files
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

PIDSTAT = """\
Linux 6.1.0 (host) \t11/29/26 \t_x86_64_\t(8 CPU)
10:00:00      UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command
10:00:01        0         7         -    1.00    1.00    0.00   40.00  150.00     1  python3
10:00:01        0         -         8    1.00    1.00    0.00   40.00  150.00     1  |__python3
10:00:00      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
10:00:01        0         7    100.00     -1.00      0.00       3  python3
"""
SAR = """\
16:56:13        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil
16:56:14         eth0      1.00      2.00      3.00      4.00      0.00      0.00      0.00      5.00
"""
LOG = """\
[1.5] NVRM: Xid (PCI:0000:0d:00): 79, pid=7, GPU has fallen off the bus.
[2.5] Out of memory: Killed process 77 (python) total-vm:1kB
"""
JSON_CARD = '{"card0": {"GPU use (%)": "98", "VRAM Total Memory (B)": "1000", "pcie clock level": "1 (16.0GT/s x16)"}}'
JSON_AMD = '[{"gpu": 0, "usage": {"gfx_activity": {"value": 98, "unit": "%"}}, "power": {"socket_power": "N/A"}}]'
MPSTAT_JSON = (
    '{"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": ['
    '{"cpu-load": [{"cpu": "all", "iowait": 1.5, "idle": 40.0}]}, {"cpu-load": [{"cpu": "all", "idle": 40.0}]}]}]}}'
)
KERNELS = """\
Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)
1,aclnnMatmul_MatMul,MatMulV2,AI_CORE,"100.0\t",40.0,0
1,hcom_allReduce__046,hcom_allReduce_,COMMUNICATION,"140.0\t",30.0,0
"""
TEXTS = {
    "perf_stat.PerfStatReader": test_perf_stat.TEXT,
    "perf_stacks.PerfStacksReader": test_perf_stacks.SCRIPT,
    "ascend_kernels.AscendKernelsReader": KERNELS,
    "nvidia_table.NvidiaTableReader": test_nvidia_table.OLD + test_nvidia_table.GPUSTAT,
    "free.FreeReader": test_free.HEAD + "Mem:  500Gi  380Gi  20Gi  10Gi  100Gi  125Gi\nSwap:  8Gi  512Mi  7.5Gi\n",
    "nvidia_report.NvidiaReportReader": test_nvidia_report.report() + test_nvidia_report.report(second=20, capped=5),
    "nvidia_xml.NvidiaXmlReader": test_nvidia_xml.HEAD + test_nvidia_xml.V12,
    "nvidia_pmon.NvidiaPmonReader": test_nvidia_processes.PMON,
    "nvidia_apps.NvidiaAppsReader": test_nvidia_processes.APPS,
    "nvidia_list.NvidiaListReader": test_nvidia_list.DIVIDED,
    "nvidia_topo.NvidiaTopoReader": test_nvidia_topo.TABS,
    "mpstat.MpstatReader": test_mpstat.BANNER + test_mpstat.report("16:00:00", "16:00:01", 40.0, comma=True),
    "mpstat_json.MpstatJsonReader": MPSTAT_JSON,
    "pidstat.PidstatReader": PIDSTAT,
    "pidstat_json.PidstatJsonReader": test_pidstat_json.TWO,
    "vmstat.VmstatReader": test_vmstat.RULE + test_vmstat.NAMES + test_vmstat.BOOT * 2,
    "sar_network.SarNetworkReader": SAR,
    "top.TopReader": test_top.frame() + test_top.frame(),
    "kernel_counters.KernelCountersReader": test_kernel_counters.SOME + "nr_periods 9\nnr_throttled 7\noom_kill 1\n",
    "kernel_log.KernelLogReader": LOG,
    "lspci.LspciReader": test_links.LSPCI,
    "ibstat.IbstatReader": test_links.IBSTATUS,
    "ibstat.IbstatReader ibv_devinfo": test_links.DEVINFO + test_links.RATES,
    "lspci.LspciReader for scripts": test_links.FOR_SCRIPTS + test_links.FIELDS,
    "vmstat_disks.VmstatDisksReader": test_vmstat_disks.TWO,
    "nvidia_version.NvidiaVersionReader": test_nvidia_version.TEXT,
    "lscpu.LscpuReader": test_environment.LSCPU,
    "packages.PackagesReader": test_environment.PIP + "-numpy==1.0\n",
    "collect_env.CollectEnvReader": test_environment.REPORT.format(available="True"),
    "rocm_smi.RocmSmiReader": JSON_CARD,
    "amd_smi.AmdSmiReader": JSON_AMD,
    "amd_smi.AmdSmiReader table": test_amd_overview.ONE,
    "dcgm_dmon.DcgmDmonReader": test_dcgm.DMON,
    "dcgm_exporter.DcgmExporterReader": test_dcgm.metrics({"DCGM_FI_PROF_SM_ACTIVE": 0.5, "DCGM_FI_DEV_GPU_UTIL": 90}),
}


def made(name: str):
    module, reader = name.split()[0].split(".")
    return getattr(importlib.import_module(f"dam_expert.readers.{module}"), reader)()


def checked(name: str, data: bytes):
    reader = made(name)
    source = Source.of_bytes("damaged", data)
    reader.recognises(source)
    found = reader.read(source)
    assert found.observations or found.messages
    for each in found.observations:
        if isinstance(each.value, Interval):
            assert math.isfinite(each.value.lo)
            assert math.isfinite(each.value.hi)
    return found


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_cut_and_flipped_bytes_give_messages_only(name, data):
    """Bytes are cut out, flipped and doubled; nothing but a reading comes out, and no value that is not finite."""
    text = bytearray(TEXTS[name].encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(len(text) - 1, 0)))
        kind = data.draw(st.sampled_from(["cut", "flip", "drop", "digit", "double"]))
        if kind == "cut":
            del text[at:]
        elif kind == "drop":
            del text[at : at + data.draw(st.integers(1, 40))]
        elif kind == "double":
            text[at:at] = text[at : at + 30] * data.draw(st.integers(1, 3))
        elif text:
            text[at] = (
                data.draw(st.integers(0, 255)) if kind == "flip" else data.draw(st.sampled_from(b"0123456789.,-"))
            )
    checked(name, bytes(text))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("nines", ["9" * 40, "9" * 400, "1e999", "-" + "9" * 12, "NaN", "\u0665\u0666"])
def test_absurd_numbers_are_survived(name, nines):
    """Every number in the text is replaced by one that nothing can be."""
    text = "".join(nines if part.isdigit() and len(part) > 1 else part for part in split(TEXTS[name]))
    checked(name, text.encode())


def split(text: str) -> list[str]:
    """Return runs of digits and the rest between them."""
    parts = [""]
    for letter in text:
        if parts[-1][-1:].isdigit() != letter.isdigit():
            parts.append("")
        parts[-1] += letter
    return parts


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "around",
    [
        pytest.param(lambda text: "\ufeff" + text.replace("\n", "\r\n"), id="Windows"),
        pytest.param(lambda text: f"```\n{text}\n```\n", id="fenced"),
        pytest.param(lambda text: "".join(f"    {line}\n" for line in text.split("\n")), id="indented"),
        pytest.param(lambda text: "".join(f"\x1b[1m{line}\x1b[0m\n" for line in text.split("\n")), id="coloured"),
    ],
)
def test_wrapping_changes_nothing(name, around):
    """Line ends, fences, indentation and colours are stripped before anything is read."""
    reader = made(name)
    plain = reader.read(Source.of_bytes("io", TEXTS[name].encode()))
    source = Source.of_bytes("io", around(TEXTS[name]).encode())
    assert reader.recognises(source)
    wrapped = reader.read(source)
    assert [(each.measurement, each.value, each.scope) for each in wrapped.observations] == [
        (each.measurement, each.value, each.scope) for each in plain.observations
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_each_text_is_taken_by_its_own_reader(name):
    """No reader that is asked earlier takes the text of another tool."""
    source = Source.of_bytes("x", TEXTS[name].encode())
    assert type(next(reader for reader in READERS if reader.recognises(source))).__name__ == type(made(name)).__name__


def test_every_id_in_these_texts_exists():
    """Readers emit only measurements and tools of the base."""
    known, tools = set(), set()
    for path in base_files([ROOT / "knowledge"]):
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        known |= {entry["id"] for entry in document.get("measurements", [])}
        tools |= {entry["id"] for entry in document.get("tools", [])}
    for name, text in TEXTS.items():
        found = made(name).read(Source.of_bytes("io", text.encode()))
        assert found.tool in tools, name
        assert not {each.measurement for each in found.observations} - known, name
