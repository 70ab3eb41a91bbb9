"""The files of a runbook: bounded, and never outside its folder."""

from __future__ import annotations

import pytest
from runbook_files import RULE, laid, written

from dam_expert.kb import overlay_files


def codes(*sources):
    base, messages = laid(*sources)
    assert base is None
    return [(message.file, message.code) for message in messages]


def test_no_runbook(tmp_path):
    """A folder without a header is told how to get one."""
    source = written(tmp_path)
    (source.folder / "runbook.yaml").unlink()
    assert codes(source) == [("team", "no-runbook")]


def test_a_folder_that_is_not_there(tmp_path):
    """A folder that does not exist is one line."""
    source = written(tmp_path)
    (source.folder / "runbook.yaml").unlink()
    source.folder.rmdir()
    assert codes(source) == [("team", "not-found")]


def test_a_link_out_of_the_folder(tmp_path):
    """A link that leads out of the runbook is not followed."""
    (tmp_path / "secret.yaml").write_text(RULE, encoding="utf-8")
    source = written(tmp_path)
    (source.folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    assert codes(source) == [("team/link.yaml", "outside")]


def test_a_linked_folder_is_not_entered(tmp_path):
    """A linked folder adds nothing."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "rules.yaml").write_text(RULE, encoding="utf-8")
    source = written(tmp_path)
    (source.folder / "inner").symlink_to(tmp_path / "elsewhere")
    base, messages = laid(source)
    assert messages == []
    assert base is not None
    assert "team.slow" not in base.rules


def test_hidden_and_other_files_are_left_out(tmp_path):
    """Only visible YAML files are knowledge."""
    source = written(tmp_path)
    (source.folder / ".draft.yaml").write_text("nonsense: [", encoding="utf-8")
    (source.folder / "notes.md").write_text("nonsense: [", encoding="utf-8")
    assert laid(source)[1] == []


@pytest.mark.parametrize(
    ("bound", "value", "code"),
    [("MAX_FILES", 2, "too-many-files"), ("MAX_TOTAL", 100, "too-large"), ("MAX_DEPTH", 1, "too-deep")],
)
def test_bounds(tmp_path, monkeypatch, bound, value, code):
    """Beyond a bound one line says so."""
    source = written(tmp_path, RULE)
    (source.folder / "inner").mkdir()
    (source.folder / "inner" / "z.yaml").write_text("set: []\n", encoding="utf-8")
    monkeypatch.setattr(overlay_files, bound, value)
    assert [found for _, found in codes(source)] == [code]


def test_too_many_entries(tmp_path, monkeypatch):
    """More entries than the bound are refused as a whole."""
    monkeypatch.setattr("dam_expert.kb.overlay.MAX_ENTRIES", 0)
    assert codes(written(tmp_path, RULE)) == [("team/runbook.yaml", "too-large")]


def test_a_hundred_thousand_rules(tmp_path):
    """A hundred thousand rules are bounded and said, not loaded."""
    source = written(tmp_path)
    (source.folder / "many.yaml").write_text("add:\n  rules:\n" + "    - {id: team.x}\n" * 100_000, encoding="utf-8")
    (source.folder / "more.yaml").write_text("#" * overlay_files.MAX_TOTAL, encoding="utf-8")
    assert ("team/more.yaml", "too-large") in codes(source)
