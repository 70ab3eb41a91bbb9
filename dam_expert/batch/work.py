"""The work on one piece: read, diagnose, encode. Runs in this process or in others: what it takes is picklable."""

from __future__ import annotations

import bisect
import dataclasses
import enum
import gc
import itertools
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dam_expert.batch import encoding
from dam_expert.batch.coded import CodedDecoder
from dam_expert.batch.diagnosing import Diagnoser
from dam_expert.batch.entries import unnamed
from dam_expert.batch.labels import judged, named_by
from dam_expert.batch.loading import Batch
from dam_expert.batch.parts import Parts
from dam_expert.batch.pieces import Kind, line_ends
from dam_expert.batch.plain import Decoder
from dam_expert.batch.reading import broken, entries_of, line_entry
from dam_expert.batch.repeats import may_repeat, repeated_key
from dam_expert.batch.tally import COUNT_ROWS, Wanted, added, tally
from dam_expert.documents.messages import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.batch.arrow import RowReader
    from dam_expert.batch.entries import Entry
    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.reading import Understand
    from dam_expert.batch.rows import Rows
    from dam_expert.batch.tally import Counts
    from dam_expert.kb.base import Base

BLOCK: Final = 65_536
"""Incidents that are diagnosed together: so many that what each call of numpy costs by itself is nothing."""

_CHUNK_BYTES: Final = 1 << 17
"""Bytes that are decoded at once: with more of them the values have left the cache before they are looked at."""

SHOWN: Final = 20
"""Ids that are kept of what another base concludes otherwise."""


class Form(enum.StrEnum):
    """The format of the output."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is wanted of every piece."""

    form: Form
    extra: encoding.Extra
    understand: Understand
    wanted: Wanted = COUNT_ROWS
    against: Callable[[], Base] | None = None
    """Loads another base, to tell what it would move."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of a piece: its rows in the format of the output, and what is counted."""

    content: bytes
    counts: Counts

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.counts.get("rows", 0))

    @property
    def errors(self) -> int:
        """How many of them have an error."""
        return int(self.counts.get("errors", 0))


class Worker:
    """Does pieces with one base."""

    def __init__(self, base: Base, order: Order) -> None:
        self.base = base
        self.order = order
        self.diagnoser = Diagnoser(base)
        self.decoder = Decoder()
        self.coded = CodedDecoder(self.diagnoser.loader)
        self._reader: RowReader | None = None
        alone = dataclasses.replace(order, against=None)
        self.other = None if order.against is None else Worker(order.against(), alone)

    def do(self, piece: Piece) -> Done:
        """Read, diagnose and encode a piece. Raises OSError where the input went away."""
        is_on = gc.isenabled()
        gc.disable()  # a piece makes many objects and no cycles: looking for them takes a third of the time
        try:
            found: list[bytes] = []
            counts: Counts = {}
            others = self.other.rows(piece) if self.other is not None else itertools.repeat(None)
            for rows, other in zip(self.rows(piece), others, strict=False):
                found.append(self._encoded(rows))
                counts = added(counts, self._counted(rows))
                if self.other is not None and other is not None:
                    counts = added(counts, {"moved": self._moved(self.other, rows, other)})
        finally:
            if is_on:
                gc.enable()
        return Done(content=b"".join(found), counts=counts)

    def failed(self, entry: Entry) -> Done:
        """Return the row of an entry with an error."""
        return Done(content=self._encoded(self.diagnoser.entries([entry])), counts={"rows": 1, "errors": 1})

    def _counted(self, rows: Rows) -> Counts:
        """Count a block; with labels also how what was concluded compares with them."""
        counts = tally(self.diagnoser.evaluator, rows, self.order.wanted)
        labels = self.order.wanted.labels
        if labels:
            counts["labels"] = judged(self.diagnoser.evaluator, rows, labels, lambda row: self._question(rows, row))
        return counts

    def _question(self, rows: Rows, row: int) -> list[str] | None:
        """Return the hypotheses that the first question of a row would decide."""
        diagnosis = self.diagnoser.full(rows.entry(row))
        following = diagnosis.next_measurements if diagnosis is not None else []
        return list(following[0].decides) if following else None

    def _moved(self, other: Worker, rows: Rows, others: Rows) -> Counts:
        """Count what another base concludes otherwise, with the labels compared as well."""
        before, after = (named_by(each.diagnoser.evaluator, found) for each, found in ((self, rows), (other, others)))
        moved = [(row, one, two) for row, (one, two) in enumerate(zip(before, after, strict=True)) if one != two]
        ways: dict[str, int] = {}
        for _, one, two in moved:
            ways[f"{one} → {two}"] = ways.get(f"{one} → {two}", 0) + 1
        ids = [f"{rows.ids[row]}: {one} → {two}" for row, one, two in moved[:SHOWN]]
        return {"count": len(moved), "bottleneck": ways, "ids": ids, "other": other._counted(others)}

    def rows(self, piece: Piece) -> Iterator[Rows]:
        """Read and diagnose a piece, block by block."""
        if piece.kind is Kind.LINES:
            yield from self._lines(piece)
            return
        if piece.kind is Kind.PARQUET:
            from dam_expert.batch.arrow import RowReader
            from dam_expert.batch.columns import table_rows

            self._reader = self._reader or RowReader()
            table = self._reader.between(piece.path, piece.start, piece.end)
            yield table_rows(self.diagnoser, table, piece.path, piece.start + 1)
            return
        entries = entries_of(self.base, piece, self.order.understand)
        while block := list(itertools.islice(entries, BLOCK)):
            yield self.diagnoser.entries(block)

    def _lines(self, piece: Piece) -> Iterator[Rows]:
        content = piece.content()
        if piece.line == 1:
            content = content.removeprefix(b"\xef\xbb\xbf")
        first = piece.line
        for chunks in blocks(content):
            size = sum(count for _, count in chunks)
            yield from self._block(piece, chunks, size, first)
            first += size

    def _block(self, piece: Piece, chunks: Sequence[tuple[memoryview, int]], size: int, first: int) -> Iterator[Rows]:
        """Diagnose the lines of a block; if not all of them are plain, one by one."""
        loader, decoder, coded = self.diagnoser.loader, self.decoder, self.coded
        filler = loader.filler(size)
        batch = Batch(loader, filler, np.arange(size))
        given: list[str | None] = []
        free: list[dict[str, str]] = []
        for chunk, count in chunks:
            documents = coded.lines(chunk, decoder.free)
            if is_new := documents is None:
                documents = decoder.lines(chunk)
            parts = Parts(documents or ())
            if documents is None or len(documents) != count or may_repeat(chunk, documents, parts):
                lines = self._one_by_one(piece, b"".join(text for text, _ in chunks), first)
                if lines.documents:
                    yield lines.rows()
                return
            if is_new:
                coded.learn(documents)
                batch.take(parts, len(given))
            else:
                batch.take_coded(coded.values(parts, len(given)), parts)
            given += parts.columns["id"]
            free += map(decoder.free_of, documents) if decoder.free else ()
        text = _Text(chunks)
        yield self.diagnoser.finished(
            filler,
            batch.filled(coded.words),
            ids=[name or unnamed(piece.path, first + row) for row, name in enumerate(given)],
            sources=[f"{piece.path}:{number}" for number in range(first, first + size)],
            free=free,
            others={},
            again=lambda row: line_entry(self.base, text.line(row), piece.path, first + row)[0],
        )

    def _one_by_one(self, piece: Piece, content: bytes, first: int) -> Lines:
        """Decode lines one by one, since not all of them are plain."""
        documents: list[Any] = []
        numbers: list[int] = []
        texts: list[bytes] = []
        others: dict[int, Entry] = {}
        for number, text in enumerate(content.split(b"\n"), first):
            if not text or text.isspace():
                continue
            document = self.decoder.line(text)
            if (document is None or may_repeat(text, (document,))) and (key := repeated_key(text)) is not None:
                said = f"the key '{printable(key)}' stands in this line twice [duplicate-key]"
                document, others[len(documents)] = None, broken(piece.path, number, said)
            elif document is None:
                others[len(documents)], data = line_entry(self.base, text, piece.path, number)
                if isinstance(data, dict):
                    self.decoder.learn(data)
            documents.append(document)
            numbers.append(number)
            texts.append(text)
        return Lines(self, piece, documents, numbers, texts, others)

    def _full(self, rows: Rows, row: int) -> bytes:
        """Return the whole diagnosis of a row as JSON."""
        diagnosis = self.diagnoser.full(rows.entry(row))
        return b"null" if diagnosis is None else diagnosis.model_dump_json(by_alias=True).encode()

    def _encoded(self, rows: Rows) -> bytes:
        match self.order.form:
            case Form.JSONL:
                return encoding.jsonl(self.base, rows, self.order.extra, self._full)
            case Form.CSV:
                return encoding.csv_records(self.base, rows, self.order.extra)
            case Form.PARQUET:
                from dam_expert.batch.arrow import message_of, result_batch

                return message_of(result_batch(self.base, rows, self.order.extra, self._full))


@dataclasses.dataclass(slots=True)
class Lines:
    """Lines of a piece as documents; those that are not plain are None, with an entry among the others."""

    worker: Worker
    piece: Piece
    documents: list[Any]
    numbers: Sequence[int]
    texts: Sequence[bytes]
    others: dict[int, Entry]

    def rows(self) -> Rows:
        """Diagnose them."""
        path, decoder = self.piece.path, self.worker.decoder
        ids = [
            (document.id if document is not None else None) or unnamed(path, number)
            for document, number in zip(self.documents, self.numbers, strict=True)
        ]
        free = [decoder.free_of(each) if each is not None else {} for each in self.documents] if decoder.free else []
        return self.worker.diagnoser.documents(
            self.documents,
            ids=ids,
            sources=[f"{path}:{number}" for number in self.numbers],
            free=free,
            others=self.others,
            again=lambda row: line_entry(self.worker.base, self.texts[row], path, self.numbers[row])[0],
        )


class _Text:
    """The lines of a block, of which chunks are taken apart once one of their lines is asked for."""

    def __init__(self, chunks: Sequence[tuple[memoryview, int]]) -> None:
        self._chunks = chunks
        self._firsts = list(itertools.accumulate((count for _, count in chunks), initial=0))
        self._lines: dict[int, list[bytes]] = {}

    def line(self, row: int) -> bytes:
        number = bisect.bisect_right(self._firsts, row) - 1
        lines = self._lines.get(number)
        if lines is None:
            lines = self._lines[number] = bytes(self._chunks[number][0]).rstrip(b"\n").split(b"\n")
        return lines[row - self._firsts[number]]


def blocks(content: bytes) -> Iterator[list[tuple[memoryview, int]]]:
    """Yield the lines of blocks of like size, cut into chunks that fit into caches, each with its count of lines."""
    whole = memoryview(content)
    chunks: list[tuple[memoryview, int]] = []
    start = 0
    while start < len(content):
        end = content.find(b"\n", start + _CHUNK_BYTES) + 1 or len(content)
        chunk = whole[start:end]
        chunks.append((chunk, line_ends(chunk) + (content[end - 1 : end] != b"\n")))
        start = end
    size = sum(count for _, count in chunks)
    wanted = size / max(round(size / BLOCK), 1)
    held: list[tuple[memoryview, int]] = []
    done = taken = 0
    for chunk, count in chunks:
        held.append((chunk, count))
        taken += count
        if taken >= (done + 1) * wanted - 0.5:
            yield held
            held, done = [], done + 1
    if held:
        yield held
