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
from dam_expert.engine.block.limits import compared_with, limits_of
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


@pytest.mark.parametrize("cells", [1, 1 << 21])
def test_the_same_truths(base: Base, monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    """At a limit, next to it and far from it, in rows that know the value and in those that do not."""
    monkeypatch.setattr(limits_module, "_CELLS", cells)
    other = [None] * 70 + [0.3, 0.2] + [None] * 28
    block = known(base, {"input_gap_share": VALUES * 10, "host_gap_share": other})
    asked = leaves("input_gap_share") + leaves("host_gap_share") + leaves("kernel_share")
    found = dict(compared_with(limits_of(base, asked), block))
    assert {leaf.operator for leaf in found} == {*Operator} - {Operator.IS}
    assert {leaf.column.measurement for leaf in found} == {"input_gap_share", "host_gap_share"}
    for leaf, truths in found.items():
        for one, alone in zip(truths, compared(leaf, block), strict=True):
            assert unpacked(one, block.size).tolist() == unpacked(alone, block.size).tolist(), leaf
            assert one.tolist() == alone.tolist()


def test_intervals_are_left_to_others(base: Base) -> None:
    """Of a column with intervals nothing is said here."""
    block = known(base, {"input_gap_share": [0.1, 0.2]}, hi=0.05)
    assert list(compared_with(limits_of(base, leaves("input_gap_share")), block)) == []
