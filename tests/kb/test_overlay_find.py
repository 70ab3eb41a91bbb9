"""Which runbooks are in force: named ones, those of dam.toml, those of installed packages."""

from __future__ import annotations

import importlib.metadata
import sys

import pytest
from documented import ROOT

from dam_expert.kb.load import load_knowledge
from dam_expert.kb.overlay_find import GROUP, runbooks_in_force


@pytest.fixture(name="installed")
def _installed(monkeypatch):
    """Offer entry points in the place of those of this environment."""
    offered: list[importlib.metadata.EntryPoint] = []
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: offered)
    return offered


def found(named, start):
    in_force, messages = runbooks_in_force(named, start)
    return [(source.shown, source.found_by) for source in in_force.sources], [str(message) for message in messages]


def test_nothing(tmp_path, installed):
    """Without any, the base stands alone."""
    assert found([], tmp_path) == ([], [])


def test_dam_toml_upwards(tmp_path, monkeypatch, installed):
    """The nearest dam.toml counts, its folders are meant from where it lies, and named ones come after."""
    (tmp_path / "dam.toml").write_text('runbooks = ["a", "b"]\norder = ["b", "a"]\n', encoding="utf-8")
    below = tmp_path / "x" / "y"
    below.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    in_force, messages = runbooks_in_force(["c", "a"], below)
    assert messages == []
    assert in_force.order == ("b", "a")
    assert [source.shown for source in in_force.sources] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("runbook = []", "dam.toml: error: there is no setting 'runbook'; did you mean 'runbooks'? [unknown-key]"),
        ("order = 'a'", "dam.toml: error: 'order' is a list of texts; write: order = ['name'] [wrong-type]"),
        ("runbooks = [1]", "dam.toml: error: 'runbooks' is a list of texts; write: runbooks = ['name'] [wrong-type]"),
    ],
)
def test_a_wrong_dam_toml(tmp_path, monkeypatch, installed, text, message):
    """A mistake in dam.toml is said with what to write."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dam.toml").write_text(text, encoding="utf-8")
    assert found([], tmp_path) == ([], [message])


@pytest.mark.parametrize("content", [b"runbooks = [", b"\xff\xfe", b"a = " + b"[" * 5000])
def test_an_unreadable_dam_toml(tmp_path, monkeypatch, installed, content):
    """A dam.toml that is no TOML is one line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dam.toml").write_bytes(content)
    _, messages = runbooks_in_force([], tmp_path)
    assert [message.code for message in messages] == ["not-toml"]


def test_an_installed_runbook_is_not_imported(tmp_path, monkeypatch, installed):
    """The folder of an entry point is located, and the package around it never runs."""
    folder = tmp_path / "acme_runbooks" / "llm"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    installed.append(importlib.metadata.EntryPoint("llm", "acme_runbooks.llm", GROUP))
    assert found([], tmp_path) == ([("<llm>", "installed package (acme_runbooks.llm)")], [])
    assert "acme_runbooks" not in sys.modules


@pytest.mark.parametrize("value", ["no_such_package.llm", "json.no_such_folder", "../../etc"])
def test_an_installed_runbook_that_is_not_there(tmp_path, installed, value):
    """A broken package is one line, never a crash."""
    installed.append(importlib.metadata.EntryPoint("llm", value, GROUP))
    sources, messages = found([], tmp_path)
    assert (sources, len(messages)) == ([], 1)
    assert messages[0].startswith("llm: error: the runbook 'llm' of an installed package is not there")


def test_a_runbook_on_trial_only_supports(tmp_path):
    """What would confirm is on trial, what it changes below stays as it is, and every report can say so."""
    folder = (ROOT / "runbooks" / "llm_serving").as_posix()
    (tmp_path / "dam.toml").write_text(f'runbooks = ["{folder}"]\non_trial = ["llm_serving"]\n', encoding="utf-8")
    found, messages = runbooks_in_force((), tmp_path)
    assert messages == []
    base, messages = load_knowledge(runbooks=found.sources)
    assert messages == []
    (book,) = base.layers.runbooks
    assert book.summary().endswith("; on trial)")
    assert {change.verb for change in book.changes} == {"add"}
    own = [rule for rule in base.rules.values() if rule.id.startswith("llm_serving.")]
    deciding = [rule for rule in own if rule.model.then.confirm is not None]
    assert {rule.model.status for rule in deciding} == {"test"}


def test_nothing_is_on_trial_that_is_not_in_force(tmp_path):
    """A name that no runbook has is an error with the nearest."""
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "runbook.yaml").write_text("name: team\nversion: 1.0.0\ndescription: d\n", encoding="utf-8")
    (tmp_path / "dam.toml").write_text('runbooks = ["team"]\non_trial = ["taem"]\n', encoding="utf-8")
    found, _ = runbooks_in_force((), tmp_path)
    _, messages = load_knowledge(runbooks=found.sources)
    assert [message.text for message in messages] == ["there is no runbook 'taem' to be on trial"]
    assert messages[0].hint == "did you mean 'team'?"
