"""Loads a base: from its files, or as it was kept when they were as they are. One door for checks and every run."""

from __future__ import annotations

import atexit
import contextlib
import gc
from typing import TYPE_CHECKING

from dam_expert.kb.where import loaded_files, shipped_folders

if TYPE_CHECKING:
    import datetime
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from dam_expert.documents.messages import Message
    from dam_expert.kb.base import Base
    from dam_expert.kb.build import Built
    from dam_expert.kb.layers import Source


def load_knowledge(
    folders: list[Path] | None = None,
    *,
    runbooks: Sequence[Source] = (),
    order: Sequence[str] = (),
    today: datetime.date | None = None,
) -> tuple[Base | None, list[Message]]:
    """Load the shipped base, or that of the given folders. Returns None for the base if anything in it is an error.

    ``runbooks`` are laid over it, in ``order`` where they change the same; ``today`` decides which of their changes
    have lapsed. Messages are in the order of file, line and column; warnings alone do not stop a base.

    The shipped base alone is kept for the next call, and on disk for the next process (:mod:`dam_expert.kb.cache`),
    for as long as its files stay as they are: making it costs as much as some hundred evaluations.
    """
    if folders is not None or runbooks:
        from dam_expert.kb.build import build

        return build(folders or shipped_folders(), runbooks, order, today)
    home = shipped_folders()
    files = loaded_files(home)
    state = _state_of(files)
    if _KEPT.state != state:
        _KEPT.base, _KEPT.messages = _shipped(home, files)
        _KEPT.state = state
    return _KEPT.base, list(_KEPT.messages)


def load_for_authors(runbooks: Sequence[Source], order: Sequence[str] = ()) -> Built:
    """Load the shipped base with runbooks over it, whole or not, with the entries as they are written."""
    from dam_expert.kb.build import build_for_authors

    with _not_collecting():
        return build_for_authors(shipped_folders(), runbooks, order, None)


class _Kept:
    """The shipped base as it was loaded last, and the names, times and sizes of the files that it was loaded from."""

    def __init__(self) -> None:
        self.state: tuple[tuple[str, int, int], ...] = ()
        self.base: Base | None = None
        self.messages: list[Message] = []


_KEPT = _Kept()


@atexit.register
def _let_go() -> None:
    """Drop what is kept before the interpreter looks for garbage at its end, which takes longer the more there is."""
    _KEPT.state, _KEPT.base, _KEPT.messages = (), None, []


def _state_of(files: Sequence[Path]) -> tuple[tuple[str, int, int], ...]:
    """Return what tells whether any file of a base has changed."""
    state = []
    for path in files:
        with contextlib.suppress(OSError):  # loading says what is wrong with a file that cannot be read
            found = path.stat()
            state.append((str(path), found.st_mtime_ns, found.st_size))
    return tuple(state)


def _shipped(home: list[Path], files: Sequence[Path]) -> tuple[Base | None, list[Message]]:
    """Take the shipped base from the cache on disk, or make it and keep it there."""
    key = ""
    with _not_collecting(), contextlib.suppress(OSError):  # making it says what is wrong with a file
        from dam_expert.kb import cache

        key = cache.key_of(home, files)
        kept = cache.kept(key)
        if kept is not None:
            return kept
    from dam_expert.kb.build import build

    with _not_collecting():
        base, messages = build(home, (), (), None)
    if key and base is not None:
        cache.keep(key, base, messages)
    return base, messages


@contextlib.contextmanager
def _not_collecting() -> Iterator[None]:
    """Make values by the hundred thousand without looking for garbage, of which there is none among them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
