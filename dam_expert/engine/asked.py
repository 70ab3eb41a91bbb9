"""Which leaves of a program ask for which measurement: worked out once for each program.

Of some thousand leaves only those can be known whose measurement is, so that nobody else needs to be asked.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from dam_expert.engine.leaves import truth_of
from dam_expert.language.conditions import Comparison
from dam_expert.language.program import Join, Program, Question, Reading
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from dam_expert.engine.columns import Columns
    from dam_expert.engine.leaves import Expectation


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


def answers(
    program: Program, columns: Columns, expected: Expectation, readings: Container[Reading]
) -> dict[int, Truth]:
    """Return the truth of every comparison in some readings that is not unknown, by its position."""
    found: dict[int, Truth] = {}
    asked = comparisons_by_measurement(program)
    for name in columns.names():
        for position, question in asked.get(name, ()):
            if question.reading in readings:
                truth = truth_of(question, columns, expected)
                if truth is not Truth.UNKNOWN:
                    found[position] = truth
    return found
