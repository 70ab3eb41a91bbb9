"""What changed between two bases: entries added, removed, and the fields of those that stayed."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import TYPE_CHECKING, Any

from dam_expert.kb.describe import KINDS, entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base

_LONGEST = 100


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One entry that differs. ``kind``: added, removed or changed; ``fields`` are (name, before, after)."""

    section: str
    id: str
    kind: str
    fields: tuple[tuple[str, str, str], ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield the difference in lines; fields are indented."""
        sign = {"added": "+", "removed": "-", "changed": "~"}[self.kind]
        yield f"{sign} {self.section}: {self.id}"
        for name, before, after in self.fields:
            yield f"    {name}: {before} → {after}"


def differences(old: Base, new: Base) -> list[Difference]:
    """Return what differs, kind by kind, in the order of the ids."""
    found = []
    for section in KINDS:
        before, after = _data(old, section), _data(new, section)
        for name in sorted(before.keys() | after.keys()):
            if name not in before:
                found.append(Difference(section=section, id=name, kind="added"))
            elif name not in after:
                found.append(Difference(section=section, id=name, kind="removed"))
            elif before[name] != after[name]:
                fields = tuple(_fields(before[name], after[name]))
                found.append(Difference(section=section, id=name, kind="changed", fields=fields))
    return found


def _data(base: Base, section: str) -> dict[str, dict[str, Any]]:
    return {name: entry.as_data() for name, entry in entries(base, section).items()}


def _fields(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield name, _short(before.get(name)), _short(after.get(name))


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def content_hash(data: object) -> str:
    """Return a short hash of plain data that depends on its content alone.

    >>> content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})
    True
    """
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
