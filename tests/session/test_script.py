"""The script for a machine on which nothing can be installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from session.dialogue import begun, conversation, dialogue

from dam_expert.documents.diagnosis import Command, NextMeasurement
from dam_expert.session.script import TIME_LIMIT_S, script


@pytest.fixture(name="text")
def _text() -> str:
    state, _, _ = dialogue("1")
    return script(conversation().diagnosis(state))


@pytest.mark.parametrize("shell", ["dash", "sh", "bash"])
def test_it_ends_well_where_none_of_the_tools_is(text: str, shell: str, tmp_path: Path) -> None:
    """Missing tools are passed over; the folder is there and the exit code is 0."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "run.sh").write_text(text)
    (tmp_path / "bin").mkdir()
    for tool in ("mkdir", "timeout"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or "/nonexistent")
    done = subprocess.run(
        [found, str(tmp_path / "run.sh"), str(tmp_path / "out")],
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert (tmp_path / "out").is_dir()
    assert "dam diagnose" in done.stderr


def test_each_command_has_a_time_limit(text: str) -> None:
    """The runner wraps what it runs."""
    assert f"timeout {TIME_LIMIT_S} sh -c" in text


def test_texts_cannot_break_out_of_their_comment() -> None:
    """A question with a line break stays one comment, a command is quoted whole."""
    diagnosis = conversation().diagnosis(begun())
    hostile = NextMeasurement(
        measurement="x",
        question="a\nrm -rf /",
        commands=[Command(tool=None, command="cat 'hi'; $(touch y)", how=None)],
        effort_minutes=1,
        disturbs=None,
        decides=[],
        why="",
    )
    text = script(diagnosis.model_copy(update={"next_measurements": [hostile]}))
    assert "\nrm -rf /" not in text
    assert """run x cat 'cat '"'"'hi'"'"'; $(touch y)'""" in text


def test_commands_with_placeholders_are_left_to_the_person() -> None:
    """A command that needs a process id or a folder is shown, not run."""
    diagnosis = conversation().diagnosis(begun())
    item = diagnosis.next_measurements[0].model_copy(
        update={"commands": [Command(tool=None, command="py-spy dump --pid WORKER_PID", how=None)]}
    )
    text = script(diagnosis.model_copy(update={"next_measurements": [item]}))
    assert "by hand: py-spy dump --pid WORKER_PID" in text
