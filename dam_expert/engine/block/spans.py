"""Intervals of one quantity in the rows where it is known, and their arithmetic.

An incident knows some twenty of several hundred measurements, so a column holds only the rows that have it, in
ascending order; everything about it costs as much as it has values.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from dam_expert.documents.intervals import Interval
from dam_expert.language.expressions import Constant, Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dam_expert.language.expressions import Formula

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.intp]

_NO_ROWS: Places = np.zeros(0, np.intp)
_NO_VALUES: Floats = np.zeros(0)


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """Intervals by row. ``hi`` is the same array as ``lo`` where all of them are points."""

    rows: Places
    lo: Floats
    hi: Floats

    @property
    def mid(self) -> Floats:
        """The middle of each interval, the finite end where one is infinite."""
        if self.lo is self.hi:
            return self.lo
        with np.errstate(invalid="ignore"):
            middle = np.where(self.lo == self.hi, self.lo, self.lo + (self.hi - self.lo) / 2.0)
        infinite = np.isinf(self.lo) | np.isinf(self.hi)
        return np.where(infinite, np.where(np.isinf(self.hi), self.lo, self.hi), middle)

    def where(self, rows: Bools) -> Span:
        """Return the span in the rows of a mask over the whole block."""
        return self.only(rows[self.rows])

    def only(self, kept: Bools) -> Span:
        """Return the span without some of its values."""
        if kept.all():
            return self
        lo = self.lo[kept]
        return Span(self.rows[kept], lo, lo if self.lo is self.hi else self.hi[kept])

    def without(self, other: Span, size: int) -> Span:
        """Return the span where another one is not known."""
        return self if not (self.rows.size and other.rows.size) else self.where(~other.known(size))

    def otherwise(self, other: Span, size: int) -> Span:
        """Return this span, and where it is unknown the other."""
        more = other.without(self, size)
        if not more.rows.size:
            return self
        if not self.rows.size:
            return more
        rows = np.concatenate([self.rows, more.rows])
        order = np.argsort(rows, kind="stable")
        lo = np.concatenate([self.lo, more.lo])[order]
        points = self.lo is self.hi and more.lo is more.hi
        return Span(rows[order], lo, lo if points else np.concatenate([self.hi, more.hi])[order])

    def cut(self, within: Interval) -> Span:
        """Return what lies within a range; what lies outside is unknown."""
        lo, hi = np.maximum(self.lo, within.lo), np.minimum(self.hi, within.hi)
        if self.lo is self.hi:
            return self.only(lo == hi)
        return Span(self.rows, lo, hi).only(lo <= hi)

    def known(self, size: int) -> Bools:
        """Return in which rows of a block there is a value."""
        found = np.zeros(size, bool)
        found[self.rows] = True
        return found

    def at(self, rows: Places, size: int) -> tuple[Floats, Floats]:
        """Return both ends in some rows, NaN where unknown."""
        lo = np.full(size, np.nan)
        lo[self.rows] = self.lo
        if self.lo is self.hi:
            found = lo[rows]
            return found, found
        hi = np.full(size, np.nan)
        hi[self.rows] = self.hi
        return lo[rows], hi[rows]


NOWHERE = Span(_NO_ROWS, _NO_VALUES, _NO_VALUES)


class Standing:
    """Where the rows of spans stand among some rows of a block; one array of the size of the block serves all."""

    def __init__(self, size: int) -> None:
        self._places = np.full(size, -1, np.intp)
        self._rows = _NO_ROWS

    def among(self, rows: Places) -> None:
        """Set the rows among which to look."""
        self._places[self._rows] = -1
        self._places[rows] = np.arange(len(rows))
        self._rows = rows

    def seen(self, span: Span) -> Span:
        """Return a span in those of the rows that it knows, each by its place among them."""
        places = self._places[span.rows]
        here = np.flatnonzero(places >= 0)
        lo = span.lo[here]
        return Span(places[here], lo, lo if span.lo is span.hi else span.hi[here])


def everywhere(value: Interval, size: int) -> Span:
    """Return the same interval in every row."""
    lo = np.full(size, value.lo)
    return Span(np.arange(size), lo, lo if value.lo == value.hi else np.full(size, value.hi))


def together(spans: Sequence[Span], size: int) -> list[Span]:
    """Return spans in the rows where all of them are known."""
    rows = min((span.rows for span in spans), key=len)
    for span in spans:
        if span.rows is not rows:
            rows = rows[span.known(size)[rows]]
    return [_picked(span, rows) for span in spans]


def _picked(span: Span, rows: Places) -> Span:
    """Return a span in some of its rows."""
    if len(rows) == len(span.rows):
        return Span(rows, span.lo, span.hi)
    where = np.searchsorted(span.rows, rows)
    lo = span.lo[where]
    return Span(rows, lo, lo if span.lo is span.hi else span.hi[where])


def calculated(formula: Formula, value_of: Callable[[Formula], Span | Interval], size: int) -> Span:
    """Return a formula over spans, by interval arithmetic; unknown where an input is or a divisor may be zero.

    ``value_of`` gives the span of an input, or one interval where it is the same in every row.
    """
    inputs = {leaf: value_of(leaf) for leaf in _leaves(formula)}
    spans = {leaf: value for leaf, value in inputs.items() if isinstance(value, Span)}
    aligned = dict(zip(spans, together(list(spans.values()), size), strict=True)) if spans else {}
    rows = next(iter(aligned.values())).rows if aligned else np.arange(size)
    if not rows.size:
        return NOWHERE
    with np.errstate(all="ignore"):
        lo, hi = _worked_out(formula, {**inputs, **aligned})
    low = np.broadcast_to(lo, rows.shape)
    if lo is hi:
        return Span(rows, low, low).only(~np.isnan(low))
    high = np.broadcast_to(hi, rows.shape)
    return Span(rows, low, high).only(~(np.isnan(low) | np.isnan(high)))


#: Both ends: arrays, or numbers that stand for every row; twice the same one where all are points.
_Ends: TypeAlias = tuple[Floats | float, Floats | float]


def _leaves(formula: Formula) -> list[Formula]:
    match formula:
        case Constant():
            return []
        case Operation(_, left, right):
            return [*_leaves(left), *_leaves(right)]
        case _:
            return [formula]


def _worked_out(formula: Formula, values: dict[Formula, Span | Interval]) -> _Ends:
    match formula:
        case Constant(value):
            return value, value
        case Operation(sign, left, right):
            return _applied(sign, _worked_out(left, values), _worked_out(right, values))
        case _:
            found = values[formula]
            is_point = isinstance(found, Interval) and found.is_point
            return found.lo, found.lo if is_point else found.hi


def _applied(sign: str, a: _Ends, b: _Ends) -> _Ends:
    if a[0] is a[1] and b[0] is b[1]:
        found = _of_points(sign, a[0], b[0])
        return found, found
    match sign:
        case "+":
            return _sound(a[0] + b[0], a[1] + b[1])
        case "-":
            return _sound(a[0] - b[1], a[1] - b[0])
        case "*":
            return _times(a, b)
        case "/":
            unsafe = ~((np.asarray(b[0]) > 0.0) | (np.asarray(b[1]) < 0.0))
            one, other = np.divide(1.0, b[1]), np.divide(1.0, b[0])
            return _times(a, (np.where(unsafe, np.nan, one), np.where(unsafe, np.nan, other)))
        case "min":
            return np.minimum(a[0], b[0]), np.minimum(a[1], b[1])
        case _:
            return np.maximum(a[0], b[0]), np.maximum(a[1], b[1])


def _of_points(sign: str, a: Floats | float, b: Floats | float) -> Floats | float:
    """Return what both ends of the interval come to where each operand is one number: a quarter of the work."""
    match sign:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return _product(a, b)
        case "/":
            return _product(a, np.where(np.equal(b, 0.0), np.nan, np.divide(1.0, b)))
        case "min":
            return np.minimum(a, b)
        case _:
            return np.maximum(a, b)


def _sound(lo: Floats | float, hi: Floats | float) -> _Ends:
    """Return both ends as NaN where either is, so that the result stays unknown."""
    bad = np.isnan(lo) | np.isnan(hi)
    return (np.where(bad, np.nan, lo), np.where(bad, np.nan, hi)) if np.any(bad) else (lo, hi)


def _times(a: _Ends, b: _Ends) -> _Ends:
    """Multiply with 0 · ∞ = 0, as interval arithmetic does; unknown where a factor is."""
    products = [_product(x, y) for x in (a[0], a[1]) for y in (b[0], b[1])]
    lo, hi = products[0], products[0]
    for product in products[1:]:
        lo, hi = np.minimum(lo, product), np.maximum(hi, product)
    return lo, hi


def _product(x: Floats | float, y: Floats | float) -> Floats | float:
    product = np.multiply(x, y)
    bad = np.isnan(product)
    if not np.any(bad):
        return product
    zero = (np.equal(x, 0.0) | np.equal(y, 0.0)) & ~np.isnan(x) & ~np.isnan(y)
    return np.where(zero, 0.0, product)
