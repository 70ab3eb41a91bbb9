"""Decoding of damaged, cut and large traces."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readers.traces import Trace, codes, read, training, values

from dam_expert.readers.pytorch_trace import stream as stream_module
from dam_expert.readers.pytorch_trace.stream import EventStream


def names(text: bytes, size: int = 64) -> tuple[list[str | None], EventStream]:
    blocks = (text[at : at + size] for at in range(0, len(text), size))
    stream = EventStream(blocks)
    return [event.name for batch in stream.batches() for event in batch], stream


def test_a_cut_trace_gives_its_complete_events():
    """A job that was killed leaves a file without an end: every complete event is used, as a partial capture."""
    text = training(steps=5).text
    reading = read(text[: int(len(text) * 0.7)])
    found = values(reading)
    assert found["capture_state"] == "partial"
    assert found["steps_captured"] >= 3
    assert found["input_wait_share"][1] == 1.0
    assert "truncated" in codes(reading)
    assert not {"host_gap_share", "input_gap_share"} & set(found)


def test_a_cut_gzip_gives_what_was_decompressed():
    """A download that stopped is used as far as it goes."""
    zipped = gzip.compress(training(steps=200).text, compresslevel=1)
    reading = read(zipped[: len(zipped) // 2])
    assert values(reading)["capture_state"] == "partial"
    assert "truncated" in codes(reading)


def test_a_cut_before_the_device_events_does_not_say_that_there_are_none():
    """Profilers write host events first: of a cut file the device side is unknown."""
    trace = training()
    trace.events.sort(key=lambda event: event["cat"] == "kernel")
    text = trace.text
    found = values(read(text[: text.index(b'"cat": "kernel"')]))
    assert "device_side" not in found


@pytest.mark.parametrize(
    ("damage", "by"),
    [
        pytest.param(b'"name": "gemm"', b'"name": "ge\xff\xfemm"', id="invalid UTF-8"),
        pytest.param(b'"name": "gemm"', b'"name": "C:\\qemm"', id="unescaped backslash"),
        pytest.param(b'"name": "gemm"', b'"name": "ge\x01mm"', id="control character"),
        pytest.param(b'"device": 0', b'"device": NaN', id="NaN"),
        pytest.param(b'"stream": 20', b'"stream": Infinity', id="Infinity"),
    ],
)
def test_known_damage_of_old_profilers_is_repaired(damage, by):
    """One bad event neither loses the others nor itself."""
    text = training().text
    reading = read(text.replace(damage, by, 1))
    found = values(reading)
    assert found["kernels_per_step"] in (8, pytest.approx(23 / 3))
    assert reading.lines_not_understood == 0


def test_an_event_beyond_repair_is_left_out_and_counted():
    """An unescaped quote costs one event."""
    reading = read(training(steps=40).text.replace(b'"name": "gemm"', b'"name": "ge"mm"', 1))
    assert reading.lines_not_understood == 1
    assert "lines-not-understood" in codes(reading)
    assert values(reading)["capture_state"] == "complete"


def test_header_fields_after_the_events_are_read():
    """Some writers put the header last."""
    trace = training()
    text = json.dumps({"traceEvents": trace.events, "distributedInfo": {"rank": 2}, "other": [{"name": "x"}]})
    _, stream = names(text.encode())
    assert (stream.header.rank, stream.truncated) == (2, False)


@pytest.mark.parametrize("piece", [1, 200, 1000, 10_000_000])
def test_the_size_of_pieces_changes_nothing(piece, monkeypatch):
    """Events are the same wherever the stream is cut."""
    monkeypatch.setattr(stream_module, "PIECE_BYTES", piece)
    trace = training()
    found, stream = names(trace.text)
    assert found == [event["name"] for event in trace.events]
    assert (stream.truncated, stream.unreadable) == (False, 0)


def test_objects_within_arguments_are_not_events():
    """A list of objects in the arguments of an event looks like events and is none."""
    trace = Trace().add("cpu_op", "a", 0, 1, nested=[{"name": "inner"}, {"name": "inner"}]).add("cpu_op", "b", 1, 1)
    found, stream = names(trace.text)
    assert (found, stream.unreadable) == (["a", "b"], 0)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[",
        b"[]",
        b'{"traceEvents": []}',
        b'{"traceEvents": [',
        b'{"schemaVersion": 1',
        b"[" * 100_000,
        b'{"traceEvents": [' + b'{"args":' * 50_000,
        b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1e999, "dur": -5}]}',
        b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": "x", "dur": {}}]}',
        b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 0, "pid": 99999999999999999999}]}',
    ],
)
def test_nothing_useful_is_said_in_a_message(text):
    """Empty, nested and senseless content gives a message and no observation of speed."""
    reading = read(text)
    assert reading.messages
    assert not {"step_time", "device_busy_share", "span_busy_share"} & set(values(reading))


TEXT = training(steps=4).text


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, len(TEXT)), at=st.integers(0, len(TEXT) - 1), by=st.binary(max_size=6))
def test_flipped_and_cut_bytes_never_raise(cut, at, by):
    """Whatever happened to a file, shares stay shares and the rest is messages."""
    reading = read((TEXT[:at] + by + TEXT[at + len(by) :])[:cut])
    for each in reading.observations:
        if each.measurement.endswith("_share"):
            assert 0.0 <= each.value.lo <= each.value.hi <= 1.0


ZIPPED = gzip.compress(TEXT)


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(0, len(ZIPPED)), at=st.integers(0, len(ZIPPED) - 1), by=st.binary(max_size=3))
def test_damaged_compression_never_raises(cut, at, by):
    """A damaged archive gives what could be decompressed, and a message."""
    read((ZIPPED[:at] + by + ZIPPED[at + len(by) :])[:cut])
