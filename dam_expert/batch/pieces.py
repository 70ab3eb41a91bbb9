"""Pieces: the input cut into parts that are done one after the other, or beside each other, with the same result."""

from __future__ import annotations

import dataclasses
import enum
import io
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.batch.csv_cuts import header_of, record_cuts
from dam_expert.documents.files import open_file
from dam_expert.readers.source import BLOCK_BYTES, DamageError, Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from typing_extensions import Buffer

PIECE_BYTES: Final = 48 * 1024 * 1024
"""Of lines or records in one piece: some ten thousand incidents, so that columns are long and memory small."""

LINE_BYTES: Final = 16 * 1024 * 1024
"""A longer line is no incident; what follows it is read again from the next line on."""

_LEAST_BYTES: Final = 4 * 1024 * 1024
_LEAST_ROWS: Final = 4096
"""Of what several processes share: less does not pay."""

_LINE_END: Final = ord("\n")

PARQUET_ROWS: Final = 65_536
DOCUMENTS: Final = 64
"""Incident files in one piece."""


class Kind(enum.StrEnum):
    """What a piece is made of."""

    LINES = "lines"
    RECORDS = "records"
    PARQUET = "parquet"
    DOCUMENTS = "documents"
    RUN = "run"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One part of the input. ``paths`` has several for documents, and for a run its folder before some files of it.

    Lines and records lie from ``start`` to ``end`` (bytes), or in ``data`` where the input cannot be read twice;
    of Parquet these are rows. ``line`` is the number of the first line, ``header`` the first record of a CSV file.
    """

    kind: Kind
    paths: tuple[str, ...]
    start: int = 0
    end: int = 0
    line: int = 1
    header: tuple[str, ...] = ()
    data: bytes | None = None
    weight: int = 0
    """Bytes of input in it, for progress."""

    @property
    def path(self) -> str:
        """The file, of a piece that has one."""
        return self.paths[0]

    def content(self) -> bytes:
        """Return the bytes of lines or records. Raises OSError."""
        if self.data is not None:
            return self.data
        with open_file(Path(self.path)) as stream:
            stream.seek(self.start)
            return stream.read(self.end - self.start)


def line_ends(content: bytes | memoryview) -> int:
    """Return how many lines end in some bytes; much faster than ``bytes.count``, which takes a byte at a time."""
    return int(np.count_nonzero(np.frombuffer(content, np.uint8) == _LINE_END))


def even(size: int, most: int, least: int, jobs: int) -> int:
    """Return how large the pieces of a file are of which several processes get as much each.

    >>> even(100, most=48, least=4, jobs=1), even(100, most=48, least=4, jobs=2), even(7, most=48, least=4, jobs=2)
    (34, 25, 7)
    """
    count = jobs * -(-size // (most * jobs))
    return max(-(-size // max(min(count, size // least), 1)), 1)


def piece_bytes(size: int, jobs: int) -> int:
    """Return how many bytes of lines or records are in a piece of a file of a size, for several processes."""
    return even(size, PIECE_BYTES, min(_LEAST_BYTES, PIECE_BYTES), jobs)


def line_pieces(path: str, stream: BinaryIO, *, keep: bool, size: int | None = None) -> Iterator[Piece]:
    """Cut a stream of lines into pieces of a size in bytes; ``keep`` the bytes where they cannot be read again."""
    start, line, rest, wanted = 0, 1, b"", size or PIECE_BYTES
    while True:
        content = stream.read(wanted)
        is_last = len(content) < wanted
        content = rest + content if rest else content
        if not content:
            return
        cut = len(content) if is_last else content.rfind(b"\n") + 1
        if cut == 0 and len(content) < LINE_BYTES:
            rest = content
            continue
        cut = cut or len(content)
        lines, rest = line_ends(memoryview(content)[:cut]), content[cut:]
        data = content[:cut] if keep else None
        del content  # not held while the piece is worked on
        yield Piece(kind=Kind.LINES, paths=(path,), start=start, end=start + cut, line=line, data=data, weight=cut)
        start, line = start + cut, line + lines


def record_pieces(path: str, stream: BinaryIO, *, keep: bool, size: int | None = None) -> Iterator[Piece]:
    """Cut CSV into pieces at ends of records; a line end inside of quotes ends no record."""
    head, header, delimiter = header_of(stream)
    for start, line, whole in record_cuts(stream, head, size or PIECE_BYTES):
        yield Piece(
            kind=Kind.RECORDS,
            paths=(path,),
            start=start,
            end=start + len(whole),
            line=line,
            header=(delimiter, *header),
            data=whole if keep else None,
            weight=len(whole),
        )


def parquet_pieces(path: str, jobs: int = 1) -> Iterator[Piece]:
    """Cut a Parquet file into runs of rows. Raises OSError or ValueError for what is none."""
    from dam_expert.batch.arrow import parquet_rows

    rows, size = parquet_rows(path), Path(path).stat().st_size
    step = even(rows, PARQUET_ROWS, min(_LEAST_ROWS, PARQUET_ROWS), jobs)
    for start in range(0, rows, step):
        end = min(start + step, rows)
        share = size * (end - start) // rows
        yield Piece(kind=Kind.PARQUET, paths=(path,), start=start, end=end, line=start + 1, weight=share)


class Unpacked(io.RawIOBase):
    """What a compressed file holds, within the bounds of every source; ``damage`` tells what ended it early."""

    def __init__(self, path: Path) -> None:
        self.damage: DamageError | None = None
        self._blocks = Source.of_path(path).blocks()
        self._held = b""

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Take the next bytes; none at the end and where the rest is damaged."""
        try:
            while not self._held:
                self._held = next(self._blocks)
        except StopIteration:
            return 0
        except DamageError as damage:
            self.damage = damage
            return 0
        room = memoryview(buffer)
        part, self._held = self._held[: len(room)], self._held[len(room) :]
        room[: len(part)] = part
        return len(part)


def opened(path: Path) -> tuple[BinaryIO, Unpacked | None]:
    """Open a file for reading, unpacked if it is gzip; with what unpacks it, since that can be read only once."""
    with open_file(path) as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    if not packed:
        return open_file(path), None
    raw = Unpacked(path)
    return io.BufferedReader(raw, buffer_size=BLOCK_BYTES), raw
