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


Leaf: TypeAlias = Constant | ColumnValue | ThresholdValue | HardwareValue
Formula: TypeAlias = Leaf | Operation


def formula_leaves(formula: Formula) -> Iterator[Leaf]:
    """Yield what a formula is made of, from left to right, without its operations."""
    if isinstance(formula, Operation):
        yield from formula_leaves(formula.left)
        yield from formula_leaves(formula.right)
    else:
        yield formula


def formula_columns(formula: Formula) -> Iterator[Column]:
    """Yield the columns that a formula reads, from left to right."""
    return (leaf.column for leaf in formula_leaves(formula) if isinstance(leaf, ColumnValue))


def measurements_of(formula: Formula) -> Iterator[str]:
    """Yield the measurements of those columns: without a value of each the formula has none."""
    return (column.measurement for column in formula_columns(formula))


def formula_figures(formula: Formula) -> Iterator[str]:
    """Yield the figures of the accelerator that a formula reads, from left to right."""
    return (leaf.field for leaf in formula_leaves(formula) if isinstance(leaf, HardwareValue))


def formula_thresholds(formula: Formula) -> Iterator[str]:
    """Yield the thresholds that a formula reads, from left to right."""
    return (leaf.threshold for leaf in formula_leaves(formula) if isinstance(leaf, ThresholdValue))
