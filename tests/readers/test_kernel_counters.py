"""Pressure and control groups."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

SOME = "some avg10=27.42 avg60=16.50 avg300=5.38 total=23466255\n"
FULL = "full avg10=0.24 avg60=0.23 avg300=0.40 total=4983159\n"


@pytest.mark.parametrize(
    ("text", "name", "resource"),
    [
        pytest.param(SOME + FULL, "/proc/pressure/io", "io", id="the kernel's own name"),
        pytest.param(SOME + FULL, "memory.pressure", "memory", id="a group's file"),
        pytest.param("/proc/pressure/io:" + SOME + "/proc/pressure/io:" + FULL, "x", "io", id="grep"),
        pytest.param("==> /proc/pressure/memory <==\n" + SOME + FULL, "x", "memory", id="head"),
    ],
)
def test_pressure_is_told_of_its_resource(text, name, resource):
    """The last ten seconds count."""
    found = told(reading(text, name))
    assert found[f"{resource}_pressure_share"] == pytest.approx(0.2742)
    assert found[f"{resource}_pressure_full_share"] == pytest.approx(0.0024)


def test_full_pressure_of_the_processor_says_nothing():
    """It is always 0 for the whole host."""
    found = told(reading(SOME + FULL, "cpu"))
    assert set(found) == {"cpu_pressure_share"}


def test_interrupts_have_only_full_pressure():
    """The file of interrupts has one line."""
    assert told(reading(FULL, "irq")) == {"irq_pressure_full_share": pytest.approx(0.0024)}


def test_pressure_of_nothing_known_asks():
    """Without a name it is not guessed."""
    found = reading(SOME, "pasted")
    assert not found.observations
    assert codes(found) == {"no-resource"}


@pytest.mark.parametrize(
    ("text", "share"),
    [
        pytest.param(
            "usage_usec 5\nnr_periods 100\nnr_throttled 25\nthrottled_usec 7\n", 0.25, id="since the group was made"
        ),
        pytest.param(
            "nr_periods 100\nnr_throttled 90\nnr_periods 200\nnr_throttled 100\n", 0.1, id="between two copies"
        ),
        pytest.param("nr_periods 0\nnr_throttled 0\n", None, id="no quota"),
    ],
)
def test_throttled_periods(text, share):
    """A group without periods has no quota, which is no share of 0."""
    found = reading(text)
    assert told(found).get("cpu_throttled_share") == share
    assert ("no-quota" in codes(found)) == (share is None)


@pytest.mark.parametrize(("text", "cores"), [("150000 100000\n", 1.5), ("max 100000\n", None)])
def test_the_quota_in_cores(text, cores):
    """``max`` is no quota."""
    found = reading(text)
    assert told(found).get("cpu_quota_cores") == cores


def test_a_kill_in_the_group_is_a_kill_for_memory():
    """No kill says nothing of whether the job fits."""
    events = "low 0\nhigh 0\nmax 7\noom 3\noom_kill {}\n"
    assert told(reading(events.format(2))) == {"cgroup_oom_kills": 2.0, "allocation_state": "host_killed"}
    assert told(reading(events.format(0))) == {"cgroup_oom_kills": 0.0}
