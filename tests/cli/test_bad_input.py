"""Bad input through the whole command: one clear line each, the rest still used, never a traceback."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from shared_files import ROOT

from dam_expert.cli.failure import Exit

EXAMPLE = ROOT / "examples" / "starved-accelerator"
LINE = re.compile(r".+?(:\d+(:\d+)?)?: (error|warning|note): .+ \[[a-z0-9-]+\]")


def _trace_cut_in_the_middle(folder: Path) -> None:
    text = (EXAMPLE / "profile.pt.trace.json").read_text(encoding="utf-8")
    (folder / "trace.json").write_text(text[: len(text) // 2], encoding="utf-8")


def _trace_without_steps(folder: Path) -> None:
    text = (EXAMPLE / "profile.pt.trace.json").read_text(encoding="utf-8")
    kept = [row for row in text.splitlines() if "ProfilerStep" not in row]
    (folder / "trace.json").write_text("\n".join(kept), encoding="utf-8")


def _sentence_in_a_number(folder: Path) -> None:
    rows = [
        "timestamp, index, utilization.gpu [%], power.draw [W]",
        "2026/05/14 10:00:00.000, 0, [N/A], [Requested functionality has been deprecated]",
        "2026/05/14 10:00:01.000, 0, 31 %, [N/A]",
    ]
    (folder / "smi.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


BROKEN = [
    pytest.param(lambda folder: None, id="empty folder"),
    pytest.param(lambda folder: (folder / "empty.json").touch(), id="0 bytes"),
    pytest.param(lambda folder: (folder / "a.bin").write_bytes(bytes(range(256)) * 40), id="binary"),
    pytest.param(lambda folder: (folder / "notes.md").write_text("# Hello\n\nIt is slow.\n"), id="another kind"),
    pytest.param(_trace_cut_in_the_middle, id="truncated trace"),
    pytest.param(_trace_without_steps, id="trace without steps"),
    pytest.param(
        lambda folder: (folder / "x.dam.yaml").write_text("schema: dam-incident/1\ntitel: x\n"), id="misspelt"
    ),
    pytest.param(lambda folder: (folder / "x.dam.yaml").write_text("a: [1\n"), id="broken YAML"),
    pytest.param(lambda folder: (folder / "e\x1b[2J\udc80.txt").write_text("?\n"), id="hostile file name"),
]


@pytest.mark.parametrize("spoil", BROKEN)
def test_alone(run, tmp_path, spoil):
    """Alone it gives lines on stderr that say what is wrong, and no traceback."""
    spoil(tmp_path)
    result = run("diagnose", str(tmp_path))
    assert result.exit_code in (Exit.DONE, Exit.INVALID), result.stderr
    lines = [line for line in result.stderr.splitlines() if not line.startswith("dam: ")]
    assert lines
    assert [line for line in lines if not LINE.fullmatch(line)] == []


@pytest.mark.parametrize("spoil", BROKEN)
def test_beside_good_files(run, tmp_path, spoil):
    """Beside good files it is named, and the good ones are used all the same; an error shows in the exit code too."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.mkdir()
    bad.mkdir()
    shutil.copy(EXAMPLE / "iostat-x.txt", good)
    spoil(bad)
    result = run("read", str(good), str(bad))
    faulty = ": error: " in result.stderr
    assert result.exit_code == (Exit.INVALID if faulty else Exit.DONE), result.stderr
    assert "cpu_utilization = 98.1 % " in result.stdout
    assert "warning: " in result.stderr or "error: " in result.stderr or "note: " in result.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="everything may be read by root")
def test_a_folder_without_read_permission(run, tmp_path):
    """A folder that may not be read is one line."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    result = run("read", str(EXAMPLE), str(locked))
    assert (result.exit_code, "may not be read" in result.stderr) == (Exit.DONE, True)


def test_unknown_is_never_zero(run, tmp_path):
    """A cell that is not available gives no value, and no 0."""
    _sentence_in_a_number(tmp_path)
    stdout = run("read", str(tmp_path)).stdout
    assert "accelerator_utilization[device=0] = 31 % " in stdout
    assert "device_power" not in stdout


def test_a_folder_that_links_to_itself(run, tmp_path):
    """A loop of links ends, and gives nothing."""
    (tmp_path / "loop").symlink_to(tmp_path)
    result = run("diagnose", str(tmp_path))
    said = f"dam: nothing in {tmp_path} can be used; 'dam doctor' lists the outputs that are read\n"
    assert (result.exit_code, result.stderr) == (Exit.INVALID, said)


def test_a_path_that_is_not_there(run):
    """A misspelt path is one line and exit code 3."""
    result = run("diagnose", "no/such/folder")
    assert (result.exit_code, result.stdout) == (Exit.INVALID, "")
    assert result.stderr.startswith("no/such/folder: ")


def test_two_incident_files(run, tmp_path):
    """Two incident files in one call are refused: each would need a diagnosis of its own."""
    for name in ("a", "b"):
        shutil.copy(EXAMPLE / "incident.dam.yaml", tmp_path / f"{name}.dam.yaml")
    result = run("diagnose", str(tmp_path))
    assert (result.exit_code, "[two-incidents]" in result.stderr) == (Exit.INVALID, True)


def test_values_that_contradict_are_shown_and_not_used(run, tmp_path):
    """Two equally trusted values that differ beyond the tolerance are both listed as not used."""
    for name, step in (("a.csv", "31 %"), ("b.csv", "90 %")):
        rows = ["timestamp, index, utilization.gpu [%]", f"2026/05/14 10:00:00.000, 0, {step}"]
        (tmp_path / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    document = json.loads(run("diagnose", str(tmp_path), "-f", "json").stdout)
    rejected = [each["value"] for each in document["rejected"] if each["measurement"] == "accelerator_utilization"]
    assert rejected == [0.31, 0.9]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        pytest.param("input_gap_shar=30 %", "did you mean 'input_gap_share'?", id="misspelt measurement"),
        pytest.param("input_gap_share=soon", "'soon' is not a quantity", id="not a value"),
        pytest.param("input_gap_share=35", "35 has two readings as a share", id="two readings"),
    ],
)
def test_settings_that_cannot_be(run, setting, said):
    """A wrong --set is a usage error that says what to write instead."""
    result = run("read", str(EXAMPLE), "--set", setting)
    assert result.exit_code == Exit.USAGE
    assert said in result.stderr.replace("\n", " ")


def test_a_setting_is_an_observation(run):
    """--set adds a reported value."""
    stdout = run("read", str(EXAMPLE / "iostat-x.txt"), "--set", "cached_pass_speedup=1.02").stdout
    assert "cached_pass_speedup = 1.02× (reported, --set)" in stdout


def test_standard_input(run):
    """- reads what a tool prints."""
    text = (EXAMPLE / "iostat-x.txt").read_text(encoding="utf-8")
    assert "cpu_utilization = 98.1 % (tool, <stdin>:" in run("read", "-", input=text).stdout


def test_many_files_of_which_the_same_is_said_are_one_line(run, tmp_path):
    """A folder full of other files does not flood the talk; what is different is still told apart."""
    for number in range(30):
        (tmp_path / f"notes{number}.md").write_text(f"# Hello {number}\n")
    (tmp_path / "empty.txt").touch()
    shutil.copy(EXAMPLE / "iostat-x.txt", tmp_path)
    lines = run("read", str(tmp_path)).stderr.splitlines()
    assert len(lines) == 2
    assert any("30 files, such as notes0.md and notes1.md: " in line for line in lines)
