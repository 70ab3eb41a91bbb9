r"""Accelerators that somebody means to buy: a plan, whoever has it, and no hardware of the job.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.sentences import statements
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> [lever_bought(each, vocabulary) for text in ("Somebody suggested buying H100s.", "老板想再买 4 张卡。")
...  for each in statements(text, vocabulary)]
['faster_accelerator', 'more_accelerators']
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Planned
from dam_expert.prose.hardware import hardware_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

_MORE, _FASTER = "more_accelerators", "faster_accelerator"
_REACH: Final = 30
"""Characters between the verb and what is bought."""
_DONE_BEFORE: Final = re.compile(
    r"(?:\b(?:after|since|from|for|when|by|without)\s|刚刚?|已经?|\b(?:đã|mới|vừa)\s)$", re.IGNORECASE
)
_DONE_BEHIND: Final = re.compile(r"\s?[了过的来]")
_PLURAL: Final = re.compile(r"(?<=\d)s\b")
_MANY: Final = re.compile(r"\b(?:more|another|additional|extra|second)\b|再|多|加|\bthêm\b", re.IGNORECASE)
_DEVICES: Final = re.compile(
    r"\b(?:gpus?|accelerators?|graphics cards?|video cards?)\b|显卡|加速卡|张卡|块卡|\bcard(?: đồ họa| màn hình)?\b",
    re.IGNORECASE,
)


def read_purchases(sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Take as planned what a sentence says is to be bought."""
    if passage.second_hand or any(each.is_question for each in sentence):
        return
    known = {each.lever for each in collected.tried} | {each.lever for each in collected.planned}
    for statement in sentence:
        lever = lever_bought(statement, collected.vocabulary)
        if lever is not None and lever not in known:
            mention = next(each for each in statement.marks if each.meaning == "buys")
            collected.planned.append(Planned(lever=lever, origin=collected.origin(passage, mention.start)))
            collected.mark(passage, mention.start, mention.end)


def lever_bought(statement: Statement, vocabulary: Vocabulary) -> str | None:
    """Return the lever that a clause says is to be bought, or None: more accelerators, or others by their name."""
    if statement.is_conditional:
        return None
    for each in statement.marks:
        if each.meaning != "buys" or statement.negated(each.first) or _is_done(each, statement.text):
            continue
        end = min(statement.clause.end, each.end + _REACH)
        text = _PLURAL.sub(" ", statement.text)
        named = any(each.end <= name.start() < end for name in hardware_names(text, vocabulary.base.catalogue))
        bought = statement.text[each.end : end]
        many = _MANY.search(bought) or _MANY.search(statement.text, max(0, each.start - 1), each.start)
        if named:
            return _MORE if many else _FASTER
        if _DEVICES.search(bought):
            return _MORE
    return None


def _is_done(verb: Mention[str], text: str) -> bool:
    """Whether it was bought already: *since buying*, 买了, *đã mua*."""
    before = text[max(0, verb.start - 8) : verb.start]
    return _DONE_BEFORE.search(before) is not None or _DONE_BEHIND.match(text, verb.end) is not None
