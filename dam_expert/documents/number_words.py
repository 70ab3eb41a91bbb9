"""Numbers and fractions in words, of English, Chinese and Vietnamese.

>>> numerals_as_figures("sixty percent"), numerals_as_figures("两秒"), numerals_as_figures("sáu mươi phần trăm")
('60 percent', '2 秒', '60 %')
>>> numerals_as_figures("十五六秒"), numerals_as_figures("百分之三五")  # ranges
('十五六秒', '百分之三五')
>>> [fraction_of(text) for text in ("three quarters", "三成半", "六到七成", "một nửa", "low")]
[0.75, 0.35, '60 to 70 %', 0.5, None]
"""

from __future__ import annotations

import re
from typing import Final

#: A number in figures.
FIGURE: Final = r"[+-]?\d[\d.,_]*"

_FLAGS: Final = re.IGNORECASE
_ONES: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ENGLISH: Final = {word: number for number, word in enumerate(_ONES)} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
_ENGLISH_NUMBER: Final = (
    rf"(?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_ONES[1:10])})|{'|'.join(sorted(_ENGLISH, key=len, reverse=True))}"
)
_HAN: Final = {letter: number for number, letter in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_PLACES: Final = {"十": 10, "百": 100, "千": 1000}
_HAN_DIGIT: Final = "[零〇一二两三四五六七八九]"
#: A number as it is spoken: two digits in a row (三五) would be a range.
_HAN_SPOKEN: Final = rf"(?:(?:{_HAN_DIGIT}?[十百千]零?)+{_HAN_DIGIT}?|{_HAN_DIGIT})"
_HAN_NUMBER: Final = rf"(?:{_HAN_SPOKEN}|{_HAN_DIGIT}+)"
_VIETNAMESE_ONES: Final = ("không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín", "mười")
_VIETNAMESE: Final = {word: number for number, word in enumerate(_VIETNAMESE_ONES)}
_VIETNAMESE_NUMBER: Final = (
    r"(?:(?:hai|ba|bốn|năm|sáu|bảy|tám|chín)\s+mươi(?:\s+(?:mốt|hai|ba|tư|lăm|sáu|bảy|tám|chín))?"
    r"|một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười)"
)
_BELOW: Final = ("half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PARTS: Final = {word: number for number, word in enumerate(_BELOW, 2)} | {"halve": 2, "fourth": 4}
_ENGLISH_PART: Final = rf"(?:(?:an?|one|two|three|four|five)\s+)?(?:{'|'.join(_PARTS)})s?"
_HAN_PART: Final = rf"{_HAN_SPOKEN}分之{_HAN_SPOKEN}|一?半"
_HAN_TENTHS: Final = rf"(?:{_HAN_NUMBER}|\d(?:\.\d)?)(?:(?:到|至|~|-)?(?:{_HAN_NUMBER}|\d(?:\.\d)?))?成半?"
_VIETNAMESE_PART: Final = (
    rf"(?:một )?nửa|(?:{_VIETNAMESE_NUMBER}|\d{{1,2}})\s+phần\s+(?:{_VIETNAMESE_NUMBER}|tư|\d{{1,2}})"
)
#: A fraction in words.
FRACTIONS: Final = rf"{_ENGLISH_PART}|{_HAN_PART}|{_VIETNAMESE_PART}"


def numerals_as_figures(text: str) -> str:
    """Return a text whose numbers in words, before a unit, are figures; without such it stays as it is."""
    percent = re.fullmatch(rf"百分之\s*(?:({_HAN_SPOKEN})|({FIGURE}))", text)
    if percent is not None:
        return f"{_han(percent[1])} %" if percent[1] else f"{percent[2]} %"
    vietnamese = re.fullmatch(rf"({_VIETNAMESE_NUMBER})\s+(.+)", text, _FLAGS)
    if vietnamese is not None:
        text = f"{_vietnamese(vietnamese[1])} {vietnamese[2]}"
    text = re.sub(r"phần trăm$", "%", text, flags=_FLAGS)
    english = re.fullmatch(rf"({_ENGLISH_NUMBER})(?:\s+(.+))?", text, _FLAGS)
    if english is not None:
        return f"{_english(english[1])} {english[2] or ''}".strip()
    han = re.fullmatch(rf"({_HAN_NUMBER})(?!{_HAN_SPOKEN})(?:个)?(?!分之|成|半)(.*)", text)
    return text if han is None else f"{_han(han[1])} {han[2]}".strip()


def fraction_of(text: str) -> float | str | None:
    """Return the fraction that words name, a range of tenths as its text, or None."""
    said = text.strip().casefold()
    if re.fullmatch(_ENGLISH_PART, said):
        *many, part = said.split()
        count = 1 if not many or many[0] in ("a", "an") else _ENGLISH[many[0]]
        return count / _PARTS[part if part in _PARTS else part.removesuffix("s")]
    if re.fullmatch(_HAN_PART, said):
        below, between, above = said.partition("分之")
        return _part(_han(above), _han(below)) if between else 0.5
    if re.fullmatch(_VIETNAMESE_PART, said):
        above, between, below = said.partition("phần")
        return _part(_vietnamese(above), _vietnamese(below)) if between else 0.5
    return _tenths(said)


def _part(above: int, below: int) -> float | None:
    return above / below if below else None


def _tenths(said: str) -> float | str | None:
    """Return ``六成`` as 0.6, and ``六七成`` as the text of a range."""
    if not re.fullmatch(_HAN_TENTHS, said):
        return None
    half = 0.5 if said.endswith("半") else 0.0
    digits = [
        float(_HAN[one]) if one in _HAN else 10.0 if one == "十" else float(one)
        for one in re.findall(r"\d(?:\.\d)?|[零〇一二两三四五六七八九十]", said)
    ]
    if len(digits) == 1:
        return (digits[0] + half) / 10
    return f"{10 * digits[0]:g} to {10 * digits[1]:g} %" if len(digits) == 2 else None


def _english(text: str) -> int:
    return sum(_ENGLISH[word] for word in re.split(r"[\s-]+", text.casefold()))


def _han(text: str) -> int:
    total, digit = 0, None
    for letter in text:
        if letter in _HAN_PLACES:
            total, digit = total + (1 if digit is None else digit) * _HAN_PLACES[letter], None
        else:
            digit = _HAN[letter] if digit is None else 10 * digit + _HAN[letter]
    return total + (digit or 0)


def _vietnamese(text: str) -> int:
    words = text.casefold().split()
    last = {"mốt": 1, "tư": 4, "lăm": 5}
    if words[0].isdigit():
        return int(words[0])
    if len(words) > 1 and words[1] == "mươi":
        return 10 * _VIETNAMESE[words[0]] + (last.get(words[2], 0) or _VIETNAMESE[words[2]] if len(words) > 2 else 0)
    return last.get(words[0], 0) or _VIETNAMESE[words[0]]
