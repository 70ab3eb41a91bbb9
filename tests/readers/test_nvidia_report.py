"""The long report of nvidia-smi as text."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

HEAD = """\
==============NVSMI LOG==============
Timestamp                                              : Tue Jul 14 09:00:{second} 2026
Driver Version                                         : 535.54.03
CUDA Version                                           : 12.2
Attached GPUs                                          : 1
GPU 00000000:00:09.0
    Product Name                                       : NVIDIA H100 80GB HBM3
    MIG Mode
        Current                                        : Disabled
    Minor Number                                       : 3
    PCI
        GPU Link Info
            PCIe Generation
                Max                                    : 5
                Current                                : {gen}
            Link Width
                Max                                    : 16x
                Current                                : 8x
        Tx Throughput                                  : 1000 KB/s
    Clocks Event Reasons
        HW Slowdown                                    : Not Active
            HW Power Brake Slowdown                    : Active
        SW Thermal Slowdown                            : Not Active
    Clocks Event Reasons Counters
        SW Power Capping                               : {capped} us
        SW Thermal Slowdown                            : 0 us
    FB Memory Usage
        Total                                          : 1000 MiB
        Used                                           : 250 MiB
    Utilization
        GPU                                            : {util}
    ECC Errors
        Volatile
            SRAM Uncorrectable Parity                  : 1
            SRAM Uncorrectable SEC-DED                 : 2
            DRAM Correctable                           : N/A
        Aggregate
            DRAM Uncorrectable                         : 9
    GPU Power Readings
        Average Power Draw                             : 350.00 W
        Instantaneous Power Draw                       : 600.00 W
        Current Power Limit                            : 700.00 W
    Clocks
        SM                                             : 1980 MHz
    Processes
        Process ID                                     : 7
            Type                                       : C
"""


def report(util: str = "98 %", gen: int = 5, second: int = 10, capped: int = 0) -> str:
    return HEAD.format(util=util, gen=gen, second=second, capped=capped)


def test_keys_are_known_by_their_heading():
    """The same key under another heading is another thing."""
    found = told(reading(report()))
    assert found["accelerator_utilization", "0"] == 0.98
    assert found["device_memory_used_share", "0"] == 0.25
    assert found["device_power", "0"] == 350.0
    assert found["power_share", "0"] == 0.5
    assert found["pcie_tx_rate", "0"] == 1e6
    assert found["pcie_link_width", "0"] == 8.0
    assert found["pcie_link_width_max", "0"] == 16.0
    assert found["ecc_uncorrected_errors", "0"] == 3.0
    assert ("ecc_corrected_errors", "0") not in found
    assert found["processes_on_device", "0"] == 1.0
    assert found["mig_enabled"] == "false"


def test_lost_indentation_does_not_matter():
    """What a chat window strips is not needed."""
    text = report()
    bare = "\n".join(line.strip() for line in text.split("\n"))
    assert told(reading(bare)) == told(reading(text))


@pytest.mark.parametrize("util", ["0 %", "N/A"])
def test_the_link_of_a_device_not_known_to_be_busy_is_no_link_under_load(util):
    """An idle device lowers its link on purpose."""
    found = told(reading(report(util=util, gen=1)))
    assert found["pcie_link_gen_now", "0"] == 1.0
    assert ("pcie_link_gen", "0") not in found
    assert found["pcie_link_gen_max", "0"] == 5.0


def test_slowdown_at_one_instant_is_no_share_of_time():
    """A state of one report is a flag; the counters of two are a share."""
    one, two = told(reading(report())), told(reading(report() + report(second=20, capped=5_000_000)))
    assert one["hw_slowdown_now", "0"] == "true"
    assert one["thermal_slowdown_now", "0"] == "false"
    assert ("power_capped_share", "0") not in one
    assert two["power_capped_share", "0"] == 0.5
    assert two["thermal_slowdown_share", "0"] == 0.0
    assert ("hw_slowdown_share", "0") not in two


def test_older_names_are_known():
    """Drivers before 535 have other headings for the same."""
    text = (
        report()
        .replace("Clocks Event Reasons", "Clocks Throttle Reasons")
        .replace("GPU Power Readings", "Power Readings")
    )
    text = text.replace("Average Power Draw   ", "Power Draw   ")
    text = text.replace("Current Power Limit", "Enforced Power Limit")
    found = told(reading(text))
    assert found["power_share", "0"] == 0.5
    assert found["hw_slowdown_now", "0"] == "true"


def test_one_of_several_devices_keeps_its_own_index():
    """With fewer devices than are attached the minor number is the index."""
    found = told(
        reading(report().replace("Attached GPUs                                          : 1", "Attached GPUs : 8"))
    )
    assert found["accelerator_utilization", "3"] == 0.98
    assert found["device_count"] == 8.0


def test_a_report_of_no_device_says_so():
    """A banner alone has no sample."""
    assert codes(reading("==============NVSMI LOG==============\nDriver Version : 535.54.03\n")) == {"no-samples"}
