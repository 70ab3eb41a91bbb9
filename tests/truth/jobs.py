"""Incidents of a few facts or observations, diagnosed with the shipped base and the quick executor."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any

from dam_expert import Diagnosis, load_knowledge
from dam_expert.documents.incident_reading import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.block.evaluating import Evaluator
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.facts import incident_of_facts
from dam_expert.kb.base import Base

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Observation
    from dam_expert.engine.block.evaluating import BlockVerdict


@functools.cache
def shipped() -> Base:
    """Return the shipped base."""
    base, _ = load_knowledge()
    assert base is not None
    return base


def job(facts: Mapping[str, Any], observations: Iterable[Observation] = ()) -> Incident:
    """Return an incident of facts, as the tests of rules state them, and of observations as readers give them."""
    incident, _ = incident_of_facts(facts, shipped().names, "job.dam.yaml")
    return dataclasses.replace(incident, observations=(*incident.observations, *observations))


def stated(**data: Any) -> Incident:
    """Return the incident of a document of which nothing is said when it is read."""
    document = {"schema": "dam-incident/1", "id": "a", **data}
    incident, messages = incident_from(document, shipped().names, lambda _: Origin(file="a"))
    assert messages == []
    return incident


@functools.cache
def _evaluator() -> Evaluator:
    return Evaluator(shipped())


def in_block(incidents: Iterable[Incident]) -> BlockVerdict:
    """Return what a block says of incidents that are evaluated together."""
    return _evaluator().evaluate(block_of(shipped(), [*incidents]))


def evaluated(incident: Incident) -> Evaluated:
    """Return everything that is concluded of an incident."""
    return evaluate(shipped(), incident, CountingExecutor(shipped().program))


def diagnosed(facts: Mapping[str, Any], observations: Iterable[Observation] = ()) -> Diagnosis:
    """Return the diagnosis of facts and observations."""
    return written(evaluated(job(facts, observations)))
