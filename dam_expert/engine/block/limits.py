"""Comparisons with fixed limits, of which most bases have the most: all of a stage at once, column by column.

Every one of them is ``x >= limit`` or its opposite: between a number and the next larger one there is none, so that
``x > limit`` is ``x >= next``.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.engine.leaves import fixed_limit
from dam_expert.language.conditions import UPWARD, Comparison, Operator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from dam_expert.engine.block.comparing import Truths
    from dam_expert.engine.block.known import Known
    from dam_expert.engine.block.spans import Bools, Floats
    from dam_expert.engine.block.words import Words
    from dam_expert.kb.base import Base
    from dam_expert.language.conditions import Column

_STRICTLY: Final = (Operator.MORE, Operator.AT_MOST)
"""Those for which the limit itself counts to what lies below."""

_CELLS: Final = 1 << 21
"""Rows times comparisons that are worked on together: what stays in the caches of a processor."""


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """The comparisons of one column with fixed limits, one line each."""

    column: Column
    leaves: tuple[Comparison, ...]
    limits: Floats
    downward: Bools
    """Which are true below their limit."""


def limits_of(base: Base, leaves: Iterable[object]) -> list[Limits]:
    """Return which of some comparisons have fixed limits, by column."""
    by_column: dict[Column, dict[Comparison, float]] = defaultdict(dict)
    for leaf in leaves:
        if not isinstance(leaf, Comparison):
            continue
        limit = fixed_limit(leaf.operand, base)
        if not isinstance(limit, Interval) or leaf.operator is Operator.IS:
            continue
        if limit.is_point and np.isfinite(limit.lo):
            above = leaf.operator in _STRICTLY
            by_column[leaf.column][leaf] = float(np.nextafter(limit.lo, np.inf)) if above else limit.lo
    return [
        Limits(
            column,
            tuple(found),
            np.array([*found.values()])[:, None],
            np.array([leaf.operator not in UPWARD for leaf in found])[:, None],
        )
        for column, found in by_column.items()
    ]


def compared_with(columns: Sequence[Limits], known: Known) -> Iterator[tuple[Comparison, Truths]]:
    """Yield the plain truths of comparisons of columns that are points; of the others nothing is said."""
    most = max(_CELLS // max(known.size, 1), 1)
    held: list[Limits] = []
    count = 0
    for one in columns:
        span = known.span(one.column)
        if not span.rows.size or span.lo is not span.hi:
            continue
        if held and count + len(one.leaves) > most:
            yield from _compared(held, count, known)
            held, count = [], 0
        held.append(one)
        count += len(one.leaves)
    if held:
        yield from _compared(held, count, known)


def _compared(columns: Sequence[Limits], count: int, known: Known) -> Iterator[tuple[Comparison, Truths]]:
    stride = len(known.full) * 64
    mask = np.zeros((count, stride), bool)
    first = 0
    for one in columns:
        span = known.span(one.column)
        holds = (span.lo >= one.limits) ^ one.downward
        for line, row in enumerate(holds, first):
            mask[line][span.rows] = row
        first += len(one.leaves)
    certain: npt.NDArray[np.uint64] = np.packbits(mask, axis=1, bitorder="little").view(np.uint64)
    first = 0
    for one in columns:
        unknown: Words = known.full ^ known.is_number(one.column)
        lines = certain[first : first + len(one.leaves)]
        yield from zip(one.leaves, zip(lines, lines | unknown, strict=True), strict=True)
        first += len(one.leaves)
