"""From the flat items of a section to what a page is made of, so that what belongs together stands together."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.reports.model import Bar, Code, Line, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.reports.model import Item
    from dam_expert.reports.pictures import Course, Roof, Terms, Tree


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """One item of a list, and what stands under it."""

    line: Line
    inside: tuple[Block, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Listing:
    """A list; ``kind`` is ``ol`` where the marks are numbers."""

    kind: str
    entries: tuple[Entry, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Bars:
    """Bars of one scale."""

    bars: tuple[Bar, ...]


Block: TypeAlias = "Line | Code | Table | Bars | Listing | Terms | Roof | Tree | Course"


def kind_of(block: Block) -> str:
    """Return what a block is called in the template."""
    return "picture" if type(block).__module__.endswith("pictures") else type(block).__name__.lower()


def blocks(items: Sequence[Item]) -> list[tuple[str, Block]]:
    """Return the blocks of a section, each with its kind."""
    return [(kind_of(block), block) for block in _blocks(items)]


def _blocks(items: Sequence[Item]) -> Iterator[Block]:
    position = 0
    while position < len(items):
        item = items[position]
        if isinstance(item, Bar):
            bars = _run(items, position, lambda each: isinstance(each, Bar))
            yield Bars(tuple(bar for bar in bars if isinstance(bar, Bar)))
            position += len(bars)
        elif isinstance(item, Line) and item.mark:
            listing, taken = _listing(items, position, item)
            yield listing
            position += taken
        else:
            yield item
            position += 1


def _run(items: Sequence[Item], start: int, belongs: Callable[[Item], bool]) -> list[Item]:
    end = start
    while end < len(items) and belongs(items[end]):
        end += 1
    return list(items[start:end])


def _listing(items: Sequence[Item], start: int, first: Line) -> tuple[Listing, int]:
    """Take the marked lines of one depth, each with the deeper items after it."""
    entries: list[Entry] = []
    position = start
    while position < len(items):
        line = items[position]
        if not isinstance(line, Line) or not line.mark or line.depth != first.depth:
            break
        inside = _run(items, position + 1, lambda each: isinstance(each, Line | Code) and each.depth > first.depth)
        entries.append(Entry(line, tuple(_blocks(inside))))
        position += 1 + len(inside)
    numbered = first.mark.rstrip(".").isdecimal()
    return Listing("ol" if numbered else "ul", tuple(entries)), position - start
