r"""``all_reduce_perf`` and its siblings, as table or JSON, and the log of ``NCCL_DEBUG=INFO``, alone or interleaved.

>>> from dam_expert.readers.source import Source
>>> raw = b'''0: #       size         count      type   redop    root     time   algbw   busbw #wrong
... 0:            8             2     float     sum      -1    50.00    0.00    0.00      0
... 0:   1073741824     268435456     float     sum      -1    86786   12.37   12.37    N/A
... 0: h:1:1 [0] NCCL INFO Using network Socket'''
>>> reading = NcclTestsReader().read(Source.of_bytes("out.txt", raw))
>>> [(found.measurement, found.value if isinstance(found.value, str) else round(found.value.lo, 6))
...  for found in reading.observations]
[('collective_bus_bandwidth', 12370000000.0), ('collective_latency', 5e-05), ('collective_network', 'socket')]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.content import each_line, first_json, inside, known, text_of
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.nccl.log import LINE, LogFacts
from dam_expert.readers.nccl.table import HEADER, RANK, STARTED, Row, TableFacts, headless

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.readers.source import Source

_SAVED = re.compile(r'"out_of_place"\s*:\s*\{')

_RANKS = 1_000_000
_CODED = 20900
"""From 2.9 on a version is coded as major x 10000 + minor x 100 + patch."""


@dataclasses.dataclass(frozen=True, slots=True)
class NcclTestsReader:
    """Reads nccl-tests and rccl-tests; log lines between the rows are read as well."""

    tool: str = "nccl_tests"
    title: str = "nccl-tests"
    versions: str = (
        "nccl-tests and rccl-tests 2019 to 2026: table, also without its header, JSON; nccom-test of Neuron: table"
    )

    def recognises(self, source: Source) -> bool:
        """Whether the head has the table's header, its opening, rows or rank lines, or the JSON's results."""
        if _SAVED.search(source.head) or STARTED.search(source.head):
            return True
        lines = source.head_lines
        return any(HEADER.match(line) or RANK.search(line) or headless(line) for line in lines)

    def read(self, source: Source) -> Reading:
        """Return plateau bandwidth and latency, and what the log lines say of the transport."""
        if _SAVED.search(source.head):
            return _saved(source, self.tool)
        return _printed(source, self.tool, "the table has no rows", "let the benchmark run to its end")


@dataclasses.dataclass(frozen=True, slots=True)
class NcclLogReader:
    """Reads a log that holds lines of NCCL or RCCL; other lines are passed over."""

    tool: str = "nccl_debug_log"
    title: str = "NCCL log"
    versions: str = "NCCL 2.4 to 2.29, RCCL"

    def recognises(self, source: Source) -> bool:
        """Whether a line of the head is the library's."""
        return any(LINE.search(line) for line in source.head.split("\n"))

    def read(self, source: Source) -> Reading:
        """Return what the log says of transport, network and channels."""
        return _printed(source, self.tool, "no line names a transport", "log with NCCL_DEBUG=INFO from the start")


def _printed(source: Source, tool: str, nothing: str, hint: str) -> Reading:
    tell = Teller(file=source.shown, tool=tool)
    table, log = TableFacts(), LogFacts()
    messages: list[Message] = []
    for line, text in each_line(source, tell, messages):
        if log.take(line, text):
            table.take_glued(line, text)
        else:
            table.take(line, text)
    of_log = Teller(file=source.shown, tool="nccl_debug_log")
    found = list(table.observations(Teller(file=source.shown, tool="nccl_tests")))
    named = {observation.measurement for observation in found}
    found += [observation for observation in log.observations(of_log) if observation.measurement not in named]
    messages += tell.not_understood(table.odd, table.seen, first=table.first_odd)
    messages += [*table.messages(tell), *log.messages(of_log)]
    if not found or (tool == "nccl_tests" and not table.rows):
        messages.append(tell.warn("no-samples", nothing, hint=hint))
    return tell.reading(
        observations=tuple(found),
        messages=tuple(messages),
        lines_read=table.seen + log.seen,
        lines_not_understood=table.odd,
    )


def _saved(source: Source, tool: str) -> Reading:
    """Return what the JSON of ``-J`` says."""
    tell, table = Teller(file=source.shown, tool=tool), TableFacts()
    messages: list[Message] = []
    document = first_json(text_of(source, tell, messages))
    results = document.get("results") if isinstance(document, dict) else None
    for result in results if isinstance(results, list) else []:
        size, place = known(inside(result).get("size")), inside(result, "out_of_place")
        time, bus = known(place.get("time", place.get("cpu_time"))), known(place.get("bus_bw"))
        wrong = known(place.get("nwrong")) or 0.0
        if size is None or (time is None and bus is None):
            table.odd += 1
        else:
            table.rows.append(
                Row(size, None if time is None else time * 1e-6, None if bus is None else bus * 1e9, wrong)
            )
    _devices(document, table)
    found = list(table.observations(tell))
    if version := _version(document.get("nccl_version") if isinstance(document, dict) else None):
        found.append(tell.observe("collective_library_version", version, detail="nccl_version of the file"))
    messages += [*tell.not_understood(table.odd, table.odd + len(table.rows), first=None), *table.messages(tell)]
    if not table.rows:
        messages.append(tell.warn("no-samples", "it holds no results", hint="let the benchmark run to its end"))
    return tell.reading(
        observations=tuple(found),
        messages=tuple(messages),
        lines_read=table.odd + len(table.rows),
        lines_not_understood=table.odd,
    )


def _devices(document: object, table: TableFacts) -> None:
    """Take the ranks that a result lists: one entry for each, with its host and device."""
    devices = document.get("devices") if isinstance(document, dict) else None
    for place, each in enumerate(devices if isinstance(devices, list) else []):
        entry = inside(each)
        rank, host, name = known(entry.get("rank", place)), entry.get("hostname"), entry.get("device_info")
        if rank is not None and 0 <= rank < _RANKS and isinstance(host, str):
            table.ranks.setdefault(int(rank), 1)
            table.hosts.add(host)
            table.names |= {name.strip()[:80]} - {""} if isinstance(name, str) else set()


def _version(code: object) -> str:
    """Return a version as people write it; NCCL's own code of 2.29.2 is 22902.

    >>> _version(22902), _version("2.29.2"), _version(None)
    ('2.29.2', '2.29.2', '')
    """
    if isinstance(code, int) and not isinstance(code, bool) and code >= _CODED:
        return f"{code // 10000}.{code // 100 % 100}.{code % 100}"
    return str(code)[:40] if isinstance(code, str | int) and not isinstance(code, bool) else ""
