"""Interventions age what was measured before them, tell what they did to the target, and can resolve the incident."""

from __future__ import annotations

from typing import Any

import pytest

from dam_expert import Diagnosis, load_knowledge
from dam_expert.documents.incident import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose
from dam_expert.kb.base import Base

OBSERVED = {"step_time": "180 ms", "input_gap_share": "45 %"}


@pytest.fixture(name="base", scope="module")
def _base() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def diagnosed(base: Base, interventions: list[dict[str, Any]]) -> Diagnosis:
    data = {
        "schema": "dam-incident/1",
        "target": {"metric": "step_time", "wanted": "100 ms", "actual": "180 ms"},
        "observations": OBSERVED,
        "interventions": interventions,
    }
    incident, messages = incident_from(data, base.names, lambda _: Origin(file="i.dam.yaml"))
    assert not messages
    return diagnose(base, incident, executor=BitExecutor(base.program))


def test_without_an_intervention_the_gap_confirms(base: Base) -> None:
    """The observations alone confirm that input binds."""
    assert diagnosed(base, []).status == "confirmed"


def test_a_kept_intervention_makes_older_values_stale(base: Base) -> None:
    """What was measured before it is shown, decides nothing, and is asked for again."""
    found = diagnosed(base, [{"lever": "more_loader_workers", "after": {"step_time": "150 ms"}, "kept": True}])
    assert found.binding is None
    stale = {one.measurement for one in found.observations if one.reason}
    assert stale == {"input_gap_share"}
    assert "input_gap_share" in [one.measurement for one in found.next_measurements[:3]]


def test_a_value_measured_afterwards_replaces_the_older_one(base: Base) -> None:
    """A gap that is still there after the intervention confirms as before."""
    after = {"step_time": "150 ms", "input_gap_share": "40 %"}
    found = diagnosed(base, [{"lever": "more_loader_workers", "after": after, "kept": True}])
    assert found.status == "confirmed"
    assert found.binding is not None
    assert found.binding.share == 0.4


def test_reaching_the_target_resolves(base: Base) -> None:
    """Once the last re-measurement meets the target, nothing more is asked."""
    found = diagnosed(base, [{"lever": "more_loader_workers", "after": {"step_time": "95 ms"}, "kept": True}])
    assert found.status == "resolved"
    assert found.next_measurements == []
    assert not found.exhausted


def test_an_intervention_without_effect_weakens_its_cause(base: Base) -> None:
    """The target did not move: the cause that the lever works on loses, its parent does not."""
    found = diagnosed(base, [{"lever": "more_loader_workers", "after": {"step_time": "180 ms"}, "kept": False}])
    against = {h.id: [piece.rule for piece in h.against] for h in found.hypotheses}
    assert "tried.more_loader_workers" in against["loader_parallelism"]
    assert "tried.more_loader_workers" not in against["input_wait"]
    assert found.status == "confirmed"
