"""Incidents as the columns of a block.

Whoever knows the values of many incidents as arrays adds them as arrays. Any other incident is resolved first by the
same code that serves single incidents, and its cells are copied.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.documents.vocabulary import TRACKS
from dam_expert.engine.block.spans import NOWHERE, Bools, Floats, Places, Span
from dam_expert.engine.block.words import Words, of_rows
from dam_expert.engine.columns import Columns
from dam_expert.engine.interventions import current
from dam_expert.engine.situation import has_percentile_target, lever_names, miss_of, plans_of, stated_track
from dam_expert.kb.base import probes_of_levers
from dam_expert.language.conditions import Column, Comparison, columns, leaves
from dam_expert.language.expressions import formula_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from dam_expert.documents.incident import Incident
    from dam_expert.engine.cells import Cell
    from dam_expert.engine.situation import Plans
    from dam_expert.kb.base import Base

    Codes = npt.NDArray[np.int32]

#: The code of a track that is not stated.
UNSTATED: Final = -1
#: The codes of the tracks.
TRACK_CODES: Final = {track: code for code, track in enumerate(TRACKS)}


@dataclasses.dataclass(frozen=True, slots=True)
class Spelt:
    """The words of a column in the rows that have one, as places in the block's ``spelling``."""

    rows: Places
    codes: Codes


_NO_ROWS: Final[Places] = np.zeros(0, np.intp)
NO_WORDS: Final = Spelt(_NO_ROWS, np.zeros(0, np.int32))


@dataclasses.dataclass(slots=True, kw_only=True)
class Block:
    """Columns of a block of incidents; what is absent is unknown in every row."""

    size: int
    spans: dict[Column, Span]
    words: dict[Column, Spelt]
    numbers: dict[Column, Words]
    """Where the value is a number."""
    spelt: dict[Column, Words]
    """Where the value is a word."""
    decisive: dict[Column, Words]
    """Where a comparison with the value may carry a decision."""
    by_tool: dict[Column, Words]
    """Where the value was read from a tool."""
    stale: dict[Column, Words]
    """Where the value is older than the last change that was kept."""
    contradicted: dict[str, Words]
    """Where observations of a measurement contradict each other, so that no formula stands in for them."""
    spelling: list[str]
    """Words by their code; all that occur are among them."""
    spelt_alike: dict[str, list[int]]
    """The codes of words by how they are compared: in lower case, without blanks around."""
    plans: dict[int, Plans]
    """What is planned and was tried, by row; most rows say nothing of it."""
    track: npt.NDArray[np.int8]
    """The track as stated, by the incident or its target's metric; UNSTATED where symptoms tell it."""
    miss: Span
    has_target: Bools
    percentile: Bools
    resolved: Bools

    def span(self, column: Column) -> Span:
        """Return the numbers of a column."""
        return self.spans.get(column, NOWHERE)


def block_of(base: Base, incidents: Sequence[Incident]) -> Block:
    """Return a block of incidents, one row each, in their order."""
    filler = Filler(Sources(base), len(incidents))
    for row, incident in enumerate(incidents):
        filler.add(row, incident)
    return filler.block()


class Sources:
    """What filling blocks needs of a base: worked out once."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.levers = lever_names(base)
        self.columns: dict[str, list[Column]] = defaultdict(list)
        """By measurement the columns that any part of an evaluation reads of it."""
        for column in dict.fromkeys(_asked(base)):
            self.columns[column.measurement].append(column)
        self.probes = probes_of_levers(base)
        """By lever the probes that trying it stands for."""


def _asked(base: Base) -> Iterator[Column]:
    for name in base.measurements:
        yield Column(name)
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


@dataclasses.dataclass(slots=True)
class _Values:
    """The values of one column as they are added: runs of rows, each with its ends or codes and its marks."""

    rows: list[Places] = dataclasses.field(default_factory=list)
    lo: list[Floats] = dataclasses.field(default_factory=list)
    hi: list[Floats] = dataclasses.field(default_factory=list)
    decisive: list[Bools | bool] = dataclasses.field(default_factory=list)
    by_tool: list[Bools | bool] = dataclasses.field(default_factory=list)


class Filler:
    """Fills the columns of a block."""

    def __init__(self, sources: Sources, size: int, codes: dict[str, int] | None = None) -> None:
        self.sources = sources
        self.base = sources.base
        self.size = size
        self.numbers: dict[Column, _Values] = {}
        self.words: dict[Column, _Values] = {}
        self.codes: dict[str, int] = {} if codes is None else codes
        """The code of every word, of earlier blocks as well where they are handed in."""
        self.cells: dict[Column, list[tuple[int, Cell]]] = defaultdict(list)
        self.stale: dict[Column, list[int]] = defaultdict(list)
        self.contradicted: dict[str, list[int]] = defaultdict(list)
        self.plans: dict[int, Plans] = {}
        self.track = np.full(size, UNSTATED, np.int8)
        self.miss = np.full(size, np.nan), np.full(size, np.nan)
        self.has_target = np.zeros(size, bool)
        self.percentile = np.zeros(size, bool)
        self.resolved = np.zeros(size, bool)

    def add(self, row: int, incident: Incident) -> None:
        """Add one incident, whatever it holds."""
        base, target = self.base, incident.target
        now = current(base, incident)
        plans = plans_of(base, incident, now.effects, names=self.sources.levers)
        if plans.planned or plans.tried:
            self.plans[row] = plans
        stated = stated_track(base, incident)
        if stated is not None:
            self.track[row] = TRACK_CODES[stated]
        miss = miss_of(base, incident, now.actual)
        if miss is not None:
            self.miss[0][row], self.miss[1][row] = miss.lo, miss.hi
        self.has_target[row] = target is not None and (target.wanted is not None or target.metric is not None)
        self.percentile[row] = has_percentile_target(incident)
        self.resolved[row] = now.target_met is True
        known = Columns(base, now.observations, plans.tried, raw=True, stale=now.stale, done=plans.done)
        named = dict.fromkeys(observation.measurement for observation in now.observations)
        named |= dict.fromkeys(probe for lever in plans.tried for probe in self.sources.probes.get(lever, ()))
        asked = [column for name in named for column in self.sources.columns.get(name, ())]
        asked += [Column(f"tried.{lever}") for lever in plans.tried]
        for column in asked:
            cell = known.cell(column)
            if cell is not None:
                self.cells[column].append((row, cell))
                if cell.stale:
                    self.stale[column].append(row)
        for name in named:
            if known.is_contradicted(name):
                self.contradicted[name].append(row)

    def code(self, word: str) -> int:
        """Return the code of a word."""
        return self.codes.setdefault(word, len(self.codes))

    def add_numbers(
        self, column: Column, rows: Places, lo: Floats, hi: Floats, decisive: Bools | bool, by_tool: Bools | bool
    ) -> None:
        """Add numbers, one a row, in any order of rows; ``hi`` is ``lo`` itself where all are points.

        The marks are one for each row, or one for all.
        """
        _add(self.numbers, column, rows, lo, hi, decisive, by_tool)

    def add_words(
        self, column: Column, rows: Places, codes: Floats, decisive: Bools | bool, by_tool: Bools | bool
    ) -> None:
        """Add the words of some rows, as codes."""
        _add(self.words, column, rows, codes, codes, decisive, by_tool)

    def block(self) -> Block:
        """Return the block."""
        self._copy_cells()
        spans = {column: _span(values) for column, values in self.numbers.items()}
        spelt = {column: _span(values) for column, values in self.words.items()}
        present: tuple[dict[Column, Words], dict[Column, Words]] = ({}, {})
        marks: dict[str, dict[Column, Words]] = {"decisive": {}, "by_tool": {}}
        for kept, given, known in ((self.numbers, spans, present[0]), (self.words, spelt, present[1])):
            for column, values in kept.items():
                known[column] = of_rows(given[column].rows, self.size)
                for name, found in marks.items():
                    words = _marked(values.rows, getattr(values, name), known[column], self.size)
                    if words is not None:
                        found[column] = found[column] | words if column in found else words
        missed = np.flatnonzero(~np.isnan(self.miss[0]))
        return Block(
            size=self.size,
            spans=spans,
            words={column: Spelt(span.rows, span.lo.astype(np.int32)) for column, span in spelt.items()},
            numbers=present[0],
            spelt=present[1],
            decisive=marks["decisive"],
            by_tool=marks["by_tool"],
            stale={column: of_rows(np.array(rows, np.intp), self.size) for column, rows in self.stale.items()},
            contradicted={
                name: of_rows(np.array(rows, np.intp), self.size) for name, rows in self.contradicted.items()
            },
            spelling=list(self.codes),
            spelt_alike=_alike(self.codes),
            plans=self.plans,
            track=self.track,
            miss=Span(missed, self.miss[0][missed], self.miss[1][missed]),
            has_target=self.has_target,
            percentile=self.percentile,
            resolved=self.resolved,
        )

    def _copy_cells(self) -> None:
        for column, cells in self.cells.items():
            for is_word in (False, True):
                kept = [(row, cell) for row, cell in cells if isinstance(cell.value, str) == is_word]
                if not kept:
                    continue
                rows = np.array([row for row, _ in kept], np.intp)
                decisive = np.array([cell.decisive for _, cell in kept])
                by_tool = np.array([cell.basis is Basis.TOOL for _, cell in kept])
                values = [cell.value for _, cell in kept]
                if is_word:
                    codes = np.array([self.code(value) for value in values if isinstance(value, str)], float)
                    self.add_words(column, rows, codes, decisive, by_tool)
                    continue
                intervals = [value for value in values if isinstance(value, Interval)]
                lo, hi = np.array([value.lo for value in intervals]), np.array([value.hi for value in intervals])
                self.add_numbers(column, rows, lo, lo if (lo == hi).all() else hi, decisive, by_tool)
        self.cells.clear()


def _marked(rows: list[Places], marks: list[Bools | bool], known: Words, size: int) -> Words | None:
    """Return the rows of a column that are marked, of those that are known; None where none is."""
    if all(mask is True or (mask is not False and mask.all()) for mask in marks):
        return known
    found = [here if mask is True else here[mask] for here, mask in zip(rows, marks, strict=True) if mask is not False]
    chosen = np.concatenate(found) if found else _NO_ROWS
    return of_rows(chosen, size) if chosen.size else None


def _alike(codes: dict[str, int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for word, code in codes.items():
        found[word.strip().lower()].append(code)
    return dict(found)


def _add(
    kept: dict[Column, _Values],
    column: Column,
    rows: Places,
    lo: Floats,
    hi: Floats,
    decisive: Bools | bool,
    by_tool: Bools | bool,
) -> None:
    values = kept.get(column)
    if values is None:
        values = kept[column] = _Values()
    values.rows.append(rows)
    values.lo.append(lo)
    values.hi.append(hi)
    values.decisive.append(decisive)
    values.by_tool.append(by_tool)


def _span(values: _Values) -> Span:
    """Return what was added in order of rows."""
    if len(values.rows) == 1 and not (values.rows[0][1:] < values.rows[0][:-1]).any():
        return Span(values.rows[0], values.lo[0], values.hi[0])
    rows = np.concatenate(values.rows)
    order = np.argsort(rows, kind="stable")
    points = all(lo is hi for lo, hi in zip(values.lo, values.hi, strict=True))
    lo = np.concatenate(values.lo)[order]
    return Span(rows[order], lo, lo if points else np.concatenate(values.hi)[order])
