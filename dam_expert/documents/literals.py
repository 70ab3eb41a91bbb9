"""One number with its unit: ``35 %``, ``1.5k tok/s``, ``2.5 s/it``, ``3m48s``, and the errors of reading it."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.documents.dimensions import PLAIN, Dimension, Unit, UnitError, units_of
from dam_expert.documents.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.documents.intervals import Interval

PERCENT = {"%", "percent", "pct", "phần trăm"}
_FACTORS = {"x", "×", "times", "倍", "lần"}

NUMBER = r"[+-]?(?:\d[\d,_]*(?:\.\d+|\.(?!\.))?|\.\d+)(?:[eE][+-]?\d+)?"
_AMOUNT = re.compile(rf"({NUMBER})\s*(.*)", re.DOTALL)
_CLOCK = re.compile(r"(\d+):([0-5]?\d):([0-5]?\d(?:\.\d+)?)")
_SHORT_CLOCK = re.compile(r"\d+:\d\d")
_STRIDE = r"(\d+(?:\.\d+)?)\s*(weeks?|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|ms|us|ns)(?![a-z])"
_STRIDES = re.compile(rf"(?:{_STRIDE}[\s,]*){{2,8}}", re.IGNORECASE)
_SCALE = re.compile(r"(k|K|M|G|T|thousand|million|billion|mn|bn)(?=$|\s|/)")
_SCALES = {"k": 10**3, "K": 10**3, "thousand": 10**3, "M": 10**6, "mn": 10**6, "million": 10**6}
_SCALES |= {"G": 10**9, "bn": 10**9, "billion": 10**9, "T": 10**12}
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")


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
class Wanted:
    """What is expected: the unit as written in the base, its reading, and the kind."""

    name: str
    unit: Unit
    kind: Kind

    @property
    def dimension(self) -> Dimension:
        """What is measured."""
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
class Literal:
    """One number as written: ``1.5k tok/s`` is 1.5, 1000 and ``tok/s``."""

    number: Fraction
    scale: int = 1
    unit: str = ""

    @property
    def tail(self) -> bool:
        """Whether anything stands behind the number."""
        return bool(self.unit) or self.scale != 1

    def like(self, other: Literal) -> Literal:
        """Return the number with what stands behind another one: ``10`` of ``10-40 %``."""
        return dataclasses.replace(other, number=self.number)


_EXAMPLES = {"s": "12 ms", "B": "16 GiB", "B/s": "3.2 GB/s", "1/s": "12 it/s", "FLOP/s": "90 TFLOP/s", "W": "250 W"}

#: An end of a range: the value, and whether its unit was a reciprocal one (larger means smaller).
End: TypeAlias = tuple[Fraction, bool]


def amount(text: str, wanted: Wanted, words: Mapping[str, Interval]) -> End:
    """Read one value with its unit."""
    lasting = _clock(text) if wanted.dimension == Dimension(second=1) else None
    if lasting is not None:
        return lasting / wanted.unit.factor, False
    return converted(split(text, wanted, words), wanted)


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


def split(text: str, wanted: Wanted, words: Mapping[str, Interval]) -> Literal:
    """Split ``1.5k tok/s`` into number, scale and unit."""
    match = _AMOUNT.fullmatch(text.strip())
    if not match:
        known = f"; words it knows: {', '.join(sorted(words))}" if words else ""
        raise QuantityError(f"'{text.strip()}' is not a quantity", f"write for example '{wanted.example}'{known}")
    number, unit = _number(match[1], wanted), match[2].strip()
    if unit in {"B", "b"} and wanted.dimension.is_plain and wanted.kind in {Kind.COUNT, Kind.SETTING}:
        return Literal(number=number, scale=10**9)  # 7B parameters
    scale = _SCALE.match(unit)
    if scale is None or (scale[0] == "T" and unit.startswith("T/")):  # transfers per second
        return Literal(number=number, unit=unit)
    rest = unit[scale.end() :].strip()
    if not rest and wanted.dimension not in (PLAIN, Dimension(second=-1)):
        raise QuantityError(f"'{match[0]}' lacks a unit", f"write for example '{wanted.example}'")
    return Literal(number=number, scale=_SCALES[scale[0]], unit=rest)


def _number(text: str, wanted: Wanted) -> Fraction:
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


def converted(literal: Literal, wanted: Wanted) -> End:
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


def _refuse_bare(number: Fraction, wanted: Wanted) -> None:
    """Refuse a share above 1 without a unit: it may be percent."""
    if wanted.kind is Kind.SHARE and number > 1:
        written = _written(number)
        raise QuantityError(
            f"{written} has two readings as a share: {written} % or a factor of {written}",
            f"write '{written} %', or a share between 0 and 1",
        )


def _refuse_mixed(number: Fraction, unit: str, wanted: Wanted) -> None:
    """Refuse percent for factors and counts, and factors for shares: the reading would be a guess."""
    percent, factor = unit.lower() in PERCENT, unit.lower() in _FACTORS
    written = _written(number)
    if percent and wanted.kind is Kind.RATIO:
        smaller, larger = _written(number / 100), _written(1 + number / 100)
        raise QuantityError(f"'{written} %' has two readings as a factor: {smaller}x or {larger}x", "write the factor")
    if percent and wanted.kind is Kind.COUNT:
        raise QuantityError(f"'{written} %' is a share, but a count is expected")
    if factor and wanted.kind is Kind.SHARE:
        raise QuantityError(f"'{written}x' is a factor, but a share is expected", "write for example '35 %'")
    if factor and wanted.kind in {Kind.COUNT, Kind.SETTING}:
        hint = f"write '{written}', or '{written} k', '{written} M' or '{written} G'"
        raise QuantityError(f"'{written}{unit}' is a factor, but a count is expected", hint)


def _written(number: Fraction) -> str:
    return f"{float(number):.6g}"
