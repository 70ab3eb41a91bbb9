"""Loading a base from folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dam_expert.documents.messages import Level
from dam_expert.kb import load as loading
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.where import shipped_folders

SHIPPED_HARDWARE = shipped_folders()[0] / "hardware"
SOUND = Path(__file__).parent.parent / "broken" / "sound"


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(SOUND, tmp_path / "knowledge"))


def load(folder):
    base, messages = load_knowledge([folder])
    return base, [str(message) for message in messages]


def test_a_sound_base_loads_without_a_word(folder):
    """And knows what it was made of."""
    base, messages = load(folder)
    assert messages == []
    assert list(base.rules) == ["input.confirm", "input.refute"]
    assert base.places["input_wait"] == "knowledge/knowledge.yaml:56"


def test_the_fingerprint_is_that_of_the_content(folder, tmp_path):
    """Not of where the base lies; another byte, also in the catalogue of hardware, makes another."""
    first = load(folder)[0].fingerprint
    elsewhere = Path(shutil.copytree(folder, tmp_path / "other" / "knowledge"))
    assert load(elsewhere)[0].fingerprint == first
    shutil.copytree(SHIPPED_HARDWARE, elsewhere / "hardware")
    second = load(elsewhere)[0].fingerprint
    assert second != first
    text = (elsewhere / "knowledge.yaml").read_text()
    (elsewhere / "knowledge.yaml").write_text(text + "# more\n")
    assert load(elsewhere)[0].fingerprint not in (first, second)


def test_one_broken_file_does_not_hide_the_problems_of_others(folder):
    """All problems in one pass, in the order of file and line."""
    (folder / "a.yaml").write_text("rules:\n  - id: [\n")
    (folder / "b.yaml").write_text(
        "symptoms:\n  - {id: slow, title: s, when: step_tim > 1 s}\n  - {id: fast, when: step_time < 1 s}\n"
    )
    (folder / "c.yaml").write_bytes(b"\x00\x01")
    base, messages = load(folder)
    assert base is None
    assert messages == [
        "knowledge/a.yaml:3:1: error: did not find expected node content [yaml-syntax]",
        "knowledge/b.yaml:2:32: error: there is no measurement 'step_tim'; did you mean 'step_time'? [unknown-id]",
        "knowledge/b.yaml:3:5: error: the key 'title' is missing [missing-key]",
        "knowledge/c.yaml: error: this is a binary file, not YAML [binary]",
    ]


def test_a_folder_without_knowledge_is_an_error(tmp_path):
    """So is one that is not there."""
    for folder in (tmp_path, tmp_path / "nowhere"):
        base, messages = load(folder)
        assert base is None
        assert f"{folder}: error: there is no knowledge in {folder} [empty-base]" in messages


def test_warnings_do_not_stop_a_base(folder):
    """A hypothesis that no rule names is only told."""
    rest = "bottleneck: input, parent: input_wait, statement: s, confirmed_by: c, falsified_by: f"
    entry = f"{{id: slow_net, title: n, {rest}}}"
    (folder / "more.yaml").write_text(f"hypotheses:\n  - {entry}\n")
    base, messages = load_knowledge([folder])
    assert base is not None
    assert [(message.level, message.code) for message in messages] == [(Level.WARNING, "unreachable")]


def test_the_shipped_base_is_sound():
    """Every guard holds for what is shipped."""
    base, messages = load_knowledge()
    assert [str(message) for message in messages] == []
    assert base is not None


def test_a_syntax_error_is_not_buried_under_what_follows_from_it(tmp_path: Path) -> None:
    """Where a file cannot be read, what others miss in it is one note, not a hundred errors before it."""
    for folder in shipped_folders():
        shutil.copytree(folder, tmp_path / folder.name)
    broken = tmp_path / "knowledge" / "hypotheses" / "host.yaml"
    broken.write_text("hypotheses: [\n" + broken.read_text())
    base, messages = load_knowledge([tmp_path / "knowledge", tmp_path / "rules"])
    codes = [message.code for message in messages]
    assert (base, codes[:2]) == (None, ["yaml-syntax", "not-yet-checked"])
    assert {message.file for message in messages[:2]} == {"knowledge/hypotheses/host.yaml"}
    assert len(codes) <= 3, "only what is nearly the name of something known, and so perhaps misspelt, is told besides"


def test_the_shipped_base_is_loaded_once_while_its_files_stay(monkeypatch, tmp_path):
    """A second call gives the same base; after a change of any file it is loaded anew."""
    homes = [shutil.copytree(folder, tmp_path / folder.name) for folder in shipped_folders()]
    monkeypatch.setattr(loading, "shipped_folders", lambda: homes)
    monkeypatch.setattr(loading, "_KEPT", loading._Kept())
    first, _ = load_knowledge()
    assert first is not None
    assert load_knowledge()[0] is first
    changed = tmp_path / "rules" / "none.yaml"
    changed.write_text(changed.read_text(encoding="utf-8") + "\n# more\n", encoding="utf-8")
    again, _ = load_knowledge()
    assert again is not None
    assert again is not first
