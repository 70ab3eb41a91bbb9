r"""Which number belongs to which name: it stands beside it with nothing but small words, or what is wanted, between."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final, Protocol

from dam_expert.documents.kinds import Kind
from dam_expert.prose.counted import is_of_many, names_one
from dam_expert.prose.words import places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.ranges import RangeWord
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

GAP_CHARACTERS: Final = 40
#: Marks that may stand between a name and its number.
BETWEEN: Final = frozenset({"neutral", "hedge", "varies"})
#: Marks that belong to a wanted number, and may stand between a name and the number that is.
OF_WISHES: Final = frozenset({"reference", "bound"})
_HAS: Final = re.compile(r"\b(?:has|have|had)\b|有|\bcó\b", re.I)
_ANOTHER: Final = re.compile(r"\b(?:and|or|và|hoặc)\b|[和或]|[,，、]")
#: *95 % of the KV cache is in use*: a share of what is named behind.
_IS_PART_OF: Final = re.compile(
    r"\sof\s(?:the\s|our\s|its\s|all\s|each\s|every\s|a\s)?(?:gpu\s)?|\s(?:dung lượng|của)\s"
    r"|\s(?:thời gian\s)?là(?:\sđể)?\s|\s?的?(?:时间)?(?:都|全)?(?:是|在|用于|花在|用来)\s?",
    re.IGNORECASE,
)
#: What parts a name from a number before it: *between 9 and 11 the TTFT is high*.
_ARTICLE: Final = re.compile(r"\b(?:the|our|my|its|a)\b", re.IGNORECASE)
COMMA: Final = re.compile(r"[,，、]")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number of a clause. ``wanted``: what should be; ``former``: what it was before a change."""

    amount: Amount
    wanted: bool = False
    former: Amount | None = None


class _Stretch(Protocol):
    """A stretch of the text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def belongs(
    mention: Mention[str],
    number: Number,
    names: Sequence[Mention[str]],
    numbers: Sequence[Number],
    statement: Statement,
    collected: Collected,
    word: RangeWord | None = None,
) -> bool:
    """Whether a number stands beside a name, with nothing but small words, or what is wanted, between.

    ``word`` is one for a range that may stand there too.
    """
    amount = number.amount
    if amount.start >= mention.end:
        start, end = mention.end, amount.start
    elif amount.end <= mention.start:
        start, end = amount.end, mention.start
    else:
        return False
    gap = statement.text[start:end]
    if len(gap) > GAP_CHARACTERS or any(sign in gap for sign in (";", "。", "--", "\\")):
        return False  # behind such a sign another sentence or option begins
    if amount.end <= mention.start and COMMA.search(gap):
        return False  # of *sequence 4096, accumulation 4* each number follows its name
    if (
        amount.start >= mention.end
        and not gap.strip(" :=#")
        and is_plain(mention.meaning, collected)
        and names_one(mention, statement)
    ):
        return False  # *node 3* is one of them
    if amount.start >= mention.end and _ANOTHER.search(gap) and is_plain(mention.meaning, collected):
        return False  # of *8 GPUs and 5 nodes* each number counts what follows it
    if amount.start >= mention.end and is_of_many(mention, statement):
        return False  # of *500 steps take 20 min* the time is that of all of them
    if amount.start >= mention.end and _HAS.search(gap) and is_plain(mention.meaning, collected):
        return False  # of *6 cores, the node has 96* the number counts what was named before
    if any(other.start >= start and other.end <= end for other in names):
        return False
    if amount.end <= mention.start and amount.unit == "%" and _IS_PART_OF.fullmatch(gap):
        return collected.vocabulary.base.names.kind(mention.meaning) is Kind.SHARE if mention.meaning else True
    wanted = [each.amount for each in numbers if each.wanted]
    marks = BETWEEN | OF_WISHES if number.wanted or any(start <= each.start < end for each in wanted) else BETWEEN
    known: list[_Stretch] = [*wanted] if word is None else [*wanted, word]
    if unexplained(statement, start, end, marks, known, collected.vocabulary):
        return False
    words = statement.words
    return amount.start >= mention.end or not (
        COMMA.search(gap) or _ARTICLE.search(gap) or any(start <= token.start < end for token in words)
    )


def is_plain(name: str, collected: Collected) -> bool:
    """Whether a measurement is a bare number, such as a count."""
    if not name:
        return False
    model = collected.vocabulary.base.measurements[name].model
    return model.unit == "1" and model.kind in (Kind.SETTING, Kind.COUNT)


def unexplained(
    statement: Statement,
    start: int,
    end: int,
    marks: frozenset[str],
    inside: Sequence[_Stretch],
    vocabulary: Vocabulary,
) -> bool:
    """Whether a stretch of a clause holds words that are neither such marks nor part of numbers."""
    between = [
        token
        for token in statement.words
        if start <= token.start < end and not any(each.start <= token.start < each.end for each in inside)
    ]
    allowed = places_of(found for found in vocabulary.marks.overlapping(between) if found.meaning in marks)
    return len(allowed) < len(between)
