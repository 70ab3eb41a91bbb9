"""Why a rule fired or did not: the leaves that stand in its way, unknown apart from false, and what would change it.

A single change is found by trying: one measurement is imagined at values around the limits that the rule sets it, the
whole incident is evaluated again, and the value nearest to the present one that turns the rule is reported.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

import msgspec

from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.imagine import Imagined, distance_of, imagined, limit_text, value_text
from dam_expert.engine.proof import step
from dam_expert.engine.rule_runs import outcome
from dam_expert.language.conditions import Comparison, leaf_text
from dam_expert.language.program import Join
from dam_expert.language.truth import Truth, all_of, any_of, at_least

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.documents.diagnosis import ProofNode, ProofStep
    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base, Rule
    from dam_expert.language.conditions import Leaf
    from dam_expert.language.program import CompiledRule, Program
    from dam_expert.language.program import Literal as NodeLiteral

_NEAR = 2.0
"""A value is near a limit within this factor, as the tests of a rule are."""

Part = Literal["when", "unless"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """One leaf that is not as the rule needs it. ``wanted`` is the truth that it needs."""

    leaf: ProofNode
    wanted: bool
    part: Part
    reason: str = ""
    """Why a leaf that looks true is unknown to a rule that decides."""

    @property
    def is_unknown(self) -> bool:
        """Whether the value is missing, rather than wrong."""
        return self.leaf.truth == "unknown"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What one rule did with an incident, and what would change that."""

    rule: str
    title: str
    outcome: str
    """``fires``, ``reduced`` (an exception is unknown), ``silent`` or ``undecided``."""
    step: ProofStep
    obstacles: tuple[Obstacle, ...]
    changes: tuple[Imagined, ...]
    """Single changes that turn it: to fire at full strength if it did not, else to no longer do so."""
    status: str


def explain(base: Base, incident: Incident, rule_id: str) -> Why:
    """Return why a rule fired on an incident, or why not. Raises KeyError for an unknown rule."""
    rule = base.rules[rule_id]
    executor = CountingExecutor(base.program)
    compiled = next(each for each in base.program.rules if each.id == rule_id)
    evaluated = evaluate(base, incident, executor)
    did = outcome(evaluated, compiled)
    told = step(evaluated, rule, "reduced" if did == "reduced" else "full")
    turned = []
    for option in imagined(evaluated, rule):
        other = evaluate(base, option.incident, executor)
        if (outcome(other, compiled) == "fires") != (did == "fires"):
            turned.append(option)
    return Why(
        rule=rule_id,
        title=rule.model.title,
        outcome=did,
        step=told,
        obstacles=() if did == "fires" else tuple(_obstacles(evaluated, rule, told)),
        changes=tuple(_nearest(turned)),
        status=rule.status,
    )


def _nearest(options: Sequence[Imagined]) -> Iterator[Imagined]:
    """Keep for each measurement the change that moves it least."""
    best: dict[str, Imagined] = {}
    for option in options:
        if option.what not in best or option.distance < best[option.what].distance:
            best[option.what] = option
    yield from best.values()


def _obstacles(evaluated: Evaluated, rule: Rule, told: ProofStep) -> Iterator[Obstacle]:
    plain = step(evaluated, msgspec.structs.replace(rule, conclusions=()), "full") if rule.decides else told
    yield from _blocking(told.conditions, plain.conditions, "when", wanted=True)
    for strict, loose in zip(told.unless, plain.unless, strict=True):
        yield from _blocking(strict, loose, "unless", wanted=False)


def _blocking(node: ProofNode, plain: ProofNode, part: Part, *, wanted: bool) -> Iterator[Obstacle]:
    """Yield the leaves below a node that keep it from the truth wanted; branches that have it are left out."""
    if node.truth == ("true" if wanted else "false"):
        return
    if not node.children:
        settled = node.truth == "unknown" and plain.truth != "unknown"
        reason = f"the value makes it {plain.truth}, but cannot carry a decision" if settled else ""
        yield Obstacle(leaf=node, wanted=wanted, part=part, reason=reason)
        return
    for child, loose in zip(node.children, plain.children, strict=True):
        yield from _blocking(child, loose, part, wanted=wanted != (node.text == "not"))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NearMiss:
    """A rule that one false comparison kept from firing, with the value and how far it is from the limit."""

    rule: str
    conclusions: tuple[str, ...]
    leaf: str
    value: str | float | None
    distance: float
    """Factor between value and limit, from 1; infinite where it cannot be told."""


def near_misses(evaluated: Evaluated, most: int = 10) -> list[NearMiss]:
    """Return the deciding rules that one false comparison kept from firing, the nearest first."""
    program, base = evaluated.base.program, evaluated.base
    truths = evaluated.node_truths()
    fired = {firing.rule for firing in evaluated.firings}
    found = [
        NearMiss(
            rule=rule.id,
            conclusions=tuple(f"{verb} {name}" for verb, name in base.rules[rule.id].conclusions),
            leaf=leaf_text(leaf) + limit_text(evaluated, leaf),
            value=value_text(evaluated, leaf),
            distance=distance_of(evaluated, leaf),
        )
        for rule in program.rules
        if rule.decides and rule.id not in fired
        for leaf in _lone_leaves(program, rule, truths)
        if isinstance(leaf, Comparison)
    ]
    near = [miss for miss in found if miss.distance <= _NEAR]
    return sorted(near, key=lambda miss: (miss.distance, miss.rule, miss.leaf))[:most]


def _lone_leaves(program: Program, rule: CompiledRule, truths: Sequence[Truth]) -> Iterator[Leaf]:
    """Yield each false leaf of the body whose turning alone would make the rule fire."""
    if any(_truth(program, literal, truths, {}) is not Truth.FALSE for literal in rule.unless):
        return
    for position in sorted(_below(program, rule.body)):
        question = program.nodes[position].question
        if question is None or truths[position] is Truth.UNKNOWN:
            continue
        turned = {position: truths[position].negated()}
        if _truth(program, rule.body, truths, turned) is Truth.TRUE:
            yield question.leaf


def _below(program: Program, literal: NodeLiteral) -> set[int]:
    node = program.nodes[literal[0]]
    if node.join is Join.LEAF:
        return {literal[0]}
    return {leaf for child in node.children for leaf in _below(program, child)}


def _truth(program: Program, literal: NodeLiteral, truths: Sequence[Truth], turned: Mapping[int, Truth]) -> Truth:
    """Return the truth of a literal with some leaves turned."""
    position, positive = literal
    node = program.nodes[position]
    if node.join is Join.LEAF:
        truth = turned.get(position, truths[position])
    else:
        children = [_truth(program, child, truths, turned) for child in node.children]
        truth = (
            all_of(children)
            if node.join is Join.ALL
            else any_of(children)
            if node.join is Join.ANY
            else at_least(node.n, children)
        )
    return truth if positive else truth.negated()
