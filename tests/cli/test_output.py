"""Where data goes: stdout, files replaced in one step, closed pipes, colour."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from shared_files import ROOT

from dam_expert.cli import main
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.output import emit, text_width, use_color

EVIL = "é 数据 \udc80"


def _run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, env=environment)


def test_a_file_is_replaced_whole(tmp_path):
    """-o replaces an existing file and leaves nothing else behind."""
    target = tmp_path / "out.json"
    target.write_text("old")
    emit("json", {"a": 1}, str, str(target))
    assert json.loads(target.read_text()) == {"a": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    """When the last step fails, the old content stands and no part is left."""
    target = tmp_path / "out.txt"
    target.write_text("old")
    monkeypatch.setattr("pathlib.Path.replace", _no_space)
    with pytest.raises(Failure) as caught:
        emit("text", {}, lambda: "new", str(target))
    assert (caught.value.exit_code, target.read_text(), len(list(tmp_path.iterdir()))) == (Exit.USAGE, "old", 1)


def _no_space(_self, _target):
    raise OSError(28, "No space left on device")


def test_a_link_is_followed(tmp_path):
    """-o through a symbolic link writes the file it names and keeps the link."""
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    emit("text", {}, lambda: "new", str(tmp_path / "link.txt"))
    assert (tmp_path / "real.txt").read_text() == "new"
    assert (tmp_path / "link.txt").is_symlink()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        pytest.param("missing/out.txt", "No such file or directory", id="no folder"),
        pytest.param(".", "Is a directory", id="a folder"),
    ],
)
def test_a_place_that_cannot_be_written_is_a_usage_error(tmp_path, path, reason):
    """A wrong -o ends with a line that names the path, not with a traceback."""
    with pytest.raises(Failure, match=reason):
        emit("text", {}, lambda: "x", str(tmp_path / path))


def test_devices_are_written_to_directly():
    """-o /dev/null is not replaced by a file."""
    emit("text", {}, lambda: "x", "/dev/null")
    assert not __import__("pathlib").Path("/dev/null").is_file()


def test_letters_the_terminal_lacks_are_spelt_out():
    """Text on an ASCII terminal spells letters out instead of failing."""
    done = _run(
        f"from dam_expert.cli.output import emit; emit('text', {{}}, lambda: {EVIL!r}, None)", PYTHONIOENCODING="ascii"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, rb"\xe9 \u6570\u636e \udc80", b"")


def test_json_is_utf8_on_any_terminal():
    """JSON stays valid UTF-8 on an ASCII terminal."""
    done = _run("from dam_expert.cli.output import emit; emit('json', {'a': 'é'}, str, None)", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout.decode()) == {"a": "é"}


def test_a_closed_pipe_is_silent():
    """A reader that closes the pipe ends the program without a word and with its own exit code."""
    code = (
        "import sys; from dam_expert.cli.output import emit; emit('text', {}, lambda: 'x' * 10**7, None); sys.exit(1)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(1)
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 1)


@pytest.mark.parametrize(
    ("environment", "output", "color"),
    [
        pytest.param({}, None, True, id="terminal"),
        pytest.param({"NO_COLOR": "1"}, None, False, id="NO_COLOR"),
        pytest.param({"NO_COLOR": ""}, None, True, id="empty NO_COLOR"),
        pytest.param({"TERM": "dumb"}, None, False, id="dumb terminal"),
        pytest.param({}, "out.txt", False, id="file"),
    ],
)
def test_color(monkeypatch, environment, output, color):
    """Colour only on a terminal, and never against NO_COLOR."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert use_color(output) is color


@pytest.mark.parametrize(("columns", "width"), [("200", 80), ("60", 60), ("10", 40)])
def test_width(monkeypatch, columns, width):
    """Text is 80 cells wide, or as wide as a narrower terminal, but never below 40."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert (text_width(None), text_width("out.txt")) == (width, 80)


@pytest.mark.parametrize(
    ("redirected", "code", "said"),
    [
        pytest.param(">&-", 2, "dam: cannot write: stdout is closed\n", id="no stdout"),
        pytest.param(">/dev/full", 2, "dam: cannot write: No space left on device\n", id="full disk"),
    ],
)
def test_stdout_that_cannot_be_written(redirected, code, said):
    """What cannot be written is one line, never lost without a word."""
    command = f"'{sys.executable}' -m dam_expert kb schema diagnosis {redirected}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (code, said)


def _dam(shell, **more):
    command = f"exec '{sys.executable}' -m dam_expert {shell}"
    return subprocess.run(["sh", "-c", command], capture_output=True, check=False, text=True, **more)


CASE = "examples/starved-accelerator"


@pytest.mark.parametrize("end", [">&-", ">/dev/full"])
@pytest.mark.parametrize(
    "shell",
    [
        *("--help", f"diagnose {CASE}", f"read {CASE} -f json", f"batch {CASE} -o -", f"batch {CASE} --summary -"),
        *("doctor", "hardware", "kb docs --output {tmp}", "session -o {tmp}/s.dam.yaml </dev/null"),
        f"session {CASE} -o {{tmp}}/s.dam.yaml --plain <CHANGELOG.md",
    ],
)
def test_no_command_loses_what_it_writes(shell, end, tmp_path):
    """Whatever it is: a stdout that is closed or full ends it with one line and the code of a wrong call."""
    done = _dam(f"{shell.format(tmp=tmp_path)} {end}", cwd=ROOT)
    reason = "stdout is closed" if end == ">&-" else "No space left on device"
    told = [line for line in done.stderr.splitlines() if line.startswith("dam: cannot write")]
    assert (done.returncode, len(told), reason in done.stderr, "Error" in done.stderr) == (2, 1, True, False), done


@pytest.mark.parametrize("shell", ["read examples/starved-accelerator -q -o {to}", "kb schema incident -o {to}"])
def test_without_a_stdout_a_file_is_written_all_the_same(shell, tmp_path):
    """What writes nothing to stdout needs none."""
    done = _dam(f"{shell.format(to=tmp_path / 'out')} >&-", cwd=ROOT)
    assert (done.returncode, done.stderr, (tmp_path / "out").stat().st_size > 100) == (0, "", True)


@pytest.mark.parametrize(
    ("shell", "code", "said"),
    [
        pytest.param("--help >/dev/full", 2, "dam: cannot write: No space left on device\n", id="help to a full disk"),
        pytest.param("kb schema 2>/dev/full", 2, "", id="complaint to a full disk"),
        pytest.param("read - <&-", 3, "<stdin>: warning: the file is empty", id="no stdin"),
        pytest.param("kb new runbook x --folder /dev/null/x <&- >&- 2>&-", 2, "", id="no streams at all"),
        pytest.param("diagnose ''", 2, "an empty name is no path", id="empty path"),
        pytest.param("kb check --runbook ''", 2, "an empty name is no path", id="empty runbook"),
        pytest.param("read examples -o ''", 2, "an empty name is no path", id="empty output"),
    ],
)
def test_ends_of_the_process(shell, code, said):
    """A full disk, a missing stream and an empty name are one line and an exit code, never a traceback."""
    done = _dam(shell, cwd=ROOT)
    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (code, True, False)
    assert len(done.stderr.splitlines()) <= 2


def test_help_into_a_closed_pipe_is_no_error():
    """A reader of the help that has had enough ends it with exit code 0."""
    with subprocess.Popen([sys.executable, "-m", "dam_expert", "kb", "show", "rules"], stdout=subprocess.PIPE) as it:
        it.stdout.close()
        assert it.wait() == 0


@pytest.mark.parametrize("name", ["incident.dam.yaml", "../case/incident.dam.yaml", "profile.pt.trace.json"])
def test_no_output_replaces_an_input(run, tmp_path, name):
    """What the command has read is not written over, under whatever name; a new file beside it is, again and again."""
    folder = tmp_path / "case"
    shutil.copytree(ROOT / "examples" / "starved-accelerator", folder)
    before = (folder / name).read_bytes()
    refused = run("read", str(folder), "-o", str(folder / name))
    assert (refused.exit_code, "is an input of this command" in refused.stderr) == (Exit.USAGE, True)
    assert (folder / name).read_bytes() == before
    for _ in range(2):
        assert run("read", str(folder), "-q", "-o", str(folder / "understood.txt")).exit_code == Exit.DONE


def test_a_mistake_of_the_program_is_one_line(monkeypatch, capsys):
    """What nothing may lead to is still told in one line with what to do, and not taken for a failed condition."""
    monkeypatch.setattr(sys, "argv", ["dam", "doctor"])
    monkeypatch.setattr("dam_expert.cli.health.all_checks", lambda _: 1 / 0)
    monkeypatch.delenv("DAM_TRACEBACK", raising=False)
    with pytest.raises(SystemExit) as end:
        main()
    said = capsys.readouterr().err
    assert (end.value.code, said.count("\n")) == (Exit.INVALID, 1)
    assert "a mistake in dam itself (ZeroDivisionError at test_output.py:" in said
