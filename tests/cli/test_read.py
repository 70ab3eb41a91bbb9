"""``dam read``: what was understood, as lines or as an incident document."""

from __future__ import annotations

import json
import re

import pytest


def test_lines_are_escaped(run, stage):
    """Each observation is one line, with control characters spelt out."""
    stage.lines = ["a = 1 (tool, x\x1b[2J.txt)", "b = 2"]
    assert run("read", "run/").stdout == "a = 1 (tool, x\\x1b[2J.txt)\nb = 2\n"


def test_document(run, stage):
    """As JSON it is the incident document."""
    assert json.loads(run("read", "run/", "-f", "json").stdout) == {"schema": "dam-incident/1"}


DMON = "# gpu  sm\n# Idx   %\n    0  70\n    0  80\nme@n17.example.com oops\n"


@pytest.fixture(name="folder")
def _folder(tmp_path):
    folder = tmp_path / "secret-project"
    folder.mkdir()
    (folder / "gpu.log").write_text(DMON)
    return folder


def test_explain_says_where_each_value_comes_from(run, folder):
    """One line per source with what was not understood, then tool, trust and derivation below each value."""
    shown = run("read", str(folder), "--explain").stdout
    file = folder / "gpu.log"
    assert shown.startswith(
        f"{file}: nvidia_smi_dmon, 5 values, 5 read, 1 of 5 lines or events not understood\n"
        f"accelerator_utilization[device=0] = 75 % (tool, {file}:3)\n"
        "    nvidia-smi dmon, trust 4 of 9; mean of 2 samples\n"
    )


@pytest.mark.parametrize("form", ["text", "json", "yaml"])
def test_redacted_output_names_nothing(run, folder, form):
    """Neither data nor messages name the file, its folder or a host, in any format; the suffix of the file stays."""
    done = run("read", str(folder), "--redact", "--explain", "-f", form)
    said = done.stdout + done.stderr
    assert done.exit_code == 0
    assert "path-" in said
    assert [name for name in ("secret", "gpu.log", "example", str(folder.parent)) if name in said] == []


def test_redacted_output_is_stable(run, folder):
    """The same input gives the same placeholders."""
    first, second = (run("read", str(folder), "--redact").stdout for _ in range(2))
    assert first == second
    assert "(tool, path-2.log:3)" in first


def test_a_value_that_cannot_be_is_shown_as_not_used(run, tmp_path):
    """What no measurement can be is told with the reason, before anything is concluded from it."""
    (tmp_path / "smi.csv").write_text("timestamp, index, utilization.gpu [%]\nx, 0, 150 %\n")
    lines = run("read", str(tmp_path)).stdout.splitlines()
    assert ["not used" in line for line in lines if line.startswith("accelerator_utilization")] == [True]


@pytest.mark.parametrize("language", ["zh", "vi"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_other_languages(run, folder, form, language):
    """The words beside the values are translated; values, ids, places and documents are not."""
    english, other = (
        run("read", str(folder), "--explain", "-f", form, "--lang", each).stdout for each in ("en", language)
    )
    kept = [sorted(re.findall(r"\d+(?:\.\d+)?", text)) for text in (english, other)]
    assert kept[0] == kept[1]
    assert (form == "json") == (other == english)
    assert form == "json" or not re.search(r"\b(values|read|not understood|trust|tool)\b", other)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "target: step_time is 1.15 s, wanted 650 ms (said, {file}:3)"),
        ("zh", "目标：step_time 现为 1.15 s，要求 650 ms（"),
        ("vi", "mục tiêu: step_time hiện là 1.15 s, cần 650 ms ("),
    ],
)
def test_the_target_is_shown(run, tmp_path, language, said):
    """With what is and what is wanted, and the line that says so, in both forms of the text."""
    file = tmp_path / "report.md"
    file.write_text("The job is slow.\n\nA step takes 1.15 s, expected is 650 ms.\n")
    for more in ((), ("--explain",)):
        shown = run("read", str(file), "--lang", language, *more).stdout
        assert shown.count(said.format(file=file)) == 1


def test_the_target_of_an_incident_file_is_shown(run, tmp_path):
    """Also one whose metric the base does not know, in its own unit; a mere track is no line."""
    file = tmp_path / "a.dam.yaml"
    file.write_text("schema: dam-incident/1\ntarget: {metric: smoothness, wanted: 3 s}\n")
    shown = run("read", str(file)).stdout
    assert f"target: smoothness is unknown, wanted 3 s (reported, {file}:2)" in shown
    file.write_text("schema: dam-incident/1\ntarget: {track: time}\nobservations: {step_time: 1 s}\n")
    assert "target:" not in run("read", str(file)).stdout
