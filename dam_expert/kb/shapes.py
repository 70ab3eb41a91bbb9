"""Checks data against the models of entries; what does not fit is complained about, all of it at once.

The models (:mod:`dam_expert.kb.models`) are structs, which read fast and stop at the first mistake. The pydantic model
that finds every mistake, and that the JSON Schema comes from, is made of the same struct when it is first needed: each
shape is written down once.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec

from dam_expert.kb.entry import Entry
from dam_expert.kb.models import MODEL_MODULES, KnowledgeFile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pydantic import BaseModel, ValidationError

    from dam_expert.documents.problems import KnownFields, Problem

E = TypeVar("E", bound=Entry)


class MisshapenError(ValueError):
    """Data that does not have the shape of an entry, with everything that is wrong with it."""

    def __init__(self, error: ValidationError, model: type[Entry]) -> None:
        super().__init__(str(error))
        self._error = error
        self._model = model

    def problems(self, data: object) -> list[Problem]:
        """Return what is wrong with the data, each with its path."""
        from dam_expert.documents.problems import fields_of, problems_of

        known = fields_of(shape_of(self._model))
        found = [_with_way(problem, data, known) for problem in problems_of(self._error, data, known)]
        return [_with_words(problem, self._model) for problem in found]


#: What to write under a key, where its shape alone does not tell.
_WAYS = {
    "when": "put the conditions under 'all:' or 'any:'",
    "then": "write: then: {support: HYPOTHESIS}",
    "tests": "write: tests: {fires: [{..}], silent: [{..}], undecided: [{..}]}",
    "values": "write: values: {word: what it means}",
}


def _with_words(problem: Problem, model: type[Entry]) -> Problem:
    """Name the words of which one is missing, or stands there wrongly; a guess beside them stays the first."""
    from dam_expert.documents.problems import words_of

    if problem.code not in ("missing-key", "not-allowed") or problem.at_key:
        return problem
    path = problem.path if problem.missing is None else (*problem.path, problem.missing)
    words = words_of(shape_of(model), path)
    if not words or "allowed: " in (problem.hint or ""):
        return problem
    said = f"allowed: {', '.join(words)}"
    return dataclasses.replace(problem, hint=said if problem.hint is None else f"{problem.hint} {said}")


def _with_way(problem: Problem, data: object, known_fields: KnownFields) -> Problem:
    """Say of a value of another shape how it is written in the one that is expected."""
    if problem.code != "wrong-type" or problem.at_key:
        return problem
    way = _WAYS.get(str(problem.path[-1])) if problem.path else None
    if way is None:
        found: Any = data
        for step in problem.path:
            found = found[step]
        expected = problem.text.partition(" is expected here")[0]
        way = _as_expected(expected, found, list(known_fields(problem.path)))
    return problem if way is None else dataclasses.replace(problem, hint=way)


def _as_expected(expected: str, found: object, known: Sequence[str]) -> str | None:
    """Return how what was found is written in the shape that is expected, where that can be told."""
    plain = isinstance(found, str | int | float) and not isinstance(found, bool) and str(found).strip() != ""
    if expected == "a list" and plain:
        return f"write [{found}]"
    if expected == "a text" and plain:
        return f"put it in quotes: '{found}'"
    if expected == "a mapping" and known:
        return f"its keys are {', '.join(known)}"
    if expected == "a mapping" and isinstance(found, list):
        return "write {key: value}"
    return None


def validated(model: type[E], data: object) -> E:
    """Return the entry that data describes. Raises MisshapenError."""
    try:
        return msgspec.convert(data, model)
    except msgspec.ValidationError:
        found = _allowed(model, data)  # it also takes ``1`` for a flag, and ``"5"`` for a number
        return msgspec.convert(found.model_dump(by_alias=True, exclude_unset=True), model)


def _allowed(model: type[Entry], data: object) -> BaseModel:
    import pydantic

    try:
        return shape_of(model).model_validate(data)
    except pydantic.ValidationError as error:
        raise MisshapenError(error, model) from None


@functools.cache
def shape_of(model: type[Entry]) -> type[BaseModel]:
    """Return the pydantic model of the same shape."""
    import pydantic

    hints = typing.get_type_hints(model, include_extras=True)
    fields: dict[str, Any] = {
        field.name: (_annotation(hints[field.name]), _field(field)) for field in msgspec.structs.fields(model)
    }
    checks: dict[str, Any] = {}
    if (after := getattr(model, "__post_init__", None)) is not None:
        checks["whole"] = pydantic.model_validator(mode="after")(_checking(after))
    return pydantic.create_model(
        model.__name__,
        __config__=pydantic.ConfigDict(frozen=True, extra="forbid", populate_by_name=True),
        __doc__=model.__doc__,
        __validators__=checks,
        **fields,
    )


def knowledge_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a knowledge file, for editors."""
    from dam_expert.kb.hover import with_hover

    found = with_hover(shape_of(KnowledgeFile).model_json_schema(), *MODEL_MODULES)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "dam-expert knowledge", **found}


def _checking(after: Callable[[Any], None]) -> Callable[[Any], Any]:
    def whole(self: Any) -> Any:  # noqa: ANN401  # an instance of the model that is being made
        after(self)
        return self

    return whole


def _field(field: msgspec.structs.FieldInfo) -> Any:  # noqa: ANN401  # what pydantic calls a field has no type
    """Return the default of a field, with its other name where documents write it otherwise."""
    import pydantic

    alias = None if field.encode_name == field.name else field.encode_name
    if callable(field.default_factory) and field.default_factory not in (list, dict):
        return pydantic.Field(default_factory=field.default_factory, alias=alias)
    return _default(field) if alias is None else pydantic.Field(_default(field), alias=alias)


def _default(field: msgspec.structs.FieldInfo) -> Any:  # noqa: ANN401  # whatever the field holds
    if field.default is not msgspec.NODEFAULT:
        return _unstructured(field.default)
    return ... if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _unstructured(value: object) -> object:
    return shape_of(type(value))() if isinstance(value, Entry) else value


def _annotation(hint: Any, *, one_of: bool = False) -> Any:  # noqa: ANN401  # annotations have no common type
    """Return an annotation as pydantic reads it; among alternatives a number is never made of something else."""
    import pydantic

    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        inner, meta = arguments
        return Annotated[_annotation(inner, one_of=one_of), pydantic.Field(**_limits(meta))]
    if origin in (typing.Union, types.UnionType):
        several = sum(each is not type(None) for each in arguments) > 1
        return functools.reduce(
            lambda one, other: one | other, (_annotation(each, one_of=several) for each in arguments)
        )
    if origin in (list, dict):
        return origin[tuple(_annotation(each) for each in arguments)]
    if isinstance(hint, type) and issubclass(hint, Entry):
        return shape_of(hint)
    return {int: pydantic.StrictInt, float: pydantic.StrictFloat}.get(hint, hint) if one_of else hint


def _limits(meta: msgspec.Meta) -> dict[str, Any]:
    names = ("pattern", "min_length", "max_length", "ge", "le")
    limits = {name: value for name in names if (value := getattr(meta, name)) is not None}
    if "pattern" in limits:
        limits["pattern"] = limits["pattern"].replace(r"\Z", "$")  # pydantic's expressions and JSON's know no other end
    return limits
