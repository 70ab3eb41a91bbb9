"""What is known of a block is, row by row, what is known of each incident."""

from __future__ import annotations

import numpy as np
import pytest
from block_rows import alone, row
from small_bases import base, incident, limit, measure, rule, run, seen, suspect, tools

from dam_expert.documents.incident import Incident
from dam_expert.engine.block.evaluating import evaluate_block
from dam_expert.engine.block.incidents import Filler, Sources, block_of
from dam_expert.engine.block.words import unpacked
from dam_expert.language.conditions import Column

BASE = base(
    measurements=[
        measure("used", decides="counter"),
        measure("held", decides="counter"),
        measure("part", decides="counter", formula="used / held", tolerance="12.5 %"),
    ],
    thresholds=[limit("bar", 0.5)],
    hypotheses=[suspect("cause")],
    rules=[rule("full", "part > bar", {"confirm": "cause"})],
)
RULES = [each.id for each in BASE.program.rules]

FORMULA = tools(used=8, held=8)
FIRES = {"full": "full"}
PARTS = [
    pytest.param(*parts, id=name)
    for name, *parts in (
        ("nothing observed", (), FIRES),
        ("the same", tools(part=1), FIRES),
        ("an eighth less is no contradiction", tools(part=0.875), FIRES),
        ("more than an eighth less is one", tools(part=0.87), {}),
        ("more than an eighth more", tools(part=1.2), {}),
        ("a range below", tools(part=(0.6, 0.8)), {}),
        ("a range above", tools(part=(1.3, 1.5)), {}),
        ("a range that holds it", tools(part=(0.6, 1.2)), FIRES),
        ("a range that touches the tolerance", tools(part=(0.6, 0.875)), FIRES),
        ("a range not far above", tools(part=(1.15, 1.5)), FIRES),
        ("only said", (seen("part", 0.8, "said"),), {}),
    )
]


def same_as_alone(given: list[Incident]) -> list[dict[str, str]]:
    """Return what fires, which has to be the same in one block, in blocks of one, and without any."""
    found = [alone(run(BASE, *each.observations)) for each in given]
    together = evaluate_block(BASE, block_of(BASE, given))
    assert [row(together, place, RULES) for place in range(len(given))] == found
    for each, expected in zip(given, found, strict=True):
        assert row(evaluate_block(BASE, block_of(BASE, [each])), 0, RULES) == expected
    return [each["fired"] for each in found]


@pytest.mark.parametrize(("observed", "fires"), PARTS)
def test_what_a_formula_contradicts_decides_nothing(observed: tuple, fires: dict[str, str]) -> None:
    """Whether it is all that a block knows, or others know nothing of it."""
    both = incident(*FORMULA, *observed)
    assert same_as_alone([both]) == [fires]
    assert same_as_alone([both, incident(), incident(*FORMULA), both])[::3] == [fires, fires]
    assert same_as_alone([both, incident(*tools(part=0.9))])[0] == fires


def test_rows_of_one_column_come_from_several_readers() -> None:
    """Each says of all of its rows, of none or of some whether they may decide and whether a tool read them."""
    marks = [
        ([0, 7], True, True),
        ([1, 2, 9], np.array([True, False, True]), False),
        ([3, 65], False, np.array([False, True])),
        ([4], np.array([False]), np.array([True])),
    ]

    def marked(chosen: list[int]) -> tuple[list[int], list[int], list[int]]:
        filler = Filler(Sources(BASE), 70)
        for place in chosen:
            rows, decisive, by_tool = marks[place]
            filler.add_numbers(Column("used"), np.array(rows), *[np.array(rows, float)] * 2, decisive, by_tool)
        block = filler.block()
        column, nothing = Column("used"), np.zeros(2, np.uint64)
        return tuple(
            np.flatnonzero(unpacked(of.get(column, nothing), 70)).tolist()
            for of in (block.numbers, block.decisive, block.by_tool)
        )

    assert marked([0, 1, 2, 3]) == ([0, 1, 2, 3, 4, 7, 9, 65], [0, 1, 7, 9], [0, 4, 7, 65])
    assert marked([0]) == ([0, 7], [0, 7], [0, 7])
    assert marked([1]) == ([1, 2, 9], [1, 9], [])
    assert marked([2]) == ([3, 65], [], [65])
    assert marked([3, 1]) == ([1, 2, 4, 9], [1, 9], [4])
