r"""What the words right before a block, a table or a quotation make of it: a file that is not used, a table of a paper.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.passages import passages
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> told = ("Our config:", "The repo ships this file, which we do not use:", "Table 3 of their paper:")
>>> [introduces_others(next(iter(passages(text))), vocabulary) for text in told]
[False, True, True]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.prose.labels import COLONS
from dam_expert.prose.passages import Kind
from dam_expert.prose.sentences import by_sentence, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary

#: Behind a word for others it tells that the reporter's own follows: *on his box it is fine, ours shows:*.
_OWN: Final = re.compile(
    r"\b(?:i|we|my|our|mine|ours|us|here)\b|我|咱|本|\b(?:tôi|mình|chúng tôi|bên em|bên mình)\b", re.IGNORECASE
)
#: A text as the source of what follows.
_TEXTS: Final = re.compile(
    r"\b(?:readme|docs|documentation|manual|handbook|tutorial|paper|article|blog|webinar|slides?|published|leaderboard"
    r"|spec sheet|example|upstream)\b|论文|文档|教程|手册|示例|备份|\b(?:tài liệu|bài báo|sách|ví dụ|bản mẫu)\b",
    re.IGNORECASE,
)


def introduces_others(before: Passage, vocabulary: Vocabulary) -> bool:
    """Whether the last sentence of a text heads what follows, and calls it not used or that of others."""
    if before.kind is not Kind.TEXT or not before.text.rstrip(" *_\n").endswith(COLONS):
        return False
    last = list(by_sentence(statements(before.text, vocabulary)))[-1:]
    return any(_is_not_used(each) or _is_of_others(each) for each in last)


def _is_not_used(sentence: Sequence[Statement]) -> bool:
    return any(each.has("not_used") for each in sentence)


def _is_of_others(sentence: Sequence[Statement]) -> bool:
    clause = sentence[-1]
    text = clause.text[sentence[0].clause.start : clause.clause.end]
    if _TEXTS.search(text) and not _OWN.search(text):
        return True
    marks = [each for statement in sentence for each in statement.marks if each.meaning in ("elsewhere", "unreal")]
    if not marks or any(each.has("against", "not_used") for each in sentence):
        return False
    return _OWN.search(clause.text, max(each.end for each in marks), clause.clause.end) is None
