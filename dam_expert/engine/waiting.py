"""What the undecided decisive rules wait for."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.engine.accelerator import lacking
from dam_expert.language.conditions import Column, Comparison, Limit, Multiple
from dam_expert.language.expressions import formula_columns, formula_figures
from dam_expert.language.program import Join, Literal, Question, Reading, literal_truth
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.engine.evaluate import Evaluated


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class OpenRule:
    """An undecided confirm or refute rule, the hypothesis it speaks of, and the measurements it lacks."""

    rule: str
    verb: str
    hypothesis: str
    lacking: tuple[str, ...]


def open_rules(evaluated: Evaluated) -> list[OpenRule]:
    """Return the undecided decisive rules of hypotheses that are still open on the track, in the order of the base."""
    found = []
    truths = evaluated.node_truths()
    for compiled in evaluated.base.program.rules:
        rule = evaluated.base.rules[compiled.id]
        if not compiled.decides or rule.model.status == "draft":
            continue
        if not any(_is_open(evaluated, name) for _, name in rule.conclusions):
            continue
        exceptions = [literal_truth(literal, truths) for literal in compiled.unless]
        if literal_truth(compiled.body, truths) is Truth.FALSE or Truth.TRUE in exceptions:
            continue
        literals = [compiled.body, *compiled.unless]
        lacking = tuple(dict.fromkeys(name for literal in literals for name in _lacking(evaluated, literal, truths)))
        for verb, name in rule.conclusions if lacking else ():
            if _is_open(evaluated, name):
                found.append(OpenRule(rule=rule.id, verb=verb, hypothesis=name, lacking=lacking))
    return found


def open_by_hypothesis(waiting: Sequence[OpenRule]) -> Mapping[str, list[str]]:
    """Return by hypothesis the measurements whose absence leaves its decisive rules undecided."""
    found: dict[str, list[str]] = {}
    for open_rule in waiting:
        lacking = found.setdefault(open_rule.hypothesis, [])
        lacking += [name for name in open_rule.lacking if name not in lacking]
    return found


def obtainable(evaluated: Evaluated, column: Column) -> Iterator[str]:
    """Yield the measurement itself if a person can be asked for it, else what its formula lacks."""
    measurement = evaluated.base.measurements.get(column.measurement)
    if measurement is None:
        return
    if measurement.is_obtainable:
        yield measurement.id
    elif measurement.formula is not None:
        for other in formula_columns(measurement.formula):
            if not is_settled(evaluated, other):
                yield from obtainable(evaluated, other)
        for field in formula_figures(measurement.formula):
            for other in lacking(evaluated.base.catalogue, evaluated.columns.cell, field):
                yield from obtainable(evaluated, other)


def _is_open(evaluated: Evaluated, name: str) -> bool:
    hypothesis = evaluated.base.hypotheses[name]
    status = evaluated.standings.status[name]
    return evaluated.situation.track in hypothesis.tracks and status in ("candidate", "supported", "conflicting")


def _lacking(evaluated: Evaluated, literal: Literal, truths: Sequence[Truth]) -> Iterator[str]:
    """Yield the measurements that the unknown parts of a condition wait for."""
    position, _ = literal
    node = evaluated.base.program.nodes[position]
    if truths[position] is not Truth.UNKNOWN:
        return
    if node.join is not Join.LEAF:
        for child in node.children:
            yield from _lacking(evaluated, child, truths)
    elif node.question is not None:
        yield from _lacking_leaf(evaluated, node.question)


def _lacking_leaf(evaluated: Evaluated, question: Question) -> Iterator[str]:
    leaf = question.leaf
    if not isinstance(leaf, Comparison):
        return
    strict = question.reading is Reading.STRICT
    for column in (leaf.column, *([leaf.operand.column] if isinstance(leaf.operand, Multiple) else ())):
        if not is_settled(evaluated, column, strict=strict):
            yield from obtainable(evaluated, column)
    if isinstance(leaf.operand, Limit):
        for column in _scope_of(evaluated, leaf.operand.threshold):
            yield from obtainable(evaluated, column)


def is_settled(evaluated: Evaluated, column: Column, *, strict: bool = True) -> bool:
    """Whether measuring a column again would tell nothing new: a point or a word, known as well as it can be."""
    cell = evaluated.columns.cell(column)
    if cell is None or (strict and not cell.decisive and cell.basis is not Basis.TOOL):
        return False
    return not isinstance(cell.value, Interval) or cell.value.is_point


def _scope_of(evaluated: Evaluated, threshold: str) -> Iterator[Column]:
    """Yield the unknown columns that say which value of a threshold holds, where that is not certain."""
    if evaluated.columns.threshold(threshold) is None:
        for column in evaluated.base.thresholds[threshold].scope_columns():
            if evaluated.columns.cell(column) is None:
                yield column
