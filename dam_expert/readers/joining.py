"""What the readings of several files say together, beyond what each says alone.

Traces of the ranks of one job are one incident: every value is that of its rank, the arrival of the ranks at the
collectives is compared, and where one rank is the one that all wait for, its shares are those of the job. Whole-step
times name no rank: all ranks have the same, since they wait for each other.
"""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.collectives import Arrivals
from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.collectives import Collectives

_RANK_IN_NAME = re.compile(r"(?:^|[^a-z])(?:rank|worker|gpu)[-_ ]?(\d{1,6})(?!\d)", re.IGNORECASE)
_OF_THE_LAST = re.compile(r"_(?:share|time)$")


def joined(readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings with each trace's values under its rank, and one more for what the ranks say together."""
    ranked = _ranked(readings)
    traces = [(reading, reading.collectives) for reading in ranked if reading.collectives is not None]
    jobs: dict[int | None, list[tuple[Reading, Collectives]]] = {}
    for reading, collectives in traces:
        if collectives.rank is not None:
            jobs.setdefault(collectives.world_size, []).append((reading, collectives))
    together = [_together([reading for reading, _ in job], [each for _, each in job]) for job in jobs.values()]
    return [*ranked, *(reading for reading in together if reading is not None)]


def _ranked(readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings, those of traces that do not say their rank under the rank that their file is named after."""
    nameless = [each for each in readings if each.collectives is not None and each.collectives.rank is None]
    numbers = [_rank_in_name(_file(each)) for each in nameless]
    if len(nameless) < 2 or None in numbers or len(set(numbers)) < len(numbers):
        return list(readings)
    rank = {id(reading): number for reading, number in zip(nameless, numbers, strict=True)}
    return [_of_rank(each, rank[id(each)]) if id(each) in rank else each for each in readings]


def _rank_in_name(file: str) -> int | None:
    found = _RANK_IN_NAME.search(PurePath(file).name)
    return int(found[1]) if found else None


def _of_rank(reading: Reading, rank: int | None) -> Reading:
    assert reading.collectives is not None  # chosen by it
    scope = ("rank", str(rank))
    observations = tuple(
        dataclasses.replace(each, scope=tuple(sorted((*each.scope, scope)))) for each in reading.observations
    )
    return dataclasses.replace(
        reading, observations=observations, collectives=dataclasses.replace(reading.collectives, rank=rank)
    )


def _together(readings: Sequence[Reading], ranks: Sequence[Collectives]) -> Reading | None:
    """Return what the ranks of one job say together; None for one rank, or where nothing can be compared."""
    if len(ranks) < 2:
        return None
    tell = Teller(file=_folder(readings), tool=readings[0].tool)
    if len({each.rank for each in ranks}) < len(ranks):
        text = "several traces are of one rank: the arrival of the ranks is not compared"
        hint = "pass one trace of each rank, of the same steps"
        return tell.reading(messages=(tell.warn("same-rank", text, hint=hint),))
    found = Arrivals.over(ranks)
    if found is None:
        text = "the traces have no collective of the same step in common: the arrival of the ranks is unknown"
        hint = "record the same steps on every rank"
        return tell.reading(messages=(tell.warn("ranks-apart", text, hint=hint),))
    observations = [*_arrivals(found, len(ranks), tell), *_last(found, readings, ranks, tell)]
    return tell.reading(observations=tuple(observations))


def _arrivals(found: Arrivals, ranks: int, tell: Teller) -> Iterator[Observation]:
    detail = f"{found.count} collectives of {ranks} ranks in {found.steps} steps, longest to shortest of each"
    missing = "" if found.complete else "; at least, not all ranks are here"
    share = min(found.wait_share, 1.0)
    wait = Interval(share, share if found.complete else 1.0)
    yield tell.observe("collective_wait_share", wait, detail=detail + missing)
    if found.complete:
        spread = Interval.point(min(found.spread_share, 1.0))
        yield tell.observe("collective_arrival_spread", spread, detail=detail)
        for rank, delay in found.delays.items():
            scope = (("rank", str(rank)),)
            yield tell.observe("collective_arrival_delay", Interval.point(delay), scope=scope, detail=detail)
    if found.last is not None:
        yield tell.observe(
            "last_rank", str(found.last), detail="the others wait for it most of the time that any waits"
        )


def _last(
    found: Arrivals, readings: Sequence[Reading], ranks: Sequence[Collectives], tell: Teller
) -> Iterator[Observation]:
    """Yield the values of the rank that arrives last as those of the job: what slows it slows all."""
    scope = (("rank", str(found.last)),)
    for reading, rank in zip(readings, ranks, strict=True):
        if rank.rank != found.last:
            continue
        for each in reading.observations:
            if each.scope == scope and _OF_THE_LAST.search(each.measurement):
                detail = f"rank {found.last}, the last at the collectives: {each.origin.detail}"
                origin = dataclasses.replace(each.origin, detail=detail)
                yield dataclasses.replace(each, scope=(), origin=origin)


def _file(reading: Reading) -> str:
    return reading.observations[0].origin.file if reading.observations else ""


def _folder(readings: Sequence[Reading]) -> str:
    """Return the folder that holds the files, or the first of them where they have none in common."""
    files = [_file(reading) for reading in readings]
    try:
        return os.path.commonpath(files) or files[0]
    except ValueError:
        return files[0]
