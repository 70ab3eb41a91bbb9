"""Processes on devices: pmon, and the CSV of compute apps."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

PMON = """\
# gpu         pid   type     sm    mem    enc    dec    fb    command
# Idx           #    C/G      %      %      %      %     MB    name
    0       1720     G      -      -      -      -     10    gnome-shell
    0      28511     C      3      1     49      -    230    my tool
    0      28512     C     90      1     40      -    370    ffmpeg
    1          -     -      -      -      -      -      -    -
    0       1720     G      -      -      -      -     10    gnome-shell
    0      28511     C      -      -      -      -    230    my tool
    0      28512     C     50      1      -      -    370    ffmpeg
    1          -     -      -      -      -      -      -    -
"""
APPS = """\
timestamp, gpu_name, gpu_bus_id, pid, process_name, used_gpu_memory [MiB]
2026/07/14 08:12:53.500, NVIDIA H100, 00000000:00:09.0, 11327, /srv/a tool, 2566 MiB
2026/07/14 08:12:53.500, NVIDIA H100, 00000000:00:09.0, 11328, ./gpu_burn, [N/A]
2026/07/14 08:12:53.500, NVIDIA H100, 00000000:00:0A.0, 11329, ./gpu_burn, 7 MiB
"""


def test_use_is_summed_over_the_processes_of_a_cycle():
    """A dash is unknown, a process that comes again begins a cycle."""
    found = told(reading(PMON))
    assert found["accelerator_utilization", "0"] == pytest.approx((0.93 + 0.5) / 2)
    assert found["encoder_utilization", "0"] == pytest.approx(0.89)
    assert ("decoder_utilization", "0") not in found
    assert found["utilization_samples", "0"] == 2.0
    assert found["processes_on_device", "0"] == 2.0
    assert ("accelerator_utilization", "1") not in found


def test_a_device_without_processes_says_why():
    """In a container the list may be empty."""
    text = "\n".join(line for line in PMON.split("\n") if not line.strip().startswith("0"))
    assert codes(reading(text)) == {"no-samples"}


def test_the_most_shared_device_is_told():
    """Devices without processes are not listed, so no index is given to any."""
    found = told(reading(APPS))
    assert found == {"processes_on_device": 2.0, "accelerator": "NVIDIA H100"}


def test_apps_without_rows_say_why():
    """A header alone is no statement about the device."""
    assert codes(reading(APPS.split("\n")[0] + "\n")) == {"no-samples"}
