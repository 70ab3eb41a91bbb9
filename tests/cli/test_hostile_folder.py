"""One folder with everything that a stranger may put there: each thing is told, what is good is used, nothing acts."""

from __future__ import annotations

import gzip
import os
import re
import sqlite3
import zipfile
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "schema: dam-incident/1\nid: good\ntitle: slow\nobservations: {input_gap_share: 45 %}\n"
#: What may act on a terminal: control characters, and marks that turn text round or join lines.
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]")
NAMES = {
    "a line": "two\nlines.txt",
    "escape codes": "\x1b[31mred\x1b[0m.txt",
    "turned round": "\u202etxt.gnp",
    "a bell": "bell\x07.log",
    "a path": "..%2f..%2fetc%2fpasswd",
    "a formula": "=cmd|' calc'!A0.csv",
    "no text": os.fsdecode(b"\xff\xfe.txt"),
}


def multiplied(letter: int) -> bytes:
    """Return a line of YAML that holds the one before it nine times."""
    return b"%c: &%c [%s]\n" % (letter, letter, b",".join([b"*%c" % (letter - 1)] * 9))


CONTENTS = {
    "utf-16": "GPU utilization: 35 %\n".encode("utf-16"),
    "utf-16 without mark": "GPU utilization: 35 %\n".encode("utf-16-le"),
    "decimal commas": b"step_time;input_gap_share\n0,9;0,45\n",
    "nul bytes": b"GPU utilization\x00: 35 %\n",
    "mixed ends of lines": b"a: 1\r\nb: 2\rc: 3\n\x85d: 4\n",
    "turned round": "GPU utilization: \u202e% 53\u202c\n".encode(),
    "aliases": b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(map(multiplied, range(98, 108))),
    "nesting": b"[" * 100_000,
    "a document type": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "compressed zeros": gzip.compress(bytes(30_000_000)),
    "code": b"!!python/object/apply:os.system ['touch acted']\n",
}


def shaped(folder: Path) -> None:
    """Put into a folder what is no plain file, and a database that does something when it is read."""
    os.mkfifo(folder / "pipe.txt")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "itself.txt").symlink_to(folder / "itself.txt")
    (folder / "away").symlink_to("/etc", target_is_directory=True)
    (folder / "endless").symlink_to("/dev/zero")
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../acted", "x")
        archive.writestr("zeros", bytes(30_000_000))
    base = sqlite3.connect(folder / "evil.sqlite")
    base.executescript(
        "CREATE TABLE StringIds (id, value);"
        "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT load_extension('acted.so') AS start, 1 AS end;"
        "CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN SELECT load_extension('acted.so'); END;"
    )
    base.close()


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "good.dam.yaml").write_text(GOOD)
    return folder


def harmless(result: object, folder: Path) -> None:
    """No traceback, nothing that acts on a terminal, no file beside what was there, and the good file was used."""
    said = f"{result.stdout}{result.stderr}"  # type: ignore[attr-defined]
    assert "Traceback" not in said
    assert "a mistake in dam itself" not in said
    assert ACTS.search(said) is None
    assert "root:" not in said
    assert not [path for path in folder.parent.rglob("acted*") if "loop" not in path.parts]
    assert "The device waits for input" in said


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_files(run, folder: Path, name: str) -> None:
    """A name is spelt out where it could act."""
    (folder / name).write_text("nothing that any tool writes\n")
    harmless(run("diagnose", str(folder), "--brief"), folder)


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_contents_of_files(run, folder: Path, content: bytes) -> None:
    """Whatever a file holds."""
    (folder / "given.txt").write_bytes(content)
    harmless(run("diagnose", str(folder), "--brief"), folder)


def test_what_is_no_plain_file(run, folder: Path) -> None:
    """Pipes, loops, links to elsewhere, archives and databases that act."""
    shaped(folder)
    harmless(run("diagnose", str(folder), "--brief"), folder)
