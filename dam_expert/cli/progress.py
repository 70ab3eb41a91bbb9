"""A bar for files that take long, on terminals only."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rich.progress import Progress as Bars
    from rich.progress import TaskID

#: Is told how many more bytes were done, and how many incidents so far.
Progress: TypeAlias = "Callable[[int, int], None]"

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


@contextlib.contextmanager
def counted(total: int | None) -> Iterator[Progress | None]:
    """Give a function that is told how many more bytes were done and how many incidents so far; None off terminals.

    ``total`` are the bytes of all inputs, None where nobody knows: then there is a rate, and no time left.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[left]}"))
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    began, done = time.monotonic(), 0
    with bar:
        task = bar.add_task("diagnosing", total=total, left="")

        def told(more: int, rows: int) -> None:
            nonlocal done
            done += more
            took = max(time.monotonic() - began, 1e-9)
            bar.update(task, advance=more, description=f"{rows:,} incidents, {rows / took:,.0f}/s", left=left(took))

        def left(took: float) -> str:
            """Return the time left: pieces are so large that what one took is known well, and two are not needed."""
            if not total or not done:
                return ""
            minutes, seconds = divmod(round(took * max(total - done, 0) / done), 60)
            return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"

        yield told


class _Bars:
    """One bar for each long file, begun with its first bytes."""

    def __init__(self) -> None:
        self._progress: Bars | None = None
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
