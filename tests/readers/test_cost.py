"""What inputs cost that no tool writes: time and memory stay within a stated bound for each megabyte of them."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
import tracemalloc

import pytest

from dam_expert.readers.gather import read_all
from dam_expert.readers.source import Source

SECONDS_PER_MB = 10.0
"""Processor seconds that a megabyte may take, whatever is in it; tools' own outputs take a tenth of a second."""

BYTES_PER_BYTE = 40
"""Bytes of memory that a byte of input may take, above what a reader needs anyway."""

BASIC_BYTES = 64 * 2**20


def _xml(count):
    device = '<gpu id="{}">\n<utilization><gpu_util>98 %</gpu_util></utilization>\n</gpu>\n'
    return "<nvidia_smi_log>\n" + "".join(map(device.format, range(count))) + "</nvidia_smi_log>\n"


def _csv(name, count):
    names = ",".join(name.format(number) for number in range(count))
    return f"step,train_loss,{names}\n1,2,{','.join('3' * count)}\n"


def _query(count):
    rows = "".join(f"2026/05/14 10:00:00.000, {number}, 31 %\n" for number in range(count))
    return f"timestamp, index, utilization.gpu [%]\n{rows}"


def _trace(count):
    event = {"ph": "X", "cat": "kernel", "name": "k", "dur": 1}
    events = [event | {"ts": n, "pid": n, "tid": n, "args": {"device": n}} for n in range(count)]
    return json.dumps({"schemaVersion": 1, "traceEvents": events})


def _prometheus(count):
    return "".join(f'DCGM_FI_DEV_GPU_UTIL{{gpu="{number}"}} 50\n' for number in range(count))


def _topology(count):
    names = "\t".join("GPU0" for _ in range(count))
    return f"\t{names}\tCPU Affinity\nGPU0\t" + "\t".join("NV4" for _ in range(count)) + "\t0-3\n"


FORMS = {
    "XML of many devices": lambda: _xml(2000),
    "XML again and again": lambda: _xml(1) * 1000,
    "CSV of many columns": lambda: _csv("c{}", 15_000),
    "CSV of many devices": lambda: _csv("gpu.{}.gpu", 9999),
    "query of many devices": lambda: _query(3000),
    "trace of many devices": lambda: _trace(2000),
    "metrics of many devices": lambda: _prometheus(3000),
    "topology of one device many times": lambda: _topology(7000),
    "prompts": lambda: "me@gpu:~$ vmstat 1 2\n r  b   swpd\n" * 3000,
    "blank lines": lambda: "\n" * 60_000 + "# gpu  sm\n# Idx   %\n    0  70\n",
    "open braces": lambda: '{"a":\n' * 20_000,
    "deep lists": lambda: "[" * 100_000,
    "quotes": lambda: '"' * 100_000,
    "commas": lambda: "step,loss\n" + "," * 60_000,
    "one number": lambda: "loss=" + "1" * 100_000,
    "carriage returns": lambda: "loss=1\r" * 50_000,
}


@pytest.mark.parametrize("form", FORMS)
def test_hostile_text_costs_time_and_memory_in_proportion(form):
    """No shape of text makes a reader slower or larger than in proportion to it."""
    data = FORMS[form]().encode()
    megabytes = max(len(data) / 2**20, 0.1)
    began = time.process_time()
    read_all(Source.of_bytes("x", data))
    assert time.process_time() - began < 1.0 + SECONDS_PER_MB * megabytes
    tracemalloc.start()
    read_all(Source.of_bytes("x", data))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < BASIC_BYTES + BYTES_PER_BYTE * len(data)


def _database(rows):
    """Return an export in which every row is of another process, thread, device and name."""
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)")
        made.execute("CREATE TABLE TARGET_INFO_GPU (id, name)")
        made.execute("CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT)")
        columns = "start, end, deviceId, streamId, correlationId, globalPid, demangledName, shortName"
        made.execute(f"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL ({columns})")
        made.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId)")
        numbers = range(rows)
        made.executemany("INSERT INTO StringIds VALUES (?, ?)", ((n, f"k{n}") for n in numbers))
        made.executemany("INSERT INTO TARGET_INFO_GPU VALUES (?, ?)", ((n, f"gpu {n}") for n in numbers))
        kernels = ((n, n + 1, n, 7, n, n << 24, n, n) for n in numbers)
        made.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, ?, ?, ?, ?, ?)", kernels)
        calls = ((n, n + 1, n << 24 | n, n, n) for n in numbers)
        made.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, ?)", calls)
        made.commit()
        return made.serialize()


def test_a_database_of_junk_costs_memory_in_proportion():
    """Rows that name a million processes, threads, devices and kernels cost no more than others."""
    data = _database(5000)
    tracemalloc.start()
    read_all(Source.of_bytes("x", data))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < BASIC_BYTES + BYTES_PER_BYTE * len(data)
