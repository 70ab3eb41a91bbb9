"""Reading sentences: a measurement's name with a number or word beside it, and phrases that state a value."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.prose.amounts import amounts, known_unit, value_of
from dam_expert.prose.comparisons import read_comparison
from dam_expert.prose.labelled import SECOND_NUMBER
from dam_expert.prose.vocabulary import folded_unit
from dam_expert.prose.words import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.intervals import Interval
    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Stated, Vocabulary
    from dam_expert.prose.words import Mention

_GAP_CHARACTERS: Final = 40
_REFERENCE_BEHIND: Final = 12
#: Marks that may stand between a name and its number.
_BETWEEN: Final = frozenset({"neutral", "hedge"})


def read_sentence(
    sentence: Sequence[Statement], passage: Passage, collected: Collected, *, numbers: bool = True
) -> None:
    """Take what the clauses of one sentence state; without ``numbers`` only what its words do."""
    _take_phrases(sentence, passage, collected)
    for statement in sentence if numbers else ():
        if statement.is_question or statement.has("condition"):
            continue
        _take_numbers(statement, passage, collected)
        read_comparison(statement, passage, collected)


def _take_numbers(statement: Statement, passage: Passage, collected: Collected) -> None:
    """Pair the names in a clause with the numbers beside them, each number once; the rest by units that name one."""
    clause = statement.clause
    found = [
        dataclasses.replace(each, start=each.start + clause.start, end=each.end + clause.start)
        for each in amounts(statement.text[clause.start : clause.end])
    ]
    names = [
        mention
        for mention in statement_names(statement, collected)
        if not any(amount.start < mention.end and mention.start < amount.end for amount in found)
    ]
    wished = _wished(found, statement)
    used: set[int] = set()
    for mention in names:
        words = _word_beside(mention, statement, collected)
        if words is not None:
            collected.state(passage, mention.start, words[1], mention.meaning, words[0], Basis.SAID, "word for a range")
            continue
        for place, amount in enumerate(found):
            beside = place not in used and _belongs(mention, amount, names, statement, collected)
            stated = (mention.meaning, mention.first, min(mention.start, amount.start), max(mention.end, amount.end))
            if beside and _state(stated, amount, statement, passage, collected, wished=place in wished):
                used.add(place)
                break
    for place, amount in enumerate(found):
        named = _named_by_unit(amount, collected.vocabulary)
        if named is not None and place not in used:
            first = next((at for at, word in enumerate(statement.words) if word.start >= amount.start), 0)
            stated = (named, first, amount.start, amount.end)
            _state(stated, amount, statement, passage, collected, wished=place in wished)


def _named_by_unit(amount: Amount, vocabulary: Vocabulary) -> str | None:
    """Return the measurement that the unit of a number names: a rate by its own unit, a count by what it counts."""
    if not amount.unit:
        return None
    known = known_unit(amount.unit)
    if known is not None and known.counts and known.dimension.is_plain:
        counted = vocabulary.names.find(tokens(amount.unit))
        return counted[0].meaning if counted else None
    return vocabulary.by_unit.get(folded_unit(amount.unit))


def _wished(found: Sequence[Amount], statement: Statement) -> set[int]:
    """Return the places of the numbers that are wanted or of something else: a mark stands right before or behind."""
    marks = [mention for mention in statement.marks if mention.meaning == "reference"]
    wished: set[int] = set()
    for mark in marks:
        behind = [place for place, amount in enumerate(found) if amount.start >= mark.end]
        before = [place for place, amount in enumerate(found) if amount.end <= mark.start]
        if behind and found[behind[0]].start - mark.end <= _GAP_CHARACTERS:
            wished.add(behind[0])
        elif before and mark.start - found[before[-1]].end <= _REFERENCE_BEHIND:
            wished.add(before[-1])
    return wished


def statement_names(statement: Statement, collected: Collected) -> Iterator[Mention[str]]:
    """Yield the names of measurements in a clause, the longest at each place."""
    yield from collected.vocabulary.names.find(statement.words)


def _belongs(
    mention: Mention[str], amount: Amount, names: list[Mention[str]], statement: Statement, collected: Collected
) -> bool:
    """Whether a number stands beside a name, with nothing but small words between."""
    if amount.start >= mention.end:
        start, end = mention.end, amount.start
    elif amount.end <= mention.start:
        start, end = amount.end, mention.start
    else:
        return False
    gap = statement.text[start:end]
    if len(gap) > _GAP_CHARACTERS or any(sign in gap for sign in ";。"):
        return False
    if any(other.start >= start and other.end <= end for other in names):
        return False
    between = [token for token in statement.words if start <= token.start < end]
    allowed = {
        place
        for found in collected.vocabulary.marks.overlapping(between)
        if found.meaning in _BETWEEN
        for place in range(found.first, found.after)
    }
    return len(allowed) == len(between) and (amount.start >= mention.end or not between)


def _state(
    stated: tuple[str, int, int, int],
    amount: Amount,
    statement: Statement,
    passage: Passage,
    collected: Collected,
    *,
    wished: bool,
) -> bool:
    """Take a number as a value of a measurement; False where it cannot be one. ``wished``: as what it should be.

    ``stated`` are the measurement, the place of its first word, and where the statement begins and ends.
    """
    name, first, start, end = stated
    measurement = collected.vocabulary.base.measurements[name]
    named_by_unit = collected.vocabulary.by_unit.get(folded_unit(amount.unit), name)
    read = value_of(amount, measurement) if named_by_unit == name else None
    plain = measurement.model.unit == "1" and measurement.model.kind in (Kind.SETTING, Kind.COUNT)
    misfit = plain and amount.unit and _named_by_unit(amount, collected.vocabulary) != name
    if read is None or misfit or SECOND_NUMBER.match(statement.text, amount.end):
        return False
    value, hedged = read
    if wished:
        collected.wanted.setdefault(name, value)
        return True
    if statement.negated(first):
        return False
    sure = not hedged and not statement.has("hedge") and measurement.model.decides is None
    basis = Basis.REPORTED if sure else Basis.SAID
    collected.state(passage, start, end, name, value, basis, "name and number in a sentence")
    return True


def _word_beside(mention: Mention[str], statement: Statement, collected: Collected) -> tuple[Interval, int] | None:
    """Return the range that a word beside a name stands for (low, idle, pegged), and where the word ends."""
    words = collected.vocabulary.base.measurements[mention.meaning].name.words
    if not words or statement.negated(mention.first):
        return None
    for place in (*range(mention.after, min(mention.after + 3, len(statement.words))), mention.first - 1):
        if place < 0:
            continue
        token = statement.words[place]
        interval = words.get(statement.text[token.start : token.end].casefold())
        if interval is not None and not statement.negated(place):
            return interval, max(token.end, mention.end)
    return None


def _take_phrases(sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Take the values that phrases state; every part of a phrase must stand in the sentence."""
    for meaning, places in collected.vocabulary.statements.find([each.words for each in sentence]):
        if any(sentence[at].is_question or sentence[at].has("condition") for at, _ in places):
            continue
        statement, mention = sentence[places[0][0]], places[0][1]
        value = _value_said(meaning, statement, mention, collected)
        if value is not None:
            collected.state(
                passage, mention.start, mention.end, meaning.measurement, value, Basis.SAID, "words that state it"
            )


def _value_said(
    meaning: Stated, statement: Statement, mention: Mention[int], collected: Collected
) -> str | Interval | None:
    """Return the value of a phrase; the opposite of a negated flag, nothing for another negated value."""
    kind = collected.vocabulary.base.names.kind(meaning.measurement)
    if meaning.parts == 1 and (statement.negated(mention.first) or statement.has("exclusion")):
        if kind is not Kind.FLAG:
            return None
        return "false" if meaning.value == "true" else "true"
    if kind in (Kind.FLAG, Kind.CATEGORY, Kind.SETTING):
        return meaning.value
    return None
