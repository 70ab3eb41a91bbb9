"""Three-valued truth (Kleene): false < unknown < true.

*and* is the least of its parts, *or* the greatest, *not* turns the order round. It is compositional, not classical:
``x < 1 or x >= 1`` with x missing is unknown.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Truth(enum.IntEnum):
    """What is known of a claim. The integers are the order, so that ``min`` is *and* and ``max`` is *or*."""

    FALSE = 0
    UNKNOWN = 1
    TRUE = 2

    @property
    def word(self) -> str:
        """The word used in documents and reports."""
        return self.name.lower()

    def negated(self) -> Truth:
        """Return the truth of *not*; unknown stays unknown."""
        return Truth(2 - self)


def all_of(truths: Iterable[Truth]) -> Truth:
    """Return the truth of *and*; of nothing it is true."""
    return min(truths, default=Truth.TRUE)


def any_of(truths: Iterable[Truth]) -> Truth:
    """Return the truth of *or*; of nothing it is false."""
    return max(truths, default=Truth.FALSE)


def at_least(n: int, truths: Iterable[Truth]) -> Truth:
    """Return whether at least n are true: the n-th greatest of them.

    >>> at_least(2, [Truth.TRUE, Truth.UNKNOWN, Truth.FALSE]).word
    'unknown'
    """
    ordered = sorted(truths, reverse=True)
    if n <= 0:
        return Truth.TRUE
    return ordered[n - 1] if n <= len(ordered) else Truth.FALSE
