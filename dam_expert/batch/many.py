"""``diagnose_many``: many incidents in the library, at the cost of a block."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dam_expert.batch.encoding import Extra, compact
from dam_expert.batch.entries import Entry, entry, entry_of
from dam_expert.batch.rows import rows_of
from dam_expert.documents.incident import Incident

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.kb.base import Base

BLOCK = 8192
"""Incidents that are diagnosed together."""


def diagnose_many(
    base: Base, incidents: Iterable[Incident | Mapping[str, Any]], *, rules: bool = False
) -> Iterator[dict[str, Any]]:
    """Diagnose incidents, given as values or as plain data of incident documents; yield one compact row for each.

    A row has ``id``, ``status``, ``hypothesis``, ``bottleneck``, ``axes``, ``share``, ``ceiling`` (a gain as factor),
    the ``next`` hypotheses in rank, and ``error`` where something was wrong with the incident; with ``rules`` also
    the rules that fired. Memory is bounded however many there are.
    """
    numbered = enumerate(incidents, 1)
    while block := list(itertools.islice(numbered, BLOCK)):
        entries = [_entry(base, incident, number) for number, incident in block]
        yield from compact(base, rows_of(base, entries), Extra(rules=rules))


def _entry(base: Base, incident: Incident | Mapping[str, Any], number: int) -> Entry:
    if isinstance(incident, Incident):
        return entry(incident, (), incident.file)
    return entry_of(base, dict(incident) if isinstance(incident, Mapping) else incident, "incident", number)
