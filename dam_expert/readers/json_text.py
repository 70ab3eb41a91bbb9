r"""JSON of tools, held whole within a bound, read as far as it is good.

>>> entries('[1, {"a": 2}, {"b"', 1)
([1, {'a': 2}], False)
>>> from dam_expert.readers.source import Source
>>> documents('WARNING: old\n{"a": NaN}\n{"b": [1')
([{'a': nan}], False)
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import bounded_text
from dam_expert.readers.text import clean

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.readers.interface import Teller
    from dam_expert.readers.source import Source

JSON_BYTES = 64 * 1024**2
"""What tools print about one host in a day fits in this; more is cut."""

_BETWEEN = re.compile(r"[\s,]*")
_BEGIN = re.compile(r"(?m)^[ \t]*[\[{]")


def whole(source: Source, tell: Teller) -> tuple[str, list[Message]]:
    """Return the lines of a source, cleaned and cut at a bound, and what is to be said of that."""
    messages: list[Message] = []
    said, hint = "only its beginning is read", "pass a shorter capture"
    text = bounded_text(source, JSON_BYTES, tell, messages, hint=hint, said=said)
    return "\n".join(clean(line) for line in text.split("\n")), messages


def entries(text: str, at: int) -> tuple[list[object], bool]:
    """Return the complete entries of the array that begins at a position, and whether the array is closed."""
    decoder = json.JSONDecoder()
    found: list[object] = []
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if text[at : at + 1] == "]":
            return found, True
        try:
            entry, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return found, False
        found.append(entry)


def documents(text: str) -> tuple[list[object], bool]:
    """Return the JSON values that begin a line (one document, or one a line), and whether all of them were whole."""
    decoder = json.JSONDecoder()
    found: list[object] = []
    is_whole = True
    at = 0
    while (begin := _BEGIN.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, begin.end() - 1)
        except (ValueError, RecursionError):
            is_whole = False
            at = text.find("\n", begin.end())
            if at < 0 or len(found) == 0:
                break  # one damaged document: its inner lines are no documents of their own
        else:
            found.append(value)
    return found, is_whole
