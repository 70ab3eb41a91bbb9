"""Outcomes: what an unknown measurement could turn out to be, as far as the rules tell its values apart."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.engine.leaves import probes_something
from dam_expert.engine.reads import reading
from dam_expert.kb.base import CLEAR_EFFECT
from dam_expert.language.conditions import Comparison, Limit, Multiple, Number, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.observations import Value
    from dam_expert.engine.columns import Columns
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.leaves import Expectation
    from dam_expert.kb.base import Base
    from dam_expert.language.program import Program, Question

_EVERYTHING = Interval(0.0, math.inf)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One outcome of a measurement: the values that the rules do not tell apart, and one of them to imagine."""

    extent: Interval | str
    value: Value


def outcomes_of(evaluated: Evaluated, name: str) -> list[Outcome]:
    """Return the outcomes of a measurement that the rules tell apart; numbers in rising order, words by name."""
    positions = reading(evaluated.base).get(name, ())
    values = values_of(evaluated.columns, evaluated.expected, name)
    numbers = [value.mid for value in values if isinstance(value, Interval)]
    if not numbers:
        return [Outcome(extent=str(value), value=value) for value in values]
    within = _within(evaluated.base, evaluated.expected, name, positions)
    edges = [within.lo, *_limits_within(evaluated.columns, name, positions, within), within.hi]
    return [
        Outcome(extent=Interval(low, high), value=Interval.point(value))
        for (low, high), value in zip(itertools.pairwise(edges), numbers, strict=True)
    ]


def question_at(program: Program, position: int) -> Question:
    """Return what a leaf of the program asks."""
    question = program.nodes[position].question
    assert question is not None
    return question


def values_of(columns: Columns, expected: Expectation, name: str) -> list[Value]:
    """Return one value for every outcome that the rules tell apart: a word, or a point between two limits."""
    measured = columns.base.measurements[name].name
    positions = reading(columns.base).get(name, ())
    asked = [question_at(columns.base.program, position).leaf for position in positions]
    comparisons = [leaf for leaf in asked if isinstance(leaf, Comparison)]
    if measured.is_word:
        words = set(measured.listed)
        if not words:
            named = [leaf.operand.words for leaf in comparisons if isinstance(leaf.operand, Words)]
            words = {word for some in named for word in some} | {"other"}
        return [*sorted(words)]
    within = _within(columns.base, expected, name, positions)
    limits = _limits_within(columns, name, positions, within)
    return [Interval.point(value) for value in _between(limits, within)]


def _within(base: Base, expected: Expectation, name: str, positions: Sequence[int]) -> Interval:
    """Return the range in which values are imagined: of a probe, at most what the budget leaves room for."""
    within = base.measurements[name].range or _EVERYTHING
    if base.measurements[name].name.decides != "probe":
        return within
    suspects = suspects_of(base, positions)
    return Interval(within.lo, min(within.hi, room_for(base, expected, suspects)))


def suspects_of(base: Base, positions: Sequence[int]) -> tuple[str, ...]:
    """Return the hypotheses that probes among some leaves could decide: what is expected of them matters."""
    asked = [question_at(base.program, position) for position in positions]
    probes = [one for one in asked if isinstance(one.leaf, Comparison) and probes_something(one.leaf, base)]
    return tuple(dict.fromkeys(each for one in probes for each in one.hypotheses))


def room_for(base: Base, expected: Expectation, suspects: Sequence[str]) -> float:
    """Return the largest effect of removing one of some suspects that the budget leaves room for; infinite for none."""
    most = max((expected.most.get(suspect, math.inf) for suspect in suspects), default=math.inf)
    return base.constant(CLEAR_EFFECT) * most


def _limits_within(columns: Columns, name: str, positions: Sequence[int], within: Interval) -> list[float]:
    """Return the numbers inside a range at which a comparison that reads the measurement turns over, in order."""
    asked = [question_at(columns.base.program, position).leaf for position in positions]
    comparisons = [leaf for leaf in asked if isinstance(leaf, Comparison)]
    limits = {limit for leaf in comparisons for limit in _limits(columns, name, leaf)}
    return sorted(limit for limit in limits if within.lo < limit < within.hi)


def _limits(columns: Columns, name: str, leaf: Comparison) -> list[float]:
    """Return the numbers at which a comparison of the imagined measurement turns over."""
    if leaf.column.measurement != name:
        if isinstance(leaf.operand, Multiple) and leaf.operand.column.measurement == name and leaf.operand.factor:
            other = columns.number(leaf.column)
            return [] if other is None else [other.mid / leaf.operand.factor]
        return []
    match leaf.operand:
        case Number(value):
            return [value.mid]
        case Limit(threshold):
            return [value.mid for value in columns.possible_thresholds(threshold) or []]
        case Multiple(factor, column):
            other = columns.number(column)
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
