"""What is said of an export, on exports small enough to check by hand."""

from __future__ import annotations

import gzip

import pytest
from readers.nsys.exports import Export, training
from readers.said import codes, read, values

from dam_expert.readers.nsys.export import NsysExportReader
from dam_expert.readers.source import Source


@pytest.mark.parametrize("by_id", [False, True], ids=["text in place", "text by id"])
def test_ranges_that_mark_steps_give_shares_of_the_step(by_id):
    """The same step as in a profiler trace gives the same shares."""
    found = values(read(NsysExportReader(), training(by_id=by_id).file()))
    assert found["step_time"] == 0.001
    assert found["steps_captured"] == 3
    assert found["input_wait_share"] == pytest.approx(0.4)
    assert found["input_gap_share"] == pytest.approx(0.4)
    assert found["device_busy_share"] == pytest.approx(0.4)
    assert found["host_gap_share"] == pytest.approx(0.2)
    assert found["kernels_per_step"] == 8
    assert found["capture_state"] == "complete"
    assert found["step_marks"] == "true"
    assert found["launch_duration_mean"] == 0.000001


@pytest.mark.parametrize(
    "without",
    [
        pytest.param(("globalPid",), id="no process of kernels"),
        pytest.param(("eventType", "textId"), id="ranges only, no ids"),
        pytest.param(("shortName",), id="long names only"),
    ],
)
def test_columns_that_a_schema_lacks_are_done_without(without):
    """Columns come and go with the version of the schema."""
    assert values(read(NsysExportReader(), training().file(without=without)))["device_busy_share"] == pytest.approx(0.4)


def test_without_marks_shares_are_of_the_span_and_collectives_are_told():
    """Between the first and the last device activity, exposed collectives and copies have names of their own."""
    export = Export().kernels(0, 5, 150, 10)
    export.kernel(1500, 500, name="ncclDevKernel_AllReduce_Sum_f32").copy(2000, 1000, size=4_000_000, memory=0)
    reading = read(NsysExportReader(), export.file())
    found = values(reading)
    assert found["span_busy_share"] == pytest.approx(2250 / 3000)
    assert found["span_kernel_share"] == pytest.approx(750 / 3000)
    assert found["span_communication_exposed_share"] == pytest.approx(500 / 3000)
    assert found["span_copy_exposed_share"] == pytest.approx(1000 / 3000)
    assert found["h2d_bandwidth"] == pytest.approx(4e9)
    assert found["copy_memory_kind"] == "pageable"
    assert "device_busy_share" not in found
    assert codes(reading) == {"no-steps"}


def test_small_copies_tell_no_bandwidth():
    """Where a copy is over before it has begun, its time is no bandwidth, and its memory does not matter."""
    found = values(read(NsysExportReader(), Export().kernels(0, 5, 150, 10).copy(2, 5, size=8, memory=0).file()))
    assert not {"h2d_bandwidth", "copy_memory_kind"} & found.keys()


def test_start_up_before_the_first_kernel_counts_nowhere():
    """A context that takes a second to make is not idle time of the job."""
    export = Export().call("cudaMalloc_v3020", -1_000_000, 900_000).kernels(0, 50, 150, 100)
    found = values(read(NsysExportReader(), export.file()))
    assert found["capture_state"] == "complete"
    assert found["span_busy_share"] == pytest.approx(7500 / 14950)


def test_each_process_is_looked_at_by_itself():
    """Correlation ids of two processes are different things, and shares are told by device."""
    one = Export()
    for number in range(200):
        one.kernel(number * 100, 80, device=0, process=1)
    one.ids = 100
    for number in range(200):
        one.kernel(number * 100, 20, device=1, process=2)
    found = values(read(NsysExportReader(), one.file()))
    assert found["span_busy_share[0]"] == pytest.approx(0.8, abs=0.002)
    assert found["span_busy_share[1]"] == pytest.approx(0.2, abs=0.002)
    assert found["orphan_device_share[0]"] == 0.0


def test_the_accelerator_is_named_and_nothing_else_leaves():
    """Of the target's description the device's name is taken."""
    table = (
        "CREATE TABLE TARGET_INFO_GPU (id, name, busLocation)",
        "INSERT INTO TARGET_INFO_GPU VALUES (3, 'Tesla T4', 'secret')",
    )
    reading = read(NsysExportReader(), training().file(*table))
    assert values(reading)["accelerator"] == "Tesla T4"
    assert "secret" not in repr(reading)


def test_whole_graphs_are_told():
    """Kernels inside a graph cannot be told apart from collectives."""
    table = (
        "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, correlationId, globalPid)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (60000900000, 60000950000, 0, 101, 16777216)",
    )
    reading = read(NsysExportReader(), training().file(*table))
    assert "whole-graphs" in codes(reading)
    assert values(reading)["device_other_share"] > 0


def test_of_a_profile_with_too_many_events_the_middle_is_used(monkeypatch):
    """Memory is bounded: a part of the time is looked at, with everything that is in it."""
    monkeypatch.setattr("dam_expert.readers.nsys.events.EVENTS", 1200)
    reading = read(NsysExportReader(), training(steps=100).file())
    found = values(reading)
    assert 50 < found["steps_captured"] < 70
    assert found["device_busy_share"] == pytest.approx(0.4, abs=0.01)
    assert codes(reading) == {"too-large"}


def test_compressed_and_in_memory_exports_are_read(tmp_path):
    """The database may come from a file, compressed, or from standard input."""
    data = training().file()
    for name, content in (("a#b?.sqlite", data), ("c", gzip.compress(data))):
        (tmp_path / name).write_bytes(content)
        source = Source.of_path(tmp_path / name)
        assert NsysExportReader().recognises(source)
        assert values(NsysExportReader().read(source))["device_busy_share"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    "extra",
    [
        pytest.param(
            ("DROP TABLE NVTX_EVENTS", "CREATE VIEW NVTX_EVENTS AS SELECT randomblob(999999999) AS text"),
            id="a view in place of a table",
        ),
        pytest.param(("DELETE FROM StringIds",), id="names are gone"),
        pytest.param(("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'x' WHERE rowid = 1",), id="a word for a time"),
        pytest.param(
            ("UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = start - 5 WHERE rowid = 2",), id="an end before its start"
        ),
        pytest.param(
            ("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = NULL, correlationId = x'00'",), id="blobs and nothing"
        ),
        pytest.param(("CREATE TABLE TARGET_INFO_GPU (id, name AS (zeroblob(999999999)))",), id="a generated column"),
        pytest.param(("UPDATE NVTX_EVENTS SET globalTid = -9223372036854775808",), id="numbers at the edge"),
    ],
)
def test_hostile_schemas_and_cells_give_messages(extra):
    """Nothing in the file is run, and what cannot be is left out and counted."""
    reading = read(NsysExportReader(), training().file(*extra))
    assert reading.observations
    assert reading.lines_not_understood <= 1


def test_a_damaged_database_gives_what_could_be_read():
    """A file that was cut says so."""
    data = training(steps=200).file()
    reading = read(NsysExportReader(), data[: len(data) // 2])
    assert "damaged" in codes(reading)


def test_an_export_without_events_says_so():
    """Tables without rows are answered with the next step."""
    reading = read(NsysExportReader(), Export().file())
    assert codes(reading) == {"no-events"}
    assert not reading.observations


def test_other_databases_are_left_alone():
    """An SQLite file of another program is not claimed."""
    data = Export().file("DROP TABLE META_DATA_EXPORT")
    assert not NsysExportReader().recognises(Source.of_bytes("other.db", data))


def test_a_schema_that_is_no_text_is_damage():
    """Bytes in the schema that are no text give a message."""
    data = training().file().replace(b"CREATE TABLE NVTX_EVENTS", b"CREATE\xffTABLE\xfeNVTX_EVENTS")
    assert "damaged" in codes(read(NsysExportReader(), data))


def test_nothing_at_all_is_an_export_without_events():
    """An archive may hold nothing."""
    assert codes(NsysExportReader().read(Source.of_bytes("a.gz", gzip.compress(b"")))) == {"no-events"}
