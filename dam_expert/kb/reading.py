"""Reads the quantities, formulas and conditions inside entries; each problem becomes a message at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.answering import value_of
from dam_expert.documents.dimensions import UnitError, dimension_of
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.language.expressions import Formula
from dam_expert.language.formulas import formula_dimension, read_formula
from dam_expert.language.leaves import LeafError
from dam_expert.language.parsing import read_condition

if TYPE_CHECKING:
    from dam_expert.documents.intervals import Interval
    from dam_expert.documents.kinds import Kind
    from dam_expert.documents.messages import Message
    from dam_expert.kb.base import BaseNames
    from dam_expert.kb.entry import Entry, Given
    from dam_expert.kb.located import Located
    from dam_expert.language.conditions import Tree
    from dam_expert.language.names import Names


class Problems:
    """The list of messages that one pass over a base fills."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def say(self, located: Located[Entry], text: str, code: str, *inside: str | int, hint: str | None = None) -> None:
        """Add an error at a path inside an entry."""
        self.messages.append(located.message(text, code, *inside, hint=hint))

    def quantity(
        self, located: Located[Entry], given: Given, unit: str, kind: Kind, *inside: str | int
    ) -> Interval | None:
        """Read a quantity, or say what is wrong with it."""
        try:
            return parse_quantity(given, unit=unit, kind=kind).interval
        except QuantityError as error:
            self.say(located, error.text, "not-a-quantity", *inside, hint=error.hint)
        except UnitError as error:
            self.say(located, error.text, "unknown-unit", *inside, hint=error.hint)
        return None

    def value(
        self, located: Located[Entry], given: Given, measurement: str, names: BaseNames, *inside: str | int
    ) -> None:
        """Check that something can be the value of a measurement, as in an incident."""
        try:
            value_of(given, measurement, names)
        except (QuantityError, UnitError) as error:
            self.say(located, error.text, "wrong-value", *inside, hint=error.hint)

    def formula(
        self, located: Located[Entry], text: str, names: Names, unit: str, *inside: str | int
    ) -> Formula | None:
        """Read a formula and check that its value has the wanted unit."""
        try:
            formula = read_formula(text, names)
            dimension = formula_dimension(formula, names)
            if dimension != dimension_of(unit):
                raise LeafError(f"the formula gives {dimension}, wanted is {unit}", "unit-mismatch")
        except LeafError as error:
            self.say(located, error.text, error.code, *inside, hint=error.hint)
        except UnitError as error:
            self.say(located, error.text, "unknown-unit", *inside, hint=error.hint)
        else:
            return formula
        return None

    def condition(
        self, located: Located[Entry], data: object, names: Names, *inside: str | int, advice: bool = False
    ) -> Tree | None:
        """Read a condition tree, or say everything that is wrong with it."""
        tree, complaints = read_condition(data, names, inside, advice=advice)
        self.messages.extend(located.complaint(complaint) for complaint in complaints)
        return tree
