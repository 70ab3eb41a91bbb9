"""Which leaves of a program ask for which measurement: worked out once for each program.

Of some thousand leaves only those can be known whose measurement is, so that nobody else needs to be asked.
"""

from __future__ import annotations

import bisect
import dataclasses
import functools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.engine.leaves import Plain, Probed, plain_leaf, probed_leaf, truth_of
from dam_expert.engine.remembered import remembered
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Binds, Column, Comparison, Known, Planned, Standing, columns
from dam_expert.language.expressions import measurements_of
from dam_expert.language.program import Program, Question, Reading, Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.documents.observations import Value
    from dam_expert.engine.columns import Columns
    from dam_expert.engine.leaves import Bars, Expectation
    from dam_expert.kb.base import Base


#: So many values of a column, as its comparisons tell them apart, are remembered.
_REMEMBERED: Final = 256


@dataclasses.dataclass(slots=True)
class _Asked:
    """The comparisons of one column with their positions: those that its value alone decides, and the others."""

    plain: list[tuple[int, Plain]] = dataclasses.field(default_factory=list)
    others: list[tuple[int, Question, Probed | None]] = dataclasses.field(default_factory=list)
    ends: list[float] = dataclasses.field(default_factory=list)
    """The ends of the limits of the plain ones, in order."""
    told: dict[object, dict[int, Truth]] = dataclasses.field(default_factory=dict)
    """What the plain ones say of values, by what they tell apart."""

    def add(self, position: int, question: Question, base: Base) -> None:
        """Add a comparison."""
        plain = plain_leaf(question, base)
        if plain is None:
            self.others.append((position, question, probed_leaf(question, base)))
            return
        self.plain.append((position, plain))
        if isinstance(plain.limit, Interval):
            self.ends = sorted({*self.ends, plain.limit.lo, plain.limit.hi})

    def plainly(self, value: Value, decisive: bool) -> dict[int, Truth]:
        """Return by position what is not unknown of the plain ones; between two ends of limits all values are alike."""
        key: object
        if isinstance(value, Interval):
            ends, lo, hi = self.ends, value.lo, value.hi
            key = (decisive, bisect.bisect_left(ends, lo), bisect.bisect_right(ends, lo))
            if lo != hi:
                key = (*key, bisect.bisect_left(ends, hi), bisect.bisect_right(ends, hi))
        else:
            key = (decisive, value)
        return remembered(self.told, key, _REMEMBERED, lambda: self._plainly(value, decisive))

    def _plainly(self, value: Value, decisive: bool) -> dict[int, Truth]:
        truths = ((position, plain.truth(value, decisive)) for position, plain in self.plain)
        return {position: truth for position, truth in truths if truth is not Truth.UNKNOWN}


@functools.lru_cache(maxsize=16)
def _comparisons(base: Base, raw: bool) -> Mapping[str, Mapping[Column, _Asked]]:
    """Return the comparisons of a base, the raw ones or all others, by the measurement and the column on the left."""
    found: dict[str, dict[Column, _Asked]] = {}
    for position, node in enumerate(base.program.nodes):
        question = node.question
        if question is None or not isinstance(question.leaf, Comparison) or (question.reading is Reading.RAW) != raw:
            continue
        column = question.leaf.column
        found.setdefault(column.measurement, {}).setdefault(column, _Asked()).add(position, question, base)
    return found


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _AboutTheVerdict:
    """The leaves of a program that are no comparisons, by what they speak of."""

    otherwise: Mapping[int, Truth]
    """What they are where nothing is known, planned or concluded."""
    known: Mapping[str, list[tuple[int, Known]]]
    standing: Mapping[str, list[tuple[int, Standing]]]
    planned: Mapping[str, int]
    binds: Mapping[str, int]


@functools.lru_cache(maxsize=8)
def _about_the_verdict(program: Program) -> _AboutTheVerdict:
    otherwise: dict[int, Truth] = {}
    known: dict[str, list[tuple[int, Known]]] = {}
    standing: dict[str, list[tuple[int, Standing]]] = {}
    planned: dict[str, int] = {}
    binds: dict[str, int] = {}
    for position, node in enumerate(program.nodes):
        match None if node.question is None else node.question.leaf:
            case Known(column, wanted) as leaf:
                known.setdefault(column.measurement, []).append((position, leaf))
                otherwise[position] = _truth(not wanted)
            case Standing(hypothesis, status) as leaf:
                standing.setdefault(hypothesis, []).append((position, leaf))
                otherwise[position] = _truth(status == "candidate")
            case Planned(lever):
                planned[lever] = position
                otherwise[position] = Truth.FALSE
            case Binds(what):
                binds[what] = position
                otherwise[position] = Truth.FALSE
    return _AboutTheVerdict(otherwise=otherwise, known=known, standing=standing, planned=planned, binds=binds)


def answers_about_the_verdict(
    program: Program,
    told: Columns,
    planned: Iterable[str],
    status: Mapping[str, str],
    binding: Iterable[str],
) -> dict[int, Truth]:
    """Return the truth of every leaf that is no comparison, by its position; ``binding``: all that may be named so."""
    about = _about_the_verdict(program)
    found = dict(about.otherwise)
    for name in told.known.intersection(about.known):
        for position, leaf in about.known[name]:
            found[position] = _truth((told.cell(leaf.column) is not None) == leaf.wanted)
    for name, reached in status.items():
        if reached != "candidate":
            for position, asked in about.standing.get(name, ()):
                found[position] = _truth(asked.status == reached)
    met = [about.planned[lever] for lever in planned if lever in about.planned]
    met += [about.binds[name] for name in binding if name in about.binds]
    return found | dict.fromkeys(met, Truth.TRUE)


def _truth(holds: bool) -> Truth:
    return Truth.TRUE if holds else Truth.FALSE


@functools.lru_cache(maxsize=8)
def read_by_sanity(base: Base) -> tuple[str, ...]:
    """Return the derived measurements that rules of sanity read, directly or through others, in order of evaluation."""
    trees = [tree for rule in base.rules.values() if rule.stage is Stage.SANITY for tree in (rule.when, *rule.unless)]
    waiting = [
        column.measurement
        for tree in trees
        for leaf in expanded_leaves(tree, base.symptom_trees)
        for column in columns(leaf)
    ]
    found: set[str] = set()
    while waiting:
        measurement = base.measurements.get(waiting.pop())
        if measurement is not None and measurement.formula is not None and measurement.id not in found:
            found.add(measurement.id)
            waiting += measurements_of(measurement.formula)
    return tuple(name for name in base.derived_order if name in found)


def answers(known: Columns, expected: Expectation, *, raw: bool = False) -> dict[int, Truth]:
    """Return the truth of every comparison that is not unknown, by its position: of the raw ones, or of all others."""
    found: dict[int, Truth] = {}
    comparisons, unknown = _comparisons(known.base, raw), Truth.UNKNOWN
    bars: dict[tuple[str, ...], Bars] = {}

    def bars_of(suspects: tuple[str, ...]) -> Bars:
        bounded = tuple([name for name in suspects if name in expected.gain or name in expected.most])
        found = bars.get(bounded)
        if found is None:
            found = bars[bounded] = expected.bars(known.base, bounded)
        return found

    for name in known.known.intersection(comparisons):
        for column, asked in comparisons[name].items():
            cell = known.cell(column)
            if cell is None:
                continue
            value, decisive = cell.value, cell.decisive
            found.update(asked.plainly(value, decisive))
            for position, question, probed in asked.others:
                if probed is None:
                    truth = truth_of(question, known, expected)
                else:
                    truth = probed.truth(value, decisive, bars_of)
                if truth is not unknown:
                    found[position] = truth
    return found
