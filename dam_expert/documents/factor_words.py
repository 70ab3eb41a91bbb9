"""Factors as people say them: ``twice as fast``, ``快 20%``, ``gấp đôi``, ``from 180 ms to 75 ms``.

A factor is better above 1. Where words have two readings, the value spans both: 20 % faster is 1.2 times the rate or
0.8 of the time.

>>> factor_in_figures("doubled"), factor_in_figures("2x slower"), factor_in_figures("快了两倍")
('2 x', '0.5 x', '2 to 3 x')
>>> factor_in_figures("from 180 ms to 75 ms"), factor_in_figures("450 -> 900 img/s"), factor_in_figures("no change")
('2.4 x', '2 x', 'about 1 x')
"""

from __future__ import annotations

import re
from typing import Final

from dam_expert.documents.dimensions import Dimension, UnitError, units_of
from dam_expert.documents.number_words import FIGURE, numerals_as_figures

_FLAGS: Final = re.IGNORECASE
_N: Final = rf"({FIGURE}|[一二两三四五六七八九十]+|two|three|four|five|six|eight|ten|hai|ba|bốn|năm|tám|mười)"
_FASTER: Final = r"(?:faster|quicker|better|speed-?up|improvement|nhanh hơn|tốt hơn)"
_SLOWER: Final = r"(?:slower|worse|longer|chậm hơn|kém hơn|lâu hơn)"
_SAME: Final = re.compile(
    r"(?:no (?:change|difference|effect|gain)|unchanged|(?:about |exactly )?the same|same|nothing"
    r"|(?:没有?|无)(?:变化|区别|差别|效果)|不变|一样|差不多|không (?:đổi|thay đổi|khác(?: gì)?|tác dụng)|như cũ)",
    _FLAGS,
)
_DOUBLE: Final = re.compile(
    r"(?:twice(?: as (?:fast|much))?|doubled?|翻倍|翻了?一番|快了?一倍|(?:nhanh )?gấp đôi)", _FLAGS
)
_TRIPLE: Final = re.compile(r"(?:thrice|tripled?|(?:nhanh )?gấp ba)", _FLAGS)
_HALF: Final = re.compile(
    r"(?:half (?:as fast|the (?:speed|rate))|twice as (?:slow|long)"
    r"|慢了?一半|慢了?一倍|chậm (?:gấp đôi|đi một nửa|một nửa))",
    _FLAGS,
)
_PERCENT: Final = rf"({FIGURE})\s*(?:%|percent)"
_FASTER_BY: Final = re.compile(
    rf"{_PERCENT}\s*{_FASTER}|(?:faster|better) by\s*{_PERCENT}"
    rf"|(?:快了?|提升了?|提高了?|nhanh hơn|tăng|tốt hơn)\s*{_PERCENT}",
    _FLAGS,
)
_SLOWER_BY: Final = re.compile(
    rf"{_PERCENT}\s*{_SLOWER}|slower by\s*{_PERCENT}|(?:慢了?|下降了?|降低了?|chậm hơn|giảm)\s*{_PERCENT}",
    _FLAGS,
)
_TIMES: Final = re.compile(
    rf"(?:nhanh\s+|tăng\s+)?gấp\s*{_N}(?:\s*lần)?|[x×]\s*{_N}"
    rf"|{_N}\s*(?:x|×|times|-?fold|倍|lần)(?:\s*(?:{_FASTER}|as fast))?",
    _FLAGS,
)
_MORE_BY_TIMES: Final = re.compile(rf"快了?\s*{_N}\s*倍", _FLAGS)
_SLOWER_TIMES: Final = re.compile(
    rf"{_N}\s*(?:x|×|times|倍|lần)\s*{_SLOWER}|(?:慢了?|chậm (?:hơn )?(?:gấp )?)\s*{_N}\s*(?:倍|lần)", _FLAGS
)
_FROM_TO: Final = re.compile(
    rf"(?:from|从|từ)?\s*({FIGURE})\s*([^\d\s→>-]*)\s*"
    r"(?:->|→|=>|\bto\b|down to|up to|降到|降至|升到|到|xuống|lên|thành|còn)\s*"
    rf"({FIGURE})\s*(\S.*)",
    _FLAGS,
)


def factor_in_figures(text: str) -> str | None:
    """Return a factor in figures; None where the text is none in words."""
    said = text.strip()
    for pattern, factor in ((_SAME, "about 1 x"), (_DOUBLE, "2 x"), (_TRIPLE, "3 x"), (_HALF, "0.5 x")):
        if pattern.fullmatch(said):
            return factor
    more, slower = _MORE_BY_TIMES.fullmatch(said), _SLOWER_TIMES.fullmatch(said)
    if more is not None:
        number = _number(more)
        return None if number is None else f"{number:g} to {number + 1:g} x"
    if slower is not None:
        number = _number(slower)
        return None if not number else f"{1 / number:.6g} x"
    by = _by_percent(said)
    if by is not None:
        return by
    return times_in_figures(said) or move_in_figures(said)


def times_in_figures(text: str) -> str | None:
    """Return so many times in figures; None where it is not said so."""
    times = _TIMES.fullmatch(text.strip())
    number = None if times is None else _number(times)
    return None if number is None else f"{number:g} x"


def _number(found: re.Match[str]) -> float | None:
    """Return the number that a pattern found, in figures or in words."""
    word = next((value for value in found.groups() if value is not None), "")
    figures = word if re.fullmatch(FIGURE, word) else numerals_as_figures(f"{word} x").removesuffix("x").strip()
    try:
        return float(figures)
    except ValueError:
        return None


def _by_percent(text: str) -> str | None:
    faster, slower = _FASTER_BY.fullmatch(text), _SLOWER_BY.fullmatch(text)
    found = faster or slower
    number = None if found is None else _number(found)
    if number is None or not 0 < number < 100:
        return None
    part = number / 100
    low, high = (1 + part, 1 / (1 - part)) if faster else (1 - part, 1 / (1 + part))
    return f"{low:.6g} to {high:.6g} x"


def move_in_figures(text: str) -> str | None:
    """Return what became of a time or a rate as a factor; anything else has no direction that is better."""
    found = _FROM_TO.fullmatch(text)
    if found is None:
        return None
    try:
        before, after = float(found[1]), float(found[3])
        to = units_of(found[4].strip())[0]
        of = units_of(found[2])[0] if found[2] else to
    except (ValueError, UnitError):
        return None
    if of.dimension != to.dimension or not before or not after:
        return None
    grown = after * float(to.factor) / (before * float(of.factor))
    if to.dimension == Dimension(second=1):
        return f"{1 / grown:.6g} x"
    return f"{grown:.6g} x" if to.dimension == Dimension(second=-1) else None
