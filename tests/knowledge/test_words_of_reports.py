"""What a report only says (settings, things it names, comparisons) points at causes and never proves one."""

from __future__ import annotations

import pytest

from dam_expert.documents.kinds import Kind
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.evaluate import evaluate
from dam_expert.engine.facts import incident_of_facts
from dam_expert.kb.base import Base
from dam_expert.kb.load import load_knowledge

FOLDER = "measurements/reported_"


@pytest.fixture(scope="module")
def base() -> Base:
    found, _ = load_knowledge()
    assert found is not None
    return found


def flags(base: Base) -> list[str]:
    """Return the flags that stand for words of a report."""
    return sorted(
        name
        for name, measurement in base.measurements.items()
        if measurement.model.kind is Kind.FLAG and FOLDER in measurement.place and measurement.model.decides is None
    )


def decided(base: Base, facts: dict[str, object]) -> dict[str, str]:
    """Return the hypotheses that some facts confirm or refute, and what they make of them."""
    incident, _ = incident_of_facts(facts, base.names, next(iter(base.rules.values())).place)
    status = evaluate(base, incident, BitExecutor(base.program)).standings.status
    return {name: found for name, found in status.items() if found in ("confirmed", "refuted")}


def test_no_flag_of_a_report_decides_anything(base: Base) -> None:
    """Each flag by itself, in training and in serving, leaves every hypothesis unconfirmed and unrefuted."""
    named = flags(base)
    assert len(named) > 50
    for kind in ("training", "serving"):
        found = {name: decided(base, {name: True, "workload_kind": kind}) for name in named}
        assert {name: each for name, each in found.items() if each} == {}


def test_all_flags_of_a_report_at_once_decide_nothing(base: Base) -> None:
    """However much a report names, words add up to likely and not to proven."""
    assert decided(base, dict.fromkeys(flags(base), True)) == {}
