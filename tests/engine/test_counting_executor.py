"""What counting tells of symptoms, exceptions and conditions that always hold, on programs of a few nodes."""

from __future__ import annotations

import pytest

from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.counting_executor import CountingExecutor, settled_nodes
from dam_expert.language.program import CompiledRule, Join, Node, Program, Stage
from dam_expert.language.truth import Truth

LEAF = Node(Join.LEAF)
BOTH = Node(Join.ALL, ((0, True), (1, True)))


def one_rule(
    *, unless: tuple[tuple[int, bool], ...] = (), decides: bool = True, symptom: tuple[int, bool] | None = None
) -> Program:
    """Return two leaves, of which a rule needs the first, and a join of both for exceptions and a symptom to read."""
    rule = CompiledRule(id="r", stage=Stage.EVIDENCE, body=(0, True), unless=unless, decides=decides)
    return Program(nodes=(LEAF, LEAF, BOTH), symptoms={} if symptom is None else {"s": symptom}, rules=(rule,))


@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize("second", Truth)
@pytest.mark.parametrize("executor", [BitExecutor, CountingExecutor])
def test_a_symptom_of_several_parts_is_true_false_or_unknown(executor, second, positive):
    """Alone in its base, also where it denies."""
    evaluation = executor(one_rule(symptom=(2, positive))).begin()
    evaluation.run(Stage.SANITY, {})
    evaluation.run(Stage.EVIDENCE, {0: Truth.TRUE} | ({} if second is Truth.UNKNOWN else {1: second}))
    assert evaluation.symptoms() == {"s": second if positive else second.negated()}


@pytest.mark.parametrize(
    ("answers", "decides", "strength"),
    [
        pytest.param({0: Truth.TRUE, 1: Truth.TRUE}, True, None, id="the exception holds"),
        pytest.param({0: Truth.TRUE, 1: Truth.FALSE}, True, "full", id="it does not"),
        pytest.param({0: Truth.TRUE}, True, "reduced", id="nobody knows"),
        pytest.param({0: Truth.TRUE}, False, "full", id="nobody knows, and nothing is decided"),
        pytest.param({0: Truth.FALSE}, True, None, id="the body is false"),
    ],
)
@pytest.mark.parametrize("executor", [BitExecutor, CountingExecutor])
def test_an_exception_holds_back_or_weakens(executor, answers, decides, strength):
    """One that is a join as well as a leaf."""
    for exception in ((1, True), (2, True)):
        evaluation = executor(one_rule(unless=(exception,), decides=decides)).begin()
        fired = evaluation.run(Stage.EVIDENCE, answers)
        assert [firing.strength.value for firing in fired] == ([] if strength is None else [strength])


def test_what_needs_nothing_holds_from_the_start():
    """A rule whose condition is all of nothing, which no base can write, fires in its own stage, and only there."""
    body = (1, True)
    rules = tuple(
        CompiledRule(id=stage.name, stage=stage, body=body, unless=(), decides=False)
        for stage in (Stage.SANITY, Stage.ADVICE)
    )
    evaluation = CountingExecutor(Program(nodes=(LEAF, Node(Join.ALL, ())), symptoms={}, rules=rules)).begin()
    assert [[firing.rule for firing in evaluation.run(stage, {})] for stage in Stage] == [["SANITY"], [], ["ADVICE"]]


def test_nodes_are_settled_by_what_is_not_unknown():
    """Each by its position, with all that follows."""
    known = {0: Truth.TRUE, 1: Truth.FALSE}
    assert settled_nodes(one_rule(), known) == {0: True, 1: False, 2: False}
    assert settled_nodes(one_rule(), {0: Truth.TRUE, 1: Truth.UNKNOWN}) == {0: True}
