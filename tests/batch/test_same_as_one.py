"""Many incidents at once give, row by row, what each gives alone."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from random_documents import Documents

from dam_expert import load_knowledge
from dam_expert.batch.diagnosing import Diagnoser
from dam_expert.batch.encoding import Extra, compact
from dam_expert.batch.entries import Entry, entry, entry_of
from dam_expert.batch.pieces import Kind, Piece
from dam_expert.batch.rows import Rows
from dam_expert.batch.work import Form, Order, Worker
from dam_expert.documents.diagnosis import extent
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.block.judging import STATUS_WORDS
from dam_expert.engine.cases import stages_of
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.executor import Executor
from dam_expert.kb.base import Base
from dam_expert.language.bits import bits_truth, compile_bits
from dam_expert.language.truth import Truth


@pytest.fixture(scope="module", name="base")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def in_a_block(base: Base, rows: Rows) -> list[dict[str, Any] | None]:
    """Return everything that a block says of each row."""
    said = [{**row, "share": row["share"], "ceiling": row["ceiling"]} for row in compact(base, rows, Extra(rules=True))]
    found: list[dict[str, Any] | None] = [None] * rows.size
    verdict = rows.verdict
    for row in rows.diagnosed.nonzero()[0].tolist():
        found[row] = {
            **{key: said[row][key] for key in ("status", "hypothesis", "share", "ceiling", "next")},
            "fired": set(said[row]["rules"]),
            "reduced": set(said[row]["rules_reduced"]),
            "statuses": [STATUS_WORDS[code] for code in verdict.status[row]],
            "scores": [int(score) for score in verdict.score[row]],
            "leading": None if verdict.leading[row] < 0 else verdict.names[verdict.leading[row]],
        }
    return found


def alone(evaluated: Evaluated) -> dict[str, Any]:
    """Return the same of one evaluation."""
    verdict, standings = evaluated.verdict, evaluated.standings
    binding = verdict.binding
    others = [name for name in verdict.ranked[:4] if name != binding]
    names = list(evaluated.base.hypotheses)
    return {
        "status": verdict.status,
        "hypothesis": binding,
        "share": None if binding is None else extent(evaluated.shares.share.get(binding)),
        "ceiling": None if binding is None else extent(evaluated.judge.ceiling(binding)),
        "next": others[:3],
        "fired": {firing.rule for firing in evaluated.firings if firing.strength.value == "full"},
        "reduced": {firing.rule for firing in evaluated.firings if firing.strength.value == "reduced"},
        "statuses": [standings.status[name] for name in names],
        "scores": [standings.score[name] for name in names],
        "leading": verdict.leading,
    }


def from_lines(base: Base, documents: list[dict[str, Any]]) -> Rows:
    """Diagnose documents as lines of one piece."""
    data = b"".join(json.dumps(document).encode() + b"\n" for document in documents)
    worker = Worker(base, Order(form=Form.JSONL, extra=Extra(), understand=lambda *_: pytest.fail("no files here")))
    (rows,) = worker.rows(Piece(kind=Kind.LINES, paths=("random.jsonl",), data=data))
    return rows


def assert_same(base: Base, rows: Rows, entries: list[Entry], executor: Executor) -> None:
    assert list(rows.ids) == [one.id for one in entries]
    assert rows.errors == {row: one.error for row, one in enumerate(entries) if one.error is not None}
    for one, found in zip(entries, in_a_block(base, rows), strict=True):
        if one.incident is None:
            assert found is None
        else:
            assert found == alone(evaluate(base, one.incident, executor)), one.id


#: Hundreds of incidents; ``DAM_RANDOM_SEEDS=100`` makes them ten thousand.
SEEDS = int(os.environ.get("DAM_RANDOM_SEEDS", "10"))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_incidents(base: Base, seed: int) -> None:
    """Statuses, scores, rankings, what binds and what fired are those of the incident alone, whatever stands in it."""
    drawn = Documents(base, seed)
    documents = [drawn.rich(number) if number % 3 else drawn.plain(number) for number in range(100)]
    entries = [entry_of(base, document, "random.jsonl", number) for number, document in enumerate(documents, 1)]
    assert_same(base, from_lines(base, documents), entries, CountingExecutor(base.program))


#: Of them those that experta and long ints try as well, a hundred a seed; ``DAM_RANDOM_CARRIERS=100`` is all.
CARRIERS = int(os.environ.get("DAM_RANDOM_CARRIERS", "1"))


@pytest.mark.parametrize("seed", range(1000, 1000 + CARRIERS))
def test_every_carrier(base: Base, seed: int) -> None:
    """Forward chaining in experta, counting, small ints, long ints and words come to the same."""
    drawn = Documents(base, seed)
    documents = [drawn.rich(number) if number % 3 else drawn.plain(number) for number in range(100)]
    entries = [entry_of(base, document, "random.jsonl", number) for number, document in enumerate(documents, 1)]
    rows, small, chained = from_lines(base, documents), BitExecutor(base.program), ExpertaExecutor(base.program)
    counted = CountingExecutor(base.program)
    one_by_one = []
    for one, found in zip(entries, in_a_block(base, rows), strict=True):
        assert (one.incident is None) == (found is None)
        if one.incident is not None:
            one_by_one.append(evaluate(base, one.incident, small))
            assert found == alone(one_by_one[-1]) == alone(evaluate(base, one.incident, chained)), one.id
            assert found == alone(evaluate(base, one.incident, counted)), one.id
    assert on_long_ints(base, one_by_one) == [each.node_truths() for each in one_by_one]


def on_long_ints(base: Base, evaluated: list[Evaluated]) -> list[list[Truth]]:
    """Return the truths of all nodes, of all incidents at once: one bit an incident."""
    nodes = range(len(base.program.nodes))
    certain, possible = dict.fromkeys(nodes, 0), dict.fromkeys(nodes, (1 << len(evaluated)) - 1)
    for bit, each in enumerate(evaluated):
        for leaf, truth in each.leaf_truths.items():
            certain[leaf] |= (truth is Truth.TRUE) << bit
            possible[leaf] ^= (truth is Truth.FALSE) << bit
    program = compile_bits(base.program, [(node, True) for node in nodes])
    found = program.run(certain, possible, (1 << len(evaluated)) - 1)
    return [
        [bits_truth(found[node][0] >> bit & 1, found[node][1] >> bit & 1) for node in nodes]
        for bit in range(len(evaluated))
    ]


def test_parts_and_probes_that_exceed_the_whole(base: Base) -> None:
    """Shares of parts beside gains of probes, some of which leave no room for each other."""
    probes = ["cached_pass_speedup", "graph_replay_speedup", "other_nodes_speedup", "tensor_core_speedup"]
    shares = ["input_gap_share", "host_gap_share", "communication_exposed_share", "kernel_share"]
    chosen = random.Random(3)
    documents = []
    for number in range(300):
        known = {name: round(chosen.uniform(0.02, 0.8), 2) for name in chosen.sample(shares, chosen.randint(0, 2))}
        known |= {name: chosen.choice([1.01, 1.2, 1.62, 2.5]) for name in chosen.sample(probes, chosen.randint(1, 3))}
        documents.append({"schema": "dam-incident/1", "id": f"r{number}", "observations": known})
    entries = [entry_of(base, document, "random.jsonl", number) for number, document in enumerate(documents, 1)]
    found = [evaluate(base, one.incident, BitExecutor(base.program)) for one in entries if one.incident is not None]
    assert 10 < sum(bool(one.contested) for one in found) < 290
    assert_same(base, from_lines(base, documents), entries, BitExecutor(base.program))


def test_every_case(base: Base) -> None:
    """Every stage of every case, from whatever observations it is made, on both executors."""
    entries = [
        entry(incident, (), f"{case.id}:{number}")
        for case in base.cases.values()
        for number, (incident, _) in enumerate(stages_of(base, case), 1)
    ]
    assert len(entries) > len(base.cases)
    rows = Diagnoser(base).entries(entries)
    assert_same(base, rows, entries, BitExecutor(base.program))
    assert_same(base, rows, entries, ExpertaExecutor(base.program))
    assert_same(base, rows, entries, CountingExecutor(base.program))


def test_company_does_not_matter(base: Base) -> None:
    """A row is the same whoever else is in the block, and in whatever order."""
    drawn = Documents(base, 5)
    entries = [entry_of(base, drawn.rich(number), "random.jsonl", number) for number in range(1, 200)]
    together = list(compact(base, Diagnoser(base).entries(entries), Extra(rules=True)))
    backwards = list(compact(base, Diagnoser(base).entries(entries[::-1]), Extra(rules=True)))
    parts = [
        row
        for start in range(0, len(entries), 7)
        for row in compact(base, Diagnoser(base).entries(entries[start : start + 7]), Extra(rules=True))
    ]
    assert together == backwards[::-1] == parts
