r"""Tables in a report: one row of values under their names, or a column of names beside a column of values.

Several rows, or columns that are not told apart by words such as before and after, are several cases: nothing is taken
of the job as it is.

>>> table_labels("| metric | before | after |\n| step time | 1 s | 2 s |", frozenset({"before"}), frozenset({"after"}))
[('step time', '2 s')]
>>> table_labels("| batch size | step time |\n| 8 | 1 s |", frozenset(), frozenset())
[('batch size', '8'), ('step time', '1 s')]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.prose.words import places_of, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Collection

    from dam_expert.prose.vocabulary import Vocabulary

_NUMBER = re.compile(r"\s*[~≈<>]?\s?\d")
#: What stands behind the head of a column: *Actual (socket)*.
_BRACKETED = re.compile(r"\s?[(（][^()（）]*[)）]\s?$")
#: A column or row of many values at once.
_STATISTIC = re.compile(r"(?:p\d{2}(?:\.?\d)?|mean|avg|average|median|min|max)(?:\s?\(?\w{1,3}\)?)?", re.IGNORECASE)
_MOST_CELLS = 40
_OF_ORIGIN = ("origin", "remark", "owned")


def table_labels(text: str, old: Collection[str], now: Collection[str]) -> list[tuple[str, str]]:
    """Return the names and values that a table gives for the job as it is.

    ``old`` and ``now`` are the words of a heading for a column of another state and of the present one.
    """
    head, *body = _rows(text)
    if not body or len(head) > _MOST_CELLS:
        return []
    if len(body) == 1 and len(body[0]) == len(head) and _NUMBER.match(body[0][0]):
        return list(zip(head, body[0], strict=True))
    matrix = _of_statistics(head, body)
    if matrix:
        return matrix
    names = [_BRACKETED.sub("", name).casefold() for name in head]
    present = [at for at, name in enumerate(names) if at and name in now]
    others = [at for at, name in enumerate(names) if at and name in old]
    if len(head) == 2 and not others:
        present = [1]
    if len(present) != 1 or len(others) < len(head) - 2:
        return []
    return [(row[0], row[present[0]]) for row in body if len(row) == len(head) and not _NUMBER.match(row[0])]


def _of_statistics(head: list[str], body: list[list[str]]) -> list[tuple[str, str]]:
    """Return the values of a table of names against statistics, whichever of the two stands above: *TTFT p99*."""
    across, down = head[1:], [row[0] for row in body if len(row) == len(head)]
    statistics_above = len(across) > 1 and all(map(_STATISTIC.fullmatch, across))
    statistics_beside = len(down) > 1 and all(map(_STATISTIC.fullmatch, down))
    if statistics_above == statistics_beside:
        return []
    return [
        (f"{row[0]} {name}" if statistics_above else f"{name} {row[0]}", cell)
        for row in body
        if len(row) == len(head)
        for name, cell in zip(across, row[1:], strict=True)
    ]


def has_plain_columns(text: str, vocabulary: Vocabulary) -> bool:
    """Whether the values of a table are those of the job as it is.

    They are in one row under names of measurements, or in the one column beside their names, headed plainly.
    """
    head, *body = _rows(text)
    if len(body) == 1 and len(body[0]) == len(head) and _NUMBER.match(body[0][0]):
        return all(vocabulary.keys.overlapping(significant(tokens(cell))) for cell in head)
    if len(head) != 2:
        return False
    name, value = (cell.casefold() for cell in head)
    return (not name or name in vocabulary.heads.name_columns) and value in vocabulary.heads.plain_columns


def row_of_origin(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a row or column tells where the values of a table come from: *source*, *job*, *remark*."""
    head, *body = _rows(text)
    heads = [row[0] for row in body if row and not _NUMBER.match(row[0])] + (head[1:] if len(head) > 2 else head[:1])
    return any(_is_of_origin(cell, vocabulary) for cell in heads)


def table_pairs(text: str) -> list[tuple[str, str]]:
    """Return the names and values of a table of two columns, or of one row of values under their names."""
    head, *body = _rows(text)
    if len(body) == 1 and len(body[0]) == len(head) and _NUMBER.match(body[0][0]):
        return list(zip(head, body[0], strict=True))
    return [(row[0], row[1]) for row in body if len(row) == len(head) == 2]


def _is_of_origin(cell: str, vocabulary: Vocabulary) -> bool:
    words = significant(tokens(cell))
    marks = [mention for mention in vocabulary.marks.overlapping(words) if mention.meaning in _OF_ORIGIN]
    return bool(words) and len(places_of(marks)) == len(words) and not vocabulary.keys.find(words)


def _rows(text: str) -> list[list[str]]:
    return [[cell.strip(" *`") for cell in line.strip().strip("|").split("|")] for line in text.split("\n")]
