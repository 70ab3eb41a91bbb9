"""Tables 4 and 5 of the appendix at work: confirmed with the evidence, not with the evidence reversed."""

from __future__ import annotations

import pytest
from knowledge.rows import MATRIX, WORK_AND_WASTE, Row, diagnosed

ROWS = [pytest.param(row, id=name) for table in (WORK_AND_WASTE, MATRIX) for name, row in table.items()]


@pytest.mark.parametrize("row", ROWS)
def test_with_the_evidence_it_is_confirmed(row: Row) -> None:
    """The evidence that the row names confirms its hypothesis, with the stated action and the stated waste."""
    diagnosis = diagnosed(row.symptom, row.evidence)
    assert diagnosis.binding is not None
    assert diagnosis.binding.hypothesis == row.binding
    works = {lever.id for lever in diagnosis.levers if lever.effect == "works"}
    wasted = {lever.id for lever in diagnosis.levers if lever.effect == "wasted"}
    assert set(row.works) <= works
    assert set(row.wasted) <= wasted


@pytest.mark.parametrize("row", ROWS)
def test_with_the_evidence_reversed_it_is_not(row: Row) -> None:
    """The same measurements the other way round do not confirm the hypothesis."""
    diagnosis = diagnosed(row.symptom, row.against)
    status = {hypothesis.id: hypothesis.status for hypothesis in diagnosis.hypotheses}
    assert status[row.binding] != "confirmed"
    assert diagnosis.binding is None or diagnosis.binding.hypothesis != row.binding


@pytest.mark.parametrize("row", ROWS)
def test_the_symptom_alone_confirms_nothing_of_it(row: Row) -> None:
    """Before the evidence is there the row's cause is no more than suspected, and something is asked for."""
    diagnosis = diagnosed(row.symptom)
    status = {hypothesis.id: hypothesis.status for hypothesis in diagnosis.hypotheses}
    assert status[row.binding] in ("candidate", "supported")
    assert diagnosis.next_measurements


def test_paid_devices_that_run_nothing_are_given_back() -> None:
    """Table 5, cost: where nothing is at fault but the reservation, the size of the resources is what to change."""
    incident = {"target": {"metric": "training_cost", "wanted": "1000 $", "actual": "2500 $"}}
    diagnosis = diagnosed(incident, {"reserved_idle_share": "60 %"})
    assert diagnosis.status == "no_fault"
    assert "release_reservations" in {lever.id for lever in diagnosis.levers if lever.effect == "works"}
    assert diagnosed(incident, {"reserved_idle_share": "2 %"}).status != "no_fault"
