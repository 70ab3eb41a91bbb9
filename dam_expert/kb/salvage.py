"""What can still be read of an entry that does not have its shape, so that one mistake never hides the next.

The parts with a mistake are taken out, keys that are nearly right are read as what they were meant to be, and what is
missing is stood in for. Nothing is ever diagnosed with such an entry: its base has an error. But the names, conditions
and quantities in the rest of it are checked in the same pass.
"""

from __future__ import annotations

import copy
import dataclasses
import datetime
import enum
import types
import typing
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

import msgspec

from dam_expert.documents.messages import closest
from dam_expert.kb.entry import LOST, Entry
from dam_expert.kb.models import ObtainModel, ThresholdModel
from dam_expert.kb.shapes import MisshapenError, shape_of, validated
from dam_expert.kb.source import inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.problems import Problem
    from dam_expert.language.parsing import Path

E = TypeVar("E", bound=Entry)

#: What stands in for a text that has a form of its own: a version.
_NUMBERED = "0.0"
#: Keys that entries need as a whole, one or the other: their models say so once each is right by itself.
_NEEDED = ("value", "values", "source", "how", "command")
#: What is mended shows what is wrong below it: so often a whole entry is looked at.
_ROUNDS = 6


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged(Generic[E]):
    """An entry without its mistakes.

    ``problems`` are the mistakes; ``doubts`` the paths of what was taken out or stood in for; ``renamed`` the keys that
    are read as others: where they belong, and where they stand.
    """

    entry: E | None
    problems: tuple[Problem, ...]
    doubts: tuple[Path, ...] = ()
    renamed: tuple[tuple[Path, Path], ...] = ()

    def is_doubtful(self, *fields: str) -> bool:
        """Whether one of the fields is not as its author wrote it, or nothing could be read."""
        return self.entry is None or any(path[:1] == (field,) for path in self.doubts for field in fields)


def read(model: type[E], data: object, name: str = LOST) -> E | Salvaged[E]:
    """Return the entry that data describes, or what is wrong with it and the rest of it.

    ``name`` stands in for an id that is missing.
    """
    try:
        return validated(model, data)
    except MisshapenError as error:
        return _Salvage(model, data, name).of(error)


class _Salvage(Generic[E]):
    """Takes the mistakes out of one entry, round by round."""

    def __init__(self, model: type[E], data: object, name: str) -> None:
        self.model = model
        self.data: Any = copy.deepcopy(data)
        self.name = name
        self.doubts: list[Path] = []
        self.renamed: list[tuple[Path, Path]] = []

    def of(self, error: MisshapenError) -> Salvaged[E]:
        problems = error.problems(self.data)
        found = problems
        for _ in range(_ROUNDS if isinstance(self.data, dict) else 0):
            for problem in sorted(found, key=lambda each: each.code != "unknown-key"):
                self.mend(problem)
            try:
                entry = validated(self.model, self.data)
            except MisshapenError as again:
                found = again.problems(self.data)
                problems += [each for each in found if self.is_news(each)]
            else:
                return self.made(entry, problems)
        return self.made(None, problems)

    def made(self, entry: E | None, problems: list[Problem]) -> Salvaged[E]:
        meant = {place for place, _ in self.renamed}
        said = [each for each in problems if each.missing is None or (*each.path, each.missing) not in meant]
        return Salvaged(
            entry=entry,
            problems=tuple(dict.fromkeys(said)),
            doubts=tuple(dict.fromkeys(self.doubts)),
            renamed=tuple(self.renamed),
        )

    def is_news(self, problem: Problem) -> bool:
        """Whether a problem is not only of what was taken out before."""
        path = problem.path if problem.missing is None else (*problem.path, problem.missing)
        if any(path[: len(doubt)] == doubt for doubt in self.doubts):
            return False
        return not any(doubt[:-1] == path and doubt[-1] in _NEEDED for doubt in self.doubts)

    def mend(self, problem: Problem) -> None:
        """Take one mistake out, or put something in the place of what is missing."""
        path = problem.path
        if problem.missing is not None:
            outer = inside(self.data, path)
            if isinstance(outer, dict) and problem.missing not in outer:
                place = (*path, problem.missing)
                outer[problem.missing] = self.name if place == ("id",) else self.stand_in(place)
                self.doubts.append(place)
            return
        if not path:
            self.complete(path)
            return
        if isinstance(inside(self.data, path), dict) and self.complete(path):
            return
        outer, last = inside(self.data, path[:-1]), path[-1]
        if inside(self.data, path) == LOST:
            outer[last] = _NUMBERED  # it does not look like a word
            return
        if isinstance(outer, dict) and last in outer:
            if problem.code != "unknown-key" or not self.rename(outer, path):
                self.doubts.append(path)
            outer.pop(last, None)
        elif isinstance(outer, list) and isinstance(last, int) and last < len(outer):
            self.doubts.append(path)
            outer[last] = self.stand_in(path)

    def rename(self, outer: dict[str, Any], path: Path) -> bool:
        """Read a misspelt key as the one it is nearest to, where that is not there."""
        from dam_expert.documents.problems import fields_of

        known = [name for name in fields_of(shape_of(self.model))(path[:-1]) if name not in outer]
        meant = closest(str(path[-1]), known)
        if meant is None:
            return False
        outer[meant] = outer[path[-1]]  # type: ignore[index]  # keys are texts here
        self.renamed.append(((*path[:-1], meant), path))
        return True

    def complete(self, path: Path) -> bool:
        """Give an entry what it lacks as a whole: two keys of which it needs one."""
        inner = inside(self.data, path)
        for kind in _kinds_at(self.model, path):
            if kind is ObtainModel:
                inner.setdefault("how", LOST)
                self.doubts.append((*path, "how"))
                return True
            if kind is ThresholdModel:
                self.doubts.append((*path, "source") if ("value" in inner) != ("values" in inner) else (*path, "value"))
                if "value" in inner:
                    inner.pop("values", None)
                inner.setdefault("value", 0)
                inner.setdefault("source", [LOST])
                return True
        return False

    def stand_in(self, path: Path) -> object:
        return next((_stand_in(kind) for kind in _kinds_at(self.model, path)), LOST)


def _kinds_at(model: type[Entry], path: Path) -> list[Any]:
    """Return the annotations that a value may have behind a path."""
    kinds: list[Any] = [model]
    for step in path:
        kinds = [inner for kind in kinds for inner in _inside(kind, step)]
    return kinds


def _inside(kind: Any, step: str | int) -> Iterator[Any]:  # noqa: ANN401  # annotations have no common type
    if isinstance(kind, type) and issubclass(kind, Entry):
        hints = typing.get_type_hints(kind, include_extras=True)
        for field in msgspec.structs.fields(kind):
            if field.encode_name == step:
                yield from _alternatives(hints[field.name])
        return
    arguments = typing.get_args(kind)
    if arguments and typing.get_origin(kind) is (list if isinstance(step, int) else dict):
        yield from _alternatives(arguments[-1])


def _alternatives(kind: Any) -> Iterator[Any]:  # noqa: ANN401
    origin = typing.get_origin(kind)
    if origin is Annotated:
        yield from _alternatives(typing.get_args(kind)[0])
    elif origin in (typing.Union, types.UnionType):
        for each in typing.get_args(kind):
            yield from _alternatives(each)
    elif kind is not type(None):
        yield kind


def _stand_in(kind: Any) -> object:  # noqa: ANN401
    """Return some value of a type, as documents hold it."""
    origin = typing.get_origin(kind)
    if origin is Literal:
        return typing.get_args(kind)[0]
    if origin is list:
        inner = next(_alternatives(typing.get_args(kind)[0]))
        return [_stand_in(inner)]
    if origin is dict or kind is dict:
        return {}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next(iter(kind)).value
    if isinstance(kind, type) and issubclass(kind, Entry):
        return {}  # what it needs is stood in for in the next round
    return {bool: False, int: 0, float: 0.0, datetime.date: "2000-01-01"}.get(kind, LOST)
