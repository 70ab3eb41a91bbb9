"""pidstat -o JSON, which came with sysstat 12.7.7."""

from __future__ import annotations

import json

import pytest
from readers.said import codes, read, values

from dam_expert.readers.pidstat_json import PidstatJsonReader

OPEN = '{"sysstat": {\n\t"hosts": [\n\t\t{\n\t\t\t"nodename": "node7",\n\t\t\t"number-of-cpus": 8,\n'
OPEN += '\t\t\t"statistics": [\n'
CLOSE = "\n\t\t\t]\n\t\t}\n\t]\n}}\n"


def load(process: str, usr: float, system: float, *, cpu: float | None = None, command: str = "python3") -> str:
    whole = usr + system if cpu is None else cpu
    parts = f'"usr": {usr:.2f}, "system": {system:.2f}, "guest": 0.00, "wait": 20.00, "cpu": {whole:.2f}'
    return f'{{"UID": "0", "PID": "{process}", {parts}, "cpu_nr": 1, "cmd": "{command}"}}'


def disk(process: str, read_rate: float, written: float) -> str:
    parts = f'"kB_rd/s": {read_rate:.2f}, "kB_wr/s": {written:.2f}, "kB_ccwr/s": 0.00, "iodelay": 0'
    return f'{{"UID": "0", "PID": "{process}", {parts}, "cmd": "python3"}}'


def report(**kinds: list[str]) -> str:
    rows = ",\n".join(
        f'\t\t\t\t\t"{kind.replace("_", "-")}": [\n\t\t\t\t\t\t' + ",\n\t\t\t\t\t\t".join(each) + "\n\t\t\t\t\t]"
        for kind, each in kinds.items()
    )
    return f'\t\t\t\t{{\n\t\t\t\t\t"timestamp": "10:00:01",\n{rows}\n\t\t\t\t}}'


def document(*reports: str) -> str:
    return OPEN + ",\n".join(reports) + CLOSE


TWO = document(
    report(task_cpu_load=[load("7", 140.0, 10.0), load("9", 50.0, 0.0)], io=[disk("7", 100.0, -1.0)]),
    report(task_cpu_load=[load("7", 90.0, 10.0)], io=[disk("7", 300.0, -1.0)]),
)


def test_rates_are_means_over_the_reports_and_minus_one_is_unknown():
    """A process that a report does not list did nothing in it; what may not be read is not 0."""
    found = values(read(PidstatJsonReader(), TWO))
    assert found == {
        "host_cores": 8.0,
        "process_cpu_cores[7]": 1.25,
        "process_cpu_cores[9]": 0.25,
        "process_run_wait_share[7]": 0.2,
        "process_run_wait_share[9]": 0.2,
        "process_read_rate[7]": 200.0 * 1024,
    }


def test_a_report_without_rows_counts():
    """Unlike the text, JSON says that nothing was there to list."""
    text = document(report(task_cpu_load=[load("7", 100.0, 0.0)]), report(task_cpu_load=[]))
    assert values(read(PidstatJsonReader(), text))["process_cpu_cores[7]"] == 0.5


def test_cores_are_not_those_that_are_divided_by_the_processors():
    """With -I the tool's own sum is per processor of the host; its parts are not."""
    text = document(*[report(task_cpu_load=[load("7", 150.0, 50.0, cpu=25.0)])] * 2)
    assert values(read(PidstatJsonReader(), text))["process_cpu_cores[7]"] == 2.0


def test_memory_and_faults():
    """Resident memory is in KiB and a mean; faults are a rate."""
    row = '{"UID": "0", "PID": "7", "minflt/s": 5.00, "majflt/s": 8.00, "VSZ": 9, "RSS": 2048, "MEM": 0.1, "cmd": "x"}'
    found = values(read(PidstatJsonReader(), document(*[report(task_memory=[row])] * 2)))
    assert found["process_memory[7]"] == 2048 * 1024
    assert found["process_major_fault_rate[7]"] == 8.0


def test_threads_tell_only_which_is_the_busiest():
    """With -t the rows of threads have a TID and are not added to their process."""
    whole = (
        load("7", 120.0, 0.0).replace('"PID": "7"', '"TGID": "7", "TID": ""').replace('"cmd"', '"leader": "", "cmd"')
    )
    one = whole.replace('"TID": ""', '"TID": "8"').replace("120.00", "90.00")
    other = whole.replace('"TID": ""', '"TID": "9"').replace("120.00", "30.00")
    found = values(read(PidstatJsonReader(), document(*[report(task_cpu_load=[whole, one, other])] * 2)))
    assert found["process_cpu_cores[7]"] == 1.2
    assert found["busiest_thread_utilization"] == 0.9
    assert "process_cpu_cores[8]" not in found


@pytest.mark.parametrize("command", ['python3 -c "import x"', "a\\b", 'say "x"}', "tab\there"])
@pytest.mark.parametrize("leader", ["", 'tail"s'])
def test_commands_that_break_the_json_are_quoted_anew(command, leader):
    """The tool prints commands as they are, with quotation marks and backslashes in them."""
    row = load("7", 100.0, 0.0, command=command)
    if leader:
        row = row.replace('"PID": "7"', '"TGID": "7", "TID": ""').replace('"cmd"', f'"leader": "{leader}", "cmd"')
    reading = read(PidstatJsonReader(), document(*[report(task_cpu_load=[row, load("8", 10.0, 0.0)])] * 2))
    assert values(reading)["process_cpu_cores[7]"] == 1.0
    assert values(reading)["process_cpu_cores[8]"] == 0.1
    assert not codes(reading)


def test_arguments_are_not_told():
    """What a command was called with may be secret."""
    row = load("7", 100.0, 0.0, command="/home/me/python3 --token abc")
    reading = read(PidstatJsonReader(), document(*[report(task_cpu_load=[row])] * 2))
    assert all("abc" not in (each.origin.detail or "") for each in reading.observations)
    assert any((each.origin.detail or "").startswith("python3:") for each in reading.observations)


def test_a_single_report_is_not_used():
    """Without an interval it covers the life of the processes."""
    reading = read(PidstatJsonReader(), document(report(task_cpu_load=[load("7", 100.0, 0.0)])))
    assert codes(reading) == {"since-boot-only"}
    assert values(reading) == {"host_cores": 8.0}


def test_an_early_end_leaves_the_complete_reports():
    """Ctrl-C cuts the last report."""
    reading = read(PidstatJsonReader(), TWO.replace(CLOSE, ",\n\t\t\t\t{\n\t\t\t\t\t"))
    assert codes(reading) == {"truncated"}
    assert values(reading)["process_cpu_cores[7]"] == 1.25


def test_children_alone_have_no_values_that_are_used():
    """Sums over children since their start are no rates."""
    row = '{"UID": "0", "PID": "7", "usr-ms": 5, "system-ms": 1, "guest-ms": 0, "cmd": "x"}'
    reading = read(PidstatJsonReader(), document(*[report(child_cpu_load=[row])] * 2))
    assert codes(reading) == {"no-samples"}


def test_json_that_was_formatted_anew_is_the_same():
    """A tool that spreads or joins the lines changes nothing."""
    whole = json.loads(TWO)
    expected = values(read(PidstatJsonReader(), TWO))
    assert values(read(PidstatJsonReader(), json.dumps(whole))) == expected
    assert values(read(PidstatJsonReader(), json.dumps(whole, indent=2))) == expected
