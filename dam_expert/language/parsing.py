"""Reads a condition tree as it stands in YAML into checked values; all problems are collected, none raised.

Grammar of a leaf::

    leaf     = symptom | column operator operand | "known" column | "unknown" column
             | hypothesis "is" status | "binding is" (bottleneck | hypothesis) | "planned" lever
    column   = measurement [ "[" key "=" word { "," key "=" word } "]" ] [ ".min" | ".max" | ".spread" ]
             | "tried." lever
    measurement, threshold, symptom, … = [ runbook "." ] name
    operator = "<" | "<=" | ">" | ">=" | "is" | "is-not" | "in" | "between"
    operand  = quantity | threshold | word | "[" word { "," word } "]" | quantity "and" quantity
             | column | factor "x" column

The forms of the first line's second half are for advice rules only.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final, TypeAlias

from dam_expert.documents.messages import suggestion
from dam_expert.language.conditions import All, Any, AtLeast, Not, Tree
from dam_expert.language.leaves import LeafError, read_leaf

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.language.names import Names

#: Where in a document: keys and list positions from the top.
Path: TypeAlias = tuple[str | int, ...]

#: Deeper or larger conditions are refused: they could not be read by people, and bound the work of every executor.
MAX_DEPTH: Final = 16
MAX_LEAVES: Final = 64

_JOINERS: Final = ("all", "any", "not", "at_least")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """A problem in a condition or formula, at a path inside its document; the loader adds file and line."""

    path: Path
    text: str
    code: str
    hint: str | None = None


def read_condition(
    data: object, names: Names, path: Path, *, advice: bool = False
) -> tuple[Tree | None, list[Complaint]]:
    """Read a condition tree. Returns None for the tree if anything is wrong with it, and every problem found.

    ``advice`` permits the leaves that ask about the verdict and the plans.
    """
    reader = _Reader(names, advice)
    tree = reader.tree(data, path, 0)
    return (None if reader.complaints else tree), reader.complaints


class _Reader:
    """Walks one tree; keeps the count of leaves and the complaints."""

    def __init__(self, names: Names, advice: bool) -> None:
        self.names = names
        self.advice = advice
        self.count = 0
        self.complaints: list[Complaint] = []

    def complain(self, path: Path, text: str, code: str, hint: str | None = None) -> None:
        self.complaints.append(Complaint(path=path, text=text, code=code, hint=hint))

    def tree(self, data: object, path: Path, depth: int) -> Tree | None:
        if depth > MAX_DEPTH:
            self.complain(
                path, f"a condition is at most {MAX_DEPTH} levels deep", "too-deep", "give a part of it a symptom"
            )
            return None
        if isinstance(data, str):
            return self.leaf(data, path)
        if isinstance(data, dict) and len(data) == 1:
            ((key, value),) = data.items()
            return self.joined(str(key), value, (*path, str(key)), depth)
        self.complain(
            path,
            f"a condition is one comparison or one of {', '.join(_JOINERS)}",
            "not-a-condition",
            "put several comparisons under 'all:' or 'any:'" if isinstance(data, dict | list) else None,
        )
        return None

    def leaf(self, text: str, path: Path) -> Tree | None:
        self.count += 1
        if self.count == MAX_LEAVES + 1:
            self.complain(path, f"a condition has at most {MAX_LEAVES} comparisons", "too-large", "split the rule")
        try:
            return read_leaf(text, self.names, advice=self.advice)
        except LeafError as error:
            for each in (error, error.also):
                if each is not None:
                    self.complain(path, each.text, each.code, each.hint)
            return None

    def joined(self, key: str, value: object, path: Path, depth: int) -> Tree | None:
        match key:
            case "all":
                return self.many(value, path, depth, All)
            case "any":
                return self.many(value, path, depth, Any)
            case "not":
                child = self.tree(value, path, depth + 1)
                return None if child is None else Not(child)
            case "at_least":
                return self.at_least(value, path, depth)
        self.complain(path, f"'{key}' does not join conditions", "unknown-key", suggestion(key, _JOINERS))
        return None

    def many(self, value: object, path: Path, depth: int, make: Callable[[tuple[Tree, ...]], Tree]) -> Tree | None:
        if not isinstance(value, list) or not value:
            hint = "begin each condition below it with '- '"
            self.complain(path, f"'{path[-1]}' needs a list of conditions", "not-a-condition", hint)
            return None
        children = [self.tree(item, (*path, index), depth + 1) for index, item in enumerate(value)]
        present = tuple(child for child in children if child is not None)
        return make(present) if len(present) == len(children) else None

    def at_least(self, value: object, path: Path, depth: int) -> Tree | None:
        if not isinstance(value, dict) or set(value) != {"n", "of"}:
            self.complain(path, "'at_least' needs 'n' and 'of'", "not-a-condition", "at_least: {n: 2, of: [..]}")
            return None
        n, of = value["n"], value["of"]
        size = len(of) if isinstance(of, list) else 0
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= max(size, 1):
            self.complain(
                (*path, "n"), f"'n' is a whole number from 1 to the {size} conditions of 'of'", "not-a-condition"
            )
            return None
        return self.many(of, (*path, "of"), depth, lambda children: AtLeast(n, children))
