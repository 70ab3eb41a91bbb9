"""The shape of an incident file: which keys there are, and which types their values have.

Only the shape: what a value means is decided with the vocabulary of the base (``incident_reading``).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import pydantic

Scalar: TypeAlias = str | bool | int | float | None


class _Part(pydantic.BaseModel):
    """A mapping with known keys. Keys that begin with ``x-`` are free: the reader takes them out beforehand."""

    model_config = pydantic.ConfigDict(extra="forbid", json_schema_extra={"patternProperties": {"^x-": {}}})


class SourcePart(_Part):
    """Where a value was found, if not in the incident file itself."""

    file: str | None = None
    line: Annotated[int, pydantic.Field(ge=1)] | None = None
    tool: str | None = None
    detail: str | None = None


class LongValue(_Part):
    """A value with what is known about it."""

    value: Scalar | list[Scalar] = None
    unit: str | None = None
    basis: Literal["tool", "reported", "said"] | None = None
    scope: dict[str, str | int] | None = None
    source: str | SourcePart | None = None
    when: str | None = None
    samples: Annotated[int, pydantic.Field(ge=1)] | None = None
    given: str | None = None
    complaint: str | None = None


class LongObservation(LongValue):
    """A value in a list names its measurement."""

    measurement: str


AnyValue: TypeAlias = Scalar | LongValue | list[Scalar | LongValue]


def _form(item: object) -> str:
    """Tell a long observation from a mapping of short ones; an empty item is neither."""
    if item is None:
        return "empty"
    return (
        "long" if isinstance(item, LongObservation) or (isinstance(item, dict) and "measurement" in item) else "short"
    )


ListedValue: TypeAlias = Annotated[
    Annotated[LongObservation, pydantic.Tag("long")]
    | Annotated[
        dict[str, AnyValue],
        pydantic.Tag("short"),
        pydantic.Field(json_schema_extra={"not": {"required": ["measurement"]}}),
    ]
    | Annotated[None, pydantic.Tag("empty")],
    pydantic.Discriminator(_form),
]


class TargetPart(_Part):
    """What is missed."""

    metric: str | None = None
    wanted: Scalar | list[Scalar] = None
    actual: Scalar | list[Scalar] = None
    track: Literal["time", "cost", "fit", "quality"] | None = None
    basis: Literal["tool", "reported", "said"] | None = None


class PlannedPart(_Part):
    """An intended action."""

    lever: str
    source: str | SourcePart | None = None


class TriedPart(PlannedPart):
    """A tried action; the effect is a factor, or a word."""

    effect: Scalar | list[Scalar] = None


class InterventionPart(PlannedPart):
    """A change made, with the target or some measurements before and after it."""

    before: Scalar | list[Scalar] | dict[str, AnyValue] = None
    after: Scalar | list[Scalar] | dict[str, AnyValue] = None
    kept: bool | None = None
    when: str | None = None


class IncidentFile(_Part):
    """An incident document."""

    schema_: Annotated[Literal["dam-incident/1"], pydantic.Field(alias="schema")]
    id: str | None = None
    title: str | None = None
    source: str | None = None
    target: TargetPart | None = None
    workload: dict[str, AnyValue] | None = None
    environment: dict[str, AnyValue] | None = None
    observations: dict[str, AnyValue] | list[ListedValue] | None = None
    planned_actions: list[str | PlannedPart | None] | None = None
    tried: list[str | TriedPart | None] | None = None
    interventions: list[InterventionPart | None] | None = None
    answers: dict[str, Literal["unknown", "cannot_measure", "not_applicable"]] | None = None


def incident_schema() -> dict[str, Any]:
    """Return the JSON Schema of an incident file.

    >>> incident_schema()["required"]
    ['schema']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **IncidentFile.model_json_schema(by_alias=True),
        "title": "dam-incident/1",
    }
