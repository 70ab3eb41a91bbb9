"""The work on one piece: read, diagnose, encode. Runs in this process or in others: what it takes is picklable."""

from __future__ import annotations

import dataclasses
import enum
import gc
import itertools
from typing import TYPE_CHECKING, Any, Final

from dam_expert.batch import encoding
from dam_expert.batch.diagnosing import Diagnoser
from dam_expert.batch.entries import unnamed
from dam_expert.batch.labels import judged, named_by
from dam_expert.batch.pieces import Kind
from dam_expert.batch.plain import Decoder
from dam_expert.batch.reading import broken, entries_of, line_entry
from dam_expert.batch.repeats import may_repeat, repeated_key
from dam_expert.batch.tally import COUNT_ROWS, Wanted, added, tally
from dam_expert.documents.messages import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.batch.entries import Entry
    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.reading import Understand
    from dam_expert.batch.rows import Rows
    from dam_expert.batch.tally import Counts
    from dam_expert.kb.base import Base

BLOCK: Final = 65_536
"""Incidents that are diagnosed together: so many that what each call of numpy costs by itself is nothing."""


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
            from dam_expert.batch.arrow import rows_between
            from dam_expert.batch.columns import table_rows

            table = rows_between(piece.path, piece.start, piece.end)
            yield table_rows(self.diagnoser, table, piece.path, piece.start + 1)
            return
        entries = entries_of(self.base, piece, self.order.understand)
        while block := list(itertools.islice(entries, BLOCK)):
            yield self.diagnoser.entries(block)

    def _lines(self, piece: Piece) -> Iterator[Rows]:
        content = piece.content()
        if piece.line == 1:
            content = content.removeprefix(b"\xef\xbb\xbf")
        count = content.count(b"\n") + (not content.endswith(b"\n"))
        documents = self.decoder.lines(content)
        if documents is not None and len(documents) == count and not may_repeat(content, documents):
            lines = Lines(self, piece, content, documents, range(piece.line, piece.line + count), {})
        else:
            lines = self._one_by_one(piece, content)
        for start in range(0, len(lines.documents), BLOCK):
            yield lines.rows(start, start + BLOCK)

    def _one_by_one(self, piece: Piece, content: bytes) -> Lines:
        """Decode lines one by one, since not all of them are plain."""
        documents: list[Any] = []
        numbers: list[int] = []
        others: dict[int, Entry] = {}
        for number, text in enumerate(content.split(b"\n"), piece.line):
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
        return Lines(self, piece, content, documents, numbers, others)

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
    """The lines of a piece as documents; those that are not plain are None, with an entry among the others."""

    worker: Worker
    piece: Piece
    content: bytes
    documents: list[Any]
    numbers: Sequence[int]
    others: dict[int, Entry]
    texts: list[bytes] = dataclasses.field(default_factory=list)
    """The lines themselves, once one of them is asked for."""

    def rows(self, start: int, end: int) -> Rows:
        """Diagnose a run of them."""
        documents, numbers, path = self.documents[start:end], self.numbers[start:end], self.piece.path
        decoder = self.worker.decoder
        ids = [
            (document.id if document is not None else None) or unnamed(path, number)
            for document, number in zip(documents, numbers, strict=True)
        ]
        free = [decoder.free_of(each) if each is not None else {} for each in documents] if decoder.free else []
        return self.worker.diagnoser.documents(
            documents,
            ids=ids,
            sources=[f"{path}:{number}" for number in numbers],
            free=free,
            others={row - start: entry for row, entry in self.others.items() if start <= row < end},
            again=lambda row: line_entry(self.worker.base, self._text(numbers[row]), path, numbers[row])[0],
        )

    def _text(self, number: int) -> bytes:
        self.texts = self.texts or self.content.split(b"\n")
        return self.texts[number - self.piece.line]
