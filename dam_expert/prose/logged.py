"""Lines of a log between fences that no reader knows: they are read as sentences are, line by line.

A fence holds source, configuration and commands as well, whose words tell nothing of what happened. So a line is taken
only where it begins as a line of a log does, with a time or a level, or else holds counted values with their names, and
where nothing in it looks like source.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.prose.passages import Kind, Piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement

MOST_LINES: Final = 2000
"""Lines of one block that are read."""
_LINE_CHARACTERS: Final = 1000
_LOGS: Final = frozenset({"", "text", "txt", "log", "logs", "console", "output", "plaintext", "plain"})
"""What a fence that holds output calls itself."""
#: Process, time and level, in any order, and where in the source the line was written.
_HEAD: Final = re.compile(
    r"\s*(?:(?:\([^()]{1,60}\)"
    r"|\[?(?:\d{2,4}[-/])?\d\d?[-/]\d\d?[T ]+\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?"
    r"|\[?\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?\]?"
    r"|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|NOTICE|CRITICAL|FATAL|[IWE]\d{4})\b\]?:?"
    r"|\[?[\w./-]{1,60}\.(?:py|cc|cpp|rs|go):\d{1,6}\]?:?)[\s|:-]*){1,6}"
)
#: ``Running: 40 reqs``: a name and a number with nothing but a colon between.
_COUNTED: Final = re.compile(r"[A-Za-z][A-Za-z ]{2,60}:\s{1,3}\d")
_SOURCE: Final = re.compile(
    r"^\s*(?:[$#>%@{}\[<]|//|--|(?:import|from|def|class|for|if|elif|else|while|return|with|try|except|raise|File|export)\b)"
    r"|[{};\\]\s*$|\w\s*\([^()]*\)\s*:?\s*$|\s--?[A-Za-z]|^\s*[\w.\[\]]+\s*[-+*/]?=|[\"']\s*:"
)


def is_logged(sentence: Sequence[Statement]) -> bool:
    """Whether lines of a log stand in a sentence: they give one value after the other."""
    text = sentence[0].text[sentence[0].clause.start : sentence[-1].clause.end]
    return any(_HEAD.match(line) or _COUNTED.search(line) for line in text.split("\n"))


def logged_lines(passage: Passage) -> Iterator[Passage]:
    """Yield the lines of a log in a block, each without its time and level, as a passage of its own."""
    if passage.language not in _LOGS:
        return
    offset = 0
    for line in passage.text.split("\n")[:MOST_LINES]:
        head = _HEAD.match(line)
        start = 0 if head is None else head.end()
        told = line[start : start + _LINE_CHARACTERS]
        is_log = head is not None or (_COUNTED.search(told) is not None and _SOURCE.search(told) is None)
        if is_log and told.strip():
            number, column = passage.place(offset + start)
            yield dataclasses.replace(passage, kind=Kind.TEXT, text=told, pieces=(Piece(0, number, column),))
        offset += len(line) + 1
