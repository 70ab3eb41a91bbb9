r"""Whether a clause under a heading of what was tried names a trial and nothing that may be one more difference.

*Peak device memory with stored losses detached* names a metric, then what was changed. Words of the first part only say
what was measured, and words right beside the change belong to it, where a word such as *with* begins it; a word or two
of them need not be known, unless it is a name or one of another machine. What stands behind another preposition, comma
or *and* may be a second change or another machine: there each word must be one for comparing or for parts of a machine.

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

import itertools
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
    r"|together|also|as well as|alongside|along|besides|beside|except|unlike|like|than|then|but|since|because"
    r"|to(?!\s*\d)|into|onto|near|inside|outside|across|via|before|behind|between|once|và|với|trên|ở|bằng|sau)\b|[,;/(:+&，、；（：]"
    r"|[和与在用后]",
    re.IGNORECASE,
)
#: Behind such a verb, what is put in place of something.
_REPLACES: Final = re.compile(r"\b(?:replac|swapp|exchang|substitut|chang|switch|convert|mov)\w*\b", re.IGNORECASE)
#: What is left out for a change belongs to it: *dense layers in place of grouped ones*.
_IN_PLACE: Final = re.compile(r"in (?:place|stead) of\b|(?<=instead )of\b|than\b(?<=rather than)", re.IGNORECASE)
_BY: Final = re.compile(r"(?:by|with|for|from|to)\b", re.IGNORECASE)
#: What begins the part of a clause that tells what was changed.
_INTRODUCES: Final = re.compile(r"(?:with|without|after|using|by|when|once|với|sau|bằng)\b|[用后]", re.IGNORECASE)
#: A word that is no name and holds no number.
_PLAIN_WORD: Final = re.compile(r"[a-z]{3,}(?!['’])")
UNKNOWN: Final = 2
"""Words of what was measured or changed that need not be known."""


def is_plain_trial(statement: Statement, vocabulary: Vocabulary) -> bool:
    """Whether a clause names what was measured and at most what was changed, and nothing else that differs."""
    words = statement.words
    changes = vocabulary.trials.overlapping_tried(words)
    explained = explained_in(statement, changes, vocabulary)
    free = explained | places_of(vocabulary.trial_words.overlapping(words))
    if not changes:
        return bool(vocabulary.keys.overlapping(words)) or len(free) == len(words)
    if len(explained) == len(words):
        return True
    begins = begins_of(statement)
    parts = [sum(begin <= token.start for begin in begins) for token in words]
    first = min(each.first for each in changes)
    if first and not _is_introduced(parts[first], begins, statement):
        return False  # *client time split into sending and serving* names no change
    own = {parts[at] for each in changes for at in range(each.first, each.after)}
    beside = {at for at in range(len(words)) if at < first or parts[at] in own}
    unknown = beside - free
    return (
        explained | beside >= set(range(len(words)))
        and len(unknown) <= UNKNOWN
        and all(is_plain_word(at, statement, vocabulary) for at in unknown)
    )


def is_plain_word(at: int, statement: Statement, vocabulary: Vocabulary) -> bool:
    """Whether a word that is not known is at least no name, and none of another machine or person."""
    word = statement.words[at]
    known = vocabulary.foreign_words.overlapping([word])
    return _PLAIN_WORD.match(statement.text, word.start) is not None and not known


def explained_in(statement: Statement, changes: list[Mention[str]], vocabulary: Vocabulary) -> set[int]:
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


def begins_of(statement: Statement) -> list[int]:
    """Return where the parts of a clause begin, the first one left out.

    What is put in place of something belongs to it: *replacing lists by arrays*.
    """
    start, end = statement.clause.start, statement.clause.end
    found = [each.start() for each in _PART.finditer(statement.text, start, end)]
    edges = [start, *found]
    return [
        begin
        for before, begin in itertools.pairwise(edges)
        if not (_REPLACES.search(statement.text, before, begin) and _BY.match(statement.text, begin))
        and not _IN_PLACE.match(statement.text, begin)
    ]


def _is_introduced(part: int, begins: list[int], statement: Statement) -> bool:
    """Whether a part of a clause begins with a word that tells what was changed."""
    return part > 0 and _INTRODUCES.match(statement.text, begins[part - 1]) is not None
