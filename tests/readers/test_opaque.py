"""Files that are recognised and not opened."""

from __future__ import annotations

import pickle

from readers.traces import codes

from dam_expert.readers.gather import read_one
from dam_expert.readers.source import Source


def test_a_memory_snapshot_is_refused_with_the_reason():
    """A pickle is never opened; what to pass instead is said."""
    snapshot = pickle.dumps({"segments": [], "device_traces": []})
    reading, message = read_one(Source.of_bytes("snapshot.pickle", snapshot))
    assert message is None
    assert not reading.observations
    assert "pickle" in reading.messages[0].text
    assert "memory_summary" in reading.messages[0].hint


def test_other_pickles_stay_pickles():
    """A pickle of something else is told by its kind."""
    reading, message = read_one(Source.of_bytes("x.pkl", pickle.dumps([1, 2])))
    assert reading is None
    assert "pickle" in message.text


def test_an_event_file_asks_for_csv():
    """TensorBoard event files are recognised by their first record."""
    reading, _ = read_one(
        Source.of_bytes("e", b"\x18" + b"\0" * 7 + b'\xa3\x7fK"\t\0\0\0\xc0\x1a\x0dbrain.Event:2R\0\0')
    )
    assert codes(reading) == {"not-opened"}
    assert "CSV" in reading.messages[0].hint
