r"""``fio``, as JSON or as it prints to the terminal: what a storage can do in the pattern that was asked for.

Jobs of one group ran at the same time and add up; groups ran one after the other, the fastest counts. fio 3 counts
bytes and nanoseconds, fio 2 KiB/s and microseconds. Lines that fio prints before the JSON are passed over.

>>> from dam_expert.readers.source import Source
>>> raw = b'''fio: this platform does not support something
... {"fio version": "fio-3.33", "jobs": [{"jobname": "a", "groupid": 0,
...   "read": {"bw_bytes": 2000000, "iops": 500.0, "clat_ns": {"mean": 80000.0}}, "write": {"bw_bytes": 0}}]}'''
>>> reading = FioReader().read(Source.of_bytes("fio.json", raw))
>>> [(found.measurement, round(found.value.lo, 6)) for found in reading.observations]
[('storage_read_rate', 2000000.0), ('storage_read_iops', 500.0), ('storage_read_latency', 8e-05)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, first_json, inside, known, text_of
from dam_expert.readers.fio_text import JOB, jobs_of
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.lines import any_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_VERSION = re.compile(r'"fio version"\s*:')
_LATENCIES = (("clat_ns", 1e-9), ("lat_ns", 1e-9), ("clat", 1e-6), ("lat", 1e-6))
_KIBI = 1024.0


@dataclasses.dataclass(slots=True)
class _Side:
    """Reads or writes of the jobs of one group: sums of rates, latencies weighted by operations."""

    rate: float = 0.0
    operations: float = 0.0
    waited: float = 0.0
    timed: float = 0.0
    tail: float | None = None
    jobs: int = 0

    def add(self, job: dict[str, object]) -> None:
        """Add the side of one job; a side without traffic says nothing."""
        rate = known(job.get("bw_bytes"))
        if rate is None and (old := known(job.get("bw"))) is not None:
            rate = old * _KIBI
        if not rate or rate < 0.0:
            return
        operations = known(job.get("iops")) or 0.0
        self.jobs += 1
        self.rate += rate
        self.operations += operations
        for name, factor in _LATENCIES:
            latency = inside(job, name)
            mean = known(latency.get("mean"))
            if mean:
                self.waited += mean * factor * operations
                self.timed += operations
                tail = known(inside(latency, "percentile").get("99.000000"))
                if tail:
                    self.tail = max(self.tail or 0.0, tail * factor)
                break


@dataclasses.dataclass(frozen=True, slots=True)
class FioReader:
    """Reads fio's JSON and its normal output; its terse form is not read."""

    tool: str = "fio"
    title: str = "fio"
    versions: str = "fio 2 and 3: JSON, text"

    def recognises(self, source: Source) -> bool:
        """Whether the head names fio's version as a JSON key, or a line begins the report of a job."""
        return _VERSION.search(source.head) is not None or any_line(source, JOB)

    def read(self, source: Source) -> Reading:
        """Return rate, operations and latency of reads, and the rate of writes."""
        tell = Teller(file=source.shown, tool=self.tool)
        messages: list[Message] = []
        document: object
        if _VERSION.search(source.head):
            document = first_json(text_of(source, tell, messages))
        else:
            document = {"jobs": jobs_of(text for _, text in each_line(source, tell, messages))}
        jobs = document.get("jobs") if isinstance(document, dict) else None
        listed = [job for job in jobs if isinstance(job, dict)] if isinstance(jobs, list) else []
        found = tuple(_observations(listed, tell))
        if not found:
            text = "it holds no job that read or wrote" if document is not None else "the JSON ends early"
            messages.append(tell.warn("no-samples", text, hint="let fio finish: give it --runtime=30 --time_based"))
        return tell.reading(observations=found, messages=tuple(messages), lines_read=len(listed))


def _observations(jobs: Sequence[dict[str, object]], tell: Teller) -> Iterator[Observation]:
    sides: dict[tuple[str, float], _Side] = {}
    for job in jobs:
        for side in ("read", "write"):
            group = known(job.get("groupid")) or 0.0
            sides.setdefault((side, group), _Side()).add(inside(job, side))

    def best(side: str) -> _Side | None:
        found = [each for (name, _), each in sides.items() if name == side and each.rate]
        return max(found, key=lambda each: each.rate, default=None)

    read, write = best("read"), best("write")
    if read is not None:
        detail = f"sum of {read.jobs} jobs" if read.jobs > 1 else "one job"
        yield tell.observe("storage_read_rate", Interval.point(read.rate), detail=detail)
        if read.operations:
            yield tell.observe("storage_read_iops", Interval.point(read.operations), detail=detail)
        if read.timed:
            mean = Interval.point(read.waited / read.timed)
            yield tell.observe("storage_read_latency", mean, detail=f"mean completion latency, {detail}")
        if read.tail is not None:
            yield tell.observe("storage_read_p99", Interval.point(read.tail), detail=f"largest of {detail}")
    if write is not None:
        detail = f"sum of {write.jobs} jobs" if write.jobs > 1 else "one job"
        yield tell.observe("storage_write_rate", Interval.point(write.rate), detail=detail)
