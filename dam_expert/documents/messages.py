"""Problems found in inputs, as data: one line each, collected, never raised one at a time.

A message says where (file, line, column), how bad, what is wrong, what to do next, and a stable code:

>>> print(Message(file="rules/input.yaml", line=12, column=7, level=Level.ERROR, code="unknown-id",
...               text="no measurement is called 'input_gap_shar'", hint="did you mean 'input_gap_share'?"))
rules/input.yaml:12:7: error: no measurement is called 'input_gap_shar'; did you mean 'input_gap_share'? [unknown-id]
"""

from __future__ import annotations

import dataclasses
import enum
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Characters that could act on a terminal or hide: controls, zero-width and direction marks, lone surrogates.
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


class Level(enum.StrEnum):
    """How bad a problem is: an error stops what it concerns, a warning does not, a note only informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


def printable(text: str) -> str:
    r"""Return text with control characters and hidden marks spelt out, so that it cannot act on a terminal.

    >>> printable("gpu\x1b[31m")
    'gpu\\x1b[31m'
    """
    return UNSAFE.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), text)


#: Words that people write for what is called otherwise here.
_ALSO = {
    "percentage": "share", "percent": "share", "fraction": "share", "time": "duration", "seconds": "duration",
    "throughput": "rate", "speed": "bandwidth", "number": "count", "int": "count", "integer": "count",
    "float": "ratio", "bool": "flag", "boolean": "flag", "enum": "category", "string": "setting", "if": "when",
    "condition": "when", "conditions": "when", "where": "when", "reason": "because", "why": "because",
    "except": "unless", "exceptions": "unless", "name": "title", "conclusion": "then", "actions": "then",
    "references": "source", "sources": "source", "falsepositives": "limits", "false_positives": "limits",
    "value": "to", "expires": "until", "column": "match", "metric": "match", "and": "all", "or": "any", "none": "not",
    "test": "tests", "expires_on": "until", "rename": "aliases", "high": "common", "low": "rare",
}  # fmt: skip


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like a misspelt one, or None when nothing is near enough to suggest.

    >>> closest("kinds", ["kind", "unit"]), closest("boolean", ["flag", "share"]), closest("x", ["flag"])
    ('kind', 'flag', None)
    """
    import difflib

    names = list(known)
    found = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    meant = _ALSO.get(word.casefold())
    return found[0] if found else meant if meant in names else None


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """Return ``did you mean 'x'?`` for a misspelt word, or None when nothing is near."""
    found = closest(word, known)
    return f"did you mean '{found}'?" if found else None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One problem. ``line`` and ``column`` count from 1; None where an input has no lines."""

    file: str
    level: Level
    text: str
    code: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None

    def __str__(self) -> str:
        place = ":".join([printable(self.file), *(str(n) for n in (self.line, self.column) if n is not None)])
        said = printable(self.text if self.hint is None else f"{self.text}; {self.hint}")
        return f"{place}: {self.level}: {said} [{self.code}]"

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Order by place, then code and text, so that output never depends on the order of discovery."""
        return (self.file, self.line or 0, self.column or 0, self.code, self.text)


def grouped(messages: Iterable[Message], most: int = 3) -> list[Message]:
    """Return messages in their order, with one for all files of a folder of which the same is said, beyond ``most``.

    >>> told = [Message(file=f"run/{n}.md", level=Level.WARNING, text="not read", code="x") for n in range(9)]
    >>> [str(message) for message in grouped(told)]
    ['run: warning: 9 files, such as 0.md and 1.md: not read [x]']
    """
    alike: dict[Message, list[Message]] = {}
    for message in messages:
        alike.setdefault(message if message.line is not None else _of_folder(message), []).append(message)
    shown: list[Message] = []
    for key, found in alike.items():
        if key.line is not None or len(found) <= most:
            shown += found
            continue
        names = " and ".join(each.file.rpartition("/")[2] for each in found[:2])
        shown.append(dataclasses.replace(key, text=f"{len(found)} files, such as {names}: {key.text}"))
    return shown


def _of_folder(message: Message) -> Message:
    return dataclasses.replace(message, file=message.file.rpartition("/")[0] or ".")


def has_errors(messages: Iterable[Message]) -> bool:
    """Whether any of the messages is an error."""
    return any(message.level is Level.ERROR for message in messages)
