"""What nvidia-smi lists beside devices: processes that have ended, retired pages, links, and names of fields."""

from __future__ import annotations

from readers.readings import codes, reading, told

from dam_expert.readers.nvidia_query import NvidiaQueryReader
from dam_expert.readers.source import Source

ACCOUNTED = (
    "timestamp, gpu_name, gpu_bus_id, gpu_uuid, pid, gpu_utilization [%], mem_utilization [%], max_memory_usage [MiB], "
    "time [ms]\n"
    "2026/07/03 08:33:53.671, NVIDIA L40S, 00000000:01:00.0, GPU-1, 15727, 71 %, 8 %, 0 MiB, 5270 ms\n"
    "2026/07/03 08:33:53.671, NVIDIA L40S, 00000000:01:00.0, GPU-1, 18679, 99 %, 13 %, 0 MiB, 153712 ms\n"
)
RETIRED = (
    "timestamp, gpu_name, gpu_bus_id, retired_pages.address, retired_pages.timestamp, retired_pages.cause\n"
    "2026/07/03 22:10:46.307, NVIDIA H200, 00000000:83:00.0, [N/A], [N/A], Single Bit ECC\n"
)
LINKS = (
    "GPU 0: NVIDIA H200 (UUID: GPU-11111111-0000)\n\t Link 0: 26.562 GB/s\n\t Link 1: <inactive>\n"
    "GPU 1: NVIDIA H200 (UUID: GPU-22222222-0000)\n\t Link 0: 26.562 GB/s\n"
)


def test_what_is_accounted_is_no_utilisation_of_the_device():
    """Each row is the mean over one process' life; most have ended, and several share the device."""
    found = reading(ACCOUNTED)
    assert told(found) == {"accelerator": "NVIDIA L40S"}
    assert codes(found) == {"no-samples"}


def test_retired_pages_are_recognised():
    """They say nothing of speed."""
    assert codes(reading(RETIRED)) == {"no-values"}


def test_links_stand_below_their_device():
    """The devices are known; what a port could carry is not what is between two of them."""
    assert told(reading(LINKS)) == {"accelerator": "NVIDIA H200", "device_count": 2.0}
    none = "GPU 0: NVIDIA GeForce RTX 2080 SUPER (UUID: GPU-0)\nNVML: Unable to retrieve Nvlink information\n"
    assert told(reading(none))["device_count"] == 1.0


def test_a_list_of_names_is_no_table():
    """A header of one column has its unit; a bare name is a word of a list."""
    recognises = NvidiaQueryReader().recognises
    assert not recognises(Source.of_bytes("a", b"memory.total\nmemory.used\nutilization.gpu\n"))
    assert recognises(Source.of_bytes("a", b"utilization.gpu [%]\n98 %\n"))
