r"""What of a report stands by itself, so that its values may decide.

A list of values means what the words around it make of it: another machine, an old run, a wish, a template, a joke. No
list of marks holds all such words. So a value may decide only where there are none: in a section with a plain heading
(``Measured``, ``Setup``) that holds nothing but labelled values and pasted output. Whatever else a person writes is
said.

>>> from dam_expert.prose.passages import passages
>>> found = passages("# Slow\n\n## Measured\n\n- step time: 2 s\n\n## Measured\n\nOf a friend:\n\n- step time: 3 s\n")
>>> [each.text for each in with_standing(found, frozenset({"measured"})) if each.plain]
['step time: 2 s']
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING

from dam_expert.prose.passages import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from dam_expert.prose.passages import Passage

_BARE = (Kind.ITEM, Kind.TABLE, Kind.CODE)
_HEADS = (Kind.TITLE, Kind.HEADING)


def with_standing(found: Sequence[Passage], plain_headings: Set[str]) -> list[Passage]:
    """Return the passages of a report, those of plain sections marked as ``plain``."""
    return [
        dataclasses.replace(each, plain=True) if plain and each.kind in _BARE else each
        for section in _sections(found)
        for plain in [_is_plain(section, plain_headings)]
        for each in section
    ]


def _sections(found: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Yield the passages from one heading to the next; a heading is the first of its section."""
    number = itertools.accumulate(each.kind in _HEADS for each in found)
    for _, pairs in itertools.groupby(zip(number, found, strict=True), key=lambda pair: pair[0]):
        yield [each for _, each in pairs]


def _is_plain(section: Sequence[Passage], plain_headings: Set[str]) -> bool:
    head, *rest = section
    if head.kind is not Kind.HEADING or head.text.strip(" :：*_").casefold() not in plain_headings:
        return False
    return all(each.kind in _BARE and not each.second_hand for each in rest)
