"""Which leaves of a program ask for which measurement: worked out once for each program.

Of some thousand leaves only those can be known whose measurement is, so that nobody else needs to be asked.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.engine.leaves import Plain, Probed, plain_leaf, probed_leaf, truth_of
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Binds, Column, Comparison, Known, Planned, Standing, columns
from dam_expert.language.expressions import measurements_of
from dam_expert.language.program import Program, Question, Reading, Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.engine.columns import Columns
    from dam_expert.engine.leaves import Expectation
    from dam_expert.kb.base import Base


#: The comparisons of one column: where each stands, and how it is made where that is the same in every incident.
_OfColumn: TypeAlias = dict[Column, list[tuple[int, Question, Plain | Probed | None]]]


@functools.lru_cache(maxsize=16)
def _comparisons(base: Base, raw: bool) -> Mapping[str, _OfColumn]:
    """Return the comparisons of a base, the raw ones or all others, by the measurement on their left side."""
    found: dict[str, _OfColumn] = {}
    for position, node in enumerate(base.program.nodes):
        question = node.question
        if question is None or not isinstance(question.leaf, Comparison) or (question.reading is Reading.RAW) != raw:
            continue
        column = question.leaf.column
        asked = found.setdefault(column.measurement, {}).setdefault(column, [])
        asked.append((position, question, plain_leaf(question, base) or probed_leaf(question, base)))
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
    bars_of = functools.cache(functools.partial(expected.bars, known.base))
    for name in known.known.intersection(comparisons):
        for column, asked in comparisons[name].items():
            cell = known.cell(column)
            if cell is None:
                continue
            value, decisive = cell.value, cell.decisive
            for position, question, way in asked:
                if way is None:
                    truth = truth_of(question, known, expected)
                elif isinstance(way, Probed):
                    truth = way.truth(value, decisive, bars_of)
                else:
                    truth = way.truth(value, decisive)
                if truth is not unknown:
                    found[position] = truth
    return found
