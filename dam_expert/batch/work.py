"""The work on one piece: read, diagnose, encode. Runs in this process or in others: what it takes is picklable."""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, Final

from dam_expert.batch import encoding
from dam_expert.batch.reading import entries_of
from dam_expert.batch.rows import rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.batch.entries import Entry
    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.reading import Understand
    from dam_expert.batch.rows import Rows
    from dam_expert.kb.base import Base

BLOCK: Final = 8192
"""Incidents that are diagnosed together."""


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


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of a piece: its rows in the format of the output, and what is counted."""

    content: bytes
    rows: int
    errors: int


class Worker:
    """Does pieces with one base."""

    def __init__(self, base: Base, order: Order) -> None:
        self.base = base
        self.order = order

    def do(self, piece: Piece) -> Done:
        """Read, diagnose and encode a piece. Raises OSError where the input went away."""
        found: list[bytes] = []
        count = errors = 0
        block: list[Entry] = []
        for entry in entries_of(self.base, piece, self.order.understand):
            block.append(entry)
            if len(block) == BLOCK:
                rows = self._rows(block, found)
                count, errors, block = count + rows.size, errors + len(rows.errors), []
        if block:
            rows = self._rows(block, found)
            count, errors = count + rows.size, errors + len(rows.errors)
        return Done(content=b"".join(found), rows=count, errors=errors)

    def failed(self, entry: Entry) -> Done:
        """Return the row of an entry with an error."""
        found: list[bytes] = []
        self._rows([entry], found)
        return Done(content=found[0], rows=1, errors=1)

    def _rows(self, entries: Sequence[Entry], found: list[bytes]) -> Rows:
        rows = rows_of(self.base, entries)
        found.append(self._encoded(rows))
        return rows

    def _encoded(self, rows: Rows) -> bytes:
        match self.order.form:
            case Form.JSONL:
                return encoding.jsonl(self.base, rows, self.order.extra)
            case Form.CSV:
                return encoding.csv_records(self.base, rows, self.order.extra)
            case Form.PARQUET:
                from dam_expert.batch.arrow import message_of, result_batch

                return message_of(result_batch(self.base, rows, self.order.extra))
