"""Lines of the kernel log."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told


@pytest.mark.parametrize(
    ("line", "found"),
    [
        pytest.param("[1.5] NVRM: Xid (PCI:0000:0d:00): 79, pid=7, GPU has fallen off the bus.",
                     {"xid_errors": 1.0, "device_fault": "lost"}, id="lost"),
        pytest.param("[Tue Jul 14 09:00:44 2026] NVRM: Xid (PCI:0000:0d:00): 31, pid=7, name=python, Ch 0000",
                     {"xid_errors": 1.0, "device_fault": "program"}, id="program"),
        pytest.param("[1.5] NVRM: Xid (PCI:0000:0d:00): 200, something new", {"xid_errors": 1.0}, id="unknown number"),
        pytest.param("Jul 14 09:00:44 node kernel: Out of memory: Killed process 77 (python) total-vm:1kB",
                     {"oom_kills": 1.0}, id="killed"),
        pytest.param("[1.5] Memory cgroup out of memory: Killed process 77 (python)",
                     {"oom_kills": 1.0}, id="killed in a group"),
        pytest.param("[1.5] EDAC MC0: 1 CE memory read error on CPU_SrcID#0", {"host_memory_errors": 1.0}, id="memory"),
        pytest.param("[1.5] pcieport 0000:00:01.0: PCIe Bus Error: severity=Corrected, type=Physical Layer",
                     {"pcie_errors": 1.0}, id="bus"),
        pytest.param("[1.5] CPU3: Core temperature above threshold, cpu clock throttled (total events = 1)",
                     {"cpu_throttle_events": 1.0}, id="heat"),
        pytest.param("[1.5] INFO: task python:77 blocked for more than 120 seconds.", {"hung_tasks": 1.0}, id="hung"),
        pytest.param("[1.5] nfs: server files not responding, still trying", {"storage_errors": 1.0}, id="storage"),
        pytest.param("[1.5] mlx5_core 0000:0d:00.0 eth2: Link down", {"network_link_losses": 1.0}, id="link"),
    ],
)  # fmt: skip
def test_lines_that_say_something(line, found):
    """Each kind of event is told under its own name."""
    assert told(reading(line)) == found


def test_the_worst_fault_is_told():
    """Of several devices' errors the one that weighs most is the state, and all are counted."""
    text = (
        "[1.0] NVRM: Xid (PCI:0000:0d:00): 31, x\n[2.0] NVRM: Xid (PCI:0000:1d:00): 94, x\n[3.0] usb 1-1: new device\n"
    )
    assert told(reading(text)) == {"xid_errors": 2.0, "device_fault": "memory"}


def test_a_log_without_events_proves_nothing():
    """Silence is no observation."""
    found = reading("[1.0] usb 1-1: new device\n[2.0] eth0: up\n")
    assert not found.observations
    assert codes(found) == {"no-values"}


@pytest.mark.parametrize(
    "text",
    [
        "[   49.2] NVRM: GPU at 0000:01:00.0 has fallen off the bus.\n[   49.3] NVRM: invalid context!\n",
        "[ 1843.3] NVRM: The NVIDIA GPU 0000:b3:00.0\n               NVRM: (PCI ID: 10de:26b5) installed in this\n"
        "               NVRM: fallen off the bus and is not responding to commands.\n",
    ],
)
def test_a_device_that_is_gone_may_have_no_number(text):
    """Some drivers say it in words, over several lines."""
    assert told(reading(text)) == {"device_fault": "lost"}


def test_levels_before_the_time():
    """Serial consoles and saved panics keep the level of each line."""
    text = "".join(f"<6>[   13.8{number}] RAPL PMU: API unit is 2^-32 Joules\n" for number in range(5))
    assert codes(reading(text)) == {"no-values"}
