"""Incidents from the facts of rule tests and cases: the same values as an incident document, with basis tool.

The facts of a rule test are a mapping of columns to values (``input_gap_share: 40 %``,
``queue_time[stage=decode]: 2 ms``; of ``step_time.spread`` the members are given), beside ``planned: [lever]`` and
``tried: {lever: effect}``.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from dam_expert.documents.incident import Incident, incident_from
from dam_expert.documents.observations import Basis, Origin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.documents.messages import Message
    from dam_expert.kb.base import BaseNames

_NOT_OBSERVATIONS = ("planned", "tried")


def incident_of_facts(facts: Mapping[str, Any], names: BaseNames, place: str) -> tuple[Incident, list[Message]]:
    """Return the incident that the facts of a rule test describe, and what is wrong with them."""
    data: dict[str, Any] = {
        "schema": "dam-incident/1",
        "observations": {key: value for key, value in facts.items() if key not in _NOT_OBSERVATIONS},
    }
    if "planned" in facts:
        data["planned_actions"] = facts["planned"]
    if "tried" in facts:
        data["tried"] = facts["tried"]
    incident, messages = incident_from(data, names, lambda _: Origin(file=place))
    return as_from_a_tool(incident), messages


def as_from_a_tool(incident: Incident) -> Incident:
    """Return an incident whose reported observations count as read from a tool: rule tests state facts."""
    observations = tuple(
        dataclasses.replace(observation, basis=Basis.TOOL) if observation.basis is Basis.REPORTED else observation
        for observation in incident.observations
    )
    return dataclasses.replace(incident, observations=observations)
