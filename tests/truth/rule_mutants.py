"""Rule mutants tell whether the tests of a rule would notice if its condition were another one.

A mutant is a rule with one change: a comparison turned round, its limit doubled or halved, one of several conditions
dropped, or an exception dropped. It is killed when one of the rule's own tests comes out differently, or a stage of a
case fires the rule differently. Nothing is drawn at random::

    PYTHONPATH=.:tests python -m truth.rule_mutants            # the whole base
    PYTHONPATH=.:tests python -m truth.rule_mutants 20         # every twentieth rule
    PYTHONPATH=.:tests python -m truth.rule_mutants 1 queue.   # all rules whose id begins so
"""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING

from msgspec.structs import replace
from truth.jobs import shipped

from dam_expert.documents.intervals import Interval
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.cases import stages_of
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.facts import incident_of_facts
from dam_expert.engine.proof import step
from dam_expert.kb.models import RuleTests
from dam_expert.language.conditions import (
    All,
    Any,
    AtLeast,
    Comparison,
    Limit,
    Multiple,
    Not,
    Number,
    Operator,
    Tree,
    Words,
)
from dam_expert.language.names import Alternative

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base, Rule, Threshold
    from dam_expert.language.conditions import Leaf

_TURNED = {
    Operator.LESS: Operator.MORE,
    Operator.MORE: Operator.LESS,
    Operator.AT_MOST: Operator.AT_LEAST,
    Operator.AT_LEAST: Operator.AT_MOST,
}
_FACTORS = {"doubled": 2.0, "halved": 0.5}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A rule with one change, and what the change is."""

    rule: Rule
    change: str


def with_scaled_thresholds(base: Base) -> Base:
    """Return the base with each threshold doubled and halved beside it, under names of their own."""
    more = {
        f"{name} {word}": _scaled(one, factor)
        for name, one in base.thresholds.items()
        for word, factor in _FACTORS.items()
    }
    return dataclasses.replace(base, thresholds={**base.thresholds, **more})


def _scaled(threshold: Threshold, factor: float) -> Threshold:
    alternatives = tuple(
        Alternative(each.when, Interval(each.value.lo * factor, each.value.hi * factor))
        for each in threshold.name.alternatives
    )
    return replace(threshold, name=replace(threshold.name, alternatives=alternatives))


def mutants(rule: Rule) -> Iterator[Mutant]:
    """Yield every mutant of a rule."""
    for tree, change in _changed(rule.when):
        yield Mutant(rule=replace(rule, when=tree), change=change)
    for index, name in enumerate(rule.model.unless):
        kept = tuple(exception for place, exception in enumerate(rule.unless) if place != index)
        yield Mutant(rule=replace(rule, unless=kept), change=f"without the exception {name}")


def _changed(tree: Tree) -> Iterator[tuple[Tree, str]]:
    match tree:
        case All(children) | Any(children):
            for index, child in enumerate(children):
                for other, change in _changed(child):
                    yield replace(tree, children=_with(children, index, other)), change
                if len(children) > 1:
                    kept = tuple(each for place, each in enumerate(children) if place != index)
                    yield replace(tree, children=kept), f"dropped: {_told(child)}"
        case AtLeast(_, children):
            for index, child in enumerate(children):
                for other, change in _changed(child):
                    yield replace(tree, children=_with(children, index, other)), change
        case Not(child):
            for other, change in _changed(child):
                yield Not(other), change
        case Comparison():
            yield from _other_comparisons(tree)
        case leaf:
            yield Not(leaf), f"turned round: {_told(leaf)}"


def _with(children: Sequence[Tree], index: int, other: Tree) -> tuple[Tree, ...]:
    return (*children[:index], other, *children[index + 1 :])


def _other_comparisons(leaf: Comparison) -> Iterator[tuple[Tree, str]]:
    if isinstance(leaf.operand, Words) or leaf.operator not in _TURNED:
        yield Not(leaf), f"turned round: {_told(leaf)}"
        return
    yield replace(leaf, operator=_TURNED[leaf.operator]), f"turned round: {_told(leaf)}"
    for word, factor in _FACTORS.items():
        operand: Number | Limit | Multiple
        match leaf.operand:
            case Number(value):
                operand = Number(Interval(value.lo * factor, value.hi * factor))
                same = value.lo == value.hi == 0.0
            case Limit(name):
                operand, same = Limit(f"{name} {word}"), False
            case Multiple(times, column):
                operand, same = Multiple(times * factor, column), False
        if not same:
            yield replace(leaf, operand=operand), f"{word}: {_told(leaf)}"


def _told(tree: Tree | Leaf) -> str:
    text = getattr(tree, "text", "")
    return text if isinstance(text, str) and text else type(tree).__name__.lower()


def outcome(found: Evaluated, rule: Rule) -> str:
    """Return what a rule does on an evaluated incident: fires, reduced, silent or undecided."""
    told = step(found, rule, "full")
    exceptions = [exception.truth for exception in told.unless]
    if told.conditions.truth == "false" or (told.conditions.truth == "true" and "true" in exceptions):
        return "silent"
    if told.conditions.truth == "unknown":
        return "silent" if "true" in exceptions else "undecided"
    return "reduced" if rule.decides and "unknown" in exceptions else "fires"


def survivors(base: Base, rules: Sequence[Rule]) -> tuple[int, list[Mutant]]:
    """Return how many mutants there are of some rules, and those that nothing kills."""
    wide = with_scaled_thresholds(base)
    executor = BitExecutor(wide.program)
    count, alive = 0, list[Mutant]()
    for rule in rules:
        given = [facts for kind in RuleTests.__struct_fields__ for facts in getattr(rule.model.tests, kind)]
        incidents = [incident_of_facts(facts, base.names, rule.place)[0] for facts in given]
        seen = [evaluate(wide, incident, executor, drafts=True) for incident in incidents]
        usual = [outcome(found, rule) for found in seen]
        for mutant in mutants(rule):
            count += 1
            if [outcome(found, mutant.rule) for found in seen] == usual:
                alive.append(mutant)
    return count, _not_killed_by_cases(wide, alive) if alive else []


def _not_killed_by_cases(base: Base, alive: list[Mutant]) -> list[Mutant]:
    executor = BitExecutor(base.program)
    left = alive
    for incident in _of_cases(base):
        found = evaluate(base, incident, executor)
        left = [mutant for mutant in left if outcome(found, mutant.rule) == outcome(found, base.rules[mutant.rule.id])]
    return left


def _of_cases(base: Base) -> Iterator[Incident]:
    for case in base.cases.values():
        yield from (incident for incident, _ in stages_of(base, case))


def chosen(base: Base, every: int, prefix: str = "") -> list[Rule]:
    """Return every so many of the rules in force whose id begins so."""
    rules = [rule for rule in base.rules.values() if rule.id.startswith(prefix) and rule.model.status != "draft"]
    return rules[::every]


def main() -> None:
    """Print the survivors and the share that was killed."""
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rules = chosen(shipped(), every, sys.argv[2] if len(sys.argv) > 2 else "")
    count, alive = survivors(shipped(), rules)
    for mutant in alive:
        print(f"{mutant.rule.place}: {mutant.rule.id}: {mutant.change}")
    print(f"{len(rules)} rules, {count} mutants, {len(alive)} survive, {1 - len(alive) / max(count, 1):.1%} killed")


if __name__ == "__main__":
    main()
