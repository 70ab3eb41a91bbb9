"""JSON and YAML: the diagnosis document itself, safe to print."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sample_diagnoses import CONFIRMED, UNDETERMINED

from dam_expert.documents.diagnosis import diagnosis_schema
from dam_expert.documents.messages import UNSAFE
from dam_expert.reports import to_json, to_yaml

EVIL = "\x1b[31m \x85\u2028\u202e\udc80\ufeff é 数据"
SCALARS = st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none()


@pytest.mark.parametrize("diagnosis", [CONFIRMED, UNDETERMINED], ids=["confirmed", "undetermined"])
def test_the_document_fits_its_schema(diagnosis):
    """What is written is valid under the published JSON Schema."""
    jsonschema.validate(json.loads(to_json(diagnosis.as_data())), diagnosis_schema())


def test_yaml_is_the_same_data():
    """YAML and JSON of one diagnosis parse to equal data."""
    data = CONFIRMED.as_data()
    assert json.loads(to_json(data)) == yaml.safe_load(to_yaml(data))


@pytest.mark.parametrize("write", [to_json, to_yaml])
def test_unsafe_characters_are_escaped_and_letters_are_not(write):
    """Controls, direction marks and lone surrogates become escapes; accents and Chinese stay readable."""
    text = write({EVIL: EVIL})
    assert [found for found in UNSAFE.findall(text) if found != "\n"] == []
    assert text.count(" é 数据") == 2


@given(st.dictionaries(st.text(), SCALARS | st.lists(SCALARS)))
def test_json_round_trip(data):
    """Any text comes back from JSON as it went in."""
    assert data == json.loads(to_json(data))


def test_yaml_round_trip():
    """Hostile text comes back from YAML as it went in, and no text turns into a number or a date."""
    data = {"a": [EVIL, "yes", "2024-01-01", "1e3", "0x1F", "", "null", " x ", "a: b", "- c", "x\ny\n", "\t"]}
    assert data == yaml.safe_load(to_yaml(data))


@given(st.dictionaries(st.text(), st.recursive(SCALARS, lambda own: st.lists(own) | st.dictionaries(st.text(), own))))
def test_yaml_in_parts_is_the_same_data(data):
    """Parts are written one by one and remembered; together they are one document, and the same text every time."""
    written = to_yaml(data)
    assert yaml.safe_load(written) == yaml.safe_load(yaml.safe_dump(data))
    assert to_yaml(data) == written


@pytest.mark.parametrize("text", ["it's " * 100, "中文 " * 200, "x" * 5000, "- a: 1 # no comment " * 30, "line\n" * 90])
def test_long_texts_are_read_back(text):
    """However long and whatever stands in them, alone and in lists."""
    data = {"kept": {"turns": [["why", text], text], "one": text}, "text": text}
    assert yaml.safe_load(to_yaml(data)) == data
