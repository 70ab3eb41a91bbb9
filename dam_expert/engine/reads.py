"""What the leaves of a program read: worked out once for each base.

An imagined value of a measurement changes the truth of the leaves that read it, and what they then say depends on
whatever else they read.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from dam_expert.engine.accelerator import columns_of
from dam_expert.language.conditions import Column, Comparison, Limit, columns
from dam_expert.language.expressions import formula_columns, formula_figures, formula_thresholds
from dam_expert.language.program import Join, Program, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.kb.base import Base


def _reading_of(program: Program) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for position, node in enumerate(program.nodes):
        if node.question is None or node.question.reading is Reading.RAW:
            continue  # rules of sanity judge what was observed: an imagined value is sound
        if node.join is Join.LEAF and isinstance(node.question.leaf, Comparison):
            for column in columns(node.question.leaf):
                found.setdefault(column.measurement, []).append(position)
    return {name: tuple(positions) for name, positions in found.items()}


@functools.lru_cache(maxsize=8)
def reading(base: Base) -> Mapping[str, tuple[int, ...]]:
    """Return by measurement the leaves that read it: directly, through what is derived from it, or as a scope."""
    direct = {name: set(positions) for name, positions in _reading_of(base.program).items()}
    for threshold, positions in _limited_by(base.program).items():
        for column in base.thresholds[threshold].scope_columns():
            direct.setdefault(column.measurement, set()).update(positions)
    below = _below(base)
    return {
        name: tuple(sorted({position for other in (name, *below.get(name, ())) for position in direct.get(other, ())}))
        for name in {*direct, *below}
    }


def _limited_by(program: Program) -> dict[str, tuple[int, ...]]:
    """Return by threshold the leaves that compare with it."""
    found: dict[str, list[int]] = {}
    for position, node in enumerate(program.nodes):
        leaf = node.question.leaf if node.question is not None and node.question.reading is not Reading.RAW else None
        if isinstance(leaf, Comparison) and isinstance(leaf.operand, Limit):
            found.setdefault(leaf.operand.threshold, []).append(position)
    return {name: tuple(positions) for name, positions in found.items()}


def _below(base: Base) -> dict[str, set[str]]:
    """Return by measurement the derived measurements that depend on it."""
    below: dict[str, set[str]] = {}
    for name in base.derived_order:
        formula = base.measurements[name].formula
        for column in formula_columns(formula) if formula is not None else ():
            for source, dependants in list(below.items()):
                if column.measurement in dependants:
                    dependants.add(name)
                    below[source] = dependants
            below.setdefault(column.measurement, set()).add(name)
    return below


def read_by(base: Base, positions: Sequence[int]) -> dict[Column, None]:
    """Return what some leaves read: columns, the scopes of limits, and what is derived from what."""
    found: dict[Column, None] = {}
    wanted: list[Column] = []
    for position in positions:
        question = base.program.nodes[position].question
        if question is not None and isinstance(question.leaf, Comparison):
            wanted += columns(question.leaf)
            if isinstance(question.leaf.operand, Limit):
                wanted += base.thresholds[question.leaf.operand.threshold].scope_columns()
    while wanted:
        column = wanted.pop()
        if column not in found:
            found[column] = None
            wanted += _inputs(base, column)
    return found


def read_in(base: Base, leaves: Mapping[str, Sequence[int]]) -> Mapping[str, frozenset[str]]:
    """Return by measurement those of some names whose leaves read it, directly or through anything else."""
    found: dict[str, set[str]] = {}
    for name, positions in leaves.items():
        for column in read_by(base, positions):
            found.setdefault(column.measurement, set()).add(name)
    return {measurement: frozenset(names) for measurement, names in found.items()}


def touched_by(known: frozenset[str], readers: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the names that read something known, given what :func:`read_in` returns."""
    return frozenset().union(*(readers[name] for name in known.intersection(readers)))


def _inputs(base: Base, column: Column) -> Iterator[Column]:
    """Yield what a column is derived from."""
    measurement = base.measurements.get(column.measurement)
    if measurement is None or measurement.formula is None:
        return
    yield from formula_columns(measurement.formula)
    for threshold in formula_thresholds(measurement.formula):
        yield from base.thresholds[threshold].scope_columns()
    for field in formula_figures(measurement.formula):
        yield from columns_of(field)


@functools.lru_cache(maxsize=8)
def followed_from(base: Base) -> Mapping[str, tuple[tuple[Column, ...], ...]]:
    """Return by measurement what it follows from: of each formula that reads it, the result and the other inputs."""
    found: dict[str, list[tuple[Column, ...]]] = {}
    for derived in base.derived_order:
        formula = base.measurements[derived].formula
        inputs = () if formula is None else tuple(formula_columns(formula))
        for column in dict.fromkeys(inputs):
            if column == Column(column.measurement):
                others = tuple(one for one in (Column(derived), *inputs) if one != column)
                found.setdefault(column.measurement, []).append(others)
    return {name: tuple(each) for name, each in found.items()}
