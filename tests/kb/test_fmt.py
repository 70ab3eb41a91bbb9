"""The formatter: idempotent, keeps every comment and value, refuses what it cannot keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_files import ROOT

from dam_expert.kb.fmt import comments, formatted
from dam_expert.kb.where import base_files

FILES = [*base_files([ROOT / "knowledge", ROOT / "rules"]), *sorted((ROOT / "runbooks").glob("*/*.yaml"))]


def written(tmp_path, text):
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a:\n- b\n-  c\n", "a:\n  - b\n  - c\n", id="lists are indented"),
        pytest.param("a:   1   # why\n", "a: 1     # why\n", id="comments keep their column"),
        pytest.param("# head\n\na: 1\n\n\n# tail\n", "# head\n\na: 1\n\n\n# tail\n", id="comments between"),
        pytest.param("a: [ {b: 1} ]\n", "a: [{b: 1}]\n", id="braces stay"),
        pytest.param("a: 'x: y'  \n", "a: 'x: y'\n", id="quotes stay"),
        pytest.param("a: null\n", "a: null\n", id="null stays"),
    ],
)
def test_the_format(tmp_path, before, after):
    """Files are brought into one format."""
    assert formatted(written(tmp_path, before), "a.yaml") == (after, [])


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2\n", "a:\t1 # tab\n", "<<: 1 # merge\n", "a: [1, # one\n  2]\n"])
def test_what_cannot_be_read(tmp_path, text):
    """A file with mistakes is left alone and its mistakes are said."""
    result, messages = formatted(written(tmp_path, text), "a.yaml")
    assert result is None
    assert messages


def test_shipped_files_are_formatted():
    """Every file of the base that changes often, and every example runbook, has the format."""
    for path in [*FILES[:3], *sorted((ROOT / "runbooks").glob("*/*.yaml"))]:
        text, messages = formatted(path, path.name)
        assert (text, messages) == (path.read_text(encoding="utf-8"), [])


_WORDS = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=6)
_LINES = st.lists(
    st.tuples(_WORDS, _WORDS, st.one_of(st.none(), _WORDS)), min_size=1, max_size=6, unique_by=lambda x: x[0].lower()
)


@given(lines=_LINES)
def test_formatting_again_changes_nothing(tmp_path_factory, lines):
    """What is formatted stays as it is, with all of its comments."""
    text = "".join(f"k{key}:\n-  {value}{f'   # {said}' if said else ''}\n" for key, value, said in lines)
    path = written(tmp_path_factory.mktemp("fmt"), text)
    once, messages = formatted(path, "a.yaml")
    assert messages == []
    assert once is not None
    path.write_text(once, encoding="utf-8")
    assert formatted(path, "a.yaml") == (once, [])
    assert sorted(comments(once)) == sorted(comments(text))
