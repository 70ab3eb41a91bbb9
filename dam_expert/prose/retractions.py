r"""What a report says of its own values anywhere in it: that they are wrong, of others, or measured again.

Which values such a sentence means is hard to tell, and whoever writes it knows that not all are right. So it takes the
standing of every value of the report.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.passages import passages
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> [takes_all_back(each, vocabulary) for each in passages("# Slow\n\nIt waits.\n\nThe numbers above are wrong.\n")]
[False, False, True]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.prose.enclosing import folded_head
from dam_expert.prose.labels import COLONS
from dam_expert.prose.passages import LINE_CHARACTERS, Kind
from dam_expert.prose.sentence_shape import is_sentence
from dam_expert.prose.sentences import statements

if TYPE_CHECKING:
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary


def takes_all_back(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a passage in words takes back values of its report, wherever they stand."""
    if passage.kind in (Kind.CODE, Kind.TABLE):
        return _a_line_takes_back(passage, vocabulary)
    if passage.kind is Kind.HEADING and _measures_otherwise(passage, vocabulary):
        return True
    return any(_takes_back(each, vocabulary) for each in statements(passage.text, vocabulary))


def _a_line_takes_back(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a sentence among output or in a table does so; a log may call itself corrected or updated."""
    if not vocabulary.taking_back.search(passage.text):
        return False
    lines = passage.text.replace("|", "\n").split("\n") if passage.kind is Kind.TABLE else passage.text.split("\n")
    return any(
        _takes_back(each, vocabulary)
        for line in lines
        if vocabulary.taking_back.search(line[:LINE_CHARACTERS]) and is_sentence(line[:LINE_CHARACTERS])
        for each in statements(line[:LINE_CHARACTERS], vocabulary)
        if each.words and not any(mention.meaning == "corrects" and not mention.first for mention in each.marks)
    )


def _takes_back(statement: Statement, vocabulary: Vocabulary) -> bool:
    if statement.has("retracts") or any(
        mention.meaning == "corrects" and mention.first == 0 and statement.text[mention.end :].lstrip()[:1] in COLONS
        for mention in statement.marks
    ):
        return True
    names = {mention.first for mention in vocabulary.keys.overlapping(statement.words)}
    numbered = any(word.word.isdigit() for word in statement.words)
    if numbered and any(mention.meaning == "real" and mention.after in names for mention in statement.marks):
        return True
    doubted = statement.has("wrong", "unreal", "elsewhere")
    return (doubted and statement.has("values_named")) or (statement.has("unreal") and statement.has("origin"))


def _measures_otherwise(head: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a heading tells of measurements in another state than a plain one: *measured after the fix*."""
    known = vocabulary.heads.plain | vocabulary.heads.neutral | vocabulary.heads.tried
    return folded_head(head.text) not in known and any(
        each.has("measures") for each in statements(head.text, vocabulary)
    )
