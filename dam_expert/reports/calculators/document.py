"""An answer as plain data for programs, under the schema name of its calculator."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Mapping
from typing import Any

import msgspec


def document(calculator: str, answer: object, **more: object) -> dict[str, Any]:
    """Return the document of an answer; keys are the names of its fields, numbers are in canonical units.

    What is unknown and what has no bound is null. Every document begins with its schema.

    >>> document("queue", {"load": float("inf"), "servers": 2})
    {'schema': 'dam-queue/1', 'load': None, 'servers': 2}
    """
    body = _plain(answer)
    return {"schema": f"dam-{calculator}/1", **body, **{name: _plain(value) for name, value in more.items()}}


def _plain(value: Any) -> Any:  # noqa: ANN401
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, enum.Enum):
        return str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
