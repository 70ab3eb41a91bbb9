r"""The way of every reader of text: cleaned lines one by one into a table, then what the table has to say.

>>> from dam_expert.documents.intervals import Interval
>>> from dam_expert.readers.source import Source
>>> class Cores:
...     def __init__(self): self.found = []
...     def take(self, line, text): self.found.append((line, text)); return text.isdigit()
...     def observations(self, tell): return [tell.observe("host_cores", Interval.point(2), line=1)]
...     def complaints(self, tell): return []
>>> reading = read_lines(Source.of_bytes("x", b"2\nthree\n"), "lscpu", Cores())
>>> reading.lines_read, reading.lines_not_understood, reading.messages[0].line, reading.messages[0].text
(2, 1, 2, '1 of 2 lines were not understood and are left out')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.source import Source


class Table(Protocol):
    """What a reader gathers from lines."""

    def take(self, line: int, text: str) -> bool:
        """Take one cleaned line; False where it should have held data and did not parse."""

    def observations(self, tell: Teller) -> Iterable[Observation]:
        """Return what the lines say, after the last of them."""

    def complaints(self, tell: Teller) -> Iterable[Message]:
        """Return what keeps the lines from saying more."""


def read_lines(source: Source, tool: str, table: Table) -> Reading:
    """Return the reading of a source through a table. A reading without observations says why."""
    tell = Teller(file=source.shown, tool=tool)
    messages: list[Message] = []
    seen = odd = 0
    first: int | None = None
    for line, text in each_line(source, tell, messages):
        seen += 1
        if not table.take(line, text):
            odd, first = odd + 1, first or line
    messages += tell.not_understood(odd, seen, first=first)
    messages += table.complaints(tell)
    observations = tuple(table.observations(tell))
    return tell.reading(
        observations=observations,
        messages=tuple(messages),
        lines_read=seen,
        lines_not_understood=odd,
    )


def any_line(source: Source, pattern: re.Pattern[str]) -> bool:
    """Whether a cleaned line of the head begins with the pattern."""
    return any(pattern.match(line) for line in source.head_lines)


def said(
    tell: Teller,
    measurement: str,
    value: float | str | None,
    detail: str,
    *,
    line: int | None = None,
    scope: Scope = (),
    samples: int | None = None,
) -> Iterator[Observation]:
    """Yield one observation, nothing for a value that is not known."""
    if value is not None and value != "":
        found = value if isinstance(value, str) else Interval.point(value)
        yield tell.observe(measurement, found, scope=scope, line=line, detail=detail, samples=samples)


def only(words: set[str]) -> str | None:
    """Return the one word of a set, None where there is none or several disagree."""
    return next(iter(words)) if len(words) == 1 else None
