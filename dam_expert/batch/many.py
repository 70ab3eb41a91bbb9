"""``diagnose_many``: many incidents in the library, at the cost of a block."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dam_expert.batch.diagnosing import Diagnoser
from dam_expert.batch.encoding import Extra, compact
from dam_expert.batch.entries import Entry, entry, entry_of, unnamed
from dam_expert.batch.plain import Decoder
from dam_expert.documents.incident import Incident

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.kb.base import Base

BLOCK = 8192
"""Incidents that are diagnosed together."""

_SOURCE = "incident"


def diagnose_many(
    base: Base, incidents: Iterable[Incident | Mapping[str, Any]], *, rules: bool = False
) -> Iterator[dict[str, Any]]:
    """Diagnose incidents, given as values or as plain data of incident documents; yield one compact row for each.

    A row has ``id``, ``status``, ``hypothesis``, ``bottleneck``, ``axes``, ``share``, ``ceiling`` (a gain as factor),
    ``likely`` (what leads where nothing is proven), the ``next`` hypotheses in rank, and ``error`` where something was
    wrong with the incident; with ``rules`` also the rules that fired. Memory is bounded however many there are.
    """
    diagnoser, decoder = Diagnoser(base), Decoder()
    numbers = itertools.count(1)
    given = iter(incidents)
    while block := list(itertools.islice(given, BLOCK)):
        places = list(itertools.islice(numbers, len(block)))
        plain = [decoder.plain(one) if isinstance(one, Mapping) else None for one in block]
        rows = diagnoser.documents(
            plain,
            ids=[
                (one.id if one is not None else None) or unnamed(_SOURCE, n)
                for one, n in zip(plain, places, strict=True)
            ],
            sources=[f"{_SOURCE}:{number}" for number in places],
            free=[],
            others={row: _entry(base, block[row], places[row]) for row, one in enumerate(plain) if one is None},
            again=lambda row, block=block, places=places: _entry(base, block[row], places[row]),  # type: ignore[misc]
        )
        yield from compact(base, rows, Extra(rules=rules))


def _entry(base: Base, incident: Incident | Mapping[str, Any], number: int) -> Entry:
    if isinstance(incident, Incident):
        return entry(incident, (), incident.file)
    return entry_of(base, dict(incident) if isinstance(incident, Mapping) else incident, _SOURCE, number)
