"""Dimensions and unit symbols: what a unit measures, and how much of the canonical unit it is.

A dimension is a product of powers of five base quantities (time, data, work, energy, temperature) and money.
Canonical units are s, B, FLOP, J, °C and $, and products of them (W is J/s, Hz is 1/s). Whatever can only be counted
(tokens, steps, requests) has no dimension, so ``tok/s`` and ``1/s`` are the same.

>>> str(dimension_of("GB/s") / dimension_of("GFLOPS"))
'B/FLOP'
"""

from __future__ import annotations

import dataclasses
import functools
import re
import unicodedata
from fractions import Fraction

from dam_expert.documents.messages import suggestion

_MAX_UNIT_LENGTH = 60


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """Exponents over the base quantities; all zero is a plain number."""

    second: int = 0
    byte: int = 0
    flop: int = 0
    joule: int = 0
    degree: int = 0
    dollar: int = 0

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(**{name: getattr(self, name) + getattr(other, name) for name in _BASE})

    def __truediv__(self, other: Dimension) -> Dimension:
        return Dimension(**{name: getattr(self, name) - getattr(other, name) for name in _BASE})

    @property
    def is_plain(self) -> bool:
        """Whether this is a number without a unit."""
        return self == PLAIN

    def __str__(self) -> str:
        """Write the canonical unit; ``dimension_of`` reads it back."""
        if self == Dimension(joule=1, second=-1):
            return "W"
        above = [symbol for name, symbol in _BASE.items() for _ in range(getattr(self, name))]
        below = [symbol for name, symbol in _BASE.items() for _ in range(-getattr(self, name))]
        return "/".join(["*".join(above) or "1", *below])


_BASE = {"flop": "FLOP", "byte": "B", "joule": "J", "degree": "°C", "dollar": "$", "second": "s"}
PLAIN = Dimension()
_RATE = Dimension(second=-1)


class UnitError(ValueError):
    """A unit that is not known. ``text`` says which, ``hint`` what to write instead."""

    def __init__(self, text: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit: its size in the canonical unit of its dimension, exactly.

    ``counts`` says that something countable is named (``s/it``): only then may a reciprocal stand for it.
    """

    factor: Fraction
    dimension: Dimension = PLAIN
    counts: bool = False


_DECIMAL = {prefix: Fraction(1000) ** power for prefix, power in zip("kKMGTPE", (1, 1, 2, 3, 4, 5, 6), strict=True)}
_BINARY = {f"{prefix}i": Fraction(1024) ** power for power, prefix in enumerate("KMGTPE", start=1)}

_NOUNS = """
    audio batch block call char character chunk client clip compile core cycle device document element episode epoch
    error event ex example fault file frame game gpu image img inference infer input io iter iteration it job kernel
    launch layer message node op packet page param parameter point process prompt query rank record req request row
    sample sentence seq sequence step global_step sync thread tok token transaction update user video word worker
    次 步 张 条 个 图 样本 词元 请求 ảnh bước mẫu
"""
_PLURALS = {"batches", "epoches", "processes", "queries", "inferences", "launches", "indices"}
_PER_SECOND = "fps ips iops qps rps tps ups wps"
_TIME = {
    "s sec secs second seconds 秒 秒钟 giây": Fraction(1),
    "ms msec msecs millisecond milliseconds 毫秒": Fraction(1, 10**3),
    "us usec usecs μs μsec microsecond microseconds 微秒": Fraction(1, 10**6),
    "ns nsec nanosecond nanoseconds": Fraction(1, 10**9),
    "m min mins minute minutes 分 分钟 phút": Fraction(60),
    "h hr hrs hour hours 小时 giờ": Fraction(3600),
    "d day days 天 ngày": Fraction(86400),
    "week weeks": Fraction(7 * 86400),
}


def _prefixed(stems: str, size: Fraction, dimension: Dimension, prefixes: dict[str, Fraction]) -> dict[str, Unit]:
    """Return the stems with each prefix."""
    scaled = {"": Fraction(1)} | prefixes
    return {
        prefix + stem: Unit(factor=size * scale, dimension=dimension)
        for stem in stems.split()
        for prefix, scale in scaled.items()
    }


def _table() -> dict[str, Unit]:
    """Return every symbol that is read exactly as it is written, upper and lower case told apart."""
    byte, bit = Dimension(byte=1), Fraction(1, 8)
    table = {
        word: Unit(factor=size, dimension=Dimension(second=1))
        for words, size in _TIME.items()
        for word in words.split()
    }
    table |= _prefixed("B", Fraction(1), byte, _DECIMAL | _BINARY)
    table |= _prefixed("bit bits", bit, byte, _DECIMAL | _BINARY) | _prefixed("b", bit, byte, _DECIMAL)
    table |= _prefixed("Bps", Fraction(1), byte * _RATE, _DECIMAL | _BINARY) | _prefixed(
        "bps", bit, byte * _RATE, _DECIMAL
    )
    table |= _prefixed("FLOP FLOPs flop flops Flop Flops", Fraction(1), Dimension(flop=1), _DECIMAL)
    table |= _prefixed("FLOPS", Fraction(1), Dimension(flop=1, second=-1), _DECIMAL)
    table |= {p + "OPS": Unit(factor=Fraction(_DECIMAL[p]), dimension=Dimension(flop=1, second=-1)) for p in "GTP"}
    table |= _prefixed("J", Fraction(1), Dimension(joule=1), _DECIMAL | {"m": Fraction(1, 1000)})
    table |= _prefixed("Wh", Fraction(3600), Dimension(joule=1), _DECIMAL)
    table |= _prefixed("W", Fraction(1), Dimension(joule=1, second=-1), _DECIMAL)
    table |= _prefixed("Hz", Fraction(1), _RATE, _DECIMAL)
    table |= {word: Unit(factor=Fraction(1), dimension=Dimension(degree=1)) for word in ("°C", "C", "degC")}
    table |= {word: Unit(factor=Fraction(1), dimension=Dimension(dollar=1)) for word in ("$", "USD", "美元", "đô")}
    table |= {prefix + "T": Unit(factor=Fraction(_DECIMAL[prefix]), counts=True) for prefix in "MG"}
    table |= {p + t: Unit(factor=Fraction(_DECIMAL[p]), counts=True) for p in "kM" for t in ("tok", "tokens")}
    table |= {"T": Unit(factor=Fraction(1), counts=True), "t": Unit(factor=Fraction(1), counts=True)}
    return table


def _words() -> dict[str, Unit]:
    """Return every symbol that may be written in any case."""
    one = Unit(factor=Fraction(1), counts=True)
    table = {word: one for noun in _NOUNS.split() for word in (noun, noun + "s")} | dict.fromkeys(_PLURALS, one)
    table |= {word: Unit(factor=Fraction(1), dimension=_RATE, counts=True) for word in _PER_SECOND.split()}
    table |= {
        word: Unit(factor=size, dimension=Dimension(second=1))
        for words, size in _TIME.items()
        for word in words.split()
        if len(word) > 2
    }
    table |= {word: Unit(factor=Fraction(1), dimension=Dimension(byte=1)) for word in ("byte", "bytes")}
    table |= dict.fromkeys(("x", "×", "1", "times", "倍", "lần"), Unit(factor=Fraction(1)))
    table |= dict.fromkeys(("%", "percent", "pct", "phần trăm"), Unit(factor=Fraction(1, 100)))
    table |= dict.fromkeys(("watt", "watts"), Unit(factor=Fraction(1), dimension=Dimension(joule=1, second=-1)))
    table["celsius"] = Unit(factor=Fraction(1), dimension=Dimension(degree=1))
    return table


_EXACT = _table()
_ANY_CASE = _words()
_PLURAL_WORK = re.compile(r"[kKMGTPE]?(?:FLOPs|flops|Flops)")
_SMALL_BYTES = re.compile(r"([KkMmGgTt])i?b")


def _symbol(symbol: str) -> Unit:
    """Look one symbol up; raises UnitError."""
    found = _EXACT.get(symbol) or _ANY_CASE.get(symbol.lower())
    if found is not None:
        return found
    small = _SMALL_BYTES.fullmatch(symbol)
    if small is not None:
        prefix = small[1].upper() if small[1] not in "kK" else "k"
        middle = "i" if "i" in symbol else ""
        large = (prefix.upper() if middle else prefix) + middle
        raise UnitError(f"'{symbol}' may mean bits or bytes", f"write '{large}B' for bytes or '{large}bit' for bits")
    hint = suggestion(symbol, [*_EXACT, *_ANY_CASE]) if len(symbol) > 2 else None
    raise UnitError(f"the unit '{symbol}' is not known", hint)


def _normal(text: str) -> str:
    """Bring the spellings of one unit together."""
    plain = unicodedata.normalize("NFKC", text).strip()
    plain = re.sub(r"\s+per\s+|^per\s+", "/", plain, flags=re.IGNORECASE)
    return re.sub(r"\s*([*/·⋅])\s*", lambda match: "/" if match[1] == "/" else "*", plain)


@functools.lru_cache(maxsize=1024)
def units_of(text: str) -> tuple[Unit, ...]:
    """Return the readings of a unit, the usual one first; raises UnitError where there is none.

    ``TFLOPs`` has two: a number of operations, and, as people write it, operations per second.

    >>> [str(unit.dimension) for unit in units_of("TFLOPs")]
    ['FLOP', 'FLOP/s']
    """
    if len(text) > _MAX_UNIT_LENGTH:
        raise UnitError(f"a unit of {len(text)} characters is not known")
    parts = re.split(r"([*/])", _normal(text))
    if parts[0] == "" and len(parts) > 1:
        parts[0] = "1"
    first = _product(parts, plural_is_rate=False)
    if any(_PLURAL_WORK.fullmatch(part) for part in parts):
        return (first, _product(parts, plural_is_rate=True))
    return (first,)


def _product(parts: list[str], *, plural_is_rate: bool) -> Unit:
    """Multiply out ``symbol (* or / symbol)…`` from left to right."""
    factor, dimension, counts = Fraction(1), PLAIN, False
    for position in range(0, len(parts), 2):
        symbol = parts[position].strip()
        if not symbol:
            raise UnitError(f"the unit '{''.join(parts)}' is incomplete")
        unit = _symbol(symbol)
        size, measures = unit.factor, unit.dimension
        if plural_is_rate and _PLURAL_WORK.fullmatch(symbol):
            measures = measures * _RATE
        divides = position > 0 and parts[position - 1] == "/"
        factor = factor / size if divides else factor * size
        dimension = dimension / measures if divides else dimension * measures
        counts = counts or unit.counts
    return Unit(factor=factor, dimension=dimension, counts=counts)


def dimension_of(unit: str) -> Dimension:
    """Return what a unit measures: any product or quotient of known symbols. Raises UnitError for an unknown one.

    >>> dimension_of("s/it") == dimension_of("ms")
    True
    """
    return units_of(unit)[0].dimension
