"""The counters of disks of ``vmstat -d``."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

HEAD = """\
disk- ------------reads------------ ------------writes----------- -----IO------
       total merged sectors      ms  total merged sectors      ms    cur    sec
"""
IDLE = "sr0 0 0 0 0 0 0 0 0 0 0\n"
FIRST = HEAD + "sda    1000     20   80000    4000  50 2 100 30 0 9\nsda1  900 20 70000 3900 50 2 100 30 0 9\n" + IDLE
SECOND = "sda    1200     20  131200    8000  50 2 100 30 0 10\nsda1 1100 20 121200 7900 50 2 100 30 0 10\n" + IDLE
TWO = FIRST + SECOND


def test_wait_and_size_of_reads_between_the_reports():
    """200 reads waited 4 s and moved 51,200 sectors; partitions and idle disks say nothing."""
    found = told(reading(TWO))
    assert found == {("disk_read_await", "sda"): pytest.approx(0.02), ("disk_read_request_size", "sda"): 131072.0}


def test_one_report_covers_the_time_since_boot():
    """Nothing is said of the job, however large the counters."""
    found = reading(FIRST)
    assert codes(found) == {"since-boot-only"}
    assert not found.observations


def test_counters_that_fall_are_of_other_hosts():
    """The difference of two hosts is no difference in time."""
    found = reading(HEAD + SECOND + FIRST)
    assert codes(found) == {"counters-fell"}
    assert not found.observations


def test_disks_that_read_nothing_and_broken_rows():
    """Without a read there is no wait; a row that is cut is counted; stamps of ``-t`` are passed over."""
    assert codes(reading(FIRST + FIRST)) == {"no-reads"}
    assert reading(TWO + "sda 1300 20\n").lines_not_understood == 1
    stamped = TWO.replace(" 0 9\n", " 0 9 2026-11-29 10:00:00\n").replace(" 0 10\n", " 0 10 2026-11-29 10:00:01\n")
    assert told(reading(stamped)) == told(reading(TWO))
    assert codes(reading(HEAD)) == {"no-samples"}
