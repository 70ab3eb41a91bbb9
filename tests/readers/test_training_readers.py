"""What all readers of training tools keep to: recognised by content, known ids, no traceback, wrappings ignored."""

from __future__ import annotations

import functools
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readers.training_texts import TEXTS

from dam_expert.kb.load import load_knowledge
from dam_expert.readers.gather import read_one
from dam_expert.readers.source import Source


def read(data: bytes) -> Any:
    return read_one(Source.of_bytes("x", data))


def told(data: bytes) -> list[tuple[str, Any, Any]]:
    reading, _ = read(data)
    return [(each.measurement, each.scope, each.value) for each in reading.observations]


@functools.cache
def base() -> Any:
    found, messages = load_knowledge()
    assert found is not None, messages
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_each_output_is_recognised_as_what_it_is(name):
    """The registry hands each text to its own reader, which gives observations."""
    text, tool = TEXTS[name]
    reading, message = read(text.encode())
    assert message is None
    assert reading.tool == tool
    assert reading.observations


@pytest.mark.parametrize("name", TEXTS)
def test_ids_exist(name):
    """Every id that a reader emits is a measurement of the base, every word one of its values, every tool known."""
    reading, _ = read(TEXTS[name][0].encode())
    for found in reading.observations:
        measurement = base().measurements[found.measurement]
        assert found.origin.tool in base().tools
        if isinstance(found.value, str) and measurement.model.values:
            assert found.value in measurement.model.values


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(lambda text: "\ufeff" + text, id="BOM"),
        pytest.param(lambda text: "```\n" + text + "\n```\n", id="fence"),
        pytest.param(lambda text: "\n".join("\x1b[1m" + line + "\x1b[0m" for line in text.split("\n")), id="colours"),
    ],
)
def test_wrappings_change_nothing(name, wrap):
    """Line ends, byte order marks, fences and colours do not change what is read."""
    text = TEXTS[name][0]
    assert told(wrap(text).encode()) == told(text.encode())


@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(sorted(TEXTS)), at=st.floats(0, 1), by=st.binary(max_size=12), cut=st.booleans())
def test_damaged_text_never_raises(name, at, by, cut):
    """Cut anywhere or with any bytes in the middle, a text gives a reading or a message, and no reader fails."""
    data = TEXTS[name][0].encode()
    place = int(at * len(data))
    damaged = data[:place] + by + (b"" if cut else data[place + len(by) :])
    reading, message = read(damaged)
    assert message is None or message.code != "reader-failed"
    assert reading is None or reading.observations or reading.messages


@settings(max_examples=200, deadline=None)
@given(
    name=st.sampled_from(sorted(TEXTS)),
    digits=st.sampled_from(["nan", "-1", "1e308", "9" * 40, "N/A", "-", ""]),
    at=st.integers(0, 40),
)
def test_numbers_of_any_kind_never_raise(name, digits, at):
    """A number replaced by one that cannot be, or by "not available", is no failure."""
    text = TEXTS[name][0]
    places = list(re.finditer(r"\d+(?:\.\d+)?", text))
    place = places[at % len(places)]
    reading, message = read((text[: place.start()] + digits + text[place.end() :]).encode())
    assert message is None or message.code != "reader-failed"
    assert reading is None or reading.observations or reading.messages
