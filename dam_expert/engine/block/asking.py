"""What the rules of a stage ask about columns: sorted once a base by how it is answered, and answered for a block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.engine.bit_executor import stage_bits
from dam_expert.engine.block.comparing import answer_to, strictly
from dam_expert.engine.block.limits import Asked, compared_with, fixed_in
from dam_expert.engine.leaves import is_controlled, probes_something
from dam_expert.language.conditions import Comparison
from dam_expert.language.program import Reading, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.engine.block.comparing import Answer
    from dam_expert.engine.block.expecting import Expected
    from dam_expert.engine.block.known import Known
    from dam_expert.kb.base import Base
    from dam_expert.language.program import Question


class Asking:
    """The comparisons that a stage reads and that no stage before it has read."""

    def __init__(self, base: Base, stage: Stage) -> None:
        read = {leaf for before in Stage if before < stage for leaf in stage_bits(base.program, before).leaves}
        questions = {
            position: question
            for position in stage_bits(base.program, stage).leaves
            if position not in read and (question := base.program.nodes[position].question) is not None
        }
        self._fixed, others = fixed_in(base, _asked(base, questions))
        alone = {asked.position for asked in others}
        self._others = [(position, question) for position, question in questions.items() if position in alone]
        self._probes = [
            (position, question)
            for position, question in questions.items()
            if position not in alone and _is_judged(base, question)
        ]
        """Those with fixed limits that what their suspects should gain judges."""
        self.about_verdict = [
            (position, question.leaf)
            for position, question in questions.items()
            if not isinstance(question.leaf, Comparison)
        ]
        """The leaves that are no comparisons."""

    def answers(self, known: Known, expected: Expected) -> dict[int, Answer]:
        """Return the answers to the comparisons by position; of columns that no row knows none is needed."""
        found = dict(compared_with(self._fixed, known))
        for position, question in self._probes:
            plain = found.get(position)
            if plain is not None:
                found[position] = strictly(question, plain, known, expected)
        for position, question in self._others:
            if isinstance(question.leaf, Comparison) and known.knows(question.leaf.column):
                found[position] = answer_to(question, known, expected)
        return found


def _asked(base: Base, questions: dict[int, Question]) -> Iterator[Asked]:
    for position, question in questions.items():
        if isinstance(question.leaf, Comparison):
            strict = question.reading is Reading.STRICT and not _is_judged(base, question)
            yield Asked(position, question.leaf, strict)


def _is_judged(base: Base, question: Question) -> bool:
    """Whether more than its own limit judges a comparison: what removing the suspects should have gained."""
    leaf = question.leaf
    return (
        question.reading is Reading.STRICT
        and isinstance(leaf, Comparison)
        and probes_something(leaf, base)
        and not is_controlled(leaf, question.hypotheses, base)
    )
