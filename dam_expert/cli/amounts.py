"""Options that read quantities with units, and how a value that cannot be ends a command: one line, with the reason."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dam_expert.cli import inputs
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import named
from dam_expert.documents.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic only for type checkers, and there only in newer releases

_F = TypeVar("_F", bound="Callable[..., Any]")


class Amount(_ParamType):
    """A quantity in the unit of the option; a bare number is in its canonical unit."""

    def __init__(self, unit: str, kind: Kind, name: str) -> None:
        self.unit, self.kind, self.name = unit, kind, name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Return the number in the canonical unit; whatever cannot be one ends the command."""
        if isinstance(value, int | float):
            return float(value)
        option = param.opts[-1] if param is not None else "value"
        try:
            found = number(value, self.unit, self.kind)
        except ValueError as error:
            raise Failure(Exit.USAGE, f"{option}: {said(error)}") from error
        if self.unit == "s":
            mind_seconds(option, value)
        return found


class Number(Amount):
    """A large count, as people write the parameters of a model: ``7B``, ``7e9``."""

    def __init__(self) -> None:
        super().__init__("1", Kind.COUNT, "number")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Return the number; a factor, or what is no number, ends the command."""
        if isinstance(value, int | float):
            return float(value)
        option = param.opts[-1] if param is not None else "value"
        try:
            return plain_number(value)
        except ValueError as error:
            raise Failure(Exit.USAGE, f"{option}: {said(error)}") from error


class Whole(Amount):
    """A whole number of 1 or more."""

    def __init__(self, name: str = "count") -> None:
        super().__init__("1", Kind.COUNT, name)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """Return the number; a fraction or 0 ends the command."""
        found = super().convert(value, param, ctx)
        if found < 1 or not found.is_integer():
            option = param.opts[-1] if param is not None else "value"
            raise Failure(Exit.USAGE, f"{option}: {found:g} is not a whole number of 1 or more")
        return int(found)


def mind_seconds(name: str, given: str) -> None:
    """Have it said how a time without a unit is read: what was meant as milliseconds would be wrong by a thousand."""
    text = given.strip()
    if _BARE.fullmatch(text) and float(text):
        inputs.note_reading(f"{name}: {text} is read as {text} s; write '{text} ms' if that is meant")


_BARE = re.compile(r"\d+(?:\.\d*)?")


def number(given: str, unit: str, kind: Kind) -> float:
    """Read one number; a range is refused. Raises QuantityError, a ValueError."""
    from dam_expert.documents.quantities import QuantityError, parse_quantity

    interval = parse_quantity(given, unit=unit, kind=kind).interval
    if not interval.is_point:
        raise QuantityError(f"'{given}' is a range", "a calculator takes one value: run it for both ends")
    return interval.lo


def plain_number(given: str) -> float:
    """Read a count. Raises QuantityError, a ValueError, that says how counts are written.

    >>> plain_number("7B"), plain_number("7e9")
    (7000000000.0, 7000000000.0)
    """
    from dam_expert.documents.quantities import QuantityError

    hint = "write for example '7B' or '7e9'"
    if given.strip()[-1:] in {"x", "X", "×"}:
        raise QuantityError(f"'{given}' is a factor, but a number is expected", hint)
    try:
        return number(given, "1", Kind.COUNT)
    except QuantityError as error:
        if "range" in error.text:
            raise
        raise QuantityError(error.text, hint) from error


def said(error: ValueError) -> str:
    """Return what is wrong and what to do about it."""
    hint = getattr(error, "hint", None)
    text = getattr(error, "text", None) or str(error)
    return f"{text}; {hint}" if hint else text


BYTES = Amount("B", Kind.BYTES, "bytes")
BANDWIDTH = Amount("B/s", Kind.RATE, "rate")
FLOPS = Amount("FLOP/s", Kind.RATE, "rate")
OPERATIONS = Amount("FLOP", Kind.COUNT, "operations")
INTENSITY = Amount("FLOP/B", Kind.LEVEL, "intensity")
SECONDS = Amount("s", Kind.DURATION, "time")
PER_SECOND = Amount("1/s", Kind.RATE, "rate")
SHARE = Amount("1", Kind.SHARE, "share")
NUMBER = Number()
RATIO = Amount("1", Kind.RATIO, "factor")
WHOLE = Whole()


def option(*names: str, type: _ParamType, help: str, **more: Any) -> Callable[[_F], _F]:  # noqa: A002, ANN401
    """Add an option whose value is shown as what it measures."""
    return click.option(*names, type=type, metavar=more.pop("metavar", type.name.upper()), help=help, **more)


def plot_option(command: _F) -> _F:
    """Add ``--plot``."""
    return click.option(
        "--plot", metavar="FILE", callback=named, help="Also draw a picture into FILE.svg or FILE.png (extra 'plots')."
    )(command)


@contextlib.contextmanager
def impossible(names: Mapping[str, str], code: Exit = Exit.USAGE, place: str = "") -> Iterator[None]:
    """Turn a value that cannot be into the end of the command; ``names`` are options by the argument they are."""
    import numpy as np

    from dam_expert.physics.errors import PhysicsError

    try:
        with np.errstate(all="ignore"):  # what overflows is refused as not finite, in words
            yield
    except PhysicsError as error:
        argument = error.argument.partition("[")[0]
        name = names.get(argument, argument.replace("_", " "))
        raise Failure(code, f"{place}{name}: {error.text}; {error.likely}") from error
