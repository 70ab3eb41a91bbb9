r"""Numbers in running text, with the unit or range around them, and their value as a measurement.

>>> [found.text for found in amounts("GPU at 35 %, 16-32 req/s, 518, 545 s and 1h13m on cuda 12.6.1")]
['35 %', '16-32 req/s', '518, 545 s', '1h13m']
"""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import TYPE_CHECKING

from dam_expert.documents.dimensions import Dimension, UnitError, units_of
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.prose.spelt import spelt_shares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.dimensions import Unit
    from dam_expert.kb.base import Measurement

_DIGITS = r"\d{1,15}(?:[,_]\d{3}){0,4}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?"
#: A number tied to a word is part of a name: gpu-17, V100-32GB.
_NUMBER = re.compile(
    rf"(?<![A-Za-z]-)(?<!\.)(?:(?<![^\W\u3400-\u9fff])[-+~≈<>≤≥]{{0,2}}|(?<=\w)[<>≤≥]=?|(?<=\w\s)[<>]=)\s?"
    rf"(?>{_DIGITS})(?![.:]\d)"
)
_FOLLOWING = re.compile(rf"[-+~≈<>≤≥]?\s?(?>{_DIGITS})(?![.:]\d)")
#: What holds digits and is no number: links, dates, versions, addresses, and what counts the parts of a sentence.
_NO_NUMBER = re.compile(
    r"https?://\S{1,400}|(?<!\d)\d{4}[-/]\d\d?[-/]\d\d?(?!\d)|(?<![\w.])v?\d{1,5}(?:\.\d{1,6}){2,4}[\w.+-]{0,30}|#\d{1,9}"
    r"|(?:^|(?<=[.,:;])|\b(?:and|or|that)\b)\s?\(\d\)\s(?=[A-Za-z])"
)
_CLOCK_UNIT = r"(?:d|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|ms)"
#: A unit set off by a blank ends before the next number: 8 H100s are no 8 h.
_CLOCK = re.compile(
    r"(?<![\w.:])(?:\d{1,4}:[0-5]\d:[0-5]\d(?:\.\d{1,6})?"
    rf"|(?:\d{{1,5}}(?:{_CLOCK_UNIT}(?![a-z])|\s{_CLOCK_UNIT}(?![a-z0-9]))[\s,]{{0,2}}){{2,5}})(?![\w:])",
    re.IGNORECASE,
)
_PER = re.compile(
    r"\s(?:per|a|an|mỗi)\s(second|sec|s|minute|min|hour|h|step|iteration|it|batch|token|epoch|sample|image)\b"
)
#: *1k tokens per GPU per second*: a rate of one device.
_PER_DEVICE = re.compile(
    r"\s?(?:per|/)\s?(?:gpu|device|card|rank|chip)\s?(?:per|/)\s?(?:s|sec|second)\b", re.IGNORECASE
)
_TURNED = (
    "--?>|→|=>|调到|改到|加到|改成|改为|调整到|提到|设成|换成|拉到|开到|降到|降至|降为|跌到|掉到|减到|减至|下降到|减少到|缩短到|升到|升至|涨到|增到|增至|上升到|增加到|提高到|延长到|变成|变为"
    "|xuống còn|xuống|lên đến|lên tới|lên|còn|thành|tới"
)
_JOINT = re.compile(rf"\s?({_TURNED}|-|–|—|~|to|and|or|,|/|、|到|至|và|đến)\s?(?=[-+~≈<>]?\s?\d)")
_COMING_FROM = re.compile(r"(?:\bfrom|从|由|\btừ)\s{0,2}$", re.IGNORECASE)
_CHINESE = {"毫秒": "ms", "微秒": "us", "秒": "s", "分钟": "min", "小时": "h", "倍": "x", "次/秒": "1/s"}
_VIETNAMESE_UNITS = {"mili giây": "ms", "miligiây": "ms", "giây": "s", "phút": "min", "giờ": "h", "ngày": "d"}
_RATES = {
    "张/秒": "images/s",
    "样本/秒": "samples/s",
    "请求/秒": "requests/s",
    "步/秒": "steps/s",
    "mẫu/giây": "samples/s",
    "ảnh/giây": "images/s",
    "bước/giây": "steps/s",
    "token/giây": "tokens/s",
    "yêu cầu/giây": "requests/s",
    "lần": "x",
}
_SPELT = _CHINESE | _VIETNAMESE_UNITS | _RATES
_FOREIGN = "|".join(sorted(map(re.escape, _SPELT), key=len, reverse=True))
_UNIT = re.compile(
    rf"\s?({_FOREIGN}|%|°C|\$|[A-Za-zµμ][A-Za-zµμ0-9_]{{0,18}}(?:\s?[/*·]\s?[A-Za-zµμ0-9_$]{{1,18}}){{0,3}}|x\b|×)"
)
#: Letters that only Vietnamese has: there a comma begins the decimals, and a point may part thousands.
_VIETNAMESE = re.compile(r"[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d{1,15}),(\d{1,2})(?![\d,]|\.\d)")
_PARTED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){1,4}(?![\d.,])")
_DIGIT = re.compile(r"\d")
#: In English and Chinese a comma before three digits parts thousands, unless one begins decimals beside it.
_ENGLISH = re.compile(
    r"\b(?:the|is|are|was|were|we|it|at|of|and|with|a|an|to|in|on|per|for|about|around|from|i|get|gets)\b|[\u4e00-\u9fff]",
    re.I,
)
_COMMA_PARTED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3}){1,4}(?![\d,])")
#: Letters right behind a number that are no unit make a name of it: 13B, 6M, 4bit.
_NAME_GOES_ON = re.compile(r"(?<=\d)[A-Za-z]")
#: A thousand of something counted, or of money.
_THOUSANDS = re.compile(r"[kK](?![A-Za-z0-9])(\s?(?:tok|req|sampl|img|imag|step|iter|qps|rps|words?/))?")
#: A unit ends where the word does: *5000 mỗi tháng* are no minutes.
_LETTER = re.compile(r"(?<=[A-Za-z])[^\W\d_\u3400-\u9fff]")
_MONEY_BEFORE = re.compile(r"(?:\$|USD)\s?$")
_AFTER = re.compile(r"\s?(?:[个条张次台步]\s?)?(?:左右|上下)|\s?(?:多|or so\b|ish\b)")
_WORD_BEHIND = re.compile(r"\s+(?!and\b|or\b)[^\W\d_]")
#: ``1.800,5``, ``1'500`` and ``1 500 ms``: thousands as other countries part them, which are left out.
_OTHER_PARTED = re.compile(
    r"(?<![\w.,])[1-9]\d{0,2}(?:(?:\.\d{3}){1,4},\d+|(?:['’]\d{3}){1,4}"
    r"|(?:[ \u00a0\u202f]\d{3}){1,4}(?=\s?(?:ms|s|us|%|\w+/s)\b))"
)
_PLAIN_AFTER = re.compile(r"\s?[a-zA-Z]{2,}")
#: A word right before a number that is no preposition names it.
_NAMED = re.compile(
    r"(?<![\w])(?!(?:with|on|for|at|of|to|using|and|or|from|by|in|are|is|was|were)\s)[A-Za-z_]{2,24}[\s=:]{1,3}$"
)
_HEDGES = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|circa|almost|nearly|some|大约|约|大概|khoảng|tầm)\s{0,2}$", re.I
)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Numbers of a text that belong together. ``unit`` is as written, empty for a bare number."""

    start: int
    end: int
    text: str
    numbers: tuple[str, ...]
    unit: str
    is_range: bool = False
    hedged: bool = False
    turned: bool = False
    """``from A to B``: in words of a change, the last number is what it is now."""


@functools.lru_cache(maxsize=4096)
def known_unit(text: str) -> Unit | None:
    """Return what a unit measures, or None for other words."""
    try:
        return units_of(_SPELT.get(text, text))[0]
    except UnitError:
        return None


def with_points(text: str) -> str:
    """Return a text in which the decimals of Vietnamese numbers begin with a point, of the same length."""
    return _DECIMAL_COMMA.sub(r"\1.\2", text) if _VIETNAMESE.search(text) else text


def amounts(text: str) -> Iterator[Amount]:
    """Yield the numbers of a text in order, spelt shares among them.

    In Vietnamese ``1.200`` is left out: it may be 1.2 or 1200.
    """
    spelt = [
        Amount(
            start=each.start,
            end=each.end,
            text=text[each.start : each.end],
            numbers=(each.share,),
            unit="%",
            hedged=_HEDGES.search(text[max(0, each.start - 16) : each.start]) is not None,
        )
        for each in spelt_shares(text)
    ]
    if not spelt:
        yield from _in_digits(text)
        return
    written = (
        each for each in _in_digits(text) if not any(each.start < own.end and own.start < each.end for own in spelt)
    )
    yield from sorted((*spelt, *written), key=lambda each: each.start)


def leading(text: str) -> Amount | None:
    """Return the amount that a text begins with, at most one sign before it; None where there is none."""
    first = next(amounts(text), None)
    return None if first is None or first.start > 1 else first


def _in_digits(text: str) -> Iterator[Amount]:
    if _DIGIT.search(text) is None:
        return
    text = _blanked(_NO_NUMBER, _blanked(_OTHER_PARTED, _with_commas_read(text)))
    at = 0
    while True:
        clock = _CLOCK.search(text, at)
        number = _NUMBER.search(text, at)
        if clock is not None and (number is None or clock.start() <= number.start() + 1):
            given = clock[0].strip(" ,\n\t")
            yield Amount(start=clock.start(), end=clock.start() + len(given), text=given, numbers=(given,), unit="")
            at = clock.end()
        elif number is not None:
            amount = _from(text, number)
            if amount.unit or not _NAME_GOES_ON.match(text, amount.end):
                yield amount
            at = amount.end
        else:
            return


def _with_commas_read(text: str) -> str:
    """Return a text of the same length in which commas within numbers are read as its language means them."""
    if _VIETNAMESE.search(text):
        return _blanked(_PARTED, with_points(text))
    if "," not in text:
        return text
    if _has_decimal_commas(text):
        return _DECIMAL_COMMA.sub(r"\1.\2", text)
    return _COMMA_PARTED.sub(lambda found: found[0].replace(",", "_"), text) if _ENGLISH.search(text) else text


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """Return a text of the same length without what a pattern finds."""
    return pattern.sub(lambda found: "\x00" * len(found[0]), text)


def is_counted(unit: str) -> bool:
    """Whether a unit is the name of things that are counted."""
    known = known_unit(unit) if unit else None
    return known is not None and known.counts and known.dimension.is_plain


def _has_decimal_commas(text: str) -> bool:
    """Whether a comma stands within a number before a unit: ``0,35 s`` is no list, while ``on 4,8 GPUs`` may be one."""
    matches = (_UNIT.match(text, found.end()) for found in _DECIMAL_COMMA.finditer(text))
    units = (known_unit(match[1]) for match in matches if match is not None)
    return any(unit is not None and not unit.counts for unit in units)


def _from(text: str, number: re.Match[str]) -> Amount:
    """Return the amount that begins with a number: it may go on as a range or list, and end with a unit."""
    numbers, end, unit, is_range, turned = [number[0].strip()], number.end(), "", False, False
    thousands = _THOUSANDS.match(text, end)
    if thousands is not None and (
        thousands[1] or _MONEY_BEFORE.search(text, max(0, number.start() - 5), number.start())
    ):
        numbers, end = [_times_thousand(numbers[0])], end + 1
    unit, end = _unit_at(text, end)
    while len(numbers) < 12:
        joint = _JOINT.match(text, end)
        following = _FOLLOWING.match(text, joint.end()) if joint else None
        if joint is None or following is None:
            break
        own, after = _unit_at(text, following.end())
        sign = joint[1]
        if (unit and own != unit) or (sign in ("and", "or", "/") and not (own or unit)):
            break
        if sign == "/" and _is_bytes(own or unit):
            break  # of what there is, the first is used
        if sign == "," and not own and not unit and not _list_goes_on(text, following.end()):
            break
        if (
            sign == ","
            and len(numbers) == 1
            and not unit
            and is_counted(own)
            and _NAMED.search(text, max(0, number.start() - 32), number.start())
        ):
            break  # of *length 2048, 8 workers* only the last are counted
        if sign == "," and own and unit and _WORD_BEHIND.match(text, after):
            break  # another value: *a step takes 2.4 s, 1.1 s of that is all-reduce*
        numbers.append(following[0].strip())
        turned = re.fullmatch(_TURNED, sign) is not None
        is_range = is_range or turned or sign in ("-", "–", "—", "~", "to", "到", "至", "đến")
        unit, end = own or unit, after
    start = number.start() + len(number[0]) - len(number[0].lstrip())
    hedged = _HEDGES.search(text[max(0, start - 16) : start]) is not None or numbers[0][:1] in "~≈"
    hedged = hedged or _AFTER.match(text, end) is not None
    if not unit and _MONEY_BEFORE.search(text, max(0, start - 5), start):
        unit = "$"
    is_range = is_range and len(numbers) == 2
    source = _COMING_FROM.search(text, max(0, start - 8), start) if is_range else None
    return Amount(
        start=start if source is None else source.start(),
        end=end,
        text=text[start:end],
        numbers=tuple(numbers),
        unit=_SPELT.get(unit, unit),
        is_range=is_range,
        hedged=hedged,
        turned=is_range and (turned or source is not None),
    )


def _times_thousand(number: str) -> str:
    """Return a number a thousand times as large, with the signs before it."""
    digits = number.lstrip("-+~≈<>≤≥ ")
    return f"{number[: len(number) - len(digits)]}{float(digits.replace(',', '').replace('_', '')) * 1000:.12g}"


def _is_bytes(unit: str) -> bool:
    known = known_unit(unit)
    return known is not None and known.dimension == Dimension(byte=1)


def _list_goes_on(text: str, end: int) -> bool:
    """Whether a list of bare numbers ends with a unit or stands alone at its end."""
    rest = text[end : end + 60]
    more = re.match(rf"(?:\s?,\s?{_DIGITS}){{0,10}}", rest)
    tail = rest[more.end() :] if more else rest
    unit = _UNIT.match(tail)
    return not tail.strip() or (unit is not None and known_unit(unit[1]) is not None)


def _unit_at(text: str, end: int) -> tuple[str, int]:
    """Return the unit that stands at a place, and where it ends; an empty one where none does."""
    found = _UNIT.match(text, end)
    if found is None or _LETTER.match(text, found.end()):
        return "", end
    unit, after = found[1], found.end()
    while unit and known_unit(unit) is None:
        shorter = re.sub(r"\s?[/*·]\s?[^/*·]*$", "", unit)
        if shorter == unit:
            return "", end
        after -= len(unit) - len(shorter)
        unit = shorter
    shared = _PER_DEVICE.match(text, after)
    if shared and (known := known_unit(unit)) and known.dimension.is_plain and "/" not in unit:
        return f"{unit}/s", shared.end()
    per = _PER.match(text, after)
    if per and (known := known_unit(unit)) and "/" not in unit:
        if known.dimension.is_plain or per[1] in ("second", "sec", "s", "minute", "min", "hour", "h"):
            return f"{unit}/{per[1]}", per.end()
        if known.dimension.second == 1:
            return f"{unit}/{per[1]}", per.end()
    return unit, after


def ends_of(amount: Amount) -> tuple[Amount, Amount]:
    """Return what an amount that turned was before, and what it is now."""
    before, now = (
        dataclasses.replace(amount, numbers=(number,), is_range=False, turned=False) for number in amount.numbers
    )
    return before, now


@functools.lru_cache(maxsize=4096)
def _parsed(given: str, unit: str, kind: Kind) -> Interval:
    """Return a quantity as written; the numbers of a thread repeat themselves."""
    return parse_quantity(given, unit=unit, kind=kind).interval


def value_of(amount: Amount, measurement: Measurement, unit: str = "") -> tuple[Interval, bool] | None:
    """Return an amount as a value of a measurement, and whether it is only said; None where it cannot be one.

    ``unit`` is that of the label, for an amount without its own. A list is the hull of its members, said because
    they belong to several circumstances.
    """
    model = measurement.model
    if model.kind in (Kind.FLAG, Kind.CATEGORY) or (model.kind is Kind.SETTING and not model.unit):
        return None
    written = amount.unit or unit
    if model.kind is Kind.BYTES and not written:
        return None  # nobody writes bare bytes: the number counts something else
    found: list[Interval] = []
    for number in amount.numbers:
        try:
            found.append(_parsed(f"{number.lstrip('~≈')} {written}".strip(), model.unit, model.kind))
        except QuantityError:
            return None
    hull = Interval(min(each.lo for each in found), max(each.hi for each in found))
    hedged = amount.hedged or (len(found) > 1 and not amount.is_range)
    if hedged and len(found) == 1:
        try:
            hull = _parsed(f"about {amount.numbers[0].lstrip('~≈')} {written}".strip(), model.unit, model.kind)
        except QuantityError:
            return None
    inside = hull if measurement.range is None else hull.intersection(measurement.range)
    return None if inside is None or inside != hull else (hull, hedged)
