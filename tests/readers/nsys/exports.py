"""Builds small exports of Nsight Systems in memory, for the tests."""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3

KERNELS = "start, end, deviceId, streamId, correlationId, globalPid, demangledName, shortName"
COPIES = "start, end, deviceId, correlationId, globalPid, bytes, copyKind, srcKind, dstKind"
CALLS = "start, end, globalTid, correlationId, nameId"
RANGES = "start, end, eventType, text, globalTid, textId"


@dataclasses.dataclass
class Export:
    """Events in microseconds, written as nanoseconds; process 1 unless said otherwise."""

    base: int = 60_000_000
    names: dict[str, int] = dataclasses.field(default_factory=dict)
    tables: dict[str, list[tuple]] = dataclasses.field(default_factory=dict)
    ids: int = 100

    def name(self, text: str) -> int:
        return self.names.setdefault(text, len(self.names) + 1)

    def times(self, start: float, length: float) -> tuple[int, int]:
        return int((self.base + start) * 1000), int((self.base + start + length) * 1000)

    def call(self, text: str, start: float, length: float, *, process: int = 1, correlation: int = 0) -> Export:
        row = (*self.times(start, length), process << 24 | 7, correlation, self.name(text))
        self.tables.setdefault("CUPTI_ACTIVITY_KIND_RUNTIME", []).append(row)
        return self

    def kernel(self, start: float, length: float, *, name: str = "gemm", device: int = 0, process: int = 1) -> Export:
        self.ids += 1
        self.call("cudaLaunchKernel_v7000", start - 2, 1, process=process, correlation=self.ids)
        row = (*self.times(start, length), device, 7, self.ids, process << 24, self.name(name), self.name(name))
        self.tables.setdefault("CUPTI_ACTIVITY_KIND_KERNEL", []).append(row)
        return self

    def kernels(self, start: float, each: float, count: int, apart: float, **how: int) -> Export:
        for number in range(count):
            self.kernel(start + number * apart, each, **how)
        return self

    def copy(self, start: float, length: float, *, size: int, kind: int = 1, memory: int = 1) -> Export:
        self.ids += 1
        self.call("cudaMemcpyAsync_v3020", start - 2, 1, correlation=self.ids)
        kinds = (memory, 2) if kind == 1 else (2, memory)
        row = (*self.times(start, length), 0, self.ids, 1 << 24, size, kind, *kinds)
        self.tables.setdefault("CUPTI_ACTIVITY_KIND_MEMCPY", []).append(row)
        return self

    def mark(self, text: str, start: float, length: float, *, by_id: bool = False) -> Export:
        texts = (None, self.name(text)) if by_id else (text, None)
        row = (*self.times(start, length), 59, texts[0], 1 << 24 | 7, texts[1])
        self.tables.setdefault("NVTX_EVENTS", []).append(row)
        return self

    def file(self, *extra: str, without: tuple[str, ...] = ()) -> bytes:
        """Return the database as it lies on disk, after the ``extra`` statements, ``without`` some columns."""
        columns = {
            "CUPTI_ACTIVITY_KIND_KERNEL": KERNELS,
            "CUPTI_ACTIVITY_KIND_MEMCPY": COPIES,
            "CUPTI_ACTIVITY_KIND_RUNTIME": CALLS,
            "NVTX_EVENTS": RANGES,
        }
        with contextlib.closing(sqlite3.connect(":memory:")) as made:
            made.execute("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)")
            made.executemany(
                "INSERT INTO StringIds VALUES (?, ?)", [(number, text) for text, number in self.names.items()]
            )
            made.execute("CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT)")
            for table, rows in self.tables.items():
                names = columns[table].split(", ")
                kept = [place for place, name in enumerate(names) if name not in without]
                made.execute(f"CREATE TABLE {table} ({', '.join(chr(34) + names[place] + chr(34) for place in kept)})")
                marks = ", ".join("?" * len(kept))
                made.executemany(f"INSERT INTO {table} VALUES ({marks})", [tuple(row[p] for p in kept) for row in rows])
            for statement in extra:
                made.execute(statement)
            made.commit()
            return made.serialize()


def training(*, steps: int = 3, by_id: bool = False) -> Export:
    """Return steps of 1 ms with loading first, then eight kernels of 50 µs, the device otherwise idle."""
    export = Export()
    for number in range(steps):
        at = number * 1000.0
        export.mark(f"step {number}", at, 1000.0, by_id=by_id).mark("data_loading", at, 400.0, by_id=by_id)
        export.kernels(at + 500, 50.0, 8, 50.0)
    return export
