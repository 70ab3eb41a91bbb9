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


TEXT = """\
randread: (g=0): rw=randread, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=32
fio-3.36
Starting 1 process
randread: (groupid=0, jobs=1): err= 0: pid=16109: Sat Jun 24 12:07:54 2025
  read: IOPS=45.1k, BW=176MiB/s (185MB/s)(10.3GiB/60001msec)
    slat (nsec): min=500, max=145500, avg=8318.00, stdev=4781.50
    clat (usec): min=170, max=78367, avg=701.02, stdev=8293.31
     lat (usec): min=174, max=78375, avg=709.34, stdev=8291.79
    clat percentiles (usec):
     |  1.00th=[  302],  5.00th=[  326], 50.00th=[  416], 90.00th=[  911],
     | 99.00th=[ 4379], 99.50th=[ 5164], 99.90th=[ 6868], 99.99th=[78119]
   bw (  KiB/s): min=  532, max=  686, per=0.10%, avg=622.87, stdev=24.82, samples=  100
  write: IOPS=88, BW=623KiB/s (638kB/s)(30.4MiB/50032msec)
    clat (msec): min=1, max=78, avg= 4.01, stdev= 8.29

Run status group 0 (all jobs):
   READ: bw=176MiB/s (185MB/s), 176MiB/s-176MiB/s (185MB/s-185MB/s), io=10.3GiB (11.1GB), run=60001-60001msec
"""


def test_the_normal_output_says_the_same():
    """Units stand at each number; the summary of the group repeats it."""
    assert values(read(FioReader(), TEXT)) == {
        "storage_read_rate": 176 * 2.0**20,
        "storage_read_iops": 45100.0,
        "storage_read_latency": 701.02e-6,
        "storage_read_p99": 4379e-6,
        "storage_write_rate": 623 * 1024.0,
    }


def test_the_normal_output_of_old_versions():
    """Fio 2 writes a KB of 1024 bytes in small letters."""
    old = "job: (groupid=0, jobs=1): err= 0: pid=7: Fri\n  read : io=1024.0MB, bw=249968KB/s, iops=62491, runt=7msec\n"
    found = values(read(FioReader(), old))
    assert found == {"storage_read_rate": 249968 * 1024.0, "storage_read_iops": 62491.0}


def test_a_report_that_is_cut_says_so():
    """The job's heading alone is recognised."""
    assert codes(read(FioReader(), TEXT.split("  read:")[0])) == {"no-samples"}
