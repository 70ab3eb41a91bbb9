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
import itertools
import math
import re
import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.documents.dimensions import PLAIN, Dimension, Unit, UnitError, units_of
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

#: What can be read: what a person or a file gives for a value. A list is ``[low, high]``, None an open end.
Given: TypeAlias = str | int | float | bool | list[object]

_MAX_LENGTH = 200
_HEDGE = Fraction(1, 5)  # "about" means within 20 %: a definition of the input language, not a finding
_INFINITY = math.inf
_PERCENT = {"%", "percent", "pct"}

_NUMBER = r"[+-]?(?:\d[\d,_]*(?:\.\d+|\.(?!\.))?|\.\d+)(?:[eE][+-]?\d+)?"
_AMOUNT = re.compile(rf"({_NUMBER})\s*(.*)", re.DOTALL)
_RANGE = re.compile(
    rf"((?>{_NUMBER})[^\d+±~–—-]*?)\s*(?:-|–|—|~|\bto\b|\.\.\.?|…)\s*({_NUMBER}.*)", re.IGNORECASE | re.DOTALL
)
_BETWEEN = re.compile(r"between\s+(.+?)\s+and\s+(.+)", re.IGNORECASE | re.DOTALL)
_FROM = re.compile(rf"from\s+({_NUMBER}.*)", re.IGNORECASE | re.DOTALL)
_PLUS_MINUS = re.compile(r"(.+?)\s*(?:±|\+/-|\+-)\s*(.+)", re.DOTALL)
_ABOUT = re.compile(
    r"(?:~|≈|about|around|approximately|approx\.?|roughly|circa|ca\.|almost|nearly|大约|约|khoảng)\s*", re.IGNORECASE
)
_AT_LEAST = re.compile(
    r"(?:>=|≥|=>|>|at least|more than|greater than|no less than|not less than|over|above)\s*", re.IGNORECASE
)
_AT_MOST = re.compile(r"(?:<=|≤|=<|<|at most|less than|no more than|not more than|under|below|up to)\s*", re.IGNORECASE)
_CLOCK = re.compile(r"(\d+):([0-5]?\d):([0-5]?\d(?:\.\d+)?)")
_SHORT_CLOCK = re.compile(r"\d+:\d\d")
_STRIDE = r"(\d+(?:\.\d+)?)\s*(weeks?|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|ms|us|ns)(?![a-z])"
_STRIDES = re.compile(rf"(?:{_STRIDE}[\s,]*){{2,8}}", re.IGNORECASE)
_SCALE = re.compile(r"(k|K|M|G|T|thousand|million|billion|mn|bn)(?=$|\s|/)")
_SCALES = {"k": 10**3, "K": 10**3, "thousand": 10**3, "M": 10**6, "mn": 10**6, "million": 10**6}
_SCALES |= {"G": 10**9, "bn": 10**9, "billion": 10**9, "T": 10**12}
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")

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


class QuantityError(ValueError):
    """A value that cannot be used. ``text`` says what is wrong, ``hint`` what to write instead.

    ``impossible`` tells a value that was understood but cannot be (a share of 140 %) from one that was not.
    """

    def __init__(self, text: str, hint: str | None = None, *, impossible: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint
        self.impossible = impossible


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A value that was read: ``interval`` in the unit asked for, ``hedged`` where it came from words or "about"."""

    interval: Interval
    hedged: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is expected: the unit as written in the base, its reading, and the kind."""

    name: str
    unit: Unit
    kind: Kind

    @property
    def dimension(self) -> Dimension:
        return self.unit.dimension

    @property
    def example(self) -> str:
        """A value of this kind as one would write it, for hints."""
        if self.kind is Kind.SHARE:
            return "35 %"
        if self.kind is Kind.RATIO:
            return "1.3x"
        return _EXAMPLES.get(str(self.dimension), f"3 {self.name}" if not self.dimension.is_plain else "3")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Literal:
    """One number as written: ``1.5k tok/s`` is 1.5, 1000 and ``tok/s``."""

    number: Fraction
    scale: int = 1
    unit: str = ""

    @property
    def tail(self) -> bool:
        """Whether anything stands behind the number."""
        return bool(self.unit) or self.scale != 1

    def like(self, other: _Literal) -> _Literal:
        """Return the number with what stands behind another one: ``10`` of ``10-40 %``."""
        return dataclasses.replace(other, number=self.number)


_EXAMPLES = {"s": "12 ms", "B": "16 GiB", "B/s": "3.2 GB/s", "1/s": "12 it/s", "FLOP/s": "90 TFLOP/s", "W": "250 W"}

#: An end of a range: the value, and whether its unit was a reciprocal one (larger means smaller).
_End: TypeAlias = tuple[Fraction, bool]


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
    dam_expert.documents.quantities.QuantityError: 35 has two readings as a share: 35 % or a factor of 35
    """
    text = as_text(given)
    if len(text) > _MAX_LENGTH:
        raise QuantityError(f"a value of {len(text)} characters is not a quantity")
    if kind not in LIMITS:
        raise QuantityError(f"a {kind} is a word, not a quantity")
    wanted = _Wanted(name=unit, unit=units_of(unit)[0], kind=kind)
    text = unicodedata.normalize("NFKC", text).replace("−", "-").strip()
    word = _word(text, words or {})
    if word is not None:
        return Quantity(interval=word, hedged=True)
    hedge = _ABOUT.match(text)
    rest = text[hedge.end() :] if hedge else text
    low, high = _ends(rest, wanted, words or {})
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


def _ends(text: str, wanted: _Wanted, words: Mapping[str, Interval]) -> tuple[Fraction | None, Fraction | None]:
    """Return the two ends in the wanted unit, None where a side is open."""
    for pattern, is_lower in ((_AT_LEAST, True), (_AT_MOST, False)):
        bound = pattern.match(text)
        if bound:
            end, turned = _amount(text[bound.end() :], wanted, words)
            return (end, None) if is_lower is not turned else (None, end)
    for pieces in (_bracketed(text), _matched(_BETWEEN, text), _matched(_RANGE, _without_from(text))):
        if pieces:
            return _range(*pieces, text, wanted, words)
    spread = _matched(_PLUS_MINUS, text)
    if spread:
        return _spread(*spread, wanted, words)
    end, _ = _amount(text, wanted, words)
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
    first: str, second: str, text: str, wanted: _Wanted, words: Mapping[str, Interval]
) -> tuple[Fraction, Fraction]:
    """Return both ends of a range; the unit may stand once, behind the second."""
    left, right = _split(first, wanted, words), _split(second, wanted, words)
    if left.tail and not right.tail:
        raise QuantityError(f"only the first end of '{text}' has a unit", "write the unit once at the end, or on both")
    low, turned = _converted(left if left.tail else left.like(right), wanted)
    high, _ = _converted(right, wanted)
    if turned:
        low, high = high, low
    if low > high:
        raise QuantityError(f"the range '{text}' runs backwards", "write the smaller end first")
    return low, high


def _spread(middle: str, plus: str, wanted: _Wanted, words: Mapping[str, Interval]) -> tuple[Fraction, Fraction]:
    """Return the ends of ``35 ± 5 %``; a spread in percent of a value with another unit is relative."""
    left, right = _split(middle, wanted, words), _split(plus, wanted, words)
    if right.number < 0:
        raise QuantityError(f"the spread '{plus}' is negative")
    if right.unit in _PERCENT and left.tail and left.unit not in _PERCENT:
        right = dataclasses.replace(left, number=left.number * right.number / 100)
    left = left if left.tail else left.like(right)
    right = right if right.tail else right.like(left)
    if (left.scale, left.unit) != (right.scale, right.unit):
        raise QuantityError(f"'{middle}' and its spread '{plus}' have different units", "write '35 ± 5 %'")
    one, _ = _converted(dataclasses.replace(left, number=left.number - right.number), wanted)
    other, _ = _converted(dataclasses.replace(left, number=left.number + right.number), wanted)
    return min(one, other), max(one, other)


def _amount(text: str, wanted: _Wanted, words: Mapping[str, Interval]) -> _End:
    """Read one value with its unit."""
    lasting = _clock(text) if wanted.dimension == Dimension(second=1) else None
    if lasting is not None:
        return lasting / wanted.unit.factor, False
    return _converted(_split(text, wanted, words), wanted)


def _clock(text: str) -> Fraction | None:
    """Read ``h:mm:ss`` and ``3m48s`` as seconds; None for anything else."""
    clock = _CLOCK.fullmatch(text)
    if clock:
        return Fraction(clock[1]) * 3600 + Fraction(clock[2]) * 60 + Fraction(clock[3])
    if _SHORT_CLOCK.fullmatch(text):
        raise QuantityError(
            f"'{text}' has two readings: minutes and seconds, or hours and minutes", "write '3m48s' or '3h48m'"
        )
    if not _STRIDES.fullmatch(text):
        return None
    sizes = [(Fraction(n), units_of(unit.lower())[0].factor) for n, unit in re.findall(_STRIDE, text, re.IGNORECASE)]
    if any(earlier[1] <= later[1] for earlier, later in itertools.pairwise(sizes)):
        raise QuantityError(f"the parts of '{text}' are not in falling order", "write '1h13m5s'")
    return sum((number * size for number, size in sizes), Fraction(0))


def _split(text: str, wanted: _Wanted, words: Mapping[str, Interval]) -> _Literal:
    """Split ``1.5k tok/s`` into number, scale and unit."""
    match = _AMOUNT.fullmatch(text.strip())
    if not match:
        known = f"; words it knows: {', '.join(sorted(words))}" if words else ""
        raise QuantityError(f"'{text.strip()}' is not a quantity", f"write for example '{wanted.example}'{known}")
    number, unit = _number(match[1], wanted), match[2].strip()
    if unit in {"B", "b"} and wanted.dimension.is_plain and wanted.kind in {Kind.COUNT, Kind.SETTING}:
        return _Literal(number=number, scale=10**9)  # 7B parameters
    scale = _SCALE.match(unit)
    if scale is None or (scale[0] == "T" and unit.startswith("T/")):  # transfers per second
        return _Literal(number=number, unit=unit)
    rest = unit[scale.end() :].strip()
    if not rest and wanted.dimension not in (PLAIN, Dimension(second=-1)):
        raise QuantityError(f"'{match[0]}' lacks a unit", f"write for example '{wanted.example}'")
    return _Literal(number=number, scale=_SCALES[scale[0]], unit=rest)


def _number(text: str, wanted: _Wanted) -> Fraction:
    """Read a plain number exactly; a comma must be a thousands separator beyond doubt."""
    mantissa = re.split("[eE]", text)[0]
    if "," in mantissa:
        separated = _THOUSANDS.fullmatch(mantissa)
        sure = separated and (mantissa.count(",") > 1 or separated[2] or wanted.kind is Kind.COUNT)
        if not sure:
            readings = f"'{text.replace(',', '.', 1)}'" + (f" or '{text.replace(',', '')}'" if separated else "")
            raise QuantityError(f"the comma in '{text}' may be a decimal or a thousands separator", f"write {readings}")
    bare = text.replace(",", "").replace("_", "")
    size = float(bare)
    if math.isinf(size):
        raise QuantityError(f"the number '{text}' is too large")
    return Fraction(bare) if size else Fraction(0)


def _converted(literal: _Literal, wanted: _Wanted) -> _End:
    """Bring a number to the wanted unit; the second says whether a reciprocal unit was turned over."""
    number, unit = literal.number * literal.scale, literal.unit
    if not unit:
        _refuse_bare(number, wanted)
        return number, False
    _refuse_mixed(number, unit, wanted)
    readings = _readings(unit)
    for reading in readings:
        if reading.dimension == wanted.dimension:
            return number * reading.factor / wanted.unit.factor, False
        if reading.counts and _is_time(reading.dimension) and reading.dimension == PLAIN / wanted.dimension:
            if not number:
                raise QuantityError(f"0 {unit} has no reciprocal in {wanted.name}")
            return 1 / (number * reading.factor * wanted.unit.factor), True
    measured = "a plain number" if readings[0].dimension.is_plain else str(readings[0].dimension)
    expected = "a plain number" if wanted.dimension.is_plain else wanted.name
    raise QuantityError(
        f"'{unit}' measures {measured}, but {expected} is expected", f"write for example '{wanted.example}'"
    )


def _readings(unit: str) -> tuple[Unit, ...]:
    try:
        return units_of(unit)
    except UnitError as error:
        raise QuantityError(error.text, error.hint) from None


def _is_time(dimension: Dimension) -> bool:
    return dimension in (Dimension(second=1), Dimension(second=-1))


def _refuse_bare(number: Fraction, wanted: _Wanted) -> None:
    """Refuse a share above 1 without a unit: it may be percent."""
    if wanted.kind is Kind.SHARE and number > 1:
        written = _written(number)
        raise QuantityError(
            f"{written} has two readings as a share: {written} % or a factor of {written}",
            f"write '{written} %', or a share between 0 and 1",
        )


def _refuse_mixed(number: Fraction, unit: str, wanted: _Wanted) -> None:
    """Refuse percent for factors and counts, and factors for shares: the reading would be a guess."""
    percent, factor = unit.lower() in _PERCENT, unit.lower() in {"x", "×", "times"}
    written = _written(number)
    if percent and wanted.kind is Kind.RATIO:
        smaller, larger = _written(number / 100), _written(1 + number / 100)
        raise QuantityError(f"'{written} %' has two readings as a factor: {smaller}x or {larger}x", "write the factor")
    if percent and wanted.kind is Kind.COUNT:
        raise QuantityError(f"'{written} %' is a share, but a count is expected")
    if factor and wanted.kind is Kind.SHARE:
        raise QuantityError(f"'{written}x' is a factor, but a share is expected", "write for example '35 %'")


def _written(number: Fraction) -> str:
    return f"{float(number):.6g}"


def _checked(low: Fraction | None, high: Fraction | None, text: str, wanted: _Wanted) -> Interval:
    """Build the interval within the limits of the kind; a hedge is cut to them, a value beyond them refused."""
    floor, ceiling = LIMITS[wanted.kind]
    try:
        lo = floor if low is None else float(low)
        hi = ceiling if high is None else float(high)
    except OverflowError:
        raise QuantityError(f"the value '{text}' is too large") from None
    if _ABOUT.match(text):
        lo, hi = (max(lo, floor), min(hi, ceiling)) if lo <= ceiling and hi >= floor else (lo, hi)
    if lo < floor:
        raise QuantityError(f"'{text}' is below 0, which a {wanted.kind} cannot be", impossible=True)
    if hi > ceiling or lo > hi:
        raise QuantityError(f"'{text}' is above 100 %, which a {wanted.kind} cannot be", impossible=True)
    return Interval(lo, hi)
