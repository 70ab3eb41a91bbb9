"""The commands for authors, run as they are typed, over the shipped base."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as Tree

import pytest
from runbook_files import RULE, written
from shared_files import ROOT

from dam_expert.cli import findings
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import LANGUAGES
from dam_expert.documents.messages import Level, Message

STARVED = str(ROOT / "examples" / "starved-accelerator")
PROBLEM = Message(file="a:b.yaml", line=2, column=5, level=Level.ERROR, text="50 % is\nno id", code="unknown-id")


@pytest.fixture(name="team")
def _team(tmp_path, monkeypatch):
    """Work in a folder with one runbook."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, RULE)
    return tmp_path / "team"


def test_new_from_nothing_to_a_tested_rule(run, tmp_path, monkeypatch):
    """A runbook and a rule are written, checked and tested by the commands that the guide shows."""
    monkeypatch.chdir(tmp_path)
    assert run("kb", "new", "runbook", "our", "--no-input").exit_code == Exit.DONE
    made = run(
        "kb", "new", "rule", "our.disk", "--runbook", "our", "--when", "disk_read_await > 20 ms",
        "--then", "support=storage_bound", "--because", "Reads: slow.", "--source", "wiki, Disks", "--no-input",
    )  # fmt: skip
    assert (made.exit_code, made.stdout) == (Exit.DONE, "")
    assert run("kb", "check", "--runbook", "our", "-q").stdout == ""
    assert run("kb", "test", "--runbook", "our", "-q", "--min", "99").exit_code == Exit.DONE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["runbook", "Our Team"], "name: the text 'Our Team' is no id", id="a name that is none"),
        pytest.param(["runbook", "team"], "team/runbook.yaml exists already", id="a runbook that is there"),
        pytest.param(["rule", "team.y", "--runbook", "team", "--when", "a"], "nobody can be asked", id="nobody to ask"),
        pytest.param(
            [
                "rule",
                "x.y",
                "--runbook",
                "team",
                "--when",
                "kv_cache_usage > 1 %",
                "--then",
                "support=h",
                "--because",
                "b",
                "--source",
                "s",
            ],
            "the id must begin with 'team.'",
            id="a foreign id",
        ),
        pytest.param(
            [
                "rule",
                "team.y",
                "--runbook",
                "team",
                "--when",
                "kv_cache_usge > 1 %",
                "--then",
                "support=h",
                "--because",
                "b",
                "--source",
                "s",
            ],
            "did you mean 'kv_cache_usage'?",
            id="an unknown measurement",
        ),
        pytest.param(
            [
                "rule",
                "team.y",
                "--runbook",
                "team",
                "--when",
                "kv_cache_usage > 1 %",
                "--then",
                "suport=h",
                "--because",
                "b",
                "--source",
                "s",
            ],
            "did you mean 'support'?",
            id="an unknown verb",
        ),
        pytest.param(
            [
                "rule",
                "team.y",
                "--runbook",
                "team",
                "--when",
                "kv_cache_usage > 1 %",
                "--then",
                "support=kv_space_shirt",
                "--because",
                "b",
                "--source",
                "s",
            ],
            "did you mean 'kv_space_short'?",
            id="an unknown hypothesis",
        ),
        pytest.param(["rule", "team.y"], "name the runbook it belongs to", id="no runbook"),
        pytest.param(
            ["rule", "team.y", "--runbook", "team", "--then", "support=input_wait"],
            "nobody can be asked: give --when, --because, --source",
            id="nobody to be asked",
        ),
    ],
)
def test_new_with_a_mistake(run, team, arguments, said):
    """A mistake writes nothing and says what to do."""
    before = sorted(team.iterdir())
    result = run("kb", "new", *arguments, "--no-input")
    assert result.exit_code == Exit.USAGE
    assert said in result.stderr
    assert sorted(team.iterdir()) == before


def test_new_case(run, team):
    """A decided incident becomes a case that holds."""
    assert run("kb", "new", "case", "team.case.starved", STARVED, "--runbook", "team").exit_code == Exit.DONE
    assert "0 failed" in run("kb", "test", "--runbook", "team", "-q").stdout


def test_why_not(run):
    """What is unknown stands apart, and JSON has the same."""
    text = run("why-not", "input.workers.confirm", STARVED).stdout
    assert "\nUnknown\n  more_workers_speedup: actual not measured" in text
    data = json.loads(run("why-not", "input.workers.confirm", STARVED, "-f", "json").stdout)
    assert data["single_changes"] == [{"what": "more_workers_speedup", "now": None, "to": "1.42×"}]
    assert (data["outcome"], data["false"]) == ("undecided", [])


def test_why(run):
    """A rule that fired shows its conditions with their sources, and what would stop it."""
    text = run("why", "input.wait.confirm_by_gap", STARVED).stdout
    assert text.startswith("input.wait.confirm_by_gap fired\n")
    assert text.endswith("Any one of these would stop it\n  input_gap_share: 45.6 % → 19 %\n")


def test_why_an_unknown_rule(run):
    """A misspelt rule is a usage error with the nearest."""
    result = run("why", "input.wait.confirm_by_gp", STARVED)
    assert result.exit_code == Exit.USAGE
    assert "did you mean 'input.wait.confirm_by_gap'?" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["team.slow"], ["# rules of team, team/more.yaml:3", "id: team.slow"]),
        (["rules"], ["team.slow  Slow (team)"]),
        (["--effective"], ["  add team.slow (team/more.yaml:3)"]),
    ],
)
def test_show(run, team, arguments, lines):
    """An entry, a kind, and the layers are shown."""
    shown = run("kb", "show", *arguments, "--runbook", "team").stdout.splitlines()
    assert [line for line in lines if line not in shown] == []


def test_show_an_unknown_id(run, team):
    """A misspelt id is a usage error with the nearest."""
    result = run("kb", "show", "majorty")
    assert result.exit_code == Exit.USAGE
    assert "did you mean 'majority'?" in result.stderr


def test_diff(run, team):
    """What a runbook changes, and how many verdicts it moves."""
    lines = run("kb", "diff", "base", "team", STARVED).stdout.splitlines()
    assert lines == ["+ tools: team", "+ rules: team.slow", "0 of 1 verdicts move"]


@pytest.mark.parametrize("other", ["nothing", "."])
def test_diff_with_what_is_no_base(run, team, other):
    """Anything that is no base is a usage error."""
    assert run("kb", "diff", "base", other).exit_code == Exit.USAGE


def test_lock(run, team):
    """A lock holds until something changes."""
    assert run("kb", "lock", "--runbook", "team").exit_code == Exit.DONE
    assert run("kb", "lock", "--check", "--runbook", "team").exit_code == Exit.DONE
    (team / "more.yaml").write_text(RULE.replace("Slow", "Slower"), encoding="utf-8")
    changed = run("kb", "lock", "--check", "--runbook", "team")
    assert changed.exit_code == Exit.CONDITION
    assert "same-version" in changed.stdout
    assert "rules: 'team.slow' has changed" in changed.stdout
    assert run("kb", "lock", "--check").exit_code == Exit.CONDITION
    assert run("kb", "lock", "--check", "-o", "no.lock").exit_code == Exit.USAGE


def test_fmt(run, team):
    """Files are formatted once; --check changes nothing."""
    path = team / "more.yaml"
    path.write_text("# ours\nset:\n- {id: majority,   field: title, to: M, because: x}\n", encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    assert run("kb", "fmt", "--check", "team").stdout == "would format team/more.yaml\n"
    assert path.read_text(encoding="utf-8") == before
    assert run("kb", "fmt", "team").stdout == "formatted team/more.yaml\n"
    assert path.read_text(encoding="utf-8").startswith("# ours\nset:\n  - {id: majority, field: title")
    assert run("kb", "fmt", "--check", "team").exit_code == Exit.DONE
    assert run("kb", "fmt", "nothing").exit_code == Exit.USAGE


@pytest.mark.parametrize(("form", "ending"), [("markdown", "md"), ("html", "html")])
def test_docs(run, team, form, ending):
    """Pages are written for what is in force."""
    assert run("kb", "docs", "-f", form, "-o", "out", "--runbook", "team").exit_code == Exit.DONE
    assert "Slow" in (team.parent / "out" / f"team.slow.{ending}").read_text(encoding="utf-8")


def test_a_code(run):
    """A code is explained; an unknown one is answered with the nearest."""
    assert run("kb", "check", "--code", "not-decisive").stdout.startswith("not-decisive: The rule would confirm")
    assert "did you mean 'not-decisive'?" in run("kb", "check", "--code", "not-decisiv").stderr


def test_runbooks_in_the_doctor(run, team):
    """The doctor names each runbook in force, and why."""
    assert "runbook team: team 1.0.0 (" in run("doctor", "--runbook", "team").stdout


def test_sarif():
    """SARIF has a rule for each code and the place of each finding."""
    (result,) = findings.sarif([PROBLEM])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 5}
    assert findings.sarif([PROBLEM])["runs"][0]["tool"]["driver"]["rules"][0]["id"] == "unknown-id"


def test_github():
    """Workflow commands are escaped."""
    assert findings.github([PROBLEM]) == ("::error file=a%3Ab.yaml,line=2,col=5,title=unknown-id::50 %25 is\\nno id\n")


def test_junit():
    """JUnit XML counts tests and failures, and is XML whatever the text."""
    text = findings.junit("suite", [("one <", "a", []), ("two", "b", [PROBLEM])])
    (suite,) = Tree.fromstring(text)
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert suite[1][0].get("type") == "unknown-id"


@pytest.mark.parametrize("command", ["check", "test"])
@pytest.mark.parametrize("form", ["sarif", "junit", "github"])
def test_formats_of_the_shipped_base(run, command, form):
    """The shipped base has no findings in any format."""
    result = run("kb", command, "-f", form)
    assert result.exit_code == Exit.DONE
    if form == "sarif":
        assert json.loads(result.stdout)["runs"][0]["results"] == []
    elif form == "junit":
        assert Tree.fromstring(result.stdout)[0].get("failures") == "0"
    else:
        assert result.stdout == ""


@pytest.mark.parametrize("language", ["zh", "vi"])
@pytest.mark.parametrize(
    ("command", "rule"),
    [("why", "input.wait.confirm_by_gap"), ("why-not", "input.workers.confirm"), ("why-not", "input.decode.confirm")],
)
def test_why_in_other_languages(run, command, rule, language):
    """The sentences are translated; the conditions, with their ids and numbers, stand as they are."""
    english, other = (run(command, rule, STARVED, "--lang", each).stdout for each in ("en", language))
    kept = [sorted(re.findall(r"[✓✗?] |\d+(?:\.\d+)?", text)) for text in (english, other)]
    assert kept[0] == kept[1]
    said = [line for line in other.splitlines() if not line.strip().startswith(("✓", "✗", "?"))]
    assert [line for line in said if re.search(r"\b(the|of|not|would|did|measured|fired|needed|unknown)\b", line)] == []


def test_data_have_no_language(run):
    """What programs read is the same in every language."""
    documents = {
        run("why-not", "input.decode.confirm", STARVED, "-f", "json", "--lang", each).stdout for each in LANGUAGES
    }
    assert len(documents) == 1
