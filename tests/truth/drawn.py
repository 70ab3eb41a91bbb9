"""Incidents drawn at random over the measurements of the shipped base, and what of the base bears on a hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from truth.jobs import shipped

from dam_expert.documents.kinds import Kind
from dam_expert.engine.claims import probes_of_parts
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Comparison, Limit, columns, leaves
from dam_expert.language.expressions import formula_columns, formula_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base, Rule
    from dam_expert.language.expressions import Formula

#: Values that shares, factors and other numbers are drawn from: around the thresholds, and at the ends.
SHARES = (0.0, 0.01, 0.04, 0.08, 0.12, 0.18, 0.25, 0.4, 0.55, 0.7, 0.85, 0.97, 1.0)
FACTORS = (0.0, 0.5, 0.97, 1.0, 1.02, 1.07, 1.2, 1.6, 1.9, 3.0, 20.0, 99.0)
NUMBERS = (0, 1, 2, 3, 8, 64, 1000, 1e6, 1e9, 1e12)
DURATIONS = ("1 us", "8 us", "80 us", "2 ms", "90 ms", "1 s", "30 s", "2 h")


def values(name: str) -> st.SearchStrategy[Any]:
    """Return values that a measurement can have, a range now and then."""
    measurement = shipped().measurements[name]
    if measurement.name.is_word:
        return st.sampled_from(sorted(measurement.name.listed) or ["some"])
    if measurement.model.kind is Kind.SHARE:
        point = st.sampled_from(SHARES)
        return st.one_of(point, st.tuples(point, point).map(lambda ends: [min(ends), max(ends)]))
    if measurement.model.kind is Kind.RATIO:
        return st.sampled_from(FACTORS)
    if measurement.model.kind is Kind.DURATION:
        return st.sampled_from(DURATIONS)
    return st.sampled_from(NUMBERS)


@st.composite
def facts(draw: st.DrawFn, most: int = 7) -> dict[str, Any]:
    """Draw some measurements with a value each; those that decide come up more often."""
    base = shipped()
    decisive = [name for name, measurement in base.measurements.items() if measurement.model.decides]
    one = st.one_of(st.sampled_from(decisive), st.sampled_from(list(base.measurements)))
    names = draw(st.lists(one, min_size=1, max_size=most, unique=True))
    return {name: draw(values(name)) for name in names}


def bearing(base: Base, hypothesis: str) -> set[str]:
    """Return every measurement that may bear on the status of a hypothesis.

    Directly, through symptoms, exceptions and scopes of thresholds, as an input of a formula, by a rule of sanity on
    any of them, through a budget that has one of them as a part, or on a relative in the tree.
    """
    own = base.hypotheses[hypothesis]
    family = {hypothesis, *own.ancestors}
    family |= {name for name, other in base.hypotheses.items() if family & set(other.ancestors)}
    found: set[str] = set()
    for rule in base.rules.values():
        if any(name in family for _, name in rule.conclusions):
            found |= set(_read(base, rule))
    for name in family:
        for formula in (base.hypotheses[name].share, base.hypotheses[name].attained):
            found |= set(_inputs(formula))
        found |= {part.share for b in base.budgets.values() for part in b.model.parts if part.id == own.part}
    while True:
        more = set(_around(base, found)) - found
        if not more:
            return found
        found |= more


def _read(base: Base, rule: Rule) -> Iterator[str]:
    for tree in (rule.when, *rule.unless):
        for leaf in expanded_leaves(tree, base.symptom_trees):
            for column in columns(leaf):
                yield column.measurement
            if isinstance(leaf, Comparison) and isinstance(leaf.operand, Limit):
                yield from (column.measurement for column in base.thresholds[leaf.operand.threshold].scope_columns())


def _inputs(formula: Formula | None) -> Iterator[str]:
    if formula is not None:
        yield from (column.measurement for column in formula_columns(formula))
        if list(formula_figures(formula)):
            yield from ("accelerator", "precision", "device_memory_total")


def _around(base: Base, found: set[str]) -> Iterator[str]:
    """Yield what bears on what bears: inputs of formulas, sanity, parts of their budgets, probes of these."""
    for name in found:
        if name in base.measurements:
            yield from _inputs(base.measurements[name].formula)
    for rule in base.rules.values():
        if rule.conclusions[0][0] in ("reject", "doubt") and any(name in found for _, name in rule.conclusions):
            yield from (column.measurement for leaf in leaves(rule.when) for column in columns(leaf))
    for whole in base.wholes.values():
        if found & set().union(*whole.reads):
            yield from set().union(*whole.reads)
    for budget in base.budgets.values():
        parts = {part.share for part in budget.model.parts}.union(
            *probes_of_parts(base).get(budget.model.id, {}).values()
        )
        if parts & found:
            yield from parts
