r"""Which items of a list stand by themselves, so that their values may decide.

An item holds for those nested in it, and one that tells where the values come from holds for all of its list.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.passages import passages
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> found = passages("- step time: 1 s\n- on a laptop\n  - step time: 2 s\n- [ ] step time: 3 s\n")
>>> [each.text for each, stands in zip(found, standing_items(found, vocabulary), strict=True) if stands]
['step time: 1 s', 'on a laptop']
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.prose.enclosing import folded_head
from dam_expert.prose.labels import parted
from dam_expert.prose.passages import Kind
from dam_expert.prose.words import places_of, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.vocabulary import Vocabulary

_CHANGE = re.compile(r"(?:^|[:：=|])\s*[*`]*[+＋]\s*\d")
_DIGIT = re.compile(r"\d")
_OF_ORIGIN = ("origin", "remark")


def standing_items(found: Sequence[Passage], vocabulary: Vocabulary) -> list[bool]:
    """Return for each passage of a section whether it stands by itself.

    A value with a plus sign is a change, and one that goes on in the next line may be anything.
    """
    stands: list[bool] = []
    above: list[Passage] = []
    for each in found:
        if each.kind is Kind.ITEM:
            while above and above[-1].indent >= each.indent:
                above.pop()
            above.append(each)
        parents = above[:-1] if each.kind is Kind.ITEM else []
        whole = each.kind is not Kind.ITEM or "\n" not in each.text.strip()
        free = whole and not each.aside and _CHANGE.search(each.text) is None
        stands.append(free and all(_is_plain_parent(parent, vocabulary) for parent in parents))
    return stands


def tells_origin(item: Passage, vocabulary: Vocabulary) -> bool:
    """Whether an item tells where the values of its list come from: *source: a manual*, *status: old*."""
    label, colon, rest = parted(item.text)
    words = significant(tokens(label))
    if item.kind is not Kind.ITEM or not colon or not rest.strip() or not words:
        return False
    marks = [mention for mention in vocabulary.marks.overlapping(words) if mention.meaning in (*_OF_ORIGIN, "neutral")]
    return len(places_of(marks)) == len(words) and any(mention.meaning in _OF_ORIGIN for mention in marks)


def is_in_words(item: Passage, vocabulary: Vocabulary) -> bool:
    """Whether an item is neither a value nor a plain head of those nested in it: *on a laptop*, *goals:*."""
    if item.kind is not Kind.ITEM or _DIGIT.search(item.text) or _is_plain_parent(item, vocabulary):
        return False
    label, colon, rest = parted(item.text)
    if colon and rest.strip():
        return False
    return bool(colon) or not vocabulary.keys.overlapping(significant(tokens(label)))


def _is_plain_parent(parent: Passage, vocabulary: Vocabulary) -> bool:
    return not parent.aside and folded_head(parent.text) in vocabulary.heads.plain | vocabulary.heads.neutral
