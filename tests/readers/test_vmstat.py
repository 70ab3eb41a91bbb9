"""vmstat, its totals, and the traffic of sar."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

from dam_expert.readers.source import Source
from dam_expert.readers.vmstat import VmstatReader

RULE = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
NAMES = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
BOOT = " 9  9      0  1  1  1    9    9   9  9  9 9 24 10 65  1  1\n"


def test_rows_after_the_first_become_means():
    """The first row is since boot; headers come again."""
    rows = " 4  2  0  1  1  1    1    3   100  200  5 1000 50 10 30  6 4\n"
    found = told(reading(RULE + NAMES + BOOT + rows + RULE + NAMES + rows))
    assert found["runnable_processes"] == 4.0
    assert found["blocked_processes"] == 2.0
    assert found["swap_rate"] == 4096.0
    assert found["disk_read_rate"] == 102400.0
    assert found["disk_write_rate"] == 204800.0
    assert found["cpu_utilization"] == pytest.approx(0.64)
    assert found["cpu_iowait_share"] == pytest.approx(0.06)
    assert found["cpu_steal_share"] == pytest.approx(0.04)


def test_wide_dated_rows_with_guest_time():
    """Columns and a date that newer versions add do not shift the others."""
    rule = "--procs-- -----------memory---------- ---swap-- -----io---- -system-- ---cpu--- -----timestamp-----\n"
    names = NAMES.rstrip("\n") + " gu                 UTC\n"
    row = " 4  2  0  1  1  1    0    0   100  200  5 1000 50 10 30  6 4 0 2026-11-29 10:00:00\n"
    found = told(reading(rule + names + row + row))
    assert found["cpu_utilization"] == pytest.approx(0.64)


def test_a_single_row_is_since_boot():
    """Without an interval nothing is said of the job."""
    found = reading(RULE + NAMES + BOOT)
    assert codes(found) == {"since-boot-only"}
    assert not found.observations


def test_totals_give_memory_and_no_rates():
    """``vmstat -s`` counts since boot."""
    found = reading("      1000 K total memory\n       100 K used memory\n         5 K used swap\n   37010 cpu ticks\n")
    assert told(found) == {"host_memory_total": 1024000.0, "swap_used": 5120.0}
    assert codes(found) == {"since-boot-only"}


def test_a_row_of_words_is_not_understood():
    """A broken row is counted."""
    assert reading(RULE + NAMES + BOOT + " a b c\n").lines_not_understood == 1


def test_traffic_is_that_of_the_busiest_interface():
    """Loopback is left out, kB is 1024 bytes, averages are not counted again."""
    head = "16:56:13        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil\n"
    rows = [("16:56:14", "lo", 9000, 9000), ("16:56:14", "eth0", 100, 10), ("16:56:14", "eth1", 5, 20)]
    rows += [("16:56:15", "eth0", 300, 10), ("16:56:15", "eth1", 5, 20), ("Average:", "eth0", 999, 999)]
    text = head + "".join(f"{t} {i} 0,00 0,00 {rx},00 {tx},00 0,00 0,00 0,00 5,00\n" for t, i, rx, tx in rows)
    found = told(reading(text))
    assert found["network_receive_rate"] == 200 * 1024
    assert found["network_send_rate"] == 20 * 1024
    assert found["network_utilization"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        (
            "--proc.-- --------pamięć------- ---swap-- ---we/wy--- -system-- ------cpu-------------czas----",
            "dz bl   swap  wolna  bufor  cache   si   so    bi    bo   in   cs uż sy be io sk                 UTC",
        ),
        (
            "--procs-- --------minne-------- -växling- -----io---- -system-- -----------cpu----------",
            " k  b   växl  fritt   buff  cache   vi   vu    bi    bu  avb ktxb  an  sy  ia vä  st gä",
        ),
        (
            "проц  -----------пам’ять--------- ---своп-- ----в/в---- -система- ------процесор-----",
            " r  b   swpd   free   buff   кеш   si   so    bi    bo   in   cs us sy id wa st gu",
        ),
        (
            "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----",
            " r  b   스왑   가용   버퍼   캐시   입   출    입    출   in   cs us sy id wa st gu",
        ),
    ],
)
def test_where_all_names_are_translated_their_order_tells(rule, names):
    """Polish, Swedish, Ukrainian and Korean translate the short names, too."""
    row = " 9  0      0 19615528  46348 3750192    1    2   526  1105  349  697 {} 6  {} 4  0  0 2026-11-30 14:23:41"
    found = told(reading("\n".join([rule, names, row.format(87, 7), row.format(50, 40)]) + "\n"))
    assert found["cpu_utilization"] == pytest.approx(0.56)
    assert found["cpu_iowait_share"] == pytest.approx(0.04)
    assert found["disk_write_rate"] == 1105 * 1024
    assert found["swap_rate"] == 3 * 1024


def test_a_table_of_dashes_heads_no_columns():
    """Rules of other tables have no words in them."""
    assert not VmstatReader().recognises(Source.of_bytes("a", b"-----  -----  -----  -----  -----  -----\n"))
