"""The closed budget of a step or request: disjoint parts as shares of the whole, and the residual none explains.

It is that of the present: what is older than the last change that was kept has no part in it, and none in a ceiling.
What a change was to bring is another matter: that was predicted from what was known before it.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.engine.columns import bare
from dam_expert.physics.amdahl import ceiling, recoverable_share
from dam_expert.physics.budget import exceeds, residual_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.engine.columns import Columns
    from dam_expert.kb.base import Base, Budget, Hypothesis

_WHOLE = Interval(0.0, 1.0)
#: Bottlenecks that are work, not waiting: what removing them gives back depends on the attainable rate.
WORK: Final = ("compute", "memory")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PartValue:
    """What a part takes. ``recoverable`` is its share for waiting parts, unknown for work on the device."""

    id: str
    title: str
    share: Interval | None
    seconds: Interval | None
    recoverable: Interval | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BudgetValue:
    """A budget over one incident; with a ``contradiction`` its parts exceed the whole, and it is not used."""

    budget: Budget
    total: Interval | None
    parts: tuple[PartValue, ...]
    residual: Interval | None
    contradiction: str | None

    @property
    def known(self) -> int:
        """How many parts are known."""
        return sum(part.share is not None for part in self.parts)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """The budgets of an incident, and by hypothesis what it costs and what removing it could give back."""

    budgets: tuple[BudgetValue, ...]
    share: Mapping[str, Interval]
    recoverable: Mapping[str, Interval]

    @property
    def leading(self) -> BudgetValue | None:
        """The budget that is shown: the one of which most parts are known, the first of the base among equals."""
        known = [budget for budget in self.budgets if budget.known]
        return max(known, key=lambda budget: budget.known) if known else None


def shares_of(base: Base, columns: Columns, *, older: bool = False) -> Shares:
    """Compute every budget and, through it or through its own formula, the share of every hypothesis.

    ``older``: with what is older than the last change.
    """
    source = _Older(columns) if older else columns
    return _shares_of(base, source)


class _Older:
    """Columns in which what is older than a change stands for the present."""

    def __init__(self, columns: Columns) -> None:
        self.present = columns.number
        self.present_value_of = columns.value_of


def _shares_of(base: Base, columns: Columns | _Older) -> Shares:
    budgets = tuple(_budget(budget, columns) for budget in base.budgets.values())
    parts = {part.id: part for budget in budgets if budget.contradiction is None for part in budget.parts}
    share: dict[str, Interval] = {}
    recoverable: dict[str, Interval] = {}
    for hypothesis in _with_share(base):
        own = _share(hypothesis, parts, columns)
        if own is None:
            continue
        share[hypothesis.id] = own
        back = _recoverable(hypothesis, own, parts, columns)
        if back is not None:
            recoverable[hypothesis.id] = back
    return Shares(budgets=budgets, share=share, recoverable=recoverable)


def overfull(base: Base, columns: Columns) -> frozenset[str]:
    """Return the parts of budgets that add up to more than the whole: one of them is wrong, so none decides."""
    return frozenset(
        part.share
        for budget in base.budgets.values()
        if _is_overfull(_least(budget, columns), budget)
        for part in budget.model.parts
    )


def most_gained(base: Base, columns: Columns) -> dict[str, float]:
    """Return by hypothesis the largest factor that removing it can give beside all else that takes the time.

    Only work leaves no room: a wait may be counted under another one, as forming a batch is under queueing. Hypotheses
    that nothing bounds are left out.
    """
    rooms: dict[str, float] = {}
    for budget in base.budgets.values():
        known = {part.share: columns.number(bare(part.share)) for part in budget.model.parts}
        work = {part.share for part in budget.model.parts if not part.waiting}
        least = {name: share.lo for name, share in known.items() if name in work and share is not None}
        for name, share in known.items():
            room = 1.0 - sum(low for other, low in least.items() if other != name)
            room = room if share is None else min(share.hi, room)
            rooms[name] = min(max(room, 0.0), rooms.get(name, 1.0))
    parts = {part.id: part.share for budget in base.budgets.values() for part in budget.model.parts}
    most: dict[str, float] = {}
    for hypothesis in _with_share(base):
        own = _share(hypothesis, {}, _Older(columns))
        room = rooms[parts[hypothesis.part]] if hypothesis.part in parts else 1.0 if own is None else own.hi
        if room < 1.0:
            most[hypothesis.id] = float(ceiling(room))
    return most


@functools.lru_cache(maxsize=8)
def _with_share(base: Base) -> tuple[Hypothesis, ...]:
    """Return the hypotheses that can have a share of time: through a part of a budget, or a formula of their own."""
    return tuple(one for one in base.hypotheses.values() if one.part is not None or one.share is not None)


def _share(hypothesis: Hypothesis, parts: Mapping[str, PartValue], columns: Columns | _Older) -> Interval | None:
    if hypothesis.part is not None:
        part = parts.get(hypothesis.part)
        return None if part is None else part.share
    if hypothesis.share is None:
        return None
    value = columns.present_value_of(hypothesis.share)
    return None if value is None else value.intersection(_WHOLE)


def _recoverable(
    hypothesis: Hypothesis, share: Interval, parts: Mapping[str, PartValue], columns: Columns | _Older
) -> Interval | None:
    """Return what removing it could give back: a wait its whole share, work what is missing to the attainable rate."""
    part = parts.get(hypothesis.part or "")
    if hypothesis.attained is not None:
        attained = columns.present_value_of(hypothesis.attained)
        reached = None if attained is None else attained.intersection(_WHOLE)
        if reached is None:
            return None
        return Interval(*recoverable_share([share.lo, share.hi], [reached.hi, reached.lo]).tolist())
    waits = part.recoverable is not None if part is not None else hypothesis.bottleneck not in WORK
    return share if waits else None


def _budget(budget: Budget, columns: Columns | _Older) -> BudgetValue:
    total = columns.present(bare(budget.model.total))
    parts = []
    for part in budget.model.parts:
        share = columns.present(bare(part.share))
        seconds = None if share is None or total is None else share * total
        recoverable = share if part.waiting else None
        parts.append(PartValue(id=part.id, title=part.title, share=share, seconds=seconds, recoverable=recoverable))
    known = [part.share for part in parts if part.share is not None]
    low, high = sum(share.lo for share in known), sum(share.hi for share in known)
    contradiction = None
    residual = None
    if _is_overfull(low, budget):
        contradiction = f"the parts add up to {low:.0%} of the whole"
    elif known:
        least, most = residual_share([high, low]).tolist()
        residual = Interval(least, most)
    return BudgetValue(budget=budget, total=total, parts=tuple(parts), residual=residual, contradiction=contradiction)


def _least(budget: Budget, columns: Columns) -> float:
    """Return what the known parts of a budget take at least."""
    shares = (columns.present(bare(part.share)) for part in budget.model.parts)
    return sum(share.lo for share in shares if share is not None)


def _is_overfull(low: float, budget: Budget) -> bool:
    return low > 1.0 and bool(exceeds(low, budget.tolerance))


def gain(recoverable: Interval) -> Interval:
    """Return the improvement factor of removing a recoverable share: 1 / (1 - share), by Amdahl's law.

    >>> gain(Interval.point(0.5))
    Interval(lo=2.0, hi=2.0)
    """
    return Interval(*ceiling(np.clip((recoverable.lo, recoverable.hi), 0.0, 1.0)).tolist())
