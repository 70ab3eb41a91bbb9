"""Fires the rules of a block: the bit program on words of 64 rows, stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.engine.bit_executor import stage_bits
from dam_expert.engine.block.words import every, some
from dam_expert.language.bits import literal_bits
from dam_expert.language.program import Join

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.engine.block.comparing import Truths
    from dam_expert.engine.block.words import Words
    from dam_expert.language.program import Literal, Program, Stage


class Firing:
    """The answers so far, and what the rules make of them. Each stage adds its answers and is run once."""

    def __init__(self, program: Program, size: int) -> None:
        self.program = program
        self.full = every(size)
        self._certain: dict[int, Words] = {}
        self._possible: dict[int, Words] = {}
        self.found: dict[int, tuple[Words, Words]] = {}

    def asks(self, stage: Stage) -> tuple[int, ...]:
        """Return the leaves that a stage reads and that have no answer yet."""
        return tuple(leaf for leaf in stage_bits(self.program, stage).leaves if leaf not in self._certain)

    def run(self, stage: Stage, answers: Mapping[int, Truths]) -> None:
        """Add the truths of further leaves and evaluate what the rules of a stage read."""
        for position, (certain, possible) in answers.items():
            self._certain[position] = certain
            self._possible[position] = possible
        self.found |= stage_bits(self.program, stage).run(self._certain, self._possible, self.full)

    def fired(self, position: int) -> tuple[Words, Words | None] | None:
        """Return where a rule fires at full strength, and where reduced; None where it nowhere does."""
        rule = self.program.rules[position]
        fires, _ = self.bits(rule.body)
        if not some(fires):
            return None
        if not rule.unless:
            return fires, None
        unsure = self.full ^ self.full
        for literal in rule.unless:
            certain, possible = self.bits(literal)
            fires = fires & ~certain
            unsure = unsure | possible
        return (fires & ~unsure, fires & unsure) if rule.decides else (fires, None)

    def symptom(self, name: str) -> Words:
        """Return where a symptom is certain."""
        return self.bits(self.program.symptoms[name])[0]

    def bits(self, literal: Literal) -> tuple[Words, Words]:
        """Return (certain, possible) of a literal that a stage so far has read."""
        return literal_bits(literal, self.found, self.full)

    def answers(self) -> dict[int, tuple[Words, Words]]:
        """Return (certain, possible) of every leaf that was answered, by its position."""
        return {position: self.leaf(position) for position in self._certain}

    def leaf(self, position: int) -> tuple[Words, Words]:
        """Return (certain, possible) of a leaf; one without an answer is unknown."""
        certain = self._certain.get(position)
        return (self.full ^ self.full, self.full) if certain is None else (certain, self._possible[position])


def leaves_of(program: Program, literal: Literal) -> frozenset[int]:
    """Return the positions of the leaves under a literal."""
    node = program.nodes[literal[0]]
    if node.join is Join.LEAF:
        return frozenset({literal[0]})
    return frozenset().union(*(leaves_of(program, child) for child in node.children))
