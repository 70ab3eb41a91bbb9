"""A case from an incident that was resolved: what was known before the deciding measurement, and what it decided."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from dam_expert.documents.incident import canonical
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.diagnose import diagnose
from dam_expert.language.expressions import formula_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis, ProofNode
    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base

_KEPT = ("target", "workload", "environment", "planned_actions", "tried")


class UndecidedError(ValueError):
    """The incident is not confirmed, so that no measurement of it has decided anything."""


def case_of(base: Base, incident: Incident, name: str) -> dict[str, Any]:
    """Return the case of a confirmed incident as plain data. Raises UndecidedError where nothing is confirmed."""
    executor = CountingExecutor(base.program)
    after = diagnose(base, incident, executor=executor)
    if after.binding is None:
        raise UndecidedError("nothing is confirmed yet: measure what the diagnosis asks for first")
    deciding = set(_deciding(base, after))
    earlier = tuple(seen for seen in incident.observations if seen.measurement not in deciding)
    before = diagnose(base, dataclasses.replace(incident, observations=earlier), executor=executor)
    data = canonical(incident, base.names)
    values = {_column(each): each["value"] for each in data.get("observations", []) if "value" in each}
    later = {name: value for name, value in values.items() if name.partition("[")[0] in deciding}
    first = {name: value for name, value in values.items() if name not in later}
    return {
        "id": name,
        "title": incident.title or name,
        "story": incident.title or name,
        "lesson": f"Decided by {', '.join(sorted(deciding))}.",
        "incident": {"id": incident.id, **{key: data[key] for key in _KEPT if key in data}, "observations": first},
        "stages": [
            {"title": "Before the deciding measurement", "expect": _expected(before)},
            {"title": "After it", "add": later, "expect": _expected(after)},
        ],
        "source": [incident.source or f"the incident {incident.id}"],
    }


def _column(observation: dict[str, Any]) -> str:
    scope = ",".join(f"{key}={value}" for key, value in observation.get("scope", {}).items())
    return f"{observation['measurement']}[{scope}]" if scope else str(observation["measurement"])


def _deciding(base: Base, diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the measurements whose decisive comparisons confirmed what binds; of derived ones, their inputs."""
    assert diagnosis.binding is not None
    wanted = f"confirm {diagnosis.binding.hypothesis}"
    for step in diagnosis.proof:
        if wanted in step.conclusions:
            for column in _decisive(step.conditions):
                yield from _observed(base, column)


def _decisive(node: ProofNode) -> Iterator[str]:
    if node.decisive and node.truth == "true":
        yield node.text.split(" ")[0].partition("[")[0]
    for child in node.children:
        yield from _decisive(child)


def _observed(base: Base, column: str) -> Iterator[str]:
    name = column if column in base.measurements else column.rpartition(".")[0]
    measurement = base.measurements.get(name)
    if measurement is None:
        return
    yield name
    if measurement.formula is not None:
        for inner in formula_columns(measurement.formula):
            yield from _observed(base, inner.measurement)


def _expected(diagnosis: Diagnosis) -> dict[str, Any]:
    found: dict[str, Any] = {"status": diagnosis.status}
    if diagnosis.binding is not None:
        found |= {"binding": diagnosis.binding.hypothesis, "bottleneck": diagnosis.binding.bottleneck}
    elif diagnosis.hypotheses:
        found["first"] = [diagnosis.hypotheses[0].id]
    if diagnosis.binding is None and diagnosis.next_measurements:
        found["next"] = [diagnosis.next_measurements[0].measurement]
    return found
