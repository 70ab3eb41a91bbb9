"""Checks of the ``tools`` of a runbook: does the measurement exist, does the unit fit, can the match be read."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.dimensions import UnitError, dimension_of
from dam_expert.documents.messages import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.kb.models import MeasurementModel
    from dam_expert.kb.overlay_models import ToolMappingModel

#: A metric with the labels that pick its series; the same shape is read in :mod:`dam_expert.readers.declared`.
METRIC = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="[^"{}]*"(?:,\s*)?)*)\})?')


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class MappingProblem:
    """What is wrong with one declared reading, and in which field."""

    field: str
    text: str
    code: str
    hint: str | None = None


def mapping_problems(model: ToolMappingModel, measurements: Mapping[str, MeasurementModel]) -> Iterator[MappingProblem]:
    """Yield every problem of a declared reading."""
    measurement = measurements.get(model.measurement)
    if measurement is None:
        text = f"there is no measurement '{model.measurement}'"
        hint = suggestion(model.measurement, measurements) or "add it under add: measurements"
        yield MappingProblem(field="measurement", text=text, code="unknown-id", hint=hint)
    try:
        given = dimension_of(model.unit)
        wanted = given if measurement is None else dimension_of(measurement.unit)
    except UnitError as error:
        yield MappingProblem(field="unit", text=error.text, code="unknown-unit", hint=error.hint)
    else:
        if wanted != given and measurement is not None:
            text = f"'{model.measurement}' is in {measurement.unit}, the tool gives {model.unit}"
            yield MappingProblem(field="unit", text=text, code="unit-mismatch")
    if model.per is not None and measurement is not None and measurement.per is None:
        text = f"'{model.measurement}' has one value, not one per member"
        hint = "leave 'per' out, or give the measurement a 'per'"
        yield MappingProblem(field="per", text=text, code="wrong-kind", hint=hint)
    if model.format == "prometheus" and METRIC.fullmatch(model.match) is None:
        hint = 'write a metric, as in wait_seconds{route="chat"}'
        yield MappingProblem(field="match", text=f"cannot read '{model.match}'", code="not-a-metric", hint=hint)
