"""What people say points somewhere and proves nothing: the flags of reports, one at a time."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest
from knowledge.rows import base

from dam_expert.documents.incident import Incident
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.evaluate import evaluate
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Comparison

if TYPE_CHECKING:
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Rule

#: Flags with phrases that state them: what a report says without a number.
FLAGS = [
    name
    for name, measurement in base().measurements.items()
    if measurement.model.kind is Kind.FLAG and measurement.model.aliases and "report" in measurement.place
]


@functools.cache
def executor() -> BitExecutor:
    """Return the executor of the shipped base."""
    return BitExecutor(base().program)


def said(name: str, value: str = "true") -> Evaluated:
    """Evaluate a report that says one thing only."""
    observation = Observation(measurement=name, value=value, origin=Origin(file="report"), basis=Basis.SAID)
    return evaluate(base(), Incident(id="report", file="report", observations=(observation,)), executor())


def readers_of(name: str) -> list[Rule]:
    """Return the rules that speak for a cause from this flag alone."""
    return [
        rule
        for rule in base().rules.values()
        if any(verb in ("suggest", "support") for verb, _ in rule.conclusions)
        and any(
            isinstance(leaf, Comparison) and leaf.column.measurement == name
            for leaf in expanded_leaves(rule.when, base().symptom_trees)
        )
    ]


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in FLAGS])
def test_words_alone_confirm_nothing(name: str) -> None:
    """Whatever a report says in words, and its opposite, confirms and refutes no cause."""
    for value in ("true", "false"):
        evaluated = said(name, value)
        assert evaluated.verdict.binding is None
        assert set(evaluated.standings.status.values()) <= {"candidate", "supported"}


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in FLAGS])
def test_what_is_said_leads_the_ranking(name: str) -> None:
    """A thing said that speaks for a cause by itself puts the bottleneck of one of its causes first."""
    evaluated = said(name)
    fired = {firing.rule for firing in evaluated.firings}
    rules = [rule for rule in readers_of(name) if rule.id in fired]
    causes = {cause for rule in rules for verb, cause in rule.conclusions if verb in ("suggest", "support")}
    if causes:
        bottlenecks = {base().hypotheses[cause].bottleneck for cause in causes}
        assert base().hypotheses[evaluated.verdict.ranked[0]].bottleneck in bottlenecks
