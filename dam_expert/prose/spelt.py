r"""Parts of a whole that are spelt out: *half*, *two thirds*, 六成, 三分之一, *một nửa*, *3 phần 4*.

They are shares, so that only a measurement of a share takes them. *Half of it*, *half precision* and *half an hour* are
none of a metric.

>>> [found.share for text in ("only two thirds", "不到三成", "百分之三十五", "3 phần 4", "half precision")
...  for found in spelt_shares(text)]
['66.6667', '30', '35', '75']
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHINESE: Final = {sign: number for number, sign in enumerate("零一二三四五六七八九十")} | {"两": 2}
_VIETNAMESE: Final = {"một": 1, "hai": 2, "ba": 3, "bốn": 4, "tư": 4, "năm": 5, "sáu": 6, "bảy": 7, "tám": 8}
_ENGLISH: Final = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_PARTS: Final = {"third": 3, "quarter": 4, "fifth": 5}
_SIGN: Final = "[零一二两三四五六七八九十]"
_WORD: Final = "|".join(_VIETNAMESE)
#: What follows *half* and its like where they are no share of what was named before.
_OF_SOMETHING: Final = (
    r"(?![\s-](?:of(?!\s(?:the|each|every|our|a)\s(?:step|iteration|time|run|epoch)\b)"
    r"|the|a|an|as|precision|float|hour|minute|second|day|week|year|way|batch|speed|rate|time|that|what"
    r"|its|our|my|those|these|open|done)\b)"
)
_SHARES: Final = re.compile(
    rf"(?P<half>\bhalf\b{_OF_SOMETHING})"
    rf"|\b(?P<count>a|one|two|three|four)[\s-](?P<part>third|quarter|fifth)s?\b{_OF_SOMETHING}"
    rf"|(?<!{_SIGN}[到至])(?P<tenths>{_SIGN})成(?P<more>半)?(?![为了本功都员立熟套交就])"
    rf"|百分之(?P<hundredths>{_SIGN}{{1,3}}|\d{{1,3}})"
    rf"|(?P<below>{_SIGN})分之(?P<above>{_SIGN})"
    r"|(?P<middle>(?<!每)(?<!另)一半(?!的)|\b(?:một nửa|nửa)\b(?! (?:ngày|giờ|tiếng|tháng|năm)))"
    rf"|\b(?P<over>{_WORD}|\d) phần (?P<under>{_WORD}|\d)\b",
    re.IGNORECASE,
)
#: A word without which a text spells out none: looked for first, as most texts have none.
_HINTS: Final = ("half", "Half", "third", "quarter", "fifth", "成", "百分", "分之", "一半", "nửa", "Nửa", "phần")


@dataclasses.dataclass(frozen=True, slots=True)
class Spelt:
    """A share in percent and where it stands."""

    start: int
    end: int
    share: str


def spelt_shares(text: str) -> Iterator[Spelt]:
    """Yield the shares that a text spells out, in order."""
    for found in _SHARES.finditer(text) if any(hint in text for hint in _HINTS) else ():
        share = _share(found)
        if share is not None and 0 < share <= 100:
            yield Spelt(found.start(), found.end(), f"{share:.6g}")


def _share(found: re.Match[str]) -> float | None:
    """Return the share in percent; None for what is none, as *five thirds*."""
    if found["half"] or found["middle"]:
        return 50.0
    if found["part"]:
        return 100.0 * _ENGLISH[found["count"].casefold()] / _PARTS[found["part"].casefold()]
    if found["tenths"]:
        return 10.0 * _CHINESE[found["tenths"]] + (5.0 if found["more"] else 0.0)
    if found["hundredths"]:
        return _hundredths(found["hundredths"])
    above, below = found["above"] or found["over"], found["below"] or found["under"]
    over, under = _small(above), _small(below)
    return 100.0 * over / under if under else None


def _small(word: str) -> int:
    return int(word) if word.isdigit() else _CHINESE.get(word) or _VIETNAMESE.get(word.casefold(), 0)


def _hundredths(written: str) -> float:
    """Return a Chinese number below a hundred: 三十五, 十, 七."""
    if written.isdigit():
        return float(written)
    tens, ten, ones = written.partition("十")
    if not ten:
        return float(_CHINESE[written]) if len(written) == 1 else 0.0
    return 10.0 * (_CHINESE[tens] if tens else 1) + (_CHINESE[ones] if ones else 0)
