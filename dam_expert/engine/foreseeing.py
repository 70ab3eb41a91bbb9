"""Foresees what the outcomes of an unknown measurement would say: in which each leaf is true and in which it is false.

For most measurements that is the same in every incident, or hangs only on what a probe is expected to gain. Where
leaves read something else beside it that is known, it is found again and remembered.
"""

from __future__ import annotations

import bisect
import dataclasses
import functools
import math
from typing import TYPE_CHECKING, Final, TypeAlias

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.engine.cells import Cell
from dam_expert.engine.columns import Columns
from dam_expert.engine.leaves import (
    NOTHING_EXPECTED,
    Plain,
    fixed_limit,
    is_controlled,
    plain_leaf,
    points_up,
    probes_something,
    truth_of,
)
from dam_expert.engine.outcomes import question_at, room_for, suspects_of, values_of
from dam_expert.engine.reads import read_by, read_in, reading, touched_by
from dam_expert.engine.remembered import remembered
from dam_expert.language.comparison import compare
from dam_expert.language.conditions import Comparison
from dam_expert.language.program import Reading
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dam_expert.documents.observations import Value
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.leaves import Bars, Expectation
    from dam_expert.kb.base import Base
    from dam_expert.language.conditions import Column
    from dam_expert.language.program import Question

#: The position of a leaf, in which outcomes it is true and in which it is false, one bit an outcome.
Mark: TypeAlias = tuple[int, int, int]

#: So many states of what a measurement's outcomes rest on are remembered of each.
_REMEMBERED: Final = 32


class Imagined(Columns):
    """The columns of an incident with one measurement imagined to have a value, and what is derived from it."""

    def __init__(self, known: Columns, measurement: str, value: Value) -> None:
        self._base = known.base
        self._before = known
        self._measurement = measurement
        weak = self._base.measurements[measurement].model.weak
        self._cell = Cell(value=value, basis=Basis.TOOL, decisive=not weak)
        self._derived: dict[str, Cell | None] = {}

    def cell(self, column: Column) -> Cell | None:
        """Return the imagined value, one derived from it where nothing was known, or else what is known."""
        if column.measurement == self._measurement and column.aspect != "spread":
            return self._cell
        known = self._before.cell(column)
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


@dataclasses.dataclass(frozen=True, slots=True)
class Foreseen:
    """How many outcomes a measurement has, and what they say of the leaves that read it.

    Leaves of which they say nothing, and nothing is known, may be left out.
    """

    outcomes: int
    marks: tuple[Mark, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Probe:
    """A leaf in which a probe, held against a limit that is always the same, may decide."""

    position: int
    leaf: Comparison
    limit: Interval
    hypotheses: tuple[str, ...]
    controlled: bool

    def sides(self, values: Sequence[Value]) -> tuple[int, int]:
        """Return for which values the comparison is true and for which it is false."""
        truths = [
            compare(value, self.leaf.operator, self.limit) if isinstance(value, Interval) else Truth.UNKNOWN
            for value in values
        ]
        return _bits(truths)

    def judged(self, sides: tuple[int, int], values: Sequence[Value], bars: Bars) -> Mark:
        """Return for which of them it decides, given what counts as an effect."""
        true, false = sides
        if self.controlled:
            return self.position, true, false
        numbers = list(map(_low, values))
        effect = sum(1 << place for place, number in enumerate(numbers) if bars.is_effect(number))
        if points_up(self.leaf, Truth.TRUE):
            return self.position, true & effect, false if bars.large else 0
        lack = sum(1 << place for place, number in enumerate(numbers) if bars.is_lack(number))
        return self.position, true & lack, false & effect


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """The leaves that read a measurement, by how their truth is found."""

    plain: tuple[tuple[int, Plain], ...]
    probes: tuple[_Probe, ...]
    others: tuple[tuple[int, Question], ...]
    beside: tuple[Column, ...]
    """What the others read."""
    suspects: tuple[str, ...]
    judged: bool
    """Whether one of the others is a probe."""
    decisive: bool


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Still:
    """What does not hang on what is expected: the values that are imagined, and what they say."""

    values: list[Value]
    marks: tuple[Mark, ...]
    probes: tuple[tuple[_Probe, tuple[int, int]], ...]
    by_effects: dict[int, Foreseen]
    """What they say where nothing but the miss is known, by how many of the values are too small for it."""

    def judged(self, bars: Iterable[Bars]) -> Foreseen:
        """Return what they say, given what counts as an effect of each probe."""
        marks = [probe.judged(sides, self.values, each) for (probe, sides), each in zip(self.probes, bars, strict=True)]
        return Foreseen(len(self.values), (*self.marks, *marks))

    def by_the_miss(self, bars: Bars) -> Foreseen:
        """Return what they say where what counts as an effect is the same for all and hangs on the miss alone."""
        small = bisect.bisect_left(self.values, bars.wanted, key=_low) if self.probes else 0
        found = self.by_effects.get(small)
        if found is None:
            found = self.by_effects[small] = self.judged(bars for _ in self.probes)
        return found


def _low(value: Value) -> float:
    return value.lo if isinstance(value, Interval) else math.nan


def foresee(evaluated: Evaluated, names: Sequence[str]) -> Iterator[Foreseen]:
    """Yield what the outcomes of each measurement say."""
    base, columns, expected = evaluated.base, evaluated.columns, evaluated.expected
    plans, stills = _plans(base), _stills(base)
    touched = columns.known | touched_by(columns.known, _read_beside(base))
    bounded = expected.gain.keys() | expected.most.keys()
    by_the_miss = expected.bars(base, ())
    for name in names:
        plan = plans[name]
        free = bounded.isdisjoint(plan.suspects)
        if name in touched or plan.judged or not (free or math.isinf(room_for(base, expected, plan.suspects))):
            yield _beside_others(columns, expected, name, plan)
            continue
        if name not in stills:
            stills[name] = _still(columns, NOTHING_EXPECTED, name, plan)
        still = stills[name]
        if free:
            yield still.by_the_miss(by_the_miss)
        else:
            yield still.judged(expected.bars(base, probe.hypotheses) for probe in plan.probes)


def _still(columns: Columns, expected: Expectation, name: str, plan: _Plan) -> _Still:
    """Imagine every outcome of a measurement, as far as no probe decides by it."""
    values = values_of(columns, expected, name)
    marks = [
        (position, *_bits([leaf.truth(value, plan.decisive) for value in values])) for position, leaf in plan.plain
    ]
    if plan.others:
        imagined = [Imagined(columns, name, value) for value in values]
        marks += [
            (position, *_bits([truth_of(question, one, expected) for one in imagined]))
            for position, question in plan.others
        ]
    probes = [(probe, probe.sides(values)) for probe in plan.probes]
    return _Still(values=values, marks=tuple(marks), probes=tuple(probes), by_effects={})


def _beside_others(columns: Columns, expected: Expectation, name: str, plan: _Plan) -> Foreseen:
    """Return what the outcomes of a measurement say beside what is known, remembered while nothing of it changes."""
    base = columns.base
    known = tuple(None if cell is None else (cell.value, cell.decisive) for cell in map(columns.cell, plan.beside))
    gains = None
    if plan.suspects:
        gains = (expected.miss, *((expected.gain.get(each), expected.most.get(each)) for each in plan.suspects))

    def imagine() -> Foreseen:
        still = _still(columns, expected, name, plan)
        return still.judged(expected.bars(base, probe.hypotheses) for probe in plan.probes)

    return remembered(_memory(base).setdefault(name, {}), (known, gains), _REMEMBERED, imagine)


@functools.lru_cache(maxsize=4)
def _memory(base: Base) -> dict[str, dict[object, Foreseen]]:
    """Return what was foreseen of a base, by measurement and by what that rests on."""
    return {}


@functools.lru_cache(maxsize=4)
def _stills(base: Base) -> dict[str, _Still]:
    """Return what was foreseen of measurements beside which nothing was known."""
    return {}


@functools.lru_cache(maxsize=8)
def _read_beside(base: Base) -> Mapping[str, frozenset[str]]:
    """Return by measurement those whose leaves read it too."""
    return read_in(base, {name: [position for position, _ in plan.others] for name, plan in _plans(base).items()})


@functools.lru_cache(maxsize=8)
def _plans(base: Base) -> Mapping[str, _Plan]:
    """Return the plan of every measurement."""
    return {name: _plan(base, name, reading(base).get(name, ())) for name in base.measurements}


def _plan(base: Base, name: str, positions: tuple[int, ...]) -> _Plan:
    decisive = not base.measurements[name].model.weak
    plain, probes, others = [], [], []
    for position in positions:
        question = question_at(base.program, position)
        leaf = question.leaf
        alone = None
        if isinstance(leaf, Comparison) and leaf.column.measurement == name and leaf.column.aspect != "spread":
            alone = plain_leaf(question, base)
            limit = fixed_limit(leaf.operand, base)
            if alone is None and decisive and isinstance(limit, Interval) and probes_something(leaf, base):
                controlled = is_controlled(leaf, question.hypotheses, base)
                probes.append(
                    _Probe(
                        position=position,
                        leaf=leaf,
                        limit=limit,
                        hypotheses=question.hypotheses,
                        controlled=controlled,
                    )
                )
                continue
        if alone is not None:
            plain.append((position, alone))
        else:
            others.append((position, question))
    return _Plan(
        plain=tuple(plain),
        probes=tuple(probes),
        others=tuple(others),
        beside=tuple(read_by(base, [position for position, _ in others])),
        suspects=suspects_of(base, positions),
        judged=any(_is_judged(question, base) for _, question in others),
        decisive=decisive,
    )


def _is_judged(question: Question, base: Base) -> bool:
    """Whether what is expected matters to a leaf."""
    strict = question.reading is Reading.STRICT
    return strict and isinstance(question.leaf, Comparison) and probes_something(question.leaf, base)


def _bits(truths: Sequence[Truth]) -> tuple[int, int]:
    """Return where something is true and where it is false, one bit each."""
    true = sum(1 << place for place, truth in enumerate(truths) if truth is Truth.TRUE)
    return true, sum(1 << place for place, truth in enumerate(truths) if truth is Truth.FALSE)
