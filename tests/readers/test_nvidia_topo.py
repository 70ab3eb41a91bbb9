"""The matrix of paths between devices."""

from __future__ import annotations

from readers.readings import codes, reading, told

TABS = (
    "\t\x1b[4mGPU0\tGPU1\tGPU2\tmlx5_0\tNIC1\tCPU Affinity\tNUMA Affinity\x1b[0m\n"
    "GPU0\t X \tNV12\tNV12\tPXB\tSYS\t0-31\t0\n"
    "GPU1\tNV12\t X \tSYS\tSYS\tNODE\t0-31\t0\n"
    "GPU2\tNV12\tSYS\t X \tSYS\tPIX\t32-63\t1\n"
    "mlx5_0\tPXB\tSYS\tSYS\t X \tSYS\t\t\n\n"
    "Legend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe\n"
)


def test_the_worst_pair_and_the_worst_of_the_nearest_adapters_are_told():
    """Each device counts with its best adapter."""
    found = told(reading(TABS))
    assert found["device_count"] == 3.0
    assert found["device_path_worst"] == "socket_interconnect"
    assert found["nic_path_worst"] == "numa_node"
    assert "nvlinks_between_devices" not in found


def test_blanks_instead_of_tabs_give_the_same():
    """A pasted matrix has lost its tabs."""
    assert told(reading(TABS.replace("\t", "    "))) == told(reading(TABS))


def test_links_are_counted_where_every_pair_has_them():
    """The fewest bonded links count."""
    text = "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV4\t0-9\nGPU1\tNV4\t X \t0-9\n"
    found = told(reading(text))
    assert found["device_path_worst"] == "nvlink"
    assert found["nvlinks_between_devices"] == 4.0


def test_a_broken_row_is_counted_and_left_out():
    """A path of no known name makes the row not understood."""
    found = reading(TABS.replace("NODE", "NOD3"))
    assert found.lines_not_understood == 1
    assert "lines-not-understood" in codes(found)


def test_the_matrix_of_another_machine_takes_the_place_of_the_first():
    """Two hosts in one file: columns of one do not stand in rows of the other."""
    one = "\tGPU0\tNIC0\tCPU Affinity\nGPU0\t X \tPIX\t0-19\n"
    two = "\tGPU0\tGPU1\tCPU Affinity\nGPU1\tNV4\t X \t0-19\n"
    assert told(reading(one + two))["device_path_worst"] == "nvlink"
