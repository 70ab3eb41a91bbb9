"""Lines decoded straight into numbers give the rows that they give when their values are looked at one by one."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from random_documents import Documents

from dam_expert import load_knowledge
from dam_expert.batch import work
from dam_expert.batch.coded import CodedDecoder, word_numbers
from dam_expert.batch.encoding import Extra
from dam_expert.batch.parts import Parts
from dam_expert.batch.pieces import Kind, Piece, line_ends
from dam_expert.batch.work import Form, Order, Worker, blocks
from dam_expert.kb.base import Base


@pytest.fixture(scope="module", name="base")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def worker(base: Base, *, coded: bool) -> Worker:
    made = Worker(base, Order(form=Form.JSONL, extra=Extra(rules=True), understand=lambda *_: pytest.fail("no files")))
    if not coded:
        made.coded = Never(made.diagnoser.loader)
    return made


class Never(CodedDecoder):
    """Decodes nothing."""

    def lines(self, content: bytes | memoryview, free: tuple[str, ...]) -> None:
        """Say that something in the lines is not known."""


def written(documents: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


def both(base: Base, data: bytes) -> tuple[bytes, bytes]:
    """Return the rows of lines with and without the decoder into numbers, from a second time through."""
    piece = Piece(kind=Kind.LINES, paths=("x.jsonl",), data=data)
    quick, slow = worker(base, coded=True), worker(base, coded=False)
    quick.do(piece)
    return quick.do(piece).content, slow.do(piece).content


def varied(base: Base, chosen: random.Random, document: dict[str, Any], number: int) -> dict[str, Any]:
    """Give some values of a document in another form."""
    observations = document["observations"]
    for name in list(observations):
        m, drawn = base.measurements[name], chosen.random()
        if drawn < 0.05:
            observations[name] = None
        elif drawn < 0.15 and m.name.is_word:
            observations[name] = observations[name] == "true"
        elif drawn < 0.10:
            observations[name] = chosen.choice([0, 1, 0.0, 1.0, 17.5, -3, 1e300, True, "12 %", "about 3"])
        elif drawn < 0.2 and m.model.aliases:
            observations[m.model.aliases[0]] = observations.pop(name)
    if number % 7 == 0:
        document["planned_actions"] = [chosen.choice(list(base.levers))]
    if number % 5 == 0:
        document["target"] = {"metric": "step_time", "actual": chosen.choice([0.4, 0.9]), "wanted": 0.5}
    if number % 11 == 0:
        document["environment"] = {"accelerator": "H100"}
    return document


@pytest.mark.parametrize("seed", range(4))
def test_the_same_rows(base: Base, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Whatever form values have, and wherever in a block a line stands that has something new in it."""
    monkeypatch.setattr(work, "_CHUNK_BYTES", 3000)
    drawn, chosen = Documents(base, seed), random.Random(seed)
    documents = [varied(base, chosen, drawn.plain(number), number) for number in range(300)]
    with_numbers, one_by_one = both(base, written(documents))
    assert with_numbers == one_by_one
    assert with_numbers.count(b"\n") == 300


def test_one_measurement_twice_under_two_names(base: Base) -> None:
    """Two values of one measurement are told apart from one, in lines that are all known."""
    name, alias = next((m.id, m.model.aliases[0]) for m in base.measurements.values() if m.model.aliases)
    once = {"observations": {"input_gap_share": 0.4, name: 0.3}}
    twice = {"observations": {"input_gap_share": 0.4, name: 0.3, alias: 0.2}}
    with_numbers, one_by_one = both(base, written([once, twice, {"observations": {alias: 0.1}}]))
    assert with_numbers == one_by_one


def test_lines_are_decoded_into_numbers_once_they_are_known(base: Base) -> None:
    """Numbers, words, flags and nothing become numbers, with the measurement that an alias means."""
    decoder = worker(base, coded=True).coded
    line = b'{"observations": {"input_gap_share": 0.25, "precision": "bf16", "step_marks": true, "gpu_util": null}}'
    assert decoder.lines(line, ()) is None
    plain = worker(base, coded=False).decoder.lines(line)
    assert plain is not None
    decoder.learn(plain)
    known = decoder.lines(line, ())
    assert known is not None
    values = decoder.values(Parts(known), 7)
    names = list(base.measurements)
    assert [names[code] for code in values.codes] == [
        "input_gap_share", "precision", "step_marks", base.names.resolve("gpu_util")
    ]  # fmt: skip
    assert values.owners.tolist() == [7] * 4
    assert values.numbers[0] == 0.25
    words = [decoder.words[number] for number in word_numbers(values.numbers[1:]).tolist()]
    assert words == ["bf16", True, None]


def test_data_is_no_vocabulary(base: Base) -> None:
    """Where new words come without end, learning ends, and the rows stay the same."""
    lines = [{"observations": {"cudnn_version": f"v{number}", "input_gap_share": 0.4}} for number in range(40)]
    quick, slow = worker(base, coded=True), worker(base, coded=False)
    for number in range(70):
        piece = Piece(kind=Kind.LINES, paths=("x",), data=written(lines[:1]).replace(b"v0", b"w%d" % number))
        assert quick.do(piece).content == slow.do(piece).content
    assert quick.coded.lines(written(lines), ()) is None


def test_blocks_are_of_like_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few lines more than a block has make no block of their own, and no line is lost."""
    monkeypatch.setattr(work, "BLOCK", 100)
    monkeypatch.setattr(work, "_CHUNK_BYTES", 20)
    for size in (1, 99, 110, 149, 151, 250, 1000):
        content = b"".join(b'{"id": %d}\n' % number for number in range(size))
        found = list(blocks(content))
        counts = [sum(count for _, count in block) for block in found]
        assert b"".join(bytes(chunk) for block in found for chunk, _ in block) == content
        assert sum(counts) == size
        assert max(counts) - min(counts) <= 6
        assert max(counts) < 160


def test_line_ends() -> None:
    """Lines are counted in bytes and in views of them."""
    content = b"a\n\nb\n"
    assert (line_ends(content), line_ends(memoryview(content)[1:]), line_ends(b"")) == (3, 3, 0)


def test_nothing_is_the_first_word() -> None:
    """What JSON calls null becomes NaN without a number, which is that of nothing."""
    assert word_numbers(np.array([np.nan, np.fromiter([None], float)[0]])).tolist() == [0, 0]
