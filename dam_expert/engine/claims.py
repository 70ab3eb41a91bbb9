"""What probes claim of a budget: who gains by removing a part says that the part takes at least that much of the whole.

A gain of a factor r claims 1 - 1/r. Claimed parts and measured ones cannot together be more than the whole.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.engine.columns import bare
from dam_expert.kb.base import CLEAR_EFFECT
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import UPWARD, Comparison, Limit
from dam_expert.physics.amdahl import ceiling_of_one
from dam_expert.physics.budget import exceeds_of_one

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.engine.columns import Columns
    from dam_expert.kb.base import Base, Budget, Rule

#: Why a probe, or the part of a budget beside it, decides nothing.
CONTESTED: Final = "with what a probe gained it would take more than the whole: one of them is wrong, measure again"


@functools.lru_cache(maxsize=8)
def probes_of_parts(base: Base) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return by budget of a step and by part, named by its share, the probes that gain by removing the part.

    Parts of a step exclude each other; those of a request may be counted under another one. A probe is of a part if
    every hypothesis that it confirms alone is.
    """
    removed: dict[str, set[str | None]] = {}
    for rule in base.rules.values():
        for probe in _confirming(base, rule):
            parts = {base.hypotheses[name].part for verb, name in rule.conclusions if verb == "confirm"}
            removed.setdefault(probe, set()).update(parts)
    only = {probe: next(iter(parts)) for probe, parts in removed.items() if len(parts) == 1}
    return {
        budget.model.id: {
            part.share: tuple(sorted(probe for probe, gone in only.items() if gone == part.id))
            for part in budget.model.parts
        }
        for budget in base.budgets.values()
        if budget.model.of == "step"
    }


def _confirming(base: Base, rule: Rule) -> Iterator[str]:
    """Yield the probes whose gain lets a rule confirm."""
    if rule.status != "stable" or all(verb != "confirm" for verb, _ in rule.conclusions):
        return
    for leaf in expanded_leaves(rule.when, base.symptom_trees):
        if isinstance(leaf, Comparison) and leaf.decides and isinstance(leaf.operand, Limit):
            measurement = base.measurements.get(leaf.column.measurement)
            is_probe = measurement is not None and measurement.name.decides == "probe" and leaf.column.aspect is None
            if measurement is not None and is_probe and leaf.operator in UPWARD:
                yield measurement.id


def overclaimed(base: Base, columns: Columns) -> frozenset[str]:
    """Return the probes and the parts of budgets that together would take more than the whole: none of them decides."""
    found: set[str] = set()
    known = columns.known
    for budget, probes, any_of_them in _budgets_with_probes(base):
        if not known.isdisjoint(any_of_them):
            told = {part: known.intersection(of) for part, of in probes.items()}
            found |= _overclaimed(budget, told, columns, base.constant(CLEAR_EFFECT))
    return frozenset(found)


@functools.lru_cache(maxsize=8)
def _budgets_with_probes(base: Base) -> tuple[tuple[Budget, Mapping[str, tuple[str, ...]], frozenset[str]], ...]:
    """Return the budgets with probes, each with these by part and all together."""
    probes = probes_of_parts(base)
    return tuple(
        (budget, probes[budget.model.id], frozenset().union(*probes[budget.model.id].values()))
        for budget in base.budgets.values()
        if budget.model.id in probes
    )


def _overclaimed(
    budget: Budget, probes: Mapping[str, frozenset[str]], columns: Columns, clear_effect: float
) -> set[str]:
    known = {part.share: columns.present(bare(part.share)) for part in budget.model.parts}
    lows = {name: span.lo for name, span in known.items() if span is not None}
    working = (part.share for part in budget.model.parts if not part.waiting)
    room = 1.0 - sum(lows.get(name, 0.0) for name in working)
    most = clear_effect * ceiling_of_one(room)
    total = sum(lows.values())
    claiming: set[str] = set()
    for part in budget.model.parts:
        claimed = 0.0
        for probe in () if part.share in lows else probes[part.share]:
            gain = _gain(columns, probe)
            if gain is not None and clear_effect < gain <= most:
                claimed = max(claimed, 1.0 - 1.0 / gain)
                claiming.add(probe)
        total += claimed
    return {*lows, *claiming} if claiming and total > 1.0 and exceeds_of_one(total, budget.tolerance) else set()


def _gain(columns: Columns, probe: str) -> float | None:
    """Return what a probe gained at least, where it may decide."""
    cell = columns.cell(bare(probe))
    if cell is None or not cell.decisive or cell.stale or not isinstance(cell.value, Interval):
        return None
    return cell.value.lo
