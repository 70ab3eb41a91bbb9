"""What is known of a block at a stage: columns after sanity, with derived measurements."""

from __future__ import annotations

import copy
import dataclasses
import functools
import math
import operator
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.accelerator import PRECISION_FIGURES, columns_of, figure_of
from dam_expert.engine.asked import read_by_sanity
from dam_expert.engine.block.comparing import Truths, compared, tree
from dam_expert.engine.block.incidents import NO_WORDS, Spelt
from dam_expert.engine.block.spans import NOWHERE, Span, calculated, everywhere, together
from dam_expert.engine.block.words import Words, every, none, of_rows, some, unpacked
from dam_expert.language.conditions import Column
from dam_expert.language.expressions import ColumnValue, HardwareValue, ThresholdValue, formula_columns, formula_figures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.documents.intervals import Interval
    from dam_expert.engine.block.incidents import Block
    from dam_expert.engine.block.spans import Places
    from dam_expert.kb.base import Base, Measurement
    from dam_expert.language.conditions import Comparison
    from dam_expert.language.expressions import Formula

_ACCELERATOR, _MEMORY, _PRECISION = Column("accelerator"), Column("device_memory_total"), Column("precision")


@dataclasses.dataclass(frozen=True, slots=True)
class _Made:
    """A derived measurement: where its formula gives the value, and where it contradicts what was observed."""

    measurement: Measurement
    formula: Formula
    rows: Words
    contested: Words


class Known:
    """The columns of a block. ``rejected`` and ``doubted`` say in which rows a measurement is."""

    def __init__(
        self,
        base: Base,
        block: Block,
        *,
        raw: bool = False,
        rejected: Mapping[str, Words] | None = None,
        doubted: Mapping[str, Words] | None = None,
    ) -> None:
        self.base = base
        self.block = block
        self.size = block.size
        self.full = every(block.size)
        self.nothing = none(block.size)
        self._rejected = rejected or {}
        self._doubted = doubted or {}
        self._spans: dict[Column, Span] = {}
        self._spelt: dict[Column, Spelt] = {}
        self._decisive: dict[Column, Words] = {}
        self._by_tool: dict[Column, Words] = {}
        self._stale: dict[Column, Words] = dict(block.stale)
        self._numbers: dict[Column, Words] = {}
        self._words: dict[Column, Words] = {}
        self._truths: dict[Comparison, Truths] = {}
        self._figures: dict[str, Span] = {}
        self._made: list[_Made] = []
        self._derive(read_by_sanity(base) if raw else base.derived_order)

    def knows(self, column: Column) -> bool:
        """Whether a column has a value in any row."""
        return bool(self.span(column).rows.size or self.spelt(column).rows.size)

    def doubting(self, doubted: Mapping[str, Words]) -> Known:
        """Return the same with other doubts: the values stay, what may decide changes."""
        other = copy.copy(self)
        other._doubted, other._decisive, other._by_tool = doubted, {}, {}
        other._stale = dict(self.block.stale)
        for made in self._made:
            other._mark(made)
        return other

    def span(self, column: Column) -> Span:
        """Return the numbers of a column."""
        found = self._spans.get(column)
        if found is None:
            found = self.block.span(column)
            gone = self._rejected.get(column.measurement)
            if gone is not None and found.rows.size:
                found = found.where(~unpacked(gone, self.size))
            self._spans[column] = found
        return found

    def present(self, column: Column) -> Span:
        """Return the numbers of a column as they are now: none where they are older than a change."""
        older = self._stale.get(column)
        return self.span(column) if older is None else self.span(column).where(~unpacked(older, self.size))

    def spelt(self, column: Column) -> Spelt:
        """Return the words of a column."""
        found = self._spelt.get(column)
        if found is None:
            found = self.block.words.get(column, NO_WORDS)
            gone = self._rejected.get(column.measurement)
            if gone is not None and found.rows.size:
                kept = ~unpacked(gone, self.size)[found.rows]
                found = Spelt(found.rows[kept], found.codes[kept])
            self._spelt[column] = found
        return found

    def truths(self, leaf: Comparison) -> Truths:
        """Return the plain truths of a comparison; they are worked out once."""
        found = self._truths.get(leaf)
        if found is None:
            found = self._truths[leaf] = compared(leaf, self)
        return found

    def decisive(self, column: Column) -> Words:
        """Return in which rows a comparison with the column may decide."""
        return self._marked(column, self._decisive, self.block.decisive)

    def by_tool(self, column: Column) -> Words:
        """Return in which rows the value of a column was read from a tool."""
        return self._marked(column, self._by_tool, self.block.by_tool)

    def _marked(self, column: Column, kept: dict[Column, Words], given: Mapping[Column, Words]) -> Words:
        found = kept.get(column)
        if found is None:
            found = given.get(column, self.nothing)
            doubted = self._doubted.get(column.measurement)
            found = kept[column] = found if doubted is None else found & ~doubted
        return found

    def value_of(self, formula: Formula) -> Span:
        """Return a formula over these columns."""
        if isinstance(formula, ColumnValue):
            return self.span(formula.column)
        return calculated(formula, self._input, self.size)

    def present_value_of(self, formula: Formula) -> Span:
        """Return a formula over these columns as they are now."""
        value, older = self.value_of(formula), self._older(formula)
        return value if older is None else value.where(~unpacked(older, self.size))

    def _older(self, formula: Formula) -> Words | None:
        """Return where an input of a formula is older than a change; None where none is in any row."""
        if not self._stale:
            return None
        found = [self._stale[column] for column in formula_columns(formula) if column in self._stale]
        return functools.reduce(operator.or_, found) if found else None

    def has(self, column: Column) -> Words:
        """Return in which rows a column has a value, number or word."""
        return self.is_number(column) | self.is_spelt(column)

    def is_number(self, column: Column) -> Words:
        """Return in which rows the value of a column is a number."""
        found = self._numbers.get(column)
        if found is None:
            rows = self.span(column).rows
            given = rows is self.block.span(column).rows
            found = self.block.numbers.get(column, self.nothing) if given else self._of_rows(rows)
            self._numbers[column] = found
        return found

    def is_spelt(self, column: Column) -> Words:
        """Return in which rows the value of a column is a word."""
        found = self._words.get(column)
        if found is None:
            rows = self.spelt(column).rows
            given = rows is self.block.words.get(column, NO_WORDS).rows
            found = self.block.spelt.get(column, self.nothing) if given else self._of_rows(rows)
            self._words[column] = found
        return found

    def _of_rows(self, rows: Places) -> Words:
        return of_rows(rows, self.size) if rows.size else self.nothing

    def _input(self, formula: Formula) -> Span | Interval:
        match formula:
            case ColumnValue(column):
                return self.span(column)
            case ThresholdValue(name):
                return self.threshold(name)
            case HardwareValue(field):
                return self._figure(field)
            case _:
                return NOWHERE

    def threshold(self, name: str) -> Span | Interval:
        """Return the value of a threshold where it is certain which of its scopes holds."""
        alternatives = self.base.thresholds[name].name.alternatives
        if alternatives[0].when is None:
            return alternatives[0].value
        open_rows, agreed, settled = self.full, self.full, self.nothing
        value = NOWHERE
        for alternative in alternatives:
            holds, may = (self.full, self.full) if alternative.when is None else tree(alternative.when, self)
            here = everywhere(alternative.value, self.size).where(unpacked(may & open_rows, self.size))
            lo, hi = value.at(here.rows, self.size)
            differs = ~np.isnan(lo) & ~((lo == here.lo) & (hi == here.hi))
            agreed = agreed & ~of_rows(here.rows[differs], self.size)
            value = value.otherwise(here, self.size)
            settled = settled | (holds & open_rows)
            open_rows = open_rows & ~holds
        return value.where(unpacked(settled & agreed, self.size))

    def _figure(self, field: str) -> Span:
        """Return a figure of each row's accelerator; looked up once for each that occurs."""
        found = self._figures.get(field)
        if found is None:
            found = self._figures[field] = self._looked_up(field)
        return found

    def _looked_up(self, field: str) -> Span:
        names = self.spelt(_ACCELERATOR)
        if not names.rows.size:
            return NOWHERE
        memory, precision = self.span(_MEMORY), self.spelt(_PRECISION)
        kinds = np.full(self.size, -1, np.intp)
        if field in PRECISION_FIGURES:
            kinds[precision.rows] = precision.codes
        sizes, of_size = np.unique(
            Span(memory.rows, memory.mid, memory.mid).at(names.rows, self.size)[0], return_inverse=True
        )
        spelling = self.block.spelling
        ways = len(spelling) + 1
        devices, first, which = np.unique(
            (of_size * ways + names.codes) * ways + kinds[names.rows] + 1, return_index=True, return_inverse=True
        )
        values = np.full(len(devices), np.nan)
        for place, row in enumerate(first.tolist()):
            size, kind = float(sizes[of_size[row]]), int(kinds[names.rows[row]])
            figure = figure_of(
                self.base.catalogue,
                spelling[names.codes[row]],
                None if math.isnan(size) else size,
                spelling[kind] if kind >= 0 else "",
                field,
            )
            values[place] = math.nan if figure is None else figure
        found = values[which]
        return Span(names.rows, found, found).only(~np.isnan(found))

    def _derive(self, names: Sequence[str]) -> None:
        for name in names:
            measurement = self.base.measurements[name]
            if measurement.formula is None:
                continue
            column = Column(name)
            observed = self.span(column)
            value = self.value_of(measurement.formula)
            if measurement.range is not None:
                value = value.cut(measurement.range)
            for gone in (self._rejected.get(name), self.block.contradicted.get(name)):
                if gone is not None and value.rows.size:
                    value = value.where(~unpacked(gone, self.size))
            made = value.without(observed, self.size)
            contested = _apart(measurement, observed, value, self.size)
            if not made.rows.size and not contested.size:
                continue
            derived = _Made(measurement, measurement.formula, self._of_rows(made.rows), self._of_rows(contested))
            self._made.append(derived)
            self._mark(derived)
            if made.rows.size:
                self._spans[column] = observed.otherwise(made, self.size)
                self._numbers.pop(column, None)
                if column == _MEMORY:
                    self._figures.clear()

    def _mark(self, made: _Made) -> None:
        """Note where a derived measurement may decide."""
        column, rows = Column(made.measurement.id), made.rows
        decides, by_tool = self._inherited(made.measurement, made.formula)
        if some(made.contested):  # one of the values is wrong, unless the formula rests on less than a tool's reading
            weighs = decides & (by_tool | ~self.by_tool(column))
            self._decisive[column] = self.decisive(column) & ~(made.contested & weighs)
        if some(rows):
            self._decisive[column] = (rows & decides) | (~rows & self.decisive(column))
            self._by_tool[column] = (rows & by_tool) | (~rows & self.by_tool(column))
            older = self._older(made.formula)
            if older is not None:
                self._stale[column] = (rows & older) | (~rows & self._stale.get(column, self.nothing))

    def _inherited(self, measurement: Measurement, formula: Formula) -> tuple[Words, Words]:
        """Return where a derived value may decide, and where all that it rests on was read from tools."""
        decides = by_tool = self.full
        for source in formula_columns(formula):
            decides = decides & self.decisive(source)
            by_tool = by_tool & self.by_tool(source)
        for source in (column for field in formula_figures(formula) for column in columns_of(field)):
            absent = ~self.has(source)
            decides = decides & (self.decisive(source) | absent)
            by_tool = by_tool & (self.by_tool(source) | absent)
        doubted = self._doubted.get(measurement.id)
        if doubted is not None:
            decides, by_tool = decides & ~doubted, by_tool & ~doubted
        if measurement.model.needs_tool:
            decides = decides & by_tool
        return (self.nothing if measurement.model.weak else decides), by_tool


def _apart(measurement: Measurement, observed: Span, derived: Span, size: int) -> Places:
    """Return the rows in which an observed and a derived value differ by more than the tolerance."""
    if not (observed.rows.size and derived.rows.size):
        return NOWHERE.rows
    first, second = together([observed, derived], size)
    with np.errstate(invalid="ignore"):
        gap = np.maximum(first.lo - second.hi, second.lo - first.hi)
        ends = np.maximum(np.maximum(abs(first.lo), abs(first.hi)), np.maximum(abs(second.lo), abs(second.hi)))
        return first.rows[gap > measurement.tolerance * ends]
