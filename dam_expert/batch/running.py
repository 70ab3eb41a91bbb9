"""Runs the pieces of an input, in this process or in several, and hands the results on in the order of the input."""

from __future__ import annotations

import collections
import dataclasses
import functools
import gc
import itertools
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from dam_expert.batch.entries import Entry
from dam_expert.batch.pieces import Kind
from dam_expert.batch.tally import added
from dam_expert.batch.work import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from multiprocessing.process import BaseProcess

    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.work import Done, Order
    from dam_expert.kb.base import Base

#: Loads the base in another process; must be picklable.
Load: TypeAlias = "Callable[[], Base]"

DEATHS: Final = 200
"""Processes that may die in one run before it is given up: each takes at most one incident with it."""

_ATTEMPTS: Final = 2
"""How often a piece is tried alone before it is divided: a process may also have been killed for others' memory."""

#: The worker of this process, where it is one of a pool.
_here: list[Worker] = []


class WorkersDieError(Exception):
    """Processes died too often to go on."""


def done_here(worker: Worker, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Done]]:
    """Do all pieces in this process."""
    for piece in pieces:
        yield piece, worker.do(piece)


def forked(worker: Worker, jobs: int) -> ProcessPoolExecutor | None:
    """Start processes that have a worker as it is, without loading anything again; None where that is not safe.

    Threads would be left out of the copies with whatever they hold locked: it is done before any is started.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return None
    gc.collect()
    gc.freeze()  # what is not collected stays shared with the copies
    pool = ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("fork"), initializer=_join, initargs=(worker,)
    )
    pool.submit(_nothing)
    return pool


def done_by(
    worker: Worker, load: Load, jobs: int, pieces: Iterable[Piece], begun: ProcessPoolExecutor | None = None
) -> Iterator[tuple[Piece, Done]]:
    """Do pieces in several processes; where one dies, its incidents are tried again, and the one at fault is told.

    ``worker`` serves for what must be done here, ``begun`` are processes that were started before. Raises
    WorkersDieError where processes die again and again.
    """
    pool = _Pool(worker, load, jobs, begun)
    try:
        yield from pool.results(iter(pieces))
    finally:
        pool.close()


class _Pool:
    """A pool that is made anew when one of its processes dies."""

    def __init__(self, worker: Worker, load: Load, jobs: int, begun: ProcessPoolExecutor | None) -> None:
        self._worker = worker
        self._load = load
        self._jobs = jobs
        self._deaths = 0
        self._pool = begun

    def results(self, pieces: Iterator[Piece]) -> Iterator[tuple[Piece, Done]]:
        waiting: collections.deque[tuple[Piece, Future[Done] | None]] = collections.deque()
        while True:
            for piece in itertools.islice(pieces, 2 * self._jobs - len(waiting)):
                waiting.append((piece, self._submitted(piece)))
            if not waiting:
                return
            piece, future = waiting.popleft()
            try:
                done = None if future is None else future.result()
            except BrokenProcessPool:
                done = None
            if done is None:
                self._mourn()
                done = self._alone(piece)
                waiting = collections.deque((each, self._kept(each, made)) for each, made in waiting)
            yield piece, done

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _kept(self, piece: Piece, made: Future[Done] | None) -> Future[Done] | None:
        """Return a finished result as it is, and submit anew what was lost with the pool."""
        finished = made is not None and made.done() and not made.cancelled() and made.exception() is None
        return made if finished else self._submitted(piece)

    def _submitted(self, piece: Piece) -> Future[Done] | None:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self._jobs, mp_context=context, initializer=_begin, initargs=(self._load, self._worker.order)
            )
        try:
            return self._pool.submit(_do, piece)
        except BrokenProcessPool:
            return None

    def _mourn(self) -> None:
        self.close()
        self._deaths += 1
        if self._deaths > DEATHS:
            raise WorkersDieError(f"{DEATHS} processes died; is there enough memory?")

    def _alone(self, piece: Piece) -> Done:
        """Do a piece with nobody beside it; one that kills its process is divided until the incident is found."""
        for _ in range(_ATTEMPTS):
            future = self._submitted(piece)
            try:
                if future is not None:
                    return future.result()
            except BrokenProcessPool:
                pass
            self._mourn()
        parts = halves(piece)
        if not parts:
            return self._worker.failed(_nameless(piece))
        found = [self._alone(part) for part in parts]
        return dataclasses.replace(
            found[0],
            content=b"".join(done.content for done in found),
            counts=functools.reduce(added, (done.counts for done in found), {}),
        )


def halves(piece: Piece) -> list[Piece]:
    """Divide a piece in two; none where it is one incident."""
    match piece.kind:
        case Kind.LINES | Kind.RECORDS:
            return _cut(piece)
        case Kind.PARQUET if piece.end - piece.start > 1:
            middle = (piece.start + piece.end) // 2
            return [
                dataclasses.replace(piece, end=middle),
                dataclasses.replace(piece, start=middle, line=piece.line + middle - piece.start),
            ]
        case Kind.DOCUMENTS if len(piece.paths) > 1:
            middle = len(piece.paths) // 2
            return [
                dataclasses.replace(piece, paths=piece.paths[:middle]),
                dataclasses.replace(piece, paths=piece.paths[middle:]),
            ]
        case _:
            return []


def _cut(piece: Piece) -> list[Piece]:
    """Cut at the line end nearest to the middle; a record whose quotes are cut open is an error of its own."""
    content = piece.content()
    body = content.rstrip(b"\n")
    middle = body.find(b"\n", len(body) // 2) + 1 or body.rfind(b"\n") + 1
    if not middle:
        return []
    first = dataclasses.replace(piece, data=content[:middle])
    second = dataclasses.replace(piece, data=content[middle:], line=piece.line + content.count(b"\n", 0, middle))
    return [first, second]


def _nameless(piece: Piece) -> Entry:
    """Return the row of an incident that cannot be read without killing the process that reads it."""
    name, is_line = Path(piece.path).name.split(".")[0], piece.kind in (Kind.LINES, Kind.RECORDS, Kind.PARQUET)
    return Entry(
        id=f"{name}-{piece.line}" if is_line else name,
        source=f"{piece.path}:{piece.line}" if is_line else piece.path,
        error="the process that diagnosed it died [process-died]",
    )


def _begin(load: Load, order: Order) -> None:
    """Load the base once a process."""
    _join(Worker(load(), order))


def _join(worker: Worker) -> None:
    """Make this process one of a pool: it ends with the process that began it, which alone is told of interrupts."""
    _here[:] = [worker]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _nothing() -> None:
    """Do nothing: the first thing asked of a pool starts its processes."""


def _do(piece: Piece) -> Done:
    return _here[0].do(piece)
