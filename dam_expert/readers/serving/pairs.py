"""Scrapes of one server in several files of an incident: read together, as if they stood in one file.

Two replicas of a model export the same series, and of two replicas the one that was started first may have counted more
of everything. So files are joined where something in them says that it is one process: its start time, the creation
times of its counters, its devices, or seconds that two processes would not have spent alike to the last digit. Where
nothing in them says so, those of one folder are joined whose names tell times and no places, in the order of the
counters: *before* and *after*, or numbers that grow. The order is always that of the counters. What could be two
scrapes of one server and could be two servers stays apart, and a note says how to tell.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.serving.change import Change, grows
from dam_expert.readers.serving.metrics import ServerMetricsReader, observed, scraped
from dam_expert.readers.serving.process import is_one_process, share_a_device

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.readers.serving.exposition import Scrape, Scrapes
    from dam_expert.readers.source import Source

_PLACES = re.compile(
    r"replica|pod|node|host|instance|server|engine|worker|rank|gpu|device|backend|shard|prefill|decode|router"
    r"|\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3}|(?<!\d)(?:80|90|91|92|93)\d\d(?!\d)"
)
"""What a name holds that tells one server from another: words, an address, a port."""

_EARLIER_OR_LATER = re.compile(
    r"(?<![a-z])(?:(?P<earlier>before|start|begin|pre|first|old|early|idle)|after|end|post|second|last|new|late)(?![a-z])"
)

#: A moment of a clock: on the same day by hour and minute, or seconds since the epoch of the same day.
_CLOCK = re.compile(
    r"(?<!\d)(?:(?:\d{4}-?\d\d-?\d\d)[t_ -]?(?P<time>\d\d[-.:_]?\d\d(?:[-.:_]?\d\d)?)"
    r"|(?<![a-z])1\d{4}(?P<epoch>\d{5}))(?!\d)"
)
#: A number behind a word for what is counted over time.
_COUNTED = re.compile(
    r"(?:^|(?<=[^a-z]))(?:t|time|scrape|scrapes|sample|snap|snapshot|metrics|minute|min|sec|step|poll|read|m|at|plus)"
    r"[-_. +]?(\d{1,5})(?:s|sec|m|min)?(?![\da-z])"
)

_TO_TELL = (
    "of one server: name them by time (before.txt and after.txt), or write the earlier and then the later into one"
    " file; scrapes with process_start_time_seconds in them tell it themselves"
)

ALIKE = 0.8
"""Part of the series of the smaller file that the larger one must have."""


@dataclasses.dataclass(frozen=True, slots=True)
class _File:
    """One file with its scrapes and what was said while it was read."""

    source: Source
    scrapes: Scrapes
    messages: tuple[Message, ...]


def read_together(sources: Sequence[Source]) -> tuple[list[Reading], list[Source], list[Message]]:
    """Return a reading for each set of files that are scrapes of one server, and the sources that are left.

    The messages are of those left that may be scrapes of one server, which nothing in them tells.
    """
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
        group = next((each for each in groups if all(_one_server(member, file) for member in each)), None)
        if group is None:
            groups.append([file])
        else:
            group.append(file)
    joined = [_joined(group, tool) for group in groups if len(group) > 1]
    alone = [group[0] for group in groups if len(group) == 1]
    notes = [_untold(*order, tool) for pair in itertools.combinations(alone, 2) if (order := _may_be_one(*pair))]
    return joined, [*unreadable, *(file.source for file in alone)], notes


def _one_server(first: _File, second: _File) -> bool:
    """Whether two scrapes are of one process: the same series, the same identity, counters that only grew."""
    if not _alike(first, second):
        return False
    later, earlier = _order(first, second)
    one, other = first.scrapes.last, second.scrapes.last
    told = is_one_process(one, other)
    if told is not None:
        return told and (later or earlier)
    names = (first.source.shown, second.source.shown)
    devices = share_a_device(one, other)
    if devices and _same_place(*map(PurePath, names)):
        return later or earlier
    return devices is not False and later != earlier and in_time(*(names if later else names[::-1]))


def _alike(first: _File, second: _File) -> bool:
    """Whether nearly all series of the smaller scrape are in the other."""
    one, other = first.scrapes.last, second.scrapes.last
    shared = one.keys() & other.keys()
    return bool(shared) and len(shared) >= ALIKE * min(len(one), len(other))


def _order(first: _File, second: _File) -> tuple[bool, bool]:
    """Return whether no counter of the second is below that of the first, and whether none is above it."""
    one, other = first.scrapes.last, second.scrapes.last
    return not Change(one, other).restarted, not Change(other, one).restarted


def _may_be_one(first: _File, second: _File) -> tuple[_File, _File] | None:
    """Return two files in the order of their counters where they may be of one server, which nothing in them tells."""
    if not _same_place(PurePath(first.source.shown), PurePath(second.source.shown)) or not _alike(first, second):
        return None
    later, earlier = _order(first, second)
    one, other = first.scrapes.last, second.scrapes.last
    if later == earlier or is_one_process(one, other) is not None or share_a_device(one, other) is False:
        return None
    return (first, second) if later else (second, first)


def _untold(earlier: _File, later: _File, tool: str) -> Message:
    text = (
        f"its counters are at or above those of {earlier.source.shown}: a later scrape of one server, or another server"
    )
    tell = Teller(file=later.source.shown, tool=tool)
    return tell.note("scrapes-apart", f"{text}; nothing in them tells which, so they are read apart", hint=_TO_TELL)


def in_time(earlier: str, later: str) -> bool:
    """Whether the names of two files of one folder tell times in this order, and are else the same.

    A time is a word for earlier or later, a number behind a word for what is counted over time, or a moment of a clock.
    Other words and numbers tell servers as well as times: *blue* and *green*, ``srv1`` and ``srv2``.

    >>> in_time("x/before.prom", "x/after.prom"), in_time("x/metrics_9.txt", "x/metrics_10.txt")
    (True, True)
    >>> in_time("x/after.prom", "x/before.prom"), in_time("x/replica-1.txt", "x/replica-2.txt"), in_time("a/1", "b/2")
    (False, False, False)
    >>> in_time("x/blue.prom", "x/green.prom"), in_time("x/srv1.prom", "x/srv2.prom"), in_time("x/1.txt", "x/2.txt")
    (False, False, False)
    """
    one, other = PurePath(earlier), PurePath(later)
    if not _same_place(one, other):
        return False
    first, second = _moment(one.name.lower()), _moment(other.name.lower())
    return first is not None and second is not None and first[0] == second[0] and first[1] < second[1]


def _same_place(one: PurePath, other: PurePath) -> bool:
    """Whether two files are of one folder and neither name tells a place."""
    return one.parent == other.parent and not any(_PLACES.search(each.name.lower()) for each in (one, other))


def _moment(name: str) -> tuple[str, tuple[int, ...]] | None:
    """Return what of a name tells no time, and what orders it; None where nothing in it tells a time."""
    word = _EARLIER_OR_LATER.search(name)
    if word is not None:
        return name[: word.start()] + name[word.end() :], (-1 if word["earlier"] else 1,)
    clock = _CLOCK.search(name)
    if clock is not None:
        told = "time" if clock["time"] else "epoch"
        digits = re.sub(r"\D", "", clock[told])
        return name[: clock.start(told)] + name[clock.end(told) :], (int(digits),)
    counted = _COUNTED.search(name)
    return None if counted is None else (name[: counted.start(1)] + name[counted.end(1) :], (int(counted[1]),))


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
    return tell.reading(
        observations=tuple(found),
        messages=tuple(messages),
        lines_read=sum(file.scrapes.seen for file in ordered),
        lines_not_understood=sum(file.scrapes.odd for file in ordered),
    )


def _counted(scrape: Scrape) -> float:
    return sum(sample.value for sample in scrape.values() if grows(sample))
