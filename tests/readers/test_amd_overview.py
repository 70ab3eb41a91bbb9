"""The table that amd-smi prints without a command."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

EDGE = "+------------------------------------------------------------------------------+\n"
RULE = "|-------------------------------------+----------------------------------------|\n"
NAMES = (
    "| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |\n"
    "| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |\n"
    "|=====================================+========================================|\n"
)
PROCESSES = (
    EDGE
    + "| Processes:                                                                   |\n"
    + "|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |\n"
    + "|==============================================================================|\n"
    + "|    0       4242  python3                2.0 MB   90.1 GB    90.2 GB      N/A |\n"
    + EDGE
)


def banner(driver: str = "6.16.6  ") -> str:
    return (
        EDGE
        + f"| AMD-SMI 26.2.0+021c61fc      amdgpu version: {driver} ROCm version: 7.1.1    |\n"
        + "| VBIOS version: 00114328                                                      |\n"
        + "| Platform: Linux Baremetal                                                    |\n"
        + RULE
        + NAMES
    )


def device(index: int, util: str = "90 %", memory: str = " 98304/196608 MB", *, name: str = "", power: str = "") -> str:
    name, power = name or "   AMD Instinct MI300X", power or "          375/750 W"
    return (
        f"| 0000:{index + 5:02x}:00.0 {name} | 5 %      61 °C   0 {power} |\n"
        f"|   {index}       {index}       2        SPX/NPS1 | {util:<8}   N/A      {memory} |\n"
    )


ONE = banner() + device(0) + RULE + device(1, "0 %") + EDGE + PROCESSES


def test_both_lines_of_each_device_are_read():
    """Units are those of the cells; what no device has is not told."""
    found = told(reading(ONE))
    assert found["accelerator"] == "AMD Instinct MI300X"
    assert found["driver_version"] == "6.16.6"
    assert found["device_count"] == 2.0
    assert found["accelerator_utilization", "0"] == 0.9
    assert found["accelerator_utilization", "1"] == 0.0
    assert found["memory_controller_utilization", "0"] == 0.05
    assert found["device_memory_used_share", "0"] == 0.5
    assert found["device_memory_total", "0"] == 196608 * 2.0**20
    assert found["device_power", "0"] == 375.0
    assert found["power_share", "0"] == 0.5
    assert found["device_temperature", "0"] == 61.0
    assert found["ecc_uncorrected_errors", "0"] == 0.0


def test_several_printings_are_a_mean_with_its_count():
    """Two instants of one device are two samples of it, not two devices."""
    found = told(reading(banner() + device(0, "90 %") + EDGE + banner() + device(0, "70 %") + EDGE))
    assert found["accelerator_utilization", "0"] == pytest.approx(0.8)
    assert found["utilization_samples", "0"] == 2.0
    assert found["device_count"] == 1.0


def test_what_is_not_available_is_unknown():
    """N/A, a limit of 0 and a version that is a word say nothing; a cut name is no name."""
    row = device(0, "N/A", memory="     161/512 MB", name="...Radeon AI PRO R9700", power="          N/A/0 W")
    row = row.replace("5 %      61 °C", "N/A        N/A")
    found = told(reading(banner("Linuxver") + row + EDGE))
    assert found["device_memory_used", "0"] == 161 * 2.0**20
    assert set(found) == {
        ("device_memory_used", "0"),
        ("device_memory_total", "0"),
        ("device_memory_used_share", "0"),
        "device_count",
        ("ecc_uncorrected_errors", "0"),
    }


def test_a_fan_has_other_widths():
    """A share with decimals leaves no room for its sign."""
    text = ONE.replace("   N/A      ", "38.82       ")
    assert told(reading(text))["accelerator_utilization", "0"] == 0.9


def test_a_table_without_devices_says_so():
    """The heading alone is recognised."""
    assert codes(reading(banner() + EDGE)) == {"no-samples"}


def test_a_device_that_is_cut_off_is_left_out():
    """A line without the other is no device."""
    assert told(reading(banner() + device(0) + RULE + device(1).split("\n", maxsplit=1)[0]))["device_count"] == 1.0


@pytest.mark.parametrize("before", ["> ", "    ", "me@node7:~$ amd-smi\n"])
def test_quoted_and_typed(before):
    """Marks of quotation, indentation and a prompt do not matter."""
    text = before + ONE if before.endswith("\n") else "".join(before + line for line in ONE.splitlines(True))
    assert told(reading(text))["accelerator_utilization", "0"] == 0.9


@pytest.mark.parametrize("mode", ["CPX", "DPX"])
def test_a_partition_is_not_the_device_that_it_is_a_part_of(mode):
    """The name would promise the rate and the memory of the whole."""
    found = reading(ONE.replace("SPX/NPS1", f"{mode}/NPS4"))
    assert "accelerator" not in told(found)
    assert codes(found) == {"divided-devices"}
    assert told(found)["device_count"] == 2.0


def test_power_of_which_nothing_is_known():
    """Integrated devices print one N/A for draw and limit."""
    row = device(0, power="                N/A").replace(" | 90 %", " | 90 %")
    found = told(reading(banner() + row + EDGE))
    assert found["accelerator_utilization", "0"] == 0.9
    assert ("device_power", "0") not in found


def test_processes_that_hold_memory_are_counted():
    """Releases of 2025 list each process at every device; one that holds some KB computes elsewhere."""
    rows = "|    0       4243  N/A                    2.0 MB   12.0 GB    12.1 GB      N/A |\n"
    rows += "|    1       4242  python3                2.0 MB   62.5 KB      0.0 B    0.0 % |\n"
    rows += "|    1       4243  N/A                    0.0 B     0.0 B      0.0 B    0.0 % |\n"
    found = told(reading(ONE.removesuffix(EDGE) + rows + EDGE))
    assert found["processes_on_device"] == 2.0
    assert found["device_count"] == 2.0
    assert "processes_on_device" not in told(reading(banner() + device(0) + EDGE))
