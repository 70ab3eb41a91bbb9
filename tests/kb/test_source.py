"""Reading YAML with places and bounds."""

from __future__ import annotations

import json
import os
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dam_expert.documents.messages import Level
from dam_expert.documents.observations import Origin
from dam_expert.kb.nodes import MAX_DEPTH, MAX_NODES
from dam_expert.kb.source import MAX_BYTES, read_yaml


def problems(text):
    """Return the messages about a text, as they are printed."""
    return [str(message) for message in read_yaml(text, file="f")[1]]


RULES = """\
# a comment
- id: one
  when:
    all: [a < 3, {b: 1}]
- &second
  id: two
- *second
"""


@pytest.mark.parametrize(
    ("path", "key", "line", "column"),
    [
        pytest.param((), False, 2, 1, id="document"),
        pytest.param((0,), False, 2, 3, id="item"),
        pytest.param((0, "id"), False, 2, 7, id="value"),
        pytest.param((0, "id"), True, 2, 3, id="key"),
        pytest.param((0, "when", "all", 1), False, 4, 18, id="flow mapping"),
        pytest.param((0, "when", "all", 1, "b"), False, 4, 22, id="in a flow mapping"),
        pytest.param((0, "when", "all", 1), True, 4, 18, id="an item has no key"),
        pytest.param((0, "title"), False, 2, 3, id="missing key"),
        pytest.param((0, "title"), True, 2, 3, id="missing key as key"),
        pytest.param((0, "when", "any", 3), False, 4, 5, id="missing below"),
        pytest.param((9,), False, 2, 1, id="missing item"),
        pytest.param((2,), False, 7, 3, id="alias"),
        pytest.param((2, "id"), False, 6, 7, id="in an alias"),
    ],
)
def test_every_value_and_key_has_its_place(path, key, line, column):
    """A place is line and column from 1; what does not exist is reported at what encloses it."""
    document, messages = read_yaml(RULES)
    assert messages == []
    assert document.place(path, key=key) == (line, column)


def test_data_is_plain():
    """Aliases are what they stand for, and nothing of the parser is left."""
    document, _ = read_yaml(RULES)
    assert document.data == [
        {"id": "one", "when": {"all": ["a < 3", {"b": 1}]}},
        {"id": "two"},
        {"id": "two"},
    ]


def test_a_document_writes_origins_and_messages():
    """An origin has the line, a message line and column of the value or its key."""
    document, _ = read_yaml(RULES, file="rules/a.yaml")
    assert document.origin((0, "id")) == Origin(file="rules/a.yaml", line=2)
    said = document.message((0, "id"), key=True, code="odd", text="odd", level=Level.WARNING)
    assert str(said) == "rules/a.yaml:2:3: warning: odd [odd]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "a: b: c",
            "f:1:5: error: a second ': ' on one line; put the value in quotes, or start a new line",
            id="colon",
        ),
        pytest.param(
            "a: > 90 %", "f:1:6: error: '>' and '|' begin a block of text; put the value in quotes", id="bound"
        ),
        pytest.param("a: [1,\n 2", "f:1:4: error: a list in brackets is not closed; add ',' or ']'", id="bracket"),
        pytest.param("a: {b: 1\nc: 2", "f:1:4: error: a mapping in braces is not closed; add ',' or '}'", id="brace"),
        pytest.param("a: 'x\n\n", "f:1:4: error: a quotation mark is not closed; close it", id="quote"),
        pytest.param("a:\n\t- b", "f:2:1: error: a tab cannot indent in YAML; use spaces", id="tab"),
        pytest.param("a: @x", "f:1:4: error: '@' cannot begin a value; put the value in quotes", id="at"),
        pytest.param("a: %x", "f:1:4: error: '%' cannot begin a value; put the value in quotes", id="percent"),
        pytest.param(
            "a:\n  b: 1\n c: 2",
            "f:3:2: error: this line does not fit the lines above; align it with the keys of its block",
            id="indent",
        ),
        pytest.param(
            "- a\nb: 1",
            "f:2:1: error: this line does not fit the list above; begin it with '- ', or indent it",
            id="list",
        ),
        pytest.param("a: - b", "f:1:4: error: '- ' cannot stand here; start a new line for the list", id="dash"),
        pytest.param(
            'a: "\\q"',
            "f:1:5: error: an unknown escape in double quotes; use single quotes, or write '\\\\'",
            id="escape",
        ),
        pytest.param("a: ]", "f:1:4: error: did not find expected node content", id="as the parser says it"),
    ],
)
def test_a_syntax_error_is_said_in_plain_words(text, said):
    """Malformed YAML gives one message with line, column and what to write; nothing of it is used."""
    assert read_yaml(text)[0] is None
    assert problems(text) == [f"{said} [yaml-syntax]"]


@pytest.mark.parametrize(
    ("text", "data", "said"),
    [
        pytest.param(
            "a: 1\nb: 2\na: 3",
            {"a": 1, "b": 2},
            "f:3:1: error: the key 'a' stands here twice; it is first on line 1 [duplicate-key]",
            id="duplicate",
        ),
        pytest.param(
            "8: x\nb: 1",
            {"8": "x", "b": 1},
            "f:1:1: error: the key 8 is not text; write '8' in quotes [key-not-text]",
            id="number as key",
        ),
        pytest.param(
            "~: x",
            {"~": "x"},
            "f:1:1: error: the key ~ is not text; write '~' in quotes [key-not-text]",
            id="null as key",
        ),
        pytest.param(
            "[a]: x\nb: 1", {"b": 1}, "f:1:3: error: a list or mapping cannot be a key [key-not-text]", id="list as key"
        ),
        pytest.param(
            "a: !!python/name:os.system x",
            {"a": "x"},
            "f:1:4: error: the tag '!!python/name:os.system' is not known; remove it [unknown-tag]",
            id="tag",
        ),
        pytest.param(
            "a: !set {b: 1}",
            {"a": {"b": 1}},
            "f:1:4: error: the tag '!set' is not known; remove it [unknown-tag]",
            id="tag of a mapping",
        ),
        pytest.param(
            "a: !!int x", {"a": "x"}, "f:1:4: error: 'x' is not what its tag '!!int' says [wrong-type]", id="wrong tag"
        ),
        pytest.param(
            "a: *b",
            {"a": None},
            "f:1:4: error: no anchor is called '&b' before this [unknown-anchor]",
            id="unknown alias",
        ),
        pytest.param(
            "a: 1e999", {"a": None}, "f:1:4: error: the number 1e999 is too large [number-too-large]", id="large"
        ),
        pytest.param(
            "--- {a: 1}\n--- {a: 2}",
            {"a": 1},
            "f:2:1: error: a second document begins here; use one file for each [several-documents]",
            id="stream",
        ),
    ],
)
def test_a_problem_leaves_the_rest_usable(text, data, said):
    """What is wrong is said and left out; the rest of the document stands."""
    document, messages = read_yaml(text, file="f")
    assert (document.data, [str(message) for message in messages]) == (data, [said])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "f: error: the document is empty [empty]", id="empty"),
        pytest.param("# nothing", "f: error: the document is empty [empty]", id="comment"),
        pytest.param("a: &x [*x]", "f:1:8: error: '*x' contains itself; write the value out [alias-loop]", id="loop"),
        pytest.param(
            "a\x07b: 1",
            "f:1:2: error: the control character U+0007 is not allowed; remove it [control-character]",
            id="bell",
        ),
        pytest.param(
            "a: 1\nb: \x1b[31m",
            "f:2:4: error: the control character U+001B is not allowed; remove it [control-character]",
            id="escape code",
        ),
        pytest.param(
            "a: \ud800",
            "f:1:4: error: the control character U+D800 is not allowed; remove it [control-character]",
            id="surrogate",
        ),
        pytest.param("a\x00", "f: error: this is a binary file, not YAML [binary]", id="binary"),
        pytest.param(
            "[" * (MAX_DEPTH + 1),
            "f:1:65: error: more than 64 levels of nesting; flatten the document [too-deep]",
            id="deep",
        ),
        pytest.param(
            "{a: " * 100_000,
            "f:1:257: error: more than 64 levels of nesting; flatten the document [too-deep]",
            id="very deep",
        ),
        pytest.param(
            "- " * 100_000,
            "f:1:129: error: more than 64 levels of nesting; flatten the document [too-deep]",
            id="very deep list",
        ),
    ],
)
def test_a_document_that_cannot_be_used_is_refused(text, said):
    """Empty, binary, hostile: one line that says so, and no document."""
    assert read_yaml(text)[0] is None
    assert problems(text) == [said]


def test_aliases_cannot_multiply_without_bound():
    """Ten levels of ten aliases are ten billion values: refused while they are counted, not built."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 11)]
    assert read_yaml("\n".join(lines))[0] is None
    said = f"error: more than {MAX_NODES} values, aliases written out; split the file [too-large]"
    assert [re.sub(r"^f:\d+:\d+: ", "", line) for line in problems("\n".join(lines))] == [said]


def test_aliases_cannot_nest_without_bound():
    """A chain of aliases is as deep as what it stands for."""
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 100))]
    assert problems("\n".join(lines)) == [
        "f:64:12: error: more than 64 levels of nesting; flatten the document [too-deep]"
    ]


def test_json_is_read_with_its_escapes():
    """JSON is YAML but for its surrogate pairs, which are read too."""
    text = '{"face": "\\ud83d\\ude00", "slash": "\\/", "n": 1e3}'
    assert read_yaml(text)[0].data == {"face": "😀", "slash": "/", "n": 1000.0}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(
            b"a: 1\nb\xff: 2", ":2:2: error: byte 0xff is not UTF-8 text; save the file as UTF-8 [encoding]", id="latin"
        ),
        pytest.param("a: 1".encode("utf-16"), ": error: the file is UTF-16; save it as UTF-8 [encoding]", id="utf-16"),
        pytest.param(b"\x89PNG\x00\x00", ": error: this is a binary file, not YAML [binary]", id="image"),
        pytest.param(
            b"a" * (MAX_BYTES + 1), ": error: the file is larger than 16 MiB; split it [too-large]", id="huge"
        ),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path, content, said):
    """Encoding, size and binary content are checked before anything is parsed."""
    path = tmp_path / "f.yaml"
    path.write_bytes(content)
    document, messages = read_yaml(path, file="f")
    assert (document, [str(message) for message in messages]) == (None, [f"f{said}"])


def test_a_byte_order_mark_is_not_content(tmp_path):
    """Files from other systems begin with a mark; places are counted without it."""
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1")
    document, messages = read_yaml(path)
    assert (document.data, document.place(("a",), key=True), messages) == ({"a": 1}, (1, 1), [])
    assert document.file == str(path)


def test_what_is_no_file_is_refused(tmp_path):
    """Folders, pipes and missing files give a line, and reading never waits."""
    os.mkfifo(tmp_path / "pipe")
    said = [str(read_yaml(tmp_path / name, file="f")[1][0]) for name in ("", "pipe", "absent")]
    assert said == [
        "f: error: it is a folder; name a file [not-a-file]",
        "f: error: it is a pipe, socket or device; name a file [not-a-file]",
        "f: error: the file cannot be read: No such file or directory [unreadable]",
    ]


@given(st.text(alphabet=st.sampled_from(list("ab:- []{},\n\t'\"&*!|>%@#?~1.e\\\x07é")), max_size=60))
def test_no_text_raises(text):
    """Whatever is written, the result is a document or a message."""
    document, messages = read_yaml(text)
    assert document is not None or messages


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=80), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.text(max_size=80), plain), st.booleans())  # keys of YAML end at 1024 characters
@example({"a": "\x85\u2028\u2029"}, False)
def test_json_is_read_as_json_reads_it(data, escaped):
    """Every JSON document gives the same data as the JSON parser, whichever way its text is written."""
    text = json.dumps(data, ensure_ascii=escaped)
    document, messages = read_yaml(text)
    if messages:
        assert {message.code for message in messages} <= {"control-character"}
    else:
        assert document.data == data


def test_of_too_many_values_the_first_are_read(monkeypatch):
    """A document beyond the bound is read up to it: whole items of its outermost list stay, and it is told."""
    monkeypatch.setattr("dam_expert.kb.nodes.MAX_NODES", 20)
    text = "id: a\nobservations:\n" + "".join(f"  - {{measurement: m{n}, value: [1, 2]}}\n" for n in range(9))
    document, messages = read_yaml(text, file="f")
    items = [{"measurement": f"m{n}", "value": [1, 2]} for n in range(2)]
    assert document.data == {"id": "a", "observations": items}
    assert [str(message) for message in messages] == [
        "f:5:31: error: more than 20 values: the rest is not read; split the file [too-large]"
    ]
