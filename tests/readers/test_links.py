"""Links of devices and adapters: lspci, ibstat, ibv_devinfo."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

LSPCI = """\
00:1f.0 ISA bridge: Intel Corporation Device
1e:00.0 3D controller [0302]: NVIDIA Corporation GA100 [A100 SXM4 80GB] [10de:20b2] (rev a1)
\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed 8GT/s (downgraded), Width x8 (downgraded)
\t\tLnkCap2: Supported Link Speeds: 2.5-16GT/s
21:00.0 Ethernet controller: Mellanox Technologies MT28908
\t\tLnkSta:\tSpeed 2.5GT/s, Width x1
0000:3f:00.0 Processing accelerators: Advanced Micro Devices, Inc. [AMD/ATI] Aldebaran
\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16
\t\tLnkSta:\tSpeed 32GT/s (ok), Width x16 (ok)
"""
IBSTATUS = """\
Infiniband device 'mlx5_0' port 1 status:
\tstate:\t\t 4: ACTIVE
\tphys state:\t 5: LinkUp
\trate:\t\t 200 Gb/sec (4X HDR)
\tlink_layer:\t InfiniBand
Infiniband device 'mlx5_1' port 1 status:
\tstate:\t\t 4: ACTIVE
\trate:\t\t 100 Gb/sec (4X EDR)
"""
DEVINFO = """\
hca_id:\tmlx5_0
\ttransport:\t\t\tInfiniBand (0)
\tvendor_id:\t\t\t0x02c9
\tphys_port_cnt:\t\t\t1
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_ACTIVE (4)
\t\t\tactive_mtu:\t\t4096 (5)
\t\t\tlink_layer:\t\tInfiniBand
hca_id:\tmlx5_1
\tvendor_id:\t\t\t0x02c9
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_DOWN (1)
"""
RATES = "\t\t\tactive_width:\t\t4X (2)\n\t\t\tactive_speed:\t\t25.0 Gbps (32)\n\t\t\tphys_state:\t\tLINK_UP (5)\n"
FOR_SCRIPTS = """\
00:02.0 "VGA compatible controller" "Intel Corporation" "UHD Graphics 630" -r02 "Dell" "Device 099f"
1e:00.0 "3D controller" "NVIDIA Corporation" "GA100 [A100 SXM4 80GB]" -ra1 "NVIDIA Corporation" "Device 1463"
"""
FIELDS = "Slot:\t1e:00.0\nClass:\t3D controller\nVendor:\tNVIDIA Corporation\nDevice:\tGA100\nRev:\ta1\n\n"


def test_links_of_accelerators_at_one_moment():
    """Other devices are passed over; the state is never told as that under load."""
    found = told(reading(LSPCI))
    assert found == {
        ("pcie_link_gen_max", "0"): 4.0,
        ("pcie_link_width_max", "0"): 16.0,
        ("pcie_link_gen_now", "0"): 3.0,
        ("pcie_link_width_now", "0"): 8.0,
        ("pcie_link_gen_max", "1"): 5.0,
        ("pcie_link_width_max", "1"): 16.0,
        ("pcie_link_gen_now", "1"): 5.0,
        ("pcie_link_width_now", "1"): 16.0,
    }
    assert codes(reading(LSPCI)) == {"load-unknown"}


def test_links_that_are_hidden_or_absent_say_so():
    """Without root no link is shown; without accelerator there is nothing to say."""
    assert codes(reading("1e:00.0 3D controller: NVIDIA Corporation GA100\n\tCapabilities: <access denied>\n")) == {
        "no-values"
    }
    assert codes(reading("00:1f.0 ISA bridge: Intel Corporation Device\n")) == {"no-device"}


def test_the_slowest_active_port_counts():
    """Gigabits become bytes; both tools are known."""
    found = told(reading(IBSTATUS))
    assert found == {"network_port_rate": 1.25e10, "network_ports_active": 2.0, "network_ports_down": 0.0}


def test_ports_that_are_down_have_no_rate():
    """A port that is not active says nothing of the speed."""
    text = "CA 'mlx5_0'\n\tPort 1:\n\t\tState: Initializing\n\t\tPhysical state: LinkUp\n\t\tRate: 400\n"
    assert told(reading(text)) == {"network_ports_active": 0.0, "network_ports_down": 1.0}


def test_ports_of_the_verbs_library_have_states_and_without_v_no_rate():
    """What is not shown is not guessed; the counts are those of ibstat."""
    assert told(reading(DEVINFO)) == {"network_ports_active": 1.0, "network_ports_down": 1.0}


def test_a_rate_is_lanes_times_the_speed_of_one():
    """``-v`` shows it; a port that is down has none, nor a device of software, whose speed means nothing."""
    active, down = DEVINFO.split("hca_id:\tmlx5_1")
    assert told(reading(active + RATES))["network_port_rate"] == 1.25e10
    assert ("network_port_rate") not in told(reading(active + "hca_id:\tmlx5_1" + down + RATES))
    software = active.replace("0x02c9", "0xffffff")
    assert told(reading(software + RATES)) == {"network_ports_active": 1.0, "network_ports_down": 0.0}
    assert told(reading(software + RATES + active + RATES))["network_port_rate"] == 1.25e10
    assert "network_port_rate" not in told(reading(active + RATES.replace("4X (2)", "invalid widthX (0)")))


def test_lists_for_scripts_show_no_link():
    """``-mm`` and ``-vmm`` are recognised and say what to run; an adapter for a screen is no accelerator."""
    for text in (FOR_SCRIPTS, FIELDS):
        assert codes(reading(text)) == {"no-values"}
        assert reading(text).tool == "lspci"
    assert codes(reading(FOR_SCRIPTS.split("1e:")[0])) == {"no-device"}
    assert codes(reading(FIELDS.replace("3D controller", "Audio device"))) == {"no-device"}


def test_a_port_whose_state_is_not_said_may_be_either():
    """The count is a range then; where no port says its state there is none."""
    found = reading(DEVINFO.replace("PORT_ACTIVE (4)", "invalid state (0)"))
    assert {each.measurement: (each.value.lo, each.value.hi) for each in found.observations} == {
        "network_ports_active": (0.0, 1.0),
        "network_ports_down": (1.0, 2.0),
    }
    silent = reading(DEVINFO.split("hca_id:\tmlx5_1")[0].replace("PORT_ACTIVE (4)", "N/A"))
    assert not silent.observations
    assert codes(silent) == {"no-values"}


@pytest.mark.parametrize("number", ["N/A", "null", "", "not available"])
def test_a_port_without_a_number_is_a_port(number):
    """Its state is not that of the port before it."""
    head, last = DEVINFO.rsplit("port:\t1", 1)
    assert told(reading(f"{head}port:\t{number}{last}")) == told(reading(DEVINFO))
    two = "CA 'mlx5_0'\n\tPort 1:\n\t\tState: Active\n\tPort {}:\n\t\tState: Down\n\t\tPort GUID:\n"
    assert told(reading(two.format(number))) == told(reading(two.format(2)))
    assert told(reading(two.format(2))) == {"network_ports_active": 1.0, "network_ports_down": 1.0}
