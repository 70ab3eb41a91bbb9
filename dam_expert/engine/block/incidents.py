"""Incidents as the columns of a block.

A plain incident (at most one unscoped value of a measurement, no interventions) goes straight into the columns; any
other is resolved first by the same code that serves single incidents, and its cells are copied.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.engine.block.spans import Floats, Span, unknown
from dam_expert.engine.columns import Columns
from dam_expert.engine.interventions import current
from dam_expert.engine.situation import has_percentile_target, miss_of, plans_of, stated_track
from dam_expert.language.conditions import Column, Comparison, columns, leaves
from dam_expert.language.formulas import formula_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from dam_expert.documents.incident import Incident
    from dam_expert.engine.cells import Cell
    from dam_expert.engine.situation import Plans
    from dam_expert.kb.base import Base

#: The code of a word that is missing.
NO_WORD: Final = -1


@dataclasses.dataclass(slots=True, kw_only=True)
class Block:
    """Columns of a block of incidents. Spans and words are by column; what is absent is unknown in every row."""

    size: int
    spans: dict[Column, Span]
    words: dict[Column, npt.NDArray[np.int32]]
    decisive: dict[Column, npt.NDArray[np.bool_]]
    """Where a comparison with the value may carry a decision."""
    by_tool: dict[Column, npt.NDArray[np.bool_]]
    """Where the value was read from a tool."""
    contradicted: dict[str, npt.NDArray[np.bool_]]
    """Where observations of a measurement contradict each other, so that no formula stands in for them."""
    vocabulary: dict[str, int]
    """The code of every word that occurs."""
    plans: list[Plans]
    track: list[str | None]
    """The track as stated, by the incident or its target's metric; None where symptoms tell it."""
    miss: Span
    has_target: npt.NDArray[np.bool_]
    percentile: npt.NDArray[np.bool_]
    resolved: npt.NDArray[np.bool_]

    def span(self, column: Column) -> Span:
        """Return the values of a column."""
        found = self.spans.get(column)
        return unknown(self.size) if found is None else found

    def codes(self, column: Column) -> npt.NDArray[np.int32]:
        """Return the words of a column as codes."""
        found = self.words.get(column)
        return np.full(self.size, NO_WORD, np.int32) if found is None else found


def block_of(base: Base, incidents: Sequence[Incident]) -> Block:
    """Return a block of incidents, one row each, in their order."""
    filler = _Filler(base, len(incidents))
    for row, incident in enumerate(incidents):
        filler.add(row, incident)
    return filler.block()


def needed_columns(base: Base) -> list[Column]:
    """Return every column that any part of an evaluation reads, derived ones left out."""
    found: dict[Column, None] = {}
    for column in _asked(base):
        measurement = base.measurements.get(column.measurement)
        if measurement is not None:
            found.setdefault(column)
    return list(found)


def _asked(base: Base) -> Iterator[Column]:
    for node in base.program.nodes:
        if node.question is not None:
            yield from columns(node.question.leaf)
    for threshold in base.thresholds.values():
        for alternative in threshold.name.alternatives:
            for leaf in leaves(alternative.when) if alternative.when is not None else ():
                if isinstance(leaf, Comparison):
                    yield from columns(leaf)
    formulas = [measurement.formula for measurement in base.measurements.values()]
    formulas += [formula for h in base.hypotheses.values() for formula in (h.share, h.attained)]
    formulas += [lever.ceiling for lever in base.levers.values()]
    for formula in formulas:
        yield from formula_columns(formula) if formula is not None else ()
    for name in base.measurements:
        yield Column(name)


class _Filler:
    """Fills the arrays of a block row by row."""

    def __init__(self, base: Base, size: int) -> None:
        self.base = base
        self.size = size
        self.needed = needed_columns(base)
        self.lo: dict[Column, Floats] = {}
        self.hi: dict[Column, Floats] = {}
        self.words: dict[Column, npt.NDArray[np.int32]] = {}
        self.decisive: dict[Column, npt.NDArray[np.bool_]] = {}
        self.by_tool: dict[Column, npt.NDArray[np.bool_]] = {}
        self.contradicted: dict[str, npt.NDArray[np.bool_]] = {}
        self.vocabulary: dict[str, int] = {}
        self.plans: list[Plans] = []
        self.track: list[str | None] = []
        self.miss = (np.full(size, np.nan), np.full(size, np.nan))
        self.has_target = np.zeros(size, bool)
        self.percentile = np.zeros(size, bool)
        self.resolved = np.zeros(size, bool)

    def add(self, row: int, incident: Incident) -> None:
        now = current(self.base, incident)
        plans = plans_of(self.base, incident, now.effects)
        self.plans.append(plans)
        self.track.append(stated_track(self.base, incident))
        miss = miss_of(self.base, incident, now.actual)
        if miss is not None:
            self.miss[0][row], self.miss[1][row] = miss.lo, miss.hi
        target = incident.target
        self.has_target[row] = target is not None and (target.wanted is not None or target.metric is not None)
        self.percentile[row] = has_percentile_target(incident)
        self.resolved[row] = now.target_met is True
        known = Columns(self.base, now.observations, plans.tried, raw=True, stale=now.stale)
        for column in self.needed:
            cell = known.cell(column)
            if cell is not None:
                self.put(row, column, cell)
        for name in self.base.derived_order:
            if known.is_contradicted(name):
                self.contradicted.setdefault(name, np.zeros(self.size, bool))[row] = True
        for lever in plans.tried:
            column = Column(f"tried.{lever}")
            cell = known.cell(column)
            if cell is not None:
                self.put(row, column, cell)

    def put(self, row: int, column: Column, cell: Cell) -> None:
        if column not in self.decisive:
            self.decisive[column] = np.zeros(self.size, bool)
            self.by_tool[column] = np.zeros(self.size, bool)
        self.decisive[column][row] = cell.decisive
        self.by_tool[column][row] = cell.basis is Basis.TOOL
        if isinstance(cell.value, Interval):
            if column not in self.lo:
                self.lo[column] = np.full(self.size, np.nan)
                self.hi[column] = np.full(self.size, np.nan)
            self.lo[column][row], self.hi[column][row] = cell.value.lo, cell.value.hi
        else:
            if column not in self.words:
                self.words[column] = np.full(self.size, NO_WORD, np.int32)
            self.words[column][row] = self.vocabulary.setdefault(cell.value, len(self.vocabulary))

    def block(self) -> Block:
        return Block(
            size=self.size,
            spans={column: Span(self.lo[column], self.hi[column]) for column in self.lo},
            words=self.words,
            decisive=self.decisive,
            by_tool=self.by_tool,
            contradicted=self.contradicted,
            vocabulary=self.vocabulary,
            plans=self.plans,
            track=self.track,
            miss=Span(*self.miss),
            has_target=self.has_target,
            percentile=self.percentile,
            resolved=self.resolved,
        )
