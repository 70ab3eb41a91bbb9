"""The command as a whole: help with examples, lazy imports, and the process itself."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from shared_files import ROOT

HEAVY = ("experta", "msgspec", "numpy", "pydantic", "rich", "yaml")
COMMANDS = ["diagnose", "read", "why", "why-not", "doctor"]
COMMANDS += [f"kb {name}" for name in ("check", "test", "show", "fmt", "docs", "diff", "lock", "schema")]
COMMANDS += ["kb new", "kb new runbook", "kb new rule", "kb new case"]


@pytest.mark.parametrize("command", ["", "kb", *COMMANDS])
def test_every_help_has_examples(run, command):
    """--help of every command ends with commands to paste, one a line."""
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    _, _, tail = result.stdout.partition("\n  Examples:\n")
    assert tail.splitlines()
    assert all(line.lstrip().startswith(("dam ", "nvidia-smi ")) for line in tail.splitlines())


def test_help_imports_nothing_heavy():
    """--help imports none of the heavy libraries, so that it answers at once."""
    code = f"import sys; from dam_expert.cli.group import dam; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"


def test_python_m_is_the_same_command():
    """``python -m dam_expert`` answers like ``dam``."""
    done = subprocess.run([sys.executable, "-m", "dam_expert", "--help"], capture_output=True, check=True, text=True)
    assert done.stdout.startswith("Usage: dam [OPTIONS] COMMAND [ARGS]...\n")


def test_unknown_command(run):
    """A misspelt command is exit code 2."""
    assert run("diagnoze").exit_code == 2


def test_arguments_are_spelt_out_in_complaints(run):
    """An escape code in an argument does not reach the terminal through the complaint about it."""
    assert "--\\x1b[2J" in run("diagnose", "x", "--\x1b[2J").stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["diagnose", "examples/starved-accelerator", "--brief"], 0, id="done"),
        pytest.param(["diagnose", "examples/starved-accelerator", "--fail-on", "confirmed"], 1, id="condition"),
        pytest.param(["diagnose", "--nonsense"], 2, id="usage"),
        pytest.param(["diagnose", "no-such-folder"], 3, id="invalid"),
    ],
)
def test_exit_codes_of_the_process(arguments, code):
    """The shipped example and wrong calls give the documented exit codes to the shell."""
    command = [sys.executable, "-m", "dam_expert", *arguments]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == code


@pytest.mark.parametrize("command", ["", "kb", "kb new"])
def test_what_a_command_does_is_not_cut(run, command):
    """A list of commands says of each what it does in whole sentences."""
    listed = run(*command.split(), "--help").stdout.partition("Commands:\n")[2].partition("Examples:")[0]
    assert "..." not in listed
    entries = [" ".join(entry.split()) for entry in re.split(r"\n  (?=\S)", "\n" + listed.rstrip())[1:]]
    assert len(entries) >= 3
    assert [entry for entry in entries if not entry.endswith(".")] == []
