"""What each test of a rule came to: all of them as one block, those of drafts one by one.

A base of some hundred rules carries some thousand tests; as rows of a block they cost about what reading them costs.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.engine.block.evaluating import Evaluator
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.block.words import unpacked
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.executor import Strength
from dam_expert.engine.facts import incident_of_facts
from dam_expert.language.conditions import Comparison, Limit, Number, leaves
from dam_expert.language.program import CompiledRule, literal_truth
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.engine.block.evaluating import BlockVerdict
    from dam_expert.engine.coverage import Coverage
    from dam_expert.kb.base import Base, Rule
    from dam_expert.language.conditions import Column

KINDS: Final = ("fires", "silent", "undecided", "todo_fires", "todo_silent")


@dataclasses.dataclass(slots=True, kw_only=True)
class Run:
    """One test of a rule. ``found`` is what happened: fires, reduced, silent or undecided."""

    rule: Rule
    kind: str
    number: int
    incident: Incident
    problems: tuple[str, ...]
    found: str = ""
    values: dict[Column, Interval] = dataclasses.field(default_factory=dict)
    """The known values of the columns that the rule compares with numeric limits."""


def run_all(base: Base, coverage: Coverage) -> list[Run]:
    """Run every test of every rule, in the order of the base; ``coverage`` sees them."""
    runs = [run for rule in base.rules.values() for run in _tests_of(base, rule)]
    drafts = [run for run in runs if run.rule.status == "draft"]
    _as_block(base, [run for run in runs if run.rule.status != "draft"], coverage)
    executor = CountingExecutor(base.program)
    compiled = {rule.id: rule for rule in base.program.rules}
    for run in drafts:
        evaluated = evaluate(base, run.incident, executor, drafts=True)
        coverage.see(evaluated)
        run.found = outcome(evaluated, compiled[run.rule.id])
    return runs


def limits_of(rule: Rule) -> Iterator[Comparison]:
    """Yield the comparisons of a rule's body with thresholds and numbers."""
    for leaf in leaves(rule.when):
        if isinstance(leaf, Comparison) and isinstance(leaf.operand, Limit | Number):
            yield leaf


def outcome(evaluated: Evaluated, rule: CompiledRule) -> str:
    """Return what a rule did in one evaluation: fires, reduced, silent or undecided."""
    for firing in evaluated.firings:
        if firing.rule == rule.id:
            return "fires" if firing.strength is Strength.FULL else "reduced"
    truths = evaluated.node_truths()
    exceptions = [literal_truth(literal, truths) for literal in rule.unless]
    body = literal_truth(rule.body, truths)
    return "silent" if body is Truth.FALSE or Truth.TRUE in exceptions else "undecided"


def _tests_of(base: Base, rule: Rule) -> Iterator[Run]:
    for kind in KINDS:
        for number, facts in enumerate(getattr(rule.model.tests, kind), 1):
            incident, found = incident_of_facts(facts, base.names, rule.place)
            problems = tuple(
                message.text if not message.hint else f"{message.text}; {message.hint}" for message in found
            )
            yield Run(rule=rule, kind=kind, number=number, incident=incident, problems=problems)


def _as_block(base: Base, runs: Sequence[Run], coverage: Coverage) -> None:
    verdict = Evaluator(base).evaluate(block_of(base, [run.incident for run in runs]), ranked=1)
    coverage.see_block(verdict)
    rows: dict[str, list[int]] = {}
    for row, run in enumerate(runs):
        rows.setdefault(run.rule.id, []).append(row)
    for position, rule in enumerate(base.program.rules):
        if rule.id in rows:
            _fill(verdict, position, rule, [(row, runs[row]) for row in rows[rule.id]])


def _fill(verdict: BlockVerdict, position: int, compiled: CompiledRule, runs: Sequence[tuple[int, Run]]) -> None:
    """Note what one rule did in its own tests, and the values that it compared."""
    size, firing = len(verdict.binding), verdict.fired.firing
    silent = firing.full & ~firing.possible(compiled.body)
    for literal in compiled.unless:
        silent = silent | firing.certain(literal)
    words = {"fires": verdict.full.get(position), "reduced": verdict.reduced.get(position), "silent": silent}
    masks = {word: unpacked(rows, size) for word, rows in words.items() if rows is not None}
    spans = {leaf.column: verdict.fired.known.span(leaf.column) for leaf in limits_of(runs[0][1].rule)}
    for row, run in runs:
        run.found = next((word for word, mask in masks.items() if mask[row]), "undecided")
        for column, span in spans.items():
            place = int(np.searchsorted(span.rows, row))
            if place < len(span.rows) and span.rows[place] == row:
                run.values[column] = Interval(float(span.lo[place]), float(span.hi[place]))
