"""Tables straight into blocks: a column of a table is a column of a block, but for what has to be read as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dam_expert.batch.entries import entry_of, unnamed
from dam_expert.batch.loading import Batch
from dam_expert.batch.meanings import UNKNOWN
from dam_expert.batch.plain import Document, Target
from dam_expert.batch.tables import document_of, fields_of, is_empty, with_unit

if TYPE_CHECKING:
    import pyarrow as pa

    from dam_expert.batch.diagnosing import Diagnoser
    from dam_expert.batch.entries import Entry
    from dam_expert.batch.rows import Rows
    from dam_expert.batch.tables import Field

_EMPTY: Final = Document()
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

    def rows(self) -> Rows:
        numbers = range(self.first, self.first + self.size)
        stated = self._texts(("id",)) or [None] * self.size
        ids = [given or unnamed(self.name, number) for given, number in zip(stated, numbers, strict=True)]
        loader = self.diagnoser.loader
        filler = loader.filler(self.size)
        batch = Batch(loader, filler, self._documents(), np.arange(self.size))
        for place, field in enumerate(self.fields):
            if field.measurement is not None:
                self._add(batch, field, self.table.column(place))
        return self.diagnoser.finished(
            filler,
            batch.finish(),
            ids=ids,
            sources=[f"{self.name}:{number}" for number in numbers],
            free=self._free(),
            others={},
            again=self._again,
        )

    def _add(self, batch: Batch, field: Field, column: Any) -> None:  # noqa: ANN401  (an Arrow column)
        """Add one column of values; what is no number, word or flag is read row by row, the long way."""
        import pyarrow as pa

        loader, name = self.diagnoser.loader, field.measurement or ""
        code, kind = loader.codes[name], column.type
        valid = np.flatnonzero(column.is_valid().to_numpy())
        if not valid.size:
            return
        known = column.drop_null()
        is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind)
        if code == UNKNOWN or not (is_number or pa.types.is_boolean(kind) or _is_text(kind)):
            batch.odd[valid] = True
        elif is_number and field.unit in (None, "1"):
            batch.add_numbers(np.full(len(valid), code, np.int32), valid, known.to_numpy().astype(float))
        else:
            coded = known.combine_chunks().dictionary_encode()
            values = coded.dictionary.to_pylist()
            meanings = np.array([self._meaning(name, field.unit, value) for value in values], np.int32)
            numbers = meanings[coded.indices.to_numpy()]
            said = numbers >= 0
            codes = np.full(int(said.sum()), code, np.int32)
            batch.add_meanings(codes, valid[said], numbers[said])

    def _meaning(self, name: str, unit: str | None, value: object) -> int:
        """Return the number of the meaning of a cell, UNKNOWN where it is empty."""
        return UNKNOWN if is_empty(value) else self.diagnoser.loader.meanings[name, with_unit(value, unit)]

    def _documents(self) -> list[Document]:
        """Return what stands beside the measurements: targets and plans."""
        parts = {name: self._values(("target", name)) for name in ("metric", "wanted", "actual", "track")}
        plans = self._values(("planned_actions",))
        if plans is None and all(values is None for values in parts.values()):
            return [_EMPTY] * self.size
        nothing: list[Any] = [None] * self.size
        metric, track = (self._texts(("target", name)) or nothing for name in ("metric", "track"))
        wanted, actual = parts["wanted"] or nothing, parts["actual"] or nothing
        targets = [
            None if cells == _NO_TARGET else Target(*cells) for cells in zip(metric, wanted, actual, track, strict=True)
        ]
        if plans is None:
            return [_EMPTY if target is None else Document(target=target) for target in targets]
        return [
            Document(target=target, planned_actions=_plans(cell)) for target, cell in zip(targets, plans, strict=True)
        ]

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


def _is_text(kind: Any) -> bool:  # noqa: ANN401  (an Arrow type)
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(inner) or pa.types.is_large_string(inner))


def _plans(cell: object) -> list[str] | None:
    return None if cell is None else [text.strip() for text in str(cell).split(";") if text.strip()]


def _cell(value: object) -> object:
    return None if is_empty(value) else value
