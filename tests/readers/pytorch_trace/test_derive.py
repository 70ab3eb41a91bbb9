"""What is said of a trace, on traces small enough to check by hand."""

from __future__ import annotations

import json

import pytest
from readers.traces import Trace, codes, read, training, values

from dam_expert.readers.pytorch_trace import PyTorchTraceReader
from dam_expert.readers.source import Source

PARTS = (
    "kernel_share",
    "communication_exposed_share",
    "copy_exposed_share",
    "device_other_share",
    "input_gap_share",
    "host_gap_share",
)


@pytest.mark.parametrize("age", ["2021", "2022", "2023", "rocm"])
def test_each_generation_gives_the_same_shares(age):
    """The same step, written by any generation of the profiler, is understood alike."""
    found = values(read(training(age)))
    assert found["step_time"] == 0.001
    assert found["steps_captured"] == 3
    assert found["input_wait_share"] == 0.4
    assert found["input_gap_share"] == 0.4
    assert found["device_busy_share"] == 0.4
    assert found["host_gap_share"] == 0.2
    assert found["kernels_per_step"] == 8
    assert found["kernel_duration_median"] == 0.00005
    assert found["loader_mode"] == "single_process"
    assert found["capture_state"] == "complete"


@pytest.mark.parametrize("form", ["object", "array", "gzip", "utf-16", "bom"])
def test_every_container_is_read(form):
    """Object, bare array, gzip and encodings of shells hold the same trace, and are recognised by content."""
    trace = training()
    data = {
        "object": trace.text,
        "array": json.dumps(trace.events).encode(),
        "gzip": trace.zipped,
        "utf-16": trace.text.decode().encode("utf-16"),
        "bom": b"\xef\xbb\xbf" + trace.text,
    }[form]
    assert PyTorchTraceReader().recognises(Source.of_bytes("anything.txt", data))
    assert values(read(data))["device_busy_share"] == 0.4


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b'{"traceEvents": [{"ph": "X", "cat": "py-spy", "name": "f", "ts": 1}]}', id="another tool"),
        pytest.param(b'{"sysstat": {"hosts": []}}', id="other JSON"),
        pytest.param(b"cat: kernel", id="text"),
    ],
)
def test_other_content_is_not_claimed(text):
    """JSON of other tools is left to other readers."""
    assert not PyTorchTraceReader().recognises(Source.of_bytes("trace.json", text))


def test_the_parts_of_a_step_add_up_to_one():
    """Compute, exposed collectives and copies, the rest and both gaps are the whole step, overlaps counted once."""
    trace = Trace().step(1, 0, 1000).loader(0, 150)
    trace.kernels(200, 20, 10, 20).kernel(380, 120, name="ncclDevKernel_AllReduce_Sum_f32")
    trace.copy(480, 60, called=(470, 2), size=6000).copy(600, 40, name="DtoH", called=(590, 60))
    trace.add("gpu_memset", "Memset (Device)", 700, 10, device=0, correlation=101, pid=0)
    trace.kernels(720, 10, 8, 20)
    found = values(read(trace))
    assert found["kernel_share"] == 0.28
    assert found["communication_share"] == 0.12
    assert found["communication_exposed_share"] == 0.1
    assert found["h2d_exposed_share"] == 0.04
    assert found["d2h_exposed_share"] == 0.04
    assert found["device_other_share"] == 0.01
    assert found["input_gap_share"] == 0.15
    assert sum(found[part] for part in PARTS) == pytest.approx(1.0, abs=1e-9)
    assert found["h2d_bandwidth"] == pytest.approx(1e8)
    assert found["h2d_bytes_per_step"] == 6000


def test_a_copy_under_compute_is_not_exposed():
    """What runs under a kernel costs the step nothing."""
    found = values(read(Trace().step(1, 0, 1000).kernels(10, 50, 18, 50).copy(100, 300, called=(90, 2), size=1)))
    assert found["copy_exposed_share"] == 0.0


def test_loader_waits_of_several_workers_are_averaged():
    """Waits that alternate with the workers are no warm-up, and no single step stands for them."""
    trace = Trace()
    for number, (start, wait) in enumerate([(0, 1), (10, 300), (320, 2), (332, 310)]):
        trace.step(number, start * 1000, (wait + 8) * 1000).loader(start * 1000, wait * 1000, "MultiProcessing")
        trace.op("aten::linear", (start + wait) * 1000, 8000)
    found = values(read(trace))
    assert found["steps_captured"] == 4
    assert found["step_time"] == pytest.approx(0.16125)
    assert found["input_wait_share"] == pytest.approx(613 / 645)
    assert found["loader_mode"] == "multi_process"
    assert found["device_side"] == "false"


def test_nothing_is_said_of_a_device_that_is_not_in_the_trace():
    """Without a device side no share of the device exists, not even as 0."""
    found = values(read(Trace().step(1, 0, 1000).loader(0, 900).op("aten::mm", 900, 100)))
    assert found["input_wait_share"] == 0.9
    assert not {"device_busy_share", "kernel_share", "host_gap_share", "input_gap_share"} & set(found)


def test_launches_without_any_device_activity_are_half_a_capture():
    """The CPU half of a trace leaves the device unknown, while the host side is exact."""
    reading = read(Trace().step(1, 0, 1000).loader(0, 300).call("LaunchKernel", 400, 5, correlation=3))
    found = values(reading)
    assert (found["capture_state"], found["input_wait_share"]) == ("partial", 0.3)
    assert "device_busy_share" not in found


def test_without_step_marks_only_gaps_between_device_activities_are_told():
    """A serving trace gives shares of the span under their own names."""
    reading = read(Trace().op("aten::mm", 0, 10).kernels(1000, 20, 150, 100))
    found = values(reading)
    assert found["step_marks"] == "false"
    assert found["span_busy_share"] == pytest.approx(3000 / 14920)
    assert found["span_host_gap_share"] == pytest.approx(11920 / 14920)
    assert not {"device_busy_share", "step_time", "kernels_per_step"} & set(found)
    assert codes(reading) == {"no-steps"}


def test_each_device_of_a_process_is_told_apart():
    """Two devices in one trace have shares of their own."""
    trace = Trace().step(1, 0, 1000)
    for number in range(10):
        trace.kernel(10 + number * 50, 50, device=0).kernel(10 + number * 50, 20, device=1)
    busy = {each.scope: each.value.lo for each in read(trace).observations if each.measurement == "device_busy_share"}
    assert busy == {
        (("device", "0"),): pytest.approx(0.5),
        (("device", "1"),): pytest.approx(0.2),
    }


def test_rank_world_and_device_come_from_the_header():
    """Named header fields leave, as scope and settings; nothing else of the metadata does."""
    trace = training()
    trace.header["distributedInfo"] = {"backend": "nccl", "rank": 3, "world_size": 8, "SECRET": "abc"}
    trace.header["deviceProperties"] = [{"id": 0, "name": "NVIDIA H100"}, {"id": 1, "name": "other"}]
    trace.header["environment"] = {"TOKEN": "abc"}
    reading = read(trace)
    found = values(reading)
    assert (found["accelerator"], found["world_size"]) == ("NVIDIA H100", 8)
    assert {each.scope for each in reading.observations} == {(("rank", "3"),)}
    assert "abc" not in repr(reading)


def test_an_empty_device_name_is_unknown():
    """Some ROCm drivers give no name: then there is none."""
    trace = training("rocm")
    trace.header["deviceProperties"] = [{"id": 0, "name": ""}]
    assert "accelerator" not in values(read(trace))


class TestSynchronisation:
    def test_a_wait_for_a_busy_device_is_innocent(self):
        """A call that blocks while the device works opens no gap, however long it is."""
        trace = Trace().step(1, 0, 1000).kernels(10, 49, 20, 49)
        found = values(read(trace.call("StreamSynchronize", 20, 975, correlation=99)))
        assert found["sync_time_share"] == pytest.approx(0.975)
        assert found["sync_gap_share"] == pytest.approx(0.01)

    def test_a_gap_that_begins_in_a_wait_is_counted_to_its_end(self):
        """The gap after a synchronisation lasts until the device has work again."""
        trace = Trace().step(1, 0, 1000).kernels(0, 20, 10, 20).kernels(500, 50, 10, 50)
        found = values(read(trace.call("DeviceSynchronize", 100, 110, correlation=99)))
        assert found["sync_gap_share"] == 0.3
        assert found["host_gap_share"] == 0.3

    def test_a_gap_after_an_ordinary_launch_is_no_synchronisation(self):
        """Host time without a blocking call is a host gap only."""
        found = values(read(Trace().step(1, 0, 1000).kernels(0, 20, 10, 20).kernels(500, 50, 10, 50)))
        assert (found["sync_gap_share"], found["host_gap_share"]) == (0.0, 0.3)
