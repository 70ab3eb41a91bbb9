r"""The text of a source as a whole, for formats that are one JSON value, within a bound.

>>> unfenced("```json\n{}\n```\n")
'{}'
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import bounded_text
from dam_expert.readers.text import without_escapes

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.readers.interface import Teller
    from dam_expert.readers.source import Source

_FENCES = re.compile(r"^(?:```|~~~)[\w+-]*[ \t]*\n|\n(?:```|~~~)\s*\Z")


def whole_text(source: Source, limit: int, tell: Teller) -> tuple[str, list[Message]]:
    """Return the text of a source up to a bound, with a message for what was cut or damaged."""
    messages: list[Message] = []
    text = bounded_text(source, limit, tell, messages, hint="pass a shorter recording")
    return unfenced(without_escapes(text)), messages


def unfenced(text: str) -> str:
    """Return a pasted text without the Markdown fence around it and the blanks before it."""
    bare = text.lstrip()
    return _FENCES.sub("", bare) if bare.startswith(("```", "~~~")) else bare
