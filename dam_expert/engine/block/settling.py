"""Which single measurement would let a rule confirm: where all else that the rule asks is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.engine.block.firing import leaves_of
from dam_expert.language.conditions import Comparison
from dam_expert.language.program import Stage

if TYPE_CHECKING:
    from dam_expert.engine.block.evaluating import BlockVerdict, Evaluator
    from dam_expert.engine.block.words import Words


def would_settle(evaluator: Evaluator, verdict: BlockVerdict, among: Words) -> dict[str, Words]:
    """Return by measurement in which rows it is all that is unknown of some confirm rule that can still fire.

    What a rule asks are the comparisons of its body and of its exceptions. A value that may not decide counts as
    unknown: it would have to be read from a tool.
    """
    firing = verdict.fired.firing
    found: dict[str, Words] = {}
    for position, asked in _confirming(evaluator):
        rule = evaluator.base.program.rules[position]
        rows = among & firing.possible(rule.body)
        for literal in rule.unless:
            rows = rows & ~firing.certain(literal)
        full = verdict.full.get(position)
        rows = rows if full is None else rows & ~full
        if not rows.any():
            continue
        once, twice = rows ^ rows, rows ^ rows
        unknown = {}
        for measurement, leaves in asked.items():
            opened = rows ^ rows
            for leaf in leaves:
                certain, possible = firing.leaf(leaf)
                opened = opened | (possible & ~certain)
            unknown[measurement] = opened
            twice = twice | (once & opened)
            once = once | opened
        for measurement, opened in unknown.items():
            alone = rows & opened & ~twice
            if alone.any():
                found[measurement] = found[measurement] | alone if measurement in found else alone
    return found


def _confirming(evaluator: Evaluator) -> list[tuple[int, dict[str, list[int]]]]:
    """Return the confirm rules, each with its leaves by the measurement that they ask for."""
    program, found = evaluator.base.program, []
    for position in evaluator.by_stage[Stage.EVIDENCE]:
        rule = evaluator.rules[position]
        if rule.model.status == "test" or all(verb != "confirm" for verb, _ in rule.conclusions):
            continue
        compiled = program.rules[position]
        leaves = sorted(frozenset().union(*(leaves_of(program, each) for each in (compiled.body, *compiled.unless))))
        asked: dict[str, list[int]] = {}
        for leaf in leaves:
            question = program.nodes[leaf].question
            if question is not None and isinstance(question.leaf, Comparison):
                asked.setdefault(question.leaf.column.measurement, []).append(leaf)
        found.append((position, asked))
    return found
