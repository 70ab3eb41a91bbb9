"""Formulas as checked values: trees of columns, thresholds, figures of the hardware and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

from dam_expert.language.conditions import Column

if TYPE_CHECKING:
    from collections.abc import Iterator


class Constant(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """A plain number."""

    value: float


class ColumnValue(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """The value of a column; unknown where the column is."""

    column: Column


class ThresholdValue(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """The value of a named threshold; unknown where none of its alternatives is certain."""

    threshold: str


class HardwareValue(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """``hardware.FIELD``: a figure of the accelerator in use; unknown where the accelerator is not in the catalogue."""

    field: str


class Operation(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """One of ``+ - * / min max`` on two formulas."""

    sign: str
    left: Formula
    right: Formula


Formula: TypeAlias = Constant | ColumnValue | ThresholdValue | HardwareValue | Operation


def formula_columns(formula: Formula) -> Iterator[Column]:
    """Yield the columns that a formula reads, from left to right."""
    match formula:
        case ColumnValue(column):
            yield column
        case Operation(_, left, right):
            yield from formula_columns(left)
            yield from formula_columns(right)


def formula_figures(formula: Formula) -> Iterator[str]:
    """Yield the figures of the accelerator that a formula reads, from left to right."""
    match formula:
        case HardwareValue(field):
            yield field
        case Operation(_, left, right):
            yield from formula_figures(left)
            yield from formula_figures(right)
