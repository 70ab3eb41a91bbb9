"""What to measure next: the unknown that most open decisive rules wait for, weighed by how likely their hypothesis is.

For every confirm or refute rule that is undecided, each measurement that it still lacks gets an equal part of the
belief in the rule's hypothesis; the sum over rules, per minute of effort, is the rank. Measurements that advice rules
ask for come first.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.documents.diagnosis import Command, NextMeasurement
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.engine.accelerator import READ
from dam_expert.language.conditions import Column, Comparison, Limit, Multiple, columns, leaves
from dam_expert.language.formulas import formula_columns, reads_hardware
from dam_expert.language.program import Join, Literal, Question, Reading
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Rule

_PRIOR: Final = {"common": 4.0, "usual": 2.0, "rare": 1.0}
#: A measurement is never counted as cheaper than this many minutes: answering takes a moment too.
_LEAST_EFFORT: Final = 0.5


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
    truths = _node_truths(evaluated)
    for compiled in evaluated.base.program.rules:
        rule = evaluated.base.rules[compiled.id]
        if not compiled.decides or rule.model.status == "draft":
            continue
        if not any(_is_open(evaluated, name) for _, name in rule.conclusions):
            continue
        literals = [compiled.body, *compiled.unless]
        if _truth(compiled.body, truths) is Truth.FALSE or Truth.TRUE in [_truth(x, truths) for x in compiled.unless]:
            continue
        lacking = tuple(dict.fromkeys(name for literal in literals for name in _lacking(evaluated, literal, truths)))
        for verb, name in rule.conclusions if lacking else ():
            if _is_open(evaluated, name):
                found.append(OpenRule(rule=rule.id, verb=verb, hypothesis=name, lacking=lacking))
    return found


def next_measurements(evaluated: Evaluated, waiting: Sequence[OpenRule]) -> list[NextMeasurement]:
    """Return the next measurements, best first; those that cannot be had (by the incident's answers) are left out."""
    if evaluated.verdict.status in ("resolved", "no_fault"):
        return []
    asked = _asked(evaluated)
    worth: dict[str, float] = dict.fromkeys(asked, 0.0)
    decides: dict[str, list[str]] = {name: [] for name in asked}
    for open_rule in waiting:
        for name in open_rule.lacking:
            weight = _belief(evaluated, open_rule.hypothesis) / len(open_rule.lacking)
            worth[name] = worth.get(name, 0.0) + weight
            targets = decides.setdefault(name, [])
            if open_rule.hypothesis not in targets:
                targets.append(open_rule.hypothesis)
    refused = dict(evaluated.incident.answers)
    names = [name for name in worth if evaluated.base.measurements[name].is_obtainable and name not in refused]
    names.sort(key=lambda name: (name not in asked, -worth[name] / max(_LEAST_EFFORT, effort(evaluated, name)), name))
    rank = {name: position for position, name in enumerate(evaluated.verdict.ranked)}
    return [_described(evaluated, name, sorted(decides[name], key=rank.__getitem__), asked.get(name)) for name in names]


def effort(evaluated: Evaluated, measurement: str) -> float:
    """Return the minutes that the cheapest way to obtain a measurement takes."""
    return min(way.effort_minutes for way in evaluated.base.measurements[measurement].model.obtain)


def _described(evaluated: Evaluated, name: str, decides: list[str], asked: str | None) -> NextMeasurement:
    model = evaluated.base.measurements[name].model
    ways = sorted(model.obtain, key=lambda way: way.effort_minutes)
    titles = [evaluated.base.hypotheses[hypothesis].model.title for hypothesis in decides]
    disturbs = next((way.disturbs for way in ways if way.disturbs is not None), None)
    return NextMeasurement(
        measurement=name,
        question=model.question or f"How large is it: {model.title}?",
        commands=[Command(tool=way.tool, command=way.command, how=way.how) for way in ways],
        effort_minutes=ways[0].effort_minutes,
        disturbs=disturbs,
        decides=decides,
        why=asked or "it could decide: " + "; ".join(titles),
    )


def _asked(evaluated: Evaluated) -> dict[str, str]:
    """Return what advice rules ask for and is not known yet, with their reasons; derived ones ask for their inputs."""
    found: dict[str, str] = {}
    for firing in evaluated.firings:
        rule: Rule = evaluated.base.rules[firing.rule]
        for verb, name in rule.conclusions:
            if verb == "ask" and not _is_settled(evaluated, Column(name)):
                for wanted in _obtainable(evaluated, Column(name)):
                    found.setdefault(wanted, rule.model.because)
    return found


def _is_open(evaluated: Evaluated, name: str) -> bool:
    hypothesis = evaluated.base.hypotheses[name]
    status = evaluated.standings.status[name]
    return evaluated.situation.track in hypothesis.tracks and status in ("candidate", "supported", "conflicting")


def _belief(evaluated: Evaluated, name: str) -> float:
    prior = _PRIOR[evaluated.base.hypotheses[name].model.prior]
    return float(prior * 2.0 ** evaluated.standings.score[name])


def _node_truths(evaluated: Evaluated) -> list[Truth]:
    answers = {
        position: evaluated.truth(node.question)
        for position, node in enumerate(evaluated.base.program.nodes)
        if node.question is not None
    }
    return evaluated.base.program.evaluate(answers)


def _truth(literal: Literal, truths: Sequence[Truth]) -> Truth:
    node, positive = literal
    return truths[node] if positive else truths[node].negated()


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
        if not _is_settled(evaluated, column, strict=strict):
            yield from _obtainable(evaluated, column)
    if isinstance(leaf.operand, Limit):
        for column in _scope_of(evaluated, leaf.operand.threshold):
            yield from _obtainable(evaluated, column)


def _is_settled(evaluated: Evaluated, column: Column, *, strict: bool = True) -> bool:
    """Whether measuring a column again would tell nothing new: a point or a word, known as well as it can be."""
    cell = evaluated.columns.cell(column)
    if cell is None or (strict and not cell.decisive and cell.basis is not Basis.TOOL):
        return False
    return not isinstance(cell.value, Interval) or cell.value.is_point


def _scope_of(evaluated: Evaluated, threshold: str) -> Iterator[Column]:
    """Yield the unknown columns that say which value of a threshold holds, where that is not certain."""
    if evaluated.columns.threshold(threshold) is not None:
        return
    for alternative in evaluated.base.thresholds[threshold].name.alternatives:
        for leaf in leaves(alternative.when) if alternative.when is not None else ():
            yield from (column for column in columns(leaf) if evaluated.columns.cell(column) is None)


def _obtainable(evaluated: Evaluated, column: Column) -> Iterator[str]:
    """Yield the measurement itself if a person can be asked for it, else what its formula lacks."""
    measurement = evaluated.base.measurements.get(column.measurement)
    if measurement is None:
        return
    if measurement.is_obtainable:
        yield measurement.id
    elif measurement.formula is not None:
        read = READ if reads_hardware(measurement.formula) else ()
        for other in (*formula_columns(measurement.formula), *read):
            if not _is_settled(evaluated, other):
                yield from _obtainable(evaluated, other)


def open_by_hypothesis(waiting: Sequence[OpenRule]) -> Mapping[str, list[str]]:
    """Return by hypothesis the measurements whose absence leaves its decisive rules undecided."""
    found: dict[str, list[str]] = {}
    for open_rule in waiting:
        lacking = found.setdefault(open_rule.hypothesis, [])
        lacking += [name for name in open_rule.lacking if name not in lacking]
    return found
