"""Units, quantities and their spelling: the one place where numbers meet text.

Gathered here: what a unit measures (``dimensions``), how a value is read (``quantities``, and ``literals`` for one
number), how it is written for people (``formatting``).
"""

from dam_expert.documents.dimensions import PLAIN, Dimension, Unit, UnitError, dimension_of, units_of
from dam_expert.documents.formatting import format_value
from dam_expert.documents.literals import QuantityError
from dam_expert.documents.quantities import LIMITS, Given, Quantity, as_text, parse_quantity

__all__ = [
    "LIMITS",
    "PLAIN",
    "Dimension",
    "Given",
    "Quantity",
    "QuantityError",
    "Unit",
    "UnitError",
    "as_text",
    "dimension_of",
    "format_value",
    "parse_quantity",
    "units_of",
]
