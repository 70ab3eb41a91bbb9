"""The shape of the entries that follow the appendix: its axes, regions, laws, scorecard and statements.

All other kinds are in :mod:`dam_expert.kb.models`, which puts the sections of a file together.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from dam_expert.documents.vocabulary import Axis
from dam_expert.kb.entry import ConditionTree, DottedName, Entry, Name, Sources, Text, Variable


class AxisModel(Entry, frozen=True):
    """One of the three axes of the appendix's table 1."""

    id: Axis
    title: Text
    role: Text
    constraint: Text
    optimisation: Text
    source: Sources


class TechniqueModel(Entry, frozen=True):
    """One technique of a region, and the entries of the base in which it works."""

    title: Text
    ids: Annotated[list[DottedName], Meta(min_length=1)]


class RegionModel(Entry, frozen=True, kw_only=True):
    """One region of the appendix's table 2: the axes that meet in it, the question it asks, its techniques."""

    id: Name
    title: Text
    axes: Annotated[list[Axis], Meta(min_length=1, max_length=3)]
    question: Text
    note: Text | None = None
    techniques: Annotated[list[TechniqueModel], Meta(min_length=1)]
    source: Sources


class LawModel(Entry, frozen=True, kw_only=True):
    """A law, bound or way to ask. ``ids`` name the entries that argue with it; no law confirms anything by itself."""

    id: Name
    title: Text
    statement: Text
    formula: Text | None = None
    symbols: dict[str, Text] = {}
    """The quantities of the formula, each with its unit."""
    region: list[Axis] = []
    moves: list[Variable] = []
    """The variables that levers move; every lever moves one of these or what stands beside the law."""
    limits: Text | None = None
    ids: Annotated[list[DottedName], Meta(min_length=1)]
    source: Sources


class ScorecardModel(Entry, frozen=True):
    """One row of the scorecard: a screening signal with two conditions, never a grade."""

    id: Name
    title: Text
    axis: Axis
    measurement: Name
    definition: Text
    investigate: ConditionTree
    strong: ConditionTree
    scope: Text
    source: Sources


class FactModel(Entry, frozen=True):
    """One statement of the appendix, in words of our own, and the entries that carry it."""

    id: Annotated[str, Meta(pattern=r"^fact_[0-9]{3}\Z")]
    section: Name
    states: Text
    carried_by: Annotated[list[DottedName], Meta(min_length=1)]

    @property
    def number(self) -> int:
        """Its number in the appendix, from 1."""
        return int(self.id.removeprefix("fact_"))
