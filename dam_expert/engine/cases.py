"""Runs the cases of a base: worked incidents with the diagnosis that they must give at each stage."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from dam_expert.documents.incident import Incident, incident_from
from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Origin
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import evaluate
from dam_expert.engine.facts import as_from_a_tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.engine.coverage import Coverage
    from dam_expert.engine.executor import Executor
    from dam_expert.kb.base import Base
    from dam_expert.kb.models import CaseModel, ExpectModel


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One stage of a case with what differs from what it must give; none if all is as expected."""

    case: str
    stage: int
    title: str
    differences: tuple[str, ...]
    diagnosis: Diagnosis


def run_cases(base: Base, coverage: Coverage | None = None, executor: Executor | None = None) -> list[CaseResult]:
    """Run every stage of every case; ``coverage`` also sees them."""
    running = executor or CountingExecutor(base.program)
    results = []
    for case in base.cases.values():
        for number, (incident, messages) in enumerate(stages_of(base, case), 1):
            stage = case.stages[number - 1]
            evaluated = evaluate(base, incident, running)
            if coverage is not None:
                coverage.see(evaluated)
            diagnosis = written(evaluated)
            differences = tuple(message.text for message in messages) + tuple(differences_of(diagnosis, stage.expect))
            results.append(
                CaseResult(case=case.id, stage=number, title=stage.title, differences=differences, diagnosis=diagnosis)
            )
    return results


def case_messages(base: Base, results: list[CaseResult]) -> list[Message]:
    """Return a message for every difference."""
    messages = []
    for result in results:
        file, _, line = base.places[result.case].rpartition(":")
        for difference in result.differences:
            text = f"{result.case} stage {result.stage} ({result.title}): {difference}"
            messages.append(Message(file=file, line=int(line), level=Level.ERROR, text=text, code="case-differs"))
    return messages


def stages_of(base: Base, case: CaseModel) -> Iterator[tuple[Incident, list[Message]]]:
    """Yield the incident as it is known at each stage: every stage adds observations to those before it."""
    observations: dict[str, Any] = dict(case.incident.get("observations", {}))
    for stage in case.stages:
        observations |= stage.add
        data = {"schema": "dam-incident/1", "title": case.title, **case.incident, "observations": observations}
        incident, messages = incident_from(data, base.names, lambda _: Origin(file=base.places[case.id]))
        yield as_from_a_tool(incident), messages


def differences_of(diagnosis: Diagnosis, expect: ExpectModel) -> Iterator[str]:
    """Yield what a diagnosis says otherwise than it must."""
    binding = diagnosis.binding
    pairs = [
        ("status", expect.status, diagnosis.status),
        ("binding", expect.binding, binding.hypothesis if binding else None),
        ("bottleneck", expect.bottleneck, binding.bottleneck if binding else None),
        ("depth", expect.depth, binding.depth if binding else None),
    ]
    for name, wanted, found in pairs:
        if wanted is not None and wanted != found:
            yield f"{name} is {found}, expected {wanted}"
    statuses = {hypothesis.id: hypothesis.status for hypothesis in diagnosis.hypotheses}
    for hypothesis, status in expect.hypotheses.items():
        if statuses.get(hypothesis) != status:
            yield f"{hypothesis} is {statuses.get(hypothesis)}, expected {status}"
    axes = {axis.axis: axis.status for axis in diagnosis.axes}
    for axis, status in expect.axes.items():
        if axes.get(axis) != status:
            yield f"the {axis} axis is {axes.get(axis)}, expected {status}"
    yield from _ranked(diagnosis, expect)
    yield from _contained("works", expect.works, [x.id for x in diagnosis.levers if x.effect == "works"])
    yield from _contained("wasted", expect.wasted, [x.id for x in diagnosis.levers if x.effect == "wasted"])
    yield from _contained("anti-patterns", expect.anti_patterns, [x.id for x in diagnosis.anti_patterns])


def _ranked(diagnosis: Diagnosis, expect: ExpectModel) -> Iterator[str]:
    first = diagnosis.hypotheses[0].id if diagnosis.hypotheses else None
    if expect.first and first not in expect.first:
        yield f"the first hypothesis is {first}, expected {' or '.join(expect.first)}"
    following = diagnosis.next_measurements[0].measurement if diagnosis.next_measurements else None
    if expect.next and following not in expect.next:
        yield f"the next measurement is {following}, expected {' or '.join(expect.next)}"


def _contained(what: str, wanted: list[str], found: list[str]) -> Iterator[str]:
    missing = [name for name in wanted if name not in found]
    if missing:
        yield f"{what} lacks {', '.join(missing)} (has {', '.join(found) or 'none'})"
