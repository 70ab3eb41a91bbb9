"""Imagined worlds: what the rules would say for each outcome of each measurement that is still unknown.

A world differs from what is known by the value of one measurement (and of what is derived from it). All worlds are
evaluated together by the bit program on long ints, one bit a world; bit 0 is what is known now.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.engine.bit_executor import bits_of
from dam_expert.engine.cells import Cell
from dam_expert.engine.columns import Columns
from dam_expert.engine.leaves import is_probe, truth_of
from dam_expert.kb.base import CLEAR_EFFECT
from dam_expert.language.bits import literal_bits, truth_bits
from dam_expert.language.comparison import compare, is_word
from dam_expert.language.conditions import (
    Column,
    Comparison,
    Limit,
    Multiple,
    Number,
    Operand,
    Operator,
    Words,
    columns,
)
from dam_expert.language.expressions import formula_columns
from dam_expert.language.program import Join, Program, Question, Reading
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from dam_expert.documents.observations import Value
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base

_EVERYTHING = Interval(0.0, math.inf)


class Imagined(Columns):
    """The columns of an incident with one measurement imagined to have a value, and what is derived from it."""

    def __init__(self, known: Columns, measurement: str, value: Value) -> None:
        self._base = known.base
        self._known = known
        self._measurement = measurement
        weak = self._base.measurements[measurement].model.weak
        self._cell = Cell(value=value, basis=Basis.TOOL, decisive=not weak)
        self._derived: dict[str, Cell | None] = {}

    def cell(self, column: Column) -> Cell | None:
        """Return the imagined value, one derived from it where nothing was known, or else what is known."""
        if column.measurement == self._measurement and column.aspect != "spread":
            return self._cell
        known = self._known.cell(column)
        measurement = self._base.measurements.get(column.measurement)
        if known is not None or measurement is None or measurement.formula is None or column.aspect or column.where:
            return known
        if column.measurement not in self._derived:
            value = self.value_of(measurement.formula)
            if value is not None and measurement.range is not None:
                value = value.intersection(measurement.range)
            cell = None if value is None else Cell(value=value, basis=Basis.TOOL, decisive=True)
            self._derived[column.measurement] = cell
        return self._derived[column.measurement]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Worlds:
    """The worlds of one incident. Rows of the matrices are worlds, the first of them what is known now."""

    outcomes: Mapping[str, range]
    """By imagined measurement, the worlds of its outcomes."""
    full: npt.NDArray[np.bool_]
    """Which rules fire at full strength; columns are the rules of the program."""
    reduced: npt.NDArray[np.bool_]
    decided: npt.NDArray[np.bool_]
    """Whether a rule's body and exceptions are settled, one way or the other."""


def worlds_of(evaluated: Evaluated, candidates: Sequence[str]) -> Worlds:
    """Imagine every outcome of every candidate and evaluate all worlds at once."""
    program = evaluated.base.program
    reading = _reading(evaluated.base)
    simple = _simple(evaluated.base)
    answers: list[dict[int, tuple[int, int]]] = [{}]
    outcomes: dict[str, range] = {}
    for name in candidates:
        start = len(answers)
        alone = simple.get(name, {})
        weak = evaluated.base.measurements[name].model.weak
        others = [position for position in reading.get(name, ()) if position not in alone]
        for value in _values(evaluated, name, reading.get(name, ())):
            imagined = Imagined(evaluated.columns, name, value)
            answer = {position: asked.bits(value, weak=weak) for position, asked in alone.items()}
            for position in others:
                answer[position] = truth_bits(truth_of(_question(program, position), imagined, evaluated.expected))
            answers.append(answer)
        outcomes[name] = range(start, len(answers))
    return _run(evaluated, answers, outcomes)


@dataclasses.dataclass(frozen=True, slots=True)
class _Simple:
    """A leaf that compares its own measurement with a limit that is always the same, or with words; and is no probe."""

    operator: Operator
    limit: Interval | frozenset[str]
    strict: bool

    def bits(self, value: Value, *, weak: bool) -> tuple[int, int]:
        """Return its truth for an imagined value, as :func:`dam_expert.engine.leaves.truth_of` tells it."""
        if isinstance(value, str):
            truth = is_word(value, self.limit) if isinstance(self.limit, frozenset) else Truth.UNKNOWN
        elif isinstance(self.limit, Interval):
            truth = compare(value, self.operator, self.limit)
        else:
            truth = Truth.UNKNOWN
        return truth_bits(Truth.UNKNOWN if self.strict and weak else truth)


@functools.lru_cache(maxsize=8)
def _simple(base: Base) -> Mapping[str, Mapping[int, _Simple]]:
    """Return by measurement the simple leaves that read it, by their positions."""
    found: dict[str, dict[int, _Simple]] = {}
    for position, node in enumerate(base.program.nodes):
        question = node.question
        if question is None or question.reading is Reading.RAW or not isinstance(question.leaf, Comparison):
            continue
        leaf, strict = question.leaf, question.reading is Reading.STRICT
        measurement = base.measurements.get(leaf.column.measurement)
        if measurement is None or leaf.column.aspect == "spread" or measurement.name.decides == "probe":
            continue
        limit = _constant(base, leaf.operand)
        if limit is not None:
            found.setdefault(measurement.id, {})[position] = _Simple(leaf.operator, limit, strict)
    return found


def _constant(base: Base, operand: Operand) -> Interval | frozenset[str] | None:
    """Return what is compared with, where that is the same for every incident."""
    match operand:
        case Words(words):
            return words
        case Number(value):
            return value
        case Limit(threshold):
            first = base.thresholds[threshold].name.alternatives[0]
            return first.value if first.when is None else None
        case _:
            return None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One outcome of a measurement: the values that the rules do not tell apart, and one of them to imagine."""

    extent: Interval | str
    value: Value


def outcomes_of(evaluated: Evaluated, name: str) -> list[Outcome]:
    """Return the outcomes of a measurement that the rules tell apart; numbers in rising order, words by name."""
    positions = _reading(evaluated.base).get(name, ())
    values = _values(evaluated, name, positions)
    numbers = [value.mid for value in values if isinstance(value, Interval)]
    if not numbers:
        return [Outcome(extent=str(value), value=value) for value in values]
    within = _within(evaluated, name, positions)
    edges = [within.lo, *_limits_within(evaluated, name, positions, within), within.hi]
    return [
        Outcome(extent=Interval(low, high), value=Interval.point(value))
        for (low, high), value in zip(itertools.pairwise(edges), numbers, strict=True)
    ]


def _run(
    evaluated: Evaluated, answers: Sequence[Mapping[int, tuple[int, int]]], outcomes: Mapping[str, range]
) -> Worlds:
    program = evaluated.base.program
    bits = bits_of(program)
    full = (1 << len(answers)) - 1
    certain = dict.fromkeys(bits.leaves, 0)
    possible = dict.fromkeys(bits.leaves, full)
    for position, truth in evaluated.leaf_truths.items():
        sure, maybe = truth_bits(truth)
        certain[position], possible[position] = sure * full, maybe * full
    # the worlds that say something of a leaf, those in which it is certain, and those in which it is possible
    told: dict[int, list[int]] = {}
    for world, answer in enumerate(answers):
        bit = 1 << world
        for position, (sure, maybe) in answer.items():
            three = told.setdefault(position, [0, 0, 0])
            three[0] |= bit
            if maybe:
                three[2] |= bit
                if sure:
                    three[1] |= bit
    for position, (any_of_them, surely, maybe) in told.items():
        certain[position] = (certain[position] & ~any_of_them) | surely
        possible[position] = (possible[position] & ~any_of_them) | maybe
    found = bits.run(certain, possible, full)
    rows: list[tuple[int, int, int]] = []
    for rule in program.rules:
        body, maybe = literal_bits(rule.body, found, full)
        if not rule.unless:
            rows.append((body, 0, (full & ~maybe) | body))
            continue
        exceptions = [literal_bits(literal, found, full) for literal in rule.unless]
        held = functools.reduce(lambda bits, pair: bits | pair[0], exceptions, 0)
        open_exception = functools.reduce(lambda bits, pair: bits | (pair[1] & ~pair[0]), exceptions, 0)
        fires = body & ~held
        reduced = fires & open_exception if rule.decides else 0
        settled = (full & ~maybe) | held | (body & ~open_exception)
        rows.append((fires & ~reduced, reduced, settled))
    matrices = [_matrix([row[index] for row in rows], len(answers)) for index in range(3)]
    return Worlds(outcomes=outcomes, full=matrices[0], reduced=matrices[1], decided=matrices[2])


def _matrix(rows: Sequence[int], worlds: int) -> npt.NDArray[np.bool_]:
    """Return long ints as a boolean matrix of worlds by rules."""
    size = (worlds + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), np.uint8).reshape(len(rows), size)
    return np.unpackbits(packed, axis=1, count=worlds, bitorder="little").astype(bool).T


def _question(program: Program, position: int) -> Question:
    question = program.nodes[position].question
    assert question is not None
    return question


def _values(evaluated: Evaluated, name: str, positions: Sequence[int]) -> list[Value]:
    """Return one value for every outcome that the rules tell apart: a word, or a point between two limits."""
    measured = evaluated.base.measurements[name].name
    asked = [_question(evaluated.base.program, position).leaf for position in positions]
    comparisons = [leaf for leaf in asked if isinstance(leaf, Comparison)]
    if measured.is_word:
        words = set(measured.listed)
        if not words:
            named = [leaf.operand.words for leaf in comparisons if isinstance(leaf.operand, Words)]
            words = {word for some in named for word in some} | {"other"}
        return [*sorted(words)]
    within = _within(evaluated, name, positions)
    limits = _limits_within(evaluated, name, positions, within)
    return [Interval.point(value) for value in _between(limits, within)]


def _within(evaluated: Evaluated, name: str, positions: Sequence[int]) -> Interval:
    """Return the range in which values are imagined: of a probe, at most what the budget leaves room for."""
    base = evaluated.base
    within = base.measurements[name].range or _EVERYTHING
    asked = [_question(base.program, position) for position in positions]
    suspects = {
        hypothesis
        for question in asked
        if isinstance(question.leaf, Comparison) and is_probe(question.leaf, evaluated.columns)
        for hypothesis in question.hypotheses
    }
    if base.measurements[name].name.decides != "probe" or not suspects:
        return within
    room = base.constant(CLEAR_EFFECT) * max(evaluated.expected.most.get(suspect, math.inf) for suspect in suspects)
    return Interval(within.lo, min(within.hi, room))


def _limits_within(evaluated: Evaluated, name: str, positions: Sequence[int], within: Interval) -> list[float]:
    """Return the numbers inside a range at which a comparison that reads the measurement turns over, in order."""
    asked = [_question(evaluated.base.program, position).leaf for position in positions]
    comparisons = [leaf for leaf in asked if isinstance(leaf, Comparison)]
    limits = {limit for leaf in comparisons for limit in _limits(evaluated, name, leaf)}
    return sorted(limit for limit in limits if within.lo < limit < within.hi)


def _limits(evaluated: Evaluated, name: str, leaf: Comparison) -> list[float]:
    """Return the numbers at which a comparison of the imagined measurement turns over."""
    if leaf.column.measurement != name:
        if isinstance(leaf.operand, Multiple) and leaf.operand.column.measurement == name and leaf.operand.factor:
            other = evaluated.columns.number(leaf.column)
            return [] if other is None else [other.mid / leaf.operand.factor]
        return []
    match leaf.operand:
        case Number(value):
            return [value.mid]
        case Limit(threshold):
            return [value.mid for value in evaluated.columns.possible_thresholds(threshold) or []]
        case Multiple(factor, column):
            other = evaluated.columns.number(column)
            return [] if other is None else [factor * other.mid]
        case _:
            return []


def _between(limits: Sequence[float], within: Interval) -> list[float]:
    """Return a point inside each interval that limits within a range cut out of it.

    >>> _between([0.2, 0.4], Interval(0.0, 1.0))
    [0.1, 0.30000000000000004, 0.7]
    """
    edges = [within.lo, *limits, within.hi]
    edges[-1] = min(edges[-1], 3.0 * abs(edges[-2]) + 1.0)  # bounds of a kind are far beyond any job
    if math.isinf(edges[0]):
        edges[0] = -3.0 * abs(edges[1]) - 1.0
    return [low + (high - low) / 2.0 for low, high in itertools.pairwise(edges)]


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
def _reading(base: Base) -> Mapping[str, tuple[int, ...]]:
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
