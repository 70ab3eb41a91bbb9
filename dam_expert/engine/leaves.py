"""The truth of leaves: comparisons of columns, plain and strict, and trees evaluated directly on columns."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.kb.base import CLEAR_EFFECT, NO_EFFECT
from dam_expert.language.comparison import COMPARED, compare, is_word
from dam_expert.language.conditions import (
    UPWARD,
    All,
    Any,
    AtLeast,
    Binds,
    Comparison,
    Known,
    Limit,
    Multiple,
    Not,
    Number,
    Operand,
    Planned,
    Standing,
    Symptom,
    Tree,
    Words,
)
from dam_expert.language.program import Question, Reading
from dam_expert.language.truth import Truth, all_of, any_of, at_least

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dam_expert.documents.observations import Value
    from dam_expert.engine.columns import Columns
    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What the effect of a probe has to reach to decide, by what removing its suspects should gain.

    An effect counts only beyond a clear one and half of the predicted gain, or else half of the miss, and where it is
    not clearly more than the budget leaves room for: then it was another change that helped. The lack of one counts
    only below what counts as no effect, and where the predicted gain is at least twice that. Where neither gain nor
    miss is known those two thresholds decide.
    """

    clear: float
    wanted: float
    most: float
    no_effect: float
    large: bool
    """Whether the predicted gain is so large that its lack tells."""

    def is_effect(self, value: float) -> bool:
        """Whether an effect counts."""
        return value > self.clear and self.wanted <= value <= self.most

    def is_lack(self, value: float) -> bool:
        """Whether an effect is so small that its lack counts."""
        return self.large and value < self.no_effect


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What removing a suspect should gain, for judging probes: by the budget, and by the size of the miss."""

    gain: Mapping[str, Interval]
    """Predicted improvement factor by hypothesis, where its share is known."""
    miss: Interval | None
    """How far the target is missed, as a factor above 1; None where unknown."""
    most: Mapping[str, float] = dataclasses.field(default_factory=dict)
    """The largest factor by hypothesis that the budget leaves room for, where it bounds it."""

    def bars(self, base: Base, suspects: tuple[str, ...]) -> Bars:
        """Return what the effect of a probe of some suspects has to reach."""
        clear, no_effect = base.constant(CLEAR_EFFECT), base.constant(NO_EFFECT)
        gains = [self.gain[name] for name in suspects if name in self.gain]
        wanted = [gain.hi for gain in gains] or ([] if self.miss is None else [self.miss.lo])
        return Bars(
            clear=clear,
            wanted=max((1.0 + (factor - 1.0) / 2.0 for factor in wanted), default=-math.inf),
            most=min((clear * self.most[name] for name in suspects if name in self.most), default=math.inf),
            no_effect=no_effect,
            large=all(gain.lo - 1.0 >= 2.0 * (no_effect - 1.0) for gain in gains),
        )


NOTHING_EXPECTED = Expectation(gain={}, miss=None)


def truth_of(question: Question, columns: Columns, expected: Expectation) -> Truth:
    """Return the truth of a comparison in the reading that a rule asks for. Other leaves belong to the verdict."""
    leaf = question.leaf
    if not isinstance(leaf, Comparison):
        raise TypeError(f"not a comparison: {leaf}")
    plain = comparison_truth(leaf, columns)
    if question.reading is not Reading.STRICT or plain is Truth.UNKNOWN:
        return plain
    if not _is_decisive(leaf, columns):
        return Truth.UNKNOWN
    if probes_something(leaf, columns.base) and not _probe_decides(leaf, plain, question.hypotheses, columns, expected):
        return Truth.UNKNOWN
    return plain


def comparison_truth(leaf: Comparison, columns: Columns) -> Truth:
    """Return the plain truth of a comparison: unknown where a value or the scope of a threshold is."""
    cell = columns.cell(leaf.column)
    if cell is None:
        return Truth.UNKNOWN
    match leaf.operand:
        case Words(words):
            return is_word(cell.value, words) if isinstance(cell.value, str) else Truth.UNKNOWN
        case Number(value):
            limits: list[Interval] | None = [value]
        case Limit(name):
            limits = columns.possible_thresholds(name)
        case Multiple(factor, other):
            number = columns.number(other)
            limits = None if number is None else [Interval.point(factor) * number]
    if limits is None or not isinstance(cell.value, Interval):
        return Truth.UNKNOWN
    truths = {compare(cell.value, leaf.operator, limit) for limit in limits}
    return truths.pop() if len(truths) == 1 else Truth.UNKNOWN


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    """A comparison whose limit is the same in every incident, or that asks for words; and by which no probe decides."""

    compared: Callable[[Interval, Interval], Truth]
    limit: Interval | frozenset[str]
    strict: bool

    def truth(self, value: Value, decisive: bool) -> Truth:
        """Return its truth for a value, as :func:`truth_of` tells it."""
        if self.strict and not decisive:
            return Truth.UNKNOWN
        if isinstance(value, str):
            return is_word(value, self.limit) if isinstance(self.limit, frozenset) else Truth.UNKNOWN
        return self.compared(value, self.limit) if isinstance(self.limit, Interval) else Truth.UNKNOWN


def plain_leaf(question: Question, base: Base) -> Plain | None:
    """Return how a comparison is made where that needs nothing but the value of its column, else None."""
    leaf, strict = question.leaf, question.reading is Reading.STRICT
    if not isinstance(leaf, Comparison) or (strict and probes_something(leaf, base)):
        return None
    limit = fixed_limit(leaf.operand, base)
    return None if limit is None else Plain(COMPARED[leaf.operator], limit, strict)


@dataclasses.dataclass(frozen=True, slots=True)
class Probed:
    """A strict comparison of a probe with a limit that is the same in every incident."""

    plain: Plain
    upward: bool
    hypotheses: tuple[str, ...]
    controlled: bool

    def truth(self, value: Value, decisive: bool, bars_of: Callable[[tuple[str, ...]], Bars]) -> Truth:
        """Return its truth for a value, as :func:`truth_of` tells it; ``bars_of`` what suspects have to reach."""
        plain = self.plain.truth(value, decisive)
        if plain is Truth.UNKNOWN or not isinstance(value, Interval):
            return Truth.UNKNOWN
        if self.controlled:
            return plain
        bars = bars_of(self.hypotheses)
        return plain if _tells(bars, value, plain, upward=self.upward) else Truth.UNKNOWN


def probed_leaf(question: Question, base: Base) -> Probed | None:
    """Return how a probe is judged where that needs nothing but its value and what was expected, else None."""
    leaf = question.leaf
    if question.reading is not Reading.STRICT or not isinstance(leaf, Comparison) or not probes_something(leaf, base):
        return None
    limit = fixed_limit(leaf.operand, base)
    if limit is None:
        return None
    return Probed(
        plain=Plain(COMPARED[leaf.operator], limit, strict=True),
        upward=leaf.operator in UPWARD,
        hypotheses=question.hypotheses,
        controlled=is_controlled(leaf, question.hypotheses, base),
    )


def fixed_limit(operand: Operand, base: Base) -> Interval | frozenset[str] | None:
    """Return what is compared with, where that is the same in every incident, else None."""
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


def tree_truth(tree: Tree, columns: Columns) -> Truth:
    """Return the plain truth of a tree of comparisons on columns; used for the scopes of thresholds."""
    match tree:
        case All(children):
            return all_of(tree_truth(child, columns) for child in children)
        case Any(children):
            return any_of(tree_truth(child, columns) for child in children)
        case AtLeast(n, children):
            return at_least(n, [tree_truth(child, columns) for child in children])
        case Not(child):
            return tree_truth(child, columns).negated()
        case Comparison():
            return comparison_truth(tree, columns)
        case Symptom() | Known() | Standing() | Binds() | Planned():
            raise TypeError(f"the scope of a threshold reads raw measurements: {tree}")


def _is_decisive(leaf: Comparison, columns: Columns) -> bool:
    asked = [leaf.column, *([leaf.operand.column] if isinstance(leaf.operand, Multiple) else [])]
    cells = [columns.cell(column) for column in asked]
    return all(cell is not None and cell.decisive for cell in cells)


def probes_something(leaf: Comparison, base: Base) -> bool:
    """Whether a leaf holds the effect of changing one thing, a probe or a lever that was tried, against a threshold."""
    if not isinstance(leaf.operand, Limit) or leaf.column.aspect is not None:
        return False
    measurement = base.measurements.get(leaf.column.measurement)
    decides = measurement.name.decides if measurement is not None else None
    return decides == "probe" or leaf.column.measurement.startswith("tried.")


def points_up(leaf: Comparison, truth: Truth) -> bool:
    """Whether a settled comparison says that the value lies above its limit."""
    return (leaf.operator in UPWARD) == (truth is Truth.TRUE)


def _probe_decides(
    leaf: Comparison, truth: Truth, hypotheses: tuple[str, ...], columns: Columns, expected: Expectation
) -> bool:
    """Judge a probe by what removing the suspect should have gained."""
    value = columns.number(leaf.column)
    if value is None:
        return False
    if is_controlled(leaf, hypotheses, columns.base):
        return True
    bars = expected.bars(columns.base, hypotheses)
    return _tells(bars, value, truth, upward=leaf.operator in UPWARD)


def _tells(bars: Bars, value: Interval, truth: Truth, *, upward: bool) -> bool:
    """Whether an effect, or the lack of one, counts."""
    if upward == (truth is Truth.TRUE):
        return bars.is_effect(value.lo)
    # "not nearly free" is no claim that there was no effect
    return bars.large if truth is Truth.FALSE else bars.is_lack(value.hi)


def is_controlled(leaf: Comparison, hypotheses: tuple[str, ...], base: Base) -> bool:
    """Whether its suspects declare a probe as a controlled comparison: no gain in time, its own threshold decides."""
    suspects = [base.hypotheses[name] for name in hypotheses]
    return bool(suspects) and all(leaf.column.measurement in suspect.controlled for suspect in suspects)
