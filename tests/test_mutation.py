"""The mistakes that the mutation of code makes are mistakes, and each is one."""

from __future__ import annotations

import ast

from mutation import changes, mutant


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
