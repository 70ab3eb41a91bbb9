"""A target as people write it: ``step time is 180 ms, wanted 110 ms``, in any of the languages and in either order.

What is a number, and which unit is its own, is what it is in reports (``prose.amounts``).
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Target, Track, folded
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.prose.amounts import amounts
from dam_expert.prose.words import significant, tokens
from dam_expert.session.errors import AnswerError
from dam_expert.session.naming import measurement_named
from dam_expert.session.speech import spoken
from dam_expert.session.spelling import plainly_written, refuse_bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base
    from dam_expert.prose.amounts import Amount
    from dam_expert.reports import Glossary
    from dam_expert.session.conversation import Conversation

#: A price is written with its sign first.
_MONEY: Final = re.compile(r"\$\s*(\d[\d.,]*\s?[kKM]?)(?=\W|$)")
_CLAUSE_ENDS: Final = re.compile(
    r"[.,;](?=\s|$)|[，。；但而却]| - |\s(?:and|but|while|when|since|after|nhưng|còn|và|trong khi)(?=\s|$)"
)
_COUNTED_BY: Final = frozenset({"per", "a", "an", "each", "every", "for", "/", "mỗi"})
_MARKS: Final = " ,;:=，；：、.。"


def written_target(talk: Conversation, words: Glossary, text: str, metric: str | None = None) -> Target | None:
    """Return a target written as ``METRIC is VALUE, wanted VALUE``, in any of the languages; None where it is none.

    ``metric`` is the one that may be left out. Raises AnswerError for a value that cannot be one of the metric, and for
    one without a unit where it may be in several.
    """
    base, plain = talk.base, _MONEY.sub(r"\1 $", plainly_written(text))
    split = _split(talk, words, plain, list(amounts(plain)), metric)
    if split is None:
        return None
    name, numbers, wanted_first = split
    actual, wanted = _with_units(*_actual_and_wanted(plain, numbers, wanted_first=wanted_first))
    track = base.measurements[name].model.track
    if track is None and wanted is None:
        return None  # a value, but none that anybody misses by itself
    return Target(
        metric=name,
        actual=None if actual is None else _quantity(base, name, actual, plain),
        wanted=None if wanted is None else _quantity(base, name, wanted, plain),
        track=None if track is None else Track(track),
    )


def _with_units(actual: Amount | None, wanted: Amount | None) -> tuple[Amount | None, Amount | None]:
    """Give a bare one of the two values the unit of the other."""
    if actual is None or wanted is None or bool(actual.unit) is bool(wanted.unit):
        return actual, wanted
    unit = actual.unit or wanted.unit
    return tuple(  # type: ignore[return-value]  # two of them
        each if each.unit else dataclasses.replace(each, unit=unit, text=f"{each.text} {unit}")
        for each in (actual, wanted)
    )


def _split(
    talk: Conversation, words: Glossary, text: str, numbers: Sequence[Amount], metric: str | None
) -> tuple[str, Sequence[Amount], bool] | None:
    """Return the metric, its numbers, and whether the first of these is the wanted one.

    The name is what stands before the first number.
    """
    for place, number in enumerate(numbers):
        before, values = text[: number.start], text[number.start :]
        wanted_first = _holds_wanted(before) and not _holds_wanted(values)
        bare = _without_words(before, spoken("answer.misses"))
        missed = bare is not None
        named = _without_copula(before if bare is None else bare).strip(_MARKS)
        if not named:
            return None if metric is None else (metric, numbers[place:], wanted_first)
        found = _metric_before(talk, words, named, number, text) or _metric_before(talk, words, before, number, text)
        if found is not None:
            return found, numbers[place:], wanted_first or missed
        if metric is not None and _is_wanted(named):
            return metric, numbers, wanted_first
    found = _misspelt(talk.base, words, text, numbers) if "=" in text or " is " in f" {text} " else None
    return None if found is None else (found, numbers, False)


def _metric_before(talk: Conversation, words: Glossary, text: str, value: Amount, whole: str) -> str | None:
    """Return the measurement that the last words before a value name: the longest name, and one that can be missed.

    Of several that are called so, the one whose unit the value has.
    """
    base = talk.base
    pieces = text.split()
    for start in range(len(pieces)):
        resolved = base.names.resolve(" ".join(pieces[start:]))
        if resolved is not None and (start == 0 or base.measurements[resolved].model.track is not None):
            return resolved
    said = folded(text)
    titled = [
        (len(title), name)
        for name, measurement in base.measurements.items()
        if measurement.model.track is not None and said.endswith(title := folded(words.title(name)))
    ]
    if titled:
        return max(titled)[1]
    known = significant(tokens(text))
    ending = [mention for mention in talk.vocabulary.keys.overlapping(known) if mention.after == len(known)]
    first = min((mention.first for mention in ending), default=0)
    meant = {mention.meaning for mention in ending if mention.first == first}
    missed = [
        name for name in meant if base.measurements[name].model.track is not None and _fits(base, name, value, whole)
    ]
    return missed[0] if len(missed) == 1 else None


def _fits(base: Base, metric: str, value: Amount, text: str) -> bool:
    with contextlib.suppress(AnswerError):
        _quantity(base, metric, value, text)
        return True
    return False


def _misspelt(base: Base, words: Glossary, text: str, numbers: Sequence[Amount]) -> str | None:
    """Take a name with a slip of the pen before a value; a sentence without a value is no target."""
    if not numbers:
        return None
    return measurement_named(base, words, _without_copula(text[: numbers[0].start]).strip(_MARKS)).id


def _without_copula(text: str) -> str:
    """Return a text without the word for *is*, or a hedge, at its end."""
    said = text.strip(_MARKS)
    for word in (*spoken("answer.is"), *spoken("answer.about")):
        if said.casefold().endswith(word) and (
            _is_han(word) or said[: -len(word)].endswith((" ", "=")) or said == word
        ):
            return _without_copula(said[: -len(word)])
    return said


def _without_words(text: str, endings: Iterable[str]) -> str | None:
    """Return a text without the one of some words that it ends with; None where it ends with none of them."""
    said = text.strip(_MARKS)
    for word in endings:
        rest = said[: -len(word)]
        if said.casefold().endswith(word) and rest and (_is_han(word) or rest.endswith(" ")):
            return rest
    return None


def _is_han(word: str) -> bool:
    return "\u4e00" <= word[-1] <= "\u9fff"


def _is_wanted(text: str) -> bool:
    said = text.strip(_MARKS).casefold()
    return any(said == word for word in spoken("answer.wanted"))


def _holds_wanted(text: str) -> bool:
    return _wanted_place(text) is not None


def _wanted_place(text: str) -> tuple[int, int] | None:
    """Return where the first word for *wanted* stands, a whole word: *slow* holds no *slo*."""
    said = text.casefold()
    places = [
        (found.start(), -len(word))
        for word in spoken("answer.wanted")
        if (found := re.search(re.escape(word) if _is_han(word) else rf"(?<!\w){re.escape(word)}(?!\w)", said))
    ]
    if not places:
        return None
    start, length = min(places)
    return start, start - length


def _actual_and_wanted(
    text: str, numbers: Sequence[Amount], *, wanted_first: bool
) -> tuple[Amount | None, Amount | None]:
    """Split numbers at the word for *wanted*: what stands behind it is wanted, before it actual.

    Where the wanted one comes first, the other one stands in a later clause; *450 / 200 ms* gives both.
    """
    first = numbers[0]
    if wanted_first:
        return _in_a_later_clause(text, numbers), first
    place = _wanted_place(text[first.start :])
    if place is None:
        sides = _sides(first)
        return sides if sides is not None else (first, None)
    word = first.start + place[0]
    before = [each for each in numbers if each.start < word]
    behind = [each for each in numbers if each.start >= word]
    wanted = behind[0] if behind else None
    return before[0] if before else _in_a_later_clause(text, behind), wanted


def _sides(amount: Amount) -> tuple[Amount, Amount] | None:
    """Return the two values that a slash parts, or None."""
    if amount.is_range or len(amount.numbers) != 2 or "/" not in amount.text:
        return None
    tail = f" {amount.unit}" if amount.unit else ""
    now, wanted = (dataclasses.replace(amount, numbers=(number,), text=f"{number}{tail}") for number in amount.numbers)
    return now, wanted


def _in_a_later_clause(text: str, numbers: Sequence[Amount]) -> Amount | None:
    """Return the first number behind the clause of the first one, or None where there is none."""
    ends = _CLAUSE_ENDS.search(text, numbers[0].end) if numbers else None
    return None if ends is None else next((each for each in numbers if each.start >= ends.end()), None)


def _first_clause(text: str) -> str:
    """Return a text up to the mark that ends its first clause; marks inside of numbers end none."""
    return _CLAUSE_ENDS.split(text.strip(_MARKS), maxsplit=1)[0].strip(_MARKS)


def _quantity(base: Base, metric: str, amount: Amount, whole: str) -> Interval:
    """Return a number as a value of a metric. Raises AnswerError for what cannot be one.

    Where it has no unit that is known, the words behind it in its clause are what the person is told of.
    """
    unit, kind = base.names.unit(metric), base.names.kind(metric)
    if unit is None:
        raise AnswerError("session.problem.no_metric", metric=metric)
    text = amount.text if amount.unit else _first_clause(whole[amount.start :])
    refuse_bare(text, unit)
    known = dict(base.names.words(metric))
    try:
        return parse_quantity(text.strip(), unit=unit, kind=kind, words=known).interval
    except QuantityError as error:
        for shorter in () if amount.unit else _without_last_words(text):
            with contextlib.suppress(QuantityError):
                return parse_quantity(shorter, unit=unit, kind=kind, words=known).interval
        raise AnswerError.of(error) from error


def _without_last_words(text: str) -> Iterator[str]:
    """Yield a value without the words behind it, the longest first; words that say what it is counted by stay."""
    pieces = text.split()
    for end in range(len(pieces) - 1, 0, -1):
        if pieces[end].casefold() not in _COUNTED_BY and any(
            letter.isalpha() or letter in "%$" for letter in pieces[end - 1]
        ):
            yield " ".join(pieces[:end])
        elif pieces[end].casefold() in _COUNTED_BY:
            return
