"""Words for a range beside the name of a measurement: *GPU utilisation is low*, *pegged*, 很低, *thấp*."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dam_expert.documents.intervals import Interval
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

_REACH: Final = 3
"""Words behind a name within which such a word begins."""


@dataclasses.dataclass(frozen=True, slots=True)
class RangeWord:
    """A word with the range that it stands for, and where it stands in the text."""

    value: Interval
    start: int
    end: int


def range_word_beside(name: Mention[str], statement: Statement, vocabulary: Vocabulary) -> RangeWord | None:
    """Return the word for a range that stands shortly behind a name, or right before it; None for a denied one."""
    words = vocabulary.range_words.get(name.meaning)
    if words is None or statement.negated(name.first):
        return None
    swings = [each for each in statement.marks if each.meaning == "varies"]
    found = [
        each
        for each in words.find(statement.words)
        if not any(mark.first < each.after and each.first < mark.after for mark in swings)
    ]
    behind = [each for each in found if name.after <= each.first < name.after + _REACH]
    for each in (*behind, *(each for each in found if each.after == name.first)):
        if not statement.negated(each.first):
            return RangeWord(each.meaning, each.start, each.end)
    return None
