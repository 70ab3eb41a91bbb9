"""An output appears whole or not at all, and a run that is killed anywhere goes on without loss or repetition."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from dam_expert.batch.output import Output, OutputError

PIECES = [b"one\n", b"two\n", b"", b"three\nfour\n", b"five\n"]


class Killing:
    """A file that kills the process at its n-th write, after half of it."""

    count = 0
    at = -1

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def write(self, content: bytes) -> None:
        step()
        self.inner.write(content[: len(content) // 2])
        self.inner.flush()
        step()
        self.inner.write(content[len(content) // 2 :])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def step() -> None:
    Killing.count += 1
    if Killing.count == Killing.at:
        os.kill(os.getpid(), signal.SIGKILL)


def run(target: Path, made: list[int], *, resume: bool, whole: bool = False) -> None:
    """Do what a run does: every piece that is not there yet, then finish."""
    output = Output(target, "same", resume=resume)
    if not output.was_finished:
        for number in range(output.pieces, len(PIECES)):
            made.append(number)
            output.add(PIECES[number], {"rows": PIECES[number].count(b"\n")})
        assert sum(record.counts["rows"] for record in output.done) == 5
    output.finish((lambda part, to: to.write_bytes(part.read_bytes())) if whole else None)


def killed_at(target: Path, at: int, monkeypatch: pytest.MonkeyPatch, *, resume: bool, whole: bool) -> bool:
    """Run in a child that is killed at a step; return whether it was."""
    child = os.fork()
    if child == 0:
        Killing.at, Killing.count = at, 0
        opened, replace, unlink = Output._opened, Path.replace, Path.unlink

        def killing(self: Output, **options: Any) -> Any:
            stream, log = opened(self, **options)
            self._log = Killing(log)
            return Killing(stream), self._log

        monkeypatch.setattr(Output, "_opened", killing)
        monkeypatch.setattr(Path, "replace", lambda *given: (step(), replace(*given), step()))
        monkeypatch.setattr(Path, "unlink", lambda *given, **more: (step(), unlink(*given, **more), step()))
        run(target, [], resume=resume, whole=whole)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize("whole", [False, True])
def test_killed_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool) -> None:
    """At whatever write, rename or removal a run is killed, the next one leaves exactly the rows of all pieces."""
    at, killed = 1, True
    while killed:
        target = tmp_path / f"{at}.jsonl"
        killed = killed_at(target, at, monkeypatch, resume=False, whole=whole)
        assert not target.exists() or target.read_bytes() == b"".join(PIECES)
        run(target, [], resume=True, whole=whole)
        assert target.read_bytes() == b"".join(PIECES)
        assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []
        at += 1
    assert at > 25


def test_killed_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that goes on and is killed again goes on again."""
    for first in range(1, 26, 3):
        for second in range(1, 16, 2):
            target = tmp_path / f"{first}-{second}.jsonl"
            killed_at(target, first, monkeypatch, resume=False, whole=False)
            killed_at(target, second, monkeypatch, resume=True, whole=False)
            run(target, [], resume=True)
            assert target.read_bytes() == b"".join(PIECES)


def test_what_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces that the journal names are not made a second time."""
    assert killed_at(tmp_path / "x", 16, monkeypatch, resume=False, whole=False)
    made: list[int] = []
    run(tmp_path / "x", made, resume=True)
    assert made
    assert made[0] > 0
    assert made == list(range(made[0], len(PIECES)))


def test_without_resume_it_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --resume nothing of a killed run is used."""
    killed_at(tmp_path / "x", 16, monkeypatch, resume=False, whole=False)
    made: list[int] = []
    run(tmp_path / "x", made, resume=False)
    assert made == list(range(len(PIECES)))
    assert (tmp_path / "x").read_bytes() == b"".join(PIECES)


def test_another_run_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was begun with other inputs, options or knowledge is not gone on with."""
    killed_at(tmp_path / "x", 16, monkeypatch, resume=False, whole=False)
    with pytest.raises(OutputError, match="of another run"):
        Output(tmp_path / "x", "different", resume=True)


def test_two_runs_at_once(tmp_path: Path) -> None:
    """A second run into the same file is refused while the first writes."""
    first = Output(tmp_path / "x", "same", resume=False)
    with pytest.raises(OutputError, match="another run is writing x"):
        Output(tmp_path / "x", "same", resume=False)
    first.close()


def test_a_journal_that_is_not_one(tmp_path: Path) -> None:
    """A journal that cannot be read counts as none."""
    (tmp_path / ".x.dam-journal").write_bytes(b"\x00\xff\n{")
    (tmp_path / ".x.dam-part").write_bytes(b"rubbish")
    run(tmp_path / "x", [], resume=True)
    assert (tmp_path / "x").read_bytes() == b"".join(PIECES)


def test_a_run_goes_on_as_it_was_cut(tmp_path: Path) -> None:
    """For how many processes the input was cut is kept: with another number other pieces would follow."""
    first = Output(tmp_path / "x", "same", resume=False, jobs=3)
    first.add(b"a", {})
    first.close()
    second = Output(tmp_path / "x", "same", resume=True, jobs=1)
    assert (second.jobs, second.pieces) == (3, 1)
    second.close()
    third = Output(tmp_path / "x", "same", resume=False, jobs=2)
    assert (third.jobs, third.pieces) == (2, 0)
    third.close()
