"""A bar for files that take long, on terminals only."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rich.progress import Progress, TaskID

LONG = 64 * 1024**2
"""Bytes from which reading a file takes long enough to show how far it is."""


@contextlib.contextmanager
def shown() -> Iterator[Callable[[Path, int], None] | None]:
    """Give a function that is told how many more bytes of a file were read; None where nobody looks at stderr."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bars = _Bars()
    try:
        yield bars.advance
    finally:
        bars.stop()


class _Bars:
    """One bar for each long file, begun with its first bytes."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._tasks: dict[Path, TaskID | None] = {}

    def advance(self, path: Path, more: int) -> None:
        if path not in self._tasks:
            self._tasks[path] = self._begun(path)
        task = self._tasks[path]
        if task is not None and self._progress is not None:
            self._progress.advance(task, more)

    def _begun(self, path: Path) -> TaskID | None:
        size = path.stat().st_size
        if size < LONG:
            return None
        if self._progress is None:
            from rich.console import Console
            from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._progress.start()
        from rich.markup import escape

        from dam_expert.documents.messages import printable

        return self._progress.add_task(escape(printable(path.name)), total=size)

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()
