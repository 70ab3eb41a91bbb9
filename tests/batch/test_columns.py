"""Tables go straight into blocks, and give what each of their rows gives alone."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from random_documents import Documents

from dam_expert import load_knowledge
from dam_expert.batch.arrow import RowReader
from dam_expert.batch.columns import table_rows
from dam_expert.batch.diagnosing import Diagnoser
from dam_expert.batch.encoding import Extra, compact
from dam_expert.batch.entries import entry_of
from dam_expert.batch.tables import document_of, fields_of
from dam_expert.kb.base import Base
from dam_expert.language.conditions import Column

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module", name="base")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def one_by_one(base: Base, table: Any) -> list[dict[str, Any]]:
    """Diagnose the rows of a table the long way."""
    fields, _ = fields_of(base, table.column_names, "t")
    rows = [[column[row].as_py() for column in table.columns] for row in range(table.num_rows)]
    entries = [entry_of(base, document_of(fields, cells), "t", number) for number, cells in enumerate(rows, 1)]
    return list(compact(base, Diagnoser(base).entries(entries), Extra(rules=True)))


def at_once(base: Base, table: Any) -> list[dict[str, Any]]:
    return list(compact(base, table_rows(Diagnoser(base), table, "t"), Extra(rules=True)))


def test_random_tables(base: Base) -> None:
    """Numbers, words and flags, a sparse column for each measurement that occurs."""
    drawn = Documents(base, 11)
    documents = [drawn.plain(number) for number in range(150)]
    rows = [{"id": each["id"], **each["observations"]} for each in documents]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    table = pa.table(columns)
    assert at_once(base, table) == one_by_one(base, table)


def test_odd_cells(base: Base) -> None:
    """Units, texts, ranges, empty cells, impossible values, targets, plans and free columns."""
    table = pa.table(
        {
            "id": ["a", None, "c", "", "e"],
            "step_time [ms]": [900.0, None, float("nan"), 5.0, -1.0],
            "input_gap_share": ["40 %", "about 30 %", "", "1.4", "rubbish"],
            "queue_time[stage=decode]": [0.5, None, None, None, 1.0],
            "cached_pass_speedup": [1, 2, None, None, 3],
            "framework": pa.array(["jax", "pytorch", None, "jax", "jax"]).dictionary_encode(),
            "target_metric": ["step_time", None, "step_time", "nonsense", "p99 latency"],
            "target_wanted": ["0.5 s", None, "0.5 s", "3", None],
            "target_actual": [1.0, 2.0, 0.6, None, None],
            "planned_actions": ["faster_accelerator; more_loader_workers", None, "", "something", None],
            "x-team": ["v", "v", None, "n", ""],
            "colour": ["red", None, None, None, "blue"],
        }
    )
    assert at_once(base, table) == one_by_one(base, table)
    free = table_rows(Diagnoser(base), table, "t").free
    assert free[0] == {"x-team": "v", "x-colour": "red"}
    assert free[2] == {}


def test_an_empty_table(base: Base) -> None:
    """No rows give no rows; rows without any value give errors."""
    assert at_once(base, pa.table({"input_gap_share": pa.array([], pa.float64())})) == []
    (row,) = at_once(base, pa.table({"input_gap_share": pa.array([None], pa.float64())}))
    assert row["error"] == "nothing in it can be used"


def test_diagnose_table() -> None:
    """A table in, a table out, by a function that can be sent to other machines."""
    from dam_expert.batch.table import diagnose_table

    table = pa.table({"id": ["a", "b"], "input_gap_share": [0.4, None], "cached_pass_speedup": [1.02, 1.0]})
    found = pickle.loads(pickle.dumps(diagnose_table))(table, rules=True)
    assert found.column("id").to_pylist() == ["a", "b"]
    assert found.column("hypothesis").to_pylist()[0] == "input_wait"
    assert found.column("share_low").to_pylist() == [0.4, None]
    assert "input.wait.confirm_by_gap" in found.column("rules").to_pylist()[0].split()


def test_rows_are_read_in_whatever_order(tmp_path: Path) -> None:
    """Runs of rows are those of the file, across its row groups, one after the other or not."""
    table = pa.table({"id": [str(number) for number in range(100)], "step_time": [None, *range(99)]})
    path = str(tmp_path / "rows.parquet")
    pytest.importorskip("pyarrow.parquet").write_table(table, path, row_group_size=30)
    reader = RowReader()
    for start, end in [(0, 10), (10, 45), (45, 100), (95, 100), (30, 60), (7, 8), (8, 100), (0, 100)]:
        assert reader.between(path, start, end) == table.slice(start, end - start)


def test_columns_in_several_parts(base: Base) -> None:
    """A column of several chunks, each cut out of something larger, holds the same values."""
    whole = pa.table(
        {"step_time": [0.5, None, 2.0, 3.0, None, 4.0], "precision": ["bf16", "", None, "fp32", "x", None]}
    )
    parts = pa.concat_tables([whole.slice(1, 2), whole.slice(3, 3)])
    rows = table_rows(Diagnoser(base), parts, "table")
    alike = table_rows(Diagnoser(base), pa.table(whole.slice(1).to_pydict()), "table")
    assert list(compact(base, rows, Extra(rules=True))) == list(compact(base, alike, Extra(rules=True)))
    assert rows.verdict.fired.known.block.span(Column("step_time")).lo.tolist() == [2.0, 3.0, 4.0]
