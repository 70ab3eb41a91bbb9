"""Counts beside a name that are no value of it: of many together, or which one of them it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.words import Mention

_ONE: Final = re.compile(r"(?:node|rank|gpu|device|card|worker|host|server|process|replica|machine)", re.I)
_MANY: Final = re.compile(r"(?:steps|iterations|iters|batches|epochs|requests)\b|步|轮|个 ?epoch|bước\b|epoch\b", re.I)
_COUNTED: Final = re.compile(r"(?<![\d.,])(?!1\s*(?:个|轮|步)?\s*$)[\d][\d,._]*\s*(?:个|k|thousand)?\s*$", re.I)


def names_one(mention: Mention[str], statement: Statement) -> bool:
    """Whether a name is that of one thing, so that a number right behind it tells which one: *node 3*."""
    return _ONE.fullmatch(statement.text, mention.start, mention.end) is not None


def is_of_many(mention: Mention[str], statement: Statement) -> bool:
    """Whether a count stands before a name in the plural, so that what follows is that of all: *500 steps take*."""
    before = statement.text[max(0, mention.start - 12) : mention.start]
    return _MANY.match(statement.text, mention.start) is not None and _COUNTED.search(before) is not None
