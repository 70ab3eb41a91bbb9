"""DCGM: rows of dmon, metrics of the exporter, and marks that are no values."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

from dam_expert.readers.dcgm_fields import FIELDS, canonical

DMON = """\
#Entity   GRACT  MCUTL  SMACT  TENSO  DRAMA  PCITX       TMPTR
ID                                            B/s          C
GPU 0     N/A    55     N/A    N/A    N/A    N/A         60
GPU 0     0.984  60     0.920  0.030  0.880  1000000     9223372036854775794
GPU-I 3   0.500  N/A    0.100  0.100  0.100  N/A         N/A
#Entity   SMACT  GRACT
ID
GPU 0     0.940  0.990
GPU 1     2147483634  0.100
"""


def test_rows_by_header_and_without_marks():
    """Headers may change; N/A and DCGM's marks are unknown; instances are not devices."""
    found = told(reading(DMON))
    assert found["sm_active", "0"] == pytest.approx(0.93)
    assert found["graphics_engine_active", "0"] == pytest.approx(0.987)
    assert found["tensor_active", "0"] == 0.03
    assert found["dram_active", "0"] == 0.88
    assert found["memory_controller_utilization", "0"] == pytest.approx(0.575)
    assert found["pcie_tx_rate", "0"] == 1e6
    assert found["device_temperature", "0"] == 60.0
    assert ("sm_active", "1") not in found
    assert found["device_count"] == 2.0


def test_only_not_available_is_no_sample():
    """With MIG on, the parent has no value at all."""
    found = reading("#Entity   SMACT\nID\nGPU 0     N/A\n")
    assert not found.observations
    assert codes(found) == {"no-samples"}


@pytest.mark.parametrize("mark", ["2147483632", "2147483635", "9223372036854775792", "140737488355328.0", "NaN", "-"])
def test_marks_are_unknown(mark):
    """Blank, not found, not supported and no permission are no values."""
    assert canonical(mark, FIELDS["POWER"]) is None


LABELS = 'gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA H100 80GB HBM3",Hostname="secret-host"'


def metrics(names: dict[str, object], labels: str = LABELS) -> str:
    return "".join(
        f"# HELP {name} in %.\n# TYPE {name} gauge\n{name}{{{labels}}} {value}\n" for name, value in names.items()
    )


@pytest.mark.parametrize(
    "names",
    [
        ("DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"),
        ("DCGM_FI_PROF_SM_UTIL_RATIO", "DCGM_FI_PROF_DRAM_UTIL_RATIO", "DCGM_FI_PROF_TENSOR_UTIL_RATIO"),
    ],
)
def test_old_and_new_names(names):
    """Ratios are ratios, whatever the help says; the host is not told."""
    found = reading(metrics(dict(zip(names, (0.92, 0.88, 0.03), strict=True))))
    values = told(found)
    assert values["sm_active", "0"] == 0.92
    assert values["dram_active", "0"] == 0.88
    assert values["tensor_active", "0"] == 0.03
    assert values["accelerator"] == "NVIDIA H100 80GB HBM3"
    assert "secret-host" not in repr(found.observations)


def test_percent_mebibytes_and_a_damaged_line():
    """Units differ by field; a cut line loses only itself; scrapes become means."""
    text = metrics({"DCGM_FI_DEV_GPU_UTIL": 90, "DCGM_FI_DEV_FB_USED": 2, "DCGM_FI_DEV_XID_ERRORS": 0})
    text += metrics({"DCGM_FI_DEV_GPU_UTIL": 80}) + 'DCGM_FI_DEV_GPU_TEMP{gpu="0",UU\n'
    found = reading(text)
    values = told(found)
    assert values["accelerator_utilization", "0"] == pytest.approx(0.85)
    assert values["device_memory_used", "0"] == 2 * 2.0**20
    assert ("last_xid", "0") not in values
    assert found.lines_not_understood == 1
    assert "no-profiling-fields" in codes(found)


def test_instances_are_not_devices():
    """A sample of an instance does not count as the device's."""
    text = metrics({"DCGM_FI_PROF_SM_ACTIVE": 0.5}, LABELS + ',GPU_I_ID="3"') + metrics(
        {"DCGM_FI_PROF_DRAM_ACTIVE": 0.1}
    )
    assert ("sm_active", "0") not in told(reading(text))
