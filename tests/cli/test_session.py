"""``dam session`` as a process: on a pipe, on a real terminal, without input, killed and gone on with."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

import dam_expert
from dam_expert.cli.failure import Exit

DAM = [sys.executable, "-m", "dam_expert"]
SESSION = [*DAM, "session", "slow.dam.yaml"]
#: The package under test, wherever it lies: sessions run in folders of their own.
HOME = {**os.environ, "PYTHONPATH": str(Path(dam_expert.__file__).parent.parent)}


def piped(folder: Path, lines: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DAM, "session", *arguments],
        cwd=folder,
        env=HOME,
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_pipe_speaks_plain_lines(tmp_path: Path) -> None:
    """Questions end with their id, answers are lines, and the session is kept in the file that was named."""
    done = piped(tmp_path, ["1", "unknown", "45 %", "quit"], "slow.dam.yaml")
    assert done.returncode == 0
    assert "? target" in done.stdout
    assert "? input_gap_share" in done.stdout
    assert "\x1b" not in done.stdout
    assert "45 %" in (tmp_path / "slow.dam.yaml").read_text()
    assert "kept in slow.dam.yaml" in done.stderr


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """The end of input ends the session well; the same command goes on with the next question."""
    piped(tmp_path, ["1", "unknown", "45 %"], "slow.dam.yaml")
    done = piped(tmp_path, ["quit"], "slow.dam.yaml")
    assert done.returncode == 0
    assert "? target" not in done.stdout
    assert "Confirmed: input binds" in done.stdout


def test_without_input_it_shows_where_it_stands(tmp_path: Path) -> None:
    """--no-input asks nothing."""
    done = piped(tmp_path, [], "slow.dam.yaml", "--no-input")
    assert done.returncode == 0
    assert "? target" in done.stdout


def test_a_session_that_is_there_is_gone_on_with_and_never_replaced(tmp_path: Path) -> None:
    """Begun with nothing, the kept one goes on and says so; begun with outputs, its file is not taken."""
    piped(tmp_path, ["1", "unknown", "45 %"])
    again = piped(tmp_path, ["quit"])
    assert "going on with session.dam.yaml" in again.stderr
    assert "Confirmed: input binds" in again.stdout
    before = (tmp_path / "session.dam.yaml").read_bytes()
    (tmp_path / "dmon.txt").write_text("# gpu    sm   mem\n# Idx     %     %\n    0    20    10\n    0    30    10\n")
    refused = piped(tmp_path, ["quit"], "dmon.txt", "-o", "session.dam.yaml")
    assert refused.returncode == 2
    assert "holds a session already" in refused.stderr
    assert (tmp_path / "session.dam.yaml").read_bytes() == before


def test_the_language_is_chosen_and_kept(tmp_path: Path) -> None:
    """--lang begins in a language, a command changes it, and the session goes on in that one."""
    done = piped(tmp_path, ["语言 vi", "quit"], "slow.dam.yaml", "--lang", "zh")
    assert "没有达到什么目标" in done.stdout
    assert "Mục tiêu nào không đạt" in done.stdout
    assert "Mục tiêu nào không đạt" in piped(tmp_path, ["quit"], "slow.dam.yaml").stdout


def test_values_can_be_given_beforehand(tmp_path: Path) -> None:
    """--set is known before the first question, as in every other command."""
    done = piped(tmp_path, [], "--set", "input_gap_share=45 %", "--no-input")
    assert done.returncode == 0
    assert "Confirmed: input binds" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_script_goes_to_stdout_alone(tmp_path: Path) -> None:
    """--script prints a shell script and keeps nothing."""
    done = piped(tmp_path, [], "--script")
    assert done.returncode == 0
    assert done.stdout.startswith("#!/bin/sh\n")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_kept_is_one_line(tmp_path: Path) -> None:
    """A folder that is not there gives an error with exit code 3 and no traceback."""
    done = piped(tmp_path, ["1"], "missing/slow.dam.yaml")
    assert done.returncode == 3
    assert "cannot keep the session" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_session_on_the_file_is_refused(tmp_path: Path) -> None:
    """While one has the file, another says so and changes nothing."""
    with subprocess.Popen(
        SESSION,
        cwd=tmp_path,
        env=HOME,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        assert any(line.startswith("? ") for line in iter(first.stdout.readline, ""))
        done = piped(tmp_path, ["2"], "slow.dam.yaml")
        first.kill()
    assert done.returncode == 3
    assert "another session" in done.stderr


@pytest.mark.parametrize(
    ("language", "notice", "end"),
    [
        ("en", "goes on in slow.2.dam.yaml", "answers are in slow.2.dam.yaml"),
        ("zh", "改存到 slow.2.dam.yaml", "回答在 slow.2.dam.yaml"),
        ("vi", "tiếp tục trong slow.2.dam.yaml", "câu trả lời nằm trong slow.2.dam.yaml"),
    ],
)
def test_an_edit_by_hand_between_two_answers_stays(tmp_path: Path, language: str, notice: str, end: str) -> None:
    """The session says where it goes on, and ends with exit code 3 since its file does not hold it."""
    kept = tmp_path / "slow.dam.yaml"
    with subprocess.Popen(
        [*SESSION, "--lang", language],
        cwd=tmp_path,
        env=HOME,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert any(line.startswith("? ") for line in iter(running.stdout.readline, ""))
        edited = "# mine\n" + kept.read_text()
        kept.write_text(edited)
        _, told = running.communicate("1\nunknown\n45 %\nquit\n")
    assert running.returncode == 3
    assert notice in told
    assert end in told
    assert kept.read_text() == edited
    assert "45" in (tmp_path / "slow.2.dam.yaml").read_text()


def test_killed_at_any_moment_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    """Killed after an answer was taken, the next run knows it."""
    with subprocess.Popen(
        SESSION,
        cwd=tmp_path,
        env=HOME,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for answer in ("1", "unknown", "45 %"):
            running.stdin.write(answer + "\n")
            running.stdin.flush()
        asked = (line for line in iter(running.stdout.readline, "") if line.startswith("? "))
        assert len(list(itertools.islice(asked, 4))) == 4
        os.kill(running.pid, signal.SIGKILL)
    assert "Confirmed: input binds" in piped(tmp_path, ["quit"], "slow.dam.yaml").stdout


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "edited"])
def test_on_a_terminal(tmp_path: Path, plain: bool) -> None:
    """On a real pseudo-terminal a session is held from the target to the cause, with and without line editing."""
    arguments = ["-m", "dam_expert", "session", "slow.dam.yaml", *(["--plain"] if plain else [])]
    environment = {**HOME, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    terminal = pexpect.spawn(
        sys.executable,
        arguments,
        cwd=str(tmp_path),
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 100),
    )
    terminal.expect(r"\? target")
    terminal.send("1\r")
    terminal.expect(r"how much is it now")
    terminal.expect(r"\? target")
    terminal.send("unknown\r")
    terminal.expect(r"\? input_gap_share")
    terminal.send("why\r")
    terminal.expect("To find out")
    terminal.expect(r"\? input_gap_share")
    terminal.send("45 %\r")
    terminal.expect("Confirmed: The device waits for input")
    terminal.send("quit\r")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    assert "45 %" in (tmp_path / "slow.dam.yaml").read_text()


def test_on_a_terminal_in_other_languages(tmp_path: Path) -> None:
    """Vietnamese and Chinese are typed and shown with line editing, and the end of input keeps everything."""
    environment = {**HOME, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "LC_ALL": "C.UTF-8"}
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "dam_expert", "session", "slow.dam.yaml", "--lang", "vi"],
        cwd=str(tmp_path),
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 100),
    )
    for shown, answer in (
        ("Mục tiêu nào không đạt", "huấn luyện quá chậm"),
        ("hiện là bao nhiêu", "không biết"),
        (r"\? input_gap_share", "语言 zh"),
        ("主机等待", "45 %"),
    ):
        terminal.expect(shown)
        if not shown.startswith("\\"):
            terminal.expect(r"\? \w+")
        terminal.send(f"{answer}\r")
    terminal.expect("已确认")
    # the end of input is a key only while a line is edited: before that the terminal itself would swallow it
    terminal.expect_exact("\x1b[?2004h")
    terminal.sendcontrol("d")
    terminal.expect("已保存在 slow.dam.yaml；继续：dam session slow.dam.yaml")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    assert "language: zh" in (tmp_path / "slow.dam.yaml").read_text()


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "edited"])
def test_a_pasted_output_is_one_answer_on_a_terminal(tmp_path: Path, plain: bool) -> None:
    """A paste of several lines is read by the readers: bracketed where lines are edited, else by coming at once."""
    environment = {**HOME, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "dam_expert", "session", "slow.dam.yaml", *(["--plain"] if plain else [])],
        cwd=str(tmp_path),
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 100),
    )
    terminal.expect(r"\? target")
    terminal.send("1\r")
    terminal.expect(r"how much is it now")
    terminal.expect(r"\? target")
    terminal.send("unknown\r")
    terminal.expect(r"\? input_gap_share")
    rows = "\n".join(["# gpu    sm   mem", "# Idx     %     %", *["    0    20    10"] * 4])
    terminal.send(f"{rows}\r" if plain else f"\x1b[200~{rows}\x1b[201~\r")
    terminal.expect("Read: .* from nvidia_smi_dmon")
    terminal.send("quit\r")
    terminal.expect(pexpect.EOF)
    terminal.close()


@pytest.mark.parametrize("arguments", [("trace.json",), (".", "-o", "trace.json")])
def test_a_session_never_replaces_what_is_no_incident(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A tool's output is read, never written: the session goes to a file of its own, or is refused."""
    trace = tmp_path / "trace.json"
    trace.write_text('{"schemaVersion": 1, "traceEvents": []}')
    done = piped(tmp_path, ["quit"], *arguments)
    assert trace.read_text() == '{"schemaVersion": 1, "traceEvents": []}'
    assert done.returncode == (2 if "-o" in arguments else 0)


BROKEN_INCIDENT = "schema: dam-incident/1\ntitel: x\nobservations: {accelerator_utilization: 30 %}\n"


def test_a_session_does_not_go_on_over_what_it_did_not_understand(run, tmp_path):
    """A file with an error in it is not saved over, since the faulty part would be lost; elsewhere it may go on."""
    path, other = tmp_path / "a.dam.yaml", tmp_path / "b.dam.yaml"
    path.write_text(BROKEN_INCIDENT)
    refused = run("session", str(path), input="45 %\n")
    assert (refused.exit_code, "would lose what was not understood" in refused.stderr) == (Exit.INVALID, True)
    assert path.read_text() == BROKEN_INCIDENT
    run("session", str(path), "-o", str(other), input="45 %\n")
    assert (path.read_text(), "accelerator_utilization" in other.read_text()) == (BROKEN_INCIDENT, True)


def test_a_session_does_not_begin_on_what_cannot_be_read(run, tmp_path):
    """A pipe in the place of the incident is refused, instead of a session about nothing in another file."""
    os.mkfifo(tmp_path / "a.dam.yaml")
    result = run("session", str(tmp_path / "a.dam.yaml"))
    assert (result.exit_code, [each.name for each in tmp_path.iterdir()]) == (Exit.INVALID, ["a.dam.yaml"])


def test_a_session_begins_in_an_empty_file(run, tmp_path):
    """A file that says nothing yet is as good as none."""
    (tmp_path / "a.dam.yaml").touch()
    result = run("session", str(tmp_path / "a.dam.yaml"), input="1\n")
    assert (result.exit_code, "dam-incident" in (tmp_path / "a.dam.yaml").read_text()) == (Exit.DONE, True)
