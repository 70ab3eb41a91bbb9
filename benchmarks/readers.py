"""How fast the readers are and how much memory they take, against peers and floors, in one run.

    python benchmarks/readers.py [--hta PYTHON] [--trace FILE] [--sqlite FILE] [--scale 0.1] [-o readers.md]

``--hta`` names a Python that has HolisticTraceAnalysis; without it that row is left out. Every measurement is a
process of its own: the least processor time of the repetitions counts, since everything else on the machine can only
add to it, and the peak is that of the whole process, imports included. ``--scale`` shrinks the grown files.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gzip
import itertools
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("DAM_SHARED", ROOT.parent / "shared"))
MIB = 2**20

OURS = """
from pathlib import Path
from dam_expert.readers.gather import gather
def work():
    found = gather([Path(FILE)])
    return sum(reading.lines_read for reading in found.readings), len(found.observations)
"""
FLOOR = """
import gzip, msgspec
from pathlib import Path
from typing import Any
Loose = int | float | str | None
class Args(msgspec.Struct, gc=False):
    device: Loose = None
    correlation: Loose = None
    bytes: Loose = None
    collective: Any = msgspec.field(default=None, name="Collective name")
    group: Any = msgspec.field(default=None, name="Process Group Name")
    ranks: Any = msgspec.field(default=None, name="Process Group Ranks")
class Event(msgspec.Struct, gc=False):
    ph: str = ""
    cat: str | None = None
    name: str | None = None
    pid: Loose = None
    tid: Loose = None
    ts: float | None = None
    dur: float | None = None
    args: Args | None = None
class File(msgspec.Struct):
    events: list[Event] = msgspec.field(name="traceEvents")
def work():
    data = Path(FILE).read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\\x1f\\x8b" else data
    return len(msgspec.json.decode(data, type=File, strict=False).events), 0
"""
HTA = """
import logging, shutil, tempfile
logging.disable(logging.CRITICAL)
from pathlib import Path
from hta.trace_analysis import TraceAnalysis
def work():
    found = TraceAnalysis(trace_files={0: FILE}, trace_dir=str(Path(FILE).parent))
    return len(found.t.get_trace(0)), 0
"""
MEASURE = """
import json, re, resource, time
def spent():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in both)
start, begun = spent(), time.perf_counter()
first = work()
seconds, wall = spent() - start, time.perf_counter() - begun
peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print("RESULT" + json.dumps({"seconds": seconds, "wall": wall, "peak": peak, "items": first[0], "values": first[1]}))
"""


@dataclasses.dataclass(frozen=True)
class Result:
    """Processor seconds and wall time, peak bytes of the process, and items (events or lines) that were read."""

    seconds: float
    wall: float
    peak: float
    items: int
    values: int


def measured(code: str, file: Path, *, python: str = sys.executable, runs: int = 1) -> Result:
    """Run a piece of work on a file in processes of its own."""
    script = f"FILE = {str(file)!r}\n{code}\n{MEASURE}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} if python == sys.executable else dict(os.environ)
    found = []
    for _ in range(runs):
        done = subprocess.run([python, "-c", script], env=environment, capture_output=True, text=True, check=False)
        if "RESULT" not in done.stdout:
            raise SystemExit(done.stderr[-2000:])
        found.append(Result(**json.loads(done.stdout.rpartition("RESULT")[2])))
    best = min(found, key=lambda each: each.seconds)
    return dataclasses.replace(best, wall=min(each.wall for each in found), peak=max(each.peak for each in found))


def grown_trace(source: Path, target: Path, size: int) -> None:
    """Write a trace with the events of another again and again, each time later, until it has the size."""
    data = source.read_bytes()
    trace = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    events = [event for event in trace.pop("traceEvents") if event.get("ph") == "X"]
    length = max(event["ts"] + event.get("dur", 0) for event in events) - min(event["ts"] for event in events)
    with target.open("w") as out:
        out.write(json.dumps(trace)[:-1] + ', "traceEvents": [\n')
        number = 0
        while out.tell() < size:
            for event in events:
                moved = {**event, "ts": event["ts"] + number * (length + 1000)}
                if event["name"].startswith("ProfilerStep#"):
                    moved["name"] = f"ProfilerStep#{number + 5}"
                if "correlation" in event.get("args", {}):
                    moved["args"] = {**event["args"], "correlation": event["args"]["correlation"] + number * 10_000_000}
                out.write((",\n" if number or event is not events[0] else "") + json.dumps(moved))
            number += 1
        out.write("]}")


def grown_database(source: Path, target: Path, size: int) -> None:
    """Write an export with the rows of its event tables again and again, each time later, until it has the size."""
    shutil.copy(source, target)
    target.chmod(0o644)
    with contextlib.closing(sqlite3.connect(target)) as base:
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {name: [row[1] for row in base.execute(f"PRAGMA table_info([{name}])")] for name in tables}
        events = [name for name in tables if {"start", "end", "correlationId"} <= set(columns[name])]
        last = max(base.execute(f"SELECT max([end]) FROM [{name}]").fetchone()[0] or 0 for name in events)
        count = {name: base.execute(f"SELECT max(rowid) FROM [{name}]").fetchone()[0] or 0 for name in events}
        number = 0
        while target.stat().st_size < size:
            number += 1
            later = {"start": number * last, "end": number * last, "correlationId": number * 10_000_000}
            for name in events:
                moved = ", ".join(
                    f"[{each}] + {later[each]}" if each in later else f"[{each}]" for each in columns[name]
                )
                base.execute(f"INSERT INTO [{name}] SELECT {moved} FROM [{name}] WHERE rowid <= {count[name]}")
            base.commit()


def _vmstat(chance: random.Random) -> str:
    head = (
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
    )
    row = " {0}  1      0 {1}  78000 3200000    0    0    {0}    {0}   {0}1 {1} {2} 5 {2}  0  0\n"
    return head + "".join(
        row.format(chance.randrange(9), chance.randrange(10**6), chance.randrange(48)) for _ in range(20)
    )


def _dmon(chance: random.Random) -> str:
    head = (
        "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk \n"
        "# Idx      W      C      C      %      %      %      %    MHz    MHz \n"
    )
    row = "    {}    {}     63     57    {}     10      0      0   2619   1980 \n"
    return head + "".join(row.format(each % 8, chance.randrange(700), chance.randrange(100)) for each in range(32))


def _iostat(chance: random.Random) -> str:
    cpu = (
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        "          {:.2f}    0.00    5.00    1.00    0.00   {:.2f}\n\n"
    )
    head = "Device            r/s     rkB/s   r_await     w/s     wkB/s  aqu-sz  %util\n"
    row = "{}          {:.2f}  {:.2f}  0.50  10.00  400.00  {:.2f}  {:.2f}\n"
    busy = chance.random() * 60
    rows = (
        row.format(name, 1e3 * chance.random(), 1e4 * chance.random(), chance.random(), 99 * chance.random())
        for name in ("sda", "sdb")
    )
    return cpu.format(busy, 90 - busy) + head + "".join(rows) + "\n"


def _megatron(chance: random.Random) -> str:
    row = (
        " [2026-11-29 10:00:00] iteration {0:8d}/  999999 | consumed samples: {0:12d} | "
        "elapsed time per iteration (ms): {1:.1f} | learning rate: 1.0E-04 | global batch size:   256 | "
        "lm loss: {2:.4E} | loss scale: 1.0 |\n"
    )
    base = chance.randrange(10**6)
    return "".join(row.format(base + each, 900 + 100 * chance.random(), 2 + chance.random()) for each in range(20))


def _scrape(chance: random.Random) -> str:
    labels, asked = 'engine="0",model_name="m"', next(_SCRAPES)
    gauges = ("num_requests_running", "num_requests_waiting", "kv_cache_usage_perc")
    text = "".join(
        f"# HELP vllm:{name} A gauge.\n# TYPE vllm:{name} gauge\nvllm:{name}{{{labels}}} {chance.random():.6f}\n"
        for name in gauges
    )
    for name in ("time_to_first_token_seconds", "e2e_request_latency_seconds", "request_queue_time_seconds"):
        text += f"# HELP vllm:{name} A histogram.\n# TYPE vllm:{name} histogram\n"
        for bound in (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, "+Inf"):
            text += f'vllm:{name}_bucket{{{labels},le="{bound}"}} {8.0 * asked}\n'
        text += f"vllm:{name}_sum{{{labels}}} {asked + chance.random():.6f}\n"
        text += f"vllm:{name}_count{{{labels}}} {8.0 * asked}\n"
    return text + f'vllm:request_success_total{{{labels},finished_reason="stop"}} {8.0 * asked}\n'


_SCRAPES = itertools.count(1)
LOGS = {
    "vmstat": _vmstat,
    "nvidia-smi dmon": _dmon,
    "iostat": _iostat,
    "Megatron-LM log": _megatron,
    "vLLM metrics": _scrape,
}


def grown_log(kind: str, target: Path, size: int) -> None:
    """Write a log of the size, of samples that a seeded source of numbers gives."""
    chance = random.Random(1)
    with target.open("w") as out:
        while out.tell() < size:
            out.write("".join(LOGS[kind](chance) for _ in range(50)))


def row(name: str, file: Path, result: Result, *, says: str = "") -> str:
    """Return one line of the table."""
    size = file.stat().st_size / MIB
    per, peak = 1e6 * result.seconds / max(result.items, 1), result.peak / MIB
    times = f"{result.seconds:.2f} | {result.wall:.2f} | {per:.2f}"
    return f"| {name} | {size:.0f} | {result.items} | {times} | {peak:.0f} | {says} |"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hta", help="a Python with HolisticTraceAnalysis")
    samples = SHARED / "samples"
    parser.add_argument("--trace", type=Path, default=samples / "pytorch-profiler/tl_h100_owlv2_dataloader.json.gz")
    parser.add_argument("--sqlite", type=Path, default=samples / "nsys/nsysai_mfu_2gpu_before.sqlite")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    head = "| what | MiB | events or lines | CPU s | wall s | us each | peak MiB | ratio |\n" + 8 * "|---" + "|"
    print(head, flush=True)
    lines = [head]
    with tempfile.TemporaryDirectory() as folder:
        for part in (traces, databases, logs):
            for line in part(given, Path(folder)):
                print(line, flush=True)
                lines.append(line)
    text = "\n".join(lines) + "\n"
    if given.output:
        page = f"# Readers\n\n`python benchmarks/readers.py {' '.join(sys.argv[1:])}` printed:\n\n{text}"
        given.output.write_text(page, encoding="utf-8")


def traces(given: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Measure the profiler trace as it is and grown."""
    if not given.trace.exists():
        yield f"| {given.trace.name} is not here | | | | | | | |"
        return
    ours, floor = (measured(code, given.trace, runs=5) for code in (OURS, FLOOR))
    name = given.trace.name
    says = f"{ours.seconds / floor.seconds:.2f} x the time of msgspec"
    yield row(f"{name}: dam", given.trace, ours, says=says)
    yield row(f"{name}: msgspec, same fields", given.trace, floor)
    if given.hta:
        peer = measured(HTA, given.trace, python=given.hta, runs=3)
        says = f"{peer.seconds / ours.seconds:.1f} x the time of dam, {peer.peak / ours.peak:.1f} x its peak"
        yield row(f"{name}: HolisticTraceAnalysis", given.trace, peer, says=says)
    smaller: Result | None = None
    for size in (256, 512, 1024):
        target = folder / "grown.json"
        grown_trace(given.trace, target, int(size * MIB * given.scale))
        result = measured(OURS, target)
        smaller = smaller or result
        each = result.seconds / result.items / (smaller.seconds / smaller.items)
        yield row("grown trace: dam", target, result, says=f"{each:.2f} x the time each of the smallest")
        target.unlink()


def databases(given: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Measure the SQLite export as it is and grown."""
    if not given.sqlite.exists():
        yield f"| {given.sqlite.name} is not here | | | | | | | |"
        return
    small = measured(OURS, given.sqlite)
    yield row(f"{given.sqlite.name}: dam", given.sqlite, small)
    target = folder / "grown.sqlite"
    grown_database(given.sqlite, target, int(200 * MIB * given.scale))
    large = measured(OURS, target)
    says = f"{large.peak / small.peak:.1f} x the peak of {given.sqlite.stat().st_size / MIB:.0f} MiB"
    yield row("grown export: dam", target, large, says=says)
    target.unlink()


def logs(given: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Measure text logs of two sizes, so that growth of time and memory can be seen."""
    for kind in LOGS:
        small: Result | None = None
        for size in (50, 500):
            target = folder / "log.txt"
            grown_log(kind, target, int(size * MIB * given.scale))
            result = measured(OURS, target)
            small = small or result
            says = f"{result.seconds / small.seconds:.1f} x the time, {result.peak / small.peak:.2f} x the peak of 50"
            yield row(f"{kind}: dam", target, result, says=says)
            target.unlink()


if __name__ == "__main__":
    main()
