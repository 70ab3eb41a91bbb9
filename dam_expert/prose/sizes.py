"""Settings that a label names with a number: ``latency ms batch 1``, ``images per s batch size 32``, ``after bs1``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Token

BATCH: Final = "batch_size"
_JOINED: Final = re.compile(r"^(?:bs|batch)(\d{1,6})$")


def sizes_of(rest: Sequence[Token], vocabulary: Vocabulary) -> tuple[frozenset[tuple[str, float]], list[Token]]:
    """Return the settings that the words of a label name with a number behind them, and its other words.

    Of names inside each other the longest stands: the number of a *batch size* is behind both of its words.
    """
    sizes: set[tuple[str, float]] = set()
    left: list[Token] = []
    names = [each for each in vocabulary.keys.overlapping(rest) if is_sized(each.meaning, vocabulary)]
    at = 0
    while at < len(rest):
        joined = _JOINED.match(rest[at].word)
        named = [each for each in names if each.first == at and _is_number(rest, each.after)]
        if joined:
            sizes.add((BATCH, float(joined[1])))
            at += 1
        elif named:
            longest = max(named, key=lambda each: each.after)
            sizes.add((longest.meaning, float(rest[longest.after].word)))
            at = longest.after + 1
        else:
            left.append(rest[at])
            at += 1
    return frozenset(sizes), left


def is_sized(name: str, vocabulary: Vocabulary) -> bool:
    """Whether a measurement is a setting with a unit: the size of something."""
    return vocabulary.base.names.kind(name) is Kind.SETTING and bool(vocabulary.base.measurements[name].model.unit)


def _is_number(words: Sequence[Token], at: int) -> bool:
    return at < len(words) and words[at].word.isascii() and words[at].word.isdigit()
