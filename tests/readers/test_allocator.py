"""Failed allocations by version, and the allocator's summary."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import OOM_NEW, SUMMARY

from dam_expert.readers.allocator import AllocatorReader
from dam_expert.readers.source import Source

MI, GI = 2.0**20, 2.0**30


def read(text: str):
    source = Source.of_bytes("err.txt", text.encode())
    assert AllocatorReader().recognises(source)
    return AllocatorReader().read(source)


def test_the_sums_of_a_new_message():
    """From 2.1 on the message tells of the process, of other processes and of what is reserved in vain."""
    reading = read(OOM_NEW)
    assert values(reading) == pytest.approx(
        {
            "allocation_state": "device_out_of_memory",
            "memory_requested": 2 * GI,
            "memory_reserved_free": 1.5 * GI,
            "device_memory_total": 94.97 * GI,
            "device_memory_free": 1.25 * GI,
            "memory_allocated": 89.5 * GI,
            "memory_reserved": 91.0 * GI,
            "memory_other_processes": 2.0 * GI,
            "memory_outside_allocator": 0.5 * GI,
        }
    )
    assert {found.scope for found in reading.observations} == {(), (("device", "3"),)}
    assert not reading.messages


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param(
            "RuntimeError: CUDA out of memory. Tried to allocate 62.00 MiB (GPU 0; 12.00 GiB total capacity; 10.00 GiB "
            "already allocated; 0 bytes free; 10.50 GiB reserved in total by PyTorch)",
            {"memory_requested": 62 * MI, "memory_allocated": 10 * GI, "memory_reserved": 10.5 * GI},
            id="to 2.0",
        ),
        pytest.param(
            "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 1; 8.00 GiB total capacity; 6.00 GiB "
            "already allocated; 10.00 MiB free; 512.00 MiB cached)",
            {"memory_reserved_free": 512 * MI, "memory_reserved": 6.5 * GI},
            id="to 1.3: cached is what is not allocated",
        ),
        pytest.param(
            "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 224.00 MiB. GPU 0 has a total capacty "
            "of 14.75 GiB of which 11.06 MiB is free. Process 3258 has 14.73 GiB memory in use. Of the allocated "
            "memory 14.04 GiB is allocated by PyTorch, and 509.85 MiB is reserved by PyTorch but unallocated.",
            {"device_memory_total": 14.75 * GI, "memory_reserved_free": 509.85 * MI},
            id="2.1: capacty; the listed process is this one",
        ),
        pytest.param(
            "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 1.00 GiB. GPU 2 has a total capacity of "
            "64.00 GiB of which 512.00 MiB is free.",
            {"memory_requested": GI, "device_memory_free": 512 * MI},
            id="HIP",
        ),
        pytest.param(
            "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 1048576 bytes.",
            {"memory_requested": MI},
            id="JAX",
        ),
        pytest.param(
            "CUDA out of memory.\nTried to allocate 1.00 GiB\n(GPU 0; 8.00 GiB total\ncapacity; 7.00 GiB already\n"
            "allocated; 0 bytes free;\n7.50 GiB reserved in total\nby PyTorch)",
            {"memory_requested": GI, "device_memory_total": 8 * GI, "memory_reserved": 7.5 * GI},
            id="broken over lines",
        ),
    ],
)
def test_messages_by_version(text, known):
    """Each wording gives the same quantities."""
    found = values(read(text))
    assert found["allocation_state"] == "device_out_of_memory"
    assert {measurement: found[measurement] for measurement in known} == pytest.approx(known)


def test_a_size_that_no_device_has_is_rejected():
    """A driver that reports all bits set gives no memory of the process, and a total beyond bounds is shown."""
    text = OOM_NEW.replace("91.50 GiB", "17179869184.00 GiB").replace("94.97 GiB", "17179869184.00 GiB")
    reading = read(text)
    rejected = [found for found in reading.observations if found.complaint]
    assert [found.measurement for found in rejected] == ["device_memory_total"]
    assert "memory_outside_allocator" not in {found.measurement for found in reading.observations}


@pytest.mark.parametrize(
    "text",
    ["RuntimeError: CUDA error: out of memory", "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling"],
)
def test_a_failure_without_sizes_says_how_to_get_them(text):
    """The failure is known, its sizes are not."""
    reading = read(text)
    assert values(reading) == {"allocation_state": "device_out_of_memory"}
    assert codes(reading) == {"no-sizes"}


def test_host_memory_is_not_the_device():
    """The allocator of the host speaks of another memory."""
    text = (
        "RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate 1024 bytes. Tried to allocate"
    )
    assert not AllocatorReader().recognises(Source.of_bytes("x", text.encode()))


def test_the_first_failure_of_each_device_counts():
    """A retry is noted and left out; another device is kept."""
    reading = read(
        "\n".join([OOM_NEW, OOM_NEW.replace("2.00 GiB. GPU", "9.00 GiB. GPU"), OOM_NEW.replace("GPU 3", "GPU 1")])
    )
    assert codes(reading) == {"repeated"}
    assert values(reading)["memory_requested"] == 2 * GI
    scopes = [found.scope for found in reading.observations if found.measurement == "memory_allocated"]
    assert scopes == [(("device", "3"),), (("device", "1"),)]


def test_a_summary_counts_in_1024_and_tells_retries():
    """Peaks, what is idle now, and how often the allocator had to empty its cache."""
    assert values(read(SUMMARY)) == {
        "memory_allocated": 6000 * MI,
        "memory_reserved": 8192 * MI,
        "memory_non_releasable": 300 * MI,
        "allocator_retries": 7,
        "allocation_failures": 2,
        "memory_reserved_free": (8000 - 5624) * MI,
        "allocation_state": "device_out_of_memory",
    }


def test_a_summary_row_that_is_cut_is_counted():
    """A row whose sizes do not parse gives no observation."""
    reading = read(SUMMARY.replace("5624 MB  |   6000 MB", "562"))
    assert reading.lines_not_understood == 1
    assert "memory_allocated" not in values(reading)


def test_a_summary_that_is_cut_after_its_title_says_so():
    """Without values there is a message."""
    reading = read("\n".join(SUMMARY.split("\n")[:3]))
    assert codes(reading) == {"no-values"}


def test_a_unit_that_does_not_exist_is_no_size():
    """A damaged unit gives no observation and no failure."""
    assert "memory_requested" not in values(read(OOM_NEW.replace("2.00 GiB. GPU", "2.00 iB. GPU")))


@pytest.mark.parametrize("device", ["GPU", "XPU", "NPU"])
def test_the_device_is_named_by_its_backend(device):
    """Back ends outside of CUDA keep the old message."""
    text = f"RuntimeError: {device} out of memory. Tried to allocate 2.00 GiB ({device} 3; 60.00 GiB total capacity; "
    reading = read(text + "57.00 GiB already allocated; 58.00 GiB reserved in total by PyTorch)")
    assert values(reading)["memory_allocated"] == 57 * 2**30
    assert {each.scope for each in reading.observations if each.measurement == "memory_allocated"} == {
        (("device", "3"),)
    }
