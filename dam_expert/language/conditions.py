"""Conditions: trees of ``all``, ``any``, ``not``, ``at_least`` over leaves, as checked values.

Everything is frozen and hashable, so that equal conditions of different rules become one node of the program.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from dam_expert.documents.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator


class Column(msgspec.Struct, frozen=True, array_like=True, gc=False, cache_hash=True):
    """A measurement, or an aspect of it: ``.min``, ``.max``, ``.spread`` over its scope, or one part by filter.

    ``tried.LEVER`` is a column too: its measurement is ``tried.LEVER``.
    """

    measurement: str
    aspect: str | None = None
    where: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = ",".join(f"{key}={value}" for key, value in self.where)
        return self.measurement + (f"[{parts}]" if parts else "") + (f".{self.aspect}" if self.aspect else "")


class Operator(enum.StrEnum):
    """How a column is compared. ``is-not``, ``in`` and ``between`` are written with these."""

    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    IS = "is"


#: Those that hold from a limit upwards.
UPWARD: Final = (Operator.MORE, Operator.AT_LEAST)


class Number(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """An operand that is a quantity written in the condition; it never decides."""

    value: Interval


class Limit(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """An operand that is a named threshold."""

    threshold: str


class Words(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """An operand of ``is`` or ``in``: any of these words."""

    words: frozenset[str]


class Multiple(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """An operand that is another column, times a factor."""

    factor: float
    column: Column


Operand: TypeAlias = Number | Limit | Words | Multiple


class Comparison(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False, eq=False):
    """One comparison of a column. ``text`` is how it was written and takes no part in equality."""

    column: Column
    operator: Operator
    operand: Operand
    decides: bool
    text: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparison):
            return NotImplemented
        return (
            self.column == other.column
            and self.operator is other.operator
            and self.operand == other.operand
            and self.decides is other.decides
        )

    def __hash__(self) -> int:
        return hash((self.column.measurement, self.operator, self.operand, self.decides))


class Symptom(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """The name of a symptom as a leaf."""

    id: str


class Known(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """``known M`` or ``unknown M``: whether a column has a value. Advice only; two-valued."""

    column: Column
    wanted: bool


class Standing(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """``H is confirmed``: the status of a hypothesis after the verdict. Advice only; two-valued."""

    hypothesis: str
    status: str


class Binds(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """``binding is B``: the bottleneck or the hypothesis that binds. Advice only; two-valued."""

    what: str


class Planned(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """``planned L``: whether the incident plans a lever. Advice only; two-valued."""

    lever: str


class All(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """True if all children are."""

    children: tuple[Tree, ...]


class Any(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """True if any child is."""

    children: tuple[Tree, ...]


class Not(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """True if the child is false."""

    child: Tree


class AtLeast(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """True if at least n children are."""

    n: int
    children: tuple[Tree, ...]


Leaf: TypeAlias = Comparison | Symptom | Known | Standing | Binds | Planned
Tree: TypeAlias = Leaf | All | Any | Not | AtLeast


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the leaves of a tree from left to right; symptoms stay as they are."""
    match tree:
        case All(children) | Any(children) | AtLeast(_, children):
            for child in children:
                yield from leaves(child)
        case Not(child):
            yield from leaves(child)
        case _:
            yield tree


def columns(leaf: Leaf) -> tuple[Column, ...]:
    """Return the columns that a leaf reads: none for leaves about the verdict."""
    match leaf:
        case Comparison(column, _, Multiple(_, other)):
            return (column, other)
        case Comparison(column) | Known(column):
            return (column,)
        case _:
            return ()


def leaf_text(leaf: Leaf) -> str:
    """Return a leaf as it is written in a rule.

    >>> leaf_text(Known(Column("step_time"), wanted=False))
    'unknown step_time'
    """
    match leaf:
        case Comparison():
            return leaf.text
        case Symptom(name):
            return name
        case Known(column, wanted):
            return f"{'known' if wanted else 'unknown'} {column}"
        case Standing(hypothesis, status):
            return f"{hypothesis} is {status}"
        case Binds(what):
            return f"binding is {what}"
        case Planned(lever):
            return f"planned {lever}"
