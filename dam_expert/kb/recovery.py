"""Reading on behind a syntax error: the entry that holds it is put aside, so that it does not hide those beside it."""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from dam_expert.kb.entry import LOST

#: So many entries of one file are put aside; with more mistakes than that it is no YAML.
MOST: Final = 40

#: So many characters are read again for that in all, so that a large file costs no more than a few readings.
MOST_READ: Final = 2 * 1024 * 1024

_ITEM: Final = re.compile(r"( *)- +(?:\{ *)?[\"']?(?:id|rule|format)[\"']? *:")
_ID: Final = re.compile(r"[\"']?\bid[\"']? *: *[\"']?([a-z][a-z0-9_.]*)")
_NOTHING: Final = re.compile(r"\s*(?:#.*)?$")


@dataclasses.dataclass(frozen=True, slots=True)
class PutAside:
    """A text with one entry put aside, its lines kept in number, and the id of that entry where it can be seen."""

    text: str
    id: str | None


def without_entry(text: str, line: int) -> PutAside | None:
    r"""Return the text without the entry that holds a line, counted from 1, or None where no entry does.

    >>> without_entry("rules:\n  - id: a\n    when: [\n  - id: b\n", 3)
    PutAside(text='rules:\n  - zz_lost\n\n  - id: b\n', id='a')
    """
    lines = text.split("\n")
    start = next((at for at in range(min(line, len(lines)) - 1, -1, -1) if _ITEM.match(lines[at])), None)
    if start is None:
        return None
    found = _ITEM.match(lines[start])
    indent = found[1] if found is not None else ""
    end = start + 1
    while end < len(lines) and (end < line or _NOTHING.match(lines[end]) or _is_inside(lines[end], len(indent))):
        end += 1
    named = _ID.search("\n".join(lines[start:end]))
    kept = [*lines[:start], f"{indent}- {LOST}", *[""] * (end - start - 1), *lines[end:]]
    return PutAside("\n".join(kept), None if named is None else named[1])


def _is_inside(line: str, indent: int) -> bool:
    wide = line.expandtabs(8)
    return len(wide) - len(wide.lstrip()) > indent
