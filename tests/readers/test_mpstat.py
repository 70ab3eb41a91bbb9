"""mpstat as text and JSON, in several languages and forms."""

from __future__ import annotations

import json

import pytest
from readers.readings import codes, reading, told

BANNER = "Linux 6.1.0 (host) \t11/29/26 \t_x86_64_\t(2 CPU)\n\n"
HEAD = "     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"


def report(before: str, now: str, idle: float, comma: bool = False) -> str:
    rows = [("all", idle, 10.0), ("0", 0.0, 0.0), ("1", 2 * idle, 20.0)]
    lines = [
        f"{now}     {cpu}   {70 - free:.2f}  0.00   5.00  {wait:.2f}  1.00  2.00  0.50  0.00  0.00  {free:.2f}\n"
        for cpu, free, wait in rows
    ]
    text = f"{before}{HEAD}{''.join(lines)}\n"
    return text.replace(".", ",") if comma else text


@pytest.mark.parametrize("comma", [False, True])
def test_means_over_the_reports_and_the_busiest_core(comma):
    """All processors together and the core that is busiest, with decimal point or comma."""
    text = BANNER + report("16:00:00", "16:00:01", 40.0, comma) + report("16:00:01", "16:00:02", 20.0, comma)
    found = told(reading(text + report("Average:", "Average:", 99.0, comma)))
    assert found["cpu_utilization"] == pytest.approx(0.6)
    assert found["cpu_iowait_share"] == pytest.approx(0.1)
    assert found["cpu_system_share"] == pytest.approx(0.08)
    assert found["cpu_steal_share"] == pytest.approx(0.005)
    assert found["busiest_core_utilization"] == 1.0
    assert found["host_cores"] == 2.0


def test_twelve_hours_do_not_shift_columns():
    """The word for the half of the day is no column."""
    found = told(reading(BANNER + report("04:00:00 PM", "04:00:01 PM", 40.0)))
    assert found["cpu_utilization"] == pytest.approx(0.5)


def test_a_report_since_boot_is_not_used():
    """Without an interval, header and rows carry one time."""
    found = reading(BANNER + report("16:00:00", "16:00:00", 40.0))
    assert codes(found) == {"since-boot-only"}
    assert not found.observations or set(told(found)) == {"host_cores"}


def test_averages_alone_are_used():
    """A summary that was copied without its intervals still speaks."""
    found = told(reading(BANNER + report("Average:", "Average:", 40.0)))
    assert found["cpu_utilization"] == pytest.approx(0.5)


def test_sar_names_its_columns_otherwise():
    """``sar -u`` has %user and %system."""
    text = "12:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
    found = told(
        reading(BANNER + text + "12:10:00        all     10.00      0.00     20.00      5.00      0.00     65.00\n")
    )
    assert found["cpu_utilization"] == pytest.approx(0.3)
    assert found["cpu_system_share"] == pytest.approx(0.2)


def test_interrupt_tables_are_passed_over():
    """The tables of -A after the processors are not misread."""
    text = BANNER + report("16:00:00", "16:00:01", 40.0) + "16:00:00     CPU    intr/s\n16:00:01     all   1000.00\n"
    found = reading(text)
    assert found.lines_not_understood == 0


def load(cpu: str, idle: float) -> dict[str, object]:
    return {"cpu": cpu, "usr": 50.0, "sys": 1.0, "iowait": 10.0, "idle": idle}


def test_json_gives_the_same():
    """Keys stand for columns."""
    reports = [
        {"timestamp": str(n), "cpu-load": [load("all", 40.0), load("0", 0.0), load("1", 80.0)]} for n in range(2)
    ]
    text = json.dumps({"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": reports}]}})
    found = told(reading(text))
    assert found["cpu_utilization"] == pytest.approx(0.5)
    assert found["busiest_core_utilization"] == pytest.approx(0.9)
    assert found["host_cores"] == 2.0


def test_a_single_json_report_may_be_since_boot():
    """One report is not used."""
    text = json.dumps({"sysstat": {"hosts": [{"statistics": [{"cpu-load": [load("all", 40.0)]}]}]}})
    assert codes(reading(text)) == {"since-boot-only"}


TOPOLOGY = """\
Linux 6.1.0 (node7) 	06/01/20 	_x86_64_	(2 CPU)

12:53:20     CPU CORE SOCK NODE    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
12:53:21     all                  30.00    0.00    1.00    4.00    0.00    0.00    0.00    0.00    0.00   65.00
12:53:21       0    0    0    0   59.00    0.00    1.00    0.00    0.00    0.00    0.00    0.00    0.00   40.00
12:53:21       1    1    0    0    1.00    0.00    1.00    8.00    0.00    0.00    0.00    0.00    0.00   90.00
"""


def test_where_a_processor_is_is_no_share():
    """``mpstat -T`` prints core, socket and node, and leaves them empty in the row of all."""
    found = told(reading(TOPOLOGY))
    assert found["cpu_utilization"] == 0.31
    assert found["cpu_iowait_share"] == 0.04
    assert found["busiest_core_utilization"] == 0.6


@pytest.mark.parametrize(
    "table",
    [
        "12:53:20     CPU    intr/s\n12:53:21     all   13222.7\n",
        "12:53:20    NODE    %usr   %nice    %sys   %idle\n12:53:21     all    1.49   39.91    0.83   56.00\n",
    ],
)
def test_tables_of_other_things_are_recognised(table):
    """Interrupts and nodes alone say nothing that is used."""
    assert codes(reading(TOPOLOGY.split("\n")[0] + "\n\n" + table)) == {"no-samples"}


def test_other_tables_of_sar_are_passed_over():
    """A header has no number in it; what follows is not of the processors."""
    text = TOPOLOGY + "\n12:53:20   kbmemfree   kbavail  %memused\n12:53:21     1437740   4389516     46.11\n"
    found = reading(text)
    assert found.lines_not_understood == 0
    assert told(found)["cpu_utilization"] == 0.31


def test_json_of_one_processor_alone_says_so():
    """Without the row of all there is nothing to tell of the host."""
    load = {"cpu": "3", "usr": 1.0, "iowait": 0.0, "idle": 99.0}
    reports = [{"timestamp": "1", "cpu-load": [load]}, {"timestamp": "2", "cpu-load": [load]}]
    document = {"sysstat": {"hosts": [{"nodename": "x", "statistics": reports}]}}
    assert codes(reading(json.dumps(document))) == {"no-samples"}
