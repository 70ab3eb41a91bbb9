"""Comparisons with fixed limits, all at once, are those that are made one by one."""

from __future__ import annotations

import numpy as np
import pytest

from dam_expert import load_knowledge
from dam_expert.documents.intervals import Interval
from dam_expert.engine.block import limits as limits_module
from dam_expert.engine.block.comparing import compared
from dam_expert.engine.block.incidents import Filler, Sources
from dam_expert.engine.block.known import Known
from dam_expert.engine.block.limits import Asked, compared_with, fixed_in
from dam_expert.engine.block.words import unpacked
from dam_expert.kb.base import Base
from dam_expert.language.conditions import Column, Comparison, Number, Operator


@pytest.fixture(scope="module", name="base")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def leaves(name: str) -> list[Comparison]:
    """Return every comparison of a column with limits at which rounding shows."""
    return [
        Comparison(Column(name), operator, Number(Interval.point(limit)), False, "")
        for operator in Operator
        for limit in (0.0, 0.1, 0.3, 1.0)
    ]


def known(base: Base, columns: dict[str, list[float | None]], hi: float = 0.0) -> Known:
    size = len(next(iter(columns.values())))
    filler = Filler(Sources(base), size)
    for name, values in columns.items():
        rows = np.array([row for row, value in enumerate(values) if value is not None], np.intp)
        lo = np.array([value for value in values if value is not None])
        filler.add_numbers(Column(name), rows, lo, lo + hi if hi else lo, True, False)
    return Known(base, filler.block())


VALUES = [0.0, -0.0, 0.1, np.nextafter(0.1, 1), np.nextafter(0.1, 0), None, 0.30000000000000004, 1.0, 5e-324, np.inf]


def answered(base: Base, asked: list[Comparison], block: Known) -> dict[Comparison, tuple[list[int], list[int]]]:
    """Return where the comparisons are certain and possible that have fixed limits or words."""
    fixed, _ = fixed_in(base, [Asked(place, leaf, strict=False) for place, leaf in enumerate(asked)])
    found = {}
    for place, (certain, settled) in compared_with(fixed, block):
        found[asked[place]] = certain.tolist(), (certain | (block.full ^ settled)).tolist()
    return found


def alone(leaf: Comparison, block: Known) -> tuple[list[int], list[int]]:
    certain, possible = compared(leaf, block)
    return certain.tolist(), possible.tolist()


@pytest.mark.parametrize("wide", [0.0, 0.05, np.inf], ids=["points", "intervals", "without an upper end"])
@pytest.mark.parametrize("cells", [1, 1 << 21])
def test_the_same_truths(base: Base, monkeypatch: pytest.MonkeyPatch, cells: int, wide: float) -> None:
    """At a limit, next to it and far from it, in rows that know the value and in those that do not."""
    monkeypatch.setattr(limits_module, "_CELLS", cells)
    other = [None] * 70 + [0.3, 0.2] + [None] * 28
    block = known(base, {"input_gap_share": VALUES * 10, "host_gap_share": other}, wide)
    found = answered(base, leaves("input_gap_share") + leaves("host_gap_share") + leaves("kernel_share"), block)
    assert {leaf.operator for leaf in found} == {*Operator} - {Operator.IS}
    assert {leaf.column.measurement for leaf in found} == {"input_gap_share", "host_gap_share"}
    assert found == {leaf: alone(leaf, block) for leaf in found}


def test_what_may_not_decide_is_not_settled_where_that_is_asked(base: Base) -> None:
    """A comparison that has to decide is certain and settled where its column may, and there alone."""
    filler = Filler(Sources(base), 3)
    for rows, decides in (([0], True), ([1], False)):
        filler.add_numbers(Column("input_gap_share"), np.array(rows), np.array([0.5]), np.array([0.5]), decides, False)
    block = Known(base, filler.block())
    leaf = Comparison(Column("input_gap_share"), Operator.AT_LEAST, Number(Interval.point(0.2)), False, "")
    fixed, _ = fixed_in(base, [Asked(0, leaf, strict=True), Asked(1, leaf, strict=False)])
    found = {place: [unpacked(bits, 3).tolist() for bits in answer] for place, answer in compared_with(fixed, block)}
    assert found == {0: [[True, False, False]] * 2, 1: [[True, True, False]] * 2}
