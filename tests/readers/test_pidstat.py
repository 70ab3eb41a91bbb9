"""pidstat in its forms."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

BANNER = "Linux 6.1.0 (host) \t11/29/26 \t_x86_64_\t(8 CPU)\n\n"
CPU = "      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
DISK = "      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n"
MEMORY = "      UID       PID  minflt/s  majflt/s     VSZ     RSS   %MEM  Command\n"


def test_tables_of_an_interval_are_read_by_their_headers():
    """Processor, disk and memory of each process; an interval in which it is not listed counts as none."""
    text = BANNER + f"10:00:00{CPU}10:00:01  0  7  1.00  1.00  0.00  40.00  150.00  1  python3 -u\n"
    text += f"10:00:00{DISK}10:00:01  0  7  100.00  -1.00  0.00  3  python3 -u\n"
    text += f"10:00:00{MEMORY}10:00:01  0  7  5.00  8.00  100  2048  0.1  python3 -u\n"
    text += f"10:00:01{CPU}10:00:02  0  9  1.00  1.00  0.00  0.00  50.00  1  dd\n"
    text += f"10:00:01{DISK}10:00:02  0  9  50.00  200.00  0.00  3  dd\n"
    found = told(reading(text))
    assert found["process_cpu_cores", "7"] == pytest.approx(0.75)
    assert found["process_cpu_cores", "9"] == pytest.approx(0.25)
    assert found["process_run_wait_share", "7"] == pytest.approx(0.4)
    assert found["process_read_rate", "7"] == pytest.approx(50 * 1024)
    assert ("process_write_rate", "7") not in found
    assert found["process_write_rate", "9"] == pytest.approx(100 * 1024)
    assert found["process_major_fault_rate", "7"] == 8.0
    assert found["process_memory", "7"] == 2048 * 1024
    assert found["host_cores"] == 8.0


def test_one_line_per_process_with_seconds():
    """With -h the time is a column of its own."""
    head = "# Time        UID       PID    %usr %system  %guest    %CPU   CPU   kB_rd/s  Command\n"
    text = (
        BANNER
        + head
        + "1795971346  0  7  1  1  0  100.00  0  10.00  a b\n\n"
        + head
        + "1795971347  0  7  1  1  0  50.00  0  30.00  a b\n"
    )
    found = told(reading(text))
    assert found["process_cpu_cores", "7"] == pytest.approx(0.75)
    assert found["process_read_rate", "7"] == pytest.approx(20 * 1024)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("12:06:39 PM" + CPU + "12:06:39 PM 0 7 0.1 0.1 0.0 0.0 0.2 0 init\n", id="one time"),
        pytest.param("# Time UID PID %CPU CPU Command\n1692579199 0 7 0.08 0 init\n", id="one line, one time"),
    ],
)
def test_the_life_of_processes_is_not_the_job(text):
    """A single report without an interval is not used."""
    found = reading(BANNER + text)
    assert codes(found) == {"since-boot-only"}
    assert set(told(found)) == {"host_cores"}


def test_threads_tell_the_busiest_and_are_not_added_to_processes():
    """Rows of threads stand beside the row of their process."""
    head = "10:00:00      UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
    rows = [
        "10:00:01  0  7  -  0  0  0  0  130.00  0  python",
        "10:00:01  0  -  7  0  0  0  0  99.00  0  |__python",
        "10:00:01  0  -  8  0  0  0  0  31.00  0  |__worker",
    ]
    found = told(reading(BANNER + head + "\n".join(rows)))
    assert found["process_cpu_cores", "7"] == pytest.approx(1.3)
    assert found["busiest_thread_utilization"] == pytest.approx(0.99)


def test_averages_are_used_where_no_interval_is_shown():
    """A summary alone still speaks, in any language."""
    text = (
        BANNER
        + f"Durchschn.:{CPU}Durchschn.:     0         7    0,00    0,50    0,00    0,00    50,00     -  python3\n"
    )
    assert told(reading(text))["process_cpu_cores", "7"] == pytest.approx(0.5)


def test_only_the_largest_are_told():
    """Of many processes twenty are told, and idle ones are not."""
    rows = "".join(f"10:00:01  0  {n}  0  0  0  0  {n}.00  0  p{n}\n" for n in range(100))
    found = reading(BANNER + f"10:00:00{CPU}{rows}")
    cores = [each for each in found.observations if each.measurement == "process_cpu_cores"]
    assert [each.scope[0][1] for each in cores] == [str(n) for n in range(99, 79, -1)]


def test_cores_are_not_those_that_are_divided_by_the_processors():
    """With -I the sum is per processor of the host, its parts are not, and nothing in the table says so."""
    text = BANNER + "".join(
        f"10:00:0{second}{CPU}10:00:0{second + 1}  0  7  150.00  50.00  0.00  0.00  25.00  1  python3\n"
        for second in range(2)
    )
    assert told(reading(text))["process_cpu_cores", "7"] == 2.0
