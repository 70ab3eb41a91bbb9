"""Reading sentences: phrases that state a value, numbers beside names, and comparisons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.prose.comparisons import read_comparison
from dam_expert.prose.denials import is_absent, is_denied_behind, is_no_problem, is_part_denied, is_partly_full
from dam_expert.prose.features import is_in_use
from dam_expert.prose.identifiers import is_part_of_a_name
from dam_expert.prose.numbers import read_numbers
from dam_expert.prose.passages import Kind as PassageKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.intervals import Interval
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Stated
    from dam_expert.prose.words import Mention

_COUNTED_ZERO: Final = re.compile(r"\w*\s*[:=：]\s*0+(?:\.0+)?(?![\d.]*[1-9])")
_LABELLED_OFF: Final = re.compile(
    r"[\w ]{0,12}\??[*_`]{0,3}\s*[:=：][*_`]{0,3}\s*(?:false|no|none|off|disabled|n/a|not\b|否|无|没有|关闭|không|tắt)",
    re.I,
)
#: Between the words of a phrase with a number, that it is an end of a range.
_COMPARES: Final = re.compile(r"(?<![-=])[<>≤≥≠]|!=")
_NUMBER_GOES_ON: Final = re.compile(r"[.:]\d|\s?(?:,|/|-->?|->|→|-|–|to|or|and|、|到|或|và|hoặc)\s?\d")
_ZERO_BEFORE: Final = re.compile(r"(?<![\d.,])0\s{1,2}$")


def read_sentence(
    sentence: Sequence[Statement], passage: Passage, collected: Collected, *, numbers: bool = True
) -> None:
    """Take what the clauses of one sentence state; without ``numbers`` only what its words do."""
    _take_phrases(sentence, passage, collected)
    if not numbers:
        return
    read_numbers(sentence, passage, collected)
    for statement in sentence:
        if not (statement.is_question or statement.is_conditional or statement.has("elsewhere", "case")):
            read_comparison(statement, passage, collected)


def _take_phrases(sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Take the values that phrases state; every part of a phrase must stand in the sentence."""
    for statement in sentence:
        if statement.is_of_this_job:
            collected.lacking.update(each.meaning for each in collected.vocabulary.lacking.find(statement.words))
    switched = any(each.has("switched") for each in sentence)
    for meaning, places in collected.vocabulary.statements.find([each.words for each in sentence]):
        if not all(_tells(sentence[at], mention, passage) for at, mention in places) or _is_excepted(
            meaning, places, sentence, collected
        ):
            continue
        if any(
            not _stands_alone(sentence[at], mention) or is_partly_full(sentence[at], mention) for at, mention in places
        ):
            continue
        is_flag = switched and collected.vocabulary.base.names.kind(meaning.measurement) is Kind.FLAG
        if is_flag and meaning.parts == 1 and is_in_use(places[0][1], places[0][0], sentence, collected.vocabulary):
            continue
        if meaning.parts > 1 and _is_denied(places, sentence):
            continue
        statement, mention = sentence[places[0][0]], places[0][1]
        value = _value_said(meaning, statement, mention, collected)
        if value is not None:
            collected.state(
                passage, mention.start, mention.end, meaning.measurement, value, Basis.SAID, "words that state it"
            )


def _tells(statement: Statement, mention: Mention[int], passage: Passage) -> bool:
    """Whether a phrase is said of the job: not by others of theirs, and not behind what turns to another case.

    A question tells what is where it asks why, or heads a report with what is worse.
    """
    if passage.second_hand and statement.of_its_writer:
        return False
    before = not statement.is_of_another_case(mention.start, mention.end)
    if not statement.is_question:
        if _is_compared_with(statement, mention):
            return False
        return statement.is_of_this_job or (before and not (statement.is_conditional or statement.has("planned")))
    asks_why = statement.has("presupposes") or (passage.kind is PassageKind.TITLE and statement.has("compared_worse"))
    return asks_why and not (statement.is_conditional or statement.has("elsewhere", "case", "planned", "hedge"))


def _is_compared_with(statement: Statement, mention: Mention[int]) -> bool:
    """Whether a phrase lies wholly in what something is compared with; one that compares by itself begins before."""
    return any(start <= mention.start and mention.end <= end for start, end in statement.compared_with)


def _stands_alone(statement: Statement, mention: Mention[int]) -> bool:
    """Whether a phrase is no part of a longer name, and a number at its end is the whole of one.

    ``num_workers > 0`` and ``num_workers 0, 2, 4`` are no ``num_workers 0``.
    """
    text = statement.text
    if is_part_of_a_name(text, mention.start, mention.end):
        return False
    if not text[mention.end - 1].isdigit():
        return True
    return not (_COMPARES.search(text[mention.start : mention.end]) or _NUMBER_GOES_ON.match(text, mention.end))


def _is_denied(places: Sequence[tuple[int, Mention[int]]], sentence: Sequence[Statement]) -> bool:
    """Whether any part of a phrase, or the last for all of them, is denied by a word that is in none of them."""
    last_at, last = max(places, key=lambda each: (each[0], each[1].after))
    if is_denied_behind(sentence[last_at], last, [other for place, other in places if place == last_at]):
        return True
    return any(
        is_part_denied(sentence[at], mention, [other for place, other in places if place == at])
        for at, mention in places
    )


def _is_excepted(
    meaning: Stated, places: Sequence[tuple[int, Mention[int]]], sentence: Sequence[Statement], collected: Collected
) -> bool:
    """Whether words beside a phrase make it speak of something else."""
    exceptions = collected.vocabulary.exceptions.get(meaning.measurement)
    return (
        meaning.value != "false"
        and exceptions is not None
        and any(exceptions.find(sentence[at].words) for at, _ in places)
    )


def _value_said(
    meaning: Stated, statement: Statement, mention: Mention[int], collected: Collected
) -> str | Interval | None:
    """Return the value of a phrase; the opposite of a negated flag, nothing for another negated value."""
    kind = collected.vocabulary.base.names.kind(meaning.measurement)
    if _is_none_of(statement.text, mention):
        return None
    if meaning.parts == 1 and (
        is_absent(statement, mention) or is_no_problem(statement, mention) or statement.excludes(mention.first)
    ):
        if kind is not Kind.FLAG:
            return None
        return "false" if meaning.value == "true" else "true"
    if kind in (Kind.FLAG, Kind.CATEGORY, Kind.SETTING):
        return meaning.value
    return None


def _is_none_of(text: str, mention: Mention[int]) -> bool:
    """Whether there is none of what a phrase names: ``Swapped: 0 reqs``, ``Is debug build: False``."""
    if _LABELLED_OFF.match(text, mention.end):
        return True
    zero = _COUNTED_ZERO.match(text, mention.end)
    named = any(sign.isdigit() for sign in text[mention.start : mention.end])
    return (zero is not None and not named) or _ZERO_BEFORE.search(
        text, max(0, mention.start - 4), mention.start
    ) is not None
