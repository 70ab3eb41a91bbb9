"""Opening never waits, replacing loses nothing: rights, links, the old content, the parts of killed processes."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from killing import killed_at_every_write

from dam_expert.documents.files import NotAFileError, _Ready, open_file, put_private_file, replace_file

#: Every call by which a replacement changes the disk: a new one has to be thought about.
WRITES = {"posix.open", "posix.write", "posix.fsync", "posix.fchmod", "posix.fchown", "fcntl.flock"}
WRITES |= {"Path.replace", "Path.unlink", "posix.replace", "posix.unlink"}


def test_killed_at_every_write_the_old_content_stands_and_the_next_write_goes_on(tmp_path):
    """A process killed before any call that changes the disk leaves the old file or the new one, and no rubbish."""
    path = tmp_path / "a.txt"

    def check(when):
        assert path.read_bytes() in (b"old", b"new content"), when
        assert path.stat().st_mode & 0o777 == 0o600, when
        replace_file(path, b"old")
        assert (path.read_bytes(), [each.name for each in tmp_path.iterdir()]) == (b"old", ["a.txt"]), when

    path.write_bytes(b"old")
    path.chmod(0o600)
    calls = killed_at_every_write(lambda: replace_file(path, b"new content"), check)
    assert {call.replace("os.", "posix.") for call in calls} <= WRITES
    assert {"Path.replace", "fcntl.flock"} < set(calls)


def test_the_part_of_a_living_process_is_left_alone(tmp_path):
    """A part whose writer still holds it is no rubbish, whatever another writer does."""
    path, ready, go = tmp_path / "a.txt", threading.Event(), threading.Event()
    real = os.fsync

    def slow(handle):
        if threading.current_thread() is not threading.main_thread():
            ready.set()
            go.wait(10)
        real(handle)

    os.fsync = slow
    try:
        other = threading.Thread(target=replace_file, args=(path, b"slow"))
        other.start()
        assert ready.wait(10)
        replace_file(path, b"quick")
        assert path.read_bytes() == b"quick"
        go.set()
        other.join()
    finally:
        os.fsync = real
    assert (path.read_bytes(), len(list(tmp_path.iterdir()))) == (b"slow", 1)


def test_two_processes_at_once_leave_one_of_their_contents(tmp_path):
    """Many writes by several processes at once end with the whole content of one of them, and no part."""
    path = tmp_path / "a.txt"
    code = (
        "import pathlib, sys; from dam_expert.documents.files import replace_file\n"
        "for _ in range(30): replace_file(pathlib.Path(sys.argv[1]), sys.argv[2].encode() * 50_000)"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), each]) for each in "abc"]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    assert path.read_bytes() in [each * 50_000 for each in (b"a", b"b", b"c")]
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_full_disk_leaves_the_old_content(tmp_path, monkeypatch, number):
    """Where writing fails on the way, the old content stands and nothing is left beside it."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.write", full)
    with pytest.raises(OSError, match=os.strerror(number)):
        replace_file(path, b"new")
    assert (path.read_bytes(), len(list(tmp_path.iterdir()))) == (b"old", 1)


def test_rights_are_kept(tmp_path):
    """A private file stays private; a new one follows the umask."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_file(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_with_a_second_name_is_refused(tmp_path):
    """A hard link would keep the old content under its name: both stay as they are."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    (tmp_path / "b.txt").hardlink_to(path)
    with pytest.raises(OSError, match="other hard links"):
        replace_file(path, b"new")
    assert {each.read_bytes() for each in tmp_path.iterdir()} == {b"old"}


def test_a_link_to_itself_is_refused(tmp_path):
    """A link that leads nowhere but to itself is an error, and stays."""
    path = tmp_path / "a.txt"
    path.symlink_to(path)
    with pytest.raises(OSError, match="symbolic links"):
        replace_file(path, b"new")
    assert path.is_symlink()


def test_a_link_to_nothing_makes_what_it_names(tmp_path):
    """A link to a file that is not there yet creates that file."""
    (tmp_path / "a.txt").symlink_to("b.txt")
    replace_file(tmp_path / "a.txt", b"new")
    assert ((tmp_path / "b.txt").read_bytes(), (tmp_path / "a.txt").is_symlink()) == (b"new", True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_refused(tmp_path):
    """That the folder may be written does not allow to replace a read-only file in it."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o400)
    with pytest.raises(PermissionError):
        replace_file(path, b"new")


def test_the_longest_name_can_be_replaced(tmp_path):
    """A name of 255 bytes leaves room for its part."""
    path = tmp_path / ("ä" * 127)
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_pipe_is_written_to(tmp_path):
    """A pipe with a reader gets the content."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        replace_file(pipe, b"new")
        assert reader.stdout.read() == b"new"


@pytest.mark.parametrize("kind", ["file", "open to all", "link", "pipe", "hard link", "nothing"])
def test_a_private_file_takes_the_place_of_what_stands_there(tmp_path, kind):
    """Whatever that is, it is neither followed nor opened, and the new file is its owner's alone."""
    path, other = tmp_path / "a.txt", tmp_path / "other"
    other.write_bytes(b"other")
    if kind in ("file", "open to all"):
        path.write_bytes(b"old")
        path.chmod(0o666 if kind == "open to all" else 0o600)
    elif kind == "link":
        path.symlink_to(other)
    elif kind == "hard link":
        path.hardlink_to(other)
    elif kind == "pipe":
        os.mkfifo(path)
    put_private_file(path, b"new")
    assert (path.read_bytes(), path.lstat().st_mode, other.read_bytes()) == (b"new", 0o100600, b"other")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.txt", "other"]


def test_a_private_file_does_not_replace_a_folder(tmp_path):
    """That is an error, and nothing is left behind."""
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError):
        put_private_file(tmp_path / "a", b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_is_not_opened(tmp_path, kind):
    """A pipe without a writer, a device and a folder are refused at once, by what they are."""
    path = tmp_path / "x"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(NotAFileError, match="folder" if kind == "folder" else "pipe, socket or device"):
        open_file(path)


def test_a_kernel_file_that_would_wait_reads_as_empty():
    """A file that has nothing to say at the moment ends, where an ordinary read would wait for ever."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with io.BufferedReader(_Ready(reading)) as read:
        assert (read.read(10), read.read()) == (b"", b"")
        os.write(writing, b"abc")
        assert read.read(10) == b"abc"
    os.close(writing)


def test_a_name_with_a_nul_byte_is_not_found():
    """A name that no file can have is one that is not there."""
    with pytest.raises(FileNotFoundError, match="NUL"):
        open_file(Path("a\0b"))
