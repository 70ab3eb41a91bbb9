"""The truth of one comparison of values that may be known only to a range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.language.conditions import Operator
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from dam_expert.documents.intervals import Interval

_FALSE, _UNKNOWN, _TRUE = Truth


def compare(value: Interval, operator: Operator, limit: Interval) -> Truth:
    """Return true or false if that holds for all of the value and all of the limit, else unknown.

    >>> from dam_expert.documents.intervals import Interval
    >>> compare(Interval(0.1, 0.4), Operator.MORE, Interval.point(0.2)).word
    'unknown'
    """
    return COMPARED[operator](value, limit)


def _less(value: Interval, limit: Interval) -> Truth:
    return _TRUE if value.hi < limit.lo else _FALSE if value.lo >= limit.hi else _UNKNOWN


def _at_most(value: Interval, limit: Interval) -> Truth:
    return _TRUE if value.hi <= limit.lo else _FALSE if value.lo > limit.hi else _UNKNOWN


def _more(value: Interval, limit: Interval) -> Truth:
    return _TRUE if value.lo > limit.hi else _FALSE if value.hi <= limit.lo else _UNKNOWN


def _at_least(value: Interval, limit: Interval) -> Truth:
    return _TRUE if value.lo >= limit.hi else _FALSE if value.hi < limit.lo else _UNKNOWN


def _is(value: Interval, limit: Interval) -> Truth:
    if value.is_point and value == limit:
        return _TRUE
    return _FALSE if value.intersection(limit) is None else _UNKNOWN


#: How each operator compares a value with a limit.
COMPARED: Final[Mapping[Operator, Callable[[Interval, Interval], Truth]]] = {
    Operator.LESS: _less,
    Operator.AT_MOST: _at_most,
    Operator.MORE: _more,
    Operator.AT_LEAST: _at_least,
    Operator.IS: _is,
}


def is_word(value: str, words: AbstractSet[str]) -> Truth:
    """Return whether a word is one of the words, which are in lower case; the case of the value does not matter.

    >>> is_word("Socket", {"socket"}).word
    'true'
    """
    return Truth.TRUE if value.strip().lower() in words else Truth.FALSE
