"""Cells: what is known of one column, resolved from all observations of its measurement.

Sources that disagree: the more trusted wins; equally trusted ones within the tolerance give their hull, beyond it the
value is unknown and both are listed as rejected.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import TYPE_CHECKING

import msgspec

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dam_expert.documents.observations import Value

_WORST_FIRST = (Basis.SAID, Basis.REPORTED, Basis.TOOL)


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """The value of one column. ``decisive``: a comparison with it may carry a confirmation or refutation.

    ``stale``: something behind it is older than the last change that was kept, so that it is no figure of the present.
    """

    value: Value
    basis: Basis
    decisive: bool
    observations: tuple[Observation, ...] = ()
    stale: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """An observation that is not used, and why."""

    observation: Observation
    reason: str


def worst(bases: Sequence[Basis]) -> Basis:
    """Return the worst of several bases: a value made of others is only as well known as the least of them."""
    if len(bases) == 1:
        return bases[0]
    return next((basis for basis in _WORST_FIRST if basis in bases), Basis.TOOL)


def agree(
    observations: Sequence[Observation], tolerance: float, trust: Callable[[Observation], int]
) -> tuple[Value | None, tuple[Observation, ...], list[Rejection]]:
    """Settle observations of one thing: the value (None if they contradict), those behind it, and the rejected."""
    if len(observations) == 1:
        return observations[0].value, (observations[0],), []
    latest = _latest(observations)
    top = max(trust(observation) for observation in latest)
    best = tuple(observation for observation in latest if trust(observation) == top)
    values = [observation.value for observation in best if observation.value is not None]
    agreed = _agreed(values, tolerance)
    if agreed is None:
        places = ", ".join(sorted({str(observation.origin) for observation in best}))
        reason = f"equally trusted sources contradict each other ({places}): measure again"
        return None, (), [Rejection(observation=observation, reason=reason) for observation in best]
    return agreed, best, []


def _latest(observations: Sequence[Observation]) -> list[Observation]:
    """Keep those of the latest time; undated ones count as of any time."""
    moments = [None if observation.when is None else moment_of(observation.when) for observation in observations]
    times = [moment for moment in moments if moment is not None]
    if not times:
        return list(observations)
    newest = max(times)
    return [kept for kept, moment in zip(observations, moments, strict=True) if moment in (None, newest)]


def moment_of(when: str) -> datetime.datetime | None:
    """Return a time so that times of different zones compare: one without a zone is UTC, what is no time is None."""
    try:
        moment = datetime.datetime.fromisoformat(when)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.UTC)


def _agreed(values: Sequence[Value], tolerance: float) -> Value | None:
    words = {value for value in values if isinstance(value, str)}
    numbers = [value for value in values if isinstance(value, Interval)]
    if words:
        return words.pop() if len(words) == 1 and not numbers else None
    hull = numbers[0]
    for number in numbers[1:]:
        hull = hull.hull(number)
    gap = max(number.lo for number in numbers) - min(number.hi for number in numbers)
    size = max(max(abs(number.lo), abs(number.hi)) for number in numbers)
    return hull if gap <= 0 or gap <= tolerance * size else None


def combined(values: Sequence[Value], how: str) -> Value | None:
    """Return the value of the whole from those of its members; words combine only if they are the same."""
    words = {value for value in values if isinstance(value, str)}
    if words:
        return words.pop() if len(words) == 1 and all(isinstance(value, str) for value in values) else None
    numbers = [value for value in values if isinstance(value, Interval)]
    lows, highs = [number.lo for number in numbers], [number.hi for number in numbers]
    match how:
        case "max":
            return Interval(max(lows), max(highs))
        case "min":
            return Interval(min(lows), min(highs))
        case "sum":
            return Interval(sum(lows), sum(highs))
        case _:
            return Interval(sum(lows) / len(lows), sum(highs) / len(highs))


def spread(values: Sequence[Interval]) -> Interval | None:
    """Return (max - min) / median over the members, or None below two of them or where the median may be zero.

    >>> spread([Interval.point(1.0), Interval.point(2.0), Interval.point(2.0)])
    Interval(lo=0.5, hi=0.5)
    """
    if len(values) < 2:
        return None
    lows, highs = sorted(value.lo for value in values), sorted(value.hi for value in values)
    least = max(0.0, lows[-1] - highs[0])
    most = highs[-1] - lows[0]
    middle = Interval(_median(lows), _median(highs))
    if middle.lo <= 0.0:
        return None
    return Interval(least / middle.hi, most / middle.lo)


def _median(ordered: Sequence[float]) -> float:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
