"""Links of devices and adapters: lspci, ibstat."""

from __future__ import annotations

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
