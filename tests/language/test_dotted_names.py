"""Names of runbooks have a dot: they stand everywhere a name can, and an aspect is still an aspect."""

from __future__ import annotations

import pytest

from dam_expert.documents.kinds import Kind
from dam_expert.kb.base import BaseNames
from dam_expert.language.conditions import columns, leaves
from dam_expert.language.expressions import formula_columns
from dam_expert.language.formulas import read_formula
from dam_expert.language.names import MeasuredName, Role
from dam_expert.language.parsing import read_condition


@pytest.fixture(name="names")
def _names():
    names = BaseNames()
    for name in ("wait", "team.wait"):
        names.define_measured(MeasuredName(id=name, kind=Kind.DURATION, unit="s"), ())
    for name, role in (("team.high", Role.SYMPTOM), ("team.cause", Role.HYPOTHESIS), ("team.fix", Role.LEVER)):
        names.define(name, role)
    return names


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("team.wait > 1 s", "team.wait"),
        ("team.wait.max > 1 s", "team.wait.max"),
        ("team.wait[stage=decode].max > 1 s", "team.wait[stage=decode].max"),
        ("wait.max > 1 s", "wait.max"),
        ("tried.team.fix > 1.2", "tried.team.fix"),
        ("known team.wait", "team.wait"),
    ],
)
def test_columns(names, text, column):
    """A dotted name is a column, with or without an aspect."""
    tree, complaints = read_condition(text, names, (), advice=True)
    assert complaints == []
    (leaf,) = leaves(tree)
    assert [str(each) for each in columns(leaf)] == [column]


@pytest.mark.parametrize(
    "text",
    ["team.high", "team.cause is confirmed", "binding is team.cause", "planned team.fix", "wait > 2 x team.wait"],
)
def test_other_leaves(names, text):
    """Dotted symptoms, hypotheses and levers can be asked about."""
    assert read_condition(text, names, (), advice=True)[1] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("team.wiat > 1 s", "there is no measurement 'team.wiat'"),
        ("wait.maximum > 1 s", "a column has no '.maximum'"),
    ],
)
def test_misspelt(names, text, said):
    """A misspelt name is complained about whole, a misspelt aspect as one."""
    ((complaint,),) = [read_condition(text, names, ())[1]]
    assert complaint.text == said


def test_formulas(names):
    """A dotted name can be calculated with."""
    assert [str(each) for each in formula_columns(read_formula("team.wait / wait.max", names))] == [
        "team.wait",
        "wait.max",
    ]
