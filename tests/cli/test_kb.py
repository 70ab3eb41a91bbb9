"""``dam kb``: check, test and schema over a base that is put in place."""

from __future__ import annotations

import json

import pytest

from dam_expert.cli import checking
from dam_expert.cli.failure import Exit
from dam_expert.documents.messages import Level, Message

PROBLEM = Message(file="rules/a.yaml", line=2, column=5, level=Level.ERROR, text="no such id", code="unknown-id")
NOTE = Message(file="rules/a.yaml", line=9, column=1, level=Level.WARNING, text="is deprecated", code="deprecated")
GAP = "input.wait.confirm: input_gap_share >= x is never unknown"
GOOD = checking.Tested(passed=40, known_misses=1, messages=(NOTE,), coverage=0.95, gaps=(GAP,))
BAD = checking.Tested(passed=39, known_misses=1, messages=(PROBLEM,), coverage=1.0, gaps=())


@pytest.mark.parametrize(
    ("messages", "code", "lines"),
    [
        pytest.param((), Exit.DONE, ["ok: 2 rules, 3 anti patterns"], id="clean"),
        pytest.param((NOTE,), Exit.DONE, [str(NOTE), "ok: 2 rules, 3 anti patterns"], id="a warning is no failure"),
        pytest.param((PROBLEM,), Exit.INVALID, [str(PROBLEM), "has errors: 1 error"], id="error"),
    ],
)
def test_check(run, monkeypatch, messages, code, lines):
    """Problems are the data of this command; errors are exit code 3."""
    checked = checking.Checked(messages=messages, counts={"rules": 2, "anti_patterns": 3})
    monkeypatch.setattr(checking, "check_base", lambda *_, **__: checked)
    result = run("kb", "check")
    assert (result.exit_code, result.stdout.splitlines()) == (code, lines)


def test_check_as_json(run, monkeypatch):
    """Each message is an object with its place and code."""
    monkeypatch.setattr(checking, "check_base", lambda *_, **__: checking.Checked(messages=(PROBLEM,), counts={}))
    message = json.loads(run("kb", "check", "-f", "json").stdout)["messages"][0]
    assert (message["file"], message["line"], message["code"], message["level"]) == (
        "rules/a.yaml",
        2,
        "unknown-id",
        "error",
    )


@pytest.mark.parametrize(
    ("outcome", "options", "code"),
    [
        pytest.param(GOOD, [], Exit.DONE, id="passed"),
        pytest.param(GOOD, ["--min", "95"], Exit.DONE, id="covered"),
        pytest.param(GOOD, ["--min", "95.1"], Exit.CONDITION, id="coverage below the minimum"),
        pytest.param(BAD, ["--min", "100"], Exit.INVALID, id="a failed test"),
        pytest.param(GOOD, ["--min", "101"], Exit.USAGE, id="more than all"),
    ],
)
def test_test(run, stage, monkeypatch, outcome, options, code):
    """Failing tests are exit code 3, missing coverage 1."""
    monkeypatch.setattr(checking, "run_tests", lambda base: outcome)
    assert run("kb", "test", *options).exit_code == code


@pytest.mark.parametrize(("options", "gaps"), [((), [GAP]), (("-q",), [])], ids=["all", "quiet"])
def test_test_report(run, stage, monkeypatch, options, gaps):
    """The report names what no test shows and ends with the count and the coverage."""
    monkeypatch.setattr(checking, "run_tests", lambda base: GOOD)
    closing = ["40 passed, 0 failed, 1 known misses", "leaf coverage 95.0 %"]
    assert run("kb", "test", *options).stdout.splitlines() == [str(NOTE), *gaps, *closing]


def test_test_as_json(run, stage, monkeypatch):
    """As JSON: counts, messages, coverage and gaps."""
    monkeypatch.setattr(checking, "run_tests", lambda base: BAD)
    document = json.loads(run("kb", "test", "-f", "json").stdout)
    assert (document["passed"], document["coverage"], document["messages"][0]["code"]) == (39, 1.0, "unknown-id")


@pytest.mark.parametrize("document", ["incident", "diagnosis", "knowledge"])
def test_schema(run, document):
    """Each document has a JSON Schema of the 2020-12 draft."""
    schema = json.loads(run("kb", "schema", document).stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
