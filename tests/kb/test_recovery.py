"""Reading on behind errors of syntax."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dam_expert.kb.recovery import without_entry
from dam_expert.kb.source import read_yaml

TEXT = "rules:\n  - id: a\n    title: x\n  - id: b\n    title: y: z\n  - {id: c, title: t}\n"


def test_the_entry_with_the_error_is_put_aside():
    """The entries before and behind it are read at their places."""
    document, messages = read_yaml(TEXT, file="f", entries=True)
    assert document.data["rules"] == [{"id": "a", "title": "x"}, "zz_lost", {"id": "c", "title": "t"}]
    assert (document.aside, document.place(("rules", 2))) == (("b",), (6, 5))
    assert [message.line for message in messages] == [5]


def test_without_being_asked_for_the_file_is_lost():
    """An incident or a table is not read in part."""
    assert read_yaml(TEXT, file="f")[0] is None


def test_what_is_no_list_of_entries_is_lost():
    """Where no entry holds the line, nothing is put aside."""
    assert without_entry("a: b: c\n", 1) is None
    document, messages = read_yaml("a: b: c\n", file="f", entries=True)
    assert (document, len(messages)) == (None, 1)


def test_a_large_file_is_read_once(tmp_path):
    """What reading on costs is bounded: beyond that a file with a mistake is lost, as it was."""
    text = "rules:\n" + "  - {id: a, title: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\n" * 40_000 + "  - id: b: c\n"
    document, messages = read_yaml(text, file="f", entries=True)
    assert (document, [message.code for message in messages]) == (None, ["yaml-syntax"])


@given(st.text(alphabet="-: \n\tidabc{}[]\"'&*!|>#,?", max_size=200))
def test_any_text_ends(text):
    """Whatever stands in a file, reading it ends, with a document or with messages."""
    document, messages = read_yaml(text, file="f", entries=True)
    assert document is not None or messages
