"""The truth of one comparison of values that may be known only to a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.language.conditions import Operator
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


def compare(value: Interval, operator: Operator, limit: Interval) -> Truth:
    """Return true or false if that holds for all of the value and all of the limit, else unknown.

    >>> compare(Interval(0.1, 0.4), Operator.MORE, Interval.point(0.2)).word
    'unknown'
    """
    if operator is Operator.AT_LEAST:
        return _settled(value.lo >= limit.hi, value.hi < limit.lo)
    if operator is Operator.LESS:
        return _settled(value.hi < limit.lo, value.lo >= limit.hi)
    if operator is Operator.MORE:
        return _settled(value.lo > limit.hi, value.hi <= limit.lo)
    if operator is Operator.AT_MOST:
        return _settled(value.hi <= limit.lo, value.lo > limit.hi)
    same = value.is_point and value == limit
    return _settled(same, value.intersection(limit) is None)


def is_word(value: str, words: AbstractSet[str]) -> Truth:
    """Return whether a word is one of the words, which are in lower case; the case of the value does not matter.

    >>> is_word("Socket", {"socket"}).word
    'true'
    """
    return Truth.TRUE if value.strip().lower() in words else Truth.FALSE


def _settled(true: bool, false: bool) -> Truth:
    if true:
        return Truth.TRUE
    return Truth.FALSE if false else Truth.UNKNOWN
