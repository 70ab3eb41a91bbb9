r"""Comparisons without a unit: ``4x slower than on the old node``, ``half the speed of``, ``20 % slower``.

The object is kept as written; the value is the speed over that of the object, and said. What a report calls faster is
mostly the other thing, or what is hoped for: nothing is taken from it.

>>> [compared(text) for text in ("4x slower than on CPU", "half the speed of it", "five times slower now")]
[(0.25, 0.25), (0.5, 0.5), (0.2, 0.2)]
>>> [compared(text) for text in ("慢了一倍", "吞吐下降了六成", "chậm gấp đôi", "tốc độ chỉ còn một nửa")]
[(0.5, 0.5), (0.4, 0.4), (0.5, 0.5), (0.5, 0.5)]
>>> [round(each, 3) for each in compared("25 % slower than before")], compared("it is slow")
([0.75, 0.8], None)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.prose.spelt import spelt_shares

if TYPE_CHECKING:
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement

MEASUREMENT: Final = "reference_achievement"
NUMBER: Final = r"(?<![\w.])(?P<number>\d{1,4}(?:\.\d{1,3})?|two|three|four|five|six|seven|eight|nine|ten|twice|thrice)"
_NAMES: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNTS: Final = {name: count for count, name in enumerate(_NAMES, 2)} | {"twice": 2, "thrice": 3}
_SLOWER: Final = r"(?:slower|as slow|longer|worse throughput|chậm hơn|慢)"
_FACTOR: Final = re.compile(
    rf"{NUMBER}(?P<sign>\s?(?:x|×|times|fold|-fold|%|percent|倍|lần))?\s+{_SLOWER}",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(r"(?:慢了?|chậm hơn)\s?(?P<number>\d{1,4}(?:\.\d{1,3})?)\s?(?P<sign>倍|lần|%)")
#: Twice as slow: 慢了一倍, *chậm gấp đôi*.
_DOUBLE: Final = re.compile(
    r"(?:慢|耗时多|时间多|时间长)了?一倍|(?:耗时|时间|用时)[^，。；]{0,6}翻(?:了一)?倍"
    r"|\b(?:chậm|lâu)\s(?:hơn\s)?gấp (?:đôi|hai)\b",
    re.I,
)
#: Which part of the speed is left, or is gone: 吞吐下降了一半, *tốc độ chỉ còn một nửa*.
_LEFT: Final = re.compile(
    r"(?:吞吐量?|速度|性能|\b(?:speed|throughput|performance|tốc độ|thông lượng|hiệu năng)\b)[^，。；,.;]{0,12}?"
    r"(?:(?P<gone>(?:下降|降低|减少|掉|跌|降)了|giảm(?: mất)?|mất|dropped by|fell by|down by|lost)"
    r"|(?:(?:只有|只剩|降到|跌到|仅为?|只是)(?:原来|之前|以前|单机|参考)?的?"
    r"|chỉ còn|còn|is only|dropped to|fell to|is down to))"
    r"\s?(?:约|大约|khoảng |about |some )?$",
    re.I,
)
_HALF: Final = re.compile(r"\bhalf (?:the|of the|as) ?(?:speed|throughput|rate|performance|fast)\b", re.IGNORECASE)


def compared(text: str) -> tuple[float, float] | None:
    """Return the speed over that of what a text compares with, as its ends; None where it compares nothing."""
    found = _FACTOR.search(text) or _BEHIND.search(text)
    if found is None:
        return (0.5, 0.5) if _HALF.search(text) or _DOUBLE.search(text) else _left(text)
    word = found["number"].casefold()
    sign = (found["sign"] or "").strip()
    number = float(COUNTS.get(word, 0) or word)
    if sign in ("%", "percent"):
        part = number / 100
        if not 0 < part < 1:
            return None
        return (1 - part, 1 / (1 + part))
    if number < 1 or (not sign and word not in ("twice", "thrice")):
        return None
    return (1 / number, 1 / number)


def _left(text: str) -> tuple[float, float] | None:
    """Return the part of the speed that a text says is left, where it spells it out."""
    for each in spelt_shares(text):
        before = _LEFT.search(text[: each.start])
        if before is not None:
            part = float(each.share) / 100
            left = 1 - part if before["gone"] else part
            return (left, left) if 0 < left < 1 else None
    return None


def read_comparison(statement: Statement, passage: Passage, collected: Collected) -> None:
    """Take the comparison of a clause that states one."""
    if MEASUREMENT not in collected.vocabulary.base.measurements:
        return
    clause = statement.clause
    text = statement.text[clause.start : clause.end]
    found = compared(text)
    if found is None or statement.has("negation", "helped"):
        return
    begin = len(text) - len(text.lstrip())
    start, end = clause.start + begin, clause.start + len(text.rstrip())
    collected.state(passage, start, end, MEASUREMENT, Interval(*found), Basis.SAID, "comparison in words")
