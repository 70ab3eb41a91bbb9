"""What free prints."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

HEAD = "               total        used        free      shared  buff/cache   available\n"


def test_without_suffixes_the_share_alone_is_told():
    """The numbers may be of any unit."""
    found = told(reading(HEAD + "Mem:           24000        2160       17852           8        4407       6000\n"))
    assert found == {"host_memory_available_share": 0.25}


@pytest.mark.parametrize("point", [".", ","])
def test_suffixes_are_powers_of_two(point):
    """``free -h``, in either locale."""
    rows = "Mem:           500Gi       380Gi        20Gi       1{p}0Gi       100Gi       125Gi\n"
    rows += "Swap:          8{p}0Gi       512Mi       7{p}5Gi\n"
    assert told(reading(HEAD + rows.format(p=point))) == {
        "host_memory_total": 500 * 2.0**30,
        "host_memory_available": 125 * 2.0**30,
        "host_memory_available_share": 0.25,
        "swap_used": 512 * 2.0**20,
    }


def test_old_releases_do_not_say_what_is_available():
    """What they call free leaves out what the cache would give back."""
    head = "             total       used       free     shared    buffers     cached\n"
    assert codes(reading(head + "Mem:      24000000   23000000    1000000          0     400000   20000000\n")) == {
        "no-samples"
    }
