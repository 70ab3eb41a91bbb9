"""Intervals as pairs of columns. A row that is NaN is unknown; arithmetic on it stays unknown."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from dam_expert.language.formulas import Constant, Operation

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.documents.intervals import Interval
    from dam_expert.language.formulas import Formula

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """The intervals of one quantity, one a row."""

    lo: Floats
    hi: Floats

    @property
    def known(self) -> Bools:
        """In which rows there is a value."""
        return ~np.isnan(self.lo)

    @property
    def mid(self) -> Floats:
        """The middle of each interval, the finite end where one is infinite; NaN where unknown."""
        with np.errstate(invalid="ignore"):
            middle = np.where(self.lo == self.hi, self.lo, self.lo + (self.hi - self.lo) / 2.0)
        infinite = np.isinf(self.lo) | np.isinf(self.hi)
        return np.where(infinite, np.where(np.isinf(self.hi), self.lo, self.hi), middle)

    def where(self, rows: Bools) -> Span:
        """Return the span with other rows unknown."""
        return Span(np.where(rows, self.lo, np.nan), np.where(rows, self.hi, np.nan))

    def otherwise(self, other: Span) -> Span:
        """Return this span, and where it is unknown the other."""
        known = self.known
        return Span(np.where(known, self.lo, other.lo), np.where(known, self.hi, other.hi))

    def cut(self, within: Interval) -> Span:
        """Return what lies within a range; rows that lie outside are unknown."""
        with np.errstate(invalid="ignore"):
            lo, hi = np.maximum(self.lo, within.lo), np.minimum(self.hi, within.hi)
            return Span(lo, hi).where(lo <= hi)


def unknown(size: int) -> Span:
    """Return a span that knows nothing."""
    nothing = np.full(size, np.nan)
    return Span(nothing, nothing)


def constant(value: Interval, size: int) -> Span:
    """Return the same interval in every row."""
    return Span(np.full(size, value.lo), np.full(size, value.hi))


def calculated(formula: Formula, value_of: Callable[[Formula], Span], size: int) -> Span:
    """Return a formula over spans, by interval arithmetic; unknown where a divisor may be zero."""
    match formula:
        case Constant(value):
            return Span(np.full(size, value), np.full(size, value))
        case Operation(sign, left, right):
            first, second = calculated(left, value_of, size), calculated(right, value_of, size)
            with np.errstate(all="ignore"):
                return _applied(sign, first, second)
        case _:
            return value_of(formula)


def _applied(sign: str, a: Span, b: Span) -> Span:
    match sign:
        case "+":
            return _made(a.lo + b.lo, a.hi + b.hi)
        case "-":
            return _made(a.lo - b.hi, a.hi - b.lo)
        case "*":
            return _times(a, b)
        case "/":
            safe = (b.lo > 0.0) | (b.hi < 0.0)
            return _times(a, Span(1.0 / b.hi, 1.0 / b.lo)).where(safe)
        case "min":
            return _made(np.minimum(a.lo, b.lo), np.minimum(a.hi, b.hi))
        case _:
            return _made(np.maximum(a.lo, b.lo), np.maximum(a.hi, b.hi))


def _made(lo: Floats, hi: Floats) -> Span:
    """Return a span that is unknown where either end is."""
    return Span(lo, hi).where(~(np.isnan(lo) | np.isnan(hi)))


def _times(a: Span, b: Span) -> Span:
    """Multiply with 0 · ∞ = 0, as interval arithmetic does; unknown where a factor is."""
    known = a.known & b.known
    products = [np.where((x == 0.0) | (y == 0.0), 0.0, x * y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return Span(np.minimum.reduce(products), np.maximum.reduce(products)).where(known)
