"""Keeps a session on disk: the whole incident after every answer, in one step, by one session at a time."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import os
from typing import IO, TYPE_CHECKING

from dam_expert.documents.files import replace_file
from dam_expert.documents.incident import canonical
from dam_expert.reports import to_yaml
from dam_expert.session.past import steps
from dam_expert.session.state import State, saved_extras

if TYPE_CHECKING:
    from collections.abc import Iterator
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
    incident = dataclasses.replace(state.incident, extras=saved_extras(state, steps(base, state)))
    replace_file(path, to_yaml(canonical(incident, base.names)).encode())
