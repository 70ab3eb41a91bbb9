"""Writing values for people: percent, engineering prefixes, three significant digits.

What is written here can be read again by ``parse_quantity``, within the three digits.

>>> from dam_expert.documents.intervals import Interval
>>> format_value(Interval(0.1, 0.4), unit="1", kind=Kind.SHARE)
'10–40 %'
>>> format_value(Interval.point(0.00121), unit="s", kind=Kind.DURATION)
'1.21 ms'
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.documents.dimensions import PLAIN, Dimension, dimension_of
from dam_expert.documents.kinds import Kind
from dam_expert.documents.quantities import LIMITS

if TYPE_CHECKING:
    from dam_expert.documents.intervals import Interval
    from dam_expert.documents.observations import Value

#: Sizes a value may be written in, with the text behind the digits; the largest first.
_Scales: TypeAlias = tuple[tuple[float, str], ...]

_UP = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_SIZES: _Scales = (
    *((1024.0**n, f" {prefix}iB") for n, prefix in ((5, "P"), (4, "T"), (3, "G"), (2, "M"), (1, "K"))),
    (1.0, " B"),
)
_TIMES: _Scales = (
    *((86400.0, " d"), (3600.0, " h"), (60.0, " min"), (1.0, " s")),
    *((1e-3, " ms"), (1e-6, " µs"), (1e-9, " ns")),
)
_TAKES_PREFIX = ("B", "B/s", "FLOP", "FLOP/s", "W", "J", "Hz", "FLOP/B", "B/FLOP")
_EXACT_BELOW = 1e6  # counts keep their digits up to here: 1234 steps are not 1230
_WIDE = 1000.0  # a range over more than one prefix: each end is written with its own


def format_value(value: Value, *, unit: str | None, kind: Kind, binary: bool = False) -> str:
    """Write a value with its unit; a word stays as it is, an interval without any bound is ``any``.

    ``binary``: sizes in bytes are written in KiB, MiB and GiB, as messages about memory are; rates stay decimal.

    >>> from dam_expert.documents.intervals import Interval
    >>> format_value(Interval.point(1.35), unit="1", kind=Kind.RATIO)
    '1.35×'
    >>> format_value(Interval(12.5e9, math.inf), unit="B/s", kind=Kind.RATE)
    '≥ 12.5 GB/s'
    >>> format_value(Interval.point(85520809984), unit="B", kind=Kind.BYTES, binary=True)
    '79.6 GiB'
    >>> format_value("decode", unit=None, kind=Kind.CATEGORY)
    'decode'
    """
    if isinstance(value, str):
        return value
    scales = _SIZES if binary and unit == "B" else _scales(unit or "1", kind)
    if value.is_point:
        return _written(value.lo, _best(value.lo, scales))
    if math.isinf(value.hi):
        return "any" if math.isinf(value.lo) else f"≥ {_written(value.lo, _best(value.lo, scales))}"
    floor, ceiling = LIMITS[kind]
    if math.isinf(value.lo) or (value.lo == floor and math.isinf(ceiling)):
        return f"≤ {_written(value.hi, _best(value.hi, scales))}"
    return _range(value, scales)


def _scales(unit: str, kind: Kind) -> _Scales:
    """Return the sizes in which a measurement of this unit and kind may be written."""
    if kind is Kind.SHARE:
        return ((0.01, " %"),)
    if kind is Kind.RATIO:
        return ((1.0, "×"),)
    if unit in _TAKES_PREFIX:
        return (*((size, f" {prefix}{unit}") for size, prefix in _UP), (1.0, f" {unit}"))
    dimension = dimension_of(unit)
    if dimension == Dimension(second=1):
        return _TIMES
    if dimension == PLAIN:
        return ((1e6, " M"), (1.0, ""))
    tail = unit.removeprefix("1") if unit.startswith("1/") else f" {unit}"
    if dimension == PLAIN / Dimension(second=1):
        return ((1e9, f"G{tail}"), (1e6, f"M{tail}"), (1e3, f"k{tail}"), (1.0, tail))
    return ((1.0, tail),)


def _best(number: float, scales: _Scales) -> tuple[float, str]:
    """Return the largest size that leaves at least 1 before the point, after rounding: 999.7 MB is 1 GB."""
    rounded = abs(_rounded(number))
    if rounded == 0.0:
        return next((scale for scale in scales if scale[0] == 1.0), scales[-1])
    return next((scale for scale in scales if _rounded(rounded / scale[0]) >= 1.0), scales[-1])


def _written(number: float, scale: tuple[float, str]) -> str:
    size, tail = scale
    return _digits(number / size, exact=not tail) + tail


def _range(value: Interval, scales: _Scales) -> str:
    """Write both ends, the unit once where one prefix suits both."""
    scale = _best(value.hi if abs(value.hi) >= abs(value.lo) else value.lo, scales)
    smallest = min(abs(end) for end in (value.lo, value.hi) if end)
    wide = max(abs(value.lo), abs(value.hi)) >= smallest * _WIDE
    if not wide or len(scales) == 1:
        return f"{_digits(value.lo / scale[0], exact=not scale[1])}–{_written(value.hi, scale)}"
    if not scales[-1][1]:  # bare numbers: a prefix behind the second would be read for both
        return f"{_digits(value.lo, exact=True)}–{_digits(value.hi, exact=True)}"
    return f"{_written(value.lo, _best(value.lo, scales))}–{_written(value.hi, _best(value.hi, scales))}"


def _rounded(number: float) -> float:
    return float(f"{number:.3g}")


def _digits(number: float, *, exact: bool = False) -> str:
    """Write three significant digits, without an exponent where that stays short; whole numbers exactly if asked.

    >>> [_digits(1234.0), _digits(1234.0, exact=True), _digits(0.035), _digits(1e-9)]
    ['1230', '1234', '0.035', '1e-09']
    """
    if exact and number.is_integer() and abs(number) < _EXACT_BELOW:
        return str(int(number))
    rounded = _rounded(number)
    if rounded == 0.0:
        return "0"
    if not 1e-4 <= abs(rounded) < 1e6:
        return f"{rounded:.3g}"
    return f"{rounded:.8f}".rstrip("0").rstrip(".")
