"""Tables straight into blocks: a column of a table is a column of a block, but for what has to be read as text."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dam_expert.batch.entries import entry_of, unnamed
from dam_expert.batch.loading import Batch
from dam_expert.batch.meanings import UNKNOWN
from dam_expert.batch.parts import Targets
from dam_expert.batch.tables import document_of, fields_of, is_empty, with_unit
from dam_expert.documents.incident_values import SCHEMA

if TYPE_CHECKING:
    import pyarrow as pa

    from dam_expert.batch.diagnosing import Diagnoser
    from dam_expert.batch.entries import Entry
    from dam_expert.batch.rows import Rows
    from dam_expert.batch.tables import Field
    from dam_expert.engine.block.spans import Places

_NO_TARGET: Final = (None, None, None, None)


def table_rows(diagnoser: Diagnoser, table: pa.Table, name: str, first: int = 1) -> Rows:
    """Diagnose a table, one incident a row; rows are numbered from ``first``."""
    return _Table(diagnoser, table, name, first).rows()


class _Table:
    """One table on its way into a block."""

    def __init__(self, diagnoser: Diagnoser, table: pa.Table, name: str, first: int) -> None:
        self.diagnoser = diagnoser
        self.table = table
        self.name = name
        self.first = first
        self.size = table.num_rows
        self.fields, _ = fields_of(diagnoser.base, table.column_names, name)
        codes = diagnoser.loader.codes
        self._columns = Counter(codes[field.measurement] for field in self.fields if field.measurement is not None)
        """By measurement how many columns name it."""

    def rows(self) -> Rows:
        numbers = range(self.first, self.first + self.size)
        stated = self._texts(("id",)) or [None] * self.size
        ids = [given or unnamed(self.name, number) for given, number in zip(stated, numbers, strict=True)]
        loader = self.diagnoser.loader
        filler = loader.filler(self.size)
        batch = Batch(loader, filler, np.arange(self.size))
        for place, field in enumerate(self.fields):
            if field.measurement is not None:
                self._add(batch, field, self.table.column(place))
        plans = self._values(("planned_actions",)) or [None] * self.size
        batch.rest([SCHEMA] * self.size, list(map(_plans, plans)), self._targets())
        return self.diagnoser.finished(
            filler,
            batch.filled(),
            ids=ids,
            sources=[f"{self.name}:{number}" for number in numbers],
            free=self._free(),
            others={},
            again=self._again,
        )

    def _add(self, batch: Batch, field: Field, column: Any) -> None:  # noqa: ANN401  (an Arrow column)
        """Add one column of values; what is no number, word or flag is read row by row, the long way."""
        import pyarrow as pa

        if column.null_count == self.size:
            return
        loader, name = self.diagnoser.loader, field.measurement or ""
        code, kind = loader.codes[name], column.type
        valid = _valid(column)
        is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind)
        if code == UNKNOWN or not (is_number or pa.types.is_boolean(kind) or _is_text(kind)):
            batch.odd[valid] = True
        elif is_number and field.unit in (None, "1"):
            numbers = _numbers(column)
            if len(valid) < len(numbers):
                numbers = numbers[valid]
            batch.add_column(code, valid, numbers.astype(float, copy=False), alone=self._columns[code] == 1)
        else:
            coded = column.drop_null().combine_chunks().dictionary_encode()
            values = coded.dictionary.to_pylist()
            meanings = np.array([self._meaning(name, field.unit, value) for value in values], np.int32)
            numbers = meanings[coded.indices.to_numpy()]
            said = numbers >= 0
            codes = np.full(int(said.sum()), code, np.int32)
            batch.add_meanings(codes, valid[said], numbers[said])

    def _meaning(self, name: str, unit: str | None, value: object) -> int:
        """Return the number of the meaning of a cell, UNKNOWN where it is empty."""
        return UNKNOWN if is_empty(value) else self.diagnoser.loader.meanings[name, with_unit(value, unit)]

    def _targets(self) -> Targets:
        """Return what stands beside the measurements: the targets."""
        nothing: list[Any] = [None] * self.size
        metric, track = (self._texts(("target", name)) or nothing for name in ("metric", "track"))
        wanted, actual = (self._values(("target", name)) or nothing for name in ("wanted", "actual"))
        columns = metric, wanted, actual, track
        empty = all(column.count(None) == self.size for column in columns)
        stated = np.zeros(self.size, bool)
        if not empty:
            stated[:] = [cells != _NO_TARGET for cells in zip(*columns, strict=True)]
        given = columns if stated.all() else [list(itertools.compress(each, stated.tolist())) for each in columns]
        return Targets(stated=stated, metric=given[0], wanted=given[1], actual=given[2], track=given[3])

    def _values(self, part: tuple[str, ...]) -> list[Any] | None:
        """Return the cells of the column that holds a part of the document: texts and floats, None where empty."""
        import pyarrow as pa

        places = [place for place, field in enumerate(self.fields) if field.part == part]
        if not places:
            return None
        column = self.table.column(places[0])
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
            numbers = column.cast(pa.float64(), safe=False).to_pylist()
            return [None if value is None or math.isnan(value) else value for value in numbers]
        values = column.to_pylist()
        if _is_text(column.type):
            return [value if value and not value.isspace() else None for value in values]
        return [None if is_empty(value) else str(value) for value in values]

    def _texts(self, part: tuple[str, ...]) -> list[str | None] | None:
        values = self._values(part)
        if values is None or not any(isinstance(value, float) for value in values):
            return values
        return [None if value is None else f"{value:.17g}" for value in values]

    def _free(self) -> list[dict[str, str]]:
        """Return by row the values of the free columns."""
        free = [
            (field.title if field.title.startswith("x-") else f"x-{field.title}", self.table.column(place).to_pylist())
            for place, field in enumerate(self.fields)
            if field.measurement is None and not field.part
        ]
        if not free:
            return []
        return [
            {name: str(values[row]) for name, values in free if _cell(values[row]) is not None}
            for row in range(self.size)
        ]

    def _again(self, row: int) -> Entry:
        cells = [_cell(column[row].as_py()) for column in self.table.columns]
        return entry_of(self.diagnoser.base, document_of(self.fields, cells), self.name, self.first + row)


def _valid(column: Any) -> Places:  # noqa: ANN401  (an Arrow column)
    """Return the rows in which a column has a value."""
    if not column.null_count:
        return np.arange(len(column))
    whole = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    bits = np.frombuffer(whole.buffers()[0], np.uint8)
    known = np.unpackbits(bits, count=whole.offset + len(whole), bitorder="little")[whole.offset :]
    return np.flatnonzero(known.view(bool))  # of flags nonzero is much faster than of other bytes


def _numbers(column: Any) -> Any:  # noqa: ANN401  (an Arrow column of numbers, an array)
    """Return the numbers of a column without copying them; what stands where it has none means nothing."""
    import pyarrow as pa

    whole = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return pa.Array.from_buffers(whole.type, len(whole), [None, whole.buffers()[1]], 0, whole.offset).to_numpy()


def _is_text(kind: Any) -> bool:  # noqa: ANN401  (an Arrow type)
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(inner) or pa.types.is_large_string(inner))


def _plans(cell: object) -> list[str] | None:
    return None if cell is None else [text.strip() for text in str(cell).split(";") if text.strip()]


def _cell(value: object) -> object:
    return None if is_empty(value) else value
