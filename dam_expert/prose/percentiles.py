r"""Statistics that stand apart from what they are of: *TTFT: p50 120 ms, p99 900 ms*, *p99 of the first token*.

A statistic is that of what is named right behind it, else of the last thing named before it in its sentence, else of
what the heading or the words above the list name; only where nothing is, it is that of requests. Of most things no
measurement is such a statistic: then it is the name of something else, and its number is nobody's.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.prose.words import significant, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.labels import Label, Named
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention, Token

_OF: Final = re.compile(r"\s?(?:of|for|in|de|của|的)?(?:\s(?:the|our|a))?\s?", re.IGNORECASE)
#: What a name of a statistic of requests may hold beside it: *p99 latency*.
_OF_ANY: Final = frozenset({"latency", "respons", "time", "延", "迟", "độ", "trễ"})
_OPENING: Final = re.compile(r"\s?[(（\[]$")


def family_named(text: str, vocabulary: Vocabulary) -> str:
    """Return what a heading, or the words above a list, name that has statistics; nothing where it is none or two."""
    named = {each.meaning for each in vocabulary.families.find(significant(tokens(text)))}
    return named.pop() if len(named) == 1 else ""


def statistic_named(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the measurement that a statistic and what it is of name together, *p99 首字延迟*; None for no such one."""
    words = significant(tokens(text))
    family, statistics = family_named(text, vocabulary), {each.meaning for each in vocabulary.statistics.find(words)}
    return vocabulary.statistic_of.get((family, statistics.pop())) if family and len(statistics) == 1 else None


def resolved(
    named: Sequence[Mention[str]], statement: Statement, above: str, vocabulary: Vocabulary
) -> tuple[list[Mention[str]], str]:
    """Return the names of a clause, each statistic as that of what it is of, and what was named last.

    ``above`` is what was named before the clause.
    """
    families = vocabulary.families.find(statement.words)
    last = families[-1].meaning if families else above
    apart = [
        each
        for each in vocabulary.statistics.find(statement.words)
        if not any(_says_more(name, each, statement) for name in named)
    ]
    if not apart:
        return list(named), last
    found = [name for name in named if not any(_overlap(name, each) for each in apart)]
    for each in apart:
        own = next((name for name in named if _overlap(name, each)), None)
        behind = next((name for name in families if name.start >= each.end), None)
        if behind is not None and _OF.fullmatch(statement.text, each.end, behind.start):
            found = [name for name in found if not _overlap(name, behind)]
            found.append(_as(each, _statistic(behind.meaning, each.meaning, vocabulary), behind))
            continue
        before = next((name for name in reversed(families) if name.end <= each.start), None)
        family = above if before is None else before.meaning
        if before is not None and _is_head(before, each, statement):
            found = [name for name in found if not _overlap(name, before)]
        if family:
            found.append(_as(each, _statistic(family, each.meaning, vocabulary)))
        elif own is not None:
            found.append(own)
    return sorted(found, key=lambda each: each.start), last


def _statistic(family: str, statistic: str, vocabulary: Vocabulary) -> str:
    return vocabulary.statistic_of.get((family, statistic), "")


def _as(mention: Mention[str], meaning: str, other: Mention[str] | None = None) -> Mention[str]:
    if other is None:
        return dataclasses.replace(mention, meaning=meaning)
    return dataclasses.replace(mention, meaning=meaning, end=other.end, after=other.after)


def _overlap(one: Mention[str], other: Mention[str]) -> bool:
    return one.start < other.end and other.start < one.end


def _says_more(name: Mention[str], statistic: Mention[str], statement: Statement) -> bool:
    """Whether the name of a measurement holds a statistic and what it is of: *TTFT p99*, and not *p99 latency*."""
    if not _overlap(name, statistic):
        return False
    rest = [
        token.word
        for at, token in enumerate(statement.words[name.first : name.after], name.first)
        if not statistic.first <= at < statistic.after
    ]
    adjacent = name.first > 0 and not statement.text[statement.words[name.first - 1].end : name.start].strip()
    return not _OF_ANY.issuperset(rest) or (bool(rest) and not adjacent)


def _is_head(family: Mention[str], statistic: Mention[str], statement: Statement) -> bool:
    """Whether what is named before a statistic has no number of its own: *TTFT: p50 120 ms*, *is 120 ms (p50)*."""
    between = statement.text[family.end : statistic.start]
    return not any(sign.isdigit() for sign in between) or _OPENING.search(between) is not None


def of_label(candidate: Named, label: Label, above: str, vocabulary: Vocabulary) -> Named | None:
    """Return what a label names below words that name what it is of, *p99* below *TTFT*; None for nothing."""
    found = vocabulary.statistics.find(label.words) if above else []
    if not found or not _is_all(label.words, found[0]):
        return candidate
    own = vocabulary.statistic_of.get((above, found[0].meaning))
    return None if own is None else dataclasses.replace(candidate, measurement=own)


def _is_all(words: Sequence[Token], statistic: Mention[str]) -> bool:
    rest = [token.word for at, token in enumerate(words) if not statistic.first <= at < statistic.after]
    return _OF_ANY.issuperset(rest)
