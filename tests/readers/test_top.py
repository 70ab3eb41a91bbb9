"""Frames of top."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

FRAME = """\
top - 11:24:50 up 2 min,  2 users,  load average: {load}, 0.22, 0.09
Tasks:   2 total,   1 running,   1 sleeping,   0 stopped,   0 zombie
%Cpu(s):  {user} us,  5.0 sy,  0.0 ni, {idle} id,  10.0 wa,  0.0 hi,  0.0 si,  0.0 st
KiB Mem :  4000 total,  3446476 free,   216940 used,   197916 buff/cache
KiB Swap:  2097148 total,  2097148 free,        8 used.  1000 avail Mem

   PID USER      PR  NI    VIRT    RES    SHR S %CPU %MEM     TIME+ COMMAND
  1935 me        20   0  161888   2108   1520 R  {cpu}  0.1   0:00.01 python train.py
     1 root      20   0  128084   1.5g   4204 D  0.0  0.2   0:01.22 systemd
"""


def frame(load: float = 1.0, user: float = 45.0, idle: float = 40.0, cpu: float = 150.0) -> str:
    return FRAME.format(load=f"{load:.2f}", user=user, idle=idle, cpu=cpu)


def test_one_frame_is_one_instant():
    """Load, processors, memory and processes; with a note."""
    found = reading(frame())
    values = told(found)
    assert values["load_average"] == 1.0
    assert values["cpu_utilization"] == pytest.approx(0.5)
    assert values["cpu_iowait_share"] == pytest.approx(0.1)
    assert values["host_memory_total"] == 4000 * 1024
    assert values["host_memory_available_share"] == 0.25
    assert values["swap_used"] == 8 * 1024
    assert values["runnable_processes"] == 1.0
    assert values["blocked_processes"] == 1.0
    assert values["process_cpu_cores", "1935"] == 1.5
    assert values["process_memory", "1"] == 1.5 * 2**30
    assert codes(found) == {"one-instant"}


def test_the_first_of_several_frames_is_left_out():
    """It covers another time than the others."""
    found = told(reading(frame(idle=90.0, cpu=1.0) + frame(idle=20.0) + frame(idle=40.0, cpu=50.0)))
    assert found["cpu_utilization"] == pytest.approx(0.6)
    assert found["process_cpu_cores", "1935"] == pytest.approx(1.0)


def test_a_cut_list_does_not_say_how_many_wait():
    """With fewer rows than tasks the blocked are unknown."""
    found = told(reading(frame().replace("2 total", "300 total")))
    assert "blocked_processes" not in found


def test_cores_one_by_one_give_the_busiest():
    """With a line per core the busiest is told."""
    one = "%Cpu0  :  5.0 us,  5.0 sy,  0.0 ni, 90.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
    two = "%Cpu1  : 99.0 us,  1.0 sy,  0.0 ni,  0.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
    lines = frame().split("\n")
    found = told(reading("\n".join([*lines[:2], one + two, *lines[3:]])))
    assert found["busiest_core_utilization"] == 1.0
    assert "cpu_utilization" not in found


def test_a_cell_with_a_blank_shifts_the_row():
    """What stands in the place of the state is none; how many are blocked is then unknown, not 0."""
    found = told(reading(frame().replace("1520 R", "[not known] R")))
    assert "blocked_processes" not in found
    assert "blocked_processes" in told(reading(frame()))


LANGUAGES = {
    "sv": ("%Cpu/er: 45,0 an,  5,0 sy,  0,0 ni, 40,0 in, 10,0 vä,  0,0 ha,  0,0 ma,  0,0 st",
           "MiB Minn:   4000,0 totalt,  19424,9 fritt,   1263,4 anv.,   3732,4 buff/cache",
           "MiB Växl:      0,0 totalt,      0,0 fritt,      8,0 anv.,   1000,0 tillg Minn",
           "  PID ANVÄNDAR  PR  NI    VIRT    RES   DELT S  %CPU  %MIN      TID+ KOMMANDO"),
    "pl": ("%CPU:    45,0 uż,  5,0 sy,  0,0 ni, 40,0 be, 10,0 io,  0,0 hi,  0,0 si,  0,0 sk",
           "MiB RAM :   4000,0 razem,  19163,9 wolne,   1545,7 użyte,   3711,2 buf/cache",
           "MiB Swap:      0,0 razem,      0,0 wolne,      8,0 użyte.   1000,0 dost. RAM",
           "  PID UŻYTK.    PR  NI    WIRT    REZ    WSP S  %CPU  %PAM     CZAS+ KOMENDA"),
    "zh": ("%Cpu(s): 45.0 us,  5.0 sy,  0.0 ni, 40.0 id, 10.0 wa,  0.0 hi,  0.0 si,  0.0 st",
           "MiB Mem :   4000.0 total,  19553.3 free,   1129.2 used,   3738.3 buff/cache",
           "MiB Swap:      0.0 total,      0.0 free,      8.0 used.   1000.0 avail Mem",
           " 进程 USER      PR  NI    VIRT    RES    SHR    %CPU  %MEM     TIME+ COMMAND"),
    "uk": ("%CПроц.: 45,0 us,  5,0 sy,  0,0 ni, 40,0 id, 10,0 wa,  0,0 hi,  0,0 si,  0,0 st",
           "МіБ Пам :   4000,0 загал,  19677,9 вільн,   1007,8 вик,   3735,1 буф/кеш",
           "МіБ Своп:      0,0 загал,      0,0 віль,      8,0 вико.   1000,0 дост. Пам",
           "  PID КОР.      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND"),
    "ro": ("%Cpu(s): 45,0 us,  5,0 sy,  0,0 ni, 40,0 id, 10,0 wa,  0,0 hi,  0,0 si,  0,0 st",
           "Mio Mem :   4000,0 total,  19397,6 liberă,   1320,3 utilizată,   3702,9 buff/cache",
           "Mio Swap:      0,0 total,      0,0 liberă,      8,0 utilizată.   1000,0 dispo Mem",
           "  PID UTILIZ.  PRI  NI    VIRT    RES M.PART S  %CPU  %MEM     TIMP+ COMANDA"),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_of_procps(language):
    """Tags of the processors and names of the columns are known by their order, amounts by how their words begin."""
    head = "top - 14:23:56 up  1:05,  0 user,  load average: 9,26, 11,33, 10,50\n"
    row = "20582 root      30  10  490536 368740  26988 R 150,0   1,5   0:28.36 python\n"
    found = told(reading(head + "\n".join(LANGUAGES[language]) + "\n" + row))
    assert found["cpu_utilization"] == pytest.approx(0.5)
    assert found["cpu_iowait_share"] == pytest.approx(0.1)
    assert found["host_memory_total"] == 4000 * 2**20
    assert found["host_memory_available_share"] == 0.25
    assert found["swap_used"] == 8 * 2**20
    assert found["process_cpu_cores", "20582"] == 1.5
    assert found["process_memory", "20582"] == 368740 * 1024


def test_one_core_in_another_language():
    """The number of the core is that of its line."""
    cores = "%Cpu{} : {},0 uż,  0,0 sy,  0,0 ni, {},0 be,  0,0 io,  0,0 hi,  0,0 si,  0,0 sk\n"
    text = "top - 14:23:56 up 1:05,  0 user,  load average: 9,26, 11,33, 10,50\n"
    assert told(reading(text + cores.format(0, 20, 80) + cores.format(1, 70, 30)))["busiest_core_utilization"] == 0.7


def test_rows_of_nobody_are_counted():
    """A list without the numbers of the processes does not tell whose time it is; the lines above it do tell theirs."""
    rows = "UID USER PR NI S %CPU %MEM COMMAND\n1000 me 20 0 R 150.0 0.1 python\n0 root 20 0 S 0.0 0.2 systemd\n"
    found = reading(frame().split("   PID")[0] + rows)
    assert not [name for name in told(found) if isinstance(name, tuple)]
    assert told(found)["load_average"] == 1.0
    assert found.lines_not_understood == 2


def test_numbers_for_names_are_no_line_of_shares():
    """Eight numbers that stand where their names would be are not taken for names."""
    damaged = "%Cpu0 :  4.0 us,  5.0 sy,  0.0 ni,  1.0 2.0,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st\n"
    found = reading(frame() + damaged)
    assert "busiest_core_utilization" not in told(found)
