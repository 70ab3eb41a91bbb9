"""``dam kb new`` on a real terminal: what is left out is asked for, and what it writes is sound."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pexpect

import dam_expert

DAM = ["-m", "dam_expert"]
HOME = {**os.environ, "PYTHONPATH": str(Path(dam_expert.__file__).parent.parent), "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def asked(folder: Path, arguments: list[str], *answers: tuple[str, str]) -> pexpect.spawn:
    """Run a command on a pseudo-terminal and answer each prompt as it comes."""
    terminal = pexpect.spawn(
        sys.executable,
        [*DAM, *arguments],
        cwd=str(folder),
        env=HOME,
        encoding="utf-8",
        timeout=120,
        dimensions=(40, 120),
    )
    for prompt, answer in answers:
        terminal.expect_exact(prompt)
        terminal.send(f"{answer}\r")
    terminal.expect(pexpect.EOF)
    terminal.close()
    return terminal


def ran(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *DAM, *arguments], cwd=folder, env=HOME, capture_output=True, text=True, check=False
    )


def test_a_rule_is_written_from_what_is_asked(tmp_path: Path) -> None:
    """From nothing to a checked and tested rule by answering on a terminal; a mistake is asked for again."""
    begun = asked(tmp_path, ["kb", "new", "runbook", "team"], ("What does it know", "Our disks."))
    assert begun.exitstatus == 0
    written = asked(
        tmp_path,
        ["kb", "new", "rule", "team.slow", "--runbook", "team"],
        ("When, as in", "disk_read_awai > 20 ms"),
        ("did you mean 'disk_read_await'?", "disk_read_await > 20 ms"),
        ("Another one that must hold as well", ""),
        ("Then, as in", "support=storage_bond"),
        ("did you mean 'storage_bound'?", "support=storage_bound"),
        ("Title", "Our disks are slow"),
        ("Because", "Reads wait: the disk is busy."),
        ("Source", "wiki, page 3"),
    )
    assert written.exitstatus == 0
    text = (tmp_path / "team" / "slow.yaml").read_text()
    assert "title: Our disks are slow" in text
    assert ran(tmp_path, "kb", "check", "--quiet", "--runbook", "team").returncode == 0
    assert ran(tmp_path, "kb", "test", "--quiet", "--runbook", "team").returncode == 0


def _interruptible() -> None:
    """Undo what a shell does to programs in the background: there Ctrl-C is ignored, and so by all that they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_it_can_be_left_at_any_question(tmp_path: Path) -> None:
    """Ctrl-C and Ctrl-D end it with 130 and write nothing."""
    for key in ("\x03", "\x04"):
        terminal = pexpect.spawn(
            sys.executable,
            [*DAM, "kb", "new", "runbook", "team"],
            cwd=str(tmp_path),
            env=HOME,
            encoding="utf-8",
            timeout=60,
            preexec_fn=_interruptible,
        )
        terminal.expect_exact("What does it know")
        for _ in range(6):  # a key between the question and the reading of keys is lost, as it is to a person
            terminal.send(key)
            if terminal.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=10) == 0:
                break
        terminal.close()
        assert terminal.exitstatus == 130
        assert list(tmp_path.iterdir()) == []
