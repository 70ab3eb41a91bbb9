"""Formulas of derived measurements, shares and ceilings: ``+ - * / ( ) min max`` over columns, thresholds and numbers.

Nothing is compiled or evaluated by Python: a small parser builds a tree, and interval arithmetic walks it.
Grammar::

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = number | name | ("min" | "max") "(" sum { "," sum } ")" | "(" sum ")" | "-" factor
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.dimensions import Dimension, dimension_of
from dam_expert.documents.intervals import Interval, largest, smallest
from dam_expert.documents.messages import suggestion
from dam_expert.language.expressions import (
    ColumnValue,
    Constant,
    Formula,
    HardwareValue,
    Operation,
    ThresholdValue,
)
from dam_expert.language.leaves import LeafError, column_name, read_column
from dam_expert.language.names import Names, Role

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_LENGTH: Final = 500
_MAX_DEPTH: Final = 24
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[a-z][a-z0-9_]*(?:\.[a-z_0-9]+)?(?:\[[^\]]*\])?(?:\.[a-z_0-9]+)?)"
    r"|(?P<mark>[-+*/(),]))"
)


def read_formula(text: str, names: Names) -> Formula:
    """Read a formula and check its names. Raises LeafError with what is wrong and where."""
    if len(text) > _MAX_LENGTH:
        raise LeafError(f"a formula has at most {_MAX_LENGTH} characters", "too-large")
    parser = _Parser(text, names)
    formula = parser.sum(0)
    parser.expect_end()
    return formula


def formula_dimension(formula: Formula, names: Names) -> Dimension:
    """Return the dimension of a formula's value. Raises LeafError where terms of different dimensions are added."""
    match formula:
        case Constant():
            return Dimension()
        case ColumnValue(column):
            measured = column_name(column, names)
            if measured.is_word:
                raise LeafError(f"'{column}' holds words and cannot be calculated with", "wrong-kind")
            return dimension_of(measured.unit)
        case ThresholdValue(name):
            return dimension_of(names.threshold(name).unit)
        case HardwareValue(field):
            return dimension_of(names.hardware_units()[field])
        case Operation(sign, left, right):
            first, second = formula_dimension(left, names), formula_dimension(right, names)
            return _combined(sign, first, second)


def _combined(sign: str, first: Dimension, second: Dimension) -> Dimension:
    if sign == "*":
        return first * second
    if sign == "/":
        return first / second
    if first != second:
        raise LeafError(f"'{sign}' joins {first} and {second}", "unit-mismatch")
    return first


def evaluate(formula: Formula, value_of: Callable[[Formula], Interval | None]) -> Interval | None:
    """Return the value of a formula, or None where an input is unknown or a divisor may be zero.

    ``value_of`` gives the interval of a column, threshold or hardware figure.
    """
    match formula:
        case Constant(value):
            return Interval.point(value)
        case Operation(sign, left, right):
            first, second = evaluate(left, value_of), evaluate(right, value_of)
            if first is None or second is None:
                return None
            try:
                return _apply(sign, first, second)
            except ArithmeticError:
                return None
        case _:
            return value_of(formula)


def _apply(sign: str, first: Interval, second: Interval) -> Interval:
    match sign:
        case "+":
            return first + second
        case "-":
            return first - second
        case "*":
            return first * second
        case "/":
            return first / second
        case "min":
            return smallest(first, second)
        case _:
            return largest(first, second)


class _Parser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, text: str, names: Names) -> None:
        self.text, self.names = text, names
        self.position = 0
        self.token: re.Match[str] | None = None
        self.advance()

    def advance(self) -> None:
        rest = self.text[self.position :]
        self.token = _TOKEN.match(rest) if rest.strip() else None
        if self.token is None:
            if rest.strip():
                self.fail(f"cannot read '{rest.strip()[:20]}'")
            return
        self.position += self.token.end()

    def fail(self, text: str) -> None:
        raise LeafError(f"{text} in the formula '{self.text}'", "not-a-formula")

    def mark(self, *marks: str) -> str | None:
        """Take the next token if it is one of the marks."""
        if self.token is None or self.token["mark"] not in marks:
            return None
        found = str(self.token["mark"])
        self.advance()
        return found

    def expect(self, mark: str) -> None:
        if self.mark(mark) is None:
            self.fail(f"'{mark}' is missing")

    def expect_end(self) -> None:
        if self.token is not None:
            self.fail(f"'{self.token.group().strip()}' is too much")

    def sum(self, depth: int) -> Formula:
        if depth > _MAX_DEPTH:
            raise LeafError(f"a formula is at most {_MAX_DEPTH} levels deep", "too-deep")
        left = self.product(depth)
        while (sign := self.mark("+", "-")) is not None:
            left = Operation(sign, left, self.product(depth))
        return left

    def product(self, depth: int) -> Formula:
        left = self.factor(depth)
        while (sign := self.mark("*", "/")) is not None:
            left = Operation(sign, left, self.factor(depth))
        return left

    def factor(self, depth: int) -> Formula:
        if self.mark("-"):
            if depth > _MAX_DEPTH:
                raise LeafError(f"a formula is at most {_MAX_DEPTH} levels deep", "too-deep")
            return Operation("*", Constant(-1.0), self.factor(depth + 1))
        if self.mark("("):
            inner = self.sum(depth + 1)
            self.expect(")")
            return inner
        if self.token is None or self.token["mark"]:
            self.fail("a value is missing")
        assert self.token is not None
        number, name = self.token["number"], self.token["name"]
        self.advance()
        return self.constant(number) if number else self.named(str(name), depth)

    def constant(self, number: str) -> Formula:
        value = float(number)
        if math.isinf(value):
            raise LeafError(f"the number {number[:20]} is too large", "not-a-formula")
        return Constant(value)

    def hardware(self, field: str) -> Formula:
        units = self.names.hardware_units()
        if field not in units:
            hint = suggestion(field, units) or "one of " + ", ".join(units)
            raise LeafError(f"the catalogue has no figure '{field}'", "unknown-id", hint)
        return HardwareValue(field)

    def named(self, name: str, depth: int) -> Formula:
        if name in ("min", "max") and self.mark("("):
            left = self.sum(depth + 1)
            while self.mark(","):
                left = Operation(name, left, self.sum(depth + 1))
            self.expect(")")
            return left
        if name.startswith("hardware."):
            return self.hardware(name.removeprefix("hardware."))
        if self.names.role(name) is Role.THRESHOLD:
            return ThresholdValue(name)
        return ColumnValue(read_column(name, self.names))
