"""What is known of a block at a stage: columns after sanity, with derived measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.accelerator import PRECISION_FIGURES, columns_of, figure_of
from dam_expert.engine.block.comparing import tree
from dam_expert.engine.block.incidents import NO_WORD
from dam_expert.engine.block.spans import Bools, Span, calculated, constant, unknown
from dam_expert.language.conditions import Column
from dam_expert.language.formulas import (
    ColumnValue,
    HardwareValue,
    ThresholdValue,
    formula_columns,
    formula_figures,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from dam_expert.engine.block.incidents import Block
    from dam_expert.kb.base import Base, Measurement
    from dam_expert.language.formulas import Formula


class Known:
    """The columns of a block. ``rejected`` and ``doubted`` say in which rows a measurement is."""

    def __init__(
        self,
        base: Base,
        block: Block,
        *,
        raw: bool = False,
        rejected: Mapping[str, Bools] | None = None,
        doubted: Mapping[str, Bools] | None = None,
    ) -> None:
        self.base = base
        self.block = block
        self._rejected = rejected or {}
        self._doubted = doubted or {}
        self._spans: dict[Column, Span] = {}
        self._decisive: dict[Column, Bools] = {}
        self._by_tool: dict[Column, Bools] = {}
        if not raw:
            self._derive()

    def span(self, column: Column) -> Span:
        """Return the numbers of a column."""
        if column not in self._spans:
            span = self.block.span(column)
            gone = self._rejected.get(column.measurement)
            self._spans[column] = span if gone is None else span.where(~gone)
        return self._spans[column]

    def codes(self, column: Column) -> npt.NDArray[np.int32]:
        """Return the words of a column."""
        codes = self.block.codes(column)
        gone = self._rejected.get(column.measurement)
        return codes if gone is None else np.where(gone, np.int32(NO_WORD), codes)

    def decisive(self, column: Column) -> Bools:
        """Return in which rows a comparison with the column may decide."""
        if column not in self._decisive:
            found = self.block.decisive.get(column)
            decides = np.zeros(self.block.size, bool) if found is None else found
            doubted = self._doubted.get(column.measurement)
            self._decisive[column] = decides if doubted is None else decides & ~doubted
        return self._decisive[column]

    def by_tool(self, column: Column) -> Bools:
        """Return in which rows the value of a column was read from a tool."""
        if column not in self._by_tool:
            found = self.block.by_tool.get(column)
            measured = np.zeros(self.block.size, bool) if found is None else found
            doubted = self._doubted.get(column.measurement)
            self._by_tool[column] = measured if doubted is None else measured & ~doubted
        return self._by_tool[column]

    def is_probe(self, column: Column) -> bool:
        """Whether a column is the effect of changing one thing."""
        if column.measurement.startswith("tried."):
            return True
        measurement = self.base.measurements.get(column.measurement)
        return measurement is not None and measurement.name.decides == "probe" and column.aspect is None

    def value_of(self, formula: Formula) -> Span:
        """Return a formula over these columns."""
        return calculated(formula, self._input, self.block.size)

    def has(self, column: Column) -> Bools:
        """Return in which rows a column has a value, number or word."""
        found: Bools = self.span(column).known | (self.codes(column) != NO_WORD)
        return found

    def _input(self, formula: Formula) -> Span:
        match formula:
            case ColumnValue(column):
                return self.span(column)
            case ThresholdValue(name):
                return self.threshold(name)
            case HardwareValue(field):
                return self._figure(field)
            case _:
                return unknown(self.block.size)

    def threshold(self, name: str) -> Span:
        """Return the value of a threshold where it is certain which of its scopes holds."""
        size = self.block.size
        open_rows = np.ones(size, bool)
        value = unknown(size)
        agreed = np.ones(size, bool)
        settled = np.zeros(size, bool)
        for alternative in self.base.thresholds[name].name.alternatives:
            if alternative.when is None:
                holds, may = np.ones(size, bool), np.ones(size, bool)
            else:
                holds, may = tree(alternative.when, self)
            may = may & open_rows
            here = constant(alternative.value, size)
            agreed &= ~may | ~value.known | ((value.lo == here.lo) & (value.hi == here.hi))
            value = value.otherwise(here.where(may))
            settled |= holds & open_rows
            open_rows = open_rows & ~holds
        return value.where(settled & agreed)

    def _figure(self, field: str) -> Span:
        """Return a figure of each row's accelerator; looked up once for each that occurs."""
        names, memory = self.codes(Column("accelerator")), self.span(Column("device_memory_total")).mid
        precision = self.codes(Column("precision")) if field in PRECISION_FIGURES else np.full_like(names, NO_WORD)
        words = {code: word for word, code in self.block.vocabulary.items()}
        values = np.full(self.block.size, np.nan)
        for code, size, kind in {(n, m, p) for n, m, p in zip(names, memory, precision, strict=True) if n != NO_WORD}:
            rows = (names == code) & ((memory == size) | (np.isnan(memory) & np.isnan(size))) & (precision == kind)
            known_size = None if np.isnan(size) else float(size)
            found = figure_of(self.base.catalogue, words[code], known_size, words.get(kind, ""), field)
            values[rows] = np.nan if found is None else found
        return Span(values, values)

    def _derive(self) -> None:
        for name in self.base.derived_order:
            measurement = self.base.measurements[name]
            if measurement.formula is None:
                continue
            value = self.value_of(measurement.formula)
            if measurement.range is not None:
                value = value.cut(measurement.range)
            for gone in (self._rejected.get(name), self.block.contradicted.get(name)):
                if gone is not None:
                    value = value.where(~gone)
            column = Column(name)
            observed = self.span(column)
            made = value.known & ~observed.known
            decides, by_tool = self._inherited(measurement, measurement.formula)
            self._decisive[column] = np.where(made, decides, self.decisive(column))
            self._by_tool[column] = np.where(made, by_tool, self.by_tool(column))
            self._spans[column] = observed.otherwise(value)

    def _inherited(self, measurement: Measurement, formula: Formula) -> tuple[Bools, Bools]:
        """Return where a derived value may decide, and where all that it rests on was read from tools."""
        decides, by_tool = np.ones(self.block.size, bool), np.ones(self.block.size, bool)
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
        return decides & (not measurement.model.weak), by_tool
