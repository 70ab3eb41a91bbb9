"""A target as people write it: ``step time is 180 ms, wanted 110 ms``, in any of the languages and in either order."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import is_han, whole_word
from dam_expert.documents.incident import Target, Track, folded
from dam_expert.documents.intervals import Interval
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.prose.gains import stated_gain
from dam_expert.prose.percentiles import statistic_named
from dam_expert.prose.words import significant, tokens
from dam_expert.session.contrasts import contrast_in
from dam_expert.session.errors import AnswerError
from dam_expert.session.moves import VALUE, move_in
from dam_expert.session.naming import measurement_named
from dam_expert.session.speech import holds_any, spoken
from dam_expert.session.spelling import fractions_written, plainly_written, refuse_bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.session.conversation import Conversation

#: A price is written with its sign first.
_MONEY: Final = re.compile(r"\$\s*(\d[\d.,]*\s?[kKM]?)(?=\W|$)")
_RATE: Final = "1/s"
#: What a value is counted by, behind its number.
_COUNTED: Final = re.compile(
    r"\d\s?[kKM]?\s?(?:(?P<rate>(?P<thing>[^\W\d_]+)\s?(?:/|per|a|each|every|mỗi)"
    r"\s?(?:s|sec|seconds?|min|minutes?|h|hours?|秒|分钟|小时|giây|phút|giờ)(?!\w))"
    r"|(?:ms|s|sec|seconds|秒|毫秒|min|minutes|h|hours)\s?(?:per|/|a|each|every|mỗi)\s?(?P<each>[^\W\d_]+))"
)
_BARE: Final = re.compile(r"[\d.]+")
_UNIT: Final = re.compile(r"[^\d.]*$")
_CLAUSE_ENDS: Final = re.compile(
    r"[.,;](?=\s|$)|[，。；但而却]| - |\s(?:and|but|while|when|since|after|nhưng|còn|và|trong khi)(?=\s|$)"
)
_SENTENCE_ENDS: Final = re.compile(r"[.;](?=\s)|[。；]")
_COUNTED_BY: Final = frozenset({"per", "a", "an", "each", "every", "for", "/", "mỗi"})
_MARKS: Final = " ,;:=，；：、.。"


def written_target(talk: Conversation, words: Glossary, text: str, metric: str | None = None) -> Target | None:
    """Return a target written as ``METRIC is VALUE, wanted VALUE``, in any of the languages; None where it is none.

    ``metric`` is the one that may be left out. Raises AnswerError for a value that cannot be one of the metric, and for
    one without a unit where it may be in several.
    """
    base, plain = talk.base, _MONEY.sub(r"\1 $", fractions_written(plainly_written(text)))
    stated = _contrasted(talk, words, plain, metric) or _moved(talk, words, plain, metric)
    stated = stated or _wished_gain(talk, words, plain, metric)
    if stated is not None:
        return stated
    split = _split(talk, words, plain, metric)
    if split is None:
        return None
    name, values, wanted_first = split
    actual, wanted = _with_units(*_actual_and_wanted(values, wanted_first=wanted_first))
    if base.measurements[name].model.track is None and wanted is None:
        return None  # a value, but none that anybody misses by itself
    return _target(
        base,
        name,
        actual=None if actual is None else _quantity(base, name, actual),
        wanted=None if wanted is None else _quantity(base, name, wanted),
    )


def present_value(talk: Conversation, words: Glossary, text: str, metric: str | None) -> tuple[str, str] | None:
    """Return a metric and the text of what it is now: of a move what it became, else the value behind its name.

    None where a text is neither, and where it tells what is wanted. ``metric`` is the one that may be left out.
    """
    base, plain = talk.base, fractions_written(plainly_written(text))
    move = move_in(plain)
    if move is not None:
        before, after = _with_units(move.before, move.after)
        by_unit = metric_of_unit(base, move.after)
        name = metric if not move.name else _metric_before(talk, words, move.name, move.after) or by_unit
        return None if name is None or after is None or before is None else (name, after)
    contrast = None if _holds_wanted(plain) else contrast_in(plain)
    if contrast is not None:
        plain = f"{contrast.name} {contrast.second if contrast.second_is_now else contrast.first}"
    split = None if _holds_wanted(plain) else _split(talk, words, plain, None)
    if split is None or base.measurements[split[0]].model.track is None:
        return None
    value = _first_clause(split[1])
    hedged = holds_any(plain, spoken("answer.about")) and value[0].isdecimal()
    return split[0], f"~{value}" if hedged else value


def _target(base: Base, name: str, *, actual: Interval | None, wanted: Interval | None) -> Target:
    track = base.measurements[name].model.track
    return Target(metric=name, actual=actual, wanted=wanted, track=None if track is None else Track(track))


def _contrasted(talk: Conversation, words: Glossary, text: str, metric: str | None) -> Target | None:
    """Return the target of a text that sets two values of one thing against each other; None where it does not.

    A wish is for the first. Without one the worse is what there is, but where the better is told as what is so: then
    nothing says what is wanted. Raises AnswerError for a wish that would make it worse: it is asked what is meant.
    """
    found = contrast_in(text)
    if found is None or _holds_wanted(found.second) or _holds_wanted(found.first):
        return None
    base, before, wishes = talk.base, found.name, _is_wish(found.name)
    first, second = _with_units(_first_clause(found.first), _first_clause(found.second))
    named = _without_copula(before).strip(_MARKS)
    name = _metric_before(talk, words, named, found.first) or _metric_before(talk, words, before, found.first)
    wished = _without_words(named, spoken("answer.wanted")) or ""
    name = name or (_metric_before(talk, words, wished.strip(_MARKS), found.first) if wished else None)
    name = name or _metric_of_units(base, first, second) or (metric if not VALUE.search(before) else None)
    if name is None or first is None or second is None or base.measurements[name].model.track is None:
        return None
    this, other = _quantity(base, name, first), _quantity(base, name, second)
    better = base.measurements[name].is_as_good(this, other)
    if wishes and not better:
        raise AnswerError("session.problem.target")
    if wishes:
        return _target(base, name, actual=other, wanted=this)
    if found.second_is_now:
        return _target(base, name, actual=other, wanted=this if better else None)
    if not better:
        return _target(base, name, actual=this, wanted=other)
    if named != before.strip(_MARKS):
        return _target(base, name, actual=this, wanted=None)
    return _target(base, name, actual=other, wanted=this)


def _metric_of_units(base: Base, *values: str | None) -> str | None:
    """Return the metric that the unit of one of some values names by itself."""
    return next((name for each in values if each and (name := metric_of_unit(base, each)) is not None), None)


def _moved(talk: Conversation, words: Glossary, text: str, metric: str | None) -> Target | None:
    """Return the target of a text that tells what something was and became: what got worse is to be as it was.

    What got better is to become so, unless it is told as what happened: then it is what there is now. Where it is said
    beside it what is wanted, that is it, and what it became is what there is.
    """
    move = move_in(text)
    if move is None:
        return None
    base = talk.base
    before, after = _with_units(move.before, move.after)
    by_unit = metric_of_unit(base, move.after) or metric_of_unit(base, move.before)
    name = _metric_before(talk, words, move.name, move.after) or by_unit or metric
    if name is None or before is None or after is None or base.measurements[name].model.track is None:
        return None
    was, became = _quantity(base, name, before), _quantity(base, name, after)
    wish = _wish_in(base, name, move.rest, after)
    if wish is not None:
        return _target(base, name, actual=became, wanted=wish)
    if not base.measurements[name].is_as_good(became, was):
        return _target(base, name, actual=became, wanted=was)
    if move.happened:
        return _target(base, name, actual=became, wanted=None)
    return _target(base, name, actual=was, wanted=became)


def _wished_gain(talk: Conversation, words: Glossary, text: str, metric: str | None) -> Target | None:
    """Return the target of a text that wishes a factor, and tells in another clause what there is now: *2x faster*.

    None where the wish holds a value of its own, or what there is now is of no metric that can be missed.
    """
    clauses = [clause for clause in _CLAUSE_ENDS.split(text) if clause and clause.strip(_MARKS)]
    wishes = [clause for clause in clauses if _is_wished_factor(clause)]
    now = ", ".join(clause.strip(_MARKS) for clause in clauses if clause not in wishes)
    gain = stated_gain(wishes[0]) if len(wishes) == 1 else None
    if gain is None or _holds_wanted(now) or VALUE.search(now) is None:
        return None
    split = None
    with contextlib.suppress(AnswerError):  # what stands before the value may be no name: *it is*
        split = _split(talk, words, now, metric)
    if split is not None and talk.base.measurements[split[0]].model.track is None:
        split = None  # a guess at words that are no name
    name, value = (metric_of_unit(talk.base, now), now) if split is None else split[:2]
    if name is None:
        return None
    place = VALUE.search(value)
    actual = _quantity(talk.base, name, _first_clause(value[place.start() :] if place else value))
    factor = Interval(*gain[0])
    wanted = actual * factor if talk.base.measurements[name].higher_is_better else actual / factor
    return _target(talk.base, name, actual=actual, wanted=wanted)


def _is_wished_factor(clause: str) -> bool:
    """Whether a clause wishes a gain and tells no value beside it."""
    gain = stated_gain(clause)
    if gain is None or gain[0][0] <= 1 or not _holds_wanted(clause):
        return False
    return VALUE.search(f"{clause[: gain[1]]} {clause[gain[2] :]}") is None


def _wish_in(base: Base, metric: str, text: str, like: str) -> Interval | None:
    """Return the value of a metric that a text says is wanted, a bare one in the unit of another; None for none."""
    place = _wanted_place(text)
    found = None if place is None else VALUE.search(text, place[1]) or VALUE.search(text)
    if found is None:
        return None
    wanted = _with_units(like, _first_clause(text[found.start() :]))[1]
    with contextlib.suppress(AnswerError):
        return _quantity(base, metric, wanted or "")
    return None


def metric_of_unit(base: Base, value: str) -> str | None:
    """Return the metric that the unit of a value names by itself: ``1.2k tok/s``, ``180 ms per step``; else None."""
    found = _COUNTED.search(value)
    if found is None:
        return None
    names = (found["rate"], f"{found['thing']}/s") if found["rate"] else (f"time per {found['each']}",)
    resolved = map(base.names.resolve, names)
    return next((name for name in resolved if name is not None and base.measurements[name].model.track), None)


def _with_units(actual: str | None, wanted: str | None) -> tuple[str | None, str | None]:
    """Give a bare one of the two values the unit of the other."""
    if actual is None or wanted is None:
        return actual, wanted
    if _BARE.fullmatch(wanted):
        return actual, wanted + _UNIT.search(actual)[0]  # type: ignore[index]  # it matches nothing at the end, at least
    if _BARE.fullmatch(actual):
        return actual + _UNIT.search(wanted)[0], wanted  # type: ignore[index]
    return actual, wanted


def _split(talk: Conversation, words: Glossary, text: str, metric: str | None) -> tuple[str, str, bool] | None:
    """Return the metric, the text of its values, and whether the first of these is the wanted one.

    The name is what stands before the first number.
    """
    for place in VALUE.finditer(text):
        before, values = text[: place.start()], text[place.start() :]
        wanted_first = _is_wish(before) and not _holds_wanted(values)
        bare = _without_words(before, spoken("answer.misses"))
        missed = bare is not None
        named = _without_copula(before if bare is None else bare).strip(_MARKS)
        if not named:
            alone = metric or (metric_of_unit(talk.base, values) if _holds_wanted(values) else None)
            return None if alone is None else (alone, values, wanted_first)
        resolved = _metric_before(talk, words, named, values) or _metric_before(talk, words, before, values)
        if resolved is not None:
            return _nearer(talk.base, resolved, values), values, wanted_first or missed
        if metric is not None and _is_wanted(named):
            return metric, text, False
        by_unit = metric_of_unit(talk.base, values)
        if by_unit is not None and _holds_wanted(text):
            return by_unit, values, wanted_first
    found = _misspelt(talk.base, words, text) if "=" in text or " is " in f" {text} " else None
    return None if found is None else (*found, False)


def _nearer(base: Base, name: str, values: str) -> str:
    """Return the metric that the unit of a value names, where the words before it name one of the same kind."""
    by_unit = metric_of_unit(base, _first_clause(values))
    if by_unit is None or base.names.unit(by_unit) != base.names.unit(name) or base.names.unit(name) != _RATE:
        return name
    return by_unit


def _metric_before(talk: Conversation, words: Glossary, text: str, values: str) -> str | None:
    """Return the measurement that the last words before a value name: the longest name, and one that can be missed.

    Of several that are called so, the one whose unit the value has.
    """
    base = talk.base
    statistic = statistic_named(text, talk.vocabulary) if base.names.resolve(text) is None else None
    if statistic is not None:
        return statistic
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
    missed = [name for name in meant if base.measurements[name].model.track is not None and _fits(base, name, values)]
    return missed[0] if len(missed) == 1 else None


def _fits(base: Base, metric: str, values: str) -> bool:
    with contextlib.suppress(AnswerError):
        _quantity(base, metric, _first_clause(values))
        return True
    return False


def _misspelt(base: Base, words: Glossary, text: str) -> tuple[str, str] | None:
    """Take a name with a slip of the pen before a value; a sentence without a value is no target."""
    place = VALUE.search(text)
    if place is None:
        return None
    name = _without_copula(text[: place.start()]).strip(_MARKS)
    return measurement_named(base, words, name).id, text[place.start() :]


def _without_copula(text: str) -> str:
    """Return a text without the word for *is*, or a hedge, at its end."""
    said = text.strip(_MARKS)
    for word in (*spoken("answer.is"), *spoken("answer.about")):
        if said.casefold().endswith(word) and (
            is_han(word[-1]) or said[: -len(word)].endswith((" ", "=")) or said == word
        ):
            return _without_copula(said[: -len(word)])
    return said


def _without_words(text: str, endings: Iterable[str]) -> str | None:
    """Return a text without the one of some words that it ends with; None where it ends with none of them."""
    said = text.strip(_MARKS)
    for word in endings:
        rest = said[: -len(word)]
        if said.casefold().endswith(word) and rest and (is_han(word[-1]) or rest.endswith(" ")):
            return rest
    return None


def _is_wanted(text: str) -> bool:
    said = text.strip(_MARKS).casefold()
    return any(said == word for word in spoken("answer.wanted"))


def _is_wish(text: str) -> bool:
    """Whether words before a value say that it is wanted: 要 and the like say as well that something is so.

    A wish in a sentence before it, or with a value of its own, is one for something else.
    """
    clauses = _CLAUSE_ENDS.split(_SENTENCE_ENDS.split(text)[-1])
    wishes = [at for at, each in enumerate(clauses) if _wanted_place(each, without=spoken("answer.is")) is not None]
    return bool(wishes) and not any(VALUE.search(each) for each in clauses[wishes[-1] : -1])


def _holds_wanted(text: str) -> bool:
    return _wanted_place(text) is not None


def _wanted_place(text: str, without: tuple[str, ...] = ()) -> tuple[int, int] | None:
    """Return where the first word for *wanted* stands, a whole word: *slow* holds no *slo*."""
    said = text.casefold()
    places = [
        (found.start(), -len(word))
        for word in spoken("answer.wanted")
        if word not in without and (found := re.search(whole_word(word), said))
    ]
    if not places:
        return None
    start, length = min(places)
    return start, start - length


def _actual_and_wanted(values: str, *, wanted_first: bool) -> tuple[str | None, str | None]:
    """Split the values at the word for *wanted*: what stands behind it is wanted, before it actual.

    Where the wanted one comes first, the other one is behind it.
    """
    if wanted_first:
        return _second_value(values), _first_clause(values)
    place = _wanted_place(values)
    if place is None:
        first, slash, second = values.partition(" / ")
        return (_first_clause(first), _first_clause(second)) if slash else (_first_clause(values), None)
    actual, behind = _first_clause(values[: place[0]]), values[place[1] :]
    found = VALUE.search(behind)
    wanted = _first_clause(behind[found.start() :]) if found else None
    return actual or (_second_value(behind[found.start() :]) if found else None), wanted


def _second_value(text: str) -> str | None:
    """Return the value in a later clause of a text, or None where there is none."""
    ends = _CLAUSE_ENDS.search(text)
    found = None if ends is None else VALUE.search(text, ends.end())
    return None if found is None else _first_clause(text[found.start() :])


def _first_clause(text: str) -> str:
    """Return a text up to the mark that ends its first clause; marks inside of numbers end none."""
    return _CLAUSE_ENDS.split(text.strip(_MARKS), maxsplit=1)[0].strip(_MARKS)


def _quantity(base: Base, metric: str, text: str) -> Interval:
    unit, kind = base.names.unit(metric), base.names.kind(metric)
    if unit is None:
        raise AnswerError("session.problem.no_metric", metric=metric)
    refuse_bare(text, unit)
    known = dict(base.names.words(metric))
    try:
        return parse_quantity(text.strip(), unit=unit, kind=kind, words=known).interval
    except QuantityError as error:
        for shorter in _without_last_words(text):
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
