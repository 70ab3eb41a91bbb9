"""Several processes give what one gives; where one dies, one incident is lost and everybody is told."""

from __future__ import annotations

import json
from pathlib import Path

import dying_workers
import pytest

from dam_expert import load_knowledge
from dam_expert.batch import encoding, pieces, running
from dam_expert.batch.encoding import Extra
from dam_expert.batch.pieces import Kind, Piece, even, line_pieces
from dam_expert.batch.running import WorkersDieError, done_by, done_here, forked, halves
from dam_expert.batch.work import Form, Order, Worker
from dam_expert.kb.base import Base


@pytest.fixture(scope="module", name="base")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def understand(*_: object) -> None:
    raise AssertionError("no files here")


@pytest.fixture(name="worker")
def _worker(base: Base) -> Worker:
    return Worker(base, Order(form=Form.JSONL, extra=Extra(), understand=load_nothing))


load_nothing = dying_workers.load  # anything that can be pickled


def written(path: Path, ids: list[str]) -> list[Piece]:
    lines = [json.dumps({"id": name, "observations": {"input_gap_share": 0.4}}) for name in ids]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with path.open("rb") as stream:
        return list(line_pieces(str(path), stream, keep=False))


def test_two_processes(tmp_path: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results are the same, in the same order."""
    monkeypatch.setattr(pieces, "PIECE_BYTES", 200)
    cut = written(tmp_path / "x.jsonl", [f"i{number}" for number in range(30)])
    assert len(cut) > 5
    here = [done.content for _, done in done_here(worker, cut)]
    there = [done.content for _, done in done_by(worker, dying_workers.load, 2, cut)]
    assert here == there


def test_one_incident_kills_its_process(tmp_path: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """That incident becomes a row with an error; no other is lost, twice or out of order."""
    monkeypatch.setattr(pieces, "PIECE_BYTES", 400)
    monkeypatch.setattr(running, "_ATTEMPTS", 1)
    names = [f"i{number}" for number in range(14)]
    names[9] = dying_workers.KILLS
    cut = written(tmp_path / "x.jsonl", names)
    found = [done for _, done in done_by(worker, dying_workers.load, 2, cut)]
    rows = [json.loads(line) for done in found for line in done.content.splitlines()]
    assert [row["source"] for row in rows] == [f"{tmp_path}/x.jsonl:{number}" for number in range(1, 15)]
    assert [row["id"] for row in rows if row["error"]] == ["x-10"]
    assert rows[9]["error"] == "the process that diagnosed it died [process-died]"
    assert (sum(done.rows for done in found), sum(done.errors for done in found)) == (14, 1)


def test_copies_of_this_process(tmp_path: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are copies of this one load nothing, and give the same in the same order."""
    monkeypatch.setattr(pieces, "PIECE_BYTES", 200)
    cut = written(tmp_path / "x.jsonl", [f"i{number}" for number in range(30)])
    begun = forked(worker, 2)
    if begun is None:
        pytest.skip("this process cannot be copied: it has threads, or the system copies none")
    here = [done.content for _, done in done_here(worker, cut)]
    assert [done.content for _, done in done_by(worker, dying_workers.die, 2, cut, begun)] == here


def test_a_copy_dies(tmp_path: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a copy is killed by an incident, others that load the base go on, and that incident is told."""
    monkeypatch.setattr(pieces, "PIECE_BYTES", 400)
    monkeypatch.setattr(running, "_ATTEMPTS", 1)
    cut = written(tmp_path / "x.jsonl", ["a", "b", "c", dying_workers.KILLS, "e", "f"])
    jsonl = encoding.jsonl
    dying_workers.load()
    begun = forked(worker, 2)
    monkeypatch.setattr(encoding, "jsonl", jsonl)
    if begun is None:
        pytest.skip("this process cannot be copied: it has threads, or the system copies none")
    found = [done for _, done in done_by(worker, dying_workers.load, 2, cut, begun)]
    rows = [json.loads(line) for done in found for line in done.content.splitlines()]
    assert [row["id"] for row in rows] == ["a", "b", "c", "x-4", "e", "f"]
    assert [row["error"] is None for row in rows] == [True, True, True, False, True, True]


def test_every_process_gets_as_much(tmp_path: Path) -> None:
    """A large file is cut into as many pieces as there are processes, or twice as many, without a small rest."""
    for size, jobs, count in ((10, 1, 1), (48, 1, 1), (49, 1, 2), (76, 2, 2), (200, 2, 6), (76, 4, 4), (7, 4, 1)):
        step = even(size, most=48, least=4, jobs=jobs)
        assert -(-size // step) == count
        assert count * step - size < count
    path = tmp_path / "x.jsonl"
    whole = written(path, [f"i{number}" for number in range(30)])
    with path.open("rb") as stream:
        cut = list(line_pieces(str(path), stream, keep=False, size=-(-path.stat().st_size // 3)))
    assert len(whole) == 1
    assert len(cut) == 3
    assert b"".join(piece.content() for piece in cut) == path.read_bytes()
    assert [piece.line for piece in cut] == [1, *(1 + path.read_bytes()[: p.start].count(b"\n") for p in cut[1:])]


def test_processes_that_die_at_once(tmp_path: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no process lives, the run ends with one line instead of waiting for ever."""
    monkeypatch.setattr(running, "DEATHS", 3)
    cut = written(tmp_path / "x.jsonl", ["a", "b", "c"])
    with pytest.raises(WorkersDieError, match="3 processes died"):
        list(done_by(worker, dying_workers.die, 2, cut))


def test_halves() -> None:
    """A piece is divided into two that hold the same incidents; one incident is not divided."""
    lines = Piece(kind=Kind.LINES, paths=("x",), line=5, data=b"1\n2\n3\n4")
    first, second = halves(lines)
    assert first.content() + second.content() == lines.content()
    assert second.line == 5 + first.content().count(b"\n")
    assert halves(Piece(kind=Kind.LINES, paths=("x",), data=b"1\n")) == []
    rows = halves(Piece(kind=Kind.PARQUET, paths=("x",), start=3, end=8, line=4))
    assert [(part.start, part.end, part.line) for part in rows] == [(3, 5, 4), (5, 8, 6)]
    assert [part.paths for part in halves(Piece(kind=Kind.DOCUMENTS, paths=("a", "b", "c")))] == [("a",), ("b", "c")]
    assert halves(Piece(kind=Kind.RUN, paths=("a",))) == []
