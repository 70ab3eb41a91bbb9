"""What conditions say of each other: contradictions inside one, and whether one follows from another."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from dam_expert.documents.formatting import format_value
from dam_expert.documents.intervals import Interval
from dam_expert.language.conditions import (
    UPWARD,
    All,
    AtLeast,
    Column,
    Comparison,
    Limit,
    Not,
    Number,
    Operator,
    Symptom,
    Tree,
    Words,
)
from dam_expert.language.conditions import (
    Any as AnyOf,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base

_STRICT = (Operator.MORE, Operator.LESS)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A flaw of a condition, to be said after its name."""

    code: str
    text: str
    hint: str


def contradictions(base: Base, tree: Tree) -> Iterator[Flaw]:
    """Yield what makes a condition impossible: limits that exclude each other, or that no value can reach."""
    for group in _conjunctions(base, tree):
        by_column: dict[Column, list[Comparison]] = {}
        for leaf in group:
            by_column.setdefault(leaf.column, []).append(leaf)
        for column, leaves in by_column.items():
            texts = " and ".join(f"'{leaf.text}'" for leaf in leaves)
            if _words_clash(leaves) or _is_empty(base, leaves):
                yield Flaw(code="contradictory", text=f"asks for {texts} at once", hint="no value can be both")
            elif any(_out_of_range(base, column, leaf) for leaf in leaves):
                hint = _span(base, column)
                yield Flaw(code="unreachable", text=f"asks for {texts}, which no value can reach", hint=hint)


def _span(base: Base, column: Column) -> str:
    """Say what a column can be."""
    measurement = base.measurements.get(column.measurement)
    if measurement is None or measurement.range is None:
        return "check the unit"
    ends = (measurement.range.lo, measurement.range.hi)
    unit, kind = measurement.name.unit, measurement.name.kind
    low, high = (format_value(Interval(end, end), unit=unit, kind=kind) for end in ends)
    return f"its values lie between {low} and {high}"


def is_implied(base: Base, tree: Tree, *, by: Tree) -> bool:
    """Whether a tree is true wherever the other is; False where that cannot be told from the comparisons alone."""
    if tree == by:
        return True
    match tree:
        case All(children):
            return all(is_implied(base, child, by=by) for child in children)
        case AnyOf(children):
            return any(is_implied(base, child, by=by) for child in children)
        case Symptom(name) if name in base.symptom_trees:
            known = _flat(by)
            return tree in known or is_implied(base, base.symptom_trees[name], by=by)
    return any(given == tree or _follows(base, tree, given) for given in _flat(by))


def _flat(tree: Tree) -> list[Tree]:
    """Return what a tree surely says: itself, and the parts of a conjunction."""
    return [tree, *(part for child in tree.children for part in _flat(child))] if isinstance(tree, All) else [tree]


def _follows(base: Base, wanted: Tree, given: Tree) -> bool:
    """Whether one comparison with a number follows from another of the same column."""
    if not (isinstance(wanted, Comparison) and isinstance(given, Comparison) and wanted.column == given.column):
        return False
    if isinstance(wanted.operand, Words) and isinstance(given.operand, Words):
        return given.operand.words <= wanted.operand.words
    one, other = _limit(base, wanted), _limit(base, given)
    same_way = (wanted.operator in UPWARD) == (given.operator in UPWARD)
    if one is None or other is None or not same_way or Operator.IS in (wanted.operator, given.operator):
        return False
    if one == other:
        return wanted.operator not in _STRICT or given.operator in _STRICT
    return other.lo >= one.hi if wanted.operator in UPWARD else other.hi <= one.lo


def _conjunctions(base: Base, tree: Tree) -> Iterator[list[Comparison]]:
    """Yield each group of comparisons that must hold together."""
    match tree:
        case All(children):
            together = [part for part in _flat(All(children)) if isinstance(part, Comparison)]
            together += [
                part
                for child in children
                if isinstance(child, Symptom) and child.id in base.symptom_trees
                for part in _flat(base.symptom_trees[child.id])
                if isinstance(part, Comparison)
            ]
            yield together
            for child in children:
                if not isinstance(child, Comparison | All):
                    yield from _conjunctions(base, child)
        case AnyOf(children) | AtLeast(_, children):
            for child in children:
                yield from _conjunctions(base, child)
        case Not(_):
            return
        case Comparison():
            yield [tree]


def _limit(base: Base, leaf: Comparison) -> Interval | None:
    """Return the number that a comparison compares with, where it has one alone."""
    match leaf.operand:
        case Number(value):
            return value
        case Limit(name):
            alternatives = base.thresholds[name].name.alternatives
            return alternatives[0].value if len(alternatives) == 1 else None
    return None


def _words_clash(leaves: list[Comparison]) -> bool:
    listed = [leaf.operand.words for leaf in leaves if isinstance(leaf.operand, Words)]
    return len(listed) > 1 and not frozenset.intersection(*listed)


def _is_empty(base: Base, leaves: list[Comparison]) -> bool:
    """Whether the limits of one column leave no value between them."""
    low, high, open_ends = -math.inf, math.inf, False
    for leaf in leaves:
        limit = _limit(base, leaf)
        if limit is None or leaf.operator is Operator.IS:
            continue
        if leaf.operator in UPWARD:
            low = max(low, limit.lo)
        else:
            high = min(high, limit.hi)
        open_ends = open_ends or leaf.operator in _STRICT
    return low > high or (low == high and open_ends)


def _out_of_range(base: Base, column: Column, leaf: Comparison) -> bool:
    measurement = base.measurements.get(column.measurement)
    limit = _limit(base, leaf)
    if measurement is None or measurement.range is None or limit is None or column.aspect == "spread":
        return False
    if leaf.operator in UPWARD:
        return limit.lo > measurement.range.hi or (leaf.operator is Operator.MORE and limit.lo >= measurement.range.hi)
    return limit.hi < measurement.range.lo or (leaf.operator is Operator.LESS and limit.hi <= measurement.range.lo)
