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

from dam_expert.documents.number_words import fraction_of, numerals_as_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIGN: Final = "[零一二两三四五六七八九十]"
_WORD: Final = r"(?:một|hai|ba|bốn|tư|năm|sáu|bảy|tám|\d)"
#: What follows *half* and its like where they are no share of what was named before.
_OF_SOMETHING: Final = (
    r"(?![\s-](?:of(?!\s(?:the|each|every|our|a)\s(?:step|iteration|time|run|epoch)\b)"
    r"|the|a|an|as|precision|float|hour|minute|second|day|week|year|way|batch|speed|rate|time|that|what"
    r"|its|our|my|those|these|open|done)\b)"
)
_SHARES: Final = re.compile(
    rf"\b(?:half|(?:a|one|two|three|four)[\s-](?:third|quarter|fifth)s?)\b{_OF_SOMETHING}"
    rf"|(?<!{_SIGN})(?<!{_SIGN}[到至]){_SIGN}成半?(?![为了本功都员立熟套交就])"
    rf"|百分之(?:{_SIGN}{{1,3}}|\d{{1,3}}(?:\.\d{{1,3}})?)(?!{_SIGN}|[百千\d])"
    rf"|{_SIGN}{{1,3}}分之{_SIGN}{{1,3}}"
    r"|(?<!每)(?<!另)一半(?!的)|\b(?:một nửa|nửa)\b(?! (?:ngày|giờ|tiếng|tháng|năm))"
    rf"|\b{_WORD} phần {_WORD}\b",
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
        fraction = _fraction(found[0].replace("-", " "))
        if isinstance(fraction, float) and 0 < fraction <= 1:
            yield Spelt(found.start(), found.end(), f"{100 * fraction:.6g}")


def _fraction(said: str) -> float | str | None:
    percent = numerals_as_figures(said)
    return float(percent.removesuffix(" %")) / 100 if percent.endswith(" %") else fraction_of(said)
