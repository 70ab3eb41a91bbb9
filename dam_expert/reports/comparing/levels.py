"""The target of a side, and how much it varies by itself."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.reports.glossary import as_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.comparison import NoiseSource, Outcome
    from dam_expert.documents.diagnosis import Diagnosis

#: The total of the budget that holds each of these, and what single steps of it vary by: the longest over the mean.
_TOTAL_OF: Final = {"step": "step_time", "request": "request_time"}
_SPREAD_OF: Final = {"step_time": "step_time_spread"}
#: What says how much work one of these is: where it differs, their times are not of the same work.
_WORK_OF: Final = {"step_time": ("batch_size", "global_batch_size", "gradient_accumulation", "sequence_length")}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """The target of one side: what was stated or measured, and the range that equal runs would lie in, if known."""

    value: Interval
    range: Interval | None
    source: NoiseSource | None
    runs: int

    @property
    def noise(self) -> float | None:
        """Half the width of the range, as a share of its middle."""
        return None if self.range is None else (self.range.hi - self.range.lo) / 2 / self.range.mid


def common_metric(before: Diagnosis, after: Diagnosis) -> tuple[str, bool] | None:
    """Return what both sides can be compared on, and whether more of it is better: the target, else the total time."""
    first, second = before.target, after.target
    if first is not None and second is not None and first.metric == second.metric and first.actual and second.actual:
        return first.metric, first.higher_is_better
    one, other = before.budget, after.budget
    if one is None or other is None or one.id != other.id or one.total_s is None or other.total_s is None:
        return None
    return _TOTAL_OF[one.of], False


def other_work(metric: str, before: Diagnosis, after: Diagnosis) -> list[str]:
    """Return the settings that make one step more or less work on one side than on the other."""
    found = []
    for name in _WORK_OF.get(metric, ()):
        first, second = _observed(before, name), _observed(after, name)
        if first is not None and second is not None and (first.hi < second.lo or second.hi < first.lo):
            found.append(name)
    return found


def level(side: Sequence[Diagnosis], metric: str, noise: float | None) -> Level | None:
    """Return the level of a side; ``noise`` is what the caller says that it varies by, as a share, or None.

    What is known of the noise is taken in this order: what the caller says, the range of the repeats, the range that
    is stated, the longest step over the mean. None where a run of the side has no positive value.
    """
    values = [_value(diagnosis, metric) for diagnosis in side]
    known = [value for value in values if value is not None and value.lo > 0.0 and math.isfinite(value.hi)]
    if len(known) < len(values) or not known:
        return None
    hull = known[0]
    for value in known[1:]:
        hull = hull.hull(value)
    spread, source = _range(side, metric, hull, noise)
    return Level(value=hull, range=spread, source=source, runs=len(side))


def _range(
    side: Sequence[Diagnosis], metric: str, hull: Interval, noise: float | None
) -> tuple[Interval | None, NoiseSource | None]:
    if noise is not None:
        return hull * Interval(1.0 - noise, 1.0 + noise), "given"
    if len(side) > 1:
        return hull, "repeats"
    if not hull.is_point:
        return hull, "range"
    spread = _observed(side[0], _SPREAD_OF.get(metric, ""))
    if spread is not None and spread.mid >= 1.0:
        over = spread.mid - 1.0
        return hull * Interval(max(0.0, 1.0 - over), 1.0 + over), "steps"
    return None, None


def _value(diagnosis: Diagnosis, metric: str) -> Interval | None:
    """Return the target if it is the metric, else the total of the budget that is this metric."""
    if diagnosis.target is not None and diagnosis.target.metric == metric and diagnosis.target.actual is not None:
        return as_interval(diagnosis.target.actual)
    if diagnosis.budget is not None and _TOTAL_OF[diagnosis.budget.of] == metric:
        return as_interval(diagnosis.budget.total_s)
    return None


def _observed(diagnosis: Diagnosis, measurement: str) -> Interval | None:
    found = [each.value for each in diagnosis.observations if each.measurement == measurement]
    numbers = [as_interval(value) for value in found if not isinstance(value, str)]
    return next((number for number in numbers if number is not None), None)


def gain_of(before: Interval, after: Interval, *, higher_is_better: bool) -> Interval:
    """Return the factor by which the target improved; both are positive.

    >>> gain_of(Interval.point(2.0), Interval.point(1.0), higher_is_better=False)
    Interval(lo=2.0, hi=2.0)
    """
    return after / before if higher_is_better else before / after


def chance_of(before: Level, after: Level) -> float | None:
    """Return how often the repeats of two equal runs lie wholly apart, one way or the other; None without repeats.

    Of all ways to order n and m equal runs, two have all of one side first: 2 / C(n + m, n).
    """
    if before.source != "repeats" or after.source != "repeats":
        return None
    return 2.0 / math.comb(before.runs + after.runs, before.runs)


def outcome_of(before: Level, after: Level, chance: float, *, higher_is_better: bool) -> Outcome:
    """Say what can be said: nothing is called where a side's noise is not known, or where repeats are too few.

    Single steps vary more than their mean: a difference beyond that is one, and a smaller one may be one as well.
    """
    if before.range is None or after.range is None:
        return "unclear"
    if after.range.lo <= before.range.hi and before.range.lo <= after.range.hi:
        return "unclear" if "steps" in (before.source, after.source) else "same"
    by_luck = chance_of(before, after)
    if by_luck is not None and by_luck > chance:
        return "unclear"
    rose = after.range.lo > before.range.hi
    return "better" if rose == higher_is_better else "worse"
