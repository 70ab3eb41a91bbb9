"""The appendix is carried whole: every fact by entries that exist, every section by a command that runs."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from knowledge.rows import base

ROOT = Path(__file__).resolve().parent.parent.parent
FACTS = 114


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("make_appendix", ROOT / "docs" / "make_appendix.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_fact_is_there() -> None:
    """The facts are numbered from 1 without a gap, in order."""
    assert [fact.number for fact in base().facts.values()] == list(range(1, FACTS + 1))


def test_every_fact_is_carried() -> None:
    """Each fact names entries of the base, and not only facts."""
    for fact in base().facts.values():
        carriers = [name for name in fact.carried_by if name in base().places and not name.startswith("fact_")]
        assert carriers == fact.carried_by, fact.id
        assert carriers


def test_every_section_has_facts_and_a_command() -> None:
    """Facts lie in the sections of the walk-through, and each of its sections has some."""
    sections = [each["section"] for each in generator().walk()]
    assert sorted(set(sections)) == sorted(sections)
    assert {fact.section for fact in base().facts.values()} == set(sections)


def test_the_page_is_generated() -> None:
    """docs/appendix.md is what its script writes."""
    assert (ROOT / "docs" / "appendix.md").read_text(encoding="utf-8") == generator().page(base())


def test_the_seven_regions() -> None:
    """There is one region for every non-empty set of axes, each with techniques."""
    axes = {frozenset(region.axes) for region in base().regions.values()}
    assert len(base().regions) == len(axes) == 7
    assert all(region.techniques for region in base().regions.values())


def test_levers_that_overlap_name_two_axes() -> None:
    """A lever of table 3 says which axes it lets work at the same time, and its gain is bounded by the larger term."""
    overlapping = {name: lever for name, lever in base().levers.items() if lever.model.overlaps}
    assert {"prefetch_batches", "overlap_copies", "overlap_collectives", "double_buffering"} <= set(overlapping)
    assert all(len(lever.model.overlaps) == 2 and lever.model.moves == "overlap" for lever in overlapping.values())


def test_every_lever_moves_a_variable_of_a_law() -> None:
    """What a lever moves is a variable of the iron law or of overlap, or one of what stands beside them."""
    variables = {variable for law in base().laws.values() for variable in law.moves}
    beside = {"fit", "learning", "demand"}
    assert {lever.model.moves for lever in base().levers.values()} <= variables | beside


def test_the_tool_map() -> None:
    """Each axis has one primary tool and at least one secondary one."""
    roles: dict[str, list[str]] = {}
    for tool in base().tools.values():
        for axis, role in tool.tool_map.items():
            roles.setdefault(axis, []).append(role)
    assert set(roles) == {"data", "algorithm", "machine"}
    assert all("secondary" in found for found in roles.values())
    assert all(found.count("primary") == 1 for found in roles.values())


@pytest.mark.parametrize("hypothesis", [pytest.param(name, id=name) for name in base().hypotheses])
def test_every_hypothesis_is_argued(hypothesis: str) -> None:
    """A hypothesis can be supported and refuted, has a probe that can be had, and levers of its own or above it."""
    known = base().hypotheses[hypothesis]
    probe = known.model.probe
    assert probe is not None
    assert base().measurements[probe].is_obtainable
    concluded = {verb for rule in base().rules.values() for verb, name in rule.conclusions if name == hypothesis}
    assert concluded & {"confirm", "support"}
    family = {hypothesis, *known.ancestors}
    assert any(verb == "refute" and name in family for rule in base().rules.values() for verb, name in rule.conclusions)
    if hypothesis not in NOTHING_TO_DO:
        assert [name for name, lever in base().levers.items() if family & set(lever.model.works_on)]


#: Where there is nothing to repair, or only its causes can be repaired.
NOTHING_TO_DO = {"working_as_expected", "memory_capacity", "learning_limited"}
