"""A key that a line holds twice is an error of that line; looking for it costs nothing where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import dying_workers
import pytest

from dam_expert import load_knowledge
from dam_expert.batch.encoding import Extra
from dam_expert.batch.pieces import line_pieces
from dam_expert.batch.plain import Decoder
from dam_expert.batch.repeats import may_repeat, repeated_key
from dam_expert.batch.work import Form, Order, Worker

PLAIN = {
    "schema": "dam-incident/1",
    "id": "a",
    "title": "all that a line may hold",
    "target": {"metric": "step_time", "wanted": 1.0, "actual": 2.0},
    "workload": {"batch_size": 8},
    "environment": {"accelerator": "H100"},
    "observations": {"input_gap_share": {"value": 0.4, "basis": "tool", "source": {"file": "x", "line": 3}}},
    "planned_actions": ["buy faster cards"],
    "x-team": "vision",
}
REPEATED = {
    "at the top": '{"id": "b", "id": "c", "observations": {"input_gap_share": 0.4}}',
    "the schema": '{"schema": "dam-incident/1", "schema": "dam-incident/1", "observations": {"input_gap_share": 0.4}}',
    "an observation": '{"observations": {"input_gap_share": 0.4, "input_gap_share": 0.1}}',
    "with blanks": '{"observations" : {"input_gap_share" : 0.4, "input_gap_share"\t: 0.1}}',
    "beside nulls": '{"title": null, "observations": {"input_gap_share": 0.4, "input_gap_share": 0.1}}',
    "in a long form": '{"observations": {"input_gap_share": {"value": 0.4, "value": 0.1}}}',
    "in a source": '{"observations": {"input_gap_share": {"value": 0.4, "source": {"file": "a", "file": "b"}}}}',
    "in the target": '{"target": {"metric": "step_time", "wanted": 1, "wanted": 2, "actual": 3}}',
    "of another spelling": '{"observations": {"input_gap_share": 0.4, "\\u0069nput_gap_share": 0.1}}',
    "in what is free": '{"x-a": {"k": 1, "k": 2}, "observations": {"input_gap_share": 0.4}}',
    "in what is not plain": '{"interventions": [{"lever": "a", "lever": "b"}], "observations": {}}',
}


def rows(tmp_path: Path, lines: list[str]) -> list[dict[str, object]]:
    base, _ = load_knowledge()
    assert base is not None
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    worker = Worker(base, Order(form=Form.JSONL, extra=Extra(), understand=dying_workers.load))
    with path.open("rb") as stream:
        content = b"".join(worker.do(piece).content for piece in line_pieces(str(path), stream, keep=False))
    return [json.loads(line) for line in content.splitlines()]


@pytest.mark.parametrize("line", REPEATED.values(), ids=REPEATED)
def test_a_key_that_stands_twice(tmp_path: Path, line: str) -> None:
    """Is told in its row; the rows around it are as they are without it."""
    before, bad, after = rows(tmp_path, [json.dumps(PLAIN), line, json.dumps(PLAIN)])
    key = repeated_key(line.encode())
    assert bad["error"] == f"the key '{key}' stands in this line twice [duplicate-key]"
    assert bad["status"] is None
    alone = rows(tmp_path, [json.dumps(PLAIN)] * 3)
    assert [before, after] == [alone[0], alone[2]]


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_lines_without_repetition_are_sure_to_have_none(separators: tuple[str, str]) -> None:
    """So that they are taken many at a time."""
    decoder = Decoder()
    decoder.learn(PLAIN)
    lines = [PLAIN, {key: PLAIN[key] for key in ("id", "observations")}, {"observations": {"step_time": "2 s"}}]
    content = "\n".join(json.dumps(line, separators=separators) for line in lines).encode()
    documents = decoder.lines(content)
    assert documents is not None
    assert not may_repeat(content, documents)


@pytest.mark.parametrize(
    "line",
    [
        '{"title": null, "observations": {"input_gap_share": 0.4}}',
        '{"title": "he said \\":\\" twice : here", "observations": {"input_gap_share": 0.4}}',
        '{"observations" : {"input_gap_share":0.4}}',
        '{"x-a": {"k": 1}, "x-b": {"k": 2}, "observations": {"input_gap_share": 0.4}}',
        '{"observations": {"input_gap_share": 0.4}, "workload": {"input_gap_share": 0.4}}',
    ],
)
def test_a_doubt_is_no_error(tmp_path: Path, line: str) -> None:
    """What only looks like a repetition is none."""
    (row,) = rows(tmp_path, [line])
    assert "duplicate-key" not in str(row["error"])
