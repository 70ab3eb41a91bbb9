"""``dam doctor``: checks of the installation."""

from __future__ import annotations

import json
import platform
import re
import shutil
from pathlib import Path

import pytest
from shared_files import ROOT

from dam_expert.cli import checking, health, pipeline
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
    document = json.loads(run("doctor", "-f", "json").stdout)
    assert {key: document[key] for key in expected} == expected


def test_the_document_for_a_report_of_a_mistake_is_complete_and_private(run, monkeypatch, tmp_path):
    """Versions, content of base and runbooks, extras and terminal; no name of a person, machine, folder or file."""
    private = {"HOME": "/home/kim.secret", "USER": "kim.secret", "LOGNAME": "kim.secret", "HOSTNAME": "node-7-secret"}
    for name, value in private.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("platform.node", lambda: "node-7-secret")
    shutil.copytree(ROOT / "runbooks" / "llm_serving", tmp_path / "secret")
    found = run("doctor", "-f", "json", "--runbook", str(tmp_path / "secret")).stdout
    document = json.loads(found)
    assert document.keys() >= {"dam", "python", "system", "libraries", "extras", "knowledge", "terminal", "checks"}
    assert document["python"].endswith(platform.python_version())
    assert len(document["knowledge"]["content"]) == 16
    assert [book["name"] for book in document["knowledge"]["runbooks"]] == ["llm_serving"]
    assert document["terminal"]["stdout"] is False
    assert "secret" not in found
    assert "/" not in re.sub(r'"(?:reads|versions)": "[^"]*"', "", found)


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
    monkeypatch.setattr(checking, "check_base", lambda *_, **__: checking.Checked(messages=(message,), counts={}))
    monkeypatch.setattr(checking, "has_errors", bool)
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
def test_damaged_phrases_are_told(run, monkeypatch, tmp_path, file, content):
    """A damaged file of phrases is one line that names it, in reports and where an installation is checked."""
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
        told = pipeline.report_faults()  # what doctor and kb check ask
    finally:
        monkeypatch.undo()
        wording.load_wording.cache_clear()
    assert report.exit_code == Exit.INVALID
    assert report.stderr.splitlines()[-1].startswith(f"dam: reports/wording/{file}, a file of the program itself, ")
    assert any(fault.startswith(f"reports/wording/{file}") for fault in told)


def test_doctor_and_kb_check_tell_of_damaged_files_of_the_program(run, monkeypatch):
    """What no report can be written without is looked at by both."""
    monkeypatch.setattr(pipeline, "report_faults", lambda: ["reports/wording/en.yaml is damaged"])
    doctor, check = run("doctor"), run("kb", "check")
    assert (doctor.exit_code, check.exit_code) == (Exit.INVALID, Exit.INVALID)
    assert "BAD  reports: reports/wording/en.yaml is damaged" in doctor.stdout
    assert "dam_expert: error: reports/wording/en.yaml is damaged [program-file]" in check.stdout
