"""Fires the rules of a block: the bit program on words of 64 rows, stage by stage."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from dam_expert.engine.bit_executor import rules_of, stage_bits
from dam_expert.engine.block.words import every, some
from dam_expert.language.bits import compile_sides
from dam_expert.language.program import Join, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.engine.block.comparing import Answer
    from dam_expert.engine.block.words import Words
    from dam_expert.language.bits import Side, SideProgram
    from dam_expert.language.program import Literal, Program


class Firing:
    """The answers so far, and what the rules make of them. Each stage adds its answers and is run once.

    What fires asks of nearly all nodes only where they are certain; where the others are possible is worked out once
    somebody asks.
    """

    def __init__(self, program: Program, size: int) -> None:
        self.program = program
        self.full = every(size)
        self._answers: dict[int, Answer] = {}
        self._bits: dict[Side, Words] = {}
        self._ran: list[Stage] = []

    def run(self, stage: Stage, answers: Mapping[int, Answer]) -> None:
        """Add the answers to further leaves and evaluate what the rules of a stage read."""
        self._answers |= answers
        self._ran.append(stage)
        program = stage_sides(self.program, stage)
        certain = {leaf: self._answers[leaf][0] for leaf in program.certain if leaf in self._answers}
        possible = {leaf: self.leaf(leaf)[1] for leaf in program.possible if leaf in self._answers}
        self._bits |= program.run(certain, possible, self.full)

    def fired(self, position: int) -> tuple[Words, Words | None] | None:
        """Return where a rule fires at full strength, and where reduced; None where it nowhere does."""
        rule = self.program.rules[position]
        fires = self.certain(rule.body)
        if not some(fires):
            return None
        if not rule.unless:
            return fires, None
        unsure = self.full ^ self.full
        for literal in rule.unless:
            fires = fires & ~self.certain(literal)
            if rule.decides:
                unsure = unsure | self.possible(literal)
        return (fires & ~unsure, fires & unsure) if rule.decides else (fires, None)

    def symptom(self, name: str) -> Words:
        """Return where a symptom is certain."""
        return self.certain(self.program.symptoms[name])

    def certain(self, literal: Literal) -> Words:
        """Return where a literal is certain that a stage so far has read."""
        node, positive = literal
        return self._bit(node, possible=False) if positive else self._bit(node, possible=True) ^ self.full

    def possible(self, literal: Literal) -> Words:
        """Return where a literal is possible that a stage so far has read."""
        node, positive = literal
        return self._bit(node, possible=True) if positive else self._bit(node, possible=False) ^ self.full

    def answers(self) -> dict[int, tuple[Words, Words]]:
        """Return (certain, possible) of every leaf that was answered, by its position."""
        return {position: self.leaf(position) for position in self._answers}

    def leaf(self, position: int) -> tuple[Words, Words]:
        """Return (certain, possible) of a leaf; one without an answer is unknown."""
        certain, settled = self.answer(position)
        return certain, certain | (settled ^ self.full)

    def answer(self, position: int) -> Answer:
        """Return the answer to a leaf; one without an answer is settled nowhere."""
        found = self._answers.get(position)
        return (self.full ^ self.full, self.full ^ self.full) if found is None else found

    def _bit(self, node: int, *, possible: bool) -> Words:
        found = self._bits.get((node, possible))
        if found is None:
            leaves = self.answers()
            certain = {position: bits[0] for position, bits in leaves.items()}
            maybe = {position: bits[1] for position, bits in leaves.items()}
            for stage in self._ran:
                for position, bits in stage_bits(self.program, stage).run(certain, maybe, self.full).items():
                    self._bits[position, False], self._bits[position, True] = bits
            found = self._bits[node, possible]
        return found


@functools.lru_cache(maxsize=32)
def stage_sides(program: Program, stage: Stage) -> SideProgram:
    """Return the function of what the firing of the rules of one stage asks, and after the evidence its symptoms."""
    sides: list[Side] = []
    for rule in rules_of(program, stage):
        sides += [(node, not positive) for node, positive in (rule.body, *rule.unless)]
        if rule.decides:
            sides += [(node, positive) for node, positive in rule.unless]
    if stage is Stage.EVIDENCE:
        sides += [(node, not positive) for node, positive in program.symptoms.values()]
    return compile_sides(program, sides)


def leaves_of(program: Program, literal: Literal) -> frozenset[int]:
    """Return the positions of the leaves under a literal."""
    node = program.nodes[literal[0]]
    if node.join is Join.LEAF:
        return frozenset({literal[0]})
    return frozenset().union(*(leaves_of(program, child) for child in node.children))
