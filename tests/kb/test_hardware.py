"""The hardware catalogue that ships: names that tools print, ridges, and what bad files get."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from shared_files import shared

from dam_expert.kb.hardware import load_hardware

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message

FOLDER = Path(__file__).resolve().parents[2] / "knowledge" / "hardware"
MIB = 2**20
CATALOGUE, MESSAGES = load_hardware(FOLDER)
ALL = CATALOGUE.accelerators


def test_the_shipped_catalogue_has_no_faults():
    """Every file loads, every source is known, no name is claimed twice."""
    assert MESSAGES == []
    assert len(ALL) == 75


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.id)
def test_names_resolve_to_themselves_and_only_themselves(entry):
    """Id, name and every printed name give this entry; printed names that two parts share need the memory."""
    assert CATALOGUE.resolve(entry.id) is entry
    assert CATALOGUE.resolve(entry.name) is entry
    for printed in entry.printed:
        if entry.needs_memory:
            assert CATALOGUE.resolve(printed) is None
        memory = entry.memory_bytes if entry.needs_memory else None
        assert CATALOGUE.resolve(printed, memory) is entry


@pytest.mark.parametrize("suffix", [" MIG 1g.10gb", " Laptop GPU", " Ti", " SUPER", " D", "00", " ..."])
@pytest.mark.parametrize("entry", [each for each in ALL if each.vendor == "NVIDIA"], ids=lambda entry: entry.id)
def test_variants_of_a_name_never_resolve(entry, suffix):
    """A slice, a laptop part, a variant or a longer number is never the part itself."""
    for printed in entry.printed:
        assert CATALOGUE.resolve(printed + suffix) is None
        assert CATALOGUE.why_not(printed + suffix) is not None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NVIDIA L4", "l4"),
        ("NVIDIA L40", "l40"),
        ("NVIDIA L40S", "l40s"),
        ("NVIDIA H20", "h20-96gb"),
        ("NVIDIA H200", "h200-sxm-141gb"),
        ("NVIDIA GH200 480GB", "gh200-96gb"),
        ("NVIDIA B200", "b200-sxm-180gb"),
        ("NVIDIA GB200", "gb200"),
        ("NVIDIA A10", "a10"),
        ("NVIDIA A10G", "a10g"),
        ("TPU v5", "tpu-v5p"),
        ("TPU v5 lite", "tpu-v5e"),
    ],
)
def test_names_inside_other_names(name, expected):
    """A name that is part of another one means its own device."""
    assert CATALOGUE.resolve(name).id == expected


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.id)
def test_values_are_plausible(entry):
    """Peaks rise with shorter formats, bandwidth and memory are in range, usable memory is below the label."""
    for wide, narrow in (("fp64", "fp32"), ("fp32", "tf32"), ("bf16", "fp8"), ("fp8", "fp4"), ("int8", "int4")):
        if wide in entry.peaks and narrow in entry.peaks:
            assert entry.peaks[wide] <= entry.peaks[narrow]
    assert all(1e11 < peak < 1e17 for peak in entry.peaks.values())
    assert entry.bandwidth_bytes_per_s is None or 5e10 < entry.bandwidth_bytes_per_s < 1e13
    if entry.memory_usable_bytes is not None:
        assert 0.9 * entry.memory_bytes < entry.memory_usable_bytes <= entry.memory_bytes
    assert entry.confidence != "low" or not entry.peaks
    assert set(entry.matmul_measured) <= set(entry.peaks)
    assert entry.sources


@pytest.mark.parametrize(
    ("name", "precision", "ridge"),
    [
        ("NVIDIA A100-SXM4-80GB", "bf16", 153.0),
        ("NVIDIA H100 80GB HBM3", "bf16", 295.3),
        ("NVIDIA H20", "bf16", 37.0),
        ("NVIDIA GeForce RTX 4090", "bf16", 163.9),
    ],
)
def test_ridges(name, precision, ridge):
    """Ridge points from the names that tools print."""
    assert round(CATALOGUE.resolve(name).ridge(precision), 1) == ridge


def test_efficiency_in_practice():
    """Best matmul found, its usual range, and the share of bandwidth that kernels reach."""
    h100 = CATALOGUE.resolve("NVIDIA H100 80GB HBM3")
    assert h100.matmul_measured["bf16"] == 0.803
    assert h100.matmul_range == (0.70, 0.84)
    assert h100.bandwidth_range == (0.80, 0.93)
    assert h100.reference_clock_hz == 1.83e9


def test_sparse_rate_of_a_data_sheet_is_caught():
    """1979 TFLOP/s, as printed for the H100, is the rate with sparsity."""
    with pytest.raises(ValueError, match="structured sparsity"):
        CATALOGUE.resolve("h100-sxm5-80gb").checked_peak("bf16", 1979e12)


def test_a_jax_device_of_a_tpu_v3_is_half_a_chip():
    """The catalogue holds chips; a framework device of TPU v3 is one of two cores."""
    assert CATALOGUE.resolve("TPU v3").per_framework_device().peak("bf16") == 61.5e12


SAMPLES = {
    "nvidia-smi/h100_590_table_idle.txt": "h100-sxm5-80gb",
    "nvidia-smi/h100mig_590_table_idle.txt": "h100-sxm5-80gb",
    "nvidia-smi/h200_590_table_idle.txt": "h200-sxm-141gb",
    "nvidia-smi/h200_590_table_load.txt": "h200-sxm-141gb",
    "nvidia-smi/l40s_595_table_load.txt": "l40s",
    "nvidia-smi/aibrix_ps_pp_table.txt": "l4",
    "nvidia-smi/rtx2080s_610_table_load.txt": None,
    "nvidia-smi/h200_590_q_load.txt": "h200-sxm-141gb",
    "nvidia-smi/h100mig_590_q_load.txt": "h100-sxm5-80gb",
    "nvidia-smi/l40s_595_q_load.txt": "l40s",
    "nvidia-smi/rtx2080s_610_q_load.txt": None,
    "nvidia-smi/rtx2080s_win_610_q_load.txt": None,
    "nvidia-smi/xml_netdata_a100-sxm4-mig.xml": "a100-sxm4-40gb",
    "nvidia-smi/xml_a100-sxm4-v12.xml": "a100-sxm4-80gb",
    "nvidia-smi/xml_a10g.xml": "a10g",
    "nvidia-smi/xml_tesla-t4.xml": "t4",
    "nvidia-smi/xml_rtx-3080-v13.xml": "rtx-3080-10gb",
    "amd-tpu-neuron/rocm_mi100_rocm602.json": "mi100",
    "amd-tpu-neuron/rocm_mi100_rocm571.json": "mi100",
    "pytorch-profiler/hta_a100_8rank_control.json.gz": "a100-pg509-200",
    "pytorch-profiler/hta_alexnet_cuda_sync.json.gz": "a100-pg509-200",
    "pytorch-profiler/hta_triton_example.json.gz": "a100-pg509-200",
    "pytorch-profiler/hta_v100_resnet_ns.json.gz": "v100-sxm2-32gb",
    "pytorch-profiler/kineto_resnet50_w0_a.json.gz": "v100-sxm2-32gb",
    "pytorch-profiler/tl_b200_eager_nosteps.json.gz": "b200-sxm-180gb",
    "pytorch-profiler/tl_mi300_vllm_decode_graph.json.gz": None,
    "nsys/nsightful_power_iteration_baseline.sqlite": "t4",
    "nsys/nsysai_healthy_1pct.sqlite": "h100-sxm5-80gb",
    "nccl/gnosia_allreduce_2node_efa_nccl229.txt": None,
}

_TABLE = re.compile(r"\|\s+\d+\s+(\S.*?)\s+(?:On|Off|N/A)\s+\|")
# One indentation only: slices of a device repeat these fields further in.
_QUERY = re.compile(r"\n    Product Name\s+:\s+(.*?)\n.*?\n    FB Memory Usage\s+Total\s+:\s+(\d+) MiB", re.DOTALL)


def _mib(text: str) -> float:
    return float(text.removesuffix(" MiB")) * MIB


def _printed(path: Path) -> list[tuple[str, float | None]]:
    """Return the device names that a sample prints, with the memory in bytes where it stands beside them."""
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return [(name, None) for (name,) in database.execute("SELECT name FROM TARGET_INFO_GPU")]
    if path.suffix == ".gz":
        with gzip.open(path, "rt") as trace:
            head = trace.read(200_000)
        found = re.findall(r'"name":\s*"([^"]*)",\s*"totalGlobalMem":\s*(\d+)', head)
        return [(name, float(memory)) for name, memory in found]
    text = path.read_text()
    if path.suffix == ".json":
        return [(card["Card series"], None) for card in json.loads(text).values() if "Card series" in card]
    if path.suffix == ".xml":
        gpus = ElementTree.fromstring(text).iter("gpu")
        return [(gpu.findtext("product_name"), _mib(gpu.findtext("fb_memory_usage/total"))) for gpu in gpus]
    if "_q_" in path.name:
        return [(name, float(mib) * MIB) for name, mib in _QUERY.findall(text)]
    if path.parent.name == "nccl":
        return [(name.strip(), None) for name in re.findall(r"device\s+\d+ \[[^\]]*\] (.*)", text)]
    return [(name, None) for name in _TABLE.findall(text)]


@pytest.mark.parametrize(("sample", "expected"), SAMPLES.items(), ids=SAMPLES)
def test_names_in_real_outputs(sample, expected):
    """Every device that a real output names resolves to its entry, or is refused with a reason."""
    printed = _printed(shared(f"samples/{sample}"))
    assert printed
    for name, memory in printed:
        found = CATALOGUE.resolve(name, memory)
        assert (found.id if found else None) == expected, name
        assert (CATALOGUE.why_not(name, memory) is None) == (expected is not None)


def test_every_alias_of_the_survey_resolves_or_is_refused_for_a_reason():
    """Names collected from tools resolve, but for those that do not tell one part from another."""
    import yaml

    survey = yaml.load(shared("domain/hardware.yaml").read_text(), Loader=yaml.CSafeLoader)
    refused = {
        alias for each in survey["accelerators"] for alias in each["aliases"] if CATALOGUE.resolve(alias) is None
    }
    apple = {alias for each in survey["accelerators"] if each["vendor"] == "Apple" for alias in each["aliases"]}
    assert refused == apple | {"NVIDIA GeForce RTX 3080", "GeForce RTX 3080"}


GOOD = """
  - {id: a, name: A 1, printed: [], year: 2020, architecture: X, peaks: {bf16: 1.0e+12}, memory_bytes: 1,
     bandwidth: 1.0e+9, confidence: high, sources: [s]}
"""
SOURCES = (
    "sources: {s: A data sheet}\nefficiency: {bandwidth_fraction: {lo: 0.8, hi: 0.9, source: s}, matmul_fraction: []}\n"
)


def _load(tmp_path: Path, text: str, sources: str = SOURCES) -> tuple[list[str], list[Message]]:
    (tmp_path / "sources.yaml").write_text(sources)
    (tmp_path / "maker.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    catalogue, messages = load_hardware(tmp_path)
    return [each.id for each in catalogue.accelerators], messages


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        pytest.param(
            "  - {id: b}\n",
            "maker.yaml:6: error: accelerator b: Object missing required field `name` [hardware-entry]",
            id="missing field",
        ),
        pytest.param(
            GOOD.strip("\n").replace("id: a", "id: b").replace("bandwidth", "bandwith") + "\n",
            "maker.yaml:6: error: accelerator b: Object contains unknown field `bandwith`; did you mean 'bandwidth'? "
            "[hardware-entry]",
            id="misspelt key",
        ),
        pytest.param(
            GOOD.strip("\n").replace("id: a", "id: b").replace("1.0e+12", "-1.0") + "\n",
            "maker.yaml:6: error: accelerator b: Expected `float` > 0.0 - at `$.peaks[...]` [hardware-entry]",
            id="negative peak",
        ),
        pytest.param(
            GOOD.strip("\n").replace("id: a", "id: b").replace("bf16", "bf17") + "\n",
            "maker.yaml:6: error: accelerator b: Invalid enum value 'bf17' - at `key` in `$.peaks` [hardware-entry]",
            id="unknown precision",
        ),
        pytest.param(
            "  - nonsense\n",
            "maker.yaml:6: error: accelerator that is not a mapping: Expected `object`, got `str` [hardware-entry]",
            id="not a mapping",
        ),
    ],
)
def test_a_bad_entry_is_left_out_and_the_rest_is_used(tmp_path, entry, said):
    """One line says which entry is wrong, where and why; the others load."""
    ids, messages = _load(tmp_path, "vendor: Maker\naccelerators:" + GOOD.rstrip("\n") + "\n\n" + entry)
    assert ids == ["a"]
    assert [str(message).removeprefix(f"{tmp_path}/") for message in messages] == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("vendor: [", "did not find expected node content", id="syntax"),
        pytest.param("- 1\n", "a vendor and a list of accelerators are expected", id="a list"),
        pytest.param(b"\xff\xfe\x00", "cannot be read: UnicodeDecodeError", id="not text"),
        pytest.param("vendor: Maker\nextra: 1\n", "unknown key 'extra'", id="unknown key"),
        pytest.param("vendor: Maker\nrefused: [{name: A}]\n", "missing required field `because`", id="refused name"),
    ],
)
def test_a_bad_file_gets_one_message(tmp_path, text, said):
    """A file that cannot be used gives one line and no traceback."""
    ids, messages = _load(tmp_path, text)
    assert ids == []
    assert len(messages) == 1
    assert said in str(messages[0])


def test_unknown_source_and_shared_name(tmp_path):
    """A source that is not listed and a name that two entries claim are errors."""
    second = GOOD.replace("id: a", "id: b").replace("sources: [s]", "sources: [t]")
    ids, messages = _load(tmp_path, "vendor: Maker\naccelerators:" + GOOD + second)
    assert ids == ["a", "b"]
    assert {message.code for message in messages} == {"unknown-source", "shared-name"}


def test_without_sources_the_entries_are_used(tmp_path):
    """A bad file of sources costs the usual ranges, not the catalogue."""
    ids, messages = _load(tmp_path, "vendor: Maker\naccelerators:" + GOOD, sources="sources: 1\n")
    assert ids == ["a"]
    assert [message.code for message in messages] == ["hardware-sources"]


def test_missing_folder(tmp_path):
    """Without the folder nothing resolves, and one message says why."""
    catalogue, messages = load_hardware(tmp_path / "none")
    assert catalogue.accelerators == ()
    assert [message.code for message in messages] == ["missing-folder"]


@pytest.mark.parametrize(
    ("typed", "choices"),
    [("rtx4090", "rtx-4090"), ("H100", "h100-sxm5-80gb, h100-pcie-80gb, h100-nvl-94gb"), ("MI300", "mi300x")],
)
def test_what_a_person_may_mean_is_listed_and_never_taken(typed, choices):
    """A name without its dash, or of several parts, resolves to none of them, and says which there are."""
    assert CATALOGUE.resolve(typed) is None
    assert f"entries to choose from: {choices};" in (CATALOGUE.why_not(typed) or "")
