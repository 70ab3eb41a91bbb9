"""Old ids keep working: every reference to one is read as the id that took its place, and said once per reference.

Old ids come from ``aliases`` of an entry and from ``tombstones``, which may also say that nothing took the place.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.messages import Level
from dam_expert.kb.shapes import validated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.kb.located import Located
    from dam_expert.kb.models import TombstoneModel

#: Kinds whose ``aliases`` are earlier ids; those of measurements and levers are words that people use.
RENAMED: Final = ("thresholds", "symptoms", "hypotheses", "rules")

#: Fields that name other entries, alone or inside conditions, formulas and facts.
_REFERRING: Final = frozenset(
    {
        "when", "unless", "then", "group", "formula", "share", "attained", "ceiling", "works_on", "wasted_on", "sets",
        "parent", "probe", "controlled", "total", "whole", "parts", "values", "tests", "incident", "stages",
        "replaced_by",
    }
)  # fmt: skip
_WORD: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*")

Sections = dict[str, list["Located[Any]"]]


def old_ids(sections: Mapping[str, Sequence[Located[Any]]], messages: list[Message]) -> dict[str, str]:
    """Return what each old id means today. An old id that is claimed twice, or is an id still, is an error."""
    live = {located.entry.id for name, entries in sections.items() if name != "tombstones" for located in entries}
    found: dict[str, str] = {}

    def claim(located: Located[Any], old: str, new: str, *inside: str | int) -> None:
        if old in live:
            messages.append(located.message(f"'{old}' is an id in use, not an old one", "dead-alias", *inside))
        elif old in found and found[old] != new:
            text = f"'{old}' would mean both '{found[old]}' and '{new}'"
            messages.append(located.message(text, "ambiguous-alias", *inside, hint="keep one of the two"))
        else:
            found[old] = new

    for section in RENAMED:
        for located in sections[section]:
            for index, alias in enumerate(located.entry.aliases):
                claim(located, alias, located.entry.id, "aliases", index)
    for located in sections["tombstones"]:
        if located.entry.replaced_by is not None:
            claim(located, located.entry.id, located.entry.replaced_by, "id")
    for located in sections["tombstones"]:
        new = located.entry.replaced_by
        if new is not None and new not in live and new not in found:
            messages.append(located.message(f"there is no '{new}'", "unknown-id", "replaced_by"))
    return {old: _last(old, found) for old in found}


def _last(old: str, found: Mapping[str, str]) -> str:
    """Follow a chain of renames to its end; one that closes on itself ends where it began."""
    name, seen = found[old], {old}
    while name in found and name not in seen:
        seen.add(name)
        name = found[name]
    return name


def with_current_ids(sections: Sections, renamed: Mapping[str, str], messages: list[Message]) -> None:
    """Rewrite every reference to an old id, in place; each is a warning at its place."""
    gone = {x.entry.id: x.entry for x in sections["tombstones"] if x.entry.replaced_by is None}
    if not renamed and not gone:
        return
    since = {located.entry.id: located.entry.since.isoformat() for located in sections["tombstones"]}
    for name, entries in sections.items():
        if name != "tombstones":
            sections[name] = [_current(located, renamed, gone, since, messages) for located in entries]


def _current(
    located: Located[Any],
    renamed: Mapping[str, str],
    gone: Mapping[str, TombstoneModel],
    since: Mapping[str, str],
    messages: list[Message],
) -> Located[Any]:
    data = located.entry.as_written()
    changed = False

    def word(found: re.Match[str], path: tuple[str | int, ...]) -> str:
        old = found.group()
        if old in gone:
            text = f"'{old}' was removed on {gone[old].since.isoformat()}: {gone[old].because}"
            messages.append(located.message(text, "removed-id", *path))
        if old not in renamed:
            return old
        when = f" since {since[old]}" if old in since else ""
        text, hint = f"'{old}' is called '{renamed[old]}'{when}", "write the new id"
        messages.append(located.message(text, "old-id", *path, hint=hint, level=Level.WARNING))
        return renamed[old]

    def rewritten(value: object, path: tuple[str | int, ...]) -> object:
        nonlocal changed
        if isinstance(value, str):
            new = _WORD.sub(lambda found: word(found, path), value)
            changed = changed or new != value
            return new
        if isinstance(value, dict):
            return {rewritten(key, (*path, key)): rewritten(inner, (*path, key)) for key, inner in value.items()}
        if isinstance(value, list):
            return [rewritten(inner, (*path, index)) for index, inner in enumerate(value)]
        return value

    whole = {key: rewritten(value, (key,)) if key in _REFERRING else value for key, value in data.items()}
    if not changed:
        return located
    entry = validated(type(located.entry), whole)
    return dataclasses.replace(located, entry=entry)
