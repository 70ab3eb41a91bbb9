"""The mistakes that the mutation of code makes are mistakes, and each is one."""

from __future__ import annotations

import ast
import pathlib

from mutation import changes, groups_of, mutant, sample


def test_every_mistake_changes_one_thing():
    """Comparisons, joins, sums, negations, numbers, truths, min and any: each once, and nothing else."""
    source = "@z(y=True)\ndef x(): ...\na < b\nc and d\ne + 1\nnot f\nmin(g)\nany(h)\ni is not j\nTrue\nk in l\n"
    tree = ast.parse(source)
    made = [ast.unparse(mutant(tree, change)[0]).splitlines() for change in changes(tree)]
    source = ast.unparse(tree)
    found = {
        (before, after)
        for lines in made
        for before, after in zip(source.splitlines(), lines, strict=True)
        if before != after
    }
    assert found == {
        ("a < b", "a >= b"),
        ("c and d", "c or d"),
        ("e + 1", "e - 1"),
        ("e + 1", "e + 2"),
        ("not f", "not not f"),
        ("min(g)", "max(g)"),
        ("any(h)", "all(h)"),
        ("i is not j", "i is j"),
        ("True", "False"),
        ("k in l", "k not in l"),
    }
    assert len(made) == len(found)


def test_a_sample_is_spread_and_the_same_each_time():
    """So many mistakes are taken at equal distances, from the first one on; all where there are fewer."""
    found = [(number, 0) for number in range(10)]
    assert sample(found, 1, 4) == [(0, 0), (2, 0), (5, 0), (7, 0)]
    assert sample(found, 3, None) == [(0, 0), (3, 0), (6, 0), (9, 0)]
    assert sample(found, 1, 20) == found


def test_tests_of_a_module_are_its_own_and_then_its_callers():
    """Every module of the engine and the language has tests, all of which exist."""
    modules = [*pathlib.Path("dam_expert/engine").rglob("*.py"), *pathlib.Path("dam_expert/language").rglob("*.py")]
    assert groups_of(pathlib.Path("dam_expert/engine/claims.py"))[0] == ["tests/engine/test_claims.py"]
    assert groups_of(pathlib.Path("dam_expert/engine/why.py"))[0] == ["tests/engine/test_why.py"]
    for module in modules:
        groups = groups_of(module)
        assert groups
        assert all(pathlib.Path(test.split("::")[0]).exists() for tests in groups for test in tests)
