r"""What a change gained, as a factor of speed: ``gave 1.8x``, ``step 410 -> 230 ms``, ``快了 20 %``.

A percentage of *faster* may be of the time or of the speed, and a Chinese multiple may be that of the gain alone: both
are kept as a range.

>>> [round(end, 3) for end in stated_gain("CUDA graphs gave 1.8x")[0]], stated_gain("we got 8x A100")
([1.8, 1.8], None)
>>> [round(end, 3) for end in stated_gain("20 % faster")[0]], [round(end, 3) for end in stated_gain("快了 2 倍")[0]]
([1.2, 1.25], [2.0, 3.0])
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.quantities import parse_quantity
from dam_expert.prose.amounts import amounts, ends_of, known_unit, with_points
from dam_expert.prose.comparisons import COUNTS, NUMBER, compared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary

_ABOUT: Final = (
    r"(?P<about>(?:a|an|only|just|about|roughly|around|nearly|almost|some"
    r"|another|a further|an extra|~|≈|约|大约|近|将近|差不多|khoảng|gần)"
    r"\s?){0,3}"
)
_SIGN: Final = r"\s?(?:x|×|times|-?fold|倍|lần)"
_GAIN: Final = (
    r"(?:faster|quicker|as fast|speed-?up|higher throughput|more throughput|the (?:throughput|speed)|acceleration"
    r"|加速|提速)"
)
_GAVE: Final = (
    r"(?:gave|gives|give|got|brings|brought|yields|yielded|achieved|saw|see|speedup of|speed-up of|gain of|faster by"
    r"|up by|by a factor of|a factor of|加速比|加速到?|加速了|提速到?|提速了|提升到(?:原来的)?|快到(?:原来的)?"
    r"|nhanh gấp|nhanh hơn|tăng tốc|gấp)"
)
#: What a number counts that is no factor of speed.
_NO_THING: Final = (
    r"(?!\s?(?:[A-Z]{1,4}\d|gpus?\b|nvidia|nodes?\b|cards?\b|workers?\b|more memory|less memory|slower|chậm"
    r"|the (?:cost|price|memory)))"
)
_FACTORS: Final = (
    re.compile(rf"(?P<gave>\b){NUMBER}{_SIGN}\s?(?:的)?\s?{_GAIN}", re.I),
    re.compile(rf"(?P<gave>\b)factor of {NUMBER}(?![\w%])", re.I),
    re.compile(rf"(?<![A-Za-z]){_GAVE}\s?(?:us |me |it |to |us to )?{_ABOUT}{NUMBER}{_SIGN}{_NO_THING}", re.I),
)
_ANY_FACTOR: Final = re.compile(rf"{NUMBER}{_SIGN}{_NO_THING}", re.I)
_TWICE: Final = re.compile(
    r"\b(?:twice (?:as fast|the (?:speed|throughput))|doubled (?:the |our )?(?:throughput|speed|rate)"
    r"|halved (?:the |our )?(?:\w+ )?time|half the (?:\w+ )?time)\b|nhanh gấp đôi|快了一倍|(?:速度|吞吐量?)翻倍",
    re.I,
)
_MULTIPLE_MORE: Final = re.compile(
    r"(?:快|提升|提高|增加)了?\s?(?:约|大约|近)?\s?(?P<number>\d{1,3}(?:\.\d{1,3})?)\s?倍"
)
_PERCENT: Final = r"(?<![\w.])(?P<number>\d{1,3}(?:\.\d{1,3})?)\s?(?:%|percent)"
_FASTER: Final = re.compile(
    rf"{_PERCENT}\s(?:faster|quicker)"
    r"|(?:快了?|nhanh hơn)\s?(?:约|大约|khoảng)?\s?(?P<after>\d{1,3}(?:\.\d{1,3})?)\s?%",
    re.IGNORECASE,
)
_MORE: Final = re.compile(
    rf"{_PERCENT}\s(?:speed-?up|(?:higher|more|better) throughput|(?:gain|improvement) in (?:speed|throughput))",
    re.IGNORECASE,
)
_LESS_TIME: Final = re.compile(
    r"(?:\b(?:cut|cuts|reduc\w+|decreas\w+|drop\w*|fell|lower\w*|shav\w+|went down|is down|giảm)\b"
    rf"|缩短|减少|降低|下降|少)[^.;。\d]{{0,40}}?{_PERCENT}",
    re.IGNORECASE,
)
_MORE_RATE: Final = re.compile(
    r"(?:\b(?:increas\w+|rais\w+|improv\w+|rose|grew|boost\w*|went up|is up|up|tăng)\b"
    rf"|提升|提高|增加|上升|涨)[^.;。\d]{{0,40}}?{_PERCENT}",
    re.IGNORECASE,
)
#: What stands between what is and what was without a change; with any other word it may be what was expected.
_INSTEAD: Final = re.compile(
    r"\s*(?:instead of|rather than|in place of|compared (?:to|with)|vs\.?|versus|against|而不是|而非|代替|thay vì"
    r"|thay cho|so với)\s*"
    r"|,?\s+where (?:it|they|we|that|the \w{2,12})\s(?:was|were|had been|had|did|does|served|took|takes|got|gave|ran"
    r"|made|needed|reached)\s+(?:only\s+)?"
    r"|[,;]?\s*\(?(?:it was|was|were|before it was|before|previously|formerly|down from|up from)\s*:?\s*",
    re.IGNORECASE,
)
_PER_SECOND: Final = -1
_NEAR: Final = 40
_FELL_TO: Final = re.compile(
    r"\s?(?:is |has |was )?(?:now )?(?:down to|dropped to|fell to|went down to|reduced to"
    r"|降到|降至|降为|下降到|减到|缩短到|giảm xuống|giảm còn|còn|xuống còn)\s?(?:about |around |~|约|大约|khoảng )?\d",
    re.IGNORECASE,
)
_ROSE_TO: Final = re.compile(
    r"\s?(?:is |has |was )?(?:now )?(?:up to|rose to|went up to|increased to|climbed to"
    r"|升到|升至|涨到|提高到|提升到|增加到|上升到|tăng lên|lên tới|lên đến)\s?(?:about |around |~|约|大约|khoảng )?\d",
    re.IGNORECASE,
)
Ends = tuple[float, float]


def stated_gain(text: str) -> tuple[Ends, int, int] | None:
    """Return the factor that a text states by itself, as its ends, and where; None where it states none or several."""
    found = list(_stated(text))
    if not found or any(each[0] != found[0][0] for each in found):
        return None
    inside = [(start, end) for _, start, end in found]
    others = (each.start() for each in _ANY_FACTOR.finditer(text))
    return found[0] if all(any(start <= at < end for start, end in inside) for at in others) else None


def _stated(text: str) -> Iterator[tuple[Ends, int, int]]:
    for pattern in _FACTORS:
        for each in pattern.finditer(text):
            number = _number(each["number"])
            about = pattern.groupindex.get("about") and re.search("[^\\s]", each["about"] or "")
            vague = about and not re.fullmatch(r"(?:a|an|only|just)\s?", each["about"] or "", re.I)
            yield _hedged(number) if vague else (number, number), each.start(), each.end()
    for each in _TWICE.finditer(text):
        yield (2.0, 2.0), each.start(), each.end()
    for each in _MULTIPLE_MORE.finditer(text):
        number = float(each["number"])
        yield (number, number + 1), each.start(), each.end()
    for each in _FASTER.finditer(text):
        part = float(each["number"] or each["after"]) / 100
        if part < 1:
            yield (1 + part, 1 / (1 - part)), each.start(), each.end()
    for each in _MORE.finditer(text):
        part = float(each["number"]) / 100
        yield (1 + part, 1 + part), each.start(), each.end()
    slower = compared(text)
    if slower is not None:
        yield (min(slower), max(slower)), 0, len(text)


def _number(word: str) -> float:
    return float(COUNTS.get(word.casefold(), 0) or word)


def _hedged(number: float) -> Ends:
    """Return what *about* so much means."""
    found = parse_quantity(f"about {number:g}", unit="1", kind=Kind.RATIO).interval
    return (found.lo, found.hi)


def gain_of(sentence: Sequence[Statement], vocabulary: Vocabulary) -> tuple[Interval, int, int] | None:
    """Return the factor by which a sentence says that something became faster, and where it says so.

    What a metric of time was and is tells it best.
    """
    start, end = sentence[0].clause.start, sentence[-1].clause.end
    text = with_points(sentence[0].text[start:end])
    numbers = [(each, list(amounts(each.text[each.clause.start : each.clause.end]))) for each in sentence]
    turned = [found for each, inside in numbers for found in _turned(each, inside, vocabulary)]
    if turned:
        return turned[0] if all(each[0] == turned[0][0] for each in turned) else None
    swapped = next((found for each, inside in numbers for found in _swapped(each, inside, vocabulary)), None)
    if swapped is not None:
        return swapped
    found = stated_gain(text) or _of_a_metric(text, sentence, vocabulary)
    return None if found is None else (Interval(*found[0]), start + found[1], start + found[2])


def _turned(
    statement: Statement, numbers: Sequence[Amount], vocabulary: Vocabulary
) -> Iterator[tuple[Interval, int, int]]:
    """Yield the factors of what a metric of time was and is in a clause: *step 410 -> 230 ms*."""
    for amount in numbers:
        if amount.turned:
            before, now = ends_of(amount)
            yield from _factor(before, now, amount, (amount.start, amount.end), statement, vocabulary)


def in_place_of(text: str, numbers: Sequence[Amount]) -> Iterator[tuple[Amount, Amount]]:
    """Yield the pairs of numbers of a text of which one stands in place of the other: *300 ms instead of 520 ms*."""
    for now, before in itertools.pairwise(numbers):
        if _INSTEAD.fullmatch(text, now.end, before.start):
            yield now, before


def _swapped(
    statement: Statement, numbers: Sequence[Amount], vocabulary: Vocabulary
) -> Iterator[tuple[Interval, int, int]]:
    """Yield the factors of what a metric is and was without a change."""
    text = statement.text[statement.clause.start : statement.clause.end]
    for now, before in in_place_of(text, numbers):
        alone = len(now.numbers) == len(before.numbers) == 1
        if alone and before.unit and now.unit in ("", before.unit):
            yield from _factor(before, now, before, (now.start, before.end), statement, vocabulary)


def _factor(
    before: Amount,
    now: Amount,
    named: Amount,
    place: tuple[int, int],
    statement: Statement,
    vocabulary: Vocabulary,
) -> Iterator[tuple[Interval, int, int]]:
    """Yield by which factor a metric became better, and where it says so; nothing for what is no metric of time.

    ``named`` is the number in front of which its name stands. Places are in characters of the clause.
    """
    start = statement.clause.start
    higher = _higher_is_better(named, start, statement, vocabulary)
    old, new = (float(each.numbers[0].lstrip("~≈+ ").replace(",", "")) for each in (before, now))
    if higher is not None and min(old, new) > 0:
        yield Interval.point(new / old if higher else old / new), start + place[0], start + place[1]


def _higher_is_better(amount: Amount, offset: int, statement: Statement, vocabulary: Vocabulary) -> bool | None:
    """Return whether more of a metric is better; None for what is no time and no rate of the job."""
    known = known_unit(amount.unit) if amount.unit else None
    if known is None or known.dimension.second not in (1, _PER_SECOND) or known.dimension.byte:
        return None
    names = [each for each in vocabulary.keys.find(statement.words) if each.end <= offset + amount.start]
    if names:
        last = [vocabulary.base.measurements[each.meaning] for each in names if each.first == names[-1].first]
        better = {each.higher_is_better for each in last if each.model.track == "time"}
        return better.pop() if len(better) == 1 else None
    return known.dimension.second == _PER_SECOND


def moved(sentence: Sequence[Statement], vocabulary: Vocabulary) -> bool | None:
    """Return whether a metric of time became better by falling or rising to a value; None where it did neither."""
    for statement in sentence:
        for name in vocabulary.names.find(statement.words) if not statement.has("negation", "hedge") else ():
            measurement = vocabulary.base.measurements.get(name.meaning)
            behind = statement.text[name.end : min(name.end + _NEAR, statement.clause.end)]
            if measurement is None or measurement.model.track != "time":
                continue
            for pattern, rises in ((_FELL_TO, False), (_ROSE_TO, True)):
                if pattern.match(behind):
                    return bool(measurement.higher_is_better) is rises
    return None


def _of_a_metric(text: str, sentence: Sequence[Statement], vocabulary: Vocabulary) -> tuple[Ends, int, int] | None:
    """Return the factor of a percentage by which a metric of time fell or rose; None where no such metric is named."""
    named = {each.meaning for statement in sentence for each in vocabulary.keys.find(statement.words)}
    metrics = [vocabulary.base.measurements[name] for name in named]
    better = {each.higher_is_better for each in metrics if each.model.track == "time"}
    if len(better) != 1:
        return None
    rises = better.pop()
    found = (_MORE_RATE if rises else _LESS_TIME).search(text)
    part = 0.0 if found is None else float(found["number"]) / 100
    if found is None or (not rises and part >= 1):
        return None
    factor = 1 + part if rises else 1 / (1 - part)
    return (factor, factor), found.start(), found.end()
