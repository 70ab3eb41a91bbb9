"""The compiled table: what is shared, and which truth each rule asks for."""

from __future__ import annotations

import itertools

import pytest
from language.some_names import some_names

from dam_expert.language.bits import bits_truth, compile_bits, literal_bits, truth_bits
from dam_expert.language.conditions import All, AtLeast, Not, Symptom
from dam_expert.language.conditions import Any as AnyOf
from dam_expert.language.leaves import read_leaf
from dam_expert.language.program import Join, Reading, RuleSource, Stage, compile_program, literal_truth
from dam_expert.language.truth import Truth

NAMES = some_names()
BINDING, GUESS, SOCKET = (read_leaf(text, NAMES) for text in ("gap >= binding", "gap >= guess", "transport is socket"))


def source(name, when, *, stage=Stage.EVIDENCE, decides=False, unless=(), hypotheses=()):
    return RuleSource(id=name, stage=stage, when=when, unless=unless, decides=decides, hypotheses=hypotheses)


def questions(program):
    return [(str(node.question.leaf.column), node.question.reading) for node in program.nodes if node.question]


def test_equal_conditions_are_one_node():
    """Whoever asks, a comparison is made once."""
    program = compile_program({"idle": GUESS}, [source("a", All((GUESS, SOCKET))), source("b", All((GUESS, SOCKET)))])
    assert program.rules[0].body == program.rules[1].body
    assert len(program.nodes) == 3


def test_only_deciding_leaves_of_deciding_rules_are_strict():
    """A rule that supports asks for the plain truth, and so does an exception; a sanity rule for the raw one."""
    program = compile_program(
        {"idle": BINDING},
        [
            source("confirm", All((BINDING, GUESS)), decides=True, unless=(Symptom("idle"),), hypotheses=("h",)),
            source("support", BINDING),
            source("sanity", BINDING, stage=Stage.SANITY),
        ],
    )
    assert questions(program) == [
        ("gap", Reading.STRICT),
        ("gap", Reading.PLAIN),
        ("gap", Reading.PLAIN),
        ("gap", Reading.RAW),
    ]


def test_symptoms_are_expanded_where_they_stand():
    """In a deciding rule the comparisons inside of a symptom are strict as well."""
    program = compile_program({"idle": BINDING}, [source("a", Symptom("idle"), decides=True)])
    assert [reading for _, reading in questions(program)] == [Reading.STRICT, Reading.PLAIN]


def test_strict_leaves_belong_to_their_hypotheses():
    """A probe is judged by the gain that each suspect predicts."""
    program = compile_program(
        {}, [source(name, BINDING, decides=True, hypotheses=(name,)) for name in ("one", "other")]
    )
    assert [node.question.hypotheses for node in program.nodes] == [("one",), ("other",)]


def test_not_costs_no_node_and_single_children_are_themselves():
    """A negation is a sign, and *all* of one is that one; *at least* keeps what is written twice."""
    twice = AtLeast(2, (GUESS, GUESS))
    program = compile_program(
        {}, [source("a", Not(All((GUESS,)))), source("b", AnyOf((GUESS, GUESS))), source("c", twice)]
    )
    assert [rule.body for rule in program.rules] == [(0, False), (0, True), (1, True)]
    assert program.nodes[1].join is Join.AT_LEAST
    assert program.nodes[1].children == ((0, True), (0, True))


FIVE = tuple(read_leaf(f"gap >= {share} %", NAMES) for share in (10, 20, 30, 40, 50))
DEEP = All((AnyOf((Not(All(FIVE[:2])), AtLeast(2, FIVE[1:]))), Not(AtLeast(3, (Not(FIVE[0]), *FIVE[2:])))))


@pytest.mark.parametrize(
    ("leaves", "trees"),
    [
        pytest.param(3, [All(FIVE[:3]), AnyOf(FIVE[:3]), Not(All(FIVE[:3]))], id="joiners"),
        pytest.param(5, [AtLeast(n, FIVE) for n in range(1, 6)], id="at least"),
        pytest.param(5, [DEEP], id="one inside the other"),
        pytest.param(5, [DEEP, AnyOf((DEEP, Not(FIVE[4]))), FIVE[1]], id="shared"),
    ],
)
def test_the_table_and_the_bit_program_agree_on_all_truths(leaves, trees):
    """For every truth of the leaves, every joiner gives the same on the table and on bits."""
    program = compile_program({}, [source(str(number), tree) for number, tree in enumerate(trees)])
    bits = compile_bits(program)
    places = [position for position, node in enumerate(program.nodes) if node.join is Join.LEAF]
    assert len(places) == leaves
    for truths in itertools.product(Truth, repeat=leaves):
        answers = dict(zip(places, truths, strict=True))
        table = program.evaluate(answers)
        certain = {leaf: truth_bits(truth)[0] for leaf, truth in answers.items()}
        possible = {leaf: truth_bits(truth)[1] for leaf, truth in answers.items()}
        found = bits.run(certain, possible, 1)
        for rule in program.rules:
            assert bits_truth(*literal_bits(rule.body, found, 1)) is literal_truth(rule.body, table)


def test_a_leaf_without_an_answer_is_unknown():
    """And so is what rests on it."""
    program = compile_program({}, [source("a", All((GUESS, SOCKET)))])
    assert program.evaluate({0: Truth.TRUE})[2] is Truth.UNKNOWN
    assert program.evaluate({0: Truth.FALSE})[2] is Truth.FALSE
