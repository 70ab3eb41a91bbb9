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
from dam_expert.engine.bit_executor import rules_of, stage_bits
from dam_expert.engine.cells import Cell
from dam_expert.engine.columns import Columns
from dam_expert.engine.leaves import is_probe, probes_something, truth_of
from dam_expert.engine.reads import beside, reading
from dam_expert.engine.remembered import remembered
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
)
from dam_expert.language.program import Program, Question, Reading, Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from typing import TypeAlias

    import numpy.typing as npt

    from dam_expert.documents.observations import Value
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base
    from dam_expert.language.program import CompiledRule

    Places: TypeAlias = npt.NDArray[np.intp]

_EVERYTHING = Interval(0.0, math.inf)
#: So many states of what a measurement's outcomes rest on are remembered of each.
_REMEMBERED = 32


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
    """The worlds of one incident, numbered from 0, which is what is known now.

    Bits of long ints are worlds, and so are the columns of matrices. Most outcomes of most measurements move nothing:
    the matrices hold only the first world and those that differ from it.
    """

    outcomes: Mapping[str, range]
    """By imagined measurement, the worlds of its outcomes."""
    count: int
    distinct: Places
    """The worlds that the matrices hold, in order; the first is what is known now."""
    like: Places
    """By world, which column of the matrices tells of it."""
    place: Places
    """By rule of the program, its row of the matrices; -1 where it fires in no world."""
    full: npt.NDArray[np.bool_]
    """Which rules fire at full strength."""
    reduced: npt.NDArray[np.bool_]
    found: Mapping[int, tuple[int, int]]
    """By node that a rule of evidence rests on, in which worlds it is certain and in which it is possible."""


def worlds_of(evaluated: Evaluated, candidates: Sequence[str]) -> Worlds:
    """Imagine every outcome of every candidate and evaluate all worlds at once."""
    count = 1
    outcomes: dict[str, range] = {}
    marks: list[tuple[int, _Foreseen]] = []
    for name in candidates:
        foreseen = _foreseen(evaluated, name)
        outcomes[name] = range(count, count + foreseen.outcomes)
        marks.append((count, foreseen))
        count += foreseen.outcomes
    certain, possible = _marked(evaluated, marks, count)
    return _run(evaluated.base.program, certain, possible, outcomes, count)


@dataclasses.dataclass(frozen=True, slots=True)
class _Foreseen:
    """What the outcomes of one measurement say: of a leaf, in which it is certain and in which it is impossible."""

    outcomes: int
    marks: tuple[tuple[int, int, int], ...]


def _foreseen(evaluated: Evaluated, name: str) -> _Foreseen:
    """Return what the outcomes of a measurement say, remembered for as long as nothing that matters to it changes."""
    base = evaluated.base
    known = tuple(
        None if cell is None else (cell.value, cell.decisive)
        for cell in map(evaluated.columns.cell, beside(base).get(name, ()))
    )
    expected = evaluated.expected
    suspects = _suspects(base).get(name)
    gains = None
    if suspects is not None:
        gains = (expected.miss, *((expected.gain.get(each), expected.most.get(each)) for each in suspects))
    memory = _memory(base).setdefault(name, {})
    return remembered(memory, (known, gains), _REMEMBERED, lambda: _imagine(evaluated, name))


@functools.lru_cache(maxsize=4)
def _memory(base: Base) -> dict[str, dict[object, _Foreseen]]:
    """Return what was foreseen of a base, by measurement and by what that rests on."""
    return {}


@functools.lru_cache(maxsize=8)
def _suspects(base: Base) -> Mapping[str, tuple[str, ...]]:
    """Return by measurement the hypotheses that probes which read it could decide: what is expected of them matters."""
    found = {}
    for name, positions in reading(base).items():
        asked = [_question(base.program, position) for position in positions]
        probes = [one for one in asked if isinstance(one.leaf, Comparison) and probes_something(one.leaf, base)]
        if probes:
            found[name] = tuple(dict.fromkeys(each for one in probes for each in one.hypotheses))
    return found


def _imagine(evaluated: Evaluated, name: str) -> _Foreseen:
    """Imagine every outcome of a measurement."""
    program = evaluated.base.program
    positions = reading(evaluated.base).get(name, ())
    alone = _simple(evaluated.base).get(name, {})
    weak = evaluated.base.measurements[name].model.weak
    sure, never = dict.fromkeys(positions, 0), dict.fromkeys(positions, 0)
    values = _values(evaluated, name, positions)
    for outcome, value in enumerate(values):
        imagined = Imagined(evaluated.columns, name, value)
        for position in positions:
            if position in alone:
                certain, possible = alone[position].bits(value, weak=weak)
            else:
                truth = truth_of(_question(program, position), imagined, evaluated.expected)
                certain, possible = truth_bits(truth)
            sure[position] |= certain << outcome
            never[position] |= (1 - possible) << outcome
    return _Foreseen(len(values), tuple((position, sure[position], never[position]) for position in positions))


def _marked(
    evaluated: Evaluated, marks: Sequence[tuple[int, _Foreseen]], count: int
) -> tuple[dict[int, int], dict[int, int]]:
    """Return where each leaf is certain and where it is possible; what is not in them is unknown in all worlds."""
    full = (1 << count) - 1
    certain: dict[int, int] = {}
    possible: dict[int, int] = {}
    for position, truth in evaluated.leaf_truths.items():
        sure, maybe = truth_bits(truth)
        certain[position], possible[position] = sure * full, maybe * full
    known = frozenset(certain)
    for start, foreseen in marks:
        others = ~(((1 << foreseen.outcomes) - 1) << start)
        for position, sure, never in foreseen.marks:
            if position in known:  # what is imagined takes the place of what is known
                certain[position] &= others
                possible[position] |= ~others
            if sure:
                certain[position] = certain.get(position, 0) | sure << start
            if never:
                possible[position] = possible.get(position, full) ^ never << start
    return certain, possible


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
    positions = reading(evaluated.base).get(name, ())
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
    program: Program,
    certain: Mapping[int, int],
    possible: Mapping[int, int],
    outcomes: Mapping[str, range],
    count: int,
) -> Worlds:
    """Run the rules of evidence on all worlds."""
    full = (1 << count) - 1
    found = stage_bits(program, Stage.EVIDENCE).run(certain, possible, full)
    rows: dict[str, tuple[int, int]] = {}
    moved = 0
    for rule in rules_of(program, Stage.EVIDENCE):
        body, _ = literal_bits(rule.body, found, full)
        if not body:
            continue
        held, unsure = _exceptions(rule, found, full)
        fires = body & ~held
        reduced = fires & unsure if rule.decides else 0
        if fires:
            rows[rule.id] = fires & ~reduced, reduced
            moved |= fires ^ (full if fires & 1 else 0)
            moved |= reduced ^ (full if reduced & 1 else 0)
    rules = [position for position, rule in enumerate(program.rules) if rule.id in rows]
    place = np.full(len(program.rules), -1, np.intp)
    place[rules] = np.arange(len(rules))
    differs = _matrix([moved | 1], count)[0]
    distinct = np.flatnonzero(differs)
    like = np.where(differs, np.cumsum(differs) - 1, 0)
    in_order = [rows[program.rules[position].id] for position in rules]
    whole, part = (_matrix([row[index] for row in in_order], count)[:, distinct] for index in range(2))
    return Worlds(
        outcomes=outcomes,
        count=count,
        distinct=distinct,
        like=like,
        place=place,
        full=whole,
        reduced=part,
        found=found,
    )


def _exceptions(rule: CompiledRule, found: Mapping[int, tuple[int, int]], full: int) -> tuple[int, int]:
    """Return in which worlds an exception of a rule holds, and in which one may."""
    held = unsure = 0
    for literal in rule.unless:
        certain, possible = literal_bits(literal, found, full)
        held |= certain
        unsure |= possible & ~certain
    return held, unsure


def _matrix(rows: Sequence[int], worlds: int) -> npt.NDArray[np.bool_]:
    """Return long ints as a boolean matrix of rows by worlds."""
    size = (worlds + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), np.uint8).reshape(len(rows), size)
    return np.unpackbits(packed, axis=1, count=worlds, bitorder="little").astype(bool)


def settled_in(program: Program, worlds: Worlds, rules: Container[str]) -> npt.NDArray[np.int64]:
    """Return by world how many of some evidence rules are settled in it, one way or the other, and are not now."""
    full = (1 << worlds.count) - 1
    rows = []
    for rule in rules_of(program, Stage.EVIDENCE):
        if rule.id in rules:
            body, maybe = literal_bits(rule.body, worlds.found, full)
            held, unsure = _exceptions(rule, worlds.found, full)
            settled = (full & ~maybe) | held | (body & ~unsure)
            if not settled & 1:
                rows.append(settled)
    counted: npt.NDArray[np.int64] = _matrix(rows, worlds.count).sum(axis=0, dtype=np.int64)
    return counted


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
