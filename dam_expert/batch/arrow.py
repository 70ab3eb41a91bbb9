"""Arrow and Parquet: tables of incidents in, tables of rows out. Needs the extra ``arrow``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dam_expert.batch.encoding import columns_of, compact, flat
from dam_expert.batch.entries import entry_of
from dam_expert.batch.tables import document_of, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

    from dam_expert.batch.encoding import Extra, Full
    from dam_expert.batch.entries import Entry
    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.rows import Rows
    from dam_expert.kb.base import Base


class ArrowMissingError(Exception):
    """The extra that reads and writes Parquet is not installed."""


def arrow() -> Any:  # noqa: ANN401  (a module)
    """Return pyarrow. Raises ArrowMissingError where the extra is not installed."""
    try:
        import pyarrow
    except ImportError as error:
        raise ArrowMissingError("Parquet needs pyarrow: pip install 'dam-expert[arrow]'") from error
    return pyarrow


def parquet_file(path: str) -> Any:  # noqa: ANN401  (a pyarrow.parquet.ParquetFile)
    """Open a Parquet file. Raises OSError or ValueError for what is none."""
    arrow()
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(path)


def parquet_rows(path: str) -> int:
    """Return how many rows a Parquet file has."""
    with parquet_file(path) as file:
        return int(file.metadata.num_rows)


def parquet_titles(path: str) -> list[str]:
    """Return the names of the columns of a Parquet file."""
    with parquet_file(path) as file:
        return list(file.schema_arrow.names)


def rows_between(path: str, start: int, end: int) -> pa.Table:
    """Return rows of a Parquet file; only the row groups that hold them are read."""
    with parquet_file(path) as file:
        groups: list[int] = []
        first = at = 0
        for group in range(file.metadata.num_row_groups):
            count = file.metadata.row_group(group).num_rows
            if at < end and at + count > start:
                first = at if not groups else first
                groups.append(group)
            at += count
        return file.read_row_groups(groups, use_threads=True).slice(start - first, end - start)


def parquet_entries(base: Base, piece: Piece) -> Iterator[Entry]:
    """Yield the incidents of the rows of a piece."""
    yield from table_entries(base, rows_between(piece.path, piece.start, piece.end), piece.path, piece.start + 1)


def table_entries(base: Base, table: pa.Table, name: str, first: int = 1) -> Iterator[Entry]:
    """Yield the incident of each row of a table; NaN is an empty cell."""
    fields, _ = fields_of(base, table.column_names, name)
    columns = [column.to_pylist() for column in table.columns]
    for number, cells in enumerate(zip(*columns, strict=True), first):
        yield entry_of(base, document_of(fields, [_cell(cell) for cell in cells]), name, number)


def result_schema(extra: Extra) -> pa.Schema:
    """Return the schema of a table of rows."""
    pa = arrow()
    numbers = {"share_low", "share_high", "ceiling_low", "ceiling_high"}
    return pa.schema([(name, pa.float64() if name in numbers else pa.string()) for name in columns_of(extra)])


def result_batch(base: Base, rows: Rows, extra: Extra, full: Full) -> pa.RecordBatch:
    """Return rows as a batch of that schema; a whole diagnosis is a text of JSON."""
    said = [flat(row) for row in compact(base, rows, extra)]
    for number, row in enumerate(said) if extra.full else ():
        row["diagnosis"] = full(rows, number).decode()
    return arrow().RecordBatch.from_pylist(said, schema=result_schema(extra))


def _cell(cell: object) -> object:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def message_of(batch: pa.RecordBatch) -> bytes:
    """Return a batch as one message of an Arrow stream, to be appended to others."""
    return bytes(batch.serialize())


def parquet_from(schema: pa.Schema, messages: Path, target: Path) -> None:
    """Write a file of appended messages as Parquet."""
    pa = arrow()
    import pyarrow.parquet

    with pyarrow.parquet.ParquetWriter(target, schema, compression="zstd") as writer, messages.open("rb") as stream:
        while stream.tell() < messages.stat().st_size:
            writer.write_batch(pa.ipc.read_record_batch(pa.ipc.read_message(stream), schema))
