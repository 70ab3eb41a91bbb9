"""Captures that only look like a constraint: one hiccup, one fetch, one rank of many, dropped work, the recording."""

from __future__ import annotations

import pytest
from readers.traces import Trace, read, values
from truth.jobs import diagnosed

from dam_expert import Diagnosis
from dam_expert.readers.input_pipeline import InputPipelineReader
from dam_expert.readers.source import Source


def of(trace: Trace) -> Diagnosis:
    return diagnosed({}, read(trace).observations)


def status(diagnosis: Diagnosis, hypothesis: str) -> str:
    return next(told.status for told in diagnosis.hypotheses if told.id == hypothesis)


def worked(steps: int, waits: list[float], *, kernels: int = 20, busy: float = 1000.0, age: str = "2023") -> Trace:
    """Return steps that wait for the loader and then compute without gaps."""
    trace, at = Trace(age), 0.0
    for number in range(steps):
        wait = waits[number % len(waits)]
        trace.step(number, at, wait + busy + 20).loader(at, wait)
        trace.kernels(at + wait + 10, busy / kernels, kernels, busy / kernels)
        at += wait + busy + 20
    return trace


def launched(steps: int, kernels: int, *, apart: float = 100.0, each: float = 5.0) -> Trace:
    """Return steps of matrix products launched one by one, the device idle between them."""
    trace, length = Trace(), kernels * apart + 50
    for number in range(steps):
        at = number * length
        trace.step(number, at, length)
        for place in range(kernels):
            start = at + 20 + place * apart
            trace.op("aten::mm", start, 20).kernel(start + 12, each, launched=start + 8)
    return trace


def test_a_wait_that_comes_back_confirms_input() -> None:
    """Every step waits as long as it computes."""
    diagnosis = of(worked(10, [1000.0]))
    assert diagnosis.binding is not None
    assert diagnosis.binding.bottleneck == "input"


@pytest.mark.parametrize("place", [0, 4, 9])
def test_one_hiccup_among_ten_steps_confirms_nothing(place: int) -> None:
    """A stall of ten steps' length in one of them makes half of the time, and may never come again."""
    waits = [5.0] * 10
    waits[place] = 10_000.0
    diagnosis = of(worked(10, waits))
    assert diagnosis.binding is None


def test_one_fetch_in_one_step_confirms_nothing() -> None:
    """It may be the first of the job."""
    diagnosis = of(worked(1, [2000.0]))
    assert diagnosis.binding is None
    assert status(diagnosis, "input_wait") in ("supported", "candidate")


def test_several_fetches_in_one_step_confirm_input() -> None:
    """Gradient accumulation fetches six times: what all of them show is no hiccup."""
    trace = Trace().step(1, 0, 12_200)
    for number in range(6):
        trace.loader(number * 2000, 1000).kernels(number * 2000 + 1010, 50, 19, 50)
    assert of(trace).binding is not None


def test_workers_that_take_turns_confirm_input() -> None:
    """Of two workers every second step waits for both."""
    diagnosis = of(worked(8, [5.0, 2000.0]))
    assert diagnosis.binding is not None
    assert diagnosis.binding.bottleneck == "input"


def test_a_step_without_waiting_clears_nobody_alone() -> None:
    """One step without gaps says nothing of the others; two do."""
    assert status(of(worked(1, [0.0])), "input_wait") != "refuted"
    assert status(of(worked(4, [0.0])), "input_wait") == "refuted"


@pytest.mark.parametrize(("world", "expected"), [(1, True), (8, False)])
def test_one_rank_of_many_clears_nobody(world: int, expected: bool) -> None:
    """Another rank may wait; a job of one rank has no other."""
    trace = worked(4, [0.0])
    trace.header["distributedInfo"] = {"rank": 0, "world_size": world}
    diagnosis = of(trace)
    assert (status(diagnosis, "input_wait") == "refuted") is expected
    assert (status(diagnosis, "host_gaps") == "refuted") is expected


def test_one_rank_of_many_that_waits_still_accuses() -> None:
    """All ranks wait for the one that waits for its input."""
    trace = worked(10, [1000.0])
    trace.header["distributedInfo"] = {"rank": 0, "world_size": 8}
    assert of(trace).binding is not None


def test_launches_one_by_one_confirm_the_host() -> None:
    """Sixty short kernels far apart in each step."""
    diagnosis = of(launched(4, 60))
    assert diagnosis.binding is not None
    assert diagnosis.binding.bottleneck == "host"


def test_a_few_kernels_in_many_steps_are_no_job() -> None:
    """Three kernels in each of eight steps."""
    trace = launched(8, 3)
    assert values(read(trace))["capture_state"] == "tiny"
    assert of(trace).binding is None


@pytest.mark.parametrize("kept", [2, 3, 5])
def test_evenly_dropped_work_confirms_nothing(kept: int) -> None:
    """A matrix product that launched nothing was dropped with its kernel: the gap in its place is none of the job."""
    trace = launched(4, 60, apart=12.0, each=10.0)
    gone = {event["args"]["correlation"] for event in trace.events if "correlation" in event["args"]}
    gone = {number for number in gone if number % kept}
    trace.events = [event for event in trace.events if event["args"].get("correlation") not in gone]
    assert values(read(trace))["capture_state"] == "thinned"
    assert of(trace).binding is None


def test_recorded_stacks_do_not_accuse_the_host() -> None:
    """Where recording so many Python calls may take most of the gaps, they prove nothing."""
    trace = launched(4, 60, each=40.0)
    heavy = launched(4, 60, each=40.0)
    for event in [event for event in trace.events if event["name"].startswith("ProfilerStep")]:
        for number in range(4000):
            start = event["ts"] - heavy.base + number * event["dur"] / 4000
            heavy.add("python_function", "train.py(3): forward", start, 0.1)
    assert of(trace).binding is not None
    assert of(heavy).binding is None


def test_a_checkpoint_in_one_step_is_no_transfer() -> None:
    """Copies that come once are none of the step."""
    trace = worked(10, [0.0])
    trace.events = [event for event in trace.events if not event["name"].startswith("ProfilerStep#9")]
    start = 9 * 1020.0
    trace.step(9, start, 9000).copy(start + 1100, 7000, name="DtoH", called=(start + 1010, 7100), size=10**9)
    assert of(trace).binding is None


@pytest.mark.parametrize("kept", [3, 5])
def test_dropped_work_of_operators_with_several_kernels_is_seen(kept: int) -> None:
    """A convolution keeps one of its kernels, the norm behind it loses its only one."""
    trace = Trace()
    for number in range(4):
        trace.step(number, number * 2000, 2000)
        for place in range(20):
            start = number * 2000 + 20 + place * 99
            trace.op("aten::cudnn_convolution", start, 40)
            for part in range(3):
                trace.kernel(start + 10 + part * 12, 10, launched=start + 5 + part * 8)
            trace.op("aten::cudnn_batch_norm", start + 50, 20).kernel(start + 60, 30, launched=start + 55)
    assert values(read(trace))["capture_state"] == "complete"
    gone = {event["args"]["correlation"] for event in trace.events if "correlation" in event["args"]}
    gone = {number for number in gone if number % kept}
    trace.events = [event for event in trace.events if event["args"].get("correlation") not in gone]
    assert values(read(trace))["capture_state"] == "thinned"


@pytest.mark.parametrize(("marked", "expected"), [(True, "input"), (False, None)])
def test_a_loader_that_leaves_no_mark_is_not_cleared(marked: bool, expected: str | None) -> None:
    """The same wait is input where it is marked; where not, neither is the host accused nor input cleared."""
    trace = worked(8, [2500.0])
    if not marked:
        trace.events = [event for event in trace.events if "DataLoader" not in event["name"]]
    diagnosis = of(trace)
    assert (diagnosis.binding.bottleneck if diagnosis.binding else None) == expected
    assert status(diagnosis, "input_wait") != "refuted"


@pytest.mark.parametrize(("waits", "expected"), [([60.0] * 8, True), ([60.0], False), ([1.0] * 9 + [900.0], False)])
def test_a_table_of_steps_is_judged_alike(waits: list[float], expected: bool) -> None:
    """XProf's page of the input pipeline: many steps that wait, only one, one among ten."""
    columns = '{"id": "stepnum"}, {"id": "noninfeedTimeMs"}, {"id": "infeedTimeMs"}'
    rows = ", ".join(f'{{"c": [{{"v": "{n}"}}, {{"v": 60.0}}, {{"v": {wait}}}]}}' for n, wait in enumerate(waits))
    text = f'[{{"cols": [{columns}], "rows": [{rows}]}}]'
    reading = InputPipelineReader().read(Source.of_bytes("pipeline.json", text.encode()))
    assert (diagnosed({}, reading.observations).binding is not None) is expected
