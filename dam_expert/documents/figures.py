"""Amounts as people say them, written as figures: ``六成``, ``gấp 2.4 lần``, ``about a third``, ``half a second``.

Only what is no quantity as it stands is looked at, so that figures never change. A fraction or a share in words is a
hedge: who says *half* has not read it off. What words leave open stays open: ``20 % faster`` is an interval.

>>> in_figures("六成", Kind.SHARE), in_figures("60% 左右", Kind.SHARE), in_figures("hai phần ba", Kind.SHARE)
('about 60 %', 'about 60%', 'about 66.6667 %')
>>> [in_figures(text, Kind.RATIO) for text in ("gấp 2.4 lần", "twice as fast", "20 % faster")]
['2.4 x', '2 x', '1.2 to 1.25 x']
>>> [in_figures(text, Kind.DURATION) for text in ("不到 5 秒", "6 到 8 秒", "half a second")]
['< 5 秒', '6 to 8 秒', 'about 0.5 second']
"""

from __future__ import annotations

import re
from typing import Final

from dam_expert.documents.factor_words import factor_in_figures, move_in_figures, times_in_figures
from dam_expert.documents.kinds import Kind
from dam_expert.documents.number_words import FIGURE, FRACTIONS, fraction_of, numerals_as_figures

_FLAGS: Final = re.IGNORECASE
#: What stands before a value and says nothing of it.
_LEAD: Final = re.compile(
    r"(?:it(?:'s|’s| is| was)|that(?:'s|’s| is)|is|was|we (?:see|get|have)|i (?:see|get|measured)|measured"
    r"|实测|测得|是|为|有|đo được|là)\s*[:=：]?\s*(?=\S)",
    _FLAGS,
)
_HEDGE_BEFORE: Final = re.compile(
    r"(?:i (?:think|guess|believe)|i'd say|maybe|perhaps|probably|a guess|guess|say|about|around|roughly|nearly|almost"
    r"|我(?:觉得|想|猜)|可能|大概|大约|估计|也许|差不多|将近|接近|几乎|约"
    r"|(?:tôi nghĩ|có lẽ|chắc|tầm|cỡ|chừng|gần|khoảng|ước|độ)\b)"
    r"\s*(?:是|有|là|it's|it is)?\s*",
    _FLAGS,
)
_HEDGE_BEHIND: Final = re.compile(
    r"[,，]?\s*(?:or so|or thereabouts|i (?:think|guess|believe)|maybe|probably|-?ish"
    r"|[(（]\s*(?:a )?(?:guess|estimate)d?\s*[)）]|左右|上下|吧|(?:gì đó|đổ lại))\s*$",
    _FLAGS,
)
_AT_MOST: Final = re.compile(
    r"(?:不到|少于|小于|低于|不超过|至多|最多"
    r"|(?:dưới|ít hơn|nhỏ hơn|không quá|tối đa|chưa đến|chưa tới|thấp hơn)\b"
    r"|(?:less|fewer|lower) than|at most|under|below|up to|no more than)\s*",
    _FLAGS,
)
_AT_LEAST: Final = re.compile(
    r"(?:超过|大于|高于|多于|至少|不少于|不低于"
    r"|(?:trên|nhiều hơn|lớn hơn|cao hơn|hơn|ít nhất|tối thiểu|vượt)\b"
    r"|(?:more|greater|higher) than|at least|over|above|no less than)\s*",
    _FLAGS,
)
_AND_MORE: Final = re.compile(r"\s*(?:以上|or more|and (?:more|up)|trở lên)$", _FLAGS)
_AND_LESS: Final = re.compile(r"\s*(?:以下|以内|or less|or lower|trở xuống)$", _FLAGS)
_RANGE: Final = re.compile(rf"(?:从|từ\s+)?\s*({FIGURE}[^\d]*?)\s*(?:到|至|đến|tới)\s*({FIGURE}.*)", _FLAGS)
_MOST: Final = re.compile(
    r"(?:most(?:ly)?|most of (?:it|the time)|the majority|大部分|大多数|多数|phần lớn|đa số|hầu hết)", _FLAGS
)
_ALL: Final = re.compile(r"(?:all|all of it|everything|全部|所有|都是|tất cả|toàn bộ)", _FLAGS)
_PART_OF_UNIT: Final = re.compile(rf"({FRACTIONS})\s*(?:of\s+)?(?:an?\s+|one\s+)?(?:个)?\s*([^\W\d_]+)", _FLAGS)
_ONE_UNIT: Final = re.compile(r"an?\s+(second|minute|hour|day|week|millisecond)", _FLAGS)
_WRITTEN: Final = re.compile(rf"[x×]\s*{FIGURE}")
_SLASHED: Final = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})")


def in_figures(text: str, kind: Kind) -> str | None:
    """Return what a text says as a text in figures; None where it says nothing that is known here."""
    said, hedged = _bare(text.strip())
    bound, said = _bound(said)
    amount = _amount(said, kind)
    if amount is None:
        amount = said if re.match(FIGURE, said) else None
    if amount is None:
        return None
    if amount.startswith("about "):
        hedged, amount = True, amount.removeprefix("about ")
    written = f"{'about ' if hedged else ''}{bound if amount[0] not in '<>' else ''}{amount}"
    return None if written == text.strip() else written


def is_factor_in_words(text: str) -> bool:
    """Whether a factor is told in words, *twice as fast*: who measured it writes 2x, or what it was and became."""
    said = _bound(_bare(text.strip())[0])[1]
    return not _WRITTEN.fullmatch(said) and factor_in_figures(said) is not None and move_in_figures(said) is None


def _bare(text: str) -> tuple[str, bool]:
    """Return a text without what stands around its value, and whether any of it hedges."""
    said, hedged = text, False
    while True:
        before = said
        said = _LEAD.sub("", said, count=1) if _LEAD.match(said) else said
        for hedge in (_HEDGE_BEFORE.match(said), _HEDGE_BEHIND.search(said)):
            if hedge is not None and len(hedge[0]) < len(said):
                said, hedged = (said[: hedge.start()] + said[hedge.end() :]).strip(), True
                break
        if said == before:
            return said, hedged


def _bound(text: str) -> tuple[str, str]:
    """Return the sign of a bound that words give, and the rest."""
    for sign, before, behind in (("< ", _AT_MOST, _AND_LESS), ("> ", _AT_LEAST, _AND_MORE)):
        found = before.match(text)
        if found is not None and found.end() < len(text):
            return sign, text[found.end() :]
        if behind.search(text):
            return sign, behind.sub("", text)
    return "", text


def _amount(text: str, kind: Kind) -> str | None:
    """Return an amount in figures; None where it is none in words."""
    if kind is Kind.RATIO:
        factor = factor_in_figures(text)
        if factor is not None:
            return factor
    if kind is Kind.SHARE:
        part = _share(text) or times_in_figures(text)  # a factor is refused as what it is
        if part is not None:
            return part
    of_unit = _PART_OF_UNIT.fullmatch(text)
    if of_unit is not None:
        part_of = fraction_of(of_unit[1])
        if part_of is not None and kind is not Kind.SHARE:
            return f"about {part_of:g} {of_unit[2]}"
    one = _ONE_UNIT.fullmatch(text)
    if one is not None:
        return f"about 1 {one[1]}"
    plain = numerals_as_figures(text)
    range_ = _RANGE.fullmatch(plain)
    if range_ is not None:
        return f"{range_[1].strip()} to {range_[2].strip()}"
    return plain if plain != text else None


def _share(text: str) -> str | None:
    """Return a share that words give: a fraction, tenths, most, all."""
    slashed = _SLASHED.fullmatch(text)
    if slashed is not None and int(slashed[2]):
        return f"{100 * int(slashed[1]) / int(slashed[2]):g} %"
    if text.startswith("百分之"):
        return None
    part = fraction_of(re.sub(r"\s*(?:of (?:it|the (?:time|step|request))|的时间|thời gian)$", "", text, flags=_FLAGS))
    if part is not None:
        return f"about {part}" if isinstance(part, str) else f"about {100 * part:g} %"
    if _MOST.fullmatch(text):
        return "about > 50 %"
    return "about 100 %" if _ALL.fullmatch(text) else None
