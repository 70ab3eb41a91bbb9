"""rocm-smi and amd-smi in their forms."""

from __future__ import annotations

import json

import pytest
from readers.readings import codes, reading, told

CARD = {
    "GPU use (%)": "98",
    "GPU memory use (%)": "50",
    "VRAM Total Memory (B)": "1000",
    "VRAM Total Used Memory (B)": "250",
    "Current Socket Graphics Package Power (W)": "145.0",
    "Max Graphics Package Power (W)": "290.0",
    "sclk clock speed:": "(1502Mhz)",
    "pcie clock level": "1 (16.0GT/s x16)",
    "Card Series": "Arcturus GL-XL [Instinct MI100]",
    "Temperature (Sensor junction) (C)": "N/A",
}
DEVICE = {
    "gpu": 0,
    "usage": {"gfx_activity": {"value": 98, "unit": "%"}, "umc_activity": "N/A"},
    "power": {"socket_power": {"value": 350, "unit": "W"}},
    "clock": {"gfx_0": {"clk": {"value": 2100, "unit": "MHz"}, "max_clk": {"value": 2100, "unit": "MHz"}}},
    "pcie": {"width": 16, "speed": {"value": 32, "unit": "GT/s"}},
    "mem_usage": {"total_vram": {"value": 1024, "unit": "MB"}, "used_vram": {"value": 512, "unit": "MB"}},
    "ecc": {"total_correctable_count": 3, "total_uncorrectable_count": 0},
}


@pytest.mark.parametrize("before", ["", "WARNING: AMD GPU device(s) is/are in a low-power state.\n\n"])
def test_rocm_json(before):
    """Lines before the JSON are passed over; what is not available is unknown."""
    found = told(reading(before + json.dumps({"card3": CARD, "system": {"Driver version": "6.3.6"}}, indent=4)))
    assert found["accelerator_utilization", "3"] == 0.98
    assert found["device_memory_used_share", "3"] == 0.25
    assert found["power_share", "3"] == 0.5
    assert found["sm_clock", "3"] == 1.502e9
    assert found["pcie_link_gen", "3"] == 4.0
    assert found["accelerator"] == "Instinct MI100"
    assert found["driver_version"] == "6.3.6"
    assert ("device_temperature", "3") not in found
    assert ("memory_controller_utilization", "3") not in found


def test_rocm_csv_gives_the_same():
    """Names of columns are the keys of the JSON."""
    rows = [",".join(["device", *CARD]), ",".join(["card3", *CARD.values()])]
    found = told(reading("\n".join(rows) + "\n"))
    assert found["accelerator_utilization", "3"] == 0.98
    assert found["device_memory_used_share", "3"] == 0.25


@pytest.mark.parametrize(
    "table",
    [
        "GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%\n"
        "0    47.0c  91.0W   800Mhz  1600Mhz  0%   auto  182.0W  25%   7%\n"
        "1    46.0c  N/A     800Mhz  1600Mhz  0%   auto  0.0W    0%   0%\n",
        "Device  Node  IDs              Temp    Power  Partitions          SCLK  MCLK  Fan  Perf  PwrCap  VRAM%  GPU%\n"
        "              (DID,     GUID)    (Edge)  (Avg)  (Mem, Compute, ID)\n"
        "0       1     0x740c,   1234     47.0°C  91.0W  N/A, N/A, 0       800Mhz 1600Mhz 0%  auto  182.0W 25%  7%\n"
        "1       2     0x740c,   1234     47.0°C  N/A    N/A, N/A, 0       800Mhz 1600Mhz 0%  auto  0.0W   0%   0%\n",
    ],
)
def test_rocm_concise_table(table):
    """Cells are counted from the right, where releases agree."""
    text = (
        "======== ROCm System Management Interface ========\n==== Concise Info ====\n"
        + table
        + "==== End of ROCm SMI Log ====\n"
    )
    found = told(reading(text))
    assert found["accelerator_utilization", "0"] == 0.07
    assert found["device_memory_used_share", "0"] == 0.25
    assert found["power_limit", "0"] == 182.0
    assert found["accelerator_utilization", "1"] == 0.0
    assert ("device_power", "1") not in found
    assert found["device_count"] == 2.0


@pytest.mark.parametrize("document", [[DEVICE], {"gpu_data": [DEVICE]}])
def test_amd_smi_json(document):
    """A list, or a list in an object."""
    found = told(reading(json.dumps(document, indent=4)))
    assert found["accelerator_utilization", "0"] == 0.98
    assert ("memory_controller_utilization", "0") not in found
    assert found["device_memory_used_share", "0"] == 0.5
    assert found["device_power", "0"] == 350.0
    assert found["sm_clock", "0"] == 2.1e9
    assert found["pcie_link_gen", "0"] == 5.0
    assert found["pcie_link_width", "0"] == 16.0
    assert found["ecc_corrected_errors", "0"] == 3.0


def test_amd_smi_text_gives_the_same():
    """Headings and keys in capitals, values with units."""
    text = """\
GPU: 0
    USAGE:
        GFX_ACTIVITY: 98 %
        UMC_ACTIVITY: N/A
        VCN_ACTIVITY: [N/A, N/A]
    POWER:
        SOCKET_POWER: 350 W
    CLOCK:
        GFX_0:
            CLK: 2100 MHz
            MAX_CLK: 2100 MHz
        MEM_0:
            CLK: 900 MHz
    PCIE:
        WIDTH: 16
        SPEED: 32 GT/s
    ECC:
        TOTAL_CORRECTABLE_COUNT: 3
        TOTAL_UNCORRECTABLE_COUNT: 0
    MEM_USAGE:
        TOTAL_VRAM: 1024 MB
        USED_VRAM: 512 MB
"""
    found = told(reading(text))
    assert found.pop(("memory_clock", "0")) == 9e8
    assert found == told(reading(json.dumps([DEVICE])))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"card0": {}}', "no-samples"),
        ('{"card0": {"GPU use (%)": "9', "truncated"),
        ('{"card0": {"x": [[', "truncated"),
    ],
)
def test_no_card_with_values_says_so(text, code):
    """A damaged or empty document has no sample."""
    found = reading(text)
    assert not found.observations
    assert code in codes(found)


@pytest.mark.parametrize(
    ("mode", "name"), [("SPX", "AMD Instinct MI300X"), ("N/A", "AMD Instinct MI300X"), ("CPX", None)]
)
def test_partitions_have_not_the_name_of_the_device(mode, name):
    """JSON, text and rocm-smi say the mode beside the name."""
    static = {"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X"}, "partition": {"compute_partition": mode}}
    text = f"GPU: 0\nASIC:\nMARKET_NAME: AMD Instinct MI300X\nPARTITION:\nCOMPUTE_PARTITION: {mode}\n"
    card = CARD | {"Card Series": "AMD Instinct MI300X", "Compute Partition": mode}
    for printed in (json.dumps([static]), text, json.dumps({"card0": card})):
        found = reading(printed)
        assert told(found).get("accelerator") == name
        assert ("divided-devices" in codes(found)) is (name is None)


def test_the_mode_of_partitions_in_the_concise_table():
    """A partition has not the name, and is no whole device."""
    head = "=== ROCm System Management Interface ===\n"
    head += "Device  Node  Temp  Power  Partitions  SCLK  MCLK  Fan  Perf  PwrCap  VRAM%  GPU%\n"
    row = "0       2     48.0°C      135.0W    NPS4, CPX, 0        124Mhz  900Mhz  0%   auto  750.0W  40%     7%\n"
    assert codes(reading(head + row)) == {"divided-devices"}
    found = told(reading(head + row.replace("CPX", "SPX")))
    assert found["device_power", "0"] == 135.0
    assert found["accelerator_utilization", "0"] == 0.07


def test_an_index_that_is_a_truth_value_is_none():
    """JSON's true is a number to Python."""
    assert codes(reading('[{"gpu": 0, "usage": {}}, {"gpu": true, "power": {"socket_power": 10}}]')) == {"no-samples"}


def test_a_name_below_its_row():
    """ROCm 6.0 puts the name under the values and cuts it at 20 characters; what may be cut is no name."""
    head = "=== ROCm System Management Interface ===\n"
    head += (
        "Device  [Model : Revision]    Temp        Power     Partitions  SCLK  MCLK  Fan  Perf  PwrCap  VRAM%  GPU%\n"
    )
    head += "        Name (20 chars)       (Junction)  (Socket)  (Mem, Compute)\n"
    row = (
        "0       [0x74a1 : 0x00]       45.0°C      173.0W    NPS1, SPX   132Mhz  900Mhz  0%  auto  750.0W    0%   7%\n"
    )
    found = told(reading(head + row + "        AMD Instinct MI300X\n"))
    assert found["accelerator"] == "AMD Instinct MI300X"
    assert found["device_power", "0"] == 173.0
    assert "accelerator" not in told(reading(head + row + "        AMD Instinct MI300X-A\n"))


def test_lines_of_one_key_each():
    """``rocm-smi -a`` without a format: the keys are those of its JSON; a key that comes again is the next printing."""
    rows = "=== ROCm System Management Interface ===\n"
    for use in (90, 70):
        rows += f"GPU[0]\t\t: GPU use (%): {use}\nGPU[0]\t\t: Card Series: \t\tAMD Instinct MI300X\n"
        rows += (
            "GPU[0]\t\t: Current Socket Graphics Package Power (W): 143.0\nGPU[0]\t\t: sclk clock level: 1: (132Mhz)\n"
        )
    found = told(reading(rows))
    assert found["accelerator_utilization", "0"] == 0.8
    assert found["utilization_samples", "0"] == 2.0
    assert found["sm_clock", "0"] == 132e6
    assert found["accelerator"] == "AMD Instinct MI300X"
