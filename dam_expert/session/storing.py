"""Keeps a session on disk: the whole incident after every answer, in one step, by one session at a time."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import os
from typing import IO, TYPE_CHECKING

from dam_expert.documents.files import open_file, replace_file
from dam_expert.documents.incident import canonical
from dam_expert.reports import to_yaml
from dam_expert.session.past import steps
from dam_expert.session.state import State, saved_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from dam_expert.kb.base import Base


class BusyError(OSError):
    """Another session holds the file."""


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a session's file while it is open; the lock goes with the process, however that ends. Raises BusyError."""
    beside = path.with_name(f".{path.name}.lock")
    lock = _locked(beside, path)
    try:
        yield
    finally:
        beside.unlink(missing_ok=True)  # while it is still held: whoever opened it meanwhile looks again
        lock.close()


def _locked(beside: Path, path: Path) -> IO[bytes]:
    """Open and lock the file beside a session; one that was removed between opening and locking is opened anew."""
    while True:
        lock: IO[bytes] = beside.open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise BusyError(f"another session has {path} open") from error
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(lock.fileno()).st_ino == beside.stat().st_ino:
                return lock
        lock.close()


def save(base: Base, state: State, path: Path) -> None:
    """Write the session so that the file is always whole: the old one until the new one is on disk. Raises OSError."""
    replace_file(path, written(base, state))


def written(base: Base, state: State) -> bytes:
    """Return a session as it is kept."""
    incident = dataclasses.replace(state.incident, extras=saved_extras(state, steps(base, state)))
    return to_yaml(canonical(incident, base.names)).encode()


class Keeper:
    """Keeps one session in its file as long as nobody else changes that; then in a new one beside it.

    What lies in the file is compared before each write with what this session read or wrote last. A link counts as
    what it led to at the beginning: one that is put in the place of the file later is never followed.
    """

    def __init__(self, base: Base, state: State, path: Path, *, moved: Callable[[Path, Path], None]) -> None:
        """Begin to keep a session; ``moved`` is told a file that was changed and the one in which it goes on."""
        self.path = path
        self._base = base
        self._state = state
        self._moved = moved
        self._place = os.path.realpath(path)
        self._known = _content(path)
        self._wrote = False
        if self._known is None:
            self.save(state)

    def save(self, state: State) -> None:
        """Keep a state. Raises OSError."""
        self._state = state
        if self._is_changed():
            before, self.path = self.path, _free_beside(self.path)
            self._place = os.path.realpath(self.path)
            self._moved(before, self.path)
        content = written(self._base, state)
        replace_file(self.path, content)
        self._known, self._wrote = content, True

    def settle(self) -> None:
        """Keep the last state again where its file is gone or is another one by now. Raises OSError."""
        if not os.path.lexists(self.path) or (self._wrote and self._is_changed()):
            self.save(self._state)

    def _is_changed(self) -> bool:
        """Whether something lies at the place of the file that this session neither read nor wrote."""
        if os.path.realpath(self.path) != self._place:
            return True
        return os.path.lexists(self.path) and _content(self.path) != self._known


def _content(path: Path) -> bytes | None:
    """Return what lies in a plain file; None where there is none, or where it cannot be read."""
    try:
        with open_file(path) as file:
            return file.read()
    except OSError:
        return None


def _free_beside(path: Path) -> Path:
    """Return a name beside a file that nothing has: ``slow.2.dam.yaml`` beside ``slow.dam.yaml``."""
    stem, dot, ending = path.name.partition(".")
    if not stem:
        stem, dot, ending = path.name, "", ""
    number = 2
    while os.path.lexists(beside := path.with_name(f"{stem}.{number}{dot}{ending}")):
        number += 1
    return beside
