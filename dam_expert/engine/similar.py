"""The worked cases of the base that are like an incident: they come to its cause, or one of its family, and show it.

Likeness is counted in shared evidence: the measurements on which the leading cause rests here, and which the case
states too. Cases that come to the same cause at any stage stand first, then those with another cause of the same
bottleneck's tree; without a leading cause nothing is alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import columns

if TYPE_CHECKING:
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base
    from dam_expert.kb.models import CaseModel

_SHOWN: Final = 3


def similar_cases(evaluated: Evaluated) -> list[str]:
    """Return the ids of the nearest cases, the nearest first."""
    base, leading = evaluated.base, evaluated.verdict.leading
    if leading is None:
        return []
    family = _family(base, leading)
    rests_on = _measurements(evaluated, family)
    found = []
    for case in base.cases.values():
        cause = _cause(case)
        if cause not in family:
            continue
        shared = len(rests_on & _stated(base, case))
        if shared or cause == leading:
            found.append((leading not in (cause, *_bound(case)), -shared, case.id))
    return [name for _, _, name in sorted(found)][:_SHOWN]


def _family(base: Base, name: str) -> frozenset[str]:
    """Return the tree that a hypothesis stands in."""
    ancestors = base.hypotheses[name].ancestors
    root = next((each for each in (name, *ancestors) if not base.hypotheses[each].ancestors), name)
    return frozenset(each.id for each in base.hypotheses.values() if each.id == root or root in each.ancestors)


def _measurements(evaluated: Evaluated, family: frozenset[str]) -> frozenset[str]:
    """Return the measurements that speak for or against a family here."""
    base = evaluated.base
    fired = {piece.rule for piece in evaluated.standings.pieces if piece.hypothesis in family}
    return frozenset(
        column.measurement
        for rule in fired & base.rules.keys()
        for leaf in expanded_leaves(base.rules[rule].when, base.symptom_trees)
        for column in columns(leaf)
    )


def _cause(case: CaseModel) -> str | None:
    """Return what a case ends with: what binds, or what comes first."""
    expect = case.stages[-1].expect
    return expect.binding or (expect.first[0] if expect.first else None)


def _bound(case: CaseModel) -> set[str]:
    """Return what binds at some stage of a case: a further stage may name its cause below."""
    return {stage.expect.binding for stage in case.stages if stage.expect.binding is not None}


def _stated(base: Base, case: CaseModel) -> frozenset[str]:
    """Return the measurements that a case states at any stage."""
    names = [*case.incident.get("observations", {}), *(name for stage in case.stages for name in stage.add)]
    return frozenset(known for name in names if (known := base.names.resolve(name.partition("[")[0])) is not None)
