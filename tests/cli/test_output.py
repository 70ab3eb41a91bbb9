"""Where data goes: stdout, files replaced in one step, closed pipes, colour."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

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
        pytest.param(">&-", 0, "", id="no stdout"),
        pytest.param(">/dev/full", 2, "dam: cannot write: No space left on device\n", id="full disk"),
    ],
)
def test_stdout_that_cannot_be_written(redirected, code, said):
    """A missing stdout is nothing to write to; a full disk is one line."""
    command = f"'{sys.executable}' -m dam_expert kb schema diagnosis {redirected}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (code, said)
