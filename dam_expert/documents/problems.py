"""What a failed validation means, in plain words: pydantic's errors as problems with a path into the data.

Used wherever a document is checked at the file boundary. A problem knows where it is as a path; who has the places
of the document turns it into a message.
"""

from __future__ import annotations

import dataclasses
import enum
import re
import types
import typing
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from dam_expert.documents.messages import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import pydantic
    from pydantic_core import ErrorDetails

#: Steps from the top of a document to a value: keys and list positions.
Path: TypeAlias = tuple[str | int, ...]

#: Which keys a document may have at a path.
KnownFields: TypeAlias = "Callable[[Path], Iterable[str]]"

_SHOWN = 40
_EXPECTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "none_required": "nothing",
    "date_type": "a date, as in 2026-01-31,",
    "date_parsing": "a date, as in 2026-01-31,",
    "date_from_datetime_parsing": "a date, as in 2026-01-31,",
    "date_from_datetime_inexact": "a date, as in 2026-01-31,",
}
_OUTSIDE = {
    "greater_than": "must be above {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be below {lt}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match {pattern}",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong at a path; ``at_key`` where the key is meant; ``missing`` is a key that is not there."""

    path: Path
    code: str
    text: str
    hint: str | None = None
    at_key: bool = False
    missing: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class _Located:
    """An error of pydantic with its path in the data, and the unions on the way, each with the branch taken."""

    error: ErrorDetails
    path: Path
    unions: tuple[tuple[Path, str | int], ...]


def problems_of(error: pydantic.ValidationError, data: object, known_fields: KnownFields) -> list[Problem]:
    """Return every problem that a validation found in ``data``, once each.

    ``known_fields`` gives the keys that are possible at a path, for suggestions; ``fields_of`` makes one of a model.
    Of a union only the branch that the data resembles is reported, or what would be expected if it resembles none.
    """
    located = [_located(detail, data) for detail in error.errors(include_url=False)]
    found = _chosen(located, 0, known_fields)
    return list(dict.fromkeys(sorted(found, key=lambda problem: [str(step) for step in problem.path])))


def fields_of(model: type[pydantic.BaseModel]) -> KnownFields:
    """Return the keys that a model allows at each path: nothing where no mapping, or a free one, stands."""

    def known(path: Path) -> Iterable[str]:
        return dict.fromkeys(name for candidate in _types_at(model, path) for name, _ in _fields(candidate))

    return known


def words_of(model: type[pydantic.BaseModel], path: Path) -> list[str]:
    """Return the words that may stand at a path, where only some may; else none."""
    words: list[str] = []
    for candidate in _types_at(model, path):
        if typing.get_origin(candidate) is typing.Literal:
            words += [str(word) for word in typing.get_args(candidate)]
        elif isinstance(candidate, type) and issubclass(candidate, enum.Enum):
            words += [str(member.value) for member in candidate]
    return words


def _types_at(model: type[pydantic.BaseModel], path: Path) -> list[object]:
    """Return the types that a value may be of at a path."""
    candidates: list[object] = [model]
    for step in path:
        candidates = [inner for candidate in candidates for inner in _inner(candidate, step)]
    return candidates


def described(value: object) -> str:
    """Name a value as found, for messages.

    >>> described("a word"), described([1]), described(True)
    ("the text 'a word'", 'a list', 'true')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text '{_short(value)}'"
    return "a list" if isinstance(value, list | tuple) else "a mapping" if isinstance(value, dict) else "this"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _located(error: ErrorDetails, data: object) -> _Located:
    """Follow the steps of an error through the data; a step that is not in it names the branch of a union."""
    at: Any = data
    path: list[str | int] = []
    unions: list[tuple[Path, str | int]] = []
    steps = error["loc"]
    for position, step in enumerate(steps):
        absent = position == len(steps) - 1 and error["type"] == "missing"
        if _holds(at, step):
            at = at[step]
            path.append(step)
        elif absent:
            path.append(step)
        elif step != "[key]":
            unions.append((tuple(path), step))
    return _Located(error, tuple(path), tuple(unions))


def _holds(value: object, step: str | int) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)


def _chosen(items: list[_Located], depth: int, known_fields: KnownFields) -> list[Problem]:
    """Put errors into words, of each union at this depth only those of the branch that is meant."""
    found = [_problem(item.error, item.path, known_fields) for item in items if len(item.unions) <= depth]
    inside = [item for item in items if len(item.unions) > depth]
    for union in dict.fromkeys(item.unions[depth][0] for item in inside):
        branches: dict[str | int, list[_Located]] = {}
        for item in inside:
            if item.unions[depth][0] == union:
                branches.setdefault(item.unions[depth][1], []).append(item)
        fitting = [branch for branch in branches.values() if not any(_is_other_shape(item, union) for item in branch)]
        if fitting:
            found += _chosen(min(fitting, key=len), depth + 1, known_fields)
        else:
            found.append(_none_fits([item for branch in branches.values() for item in branch], union))
    return found


def _none_fits(items: list[_Located], union: Path) -> Problem:
    """Say everything that could stand where nothing that could stands."""
    shapes = [item.error for item in items if _is_other_shape(item, union)]
    expected = dict.fromkeys(_EXPECTED[error["type"]] for error in shapes)
    return _wrong_type(union, " or ".join(expected), shapes[0]["input"])


def _is_other_shape(item: _Located, union: Path) -> bool:
    return item.path == union and item.error["type"] in _EXPECTED


def _wrong_type(path: Path, expected: str, found: object) -> Problem:
    return Problem(path=path, code="wrong-type", text=f"{expected} is expected here, not {described(found)}")


def _problem(error: ErrorDetails, path: Path, known_fields: KnownFields) -> Problem:
    """Put one error of pydantic into plain words."""
    kind, found, context = error["type"], error["input"], error.get("ctx", {})
    at_key = bool(error["loc"]) and error["loc"][-1] == "[key]"
    if kind == "missing":
        text = f"the key '{path[-1]}' is missing"
        return Problem(path=path[:-1], code="missing-key", text=text, missing=str(path[-1]))
    if kind == "extra_forbidden":
        return unknown_key(path, known_fields(path[:-1]))
    if kind in {"literal_error", "enum"}:
        return _not_allowed(path, found, str(context.get("expected", "")), at_key=at_key)
    if kind == "union_tag_not_found":
        return Problem(path=path, code="missing-key", text=f"the key {context['discriminator']} is missing")
    if kind == "union_tag_invalid":
        field = str(context["discriminator"]).strip("'")
        return _not_allowed((*path, field), context["tag"], str(context["expected_tags"]), at_key=False)
    if kind in _EXPECTED:
        return dataclasses.replace(_wrong_type(path, _EXPECTED[kind], found), at_key=at_key)
    text, hint = _outside(error, found, context)
    return Problem(path=path, code="wrong-value", text=text, hint=hint, at_key=at_key)


def unknown_key(path: Path, known: Iterable[str]) -> Problem:
    """Return the problem of a key that is not known, with the nearest of the known ones, or all of a few.

    >>> unknown_key(("wehn",), ["when", "then"]).hint
    "did you mean 'when'?"
    """
    name, names = str(path[-1]), sorted(known)
    hint = suggestion(name, names) or (f"known here: {', '.join(names)}" if names else None)
    return Problem(path=path, code="unknown-key", text=f"the key '{_short(name)}' is not known", hint=hint, at_key=True)


def _not_allowed(path: Path, found: object, expected: str, *, at_key: bool) -> Problem:
    """Say which words are allowed; pydantic writes them as ``'a', 'b' or 'c'``."""
    allowed = [word.strip().strip("'") for word in expected.replace(" or ", ", ").split(",")]
    hint = suggestion(str(found), allowed) or f"allowed: {', '.join(allowed)}"
    text = f"{described(found)} is not allowed here"
    return Problem(path=path, code="not-allowed", text=text, hint=hint, at_key=at_key)


def _outside(error: ErrorDetails, found: object, context: Mapping[str, Any]) -> tuple[str, str | None]:
    """Say why a value of the right type is wrong, and what is right; a ValueError of ours is already in plain words."""
    if error["type"] in {"value_error", "assertion_error"} and "error" in context:
        return str(context["error"]), None
    if error["type"] == "string_pattern_mismatch":
        return _misnamed(str(found), str(context["pattern"]))
    if found == "" and context.get("min_length") == 1:
        return "nothing is written here", "write a text"
    template = _OUTSIDE.get(error["type"])
    return (f"{described(found)} {template.format(**context)}" if template else error["msg"]), None


def _misnamed(found: str, pattern: str) -> tuple[str, str | None]:
    r"""Say in words what a pattern asks for, and how the text would be written.

    >>> _misnamed("v1.2", r"^\d+\.\d+")
    ("the text 'v1.2' is no version", "write '1.2'")
    """
    if pattern.startswith("^[a-z]"):
        dotted = r"\." in pattern
        form = "lower-case letters, digits and underscores, beginning with a letter"
        names = [_as_name(name) for name in re.split(r"[,\s]+", found.strip()) if _as_name(name)]
        several = "," in found and len(names) > 1
        best = ".".join(names[0].split(".")) if names and not several and dotted else _as_name(found).replace(".", "_")
        hint = f"write [{', '.join(names)}]" if several else f"write '{best}'" if re.match(r"[a-z]", best) else None
        return f"the text '{_short(found)}' is no id: {form}", hint
    if pattern.startswith(("^\\d", "^>=")):
        numbers = re.search(r"\d+(?:\.\d+){0,2}", found)
        given = numbers[0] if numbers else "1.0"
        version = given if "." in given else f"{given}.0"
        prefix = ">= " if pattern.startswith("^>=") else ""
        return f"the text '{_short(found)}' is no version", f"write '{prefix}{version}'"
    return f"{described(found)} must match {pattern}", None


def _as_name(text: str) -> str:
    return re.sub(r"[^a-z0-9_.]+", "_", text.strip().lower()).strip("_.")


def _inner(candidate: object, step: str | int) -> list[object]:
    """Return the types that a value of a type may have behind one step."""
    fields = _fields(candidate)
    if fields:
        return [found for name, annotation in fields if name == step for found in _alternatives(annotation)]
    arguments, origin = typing.get_args(candidate), typing.get_origin(candidate)
    if not arguments or isinstance(step, int) is (origin is dict):
        return []
    return _alternatives(arguments[0] if arguments[-1] is Ellipsis else arguments[-1])


def _alternatives(annotation: object) -> list[object]:
    """Take a type apart where it is a union or carries annotations."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _alternatives(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return [found for inner in arguments for found in _alternatives(inner)]
    return [annotation]


def _fields(candidate: object) -> list[tuple[str, object]]:
    """Return the keys of a model as they are written, with their types; nothing for any other type."""
    import pydantic

    if not (isinstance(candidate, type) and issubclass(candidate, pydantic.BaseModel)):
        return []
    return [(field.alias or name, field.annotation) for name, field in candidate.model_fields.items()]
