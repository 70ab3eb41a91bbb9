"""Coverage of a base by its tests and cases: which rules fired, and which truths each leaf was seen with."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.language.conditions import Comparison, leaf_text
from dam_expert.language.program import Join, Literal
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from dam_expert.engine.block.evaluating import BlockVerdict
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LeafCoverage:
    """One leaf of one rule, and the truths it was seen with; leaves about the verdict have two."""

    rule: str
    leaf: str
    seen: frozenset[Truth]
    wanted: frozenset[Truth]

    @property
    def missing(self) -> list[str]:
        """The truths that no test shows, as words."""
        return [truth.word for truth in sorted(self.wanted - self.seen)]


class Coverage:
    """Collects, over evaluations, what was seen of every rule and leaf."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._seen: dict[int, set[Truth]] = {
            position: set() for position, node in enumerate(base.program.nodes) if node.join is Join.LEAF
        }
        self.fired: set[str] = set()

    def see(self, evaluated: Evaluated) -> None:
        """Add one evaluation."""
        self.fired |= {firing.rule for firing in evaluated.firings}
        for position, seen in self._seen.items():
            seen.add(evaluated.leaf_truths.get(position, Truth.UNKNOWN))

    def see_block(self, verdict: BlockVerdict) -> None:
        """Add every row of a block."""
        firing = verdict.fired.firing
        rules = self._base.program.rules
        self.fired |= {rules[position].id for position in (*verdict.full, *verdict.reduced)}
        for position in self._seen:
            certain, possible = firing.leaf(position)
            found = {
                Truth.TRUE: certain,
                Truth.FALSE: firing.full & ~possible,
                Truth.UNKNOWN: possible & ~certain,
            }
            self._seen[position] |= {truth for truth, rows in found.items() if rows.any()}

    def unfired(self) -> list[str]:
        """Return the rules that never fired, in the order of the base."""
        return [rule for rule in self._base.rules if rule not in self.fired]

    def leaves(self) -> list[LeafCoverage]:
        """Return every leaf of every rule, in the order of the base."""
        found = []
        for rule in self._base.program.rules:
            for position in sorted(self._below(rule.body) | {leaf for x in rule.unless for leaf in self._below(x)}):
                question = self._base.program.nodes[position].question
                if question is None:
                    continue
                two = not isinstance(question.leaf, Comparison)
                wanted = frozenset({Truth.FALSE, Truth.TRUE} if two else set(Truth))
                seen = frozenset(self._seen[position])
                found.append(LeafCoverage(rule=rule.id, leaf=leaf_text(question.leaf), seen=seen, wanted=wanted))
        return found

    def share(self) -> float:
        """Return the covered share of all firings and truths of leaves that should be seen; 1 for an empty base."""
        leaves = self.leaves()
        wanted = len(self._base.rules) + sum(len(leaf.wanted) for leaf in leaves)
        found = len(self._base.rules) - len(self.unfired()) + sum(len(leaf.wanted & leaf.seen) for leaf in leaves)
        return found / wanted if wanted else 1.0

    def _below(self, literal: Literal) -> set[int]:
        position, _ = literal
        node = self._base.program.nodes[position]
        if node.join is Join.LEAF:
            return {position}
        return {leaf for child in node.children for leaf in self._below(child)}
