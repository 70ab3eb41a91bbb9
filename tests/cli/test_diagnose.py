"""``dam diagnose``: formats, streams and exit codes."""

from __future__ import annotations

import json

import pytest
import yaml
from sample_diagnoses import CONFIRMED, GLOSSARY, SUPPORTED, UNDETERMINED

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.messages import Level, Message
from dam_expert.reports import build_report, to_text

WARNING = Message(file="a.txt", line=3, level=Level.WARNING, text="x\x1b[2J", code="odd")
ERROR = Message(file="b.txt", level=Level.ERROR, text="is empty", code="empty-file")


def test_text_on_stdout(run, stage):
    """The text of the report is all that stands on stdout."""
    result = run("diagnose", "run/")
    assert (result.exit_code, result.stderr) == (Exit.DONE, "")
    assert result.stdout == to_text(build_report(CONFIRMED, GLOSSARY))


@pytest.mark.parametrize(("form", "read"), [("json", json.loads), ("yaml", yaml.safe_load)])
def test_documents(run, stage, form, read):
    """JSON and YAML are the diagnosis document."""
    result = run("diagnose", "run/", "--format", form)
    assert read(result.stdout) == json.loads(json.dumps(CONFIRMED.as_data()))


@pytest.mark.parametrize(("flag", "first"), [("--brief", "Confirmed: input binds"), ("--explain", "Verdict")])
def test_depth(run, stage, flag, first):
    """--brief is three lines; --explain shows the proof and the versions as well."""
    lines = run("diagnose", "run/", flag).stdout.splitlines()
    assert lines[0].startswith(first)
    assert (len(lines) == 3, "Versions" in lines) == (flag == "--brief", flag == "--explain")


def test_messages_go_to_stderr_with_control_characters_spelt_out(run, stage):
    """Messages are talk; the data stays clean."""
    stage.messages = (WARNING, ERROR)
    result = run("diagnose", "run/")
    assert result.stderr == "a.txt:3: warning: x\\x1b[2J [odd]\nb.txt: error: is empty [empty-file]\n"


def test_quiet_keeps_errors(run, stage):
    """--quiet drops warnings, never errors."""
    stage.messages = (WARNING, ERROR)
    assert run("diagnose", "run/", "--quiet").stderr == "b.txt: error: is empty [empty-file]\n"


def test_paths_and_settings_reach_the_pipeline(run, stage):
    """Several paths are one incident; --set splits at the first equals sign."""
    run("diagnose", "a", "-", "--set", "mfu=35 %", "--set", "note=a=b", "--no-input")
    assert stage.given == (("a", "-"), (("mfu", "35 %"), ("note", "a=b")), True)


@pytest.mark.parametrize(
    ("diagnosis", "conditions", "code"),
    [
        pytest.param(CONFIRMED, [], Exit.DONE, id="a diagnosis alone is no failure"),
        pytest.param(CONFIRMED, ["confirmed"], Exit.CONDITION, id="holds"),
        pytest.param(SUPPORTED, ["confirmed"], Exit.DONE, id="does not hold"),
        pytest.param(UNDETERMINED, ["confirmed", "undetermined"], Exit.CONDITION, id="one of several"),
    ],
)
def test_fail_on(run, stage, diagnosis, conditions, code):
    """--fail-on turns a status into exit code 1, and the report is written all the same."""
    stage.diagnosis = diagnosis
    result = run("diagnose", "run/", *(word for status in conditions for word in ("--fail-on", status)))
    assert result.exit_code == code
    assert result.stdout.startswith("Verdict\n")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param([], id="no path"),
        pytest.param(["x", "--fail-on", "maybe"], id="unknown status"),
        pytest.param(["x", "--format", "xml"], id="unknown format"),
        pytest.param(["x", "--set", "mfu"], id="setting without a value"),
        pytest.param(["x", "--set", "=3"], id="setting without a name"),
        pytest.param(["x", "--brief", "--explain"], id="brief and explain"),
        pytest.param(["x", "--colour"], id="unknown option"),
    ],
)
def test_usage(run, stage, arguments):
    """A wrong call is exit code 2, with one line on stderr that names the help, and nothing on stdout."""
    result = run("diagnose", *arguments)
    assert (result.exit_code, result.stdout) == (Exit.USAGE, "")
    assert result.stderr.startswith("dam: ")
    assert result.stderr.endswith("; see: dam diagnose --help\n")
    assert result.stderr.count("\n") == 1


def test_unusable_input(run, stage, monkeypatch):
    """Input that gives nothing is exit code 3, with each reason and then the sum of them."""

    def refuse(*_arguments, **_options):
        raise Failure(Exit.INVALID, "nothing in the input can be used", [ERROR])

    monkeypatch.setattr(pipeline, "understand", refuse)
    result = run("diagnose", "b.txt")
    assert (result.exit_code, result.stdout) == (Exit.INVALID, "")
    assert result.stderr == "b.txt: error: is empty [empty-file]\ndam: nothing in the input can be used\n"


def test_interrupted(run, stage, monkeypatch):
    """Control-C is exit code 130 and one line."""

    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "diagnose", interrupt)
    result = run("diagnose", "run/")
    assert (result.exit_code, result.stderr.strip()) == (Exit.INTERRUPTED, "dam: interrupted")


def test_output_file(run, stage, tmp_path):
    """-o writes the report to a file and leaves stdout empty."""
    target = tmp_path / "report.txt"
    assert run("diagnose", "run/", "-o", str(target)).stdout == ""
    assert target.read_text(encoding="utf-8") == to_text(build_report(CONFIRMED, GLOSSARY))


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        pytest.param("markdown", "# Training is slow\n", id="Markdown"),
        pytest.param("html", "<!doctype html>", id="page"),
    ],
)
def test_reports_in_other_formats(run, stage, form, begins):
    """Markdown and HTML are written like text, to stdout or a file."""
    assert run("diagnose", "run/", "-f", form).stdout.startswith(begins)


@pytest.mark.parametrize(
    ("options", "environment", "word"),
    [
        pytest.param([], {}, "Confirmed", id="the locale says nothing"),
        pytest.param(["--lang", "zh"], {}, "已证实", id="asked for"),
        pytest.param([], {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "vi_VN.UTF-8"}, "Đã xác nhận", id="of the locale"),
        pytest.param(["--lang", "en"], {"LC_ALL": "zh_CN.UTF-8"}, "Confirmed", id="asked for beats the locale"),
        pytest.param([], {"LC_ALL": "de_DE.UTF-8"}, "Confirmed", id="a language without phrases"),
    ],
)
def test_language(run, stage, options, environment, word):
    """The report is in the language asked for, else in that of the locale, else in English."""
    assert run("diagnose", "run/", "--brief", *options, env=environment).stdout.startswith(word)


@pytest.mark.parametrize(
    ("arguments", "on_terminal", "said"),
    [
        pytest.param([], True, False, id="the report on the same screen lists them"),
        pytest.param([], False, True, id="the report goes elsewhere"),
        pytest.param(["--brief"], True, True, id="a brief report lists nothing"),
        pytest.param(["-f", "json"], True, True, id="a document is for programs"),
    ],
)
def test_messages_are_said_once_on_one_screen(run, stage, monkeypatch, arguments, on_terminal, said):
    """On a terminal that shows the report, what the report lists is not said before it as well."""
    stage.messages = (WARNING,)
    monkeypatch.setattr("dam_expert.cli.output.same_screen", lambda: on_terminal)
    assert ("[odd]" in run("diagnose", "run/", *arguments).stderr) is said
