"""Comparisons with fixed limits or words, of which most bases have the most: all of a stage, column by column.

Every one with a limit is ``x >= limit`` or its opposite: between a number and the next larger one there is none, so
that ``x > limit`` is ``x >= next``.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.engine.leaves import fixed_limit
from dam_expert.language.conditions import UPWARD, Operator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.engine.block.comparing import Answer
    from dam_expert.engine.block.known import Known
    from dam_expert.engine.block.spans import Bools, Floats, Places
    from dam_expert.engine.block.words import Words
    from dam_expert.kb.base import Base
    from dam_expert.language.conditions import Column, Comparison

_STRICTLY: Final = (Operator.MORE, Operator.AT_MOST)
"""Those for which the limit itself counts to what lies below."""

_CELLS: Final = 1 << 19
"""Rows times comparisons that are worked on together: what stays in the nearer caches of a processor."""


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """A comparison that is asked for at some position of the program.

    ``strict``: it is unknown where its column may not decide.
    """

    position: int
    leaf: Comparison
    strict: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    """The comparisons of one column with limits, or those with words: one line each, and by whom each is asked for."""

    column: Column
    limits: Floats
    downward: Bools
    """Which are true below their limit."""
    words: tuple[frozenset[str], ...]
    plain: tuple[tuple[int, int], ...]
    """Lines, and the positions that ask for them."""
    strict: tuple[tuple[int, int], ...]

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.words) or len(self.limits)

    def found(self, known: Known) -> _Found | None:
        """Return where the comparisons hold, in the rows that know the column; None where no row does."""
        if self.words:
            spelt = known.spelt(self.column)
            if not spelt.rows.size:
                return None
            alike = known.block.spelt_alike
            wanted = np.zeros((len(self.words), len(known.block.spelling)), bool)
            for line, words in enumerate(self.words):
                wanted[line, [code for word in words for code in alike.get(word, ())]] = True
            return _Found(self, spelt.rows, wanted[:, spelt.codes], None, known.is_spelt(self.column))
        span = known.span(self.column)
        if not span.rows.size:
            return None
        certain = (span.lo >= self.limits) ^ self.downward
        if span.lo is span.hi:
            return _Found(self, span.rows, certain, None, known.is_number(self.column))
        other = (span.hi >= self.limits) ^ self.downward
        return _Found(self, span.rows, certain & other, certain == other, known.is_number(self.column))


@dataclasses.dataclass(frozen=True, slots=True)
class _Found:
    """Where the comparisons of a column are certain and settled, of the rows that know it; these also as bits.

    ``settled`` is None where all are, since none of the values is an interval.
    """

    fixed: Fixed
    rows: Places
    certain: Bools
    settled: Bools | None
    known: Words

    @property
    def lines(self) -> list[Bools]:
        """All that is to be laid out over the block."""
        return [*self.certain, *(() if self.settled is None else self.settled)]


def fixed_in(base: Base, asked: Iterable[Asked]) -> tuple[list[Fixed], list[Asked]]:
    """Return which of some comparisons have fixed limits or words, by column, and the others."""
    by_column: dict[tuple[Column, bool], dict[Comparison, list[Asked]]] = defaultdict(lambda: defaultdict(list))
    others = []
    for one in asked:
        limit = fixed_limit(one.leaf.operand, base)
        is_word = isinstance(limit, frozenset)
        if is_word or (_is_number(limit) and one.leaf.operator is not Operator.IS):
            by_column[one.leaf.column, is_word][one.leaf].append(one)
        else:
            others.append(one)
    return [_fixed(base, column, leaves) for (column, _), leaves in by_column.items()], others


def _is_number(limit: object) -> bool:
    return isinstance(limit, Interval) and limit.is_point and bool(np.isfinite(limit.lo))


def _fixed(base: Base, column: Column, leaves: dict[Comparison, list[Asked]]) -> Fixed:
    operands = [fixed_limit(leaf.operand, base) for leaf in leaves]
    limits = [
        np.nextafter(operand.lo, np.inf) if leaf.operator in _STRICTLY else operand.lo
        for leaf, operand in zip(leaves, operands, strict=True)
        if isinstance(operand, Interval)
    ]
    places = [(line, one.position, one.strict) for line, asked in enumerate(leaves.values()) for one in asked]
    return Fixed(
        column=column,
        limits=np.array(limits, float)[:, None],
        downward=np.array([leaf.operator not in UPWARD for leaf in leaves])[:, None],
        words=tuple(operand for operand in operands if isinstance(operand, frozenset)),
        plain=tuple((line, position) for line, position, strict in places if not strict),
        strict=tuple((line, position) for line, position, strict in places if strict),
    )


def compared_with(columns: Sequence[Fixed], known: Known) -> Iterator[tuple[int, Answer]]:
    """Yield the answers to comparisons with fixed limits or words, by the position that asks for them.

    Of columns that no row knows nothing is said.
    """
    most = max(_CELLS // max(known.size, 1), 1)
    held: list[_Found] = []
    count = 0
    for one in columns:
        found = one.found(known)
        if found is None:
            continue
        if held and count + one.count > most:
            yield from _laid_out(held, known)
            held, count = [], 0
        held.append(found)
        count += one.count
    if held:
        yield from _laid_out(held, known)


def _laid_out(columns: Sequence[_Found], known: Known) -> Iterator[tuple[int, Answer]]:
    """Turn what holds in some rows into bits over the block."""
    lines = [(one.rows, line) for one in columns for line in one.lines]
    mask = np.zeros((len(lines), len(known.full) * 64), bool)
    for whole, (rows, holds) in zip(mask, lines, strict=True):
        whole[rows] = holds
    bits = np.packbits(mask, axis=1, bitorder="little").view(np.uint64)
    first = 0
    for one in columns:
        count = one.fixed.count
        certain, settled = bits[first : first + count], [one.known] * count
        first += count
        if one.settled is not None:
            settled = list(bits[first : first + count])
            first += count
        for line, position in one.fixed.plain:
            yield position, (certain[line], settled[line])
        if one.fixed.strict:
            decides = known.decisive(one.fixed.column)
            for line, position in one.fixed.strict:
                yield position, (certain[line] & decides, settled[line] & decides)
