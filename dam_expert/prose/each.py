"""Words beside a number that make it one of each device or of each node: *每卡 batch size 2*, *8 GPUs per node*."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dam_expert.prose.sentences import Statement

_PER_DEVICE: Final = re.compile(r"\s(?:per|on each|each|mỗi)\s(?:gpu|device|rank|card|worker)\b|\s?每(?:张)?卡", re.I)
_OF_EACH_DEVICE: Final = re.compile(
    r"(?:\b(?:per|on each|each|every|mỗi)[ -](?:gpu|device|rank|card|worker)"
    r"(?:\s(?:has|uses|takes|gets|with|runs|có|dùng|chạy))?(?:\s(?:a|an))?"
    r"|(?:每(?:张|块|个)?\s?(?:显卡|卡|GPU)|单卡)\s?(?:的|上|用)?)\s?$",
    re.I,
)
_PER_NODE: Final = re.compile(
    r"\s?(?:per|/|on each|in each|each|mỗi|trên mỗi)\s?(?:node|machine|host|server|máy|nút)\b", re.I
)
_OF_EACH_NODE: Final = re.compile(
    r"(?:\b(?:each|every|per|mỗi)\s(?:node|machine|host|server|máy(?: chủ)?|nút)"
    r"(?:\s(?:has|with|having|có|gồm|dùng|chạy))?"
    r"|每(?:台|个)?(?:机器|节点|服务器|机)?(?:有|上|用)?)\s?$",
    re.I,
)
_REACH: Final = 32
"""Characters before a value in which such words stand."""


def with_each_device(start: int, end: int, behind: int, statement: Statement) -> tuple[int, int]:
    """Return a stretch with the words around it that say it is of each device; ``behind``: where its number ends."""
    before = _OF_EACH_DEVICE.search(statement.text, max(statement.clause.start, start - _REACH), start)
    after = _PER_DEVICE.match(statement.text, behind)
    return start if before is None else before.start(), end if after is None else max(end, after.end())


def is_of_each_node(start: int, end: int, statement: Statement) -> bool:
    """Whether a count is that of each of several nodes, so that any total tells more: *8 GPUs per node, 16 in all*."""
    before = _OF_EACH_NODE.search(statement.text, max(statement.clause.start, start - _REACH), start)
    return before is not None or _PER_NODE.match(statement.text, end) is not None
