"""Reading quantities as people write them: a number, a range, a bound, a hedge or a word, with or without a unit.

The result is an interval in the unit of the measurement. Nothing is guessed: where a text has two readings, the
error shows both.

>>> parse_quantity("10-40 %", unit="1", kind=Kind.SHARE).interval
Interval(lo=0.1, hi=0.4)
>>> parse_quantity("2.5 s/it", unit="1/s", kind=Kind.RATE).interval
Interval(lo=0.4, hi=0.4)
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.documents.dimensions import units_of
from dam_expert.documents.intervals import LARGEST, Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.literals import NUMBER, PERCENT, QuantityError, Wanted, amount, converted, split

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LIMITS", "Given", "Quantity", "QuantityError", "as_text", "parse_quantity"]

#: What can be read: what a person or a file gives for a value. A list is ``[low, high]``, None an open end.
Given: TypeAlias = str | int | float | bool | list[object]

_MAX_LENGTH = 200
_HEDGE = Fraction(1, 5)  # "about" means within 20 %: a definition of the input language, not a finding
_INFINITY = math.inf

_RANGE = re.compile(
    rf"((?>{NUMBER})[^\d+±~–—-]*?)\s*(?:-|–|—|~|\bto\b|\.\.\.?|…)\s*({NUMBER}.*)", re.IGNORECASE | re.DOTALL
)
_BETWEEN = re.compile(r"between\s+(.+?)\s+and\s+(.+)", re.IGNORECASE | re.DOTALL)
_FROM = re.compile(rf"from\s+({NUMBER}.*)", re.IGNORECASE | re.DOTALL)
_PLUS_MINUS = re.compile(r"(.+?)\s*(?:±|\+/-|\+-)\s*(.+)", re.DOTALL)
_ABOUT = re.compile(
    r"(?:~|≈|about|around|approximately|approx\.?|roughly|circa|ca\.|almost|nearly|大约|约|khoảng)\s*", re.IGNORECASE
)
_AT_LEAST = re.compile(
    r"(?:>=|≥|=>|>|at least|more than|greater than|no less than|not less than|over|above)\s*", re.IGNORECASE
)
_AT_MOST = re.compile(r"(?:<=|≤|=<|<|at most|less than|no more than|not more than|under|below|up to)\s*", re.IGNORECASE)

#: The values that a kind can have at all, in its canonical unit.
LIMITS: dict[Kind, tuple[float, float]] = {
    Kind.SHARE: (0.0, 1.0),
    Kind.DURATION: (0.0, _INFINITY),
    Kind.RATE: (0.0, _INFINITY),
    Kind.BYTES: (0.0, _INFINITY),
    Kind.COUNT: (0.0, _INFINITY),
    Kind.RATIO: (0.0, _INFINITY),
    Kind.LEVEL: (-_INFINITY, _INFINITY),
    Kind.SETTING: (-_INFINITY, _INFINITY),
}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A value that was read: ``interval`` in the unit asked for, ``hedged`` where it came from words or "about".

    A factor in words, *twice as fast*, is hedged as well.
    """

    interval: Interval
    hedged: bool = False


def parse_quantity(given: Given, *, unit: str, kind: Kind, words: Mapping[str, Interval] | None = None) -> Quantity:
    """Read a value in the unit and kind of its measurement; raises QuantityError for what cannot be one.

    ``words`` are the words this measurement understands (low, idle, pegged). A bound leaves the other side at the
    limit of the kind; both ends belong to the interval, so ``> 90 %`` and ``>= 90 %`` read alike.

    >>> parse_quantity("about 30 %", unit="1", kind=Kind.SHARE)
    Quantity(interval=Interval(lo=0.24, hi=0.36), hedged=True)
    >>> parse_quantity("> 90 %", unit="1", kind=Kind.SHARE).interval
    Interval(lo=0.9, hi=1.0)
    >>> parse_quantity(35, unit="1", kind=Kind.SHARE)
    Traceback (most recent call last):
    dam_expert.documents.literals.QuantityError: 35 has two readings as a share: 35 % or a factor of 35
    """
    text = as_text(given)
    if len(text) > _MAX_LENGTH:
        raise QuantityError(f"a value of {len(text)} characters is not a quantity")
    if kind not in LIMITS:
        raise QuantityError(f"a {kind} is a word, not a quantity")
    return _read(text, unit, kind, words) if words else _read_alike(text, unit, kind)


@functools.lru_cache(maxsize=1024)
def _read_alike(text: str, unit: str, kind: Kind) -> Quantity:
    """Read a value of a measurement without words; a base has some two hundred, each in many places."""
    return _read(text, unit, kind, {})


def _read(text: str, unit: str, kind: Kind, words: Mapping[str, Interval]) -> Quantity:
    wanted = Wanted(name=unit, unit=units_of(unit)[0], kind=kind)
    text = unicodedata.normalize("NFKC", text).replace("−", "-").strip()
    word = _word(text, words)
    if word is not None:
        return Quantity(interval=word, hedged=True)
    try:
        return _quantity(text, wanted, words)
    except QuantityError as error:
        from dam_expert.documents.figures import in_figures, is_factor_in_words  # a base is written in figures

        figures = None if error.impossible else in_figures(text, kind)
        if figures is None:
            raise
    quantity = _quantity(figures, wanted, words)
    told = kind is Kind.RATIO and is_factor_in_words(text)
    return dataclasses.replace(quantity, hedged=True) if told else quantity


def _quantity(text: str, wanted: Wanted, words: Mapping[str, Interval]) -> Quantity:
    """Read a value in figures."""
    hedge = _ABOUT.match(text)
    rest = text[hedge.end() :] if hedge else text
    low, high = _ends(rest, wanted, words)
    if hedge:
        low, high = _widened(low), _widened(high, up=True)
    return Quantity(interval=_checked(low, high, text, wanted), hedged=hedge is not None)


def as_text(given: Given) -> str:
    """Return a value as a person would have written it; numbers and lists come from YAML or JSON.

    A list is a range, in which an empty end is an open one.

    >>> as_text([0.1, "40 %"]), as_text([3, None])
    ('[0.1, 40 %]', '>= 3')
    """
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, list):
        return _list_text(given)
    if isinstance(given, float) and given.is_integer() and abs(given) < 1e15:
        return str(int(given))
    try:
        return str(given)
    except ValueError:  # an integer of more digits than Python writes
        raise QuantityError("the number is too large") from None


def _list_text(given: list[object]) -> str:
    items = [as_text(item) if isinstance(item, str | int | float) else None for item in given]
    if len(items) == 2 and items[0] is not None and items[1] is None:
        return f">= {items[0]}"
    if len(items) == 2 and items[1] is not None and items[0] is None:
        return f"<= {items[1]}"
    return f"[{', '.join(item or '?' for item in items)}]"


def _word(text: str, words: Mapping[str, Interval]) -> Interval | None:
    """Look a word up, whatever its case and spacing."""
    key = _folded(text)
    return next((interval for word, interval in words.items() if _folded(word) == key), None)


def _folded(word: str) -> str:
    return re.sub(r"[\s_-]+", " ", word.strip().casefold())


def _widened(end: Fraction | None, *, up: bool = False) -> Fraction | None:
    """Move an end outwards by the hedge; an open end stays open."""
    if end is None:
        return None
    return end + abs(end) * _HEDGE if up else end - abs(end) * _HEDGE


def _ends(text: str, wanted: Wanted, words: Mapping[str, Interval]) -> tuple[Fraction | None, Fraction | None]:
    """Return the two ends in the wanted unit, None where a side is open."""
    for pattern, is_lower in ((_AT_LEAST, True), (_AT_MOST, False)):
        bound = pattern.match(text)
        if bound:
            end, turned = amount(text[bound.end() :], wanted, words)
            return (end, None) if is_lower is not turned else (None, end)
    for pieces in (_bracketed(text), _matched(_BETWEEN, text), _matched(_RANGE, _without_from(text))):
        if pieces:
            return _range(*pieces, text, wanted, words)
    spread = _matched(_PLUS_MINUS, text)
    if spread:
        return _spread(*spread, wanted, words)
    end, _ = amount(text, wanted, words)
    return end, end


def _matched(pattern: re.Pattern[str], text: str) -> tuple[str, str] | None:
    match = pattern.fullmatch(text)
    return (match[1], match[2]) if match else None


def _without_from(text: str) -> str:
    match = _FROM.fullmatch(text)
    return match[1] if match else text


def _bracketed(text: str) -> tuple[str, str] | None:
    """Return the two items of ``[low, high]``."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    items = text[1:-1].split(",")
    if len(items) != 2:
        raise QuantityError(f"a range has two ends, but {text} has {len(items)}", "write '[10 %, 40 %]'")
    return items[0].strip(), items[1].strip()


def _range(
    first: str, second: str, text: str, wanted: Wanted, words: Mapping[str, Interval]
) -> tuple[Fraction, Fraction]:
    """Return both ends of a range; the unit may stand once, behind the second."""
    left, right = split(first, wanted, words), split(second, wanted, words)
    if left.tail and not right.tail:
        raise QuantityError(f"only the first end of '{text}' has a unit", "write the unit once at the end, or on both")
    low, turned = converted(left if left.tail else left.like(right), wanted)
    high, _ = converted(right, wanted)
    if turned:
        low, high = high, low
    if low > high:
        raise QuantityError(f"the range '{text}' runs backwards", "write the smaller end first")
    return low, high


def _spread(middle: str, plus: str, wanted: Wanted, words: Mapping[str, Interval]) -> tuple[Fraction, Fraction]:
    """Return the ends of ``35 ± 5 %``; a spread in percent of a value with another unit is relative."""
    left, right = split(middle, wanted, words), split(plus, wanted, words)
    if right.number < 0:
        raise QuantityError(f"the spread '{plus}' is negative")
    if right.unit in PERCENT and left.tail and left.unit not in PERCENT:
        right = dataclasses.replace(left, number=left.number * right.number / 100)
    left = left if left.tail else left.like(right)
    right = right if right.tail else right.like(left)
    if (left.scale, left.unit) != (right.scale, right.unit):
        raise QuantityError(f"'{middle}' and its spread '{plus}' have different units", "write '35 ± 5 %'")
    one, _ = converted(dataclasses.replace(left, number=left.number - right.number), wanted)
    other, _ = converted(dataclasses.replace(left, number=left.number + right.number), wanted)
    return min(one, other), max(one, other)


def _checked(low: Fraction | None, high: Fraction | None, text: str, wanted: Wanted) -> Interval:
    """Build the interval within the limits of the kind; a hedge is cut to them, a value beyond them refused."""
    floor, ceiling = LIMITS[wanted.kind]
    try:
        lo = floor if low is None else float(low)
        hi = ceiling if high is None else float(high)
    except OverflowError:
        raise QuantityError(f"the value '{text}' is too large") from None
    if any(math.isfinite(end) and abs(end) > LARGEST for end in (lo, hi)):
        raise QuantityError(f"'{text}' is larger than any quantity of a computer", "check digits and unit")
    if _ABOUT.match(text):
        lo, hi = (max(lo, floor), min(hi, ceiling)) if lo <= ceiling and hi >= floor else (lo, hi)
    if lo < floor:
        raise QuantityError(f"'{text}' is below 0, which a {wanted.kind} cannot be", impossible=True)
    if hi > ceiling or lo > hi:
        raise QuantityError(f"'{text}' is above 100 %, which a {wanted.kind} cannot be", impossible=True)
    return Interval(lo, hi)
