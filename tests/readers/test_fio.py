"""JSON of fio, versions 2 and 3."""

from __future__ import annotations

import json

from readers.said import codes, read, values

from dam_expert.readers.fio import FioReader


def job(group: int, rate: float, iops: float, latency: float) -> dict:
    side = {"bw_bytes": rate, "iops": iops, "clat_ns": {"mean": latency, "percentile": {"99.000000": latency * 10}}}
    return {"groupid": group, "read": side, "write": {"bw_bytes": 0, "iops": 0, "clat_ns": {"mean": 0}}}


def document(*jobs: dict) -> str:
    return "fio: note [1]\n" + json.dumps({"fio version": "fio-3.33", "jobs": list(jobs)}) + "\n"


def test_jobs_of_a_group_add_up():
    """Rates add, latencies are weighted by operations, the tail is the largest."""
    reading = read(FioReader(), document(job(0, 100e6, 100, 1000), job(0, 300e6, 300, 2000)))
    assert values(reading) == {
        "storage_read_rate": 400e6,
        "storage_read_iops": 400.0,
        "storage_read_latency": 1.75e-6,
        "storage_read_p99": 20e-6,
    }


def test_groups_one_after_the_other_do_not_add_up():
    """The fastest group is what the storage can do."""
    assert values(read(FioReader(), document(job(0, 100e6, 1, 1), job(1, 300e6, 3, 1))))["storage_read_rate"] == 300e6


def test_old_versions_count_kibibytes_and_microseconds():
    """In fio 2 rates are KiB/s and latencies microseconds."""
    old = {
        "fio version": "fio-2.16",
        "jobs": [{"read": {"bw": 1024, "iops": 8.0, "clat": {"mean": 50.0}}, "write": {"bw": 2048}}],
    }
    found = values(read(FioReader(), json.dumps(old)))
    assert found["storage_read_rate"] == 1024**2
    assert found["storage_read_latency"] == 0.00005
    assert found["storage_write_rate"] == 2 * 1024**2


def test_nothing_read_and_cut_files_say_so():
    """No traffic is unknown, not 0; a document that ends early holds nothing."""
    assert codes(read(FioReader(), document(job(0, 0, 0, 0)))) == {"no-samples"}
    assert codes(read(FioReader(), document(job(0, 1, 1, 1))[:-9])) == {"no-samples"}
