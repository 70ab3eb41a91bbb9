"""The answer of ``nvidia-smi --version``."""

from __future__ import annotations

from readers.readings import codes, reading, told

TEXT = """\
NVIDIA-SMI version  : 580.82.07
NVML version        : 580.95
DRIVER version      : 581.42
CUDA Version        : 13.0
"""


def test_the_driver_is_told_and_not_the_tool_nor_what_it_could_run():
    """Under WSL the tool is older than the driver; the CUDA version is not that of the job."""
    assert told(reading(TEXT)) == {"driver_version": "581.42"}


def test_without_a_driver_or_with_several_it_says_so():
    """A driver that does not answer has no version; the answers of several hosts are not one."""
    silent = "NVIDIA-SMI version  : 580.82.07\nNVML version        : 580.95\nDRIVER version      : N/A\n"
    assert codes(reading(silent)) == {"no-values"}
    two = reading(TEXT + TEXT.replace("581.42", "550.54.15"))
    assert codes(two) == {"several-hosts"}
    assert not two.observations
    assert told(reading(TEXT + TEXT)) == {"driver_version": "581.42"}
