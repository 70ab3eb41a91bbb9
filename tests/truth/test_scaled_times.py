"""A job that is slower in everything, judged by limits that are as much slower, has the same constraint."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from truth.jobs import shipped

from dam_expert.documents.dimensions import units_of
from dam_expert.documents.intervals import Interval
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.cases import stages_of
from dam_expert.engine.evaluate import evaluate
from dam_expert.language.conditions import All, Any, AtLeast, Comparison, Not, Number, Tree
from dam_expert.language.program import RuleSource, compile_program

if TYPE_CHECKING:
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base

FACTOR = 1.5


def times(unit: str) -> float:
    """Return what a number in a unit is multiplied by where every second becomes longer."""
    return FACTOR ** units_of(unit)[0].dimension.second if unit not in ("", "1") else 1.0


def longer(value: Interval, unit: str) -> Interval:
    return Interval(value.lo * times(unit), value.hi * times(unit))


def tree(condition: Tree, base: Base) -> Tree:
    """Return a condition whose bare numbers of time are longer; named limits change where they are defined."""
    match condition:
        case All(children) | Any(children) | AtLeast(_, children):
            return replace(condition, children=tuple(tree(child, base) for child in children))
        case Not(child):
            return Not(tree(child, base))
        case Comparison() if isinstance(condition.operand, Number):
            measurement = base.measurements.get(condition.column.measurement)
            unit = "1" if measurement is None or measurement.name.is_word else measurement.model.unit
            return replace(condition, operand=Number(longer(condition.operand.value, unit)))
        case leaf:
            return leaf


def slower(base: Base) -> Base:
    """Return the base with every limit and bound that has to do with time longer."""
    thresholds = {}
    for name, threshold in base.thresholds.items():
        alternatives = tuple(
            replace(each, value=longer(each.value, threshold.model.unit)) for each in threshold.name.alternatives
        )
        named = replace(threshold.name, alternatives=alternatives)
        thresholds[name] = replace(threshold, name=named)
    measurements = {
        name: replace(each, range=longer(each.range, each.model.unit)) if each.range is not None else each
        for name, each in base.measurements.items()
    }
    trees = {name: tree(condition, base) for name, condition in base.symptom_trees.items()}
    rules = {name: replace(rule, when=tree(rule.when, base)) for name, rule in base.rules.items()}
    sources = [
        RuleSource(
            id=rule.id,
            stage=rule.stage,
            when=rule.when,
            unless=rule.unless,
            decides=rule.decides,
            hypotheses=tuple(name for verb, name in rule.conclusions if verb in ("confirm", "refute")),
        )
        for rule in rules.values()
    ]
    return dataclasses.replace(
        base,
        thresholds=thresholds,
        measurements=measurements,
        symptom_trees=trees,
        rules=rules,
        program=compile_program(trees, sources),
    )


def slowed(incident: Incident, base: Base) -> Incident:
    """Return the incident with every value that has to do with time longer; its target is left out."""

    def each(observations: tuple[Observation, ...]) -> tuple[Observation, ...]:
        return tuple(
            dataclasses.replace(one, value=longer(one.value, base.measurements[one.measurement].model.unit))
            if isinstance(one.value, Interval)
            else one
            for one in observations
        )

    return dataclasses.replace(
        incident,
        target=None,
        observations=each(incident.observations),
        workload=each(incident.workload),
        environment=each(incident.environment),
    )


CASES = [name for name, case in shipped().cases.items() if "accelerator" not in str(case.incident)]


@pytest.mark.parametrize("name", CASES[::2])
def test_scaling_all_times_scales_the_budget_and_nothing_else(name: str) -> None:
    """Statuses, shares and the binding hypothesis stay; seconds of the budget grow by the factor."""
    base = shipped()
    other = slower(base)
    incidents = [incident for incident, _ in stages_of(base, base.cases[name])]
    incident = dataclasses.replace(incidents[-1], target=None)
    before = evaluate(base, incident, BitExecutor(base.program))
    after = evaluate(other, slowed(incident, base), BitExecutor(other.program))
    assert dict(after.standings.status) == dict(before.standings.status)
    assert after.verdict.binding == before.verdict.binding
    for one, two in zip(before.shares.budgets, after.shares.budgets, strict=True):
        assert (one.total is None) == (two.total is None)
        if one.total is not None and two.total is not None:
            assert two.total.mid == pytest.approx(one.total.mid * FACTOR)
        for first, second in zip(one.parts, two.parts, strict=True):
            assert (first.share is None) == (second.share is None)
            if first.share is not None and second.share is not None:
                assert second.share.mid == pytest.approx(first.share.mid)
