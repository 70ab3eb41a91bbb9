r"""Which headings of a report leave the values below them as they are.

A heading holds for all sections below it, whatever they are called: *Measured* below *Goals* tells goals. No list holds
all the words that make something else of values, so each heading around a section must be one that is known to say
nothing of it. Only a title is free, for it tells what is wrong, unless it speaks of the report: *Template*, *Goals*.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.passages import passages
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> found = passages("# Slow\n\n## Measured\n\n- a: 1\n\n## Goals\n\nFast.\n\n### Measured\n\n- a: 2\n")
>>> [each.text for each, free in zip(found, under_free_headings(found, vocabulary), strict=True) if free]
['Slow', 'Measured', 'a: 1', 'Goals', 'Fast.']
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.prose.passages import HEADS, Kind
from dam_expert.prose.sentences import statements
from dam_expert.prose.words import places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary

_OF_REPORTS = ("reference", "elsewhere", "case", "condition", "planned", "hedge", "before", "unreal")
"""Marks that, alone in a title, tell what its report is."""
_SMALL = ("neutral", "values_ahead", "values_named", "measures", "total", "statistic")
_COMPARED = ("compared_better", "compared_same", "compared_worse")


def folded_head(text: str) -> str:
    """Return a heading as it is looked up."""
    return text.strip(" :：*_").casefold()


def under_free_headings(found: Sequence[Passage], vocabulary: Vocabulary) -> list[bool]:
    """Return for each passage whether the headings around its section, the nearest one left out, change nothing.

    A heading with nothing below it holds for the next one too, whatever its level.
    """
    free: list[bool] = []
    above: list[Passage] = []
    titled = True
    before: Passage | None = None
    for each in found:
        if each.kind is Kind.TITLE:
            titled = titled and _is_free_title(each, vocabulary)
        if each.kind in HEADS:
            while above and above[-1].level >= each.level and above[-1] is not before:
                above.pop()
            above.append(each)
        free.append(titled and all(_is_free(head, vocabulary) for head in above[:-1]))
        before = each if each.kind is Kind.HEADING else None
    return free


def _is_free(head: Passage, vocabulary: Vocabulary) -> bool:
    if head.kind is Kind.TITLE and head.level <= 1:
        return True
    return folded_head(head.text) in vocabulary.heads.plain | vocabulary.heads.neutral


def _is_free_title(title: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a title tells a complaint, not what the report is. A comparison with others is a complaint."""
    if _is_of_an_owner(title.text, vocabulary):
        return False
    for statement in statements(title.text, vocabulary):
        if _names_but_a_place(statement, vocabulary):
            return False
        if statement.has("unreal") or (statement.has("elsewhere") and not statement.has(*_COMPARED)):
            return False
        marks = [mention for mention in statement.marks if mention.meaning in (*_OF_REPORTS, *_SMALL)]
        explained = places_of(marks) | {at for at, word in enumerate(statement.words) if word.word.isdigit()}
        if len(explained) == len(statement.words) and statement.has(*_OF_REPORTS):
            return False
    return True


def _is_of_an_owner(title: str, vocabulary: Vocabulary) -> bool:
    """Whether a title names somebody's machine or run: *Bob's machine*, *小王的机器*, *máy của Bình*."""
    things = "|".join(sorted(map(re.escape, vocabulary.words_of["owned"]), key=lambda word: (-len(word), word)))
    english = (
        rf"(?<![\w])(?!(?:it|that|what|there|here|let)\b)[^\W\d_][\w-]*['’]s?\s+(?:[\w-]+\s+){{0,2}}(?:{things})\b"
    )
    turned = rf"\b(?:{things})s?\s+of\s+(?-i:[A-Z])[a-z]+\b"
    chinese = rf"^\s*(?!我|本|咱)\S{{1,8}}的(?:{things})\s*$"
    vietnamese = rf"(?:{things})\s+của\s+(?!tôi|chúng|mình|bên|team|nhóm|ta\b)"
    return any(re.search(each, title, re.IGNORECASE) for each in (english, turned, chinese, vietnamese))


def _names_but_a_place(statement: Statement, vocabulary: Vocabulary) -> bool:
    """Whether a title names a machine or a run, and neither a metric nor a complaint: *Node A*, *new server*."""
    owned = places_of(each for each in statement.marks if each.meaning == "owned")
    if not owned:
        return False
    known = vocabulary.known_places(statement.words, vocabulary.keys, vocabulary.track_words, vocabulary.levers)
    return known <= owned and not statement.has(*_COMPARED)
