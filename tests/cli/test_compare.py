"""``dam compare``: sides, repeats, exit codes."""

from __future__ import annotations

import json

import pytest
from sample_diagnoses import BETTER, CONFIRMED, MOVED, UNDETERMINED
from shared_files import ROOT

from dam_expert.cli.failure import Exit
from dam_expert.reports import to_json, to_yaml

EXAMPLE = str(ROOT / "examples" / "starved-accelerator")


@pytest.fixture(name="files")
def _files(tmp_path):
    """Store diagnoses as files and return a function that gives the path of each."""
    for name, diagnosis in (("before", CONFIRMED), ("better", BETTER), ("moved", MOVED), ("bare", UNDETERMINED)):
        (tmp_path / f"{name}.json").write_text(to_json(diagnosis.as_data()), encoding="utf-8")
    (tmp_path / "before.yaml").write_text(to_yaml(CONFIRMED.as_data()), encoding="utf-8")
    return lambda name: str(tmp_path / name)


def test_stored_diagnoses(run, files):
    """Two stored diagnoses are compared as they are, whether JSON or YAML."""
    for before in ("before.json", "before.yaml"):
        result = run("compare", files(before), files("better.json"), "--noise", "3 %", "--brief")
        assert (result.exit_code, result.stdout.splitlines()[0][:7]) == (Exit.DONE, "Better:")


@pytest.mark.parametrize(
    ("pair", "options", "code"),
    [
        pytest.param(("better.json", "before.json"), ["--noise", "3 %", "--fail-on", "regression"], 1, id="worse"),
        pytest.param(("before.json", "better.json"), ["--noise", "3 %", "--fail-on", "regression"], 0, id="better"),
        pytest.param(("better.json", "before.json"), ["--fail-on", "regression"], 0, id="the noise is not known"),
        pytest.param(("better.json", "before.json"), ["--fail-on", "unclear"], 1, id="unclear is a failure if asked"),
        pytest.param(("bare.json", "before.json"), ["--fail-on", "unclear"], 1, id="so is what is not comparable"),
        pytest.param(("better.json", "before.json"), ["--noise", "3 %"], 0, id="a regression alone is no failure"),
    ],
)
def test_fail_on(run, files, pair, options, code):
    """--fail-on regression is exit code 1 only where the target got worse beyond the noise.

    Where it passes because that cannot be told, it says so.
    """
    result = run("compare", files(pair[0]), files(pair[1]), *options)
    assert result.exit_code == code
    assert result.stdout.startswith("Verdict\n")
    passed_untold = code == 0 and "--fail-on" in options and "--noise" not in options
    assert ("[cannot-tell]" in result.stderr) == passed_untold


def test_unknown_noise_is_said(run, files):
    """Without noise the report says that nothing can be called, and what would tell."""
    stdout = run("compare", files("before.json"), files("better.json")).stdout
    assert "Cannot be told: " in stdout
    assert "Repeat both runs" in stdout


def test_a_folder_of_diagnoses_holds_repeats(run, tmp_path):
    """The diagnoses in a folder are runs of one side."""
    for side, times in (("a", (0.20, 0.21, 0.22)), ("b", (0.10, 0.11, 0.12))):
        (tmp_path / side).mkdir()
        for number, seconds in enumerate(times):
            target = CONFIRMED.target.model_copy(update={"actual": seconds})
            data = CONFIRMED.model_copy(update={"target": target}).as_data()
            (tmp_path / side / f"{number}.json").write_text(to_json(data), encoding="utf-8")
    document = json.loads(run("compare", str(tmp_path / "a"), str(tmp_path / "b"), "-f", "json").stdout)
    assert (document["outcome"], document["before"]["runs"], document["metric"]["before"]["source"]) == (
        "better",
        3,
        "repeats",
    )


def test_a_folder_of_tool_outputs(run):
    """A folder of tool outputs is diagnosed; compared with itself nothing differs."""
    result = run("compare", EXAMPLE, EXAMPLE, "--noise", "1 %")
    assert result.exit_code == Exit.DONE
    assert "No difference: Step time was 177 ms and is 177 ms" in result.stdout


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "yaml"])
def test_every_format_and_language(run, files, form):
    """Every format gives a document, and in Chinese its numbers are the same."""
    pair = (files("before.json"), files("better.json"), "--noise", "3 %", "-f", form)
    english, chinese = run("compare", *pair), run("compare", *pair, "--lang", "zh")
    assert (english.exit_code, chinese.exit_code) == (Exit.DONE, Exit.DONE)
    assert "1.84" in english.stdout
    assert "1.84" in chinese.stdout


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--noise", "much"], id="noise that is no share"),
        pytest.param(["--noise", "3"], id="noise with two readings"),
        pytest.param(["--lever", "more_loader_worker"], id="unknown lever"),
        pytest.param(["--brief", "--explain"], id="brief and explain"),
        pytest.param(["--set", "step_time=2 s"], id="a value beside a stored diagnosis"),
    ],
)
def test_usage(run, files, options):
    """A wrong call is exit code 2."""
    result = run("compare", files("before.json"), files("better.json"), *options)
    assert (result.exit_code, result.stdout) == (Exit.USAGE, "")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param('{"schema": "dam-diagnosis/1"}', id="keys are missing"),
        pytest.param('{"schema": "dam-diagnosis/1", "status": ', id="cut"),
        pytest.param('{"schema": "dam-diagnosis/9"}', id="another version"),
    ],
)
def test_a_broken_diagnosis(run, files, tmp_path, content):
    """A diagnosis that cannot be read is one line for each problem, and exit code 3."""
    (tmp_path / "broken.json").write_text(content, encoding="utf-8")
    result = run("compare", files("before.json"), str(tmp_path / "broken.json"))
    assert (result.exit_code, result.stdout) == (Exit.INVALID, "")
    assert "broken.json:" in result.stderr
    assert "Traceback" not in result.stderr
