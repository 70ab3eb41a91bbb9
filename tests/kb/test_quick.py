"""Documents of entries: read quickly or with a closer look, they are the same."""

from __future__ import annotations

import pytest
import yaml

from dam_expert.kb.quick import quick_data
from dam_expert.kb.source import read_yaml
from dam_expert.kb.where import base_files, hardware_files, shipped_folders

PLAIN = {
    "an entry": "rules:\n  - id: a\n    when: {all: [x > 1, y]}\n",
    "kinds of scalars": "a:\n  - [1, 1e3, 0o17, 0x1f, .inf, ~, null, true, yes, '1', \"2\", 1:30, 40 %, -]\n",
    "blocks of text": "a:\n  - b: |\n      one\n      two\n    c: >-\n      three\n      four\n",
    "nothing in it": "a: []\nb: {}\nc:\n",
    "lists in lists": "a:\n  - - - 1\n    - {}\n  - 2\n",
    "json": '{"rules": [{"id": "a", "b": [1, null]}]}',
}
CLOSER = {
    "a key twice": "a:\n  - {b: 1, b: 2}\n",
    "an anchor": "a:\n  - &x {b: 1}\n  - *x\n",
    "a tag": "a:\n  - !!str 1\n",
    "a tag on a list": "a: !mine\n  - 1\n",
    "a key that is a number": "a:\n  - {1: b}\n",
    "a key that is a list": "a:\n  - {[1]: b}\n",
    "too large a number": "a:\n  - 1e999\n",
    "two documents": "a: []\n---\nb: []\n",
    "a list": "- a\n",
    "a text": "a\n",
    "too deep": "a: " + "[" * 64 + "]" * 64,
}
BROKEN = {
    "an error of syntax": "rules:\n  - id: a\n    when: [\n  - id: b\n",
    "empty": "",
    "a comment": "# nothing\n",
}


def paths(data, path=()):
    yield path
    for step, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from paths(inner, (*path, step))


def typed(data):
    if isinstance(data, dict):
        return {key: typed(value) for key, value in data.items()}
    return [typed(value) for value in data] if isinstance(data, list) else (type(data), repr(data))


def assert_same(text):
    quick, said = read_yaml(text, file="x.yaml", entries=True)
    closer, told = read_yaml(text, file="x.yaml")
    assert said == told
    assert (quick is None) == (closer is None)
    if quick is not None:
        assert typed(quick.data) == typed(closer.data)
        for path in [*paths(closer.data), ("absent",), ("a", 99)]:
            assert quick.place(path) == closer.place(path)
            assert quick.place(path, key=True) == closer.place(path, key=True)


@pytest.mark.parametrize("text", [*PLAIN.values(), *CLOSER.values()], ids=[*PLAIN, *CLOSER])
def test_both_ways_give_the_same(text):
    """Data, the place of everything in it, and messages."""
    assert_same(text)


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_plain_documents_are_read_quickly(text):
    """Without the place of every value."""
    assert quick_data(yaml.CSafeLoader(text).get_event) is not None


@pytest.mark.parametrize("text", CLOSER.values(), ids=CLOSER)
def test_what_needs_a_closer_look_gets_one(text):
    """So that what is wrong with it is said, and what it stands for is meant."""
    assert quick_data(yaml.CSafeLoader(text).get_event) is None


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_is_told_as_before(text):
    """An entry with an error of syntax is put aside, and an empty file is said to be empty."""
    document, messages = read_yaml(text, file="x.yaml", entries=True)
    assert [message.code for message in messages] == ["yaml-syntax" if "rules" in text else "empty"]
    assert (document is None) == ("rules" not in text)


def test_the_shipped_base_is_read_quickly():
    """All of its files: they are the reason for two ways."""
    for path in [*base_files(shipped_folders()), *hardware_files(shipped_folders())]:
        assert quick_data(yaml.CSafeLoader(path.read_text(encoding="utf-8")).get_event) is not None, path
