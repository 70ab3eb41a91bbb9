"""Counting settles the same nodes, with the same truths, as evaluating every node of a program."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dam_expert.language.counting import Settled, nothing_known
from dam_expert.language.program import Join, Node, Program
from dam_expert.language.truth import Truth

LEAVES = 4


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Draw some leaves and joins of what stands before them: empty ones, equal members, counts that nothing reaches."""
    nodes = [Node(Join.LEAF)] * LEAVES
    for _ in range(draw(st.integers(1, 8))):
        literals = st.tuples(st.integers(0, len(nodes) - 1), st.booleans())
        join = draw(st.sampled_from([Join.ALL, Join.ANY, Join.AT_LEAST]))
        nodes.append(Node(join, tuple(draw(st.lists(literals, max_size=4))), draw(st.integers(0, 5))))
    return Program(nodes=tuple(nodes), symptoms={}, rules=())


ANSWERS = st.dictionaries(st.integers(0, LEAVES - 1), st.sampled_from([Truth.TRUE, Truth.FALSE]))


def truths(case: Settled, program: Program) -> list[Truth]:
    told = {None: Truth.UNKNOWN, True: Truth.TRUE, False: Truth.FALSE}
    return [told[case.values.get(position)] for position in range(len(program.nodes))]


@settings(max_examples=300, deadline=None)
@given(program=programs(), first=ANSWERS, second=ANSWERS)
def test_same_as_every_node_evaluated(program: Program, first: dict[int, Truth], second: dict[int, Truth]) -> None:
    """Told at once or one after the other; what is settled already is told again in vain."""
    case = nothing_known(program).copy()
    told = case.add((leaf, truth is Truth.TRUE) for leaf, truth in first.items())
    assert truths(case, program) == program.evaluate(first)
    told += case.add((leaf, truth is Truth.TRUE) for leaf, truth in second.items())
    assert truths(case, program) == program.evaluate(second | first)
    assert len(told) == len(set(told)) == len(case.values) - len(nothing_known(program).values)


@settings(max_examples=300, deadline=None)
@given(program=programs(), answers=ANSWERS, data=st.data())
def test_what_nobody_wants_is_not_followed(program: Program, answers: dict[int, Truth], data: st.DataObject) -> None:
    """A wanted literal holds where it does in the whole program, whatever else was left alone."""
    literals = st.tuples(st.integers(0, len(program.nodes) - 1), st.booleans())
    wanted = data.draw(st.lists(literals, max_size=3))
    case = nothing_known(program, [2 * node + value for node, value in wanted]).copy()
    case.add((leaf, truth is Truth.TRUE) for leaf, truth in answers.items())
    found = program.evaluate(answers)
    for node, value in wanted:
        assert (case.values.get(node) is value) == (found[node] is (Truth.TRUE if value else Truth.FALSE))


@settings(max_examples=300, deadline=None)
@given(program=programs(), first=ANSWERS, second=ANSWERS, usual=st.sets(st.integers(0, 2 * LEAVES - 1)))
def test_what_is_usual_is_looked_up_and_settles_the_same(
    program: Program, first: dict[int, Truth], second: dict[int, Truth], usual: set[int]
) -> None:
    """Whichever literals of leaves are taken to hold nearly always, and whether they are told at once or later."""
    told: dict[int, Truth] = {}
    case = nothing_known(program, None, usual).copy(told)
    for answers in (first, {leaf: truth for leaf, truth in second.items() if leaf not in first}):
        told.update(answers)
        case.add((leaf, truth is Truth.TRUE) for leaf, truth in answers.items())
        assert truths(case, program) == program.evaluate(told)


def test_what_was_put_off_by_what_always_holds_follows_in_a_copy() -> None:
    """A join of nothing is false from the start, so that all else that would have to be false is the usual leaf."""
    nodes = (Node(Join.LEAF), Node(Join.ANY), Node(Join.ANY, ((0, True), (1, True))))
    told: dict[int, Truth] = {}
    case = nothing_known(Program(nodes=nodes, symptoms={}, rules=()), None, {0}).copy(told)
    told[0] = Truth.FALSE
    case.add([(0, False)])
    assert case.values == {0: False, 1: False, 2: False}


def test_a_copy_leaves_the_other_alone() -> None:
    """What one case settles and counts is not settled in another."""
    nodes = (Node(Join.LEAF), Node(Join.LEAF), Node(Join.AT_LEAST, ((0, True), (1, True)), 2))
    start = nothing_known(Program(nodes=nodes, symptoms={}, rules=()))
    start.copy().add([(0, True)])
    other = start.copy()
    other.add([(1, True)])
    assert (start.values, other.values) == ({}, {1: True})
