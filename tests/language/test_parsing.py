"""Condition trees as they stand in YAML."""

from __future__ import annotations

import functools

import pytest
from language.some_names import some_names

from dam_expert.language.conditions import All, Any, AtLeast, Not, Symptom, leaf_text, leaves
from dam_expert.language.parsing import MAX_DEPTH, MAX_LEAVES, read_condition

NAMES = some_names()
IDLE = Symptom("idle")


def complaints(data):
    tree, found = read_condition(data, NAMES, ("when",))
    assert (tree is None) == bool(found)
    return [(complaint.path, complaint.code) for complaint in found]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param("idle", IDLE, id="a leaf"),
        pytest.param({"all": ["idle"]}, All((IDLE,)), id="all"),
        pytest.param({"any": ["idle", "idle"]}, Any((IDLE, IDLE)), id="any"),
        pytest.param({"not": {"any": ["idle"]}}, Not(Any((IDLE,))), id="not of a tree"),
        pytest.param({"at_least": {"n": 1, "of": ["idle", "idle"]}}, AtLeast(1, (IDLE, IDLE)), id="at least"),
    ],
)
def test_a_tree_is_read_as_it_stands(data, expected):
    """Joiners nest freely."""
    assert read_condition(data, NAMES, ()) == (expected, [])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(
            {"all": ["idel", "idle", "gap > x"]},
            [(("when", "all", 0), "unknown-id"), (("when", "all", 2), "not-a-quantity")],
            id="every leaf that is wrong",
        ),
        pytest.param({"al": ["idle"]}, [(("when", "al"), "unknown-key")], id="joiner"),
        pytest.param({"all": []}, [(("when", "all"), "not-a-condition")], id="nothing to join"),
        pytest.param({"any": "idle"}, [(("when", "any"), "not-a-condition")], id="a text to join"),
        pytest.param(["idle"], [(("when",), "not-a-condition")], id="a list"),
        pytest.param({"all": ["idle"], "any": ["idle"]}, [(("when",), "not-a-condition")], id="two joiners"),
        pytest.param({}, [(("when",), "not-a-condition")], id="no joiner"),
        pytest.param(3, [(("when",), "not-a-condition")], id="a number"),
        pytest.param({"all": [None]}, [(("when", "all", 0), "not-a-condition")], id="nothing"),
        pytest.param({"not": ["idle"]}, [(("when", "not"), "not-a-condition")], id="not of a list"),
        pytest.param({"at_least": ["idle"]}, [(("when", "at_least"), "not-a-condition")], id="at least of a list"),
        pytest.param({"at_least": {"n": 1}}, [(("when", "at_least"), "not-a-condition")], id="at least of nothing"),
        pytest.param(
            {"at_least": {"n": 1, "of": ["idle"], "x": 1}},
            [(("when", "at_least"), "not-a-condition")],
            id="at least and more",
        ),
        *[
            pytest.param(
                {"at_least": {"n": n, "of": ["idle", "idle"]}},
                [(("when", "at_least", "n"), "not-a-condition")],
                id=f"at least {n!r} of two",
            )
            for n in (0, 3, -1, True, 1.0, "1", None)
        ],
        pytest.param(
            {"at_least": {"n": 2, "of": "idle"}},
            [(("when", "at_least", "n"), "not-a-condition")],
            id="at least two of a text",
        ),
        pytest.param(
            {"at_least": {"n": 1, "of": "idle"}},
            [(("when", "at_least", "of"), "not-a-condition")],
            id="at least of a text",
        ),
    ],
)
def test_what_is_wrong_is_told_at_its_path(data, expected):
    """All problems of a tree at once, and then there is no tree."""
    assert complaints(data) == expected


@pytest.mark.parametrize(
    ("wrap", "step"),
    [
        pytest.param(lambda tree: {"not": tree}, ("not",), id="not"),
        pytest.param(lambda tree: {"all": ["idle", tree]}, ("all", 1), id="all"),
        pytest.param(lambda tree: {"at_least": {"n": 1, "of": [tree, "idle"]}}, ("at_least", "of", 0), id="at least"),
    ],
)
def test_depth_is_bounded(wrap, step):
    """The deepest permitted tree is read; one level more is refused at the level that is too much."""
    tree = functools.reduce(lambda inner, _: wrap(inner), range(MAX_DEPTH), "idle")
    assert complaints(tree) == []
    at = ("when", *step * (MAX_DEPTH + 1))
    assert (at, "too-deep") in complaints(wrap(tree))
    assert {code for _, code in complaints(wrap(tree))} == {"too-deep"}


def test_size_is_bounded():
    """One leaf too many is told once, where it stands."""
    assert complaints({"all": ["idle"] * MAX_LEAVES}) == []
    assert complaints({"all": ["idle"] * (MAX_LEAVES + 5)}) == [(("when", "all", MAX_LEAVES), "too-large")]


def test_leaves_come_from_left_to_right_and_as_written():
    """Whatever joins them; each can be written again."""
    data = {"all": ["gap > 20 %", {"not": "idle"}, {"at_least": {"n": 1, "of": ["known gap", "planned more_workers"]}}]}
    tree, _ = read_condition(data, NAMES, (), advice=True)
    assert [leaf_text(leaf) for leaf in leaves(tree)] == ["gap > 20 %", "idle", "known gap", "planned more_workers"]


@pytest.mark.parametrize("text", ["unknown gap", "input_wait is confirmed", "binding is input"])
def test_leaves_of_advice_are_written_as_read(text):
    """The text of a leaf reads as itself."""
    tree, _ = read_condition(text, NAMES, (), advice=True)
    assert leaf_text(tree) == text
