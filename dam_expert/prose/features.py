"""Features that a report says are in use: no complaint about them, as in *we enabled pinned memory and prefetching*."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

#: Marks of a sentence that says more of a feature than that it is in use.
_COMPLAINTS: Final = (
    "compared_worse",
    "worse",
    "persists",
    "useless",
    "nothing",
    "negation",
    "presupposes",
    "gain",
    "helped",
    "contrast",
)
_NEAR: Final = 3
"""Words between a feature and the word that says it is in use."""


def is_in_use(mention: Mention[Any], at: int, sentence: Sequence[Statement], vocabulary: Vocabulary) -> bool:
    """Whether a mention in a clause of a sentence names but a feature that is in use.

    It stands beside the word that says so, or is (a part of) the name of a lever. A sentence that complains, or tells
    what it did, is about the feature.
    """
    statement = sentence[at]
    switched = [each for each in statement.marks if each.meaning == "switched"]
    if not switched or any(each.has(*_COMPLAINTS) or each.is_question for each in sentence):
        return False
    if any(vocabulary.track_words.find(each.words) for each in sentence):
        return False
    near = any(each.first - mention.after < _NEAR and mention.first - each.after < _NEAR for each in switched)
    return near or any(
        each.first < mention.after and mention.first < each.after
        for phrases in (vocabulary.levers, vocabulary.trials)
        for each in phrases.find(statement.words)
    )
