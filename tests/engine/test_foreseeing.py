"""What is foreseen of outcomes is what each leaf says when the outcome is imagined and asked one by one."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from truth.drawn import facts
from truth.jobs import evaluated, job, shipped

from dam_expert.engine.evaluate import Evaluated
from dam_expert.engine.foreseeing import Imagined, foresee
from dam_expert.engine.leaves import truth_of
from dam_expert.engine.outcomes import outcomes_of
from dam_expert.engine.reads import reading
from dam_expert.language.truth import Truth


def one_by_one(found: Evaluated, name: str) -> dict[int, tuple[int, int]]:
    """Return by leaf in which outcomes it is true and in which false; without those that say nothing."""
    said: dict[int, tuple[int, int]] = {}
    for place, outcome in enumerate(outcomes_of(found, name)):
        imagined = Imagined(found.columns, name, outcome.value)
        for position in reading(found.base).get(name, ()):
            question = found.base.program.nodes[position].question
            assert question is not None
            truth = truth_of(question, imagined, found.expected)
            true, false = said.get(position, (0, 0))
            said[position] = true | (truth is Truth.TRUE) << place, false | (truth is Truth.FALSE) << place
    return {position: bits for position, bits in said.items() if bits != (0, 0)}


@settings(deadline=None, max_examples=6)
@given(facts())
def test_same_as_each_leaf_asked(drawn: dict[str, Any]) -> None:
    """Of every measurement of the base, known or not, whatever is expected of probes."""
    found = evaluated(job(drawn))
    names = list(shipped().measurements)
    for name, foreseen in zip(names, foresee(found, names), strict=True):
        assert foreseen.outcomes == len(outcomes_of(found, name))
        marks = {position: (true, false) for position, true, false in foreseen.marks if true or false}
        assert marks == one_by_one(found, name), name
        known = {position for position in reading(found.base).get(name, ()) if position in found.leaf_truths}
        assert known <= {position for position, _, _ in foreseen.marks}
