"""nvidia-smi -L."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told
from readers.said import in_the_base

from dam_expert.readers.gather import read_all
from dam_expert.readers.nvidia_list import NvidiaListReader
from dam_expert.readers.source import Source


def device(index: int, name: str = "NVIDIA H100 80GB HBM3", uuid: str | None = None) -> str:
    return f"GPU {index}: {name} (UUID: GPU-{uuid or f'1b2c3d4e-{index}'})\n"


def instance(index: int, profile: str = "1g.10gb", parent: int = 0) -> str:
    return f"  MIG {profile}     Device  {index}: (UUID: MIG-9f8e7d6c-{parent}-{index})\n"


EIGHT = "".join(device(index) for index in range(8))
DIVIDED = device(0) + instance(0) + instance(1)


def known(text: str) -> NvidiaListReader | bool:
    return NvidiaListReader().recognises(Source.of_bytes("list", text.encode()))


def test_devices_are_counted_and_named():
    """One name is told, with how many devices there are; the UUIDs are not."""
    found = in_the_base(reading(EIGHT))
    assert told(found) == {"accelerator": "NVIDIA H100 80GB HBM3", "device_count": 8.0}
    assert not found.messages
    assert all("1b2c3d4e" not in str(each) for each in found.observations)


def test_different_devices_have_no_one_name():
    """A host of two kinds has a count and no name."""
    assert told(reading(device(0) + device(1, "NVIDIA L4"))) == {"device_count": 2.0}


def test_a_list_printed_twice_is_one_list():
    """The same devices are counted once."""
    assert told(reading(EIGHT + EIGHT))["device_count"] == 8.0


def test_lists_of_two_hosts_have_no_count():
    """An index that is that of two devices says that hosts were put together."""
    found = reading(device(0) + device(0, uuid="other"))
    assert told(found) == {"accelerator": "NVIDIA H100 80GB HBM3"}
    assert codes(found) == {"several-hosts"}


def test_instances_are_warned_of_and_their_devices_not_counted():
    """A job on an instance has neither the device's units nor the number of devices."""
    found = in_the_base(reading(DIVIDED))
    assert told(found) == {"accelerator": "NVIDIA H100 80GB HBM3 MIG 1g.10gb", "mig_enabled": "true"}
    assert codes(found) == {"divided-devices"}
    assert "2 instances" in found.messages[0].text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(device(0) + instance(0, "1g.10gb") + instance(1, "3g.40gb"), id="two profiles"),
        pytest.param(device(0) + instance(0) + device(1), id="one of two devices"),
        pytest.param(instance(0), id="the instance alone"),
    ],
)
def test_what_the_job_has_is_unknown_where_parts_differ(text):
    """No name is told where nothing says which part is meant."""
    assert told(reading(text)) == {"mig_enabled": "true"}


def test_instances_of_old_drivers():
    """Before R470 an instance was named after its device."""
    text = device(0) + "  MIG 1g.5gb Device 0: (UUID: MIG-GPU-4200ccc0-2667/7/0)\n"
    assert told(reading(text))["accelerator"] == "NVIDIA H100 80GB HBM3 MIG 1g.5gb"


def test_a_device_that_cannot_be_reached_is_counted_as_not_understood():
    """A complaint of the tool within the list does not hide the list."""
    found = reading(device(0) + "Unable to determine the device handle for GPU1: 0000:0D:00.0: GPU is lost.\n")
    assert found.lines_not_understood == 1
    assert told(found)["device_count"] == 1.0


@pytest.mark.parametrize("before", ["", "me@node7:~$ nvidia-smi -L\n", "0: "])
def test_prompt_and_prefix_do_not_matter(before):
    """A pasted list is read as one from a file."""
    text = before + EIGHT if before.endswith("\n") else "".join(before + line for line in EIGHT.splitlines(True))
    readings, problems = read_all(Source.of_bytes("notes", text.encode()))
    assert not problems
    assert [told(each)["device_count"] for each in readings] == [8.0]


def test_a_log_with_such_a_list_is_no_list():
    """Other lines beside it belong to another reader."""
    assert known(EIGHT)
    assert not known("Epoch 1/3\n" + EIGHT)
    assert not known(EIGHT + "Epoch 1/3\n")
    assert not known("Failed to initialize NVML: Driver/library version mismatch\n")


def test_a_list_below_another_output_is_cut_off():
    """Its first line is unmistakable."""
    text = "# gpu  sm\n# Idx   %\n    0  70\n\n" + EIGHT
    readings, _ = read_all(Source.of_bytes("notes", text.encode()))
    assert [each.tool for each in readings] == ["nvidia_smi_dmon", "nvidia_smi"]
    assert readings[1].observations[0].origin.line == 5
