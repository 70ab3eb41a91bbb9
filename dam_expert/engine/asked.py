"""Which leaves of a program ask for which measurement: worked out once for each program.

Of some thousand leaves only those can be known whose measurement is, so that nobody else needs to be asked.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from dam_expert.engine.leaves import truth_of
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Comparison, columns
from dam_expert.language.expressions import formula_columns
from dam_expert.language.program import Join, Program, Question, Reading, Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from dam_expert.engine.columns import Columns
    from dam_expert.engine.leaves import Expectation
    from dam_expert.kb.base import Base


@functools.lru_cache(maxsize=8)
def comparisons_by_measurement(program: Program) -> Mapping[str, tuple[tuple[int, Question], ...]]:
    """Return the comparisons of a program, each with its position, by the measurement on their left side."""
    found: dict[str, list[tuple[int, Question]]] = {}
    for position, node in enumerate(program.nodes):
        if node.join is Join.LEAF and node.question is not None and isinstance(node.question.leaf, Comparison):
            found.setdefault(node.question.leaf.column.measurement, []).append((position, node.question))
    return {name: tuple(asked) for name, asked in found.items()}


@functools.lru_cache(maxsize=8)
def about_the_verdict(program: Program) -> tuple[tuple[int, Question], ...]:
    """Return the leaves of a program that are no comparisons, each with its position."""
    return tuple(
        (position, node.question)
        for position, node in enumerate(program.nodes)
        if node.question is not None and not isinstance(node.question.leaf, Comparison)
    )


@functools.lru_cache(maxsize=8)
def read_by_sanity(base: Base) -> tuple[str, ...]:
    """Return the derived measurements that rules of sanity read, directly or through others, in order of evaluation."""
    trees = [tree for rule in base.rules.values() if rule.stage is Stage.SANITY for tree in (rule.when, *rule.unless)]
    waiting = [
        column.measurement
        for tree in trees
        for leaf in expanded_leaves(tree, base.symptom_trees)
        for column in columns(leaf)
    ]
    found: set[str] = set()
    while waiting:
        measurement = base.measurements.get(waiting.pop())
        if measurement is not None and measurement.formula is not None and measurement.id not in found:
            found.add(measurement.id)
            waiting += [column.measurement for column in formula_columns(measurement.formula)]
    return tuple(name for name in base.derived_order if name in found)


def answers(program: Program, known: Columns, expected: Expectation, readings: Container[Reading]) -> dict[int, Truth]:
    """Return the truth of every comparison in some readings that is not unknown, by its position."""
    found: dict[int, Truth] = {}
    asked = comparisons_by_measurement(program)
    for name in known.names():
        for position, question in asked.get(name, ()):
            if question.reading in readings:
                truth = truth_of(question, known, expected)
                if truth is not Truth.UNKNOWN:
                    found[position] = truth
    return found
