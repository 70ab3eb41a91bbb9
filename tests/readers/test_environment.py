"""Environment reports, processors, packages."""

from __future__ import annotations

import json

from readers.readings import codes, reading, told

LSCPU = """\
Architecture:            x86_64
CPU(s):                  64
On-line CPU(s) list:     0-63
Thread(s) per core:      2
NUMA node(s):            2
Model name:              AMD EPYC 7543 32-Core Processor
Hypervisor vendor:       KVM
NUMA node0 CPU(s):       0-31
"""
PIP = """\
[pip3] numpy==1.26.0
[pip3] nvidia-nccl-cu12==2.18.1
[pip3] torch==2.1.0
"""
REPORT = f"""\
Collecting environment information...
PyTorch version: 2.1.0+cu121
Is debug build: False
CUDA used to build PyTorch: 12.1
Python version: 3.10.12 (main, Jun 11 2023, 05:26:28) [GCC 11.4.0] (64-bit runtime)
Is CUDA available: {{available}}
GPU models and configuration:
GPU 0: NVIDIA A100-SXM4-80GB
GPU 1: NVIDIA A100-SXM4-80GB
Nvidia driver version: 535.104.05
CPU:
{LSCPU}
Versions of relevant libraries:
{PIP}
GPU Topology:
\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV12\t0-31\t0
GPU1\tNV12\t X \t0-31\t0
NVIDIA_VISIBLE_DEVICES=all
SECRET_TOKEN=do-not-show
"""


def test_a_report_gives_versions_devices_processors_and_paths():
    """Lists within the report are read by those who know them; environment variables are not."""
    found = reading(REPORT.format(available="True"))
    values = told(found)
    assert values["framework"] == "PyTorch"
    assert values["framework_version"] == "2.1.0+cu121"
    assert values["cuda_version"] == "12.1"
    assert values["python_version"] == "3.10.12"
    assert values["driver_version"] == "535.104.05"
    assert values["accelerator"] == "NVIDIA A100-SXM4-80GB"
    assert values["device_count"] == 2.0
    assert values["host_cores"] == 64.0
    assert values["nccl_version"] == "2.18.1"
    assert values["device_path_worst"] == "nvlink"
    assert values["device_available"] == "true"
    assert "do-not-show" not in repr(found)
    assert len(values) == len(found.observations)


def test_a_framework_that_sees_no_device_is_noted():
    """It may have been printed elsewhere than where the job runs."""
    found = reading(REPORT.format(available="False"))
    assert codes(found) == {"no-device"}


def test_the_report_of_transformers():
    """The list with dashes is known too."""
    text = "- `transformers` version: 4.44.0\n- Python version: 3.11.5\n- PyTorch version (GPU?): 2.3.1 (True)\n"
    assert told(reading(text)) == {
        "framework": "PyTorch", "framework_version": "2.3.1", "python_version": "3.11.5", "device_available": "true",
    }  # fmt: skip


def test_processors_as_text_and_json():
    """Both forms give the same."""
    fields = [dict(zip(("field", "data"), line.split(":", 1), strict=True)) for line in LSCPU.strip().split("\n")]
    pretty = json.dumps(
        {"lscpu": [{"field": each["field"] + ":", "data": each["data"].strip()} for each in fields]}, indent=3
    )
    found = told(reading(LSCPU))
    assert found == {
        "host_cores": 64.0, "threads_per_core": 2.0, "numa_nodes": 2.0,
        "cpu_model": "AMD EPYC 7543 32-Core Processor", "hypervisor": "KVM",
    }  # fmt: skip
    assert told(reading(pretty)) == found


def test_packages_frozen_and_listed():
    """``pip freeze`` and ``pip list`` give the same; addresses are not shown."""
    frozen = "numpy==1.26.0\nnvidia-nccl-cu12==2.18.1\ntorch @ https://user:secret@host/torch.whl\n"
    found = reading(frozen)
    assert told(found) == {"framework": "PyTorch", "nccl_version": "2.18.1"}
    assert "secret" not in repr(found)
    listed = "Package          Version\n---------------- -------\nnvidia-nccl-cu12 2.18.1\ntorch            2.1.0\n"
    assert told(reading(listed)) == {"framework": "PyTorch", "framework_version": "2.1.0", "nccl_version": "2.18.1"}


def test_a_difference_says_what_changed():
    """The new version is the setting, and each change is named."""
    text = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-numpy==1.26.0\n+numpy==2.0.0\n-apex==0.1\n+triton==2.1.0\n+torch==2.1.0\n"
    found = reading(text)
    assert codes(found) == {"packages-changed"}
    assert found.messages[0].text == (
        "changed: apex removed (0.1), numpy 1.26.0 to 2.0.0, torch added (2.1.0), triton added (2.1.0)"
    )


def test_old_and_single_lists_of_packages():
    """Pip before 18 wrote versions in brackets; ``pip show`` has a line for each field."""
    old = "numpy (1.14.5)\ntorch (0.4.1)\nwheel (0.30.0)\nmine (1.0, /home/me/mine)\n"
    assert told(reading(old))["framework_version"] == "0.4.1"
    saved = '[{"name": "numpy", "version": "2.0"}, {"name": "torch", "version": "2.5.1"}]\n'
    assert told(reading(saved))["framework_version"] == "2.5.1"
    shown = (
        "Name: torch\nVersion: 2.5.1\nSummary: Tensors\nRequires: numpy\n---\nName: numpy\nVersion: 2.0\nSummary: x\n"
    )
    assert told(reading(shown))["framework_version"] == "2.5.1"
