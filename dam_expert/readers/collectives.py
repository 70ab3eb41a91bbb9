"""The collectives of one rank, as its trace shows them, and what several ranks together tell of them.

All ranks leave an all-reduce, all-gather, reduce-scatter or all-to-all at about the same time, so of one such
collective the shortest is that of the rank that came last, and what another takes longer is its wait. This needs no
common clock. (Lin et al. 2025, Understanding Stragglers in Large Model Training, arXiv 2505.05713, separate transfer
from wait in the same way.)

>>> def of(rank, *lengths):
...     return Collectives(rank=rank, world_size=2, one_group=True, step_time=1.0, steps=1,
...                        durations={("ProfilerStep#3", "allreduce", ""): lengths})
>>> found = Arrivals.over([of(0, 0.5, 0.25), of(1, 0.25, 0.125)])
>>> found.wait_share, found.last, found.delays, found.complete
(0.25, 1, {0: 0.0, 1: 0.375}, True)
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Key: TypeAlias = tuple[str, str, str]
"""Step, collective, process group with its ranks; the last is empty where the trace does not say."""

_RANK = re.compile(r"\d{1,9}")
_RANKS = re.compile(r"\[([\d, ]*)\]$")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Collectives:
    """What one rank spent in each collective, in seconds and in order, by step and group."""

    rank: int | None
    world_size: int | None
    one_group: bool
    """Whether a collective without a named group can only be one of all ranks."""
    step_time: float
    steps: int
    durations: Mapping[Key, Sequence[float]]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """How ranks arrive at the collectives that they have in common."""

    count: int
    """Collectives that could be compared."""
    steps: int
    wait_share: float
    """Time spent waiting for the last rank over the time in collectives, mean over ranks; 0 to 1."""
    delays: dict[int, float]
    """Seconds per step that a rank comes after the first, by rank."""
    spread_share: float
    """Seconds between the first and the last arrival, summed over a step, over the step."""
    last: int | None
    """The rank for which the others wait most of the time that any waits; None where it is now this one, now that."""
    complete: bool
    """Whether the traces of all ranks are here. If not, the last may be missing, and the waits are lower bounds."""

    @classmethod
    def over(cls, ranks: Sequence[Collectives]) -> Arrivals | None:
        """Return what ranks of one job show together; None where they have no collective in common."""
        present = {each.rank for each in ranks}
        size = ranks[0].world_size
        whole = size is not None and len(present) == size
        waited: dict[int, list[float]] = {}
        delays: dict[int, float] = dict.fromkeys((each.rank for each in ranks if each.rank is not None), 0.0)
        behind: dict[int, float] = dict(delays)
        count, complete, apart = 0, True, 0.0
        for group, members, lengths in _common(ranks):
            count += lengths.shape[1]
            complete &= whole or _ranks_of(group) == set(members)
            shortest, longest = lengths.min(axis=0), lengths.max(axis=0)
            apart += float((longest - shortest).sum())
            for place, rank in enumerate(members):
                total = waited.setdefault(rank, [0.0, 0.0])
                total[0] += float((lengths[place] - shortest).sum())
                total[1] += float(lengths[place].sum())
                delays[rank] += float((longest - lengths[place]).sum())
            for rank, spread in zip(lengths.argmin(axis=0), longest - shortest, strict=True):
                behind[members[int(rank)]] += float(spread)
        shares = [wait / total for wait, total in waited.values() if total]
        if not shares:
            return None
        steps = min(each.steps for each in ranks)
        late = max(behind, key=lambda rank: behind[rank])
        return cls(
            count=count,
            steps=steps,
            wait_share=sum(shares) / len(shares),
            delays={rank: delay / steps for rank, delay in sorted(delays.items())},
            spread_share=apart / steps / float(np.mean([each.step_time for each in ranks])),
            last=late if complete and behind[late] > apart / 2 else None,
            complete=complete,
        )


def _common(ranks: Sequence[Collectives]) -> Iterator[tuple[str, list[int], np.ndarray]]:
    """Yield group, ranks and durations (rank, collective) of what at least two ranks have, equally often."""
    keys = dict.fromkeys(key for each in ranks for key in each.durations)
    for key in keys:
        having = [each for each in ranks if key in each.durations and each.rank is not None]
        if len(having) < 2 or len({len(each.durations[key]) for each in having}) > 1:
            continue
        if not key[2] and not all(each.one_group for each in having):
            continue
        members = [each.rank for each in having if each.rank is not None]
        yield key[2], members, np.array([each.durations[key] for each in having])


def _ranks_of(group: str) -> set[int] | None:
    """Return the ranks that a group lists; None where it lists none or leaves some out."""
    found = _RANKS.search(group)
    return {int(rank) for rank in _RANK.findall(found[1])} if found else None
