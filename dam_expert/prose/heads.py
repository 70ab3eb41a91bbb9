"""What stands over or ahead of values, and says what they are of: headings, keys, labels of lists, heads of columns."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.prose.entries import ProseFile


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """The words for them, lower case."""

    plain: frozenset[str]
    """Headings of lists that hold what was measured of this job, lower case."""
    tried: frozenset[str]
    """Headings of what was tried, lower case."""
    neutral: frozenset[str]
    """Headings that say nothing of the sections below them, lower case."""
    keys: frozenset[str]
    """Keys ahead of a whole text that say nothing of its values, lower case."""
    labels: frozenset[str]
    """Labels of a list that say nothing of the values beside them, lower case."""
    members: frozenset[str]
    """Labels of one member of a job, where a bare number stands behind them."""
    plain_columns: frozenset[str]
    """Heads of a column of values as they are, lower case."""
    name_columns: frozenset[str]
    """Heads of a column of names, lower case."""


def heads_of(file: ProseFile) -> Heads:
    """Return those of a vocabulary file."""
    return Heads(
        plain=_folded(file.plain_headings),
        tried=_folded(file.tried_headings),
        neutral=_folded(file.neutral_headings),
        keys=_folded(file.neutral_keys),
        labels=_folded(file.neutral_labels),
        members=_folded(file.member_labels),
        plain_columns=_folded(file.plain_columns),
        name_columns=_folded(file.name_columns),
    )


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)
