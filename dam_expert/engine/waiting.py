"""What the undecided decisive rules wait for."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.engine.accelerator import lacking
from dam_expert.engine.reads import read_in, touched_by
from dam_expert.language.conditions import Column, Comparison, Limit, Multiple
from dam_expert.language.expressions import formula_columns, formula_figures
from dam_expert.language.program import Join, Reading, join, leaves_below
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.documents.vocabulary import Track
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base
    from dam_expert.language.program import Literal


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class OpenRule:
    """An undecided confirm or refute rule, the hypothesis it speaks of, and the measurements it lacks."""

    rule: str
    verb: str
    hypothesis: str
    lacking: tuple[str, ...]


def open_rules(evaluated: Evaluated) -> list[OpenRule]:
    """Return the undecided decisive rules of hypotheses that are still open on the track, in the order of the base."""
    found: list[OpenRule] = []
    base, columns = evaluated.base, evaluated.columns
    asked = _Asked(evaluated)
    still_open = _still_open(evaluated)
    touched, untouched = touched_by(columns.known, _readers(base)), _untouched(base)
    for rule in _decisive(base):
        if still_open.isdisjoint(rule.about):
            continue
        if rule.id in touched:
            waits = _waits(rule, asked)
        else:
            if rule.id not in untouched:
                untouched[rule.id] = _waits(rule, asked)
            waits = untouched[rule.id]
        found += waits if rule.about <= still_open else (one for one in waits if one.hypothesis in still_open)
    return found


def _waits(rule: _Decisive, asked: _Asked) -> tuple[OpenRule, ...]:
    """Return what a rule waits for, by conclusion; nothing where it is decided."""
    if asked.is_settled_as(rule.body, False) or any(asked.is_settled_as(literal, True) for literal in rule.unless):
        return ()
    lacking = tuple(dict.fromkeys(name for node, _ in (rule.body, *rule.unless) for name in asked(node)))
    if not lacking:
        return ()
    return tuple(OpenRule(rule=rule.id, verb=verb, hypothesis=name, lacking=lacking) for verb, name in rule.conclusions)


def _still_open(evaluated: Evaluated) -> frozenset[str]:
    """Return the hypotheses of the track that are neither confirmed nor refuted."""
    closed = (name for name, status in evaluated.standings.status.items() if status in ("confirmed", "refuted"))
    return _on_track(evaluated.base, evaluated.situation.track).difference(closed)


@functools.lru_cache(maxsize=32)
def _on_track(base: Base, track: Track) -> frozenset[str]:
    return frozenset(name for name, hypothesis in base.hypotheses.items() if track in hypothesis.tracks)


@functools.lru_cache(maxsize=4)
def _untouched(base: Base) -> dict[str, tuple[OpenRule, ...]]:
    """Return what rules wait for while nothing of all that they read is known."""
    return {}


@functools.lru_cache(maxsize=8)
def _readers(base: Base) -> Mapping[str, frozenset[str]]:
    """Return by measurement the decisive rules that read it."""
    nodes = {rule.id: [node for node, _ in (rule.body, *rule.unless)] for rule in _decisive(base)}
    return read_in(base, {rule: leaves_below(base.program, asked) for rule, asked in nodes.items()})


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Decisive:
    """A rule that decides, its conclusions and the hypotheses in them."""

    id: str
    body: Literal
    unless: tuple[Literal, ...]
    conclusions: Sequence[tuple[str, str]]
    about: frozenset[str]


@functools.lru_cache(maxsize=8)
def _decisive(base: Base) -> tuple[_Decisive, ...]:
    """Return the rules that decide and are no drafts."""
    found = []
    for compiled in base.program.rules:
        rule = base.rules[compiled.id]
        if compiled.decides and rule.status != "draft":
            about = frozenset(name for _, name in rule.conclusions)
            found.append(
                _Decisive(
                    id=rule.id,
                    body=compiled.body,
                    unless=tuple(compiled.unless),
                    conclusions=tuple(rule.conclusions),
                    about=about,
                )
            )
    return tuple(found)


def open_by_hypothesis(waiting: Sequence[OpenRule]) -> Mapping[str, list[str]]:
    """Return by hypothesis the measurements whose absence leaves its decisive rules undecided."""
    found: dict[str, dict[str, None]] = {}
    for open_rule in waiting:
        found.setdefault(open_rule.hypothesis, {}).update(dict.fromkeys(open_rule.lacking))
    return {name: list(lacking) for name, lacking in found.items()}


def obtainable(evaluated: Evaluated, column: Column) -> Iterator[str]:
    """Yield the measurement itself if a person can be asked for it, else what its formula lacks."""
    measurement = evaluated.base.measurements.get(column.measurement)
    if measurement is None:
        return
    if measurement.is_obtainable:
        yield measurement.id
    elif measurement.formula is not None:
        read, figures = _inputs(evaluated.base)[measurement.id]
        for other in read:
            if not is_settled(evaluated, other):
                yield from obtainable(evaluated, other)
        for field in figures:
            for other in lacking(evaluated.base.catalogue, evaluated.columns.cell, field):
                yield from obtainable(evaluated, other)


@functools.lru_cache(maxsize=8)
def _inputs(base: Base) -> Mapping[str, tuple[tuple[Column, ...], tuple[str, ...]]]:
    """Return by derived measurement the columns and the figures of the accelerator that its formula reads."""
    return {
        name: (tuple(formula_columns(each.formula)), tuple(formula_figures(each.formula)))
        for name, each in base.measurements.items()
        if each.formula is not None
    }


@functools.lru_cache(maxsize=8)
def _leaves(base: Base) -> Mapping[int, tuple[tuple[Column, ...], str | None, bool]]:
    """Return by comparison the columns that it compares, its limit if that depends on others, and if it is strict."""
    found = {}
    for position, node in enumerate(base.program.nodes):
        leaf = None if node.question is None else node.question.leaf
        if node.question is None or not isinstance(leaf, Comparison):
            continue
        operand = leaf.operand
        read = (leaf.column, operand.column) if isinstance(operand, Multiple) else (leaf.column,)
        scoped = None
        if isinstance(operand, Limit) and any(True for _ in base.thresholds[operand.threshold].scope_columns()):
            scoped = operand.threshold
        found[position] = (read, scoped, node.question.reading is Reading.STRICT)
    return found


class _Asked:
    """The measurements that the unknown parts of conditions wait for; of each node it is found once."""

    def __init__(self, evaluated: Evaluated) -> None:
        self._evaluated = evaluated
        self._truths: dict[int, Truth] = {}
        self._of_node: dict[int, tuple[str, ...]] = {}
        self._of_column: dict[Column, tuple[str, ...]] = {}

    def __call__(self, position: int) -> tuple[str, ...]:
        """Return what the unknown parts of a condition wait for."""
        if self._truth(position) is not Truth.UNKNOWN:
            return ()
        found = self._of_node.get(position)
        if found is None:
            node = self._evaluated.base.program.nodes[position]
            if node.join is not Join.LEAF:
                found = tuple(name for child, _ in node.children for name in self(child))
            else:
                found = tuple(self._leaf(position))
            self._of_node[position] = found
        return found

    def is_settled_as(self, literal: Literal, value: bool) -> bool:
        """Whether a literal is known to be true, or known to be false."""
        node, positive = literal
        return self._truth(node) is (Truth.TRUE if positive is value else Truth.FALSE)

    def _truth(self, position: int) -> Truth:
        """Return the truth of a node: only what is asked about is worked out, as few rules read what is known."""
        found = self._truths.get(position)
        if found is None:
            node = self._evaluated.base.program.nodes[position]
            if node.join is Join.LEAF:
                found = self._evaluated.leaf_truths.get(position, Truth.UNKNOWN)
            else:
                members = ((self._truth(child), positive) for child, positive in node.children)
                found = join(node, [truth if positive else truth.negated() for truth, positive in members])
            self._truths[position] = found
        return found

    def _leaf(self, position: int) -> Iterator[str]:
        read, scoped, strict = _leaves(self._evaluated.base).get(position, ((), None, False))
        for column in read:
            if not is_settled(self._evaluated, column, strict=strict):
                yield from self._obtainable(column)
        if scoped is not None:
            for column in _scope_of(self._evaluated, scoped):
                yield from self._obtainable(column)

    def _obtainable(self, column: Column) -> tuple[str, ...]:
        if column not in self._of_column:
            self._of_column[column] = tuple(obtainable(self._evaluated, column))
        return self._of_column[column]


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
