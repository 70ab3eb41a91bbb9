"""The bit executor: evaluates one incident with the bit program on ints of one bit. Used where no trace is wanted."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from dam_expert.engine.executor import Firing, Strength, in_order, strength_of
from dam_expert.language.bits import BitProgram, bits_truth, compile_bits, literal_bits, truth_bits
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.language.program import Literal, Program, Stage

_ONE = 1


class BitExecutor:
    """Evaluates incidents against one compiled base."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._bits = bits_of(program)

    def begin(self) -> BitEvaluation:
        """Begin an incident with nothing known."""
        return BitEvaluation(self._program, self._bits)


class BitEvaluation:
    """One incident under evaluation."""

    def __init__(self, program: Program, bits: BitProgram) -> None:
        self._program = program
        self._bits = bits
        self._certain: dict[int, int] = {}
        self._possible: dict[int, int] = {}
        self._found = bits.run({}, {}, _ONE)

    def run(self, stage: Stage, answers: Mapping[int, Truth]) -> list[Firing]:
        """Fire the rules of a stage, given the truth of further leaf nodes."""
        for position, truth in answers.items():
            self._certain[position], self._possible[position] = truth_bits(truth)
        self._found = self._bits.run(self._certain, self._possible, _ONE)
        fired: dict[str, Strength] = {}
        for rule in self._program.rules:
            if rule.stage is not stage or self._truth(rule.body) is not Truth.TRUE:
                continue
            strength = strength_of(rule, [self._truth(literal) for literal in rule.unless])
            if strength is not None:
                fired[rule.id] = strength
        return in_order(self._program, fired)

    def symptoms(self) -> dict[str, Truth]:
        """Return the truth of every symptom."""
        return {name: self._truth(literal) for name, literal in self._program.symptoms.items()}

    def _truth(self, literal: Literal) -> Truth:
        return bits_truth(*literal_bits(literal, self._found, _ONE))


@functools.lru_cache(maxsize=8)
def bits_of(program: Program) -> BitProgram:
    """Return the bit program of a program, compiled once."""
    return compile_bits(program)
