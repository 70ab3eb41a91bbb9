"""Telling the project's own documents from other files, by name and by the line that declares their schema.

>>> declares("schema: dam-incident/1", "dam-incident"), declares('{"schema": "dam-diagnosis/1"', "dam-incident")
(True, False)
>>> is_incident_name("slow.dam.yaml"), is_incident_name("slow.yaml")
(True, False)
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.files import open_file

if TYPE_CHECKING:
    from pathlib import Path

HEAD: Final = 4096
"""Bytes or characters of a file in which its schema is declared."""

_INCIDENT_NAME: Final = re.compile(r"\.dam\.(?:ya?ml|json)$")


@functools.cache
def _declaration(kind: str) -> re.Pattern[str]:
    # from the word on, and no white space across lines: a thousand blank lines before it cost nothing
    return re.compile(rf"""(?m)(?:^|\{{)[ \t]*["']?schema["']?[ \t]*:[ \t]*["']?{re.escape(kind)}/""")


def declares(head: str, kind: str) -> bool:
    """Tell whether the beginning of a text declares a kind of document (``dam-incident``, ``dam-diagnosis``)."""
    return _declaration(kind).search(head[:HEAD]) is not None


def is_incident_name(name: str) -> bool:
    """Tell whether a file is an incident by its name."""
    return _INCIDENT_NAME.search(name) is not None


def is_incident(name: str, head: str) -> bool:
    """Tell whether a file is an incident, by its name or the beginning of its text."""
    return is_incident_name(name) or declares(head, "dam-incident")


def head_of(path: Path) -> str:
    """Return the beginning of a file as text. Raises OSError where it cannot be read."""
    with open_file(path) as stream:
        return stream.read(HEAD).decode("utf-8", "replace")
