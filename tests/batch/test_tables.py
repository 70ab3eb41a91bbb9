"""Columns of tables, records of CSV, and where they are cut."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert import load_knowledge
from dam_expert.batch.csv_cuts import header_of, record_cuts, records
from dam_expert.batch.diagnosing import Diagnoser
from dam_expert.batch.encoding import Extra, csv_header, csv_records
from dam_expert.batch.entries import entry_of
from dam_expert.batch.pieces import record_pieces
from dam_expert.batch.reading import entries_of
from dam_expert.batch.tables import document_of, fields_of, is_table_of_incidents
from dam_expert.kb.base import Base


@pytest.fixture(scope="module", name="base")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


@pytest.mark.parametrize(
    ("title", "cell", "given", "value"),
    [
        ("step_time", "0.9", "step_time", 0.9),
        ("step_time [ms]", "900", "step_time", 0.9),
        ("step_time (ms)", "900", "step_time", 0.9),
        ("Step time [ms]", 900, "step_time", 0.9),
        ("step_time [ms]", "0.9 s", "step_time", 0.9),
        ("step_time", "900 ms", "step_time", 0.9),
        ("input_gap_share [%]", "40", "input_gap_share", 0.4),
        ("input_gap_share", "40 %", "input_gap_share", 0.4),
        ("queue_time[stage=decode] [ms]", "40", "queue_time", 0.04),
    ],
)
def test_a_column_says_what_it_holds(base: Base, title: str, cell: object, given: str, value: float) -> None:
    """A column is named by id or alias, its unit stands in the header or in the cell, its scope in brackets."""
    (field,), messages = fields_of(base, [title], "x.csv")
    entry = entry_of(base, document_of([field], [cell]), "x.csv", 2)
    assert messages == []
    assert entry.incident is not None
    (observation,) = entry.incident.observations
    assert (observation.measurement, observation.value.mid) == (given, pytest.approx(value))
    assert observation.scope == ((("stage", "decode"),) if "stage" in title else ())


def test_parts_of_the_document(base: Base) -> None:
    """Target, plans and free columns stand in a table as in a document."""
    titles = ["id", "target_metric", "Target wanted", "target.actual", "track", "planned_actions", "x-team", "colour"]
    fields, messages = fields_of(base, titles, "x.csv")
    cells = ["a", "step_time", "1 s", 2, "time", "faster gpu; more workers", "vision", "red"]
    assert document_of(fields, cells) == {
        "id": "a",
        "target": {"metric": "step_time", "wanted": "1 s", "actual": 2, "track": "time"},
        "planned_actions": ["faster gpu", "more workers"],
        "x-team": "vision",
        "x-colour": "red",
    }
    assert [message.code for message in messages] == ["unknown-column"]


def test_empty_cells_say_nothing(base: Base) -> None:
    """A cell without a value is no observation and no error."""
    fields, _ = fields_of(base, ["id", "step_time", "input_gap_share"], "x.csv")
    entry = entry_of(base, document_of(fields, ["a", "", None]), "x.csv", 2)
    assert (entry.id, entry.incident, entry.error) == ("a", None, "nothing in it can be used")


def test_what_is_a_table_of_incidents(base: Base) -> None:
    """A header of which most is understood is one; another table is not."""
    assert is_table_of_incidents(base, ["id", "step_time [ms]", "team"])
    assert not is_table_of_incidents(base, ["name", "colour", "size", "step_time"])
    assert not is_table_of_incidents(base, ["id", "title"])
    assert not is_table_of_incidents(base, [])


cells = st.text(st.sampled_from('ab ,;"\n\t'), max_size=6)


@given(rows=st.lists(st.lists(cells, min_size=2, max_size=3), min_size=1, max_size=12), size=st.integers(1, 40))
def test_cuts_lie_between_records(rows: list[list[str]], size: int) -> None:
    """However a file is cut, its parts together hold its records, and their lines are counted on."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([["h,1", "h2"], *rows])
    content = text.getvalue().encode()
    stream = io.BytesIO(content)
    head, header, delimiter = header_of(stream)
    parts = list(record_cuts(stream, head, size))
    assert header == ("h,1", "h2")
    assert head + b"".join(part for _, _, part in parts) == content
    assert [record for _, _, part in parts for record in records(part.decode(), delimiter)] == rows
    for start, line, part in parts:
        assert content[start : start + len(part)] == part
        assert content.count(b"\n", 0, start) + 1 == line


def test_a_quote_that_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unpaired quote does not make the rest of a file one record without bound."""
    monkeypatch.setattr("dam_expert.batch.csv_cuts._RECORD_BYTES", 100)
    stream = io.BytesIO(b"h\n" + b'19" rack\n' + b"x\n" * 500)
    head, _, _ = header_of(stream)
    assert max(len(part) for _, _, part in record_cuts(stream, head, 20)) < 200


def test_a_cell_without_bound_is_no_table_without_rows(base: Base) -> None:
    """A cell above what the csv module takes costs its own row, even over several lines; its limit stays as it was."""
    limit = csv.field_size_limit()
    long = '"' + "x\n" * 100_000 + '"'
    content = f"id,input_gap_share\na,40 %\n{long},41 %\nc,42 %\n".encode()
    (piece,) = record_pieces("x.csv", io.BytesIO(content), keep=True)
    found = list(entries_of(base, piece, lambda *_: pytest.fail("no files here")))
    places = [(entry.id, entry.source) for entry in found]
    assert places == [("a", "x.csv:2"), ("x-3", "x.csv:3"), ("c", "x.csv:100004")]
    assert [entry.error is None for entry in found] == [True, False, True]
    assert "[long-cell]" in (found[1].error or "")
    assert csv.field_size_limit() == limit


def test_a_title_without_bound() -> None:
    """A header whose quote nothing closes is read as far as headers go."""
    _, titles, _ = header_of(io.BytesIO(b'id,"' + b"x\n" * 200_000))
    assert titles[0] == "id"


def test_a_column_that_stands_twice_is_told(base: Base) -> None:
    """Under one title or under two names of one measurement; the later of two filled cells counts."""
    titles = ["id", "step_time", "Step Time", "x-a", "x-a", "title"]
    fields, messages = fields_of(base, titles, "x.csv")
    assert [(message.code, message.text) for message in messages] == [
        (
            "duplicate-column",
            "the column 'Step Time' stands here also as 'step_time': of a row that fills both, the later one counts",
        ),
        ("duplicate-column", "the column 'x-a' stands here twice: of a row that fills both, the later one counts"),
    ]
    both = document_of(fields, ["i", "1 s", "2 s", "", "", ""])
    assert both["observations"] == {"step_time": "2 s"}
    assert document_of(fields, ["i", "1 s", "", "", "", ""])["observations"] == {"step_time": "1 s"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        (" =1+1", "' =1+1"),
        ("\u3000=1", "'\u3000=1"),
        ("＝1+1", "'＝1+1"),
        ("＠x", "'＠x"),
        ("a\n=1+1", "a\n'=1+1"),
        ("a\r\n  @x\n+1", "a\r\n'  @x\n'+1"),
        ("\t=1", "'\t=1"),
        ("\rx", "'\rx"),
        ("a = 1 + 1", "a = 1 + 1"),
        ("case-1\nb", "case-1\nb"),
    ],
)
def test_no_text_is_run_by_a_spreadsheet(base: Base, text: str, written: str) -> None:
    """Whatever blanks, wide forms or line ends stand before the sign."""
    entries = [entry_of(base, {"id": text, "observations": {"step_time": 1.0}}, "x.jsonl", 1)]
    rows = Diagnoser(base).entries(entries)
    (record,) = csv.DictReader(
        io.StringIO((csv_header(Extra()) + csv_records(base, rows, Extra())).decode(), newline="")
    )
    assert record["id"] == written
