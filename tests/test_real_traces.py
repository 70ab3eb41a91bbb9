"""Real profiler traces get the verdict that people established for them, and no other is claimed."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from shared_files import shared

from dam_expert import Diagnosis, Incident, diagnose, load_knowledge
from dam_expert.readers.gather import gather


@functools.cache
def diagnosed(name: str) -> Diagnosis:
    path = shared(f"samples/pytorch-profiler/{name}")
    base, _ = load_knowledge()
    assert base is not None
    gathered = gather([path])
    incident = Incident(id=name, file=str(path), observations=gathered.observations)
    return diagnose(base, incident, messages=gathered.messages)


def statuses(diagnosis: Diagnosis) -> dict[str, str]:
    return {hypothesis.id: hypothesis.status for hypothesis in diagnosis.hypotheses}


def roots_by_bottleneck(diagnosis: Diagnosis) -> dict[str, Any]:
    return {hypothesis.bottleneck: hypothesis for hypothesis in diagnosis.hypotheses if hypothesis.parent is None}


@pytest.mark.parametrize(
    ("name", "bottleneck"),
    [
        pytest.param("kineto_resnet50_w0_a.json.gz", "input", id="loader in the training process"),
        pytest.param("tl_h100_owlv2_dataloader.json.gz", "input", id="half of the step in the loader"),
        pytest.param("tl_h100_bert_small.json.gz", "host", id="tiny kernels"),
    ],
)
def test_what_binds_is_confirmed(name: str, bottleneck: str) -> None:
    """A trace that shows the constraint confirms it, with a decisive condition in the proof and a ceiling."""
    diagnosis = diagnosed(name)
    assert diagnosis.status == "confirmed"
    assert diagnosis.binding is not None
    assert diagnosis.binding.bottleneck == bottleneck
    assert diagnosis.binding.ceiling is not None
    assert diagnosis.next_measurements


def test_a_loader_with_workers_is_not_accused() -> None:
    """With four workers the loader hardly waits: input is refuted and nothing else is confirmed."""
    diagnosis = diagnosed("kineto_resnet50_w4_a.json.gz")
    assert roots_by_bottleneck(diagnosis)["input"].status == "refuted"
    assert diagnosis.binding is None


def test_half_of_a_step_in_the_loader_has_its_share() -> None:
    """The ceiling of fixing the loader follows from the measured gap of 51 %."""
    diagnosis = diagnosed("tl_h100_owlv2_dataloader.json.gz")
    assert diagnosis.binding is not None
    assert diagnosis.binding.share == pytest.approx(0.513, abs=0.005)
    assert diagnosis.binding.ceiling == pytest.approx(2.05, abs=0.05)


def test_without_steps_nothing_is_confirmed() -> None:
    """Gaps between device activities support a busy host, and a capture of marked steps is asked for."""
    diagnosis = diagnosed("tl_b200_eager_nosteps.json.gz")
    assert diagnosis.status == "supported"
    assert diagnosis.hypotheses[0].bottleneck == "host"
    assert diagnosis.binding is None


def test_a_busy_device_raises_no_alarm() -> None:
    """At 99 % busy neither host nor input is suspected, however much synchronisation the host shows."""
    diagnosis = diagnosed("hta_v100_resnet_ns.json.gz")
    assert diagnosis.binding is None
    found = roots_by_bottleneck(diagnosis)
    assert found["input"].status == "refuted"
    assert found["host"].status == "refuted"
    assert "confirmed" not in statuses(diagnosis).values()
    assert diagnosis.next_measurements


def test_a_trace_without_a_device_side_names_the_wait_and_confirms_nothing() -> None:
    """A CPU-only trace says that it has no device side, puts input first with its 95 % wait, and asks."""
    diagnosis = diagnosed("gen_slowload_w2.json")
    assert diagnosis.status == "supported"
    assert diagnosis.hypotheses[0].bottleneck == "input"
    values = {observation.measurement: observation.value for observation in diagnosis.observations}
    assert values["device_side"] == "false"
    assert values["input_wait_share"] == pytest.approx(0.955, abs=0.005)
    assert "device_busy_share" not in values
    assert diagnosis.next_measurements


def test_a_partial_capture_accuses_nobody() -> None:
    """A capture that misses the work before it says nothing of idle time: the host is not suspected."""
    diagnosis = diagnosed("tl_mi300_vllm_decode_graph.json.gz")
    assert diagnosis.binding is None
    assert roots_by_bottleneck(diagnosis)["host"].status == "candidate"
    assert diagnosis.status == "undetermined"


def test_no_clear_winner_asks() -> None:
    """With 19 % exposed communication and 16 % host gaps nothing is confirmed, and one of eight ranks clears nobody."""
    diagnosis = diagnosed("hta_a100_8rank_control.json.gz")
    assert diagnosis.binding is None
    assert roots_by_bottleneck(diagnosis)["input"].status == "candidate"
    assert diagnosis.next_measurements


def test_a_handful_of_kernels_is_no_job() -> None:
    """Captures of a few kernels give no verdict at all."""
    for name in ("hta_old_caps_inference.json.gz", "hta_alexnet_cuda_sync.json.gz", "hta_triton_example.json.gz"):
        diagnosis = diagnosed(name)
        assert diagnosis.binding is None
        assert diagnosis.status == "undetermined"
