"""The table executor: evaluates the node table from leaves to roots. Used where speed matters more than a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.engine.executor import Firing, Strength, in_order, strength_of
from dam_expert.language.program import literal_truth
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.language.program import Program, Stage


class TableExecutor:
    """Evaluates incidents against one compiled base by walking its node table."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def begin(self) -> TableEvaluation:
        """Begin an incident with nothing known."""
        return TableEvaluation(self._program)


class TableEvaluation:
    """One incident under evaluation."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._answers: dict[int, Truth] = {}
        self.truths = program.evaluate({})

    def run(self, stage: Stage, answers: Mapping[int, Truth]) -> list[Firing]:
        """Fire the rules of a stage, given the truth of further leaf nodes."""
        self._answers.update(answers)
        self.truths = self._program.evaluate(self._answers)
        fired: dict[str, Strength] = {}
        for rule in self._program.rules:
            if rule.stage is not stage or literal_truth(rule.body, self.truths) is not Truth.TRUE:
                continue
            strength = strength_of(rule, [literal_truth(literal, self.truths) for literal in rule.unless])
            if strength is not None:
                fired[rule.id] = strength
        return in_order(self._program, fired)

    def symptoms(self) -> dict[str, Truth]:
        """Return the truth of every symptom."""
        return {name: literal_truth(literal, self.truths) for name, literal in self._program.symptoms.items()}
