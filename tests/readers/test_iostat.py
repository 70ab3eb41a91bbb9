"""iostat through its versions, options and locales."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readers.traces import codes

from dam_expert.readers.iostat import IostatReader
from dam_expert.readers.iostat_json import IostatJsonReader
from dam_expert.readers.source import Source

BANNER = "Linux 6.1.0 (host) \t11/29/26 \t_x86_64_\t(8 CPU)\n\n"
CPU = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n          {}    0.00   10.00    {}    2.00   {}\n\n"


def report(user: str, iowait: str, idle: str, header: str, *rows: str) -> str:
    return CPU.format(user, iowait, idle) + "\n".join([header, *rows]) + "\n\n"


def told(text: str | bytes, reader=None) -> dict[tuple[str, str], float]:
    reader = reader or IostatReader()
    source = Source.of_bytes("io", text if isinstance(text, bytes) else text.encode())
    assert reader.recognises(source)
    found = reader.read(source).observations
    return {(each.measurement, "".join(owner for _, owner in each.scope)): each.value.lo for each in found}


NEW = "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s  aqu-sz  %util"
TWO = (
    BANNER
    + report("20.00", "1.00", "69.00", NEW, "vda 1 1 0 0 9.9 1 1 1 9 9.00")
    + report("60.00", "4.00", "26.00", NEW, "vda 100 400.00 0 0 2.00 4.00 10 1024 3.00 50.00")
    + report("70.00", "6.00", "14.00", NEW, "vda 300 1200.00 0 0 4.00 4.00 30 1024 5.00 70.00")
)


def test_the_mean_of_all_reports_but_the_first():
    """The report since boot is left out; waits are weighted by requests."""
    found = told(TWO)
    assert found["host_cores", ""] == 8
    assert found["cpu_utilization", ""] == pytest.approx(0.75)
    assert found["cpu_iowait_share", ""] == pytest.approx(0.05)
    assert found["cpu_steal_share", ""] == pytest.approx(0.02)
    assert found["disk_utilization", "vda"] == pytest.approx(0.6)
    assert found["disk_read_iops", "vda"] == 200
    assert found["disk_read_rate", "vda"] == 800 * 1024
    assert found["disk_write_rate", "vda"] == 1024 * 1024
    assert found["disk_queue_depth", "vda"] == 4.0
    assert found["disk_read_await", "vda"] == pytest.approx(0.0035)
    assert found["disk_read_request_size", "vda"] == 4096


OLD = "Device: rrqm/s wrqm/s r/s w/s rkB/s wkB/s avgrq-sz avgqu-sz await r_await w_await svctm %util"


@pytest.mark.parametrize(
    ("header", "row"),
    [
        pytest.param(OLD, "sda 0 0 100 0 400 0 8 3.0 1 2.0 0 1 50.00", id="sysstat 10 and 11"),
        pytest.param("Device r/s rMB/s r_await aqu-sz %util", "sda 100 0.390625 2.00 3.00 50.00", id="-m"),
        pytest.param("Device r/s rsec/s r_await aqu-sz %util", "sda 100 800 2.00 3.00 50.00", id="sectors"),
        pytest.param("r/s rkB/s r_await aqu-sz %util Device", "100 400.00 2.00 3.00 50.00 sda", id="--compact"),
        pytest.param("Device r/s rkB/s r_await aqu-sz %util", "sda 100,00 400,00 2,00 3,00 50,00", id="de_DE"),
        pytest.param("r/s rkB/s r_await aqu-sz %util Device", "100.00 400.0k 2.00 3.00 50.0% sda", id="-h"),
        pytest.param("Device r/s rkB/s r_await aqu-sz %util", "\x1b[1msda\x1b[0m 100 400 2.0 3.0 50.0", id="S_COLORS"),
        pytest.param("Device r/s rkB/s r_await aqu-sz %util", "[rank0]: sda 100 400 2.0 3.0 50.0", id="torchrun"),
    ],
)
def test_every_version_and_option_gives_the_same(header, row):
    """Columns are known by name in all versions, units and locales."""
    found = told(BANNER + report("1", "1", "97", header, row) + report("1", "1", "97", header, row))
    assert found["disk_read_rate", "sda"] == 409600
    assert found["disk_read_await", "sda"] == pytest.approx(0.002)
    assert found["disk_queue_depth", "sda"] == 3.0
    assert found["disk_utilization", "sda"] == 0.5
    assert found["disk_read_request_size", "sda"] == 4096


def test_several_small_tables_are_one_report():
    """With -h a report comes in pieces, each with its own header."""
    reads, writes = "r/s rkB/s r_await Device\n10.00 {} 1.00 sda\n\n", "w/s wkB/s Device\n1.00 1.0M sda\n\n"
    tables = reads + writes + "aqu-sz %util Device\n1.0 {}% sda\n\n"
    text = (
        BANNER
        + CPU.format("1", "1", "97")
        + tables.format("1k", "1")
        + CPU.format("1", "1", "97")
        + tables.format("2.0M", "40.0")
    )
    found = told(text)
    assert found["disk_read_rate", "sda"] == 2 * 1024**2
    assert found["disk_write_rate", "sda"] == 1024**2
    assert found["disk_utilization", "sda"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    "stamps",
    [("11/29/26 16:55:20", "11/29/26 16:55:21"), ("29.11.2026 16:55:20", "29.11.2026 16:55:21"),
     ("2026-11-29T16:55:20+0100", "2026-11-29T16:55:21+0100"), ("11/29/2026 04:55:20 PM", "11/29/2026 04:55:21 PM")],
)  # fmt: skip
def test_time_lines_are_no_rows(stamps):
    """-t adds a line with the time in the locale's form."""
    first, second = stamps
    text = BANNER + first + "\n" + report("1", "1", "97", NEW, "vda 1 1 0 0 9 1 1 1 9 9") + second + "\n"
    text += report("1", "1", "97", NEW, "vda 1 1 0 0 9 1 1 1 9 30.0")
    reading = IostatReader().read(Source.of_bytes("io", text.encode()))
    assert reading.lines_not_understood == 0
    assert told(text)["disk_utilization", "vda"] == pytest.approx(0.3)


def test_device_tables_alone_are_reports():
    """-d leaves the CPU out: each header begins a report."""
    text = BANNER + "\n".join(f"{NEW}\nvda 1 1 0 0 9 1 1 1 9 {util}\n" for util in (1, 40, 60))
    assert told(text)["disk_utilization", "vda"] == pytest.approx(0.5)


def test_what_lies_on_a_disk_is_not_counted_again():
    """Partitions, mapper, loop and RAID devices beside their disks are left out."""
    names = ("nvme0n1", "nvme0n1p1", "sda", "sda1", "dm-0", "md0", "loop3", "sr0", "nvme0c0n1")
    rows = [f"{name} 1 1 0 0 9 1 1 1 9 9" for name in names]
    text = BANNER + report("1", "1", "97", NEW, *rows) * 2
    assert {disk for name, disk in told(text) if name == "disk_utilization"} == {"nvme0n1", "sda"}


def test_without_reads_their_wait_is_unknown():
    """A wait of 0.00 without any request is no fast disk."""
    text = BANNER + report("1", "1", "97", NEW, "vda 0.00 0.00 0 0 0.00 0.00 5 5 0 0") * 2
    assert ("disk_read_await", "vda") not in told(text)


def test_the_report_since_boot_alone_says_nothing():
    """One report gives the number of cores and a message with the command that would help."""
    reading = IostatReader().read(
        Source.of_bytes("io", (BANNER + report("1", "1", "97", NEW, "vda 1 1 0 0 9 1 1 1 9 9")).encode())
    )
    assert [each.measurement for each in reading.observations] == ["host_cores"]
    assert codes(reading) == {"since-boot-only"}


def test_a_share_beyond_a_whole_is_rejected_and_shown():
    """Rounding is forgiven, an impossible value is no value."""
    text = (
        BANNER
        + report("1", "1", "97", NEW, "vda 1 1 0 0 9 1 1 1 9 9")
        + report("1", "140", "97", NEW, "vda 1 1 0 0 9 1 1 1 9 100.50")
    )
    found = {each.measurement: each for each in IostatReader().read(Source.of_bytes("io", text.encode())).observations}
    assert found["disk_utilization"].value.lo == 1.0
    assert (found["cpu_iowait_share"].value, found["cpu_iowait_share"].given) == (None, "1.4")


def test_two_runs_in_one_file_have_two_first_reports():
    """Each banner is followed by a report since boot."""
    assert told(TWO + TWO)["disk_utilization", "vda"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    "text",
    [
        "Linux 6.1 (h) \t11/29/26 \t_x86_64_\t(2 CPU)\n\n16:55:20 UID PID %usr %system Command\n",
        "Device busy: try again\n",
    ],
)
def test_other_text_is_not_claimed(text):
    """Other sysstat tools and prose are left alone."""
    assert not IostatReader().recognises(Source.of_bytes("x", text.encode()))


ENTRY = (
    '{"avg-cpu": {"user": 50, "iowait": %s, "steal": 0.0, "idle": 40.0}, "disk": [{"disk_device": "vda", '
    '"r/s": 100.0, "rkB/s": 400.0, "r_await": 2.0, "aqu-sz": 1.0, "util": %s}]}'
)
JSON = '{"sysstat": {"hosts": [{"nodename": "vm", "number-of-cpus": 4, "statistics": [' + ", ".join(
    ENTRY % pair for pair in (("1.0", "1.0"), ("4.0", "40.0"), ("6.0", "60.0"))
)


@pytest.mark.parametrize(
    ("text", "truncated"),
    [
        pytest.param(JSON + "]}]}}", False, id="whole"),
        pytest.param(JSON, True, id="cut after an entry"),
        pytest.param(JSON + ', {"avg-cpu": {"us', True, id="cut within an entry"),
        pytest.param(
            JSON.replace("4.0,", "4,0,").replace('"util": 60.0', '"util": 60,0') + "]}]}}", False, id="commas"
        ),
    ],
)
def test_json_reports(text, truncated):
    """JSON gives the same as text, and as much of it as is complete."""
    found = told(text, IostatJsonReader())
    assert found["host_cores", ""] == 4
    assert found["cpu_utilization", ""] == pytest.approx(0.55)
    assert found["disk_utilization", "vda"] == pytest.approx(0.5)
    assert found["disk_read_request_size", "vda"] == 4096
    assert codes(IostatJsonReader().read(Source.of_bytes("io", text.encode()))) == (
        {"truncated"} if truncated else set()
    )


def test_json_of_other_names_says_that_it_holds_nothing():
    """Reports in which no field has a name that is known are no silence."""
    text = (
        JSON.replace('"idle"', '"itle"')
        .replace("iowait", "iovait")
        .replace("steal", "stael")
        .replace("disk_device", "disk_devise")
        .replace("number-of-cpus", "cpus")
    )
    reading = IostatJsonReader().read(Source.of_bytes("io", f"{text}]}}]}}}}".encode()))
    assert reading.observations == ()
    assert codes(reading) == {"no-values"}


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, len(JSON)), by=st.binary(max_size=8), text=st.sampled_from([TWO, JSON]))
def test_damaged_text_never_raises(at, by, text):
    """Any bytes in the middle give a reading."""
    data = text.encode()
    reader = IostatReader() if text is TWO else IostatJsonReader()
    reader.read(Source.of_bytes("x", data[:at] + by + data[at + len(by) :]))
