"""Intervals: a value that is known only to lie between two bounds, and the arithmetic on it.

A point is an interval of no width. Bounds may be infinite ("above 90 %"); NaN never enters.

>>> Interval(2.0, 3.0) - Interval.point(1.0)
Interval(lo=1.0, hi=2.0)
"""

from __future__ import annotations

import math

import msgspec

LARGEST = 1e30
"""No quantity of a computer is this large in any unit: such a number is damage."""


class Interval(msgspec.Struct, frozen=True, gc=False):
    """All values from ``lo`` to ``hi``, both included, in one canonical unit. Refuses NaN and lo > hi."""

    lo: float
    hi: float

    def __post_init__(self) -> None:
        if not self.lo <= self.hi:  # also false for NaN
            raise ValueError(f"not an interval: [{self.lo}, {self.hi}]")

    @classmethod
    def point(cls, value: float) -> Interval:
        """Return the interval that holds exactly one value."""
        return cls(float(value), float(value))

    @property
    def is_point(self) -> bool:
        """Whether the value is known exactly."""
        return self.lo == self.hi

    @property
    def mid(self) -> float:
        """The middle, used to order values, never to decide; an infinite bound gives the finite one."""
        if math.isinf(self.lo) or math.isinf(self.hi):
            return self.lo if math.isinf(self.hi) else self.hi
        return self.lo if self.is_point else self.lo + (self.hi - self.lo) / 2

    def __add__(self, other: Interval) -> Interval:
        return _made(self.lo + other.lo, self.hi + other.hi)

    def __sub__(self, other: Interval) -> Interval:
        return _made(self.lo - other.hi, self.hi - other.lo)

    def __mul__(self, other: Interval) -> Interval:
        products = [_times(a, b) for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return _made(min(products), max(products))

    def __truediv__(self, other: Interval) -> Interval:
        """Divide. Raises ZeroDivisionError where the divisor may be zero: the result is then unknown."""
        if other.lo <= 0.0 <= other.hi:
            raise ZeroDivisionError("the divisor may be zero")
        return self * Interval(1.0 / other.hi, 1.0 / other.lo)

    def hull(self, other: Interval) -> Interval:
        """Return the smallest interval that holds both."""
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def is_apart(self, other: Interval, tolerance: float) -> bool:
        """Whether the gap to another interval is more than a part of the largest bound of both.

        >>> Interval(1.0, 2.0).is_apart(Interval.point(2.1), 0.1), Interval(1.0, 2.0).is_apart(Interval.point(2.5), 0.1)
        (False, True)
        """
        gap = max(self.lo - other.hi, other.lo - self.hi)
        return gap > tolerance * max(abs(self.lo), abs(self.hi), abs(other.lo), abs(other.hi))

    def intersection(self, other: Interval) -> Interval | None:
        """Return what both have in common, or None when that is nothing."""
        lo, hi = max(self.lo, other.lo), min(self.hi, other.hi)
        return Interval(lo, hi) if lo <= hi else None


def _made(lo: float, hi: float) -> Interval:
    """Build an interval, or raise ArithmeticError where infinities cancelled and nothing is known."""
    if math.isnan(lo) or math.isnan(hi):
        raise ArithmeticError("the result is not a number")
    return Interval(lo, hi)


def _times(a: float, b: float) -> float:
    """Multiply with 0 · ∞ = 0, the convention of interval arithmetic."""
    return 0.0 if a == 0.0 or b == 0.0 else a * b


def smallest(first: Interval, second: Interval) -> Interval:
    """Return the interval of min(x, y)."""
    return Interval(min(first.lo, second.lo), min(first.hi, second.hi))


def largest(first: Interval, second: Interval) -> Interval:
    """Return the interval of max(x, y)."""
    return Interval(max(first.lo, second.lo), max(first.hi, second.hi))
