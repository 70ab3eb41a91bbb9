"""The bit programs of the stages, which worlds and blocks run, and an executor of one incident on ints of one bit.

What diagnoses one incident counts instead (:mod:`dam_expert.engine.counting_executor`), which is quicker: the executor
here is held against it, and shows that both rest on the same program.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from dam_expert.engine.executor import Firing, Strength
from dam_expert.language.bits import BitProgram, bits_truth, compile_bits, literal_bits, truth_bits
from dam_expert.language.program import Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.language.program import CompiledRule, Literal, Program

_ONE = 1


class BitExecutor:
    """Evaluates incidents against one compiled base."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def begin(self) -> BitEvaluation:
        """Begin an incident with nothing known."""
        return BitEvaluation(self._program)


class BitEvaluation:
    """One incident under evaluation."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._certain: dict[int, int] = {}
        self._possible: dict[int, int] = {}
        self._found: dict[int, tuple[int, int]] = {}

    def run(self, stage: Stage, answers: Mapping[int, Truth]) -> list[Firing]:
        """Fire the rules of a stage, given the truth of further leaf nodes."""
        for position, truth in answers.items():
            self._certain[position], self._possible[position] = truth_bits(truth)
        found = stage_bits(self._program, stage).run(self._certain, self._possible, _ONE)
        self._found |= found
        fired = []
        for node, positive, rule in _bodies(self._program, stage):
            certain, possible = found[node]
            if certain if positive else not possible:
                strength = self._strength(rule)
                if strength is not None:
                    fired.append(Firing(rule.id, strength))
        return fired

    def symptoms(self) -> dict[str, Truth]:
        """Return the truth of every symptom."""
        if not self._found.keys() >= {node for node, _ in self._program.symptoms.values()}:
            self.run(Stage.EVIDENCE, {})
        return {
            name: bits_truth(*literal_bits(literal, self._found, _ONE))
            for name, literal in self._program.symptoms.items()
        }

    def _strength(self, rule: CompiledRule) -> Strength | None:
        """Return how a rule whose body is true fires, or None where an exception holds it back."""
        exceptions = [literal_bits(literal, self._found, _ONE) for literal in rule.unless]
        if any(certain for certain, _ in exceptions):
            return None
        unsure = rule.decides and any(possible for _, possible in exceptions)
        return Strength.REDUCED if unsure else Strength.FULL


@functools.lru_cache(maxsize=8)
def bits_of(program: Program) -> BitProgram:
    """Return the bit program of a program, compiled once."""
    return compile_bits(program)


@functools.lru_cache(maxsize=32)
def stage_bits(program: Program, stage: Stage) -> BitProgram:
    """Return the function of the rules of one stage, and after the evidence that of the symptoms."""
    literals: list[Literal] = [literal for rule in rules_of(program, stage) for literal in (rule.body, *rule.unless)]
    literals += program.symptoms.values() if stage is Stage.EVIDENCE else ()
    return compile_bits(program, literals)


@functools.lru_cache(maxsize=32)
def rules_of(program: Program, stage: Stage) -> tuple[CompiledRule, ...]:
    """Return the rules of one stage, in the order of the base."""
    return tuple(rule for rule in program.rules if rule.stage is stage)


@functools.lru_cache(maxsize=32)
def _bodies(program: Program, stage: Stage) -> tuple[tuple[int, bool, CompiledRule], ...]:
    return tuple((*rule.body, rule) for rule in rules_of(program, stage))
