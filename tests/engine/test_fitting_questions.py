"""What is asked next fits the accelerator in use, what is known of the job, and what was tried already."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from dam_expert import load_knowledge
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose
from dam_expert.engine.facts import as_from_a_tool, incident_of_facts
from dam_expert.kb.base import Base


@functools.cache
def shipped() -> Base:
    base, _ = load_knowledge()
    assert base is not None
    return base


def diagnosed(**facts: Any) -> Any:
    base = shipped()
    incident, messages = incident_of_facts(facts, base.names, "test")
    assert not messages
    return diagnose(base, as_from_a_tool(incident), executor=BitExecutor(base.program))


def asked(**facts: Any) -> list[str]:
    return [each.measurement for each in diagnosed(**facts).next_measurements]


@pytest.mark.parametrize(
    ("facts", "first"),
    [
        pytest.param({"host_cores": 8}, "workload_kind", id="nothing but the host"),
        pytest.param({"workload_kind": "training"}, "input_gap_share", id="training"),
        pytest.param({"input_wait_share": "2 %", "step_time": "1 s"}, "input_gap_share", id="a training log"),
        pytest.param({"time_to_first_token": "500 ms"}, "queue_time", id="a serving benchmark"),
    ],
)
def test_the_broad_capture_comes_before_a_narrow_counter(facts, first):
    """Where nothing tells where the time goes, what divides all of it is asked first."""
    assert asked(**facts)[0] == first


@pytest.mark.parametrize(
    ("accelerator", "offered"),
    [
        pytest.param("NVIDIA H100 80GB HBM3", True, id="a name of the catalogue"),
        pytest.param("8x MI300X", False, id="a word in the name"),
        pytest.param("Tensor engine of our own", True, id="an unknown maker"),
    ],
)
def test_counters_of_another_maker_are_not_offered(accelerator, offered):
    """What only the tools of one maker give is not asked for on the devices of another."""
    assert ("dram_active" in asked(accelerator=accelerator, kernel_share="90 %")) is offered


@pytest.mark.parametrize(
    ("effect", "status"),
    [pytest.param(1.0, "refuted", id="in vain"), pytest.param(1.5, "confirmed", id="helped")],
)
def test_a_lever_that_was_tried_answers_its_probe(effect, status):
    """The effect of a lever is that of the probe that tries it: the probe is not asked for, and decides alike."""
    diagnosis = diagnosed(copy_exposed_share="30 %", tried=[{"lever": "pin_batches", "effect": effect}])
    found = {each.id: each.status for each in diagnosis.hypotheses}
    assert "pinned_memory_speedup" not in [each.measurement for each in diagnosis.next_measurements]
    assert found["pageable_copies"] == status


def test_that_a_lever_did_not_help_only_lowers():
    """A word gives no number under the same load: what the lever works on falls, and is not ruled out."""
    found = [
        {each.id: each for each in diagnosed(copy_exposed_share="30 %", **more).hypotheses}["pageable_copies"]
        for more in ({}, {"tried": [{"lever": "pin_batches", "effect": "nothing"}]})
    ]
    assert found[1].status != "refuted"
    assert found[1].score < found[0].score


@pytest.mark.parametrize(
    ("effect", "decides"),
    [pytest.param(1.5, True, id="as measured"), pytest.param("nothing", False, id="the opposite")],
)
def test_a_probe_and_the_lever_it_tries_have_to_agree(effect, decides):
    """Of a probe that was measured and a lever that did otherwise neither decides: one of them is wrong."""
    tried = [{"lever": "pin_batches", "effect": effect}]
    diagnosis = diagnosed(copy_exposed_share="30 %", pinned_memory_speedup=1.5, tried=tried)
    found = {each.id: each.status for each in diagnosis.hypotheses}["pageable_copies"]
    assert (found == "confirmed") is decides
    assert found != "refuted"


@pytest.mark.parametrize(
    ("framework", "written_for"),
    [pytest.param("PyTorch", True, id="its own"), pytest.param("JAX", False, id="another one")],
)
def test_a_lever_is_told_in_the_words_of_the_framework(framework, written_for):
    """With another framework than the lever is written for it is told in general words."""
    diagnosis = diagnosed(copy_exposed_share="30 %", pinned_memory_speedup=1.5, framework=framework)
    how = {lever.id: lever.how for lever in diagnosis.levers}["pin_batches"]
    assert ("pin_memory=True" in how) is written_for


def test_an_idle_device_rules_nothing_out():
    """What only load can show is unknown of a device on which nothing ran, and measuring during the job is asked."""
    facts = {"accelerator_utilization": "0 %", "hw_slowdown_share": "0 %", "thermal_slowdown_share": "0 %"}
    diagnosis = diagnosed(**facts)
    assert "device_throttled" not in [each.id for each in diagnosis.hypotheses if each.status == "refuted"]
    assert diagnosis.next_measurements[0].why.startswith("Nothing ran on the device")
