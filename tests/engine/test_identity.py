"""Outputs that name different devices decide nothing, whichever of them is the job's."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from truth.jobs import evaluated, job, shipped

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.columns import bare
from dam_expert.engine.diagnose import written
from dam_expert.engine.identity import OTHER_DEVICES, of_other_devices
from dam_expert.readers.gather import read_all
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

OUT_OF_MEMORY = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB"
    " of which 1.10 GiB is free. Process 12 has 30.00 GiB memory in use. Including non-PyTorch memory, this process has"
    " 48.00 GiB memory in use. Of the allocated memory 46.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by"
    " PyTorch but unallocated.\n"
)


def query(name: str, memory: int) -> str:
    rows = "".join(f"0, {name}, 97 %, {memory} MiB\n" for _ in range(12))
    return f"index, name, utilization.gpu [%], memory.total [MiB]\n{rows}"


def read(*texts: str) -> tuple[Observation, ...]:
    found: list[Observation] = []
    for number, text in enumerate(texts):
        readings, _ = read_all(Source.of_bytes(f"{number}.txt", text.encode()), READERS)
        found += [one for reading in readings for one in reading.observations]
    return tuple(found)


def seen(name: str, value: Any, file: str, *, tool: str = "nvidia_smi", **more: Any) -> Observation:
    amount = Interval.point(value) if isinstance(value, float) else value
    return Observation(measurement=name, value=amount, origin=Origin(file=file, tool=tool), **more)


def test_a_failed_request_on_another_device_is_likely_and_not_proven() -> None:
    """The message is of a device of 80 GB, the table of one of 24 GB; both files are named."""
    found = evaluated(job({}, read(OUT_OF_MEMORY, query("NVIDIA GeForce RTX 3090", 24576))))
    assert found.standings.status["memory_capacity"] == "supported"
    assert found.verdict.binding is None
    diagnosis = written(found)
    assert f"0.txt, 1.txt: {OTHER_DEVICES}" in diagnosis.warnings
    assert OTHER_DEVICES in {told.reason for told in diagnosis.observations if told.measurement == "allocation_state"}


def test_the_same_device_in_two_outputs_decides() -> None:
    """Tools count the memory of one device a little differently."""
    found = evaluated(job({}, read(OUT_OF_MEMORY, query("NVIDIA A100-SXM4-80GB", 81920))))
    assert found.verdict.binding == "memory_held_by_others"
    assert written(found).warnings == []


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        pytest.param("NVIDIA A100-SXM4-80GB", "NVIDIA H100 80GB HBM3", True, id="two that are known"),
        pytest.param("NVIDIA A100-SXM4-80GB", "A100-SXM4-80GB", False, id="two names of one"),
        pytest.param("NVIDIA A100-SXM4-80GB", "a device of ours", False, id="one that nobody knows"),
    ],
)
def test_names_tell_devices_apart_where_both_are_known(first: str, second: str, *, differ: bool) -> None:
    """What is read beside such a name decides nothing; what stands in other files does."""
    counters = [seen("dram_active", 0.88, file, tool=file) for file in ("a", "c")]
    names = [seen("accelerator", first, "a", tool="a"), seen("accelerator", second, "b", tool="b")]
    others = of_other_devices(shipped(), [*names, *counters])
    assert others == (frozenset({*names, counters[0]}) if differ else frozenset())


def test_what_is_no_reading_or_of_one_output_or_of_an_instance_is_no_other_device() -> None:
    """People name what they please; one tool may list several devices; an instance has a part of the memory."""
    sizes = [seen("device_memory_total", 80e9, "a"), seen("device_memory_total", 10e9, "b")]
    assert of_other_devices(shipped(), sizes) == frozenset(sizes)
    told = dataclasses.replace(sizes[1], basis=Basis.REPORTED)
    assert of_other_devices(shipped(), [sizes[0], told]) == frozenset()
    same = dataclasses.replace(sizes[1], origin=sizes[0].origin)
    assert of_other_devices(shipped(), [sizes[0], same]) == frozenset()
    elsewhere = dataclasses.replace(sizes[1], scope=(("device", "1"),))
    assert of_other_devices(shipped(), [sizes[0], elsewhere]) == frozenset()
    assert of_other_devices(shipped(), [*sizes, seen("mig_enabled", "true", "b")]) == frozenset()


def test_blocks_and_single_incidents_agree_on_what_decides() -> None:
    """The rule is one for both."""
    incident = job({}, read(OUT_OF_MEMORY, query("NVIDIA GeForce RTX 3090", 24576)))
    column = bare("allocation_state")
    cell = evaluated(incident).columns.cell(column)
    assert cell is not None
    assert not cell.decisive
    assert column not in block_of(shipped(), [incident]).decisive
