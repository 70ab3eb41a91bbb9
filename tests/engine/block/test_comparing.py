"""Comparisons over rows are, row by row, those of one value."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from small_bases import base, limit, measure, suspect

from dam_expert.documents.intervals import Interval
from dam_expert.engine.block.comparing import compared, tree
from dam_expert.engine.block.incidents import Filler, Sources
from dam_expert.engine.block.known import Known
from dam_expert.engine.block.words import unpacked
from dam_expert.language.bits import bits_truth
from dam_expert.language.comparison import compare
from dam_expert.language.conditions import AtLeast, Column, Comparison, Multiple, Number, Operator
from dam_expert.language.truth import Truth, at_least

BASE = base(
    measurements=[measure(name) for name in ("a", "b", "c", "d")],
    thresholds=[limit("bar", 2)],
    hypotheses=[suspect("cause")],
)
Values = list[tuple[float, float] | None]
LIMITS = [(1, 1), (2, 2), (1, 2), (2, math.inf), (-math.inf, 2)]
VALUES = [None, (1, 1), (2, 2), (1, 2), (0, 1), (0, 1.5), (2, 3), (3, 3), (1.5, 1.5), (0, 4), (-math.inf, math.inf)]
POINTS = [None, (1, 1), (2, 2), (1.5, 1.5), (3, 3), (0, 0)]


def known(**columns: Values) -> Known:
    """Return a block of some columns; points are given as points."""
    size = len(next(iter(columns.values())))
    filler = Filler(Sources(BASE), size)
    for name, values in columns.items():
        rows = np.array([row for row, value in enumerate(values) if value is not None], np.intp)
        lo, hi = (np.array([value[end] for value in values if value is not None], float) for end in (0, 1))
        filler.add_numbers(Column(name), rows, lo, lo if (lo == hi).all() else hi, True, False)
    return Known(BASE, filler.block())


def truths(words: tuple[np.ndarray, np.ndarray], size: int) -> list[Truth]:
    """Return both bits as truths by row."""
    certain, possible = (unpacked(each, size).tolist() for each in words)
    return [bits_truth(*each) for each in zip(certain, possible, strict=True)]


@pytest.mark.parametrize("operator", Operator)
@pytest.mark.parametrize("values", [VALUES, POINTS], ids=["intervals", "points"])
@pytest.mark.parametrize("against", LIMITS)
def test_with_one_limit(operator: Operator, values: Values, against: tuple[float, float]) -> None:
    """With a number that may itself be an interval: a value that is as wide is not known to be the same."""
    leaf = Comparison(Column("a"), operator, Number(Interval(*against)), False, "")
    alone = [
        Truth.UNKNOWN if value is None else compare(Interval(*value), operator, Interval(*against)) for value in values
    ]
    assert truths(compared(leaf, known(a=values)), len(values)) == alone


@pytest.mark.parametrize("operator", Operator)
@pytest.mark.parametrize("factor", [1, 2, -1])
def test_with_a_multiple_of_another(operator: Operator, factor: float) -> None:
    """Each row with its own limit, which is unknown where the other column is."""
    pairs = [pair for pair in itertools.product(VALUES, repeat=2) if (0, 0) not in pair]
    leaf = Comparison(Column("a"), operator, Multiple(float(factor), Column("b")), False, "")
    alone = []
    for value, other in pairs:
        if value is None or other is None:
            alone.append(Truth.UNKNOWN)
            continue
        ends = sorted(factor * end for end in other)
        alone.append(compare(Interval(*value), operator, Interval(*ends)))
    block = known(a=[value for value, _ in pairs], b=[other for _, other in pairs])
    assert truths(compared(leaf, block), len(pairs)) == alone


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_at_least_some_of_several(n: int) -> None:
    """Every way in which four comparisons may be true, false or unknown."""
    by_truth = {Truth.TRUE: (3, 3), Truth.FALSE: (1, 1), Truth.UNKNOWN: None}
    ways = list(itertools.product(Truth, repeat=4))
    block = known(**{name: [by_truth[way[place]] for way in ways] for place, name in enumerate("abcd")})
    leaves = tuple(Comparison(Column(name), Operator.MORE, Number(Interval.point(2)), False, "") for name in "abcd")
    assert truths(tree(AtLeast(n, leaves), block), len(ways)) == [at_least(n, way) for way in ways]
