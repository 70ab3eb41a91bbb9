"""The closed budget of a step or request: disjoint parts as shares of the whole, and the residual none explains.

It is that of the present: what is older than the last change that was kept has no part in it, and none in a ceiling.
What a change was to bring is another matter: that was predicted from what was known before it.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.engine.columns import bare
from dam_expert.language.expressions import measurements_of
from dam_expert.physics.amdahl import ceiling_of_one, recoverable_share
from dam_expert.physics.budget import exceeds_of_one, residual_of_one

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

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
        self.known = columns.known
        self.present = columns.number
        self.present_value_of = columns.value_of


def _shares_of(base: Base, columns: Columns | _Older) -> Shares:
    budgets = tuple(
        nothing if columns.known.isdisjoint(read) else _budget(budget, columns)
        for budget, read, nothing in _budgets(base)
    )
    sound = [budget for budget in budgets if budget.contradiction is None]
    parts = {part.id: part for budget in sound for part in budget.parts if part.share is not None}
    share: dict[str, Interval] = {}
    recoverable: dict[str, Interval] = {}
    for hypothesis in _with_known_share(base, columns.known, parts):
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
        for budget, read, _ in _budgets(base)
        if not columns.known.isdisjoint(read) and _is_overfull(_least(budget, columns), budget)
        for part in budget.model.parts
    )


def _with_known_share(base: Base, known: frozenset[str], parts: Container[str]) -> Iterator[Hypothesis]:
    """Yield the hypotheses whose part, or all that whose formula reads, is known."""
    for hypothesis, read in _with_share(base):
        if hypothesis.part in parts if read is None else read <= known:
            yield hypothesis


def most_gained(base: Base, columns: Columns) -> dict[str, float]:
    """Return by hypothesis the largest factor that removing it can give beside all else that takes the time.

    Only work leaves no room: a wait may be counted under another one, as forming a batch is under queueing. Hypotheses
    that nothing bounds are left out.
    """
    rooms: dict[str, float] = {}
    for budget, read, _ in _budgets(base):
        if columns.known.isdisjoint(read):
            continue
        known = {part.share: columns.number(bare(part.share)) for part in budget.model.parts}
        work = {part.share for part in budget.model.parts if not part.waiting}
        least = {name: share.lo for name, share in known.items() if name in work and share is not None}
        for name, share in known.items():
            room = 1.0 - sum(low for other, low in least.items() if other != name)
            room = room if share is None else min(share.hi, room)
            rooms[name] = min(max(room, 0.0), rooms.get(name, 1.0))
    of_parts = _shares_of_parts(base)
    bounded = {part: rooms[share] for part, share in of_parts.items() if share in rooms}
    most: dict[str, float] = {}
    for hypothesis in _with_known_share(base, columns.known, bounded):
        own = None if hypothesis.part in of_parts else _share(hypothesis, {}, _Older(columns))
        room = bounded.get(hypothesis.part or "", 1.0 if own is None else own.hi)
        if room < 1.0:
            most[hypothesis.id] = ceiling_of_one(room)
    return most


@functools.lru_cache(maxsize=8)
def _shares_of_parts(base: Base) -> Mapping[str, str]:
    """Return by part of a budget the measurement that is its share."""
    return {part.id: part.share for budget in base.budgets.values() for part in budget.model.parts}


@functools.lru_cache(maxsize=8)
def _with_share(base: Base) -> tuple[tuple[Hypothesis, frozenset[str] | None], ...]:
    """Return the hypotheses that can have a share of time: through a part of a budget, or a formula of their own.

    With each comes what its formula reads, or None where it has a part.
    """
    return tuple(
        (one, None if one.part is not None or one.share is None else frozenset(measurements_of(one.share)))
        for one in base.hypotheses.values()
        if one.part is not None or one.share is not None
    )


@functools.lru_cache(maxsize=8)
def _budgets(base: Base) -> tuple[tuple[Budget, frozenset[str], BudgetValue], ...]:
    """Return the budgets, each with the measurements that it reads and what it is where none of them is known."""
    return tuple(
        (one, frozenset((one.model.total, *(part.share for part in one.model.parts))), _nothing_known(one))
        for one in base.budgets.values()
    )


def _nothing_known(budget: Budget) -> BudgetValue:
    """Return a budget of which nothing is known."""
    parts = [PartValue(id=p.id, title=p.title, share=None, seconds=None, recoverable=None) for p in budget.model.parts]
    return BudgetValue(budget=budget, total=None, parts=tuple(parts), residual=None, contradiction=None)


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
        residual = Interval(residual_of_one(high), residual_of_one(low))
    return BudgetValue(budget=budget, total=total, parts=tuple(parts), residual=residual, contradiction=contradiction)


def _least(budget: Budget, columns: Columns) -> float:
    """Return what the known parts of a budget take at least."""
    shares = (columns.present(bare(part.share)) for part in budget.model.parts)
    return sum(share.lo for share in shares if share is not None)


def _is_overfull(low: float, budget: Budget) -> bool:
    return low > 1.0 and exceeds_of_one(low, budget.tolerance)


def gain(recoverable: Interval) -> Interval:
    """Return the improvement factor of removing a recoverable share: 1 / (1 - share), by Amdahl's law.

    >>> gain(Interval.point(0.5))
    Interval(lo=2.0, hi=2.0)
    """
    return Interval(ceiling_of_one(recoverable.lo), ceiling_of_one(recoverable.hi))
