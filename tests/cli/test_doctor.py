"""``dam doctor``: checks of the installation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shared_files import ROOT

from dam_expert.cli import health, pipeline
from dam_expert.cli.failure import Exit
from dam_expert.cli.health import Check

EXAMPLE = ROOT / "examples" / "starved-accelerator"
FOUND = (Check(name="python", is_ok=True, found="3.11.7"), Check(name="numpy", is_ok=False, found="not installed"))


@pytest.mark.parametrize(
    ("options", "found", "code", "printed"),
    [
        pytest.param((), FOUND[:1], Exit.DONE, "ok   python: 3.11.7\n", id="well"),
        pytest.param(
            (), FOUND, Exit.INVALID, "ok   python: 3.11.7\nBAD  numpy: not installed\n", id="something is missing"
        ),
        pytest.param(("-q",), FOUND, Exit.INVALID, "BAD  numpy: not installed\n", id="quiet"),
    ],
)
def test_lines(run, monkeypatch, options, found, code, printed):
    """One line per check, and exit code 3 if one fails."""
    monkeypatch.setattr(health, "all_checks", lambda *_: found)
    monkeypatch.setattr(health, "all_readers", lambda: [("vmstat", "procps 4")])
    result = run("doctor", *options)
    read = "" if "-q" in options else "reads vmstat: procps 4\n"
    assert (result.exit_code, result.stdout) == (code, printed + read)


def test_document(run, monkeypatch):
    """As JSON each check is an object."""
    monkeypatch.setattr(health, "all_checks", lambda *_: FOUND[:1])
    monkeypatch.setattr(health, "all_readers", lambda: [("vmstat", "procps 4")])
    expected = {
        "checks": [{"check": "python", "ok": True, "found": "3.11.7"}],
        "readers": [{"reads": "vmstat", "versions": "procps 4"}],
    }
    assert json.loads(run("doctor", "-f", "json").stdout) == expected


def test_a_missing_library_says_how_to_get_it(monkeypatch):
    """A declared library that is not there is named with the command that installs it."""
    monkeypatch.setattr("importlib.metadata.requires", lambda name: ["no-such-lib>=1", "x>1; extra == 'dev'"])
    found = {check.name: check for check in health.all_checks()}
    expected = Check(name="no-such-lib", is_ok=False, found="not installed; run: pip install no-such-lib")
    assert (found["no-such-lib"], "x" in found) == (expected, False)


def test_an_engine_that_does_not_import(monkeypatch):
    """A broken inference engine is said to be so, with where to read on."""

    def broken(name):
        raise ImportError("cannot import name 'Mapping' from 'collections'")

    monkeypatch.setattr("importlib.import_module", broken)
    engine = next(check for check in health.all_checks() if check.name == "engine")
    text = "cannot import name 'Mapping' from 'collections'; see Installing in the README"
    assert (engine.is_ok, engine.found) == (False, text)


def test_a_broken_base(monkeypatch):
    """A base with errors points to the command that lists them."""
    message = type("M", (), {"level": "error"})
    monkeypatch.setattr(pipeline, "check_base", lambda *_: pipeline.Checked(messages=(message,), counts={}))
    monkeypatch.setattr(pipeline, "has_errors", bool)
    base = next(check for check in health.all_checks() if check.name == "knowledge base")
    assert (base.is_ok, base.found) == (False, "has errors; run: dam kb check")


def test_every_reader_says_its_versions():
    """Each output that is read is listed with the versions that are known."""
    listed = health.all_readers()
    assert len(listed) > 50
    assert [title for title, versions in listed if not versions.strip()] == []
    assert ("vmstat", "procps 3.3 and 4, every locale") in listed


@pytest.mark.parametrize(
    ("file", "content"),
    [
        pytest.param("en.yaml", None, id="missing"),
        pytest.param("zh.yaml", "[", id="not YAML"),
        pytest.param("vi.yaml", "a: [1]\n", id="another shape"),
        pytest.param("en.yaml", "joined: x\n", id="cut"),
        pytest.param("zh.yaml", "(", id="a text"),
        pytest.param("vi.yaml", "{}", id="empty"),
    ],
)
def test_damaged_phrases_are_told_by_every_command(run, monkeypatch, tmp_path, file, content):
    """A damaged file of phrases is one line that names it, in reports, in doctor and in kb check alike."""
    from dam_expert.reports import wording

    folder = Path(wording.__file__).parent
    for each in folder.glob("*.yaml"):
        (tmp_path / each.name).write_bytes(each.read_bytes())
    (tmp_path / file).unlink()
    if content is not None:
        (tmp_path / file).write_text(content)
    monkeypatch.setattr(wording, "__file__", str(tmp_path / "__init__.py"))
    wording.load_wording.cache_clear()
    try:
        language = file.partition(".")[0]
        report = run("diagnose", str(EXAMPLE), "--lang", language)
        doctor, check = run("doctor"), run("kb", "check")
    finally:
        monkeypatch.undo()
        wording.load_wording.cache_clear()
    assert [each.exit_code for each in (report, doctor, check)] == [Exit.INVALID] * 3
    assert report.stderr.splitlines()[-1].startswith(f"dam: reports/wording/{file}, a file of the program itself, ")
    assert f"BAD  reports: reports/wording/{file}" in doctor.stdout
    assert "[program-file]" in check.stdout
