"""What a clause says is not so: denied in front, not in use behind, or not the problem that the report is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.words import Mention, Token

_REACH: Final = 4.0
"""Words over which a negation in front acts."""
_BESIDE: Final = 1.0
"""Words between a feature and what says of it that it is not in use: *is currently off*, 也没开."""
_AROUND: Final = 2.0
"""Words between *not* and the name of a problem: *is not really a storage problem*."""
_PART: Final = 1.5
"""Words between a negation and a part of a phrase that it denies."""
_SYLLABLE: Final = 0.5
"""How much of a word a Chinese character or a Vietnamese syllable is."""
_COMMA: Final = re.compile(r"[,，、()（）]")
#: What stands in a bracket right behind a denied word, and alone in it, says the same word again.
_OPENS: Final = re.compile(r"[^,，、()（）]*[(（][\s\"'`“”]*")
_CLOSES: Final = re.compile(r"[\s\"'`“”]*[)）]")
_SHARE_BEHIND: Final = re.compile(
    r"\s*(?:to|at|only|about|khoảng|đến|tới|了|到|约)?\s?[~≈(（]?(?P<share>\d{1,3}(?:\.\d+)?)\s?[%％]", re.IGNORECASE
)
_SHARE_BEFORE: Final = re.compile(r"(?P<share>\d{1,3}(?:\.\d+)?)\s?[%％]\s?$")
_WHOLE: Final = 100.0
#: Such a negation denies what follows it, never what stands before.
_PREPOSED: Final = re.compile(r"without|no|nor|neither|hardly any|无|非", re.IGNORECASE)
_ACTS: Final = ("acted", "tried", "used")
_JOINED: Final = re.compile(r"[\s\-–\"'`“”]*")


def negated(statement: Statement, first: int, after: int | None = None) -> bool:
    """Whether a negation stands shortly before the words of a clause from ``first`` on, in their part of it.

    A comma or a bracket parts them, save one that repeats what is denied: *no eviction (preemption)*. That takes
    ``after``, the word behind the last one.
    """
    start = statement.words[first].start
    end = start if after is None else statement.words[after - 1].end
    return any(
        each.meaning == "negation"
        and each.after <= first
        and _size(statement.words[each.after : first]) < _REACH
        and _reaches(statement.text, each.end, start, end)
        for each in statement.marks
    )


def is_absent(statement: Statement, mention: Mention[Any]) -> bool:
    """Whether a clause says that what it names is not there or not in use, in front or behind."""
    return negated(statement, mention.first, mention.after) or is_unused(statement, mention)


def is_unused(statement: Statement, mention: Mention[Any]) -> bool:
    """Whether a feature is said to be off or not in use: *is not enabled*, 没开, *chưa bật*; taking it off does too."""
    marks = statement.marks
    if any(each.meaning == "off" and each.after == mention.first and each.end <= mention.start for each in marks):
        return True
    behind = [each for each in marks if _is_behind(each, mention, statement)]
    return any(each.meaning == "unused" for each in behind) or any(
        each.meaning == "negation" and _denies_use(each, mention, statement) for each in behind
    )


def is_no_problem(statement: Statement, mention: Mention[Any]) -> bool:
    """Whether a clause says that what it names is not the problem: *not a loader problem*, 不是加载的问题."""
    if not any(each.meaning == "problem" for each in statement.marks):
        return False
    words = statement.words
    for each in statement.marks:
        if each.meaning != "negation" or each.after > mention.first or _is_doubt(each, statement):
            continue
        if _size(words[each.after : mention.first]) < _AROUND and not _COMMA.search(
            statement.text, each.end, mention.start
        ):
            return any(
                problem.meaning == "problem"
                and problem.first >= mention.after
                and _JOINED.fullmatch(statement.text, mention.end, problem.start)
                for problem in statement.marks
            )
    return False


def is_fine(statement: Statement, mention: Mention[Any]) -> bool:
    """Whether a clause says of what it names that it gives no trouble: *is not full*, *looks fine*, *no X problem*."""
    if statement.excludes(mention.first) or is_absent(statement, mention) or is_no_problem(statement, mention):
        return True
    return any(
        each.meaning == "negation"
        and _is_behind(each, mention, statement)
        and any(trouble.first == each.after for trouble in _of(statement, "trouble"))
        for each in statement.marks
    )


def is_partly_full(statement: Statement, mention: Mention[Any]) -> bool:
    """Whether what a phrase calls full is so by a share of it: *KV cache is 60 % full*, *đầy 60 %*."""
    for each in _of(statement, "filled"):
        if mention.start <= each.start < mention.end:
            behind = _SHARE_BEHIND.match(statement.text, each.end)
            share = behind or _SHARE_BEFORE.search(statement.text, max(0, each.start - 12), each.start)
            if share is not None and float(share["share"]) != _WHOLE:
                return True
    return False


def is_part_denied(statement: Statement, mention: Mention[Any], parts: Sequence[Mention[Any]]) -> bool:
    """Whether one part of a phrase is denied by a word that is in no part of it: *temperature fine, no throttling*."""
    return any(
        each.meaning in ("negation", "exclusion")
        and each.after <= mention.first
        and _size(statement.words[each.after : mention.first]) <= (_PART if each.meaning == "negation" else 0)
        and statement.words[each.first].clause == statement.words[mention.first].clause
        and not any(part.start <= each.start < part.end for part in parts)
        for each in statement.marks
    )


def is_denied_behind(statement: Statement, last: Mention[Any], parts: Sequence[Mention[Any]]) -> bool:
    """Whether words behind the last part of a phrase deny all of it: *was not observed*, *is not the problem*."""
    for each in statement.marks:
        if any(part.start <= each.start < part.end for part in parts) or not _is_behind(each, last, statement):
            continue
        if each.meaning == "exclusion" or (each.meaning == "negation" and _denies_use(each, last, statement)):
            return True
    return any(is_no_problem(statement, part) for part in parts)


def _size(words: Sequence[Token]) -> float:
    """Return how many words there are; a character or syllable is but a part of one."""
    return sum(1.0 if token.word.isascii() else _SYLLABLE for token in words)


def _reaches(text: str, end: int, start: int, close: int) -> bool:
    """Whether a negation that ends there reaches a phrase: past no comma and no bracket but one that says it again."""
    if not _COMMA.search(text, end, start):
        return True
    return close > start and bool(_OPENS.fullmatch(text, end, start)) and bool(_CLOSES.match(text, close))


def _is_behind(mark: Mention[str], mention: Mention[Any], statement: Statement) -> bool:
    """Whether a mark stands right behind a mention, in its part of the clause."""
    words = statement.words
    return (
        mark.first >= mention.after
        and _size(words[mention.after : mark.first]) <= _BESIDE
        and words[mark.first].clause == words[mention.first].clause
        and not _COMMA.search(statement.text, mention.end, mark.start)
    )


def _denies_use(negation: Mention[str], mention: Mention[Any], statement: Statement) -> bool:
    """Whether a negation denies that something is used or there; 没用 behind an act says that it gave nothing."""
    useless = any(each.meaning == "useless" and each.first <= negation.first < each.after for each in statement.marks)
    if useless and any(each.end <= mention.start for mark in _ACTS for each in _of(statement, mark)):
        return False
    if _PREPOSED.fullmatch(statement.text, negation.start, negation.end):
        return False
    at_end = negation.after == len(statement.words) or (
        statement.words[negation.after].clause != statement.words[negation.first].clause
    )
    return at_end or any(each.first == negation.after for each in _of(statement, "used"))


def _is_doubt(negation: Mention[str], statement: Statement) -> bool:
    """Whether a negation is but a part of a guess: *not sure*."""
    return any(each.first <= negation.first < each.after for each in _of(statement, "hedge"))


def _of(statement: Statement, mark: str) -> Iterator[Mention[str]]:
    return (each for each in statement.marks if each.meaning == mark)
