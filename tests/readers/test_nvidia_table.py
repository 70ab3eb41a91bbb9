"""The table of nvidia-smi in the layouts of its versions."""

from __future__ import annotations

import re

import pytest
from readers.readings import codes, reading, told

OLD = """\
| NVIDIA-SMI 470.57.02    Driver Version: 470.57.02    CUDA Version: 11.4     |
|-------------------------------+----------------------+----------------------+
|   0  Tesla V100-SXM2...  On   | 00000000:1A:00.0 Off |                    0 |
| N/A   35C    P0    41W / 300W |   1000MiB / 16160MiB |     50%      Default |
|                               |                      |                  N/A |
|   1  Tesla V100-SXM2...  On   | 00000000:1C:00.0 Off |                    0 |
| N/A   36C    P0   150W / 300W |   8080MiB / 16160MiB |    100%   E. Process |
|    0   N/A  N/A      1234      C   python                             997MiB |
|    0   N/A  N/A      1235      C   /usr/bin/my tool                   900MiB |
|    0   N/A  N/A       999      G   /usr/lib/xorg/Xorg                   4MiB |
"""


def test_each_device_gets_its_own_values():
    """Utilisation, memory, power, heat and the processes that compute are kept apart by device."""
    found = told(reading(OLD))
    assert found["accelerator_utilization", "0"] == 0.5
    assert found["accelerator_utilization", "1"] == 1.0
    assert found["device_memory_used", "0"] == 1000 * 2.0**20
    assert found["device_memory_used_share", "1"] == 0.5
    assert found["power_share", "1"] == 0.5
    assert found["device_temperature", "0"] == 35.0
    assert found["processes_on_device", "0"] == 2.0
    assert ("processes_on_device", "1") not in found
    assert found["device_count"] == 2.0
    assert found["driver_version"] == "470.57.02"
    assert "accelerator" not in found


def test_the_row_of_compute_mode_is_told_as_one_instant():
    """A single table comes with a note and one sample."""
    found = reading(OLD)
    assert codes(found) == {"one-instant"}
    assert told(found)["utilization_samples", "0"] == 1.0


@pytest.mark.parametrize(
    ("cell", "absent"),
    [
        pytest.param("| 30%   40C    P8    N/A /  N/A |    100MiB /  8192MiB |     N/A      Default |",
                     {"accelerator_utilization", "device_power", "power_limit", "power_share"}, id="not available"),
        pytest.param("| 30%   N/A    P8    20W /  N/A |    100MiB /  8192MiB |      1%      Default |",
                     {"power_limit", "power_share", "device_temperature"}, id="no limit"),
    ],
)  # fmt: skip
def test_what_is_not_available_is_unknown(cell, absent):
    """N/A gives no observation, and never 0."""
    first = "|   0  NVIDIA GeForce RTX 2080 ...  WDDM  |   00000000:0C:00.0  On |                  N/A |"
    found = told(reading(f"{first}\n{cell}\n"))
    assert not {name for name in absent if (name, "0") in found}
    assert found["device_memory_used", "0"] == 100 * 2.0**20


def test_several_printings_become_means():
    """A table that is printed again adds samples, and processes are counted per printing."""
    found = told(reading(OLD + OLD.replace("    50%", "    70%")))
    assert found["accelerator_utilization", "0"] == pytest.approx(0.6)
    assert found["utilization_samples", "0"] == 2.0
    assert found["processes_on_device", "0"] == 2.0


def test_a_block_of_instances_is_not_taken_for_devices():
    """Rows under MIG devices keep the device's own values."""
    text = (
        OLD + "| MIG devices:  |\n|  0    2   0   0  |     26MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |\n"
    )
    found = told(reading(text))
    assert found["mig_enabled"] == "true"
    assert found["device_memory_used", "0"] == 1000 * 2.0**20


def test_a_banner_without_devices_says_so():
    """A table that is cut after its head has no sample."""
    assert codes(reading(OLD.split("\n")[0])) == {"no-samples"}


def test_a_draw_that_is_not_there_is_no_zero():
    """The number of the performance state stands before it."""
    row = "| N/A   42C    P0              W /  700W |      59MiB /  81559MiB |     50%      Default |\n"
    found = told(reading(re.sub(r"(?m)^\| N/A .*\n", row, OLD, count=1)))
    assert ("device_power", "0") not in found


GPUSTAT = """\
gpu-a-11                 Mon Aug 22 15:23:57 2022  515.65.01
[0] Tesla P100-PCIE-16GB | 27'C,  90 % |  4096 / 16384 MB | python/52046(4000M) me(90M)
[1] Tesla P100-PCIE-16GB | 31°C,  ?? % |   103 / 16384 MB |
[2] Tesla P100-PCIE-16GB | 77'C,  30 %,  96 %,  125 / 250 W |  8192 / 16384 MB | me(8000M)
"""


@pytest.mark.parametrize("before", ["", "2026-11-29T10:00:00Z ", "> "])
def test_rows_of_gpustat(before):
    """The number in brackets is the device; of two shares the first is the fan's."""
    found = told(reading("".join(before + line for line in GPUSTAT.splitlines(True))))
    assert found["device_count"] == 3.0
    assert found["accelerator"] == "Tesla P100-PCIE-16GB"
    assert found["accelerator_utilization", "0"] == 0.9
    assert found["processes_on_device", "0"] == 2.0
    assert ("accelerator_utilization", "1") not in found
    assert found["accelerator_utilization", "2"] == 0.96
    assert found["power_share", "2"] == 0.5
    assert found["device_memory_used_share", "2"] == 0.5
