"""Scrapes of one server in several files of an incident: read together, as if they stood in one file.

Two replicas of a model export the same series. So files are joined only where something in them says that it is one
process: its start time, the creation times of its counters, or its devices. Their order is that of the counters.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.serving.change import Change, grows
from dam_expert.readers.serving.exposition import named
from dam_expert.readers.serving.metrics import ServerMetricsReader, observed, scraped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.readers.serving.exposition import Scrape, Scrapes
    from dam_expert.readers.source import Source

ALIKE = 0.8
"""Part of the series of the smaller file that the larger one must have."""


@dataclasses.dataclass(frozen=True, slots=True)
class _File:
    """One file with its scrapes and what was said while it was read."""

    source: Source
    scrapes: Scrapes
    messages: tuple[Message, ...]


def read_together(sources: Sequence[Source]) -> tuple[list[Reading], list[Source]]:
    """Return a reading for each set of files that are scrapes of one server, and the sources that are left."""
    tool = ServerMetricsReader().tool
    files, unreadable = [], []
    for source in sources:
        messages: list[Message] = []
        try:
            scrapes = scraped(source, Teller(file=source.shown, tool=tool), messages)
        except OSError:
            unreadable.append(source)  # told where every other file is read
            continue
        files.append(_File(source, scrapes, tuple(messages)))
    groups: list[list[_File]] = []
    for file in files:
        group = next((each for each in groups if _one_server(each[0].scrapes.last, file.scrapes.last)), None)
        if group is None:
            groups.append([file])
        else:
            group.append(file)
    joined = [_joined(group, tool) for group in groups if len(group) > 1]
    return joined, [*unreadable, *(group[0].source for group in groups if len(group) == 1)]


def _one_server(one: Scrape, other: Scrape) -> bool:
    """Whether two scrapes are of one process: the same series, the same identity, counters that only grew."""
    shared = one.keys() & other.keys()
    if not shared or len(shared) < ALIKE * min(len(one), len(other)):
        return False
    same = _identity(one) & _identity(other)
    grown = [other[key].value - one[key].value for key in shared if grows(other[key])]
    return bool(same) and (all(step >= 0.0 for step in grown) or all(step <= 0.0 for step in grown))


def _identity(scrape: Scrape) -> set[tuple[object, ...]]:
    """Return what no other process has: when it and its counters began, and which devices it has."""
    found: set[tuple[object, ...]] = {("start", each.value) for each in named(scrape, "process_start_time_seconds")}
    found |= {(each.name, each.labels, each.value) for each in scrape.values() if each.name.endswith("_created")}
    return found | {("device", each.label("gpu_uuid")) for each in scrape.values() if each.label("gpu_uuid")}


def _joined(group: list[_File], tool: str) -> Reading:
    """Return the reading of the files of one server, in the order of its counters."""
    ordered = sorted(group, key=lambda file: _counted(file.scrapes.last))
    first, last = ordered[0], ordered[-1]
    tell = Teller(file=last.source.shown, tool=tool)
    messages: list[Message] = [message for file in ordered for message in file.messages]
    copies = _counted(first.scrapes.first) == _counted(last.scrapes.last)  # no time passed between them
    found = observed(Change(None if copies else first.scrapes.first, last.scrapes.last), tell, messages)
    text = f"read together with {first.source.shown} as scrapes of one server"
    messages.append(tell.note("scrapes-joined", text))
    for file in ordered:
        scrapes = file.scrapes
        shown = Teller(file=file.source.shown, tool=tool)
        messages += shown.not_understood(scrapes.odd, scrapes.seen, first=scrapes.first_odd)
    return Reading(
        tool=tool,
        observations=tuple(found),
        messages=tuple(messages),
        lines_read=sum(file.scrapes.seen for file in ordered),
        lines_not_understood=sum(file.scrapes.odd for file in ordered),
    )


def _counted(scrape: Scrape) -> float:
    return sum(sample.value for sample in scrape.values() if grows(sample))
