"""Entries: incidents as they were read, from plain data of any source."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from dam_expert.documents.incident import incident_from
from dam_expert.documents.incident_values import SCHEMA
from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.reading import OriginOf, PlaceOf
    from dam_expert.kb.base import Base

NOTHING = "nothing in it can be used"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One incident. ``source`` is its file, with the line or row where it has one; ``error``: what went wrong.

    An entry with an error may still have an incident: what was readable is diagnosed all the same. ``free`` are the
    values of keys that are no measurements (``x-team``), by which summaries count.
    """

    id: str
    source: str
    incident: Incident | None = None
    error: str | None = None
    messages: tuple[Message, ...] = ()
    free: dict[str, str] = dataclasses.field(default_factory=dict)


def entry_of(
    base: Base,
    data: object,
    file: str,
    line: int | None,
    *,
    place: tuple[OriginOf, PlaceOf] | None = None,
    before: Sequence[Message] = (),
) -> Entry:
    """Read one incident from plain data that stands at a line (or row) of a file.

    A table or stream need not repeat the schema in every row; a schema that is stated must be the right one. Without
    an id the incident is named after its file and line. ``before`` was said already while the data was parsed.
    """
    source = file if line is None else f"{file}:{line}"
    name = unnamed(file, line)
    if not isinstance(data, dict):
        return Entry(id=name, source=source, error="a mapping is expected here: one incident")
    origin = Origin(file=file, line=line)
    origin_of, place_of = place or ((lambda _: origin), None)
    stated = {"schema": SCHEMA, "id": name, **{key: value for key, value in data.items() if value not in (None, "")}}
    incident, messages = incident_from(stated, base.names, origin_of, place_of=place_of)
    return entry(incident, (*before, *messages), source, free=free_values(data))


def unnamed(file: str, line: int | None) -> str:
    """Return what an incident without an id is called.

    >>> unnamed("runs/fleet.jsonl", 7)
    'fleet-7'
    """
    return _stem(file) if line is None else f"{_stem(file)}-{line}"


@functools.lru_cache(maxsize=8)
def _stem(file: str) -> str:
    return PurePath(file).name.split(".")[0] or "incident"


def entry(incident: Incident, messages: Sequence[Message], source: str, *, free: dict[str, str] | None = None) -> Entry:
    """Return the entry of an incident that was read, with the first of its errors."""
    something = incident.observations or incident.settings or incident.target or incident.planned or incident.tried
    return Entry(
        id=incident.id,
        source=source,
        incident=incident if something else None,
        error=error_of(messages) or (None if something else NOTHING),
        messages=tuple(messages),
        free=free or {},
    )


def error_of(messages: Sequence[Message]) -> str | None:
    """Return the first error in one line with its code, and how many more there are; None where there is none."""
    errors = [message for message in messages if message.level is Level.ERROR]
    if not errors:
        return None
    first = errors[0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{first.text if first.hint is None else f'{first.text}; {first.hint}'} [{first.code}]{more}"


def free_values(data: dict[str, Any]) -> dict[str, str]:
    """Return the plain values of ``x-`` keys, as text."""
    return {
        key: str(value)
        for key, value in data.items()
        if isinstance(key, str) and key.startswith("x-") and isinstance(value, str | int | float | bool)
    }
