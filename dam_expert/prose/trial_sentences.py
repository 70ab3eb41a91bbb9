r"""Whether a clause under a heading of what was tried names a trial and nothing that may be one more difference.

*Peak device memory with stored losses detached* names a metric, then what was changed. Words of the first part only say
what was measured, and words right beside the change belong to it. What stands behind another preposition, comma or
*and* may be a second change or another machine: there each word must be one for comparing or for parts of a machine.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.sentences import statements
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> for text in ("Peak device memory with stored losses detached.", "Step time with pinned memory on Bob's box."):
...     [is_plain_trial(each, vocabulary) for each in statements(text, vocabulary)]
[True]
[False]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.prose.words import places_of

if TYPE_CHECKING:
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

_OF_ATTEMPTS: Final = ("neutral", "now", "statistic", "total", "tried", "comparing")
#: Where another part of a clause begins.
_PART: Final = re.compile(
    r"\b(?:and|or|plus|with|without|after|under|on|at|in|by|from|using|against|versus|vs|while|when|where|for|through"
    r"|together|also|và|với|trên|ở|bằng|sau)\b|[,;/(:，、；（：]|[和与在用后]",
    re.IGNORECASE,
)


def is_plain_trial(statement: Statement, vocabulary: Vocabulary) -> bool:
    """Whether a clause names what was measured and at most what was changed; with a change, nothing else that differs."""
    words = statement.words
    changes = vocabulary.trials.overlapping(words)
    explained = _explained(statement, changes, vocabulary)
    free = explained | places_of(vocabulary.trial_words.overlapping(words))
    if not changes:
        return bool(vocabulary.keys.overlapping(words)) or len(free) == len(words)
    parts = _parts(statement)
    first = min(each.first for each in changes)
    own = {parts[at] for each in changes for at in range(each.first, each.after)}
    return all(at in (free if at < first or parts[at] in own else explained) for at in range(len(words)))


def _explained(statement: Statement, changes: list[Mention[str]], vocabulary: Vocabulary) -> set[int]:
    """Return the places of words of metrics, of changes, for comparing and for parts of a machine."""
    words = statement.words
    marks = [mention for mention in statement.marks if mention.meaning in _OF_ATTEMPTS]
    topics = [
        mention
        for meaning, places in vocabulary.topics.find([words])
        if not meaning.hint and meaning.parts == 1
        for _, mention in places
    ]
    return places_of((*vocabulary.keys.overlapping(words), *changes, *marks, *topics))


def _parts(statement: Statement) -> list[int]:
    """Return for each word of a clause in which part of it that word stands."""
    begins = [found.start() for found in _PART.finditer(statement.text, statement.clause.start, statement.clause.end)]
    return [sum(begin <= token.start for begin in begins) for token in statement.words]
