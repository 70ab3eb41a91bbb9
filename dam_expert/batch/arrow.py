"""Arrow and Parquet: tables of incidents in, tables of rows out. Needs the extra ``arrow``."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from dam_expert.batch.encoding import columns_of, fired
from dam_expert.batch.pieces import PARQUET_ROWS
from dam_expert.engine.block.evaluating import DIAGNOSIS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

    from dam_expert.batch.encoding import Extra, Full
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


class RowReader:
    """Reads rows of Parquet files in order: what follows the rows that were read last is not decoded again for them."""

    def __init__(self) -> None:
        self._file: Any = None
        self._path = ""
        self._at = 0
        self._batches: Iterator[Any] = iter(())

    def between(self, path: str, start: int, end: int) -> pa.Table:
        """Return rows of a file; row groups before them are not read. Raises OSError or ValueError for what is none."""
        if self._file is None or (self._path, self._at) != (path, start):
            self.close()
            self._open(path, start)
        found, wanted = [], end - start
        while wanted:
            batch = next(self._batches)
            found.append(batch.slice(0, wanted))
            wanted -= len(found[-1])
            if len(found[-1]) < len(batch):
                self._batches = itertools.chain([batch.slice(len(found[-1]))], self._batches)
        self._at = end
        table = arrow().Table.from_batches(found, self._file.schema_arrow)
        if end >= self._file.metadata.num_rows:
            self.close()
        return table

    def close(self) -> None:
        """Close the file that rows were read from."""
        if self._file is not None:
            self._file.close()
        self._file, self._batches = None, iter(())

    def _open(self, path: str, start: int) -> None:
        """Open a file at a row, from the beginning of its row group on."""
        self._file, self._path = parquet_file(path), path
        metadata = self._file.metadata
        first = group = 0
        while group < metadata.num_row_groups and first + metadata.row_group(group).num_rows <= start:
            first += metadata.row_group(group).num_rows
            group += 1
        groups = list(range(group, metadata.num_row_groups))
        self._batches = self._file.iter_batches(PARQUET_ROWS, row_groups=groups)
        before = start - first
        while before:
            batch = next(self._batches)
            if len(batch) > before:
                self._batches = itertools.chain([batch.slice(before)], self._batches)
            before -= min(len(batch), before)


def result_schema(extra: Extra) -> pa.Schema:
    """Return the schema of a table of rows."""
    pa = arrow()
    numbers = {"share_low", "share_high", "ceiling_low", "ceiling_high"}
    return pa.schema([(name, pa.float64() if name in numbers else pa.string()) for name in columns_of(extra)])


def result_batch(base: Base, rows: Rows, extra: Extra, full: Full) -> pa.RecordBatch:
    """Return rows as a batch of that schema; a whole diagnosis is a text of JSON."""
    pa = arrow()
    hypotheses = list(base.hypotheses.values())
    titles = pa.array([*base.hypotheses, None], pa.string())

    def named(codes: Any, words: Any = titles, missing: int = len(hypotheses)) -> Any:  # noqa: ANN401
        return words.take(pa.array(np.where(codes < 0, missing, codes)))

    errors: list[str | None] = [None] * rows.size
    for row, error in rows.errors.items():
        errors[row] = error
    columns: dict[str, Any] = {
        "id": pa.array(rows.ids, pa.string()),
        "source": pa.array(rows.sources, pa.string()),
        "status": named(rows.status, pa.array([*DIAGNOSIS, None], pa.string()), len(DIAGNOSIS)),
        "hypothesis": named(rows.binding),
        "bottleneck": named(rows.binding, pa.array([*(h.bottleneck for h in hypotheses), None], pa.string())),
        "axes": named(rows.binding, pa.array([*(" ".join(h.region) for h in hypotheses), None], pa.string())),
        "likely": named(rows.likely),
        "error": pa.array(errors, pa.string()),
    }
    for name, ends in (("share", rows.share), ("ceiling", rows.ceiling)):
        for side, end in (("low", ends.lo), ("high", ends.hi)):
            columns[f"{name}_{side}"] = pa.array(end, mask=~np.isfinite(end))
    for place, column in enumerate(rows.following.T, 1):
        columns[f"next_{place}"] = named(column)
    if extra.rules:
        at_full, reduced = fired(base, rows)
        columns["rules"] = pa.array([" ".join(each) for each in at_full], pa.string())
        columns["rules_reduced"] = pa.array([" ".join(each) for each in reduced], pa.string())
    if extra.full:
        columns["diagnosis"] = pa.array([full(rows, row).decode() for row in range(rows.size)], pa.string())
    schema = result_schema(extra)
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


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
