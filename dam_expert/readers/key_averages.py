r"""Tables of ``prof.key_averages().table()``: sums per name, with the columns of any version and device.

Device columns are named after the device (CUDA, XPU, PRIVATEUSE1, …) and each cell has its own unit. Rows beyond
``row_limit`` are missing, so what is not listed is unknown. The sum of device time counts overlapping streams twice:
over the steps it bounds the busy time from above.

>>> from dam_expert.readers.source import Source
>>> raw = b'''                       Name  Self CPU %    Self CPU  CPU total %   CPU total  CPU time avg  # of Calls
... -----------------------  ----------  ----------  -----------  ----------  ------------  ----------
...           ProfilerStep*        10.34%       2.013ms       100.00%      20.000ms       5.000ms             4
... enumerate(DataLoader)#_SingleProcessDataLoaderIter._...   3.76%  732.482us   25.00%   5.000ms   1.250ms    4
... Self CPU time total: 20.000ms'''
>>> reading = KeyAveragesReader().read(Source.of_bytes("table.txt", raw))
>>> {found.measurement: found.value for found in reading.observations}["input_wait_share"].mid
0.25
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import read_lines
from dam_expert.readers.series import checked
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^Name\s{2,}Self CPU(?: total)? %\s")
_FOOTER = re.compile(r"^(?:Self )?(\w+) time total: ([\d.]{1,20}(?:us|ms|s))")
_CELL = re.compile(r"^([\d.]{1,20})(us|ms|s)$")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_LOADER = re.compile(
    r"^(?:enumerate\(DataLoader\)#_(?:Single|Multi)Process"
    r"|(?:\.\.\.|…)\S{0,40}?(?:Single|Multi)Process\w{0,20}DataLoaderIter)"
)
_SYNC = re.compile(r"^(?:cuda|hip)(?:Device|Stream|Event)Synchronize$")
_LAUNCH = re.compile(r"^(?:cudaLaunchKernel(?:ExC)?|cuLaunchKernel(?:Ex)?|hip(?:Ext)?(?:Module)?LaunchKernel)$")
_COLLECTIVE = re.compile(
    r"^(?:void )?(?:nccl|rccl)\w*Kernel|^(?:\.\.\.|…).*(?:ncclDevKernel|ncclKernel|_(?:RING|TREE|NVLS)_(?:LL|SIMPLE))"
)
"""Names are cut at their ends, in some tools at their beginnings."""
_STEPS = "profile several warm steps with schedule(wait=…, warmup=…, active=…) and prof.step()"


@dataclasses.dataclass(slots=True)
class _Row:
    """Sums of the rows of one name; seconds, None where the table has no such column."""

    line: int
    self_cpu: float = 0.0
    cpu: float = 0.0
    self_device: float | None = None
    calls: float = 0.0


@dataclasses.dataclass(frozen=True, slots=True)
class KeyAveragesReader:
    """Reads one or several tables of one profile."""

    tool: str = "key_averages"
    title: str = "PyTorch profiler table"
    versions: str = "PyTorch 1.8 to 2.13"

    def recognises(self, source: Source) -> bool:
        """Whether a line is the header of such a table."""
        return any(_HEADER.match(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return step time, wait for input, calls and bounds on device time."""
        return read_lines(source, self.tool, _Tables())


@dataclasses.dataclass(slots=True)
class _Tables:
    """The state between lines; of a name in several tables the first table counts."""

    tables: list[dict[str, _Row]] = dataclasses.field(default_factory=list)
    totals: dict[str, float] = dataclasses.field(default_factory=dict)
    columns: list[str] = dataclasses.field(default_factory=list)

    def take(self, line: int, text: str) -> bool:
        footer = _FOOTER.match(text)
        if _HEADER.match(text):
            self.columns = re.split(r"\s{2,}", text)
            self.tables.append({})
        elif footer is not None:
            self.totals.setdefault("cpu" if footer[1] == "CPU" else "device", _seconds(footer[2]) or 0.0)
        elif self.columns and not re.fullmatch(r"[-\s]+", text):
            return self._row(line, text)
        return True

    def _row(self, line: int, text: str) -> bool:
        """Add one row, or return False. Further lines of a source location stand alone and are passed over."""
        cells = re.split(r"\s{2,}", text)
        if len(cells) == 1:
            return "Source Location" in self.columns
        values = dict(zip(self.columns, cells, strict=False))
        cpu = _seconds(values.get("CPU total", ""))
        calls = number(values.get("# of Calls", values.get("Number of Calls", "")))
        if calls is None and not {"# of Calls", "Number of Calls"} & set(self.columns):
            calls = 0.0  # tables of before 2020 have no such column
        if cpu is None or calls is None:
            return False
        row = self.tables[-1].setdefault(values["Name"], _Row(line=line))
        row.self_cpu += _seconds(values.get("Self CPU", values.get("Self CPU total", ""))) or 0.0
        row.cpu += cpu
        row.calls += calls
        device = next((name for name in self.columns if re.fullmatch(r"Self (?!CPU\b)\w+", name)), None)
        time = _seconds(values.get(device, "")) if device else None
        if time is not None:
            row.self_device = (row.self_device or 0.0) + time
        return True

    def rows(self) -> dict[str, _Row]:
        """Return the rows by name."""
        merged: dict[str, _Row] = {}
        for table in self.tables:
            for name, row in table.items():
                merged.setdefault(name, row)
        return merged

    def observations(self, tell: Teller) -> Iterator[Observation]:
        rows = self.rows()
        if rows:
            yield from _observations(rows, self.totals, tell)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        rows = self.rows()
        if not rows:
            yield tell.warn("no-rows", "the table has a header and no rows", hint="paste the whole table")
        elif "ProfilerStep*" not in rows:
            yield tell.note("no-steps", "the table lists no steps: shares of a step are unknown", hint=_STEPS)


def _seconds(cell: str) -> float | None:
    found = _CELL.match(cell)
    value = number(found[1]) if found else None
    return None if found is None or value is None else value * _SECONDS[found[2]]


def _observations(rows: dict[str, _Row], totals: dict[str, float], tell: Teller) -> Iterator[Observation]:
    step = rows.get("ProfilerStep*")
    has_device = any(row.self_device is not None for row in rows.values())
    if step is not None:
        yield tell.observe("step_marks", "true", line=step.line, detail="row ProfilerStep*")
    yield tell.observe("device_side", "true" if has_device else "false", detail="columns of a device")
    loaders = {name: row for name, row in rows.items() if _LOADER.match(name)}
    for name, row in loaders.items():
        mode = "single_process" if "SingleProcess" in name else "multi_process"
        yield tell.observe("loader_mode", mode, line=row.line, detail="name of the loader's row")
        break
    if step is None or step.calls <= 0 or step.cpu <= 0:
        return
    time, detail = step.cpu / step.calls, f"CPU total of {step.calls:g} steps"
    yield tell.observe("step_time", Interval.point(time), line=step.line, detail=detail)
    yield tell.observe("steps_captured", Interval.point(step.calls), line=step.line, detail="calls of ProfilerStep*")
    if loaders:
        wait, line = sum(row.cpu for row in loaders.values()), next(iter(loaders.values())).line
        yield checked(tell, "input_wait_share", wait / step.cpu, (), line, "CPU total of the loader over the steps")
        per_step = Interval.point(wait / step.calls)
        yield tell.observe("input_wait_time", per_step, line=line, detail="CPU total of the loader per step")
    yield from _calls(rows, step, tell)
    if has_device:
        yield from _device(rows, step, totals, tell)


def _calls(rows: dict[str, _Row], step: _Row, tell: Teller) -> Iterator[Observation]:
    """Yield shares of runtime calls; a synchronisation less often than once per step is the profiler's own."""
    syncs = [row for name, row in rows.items() if _SYNC.match(name) and row.calls >= step.calls]
    launches = [row for name, row in rows.items() if _LAUNCH.match(name)]
    for measurement, found in (("sync_time_share", syncs), ("launch_time_share", launches)):
        if found:
            share = sum(row.self_cpu for row in found) / step.cpu
            yield checked(tell, measurement, share, (), found[0].line, "self CPU of the calls over the steps")
    if launches:
        count = Interval.point(sum(row.calls for row in launches) / step.calls)
        yield tell.observe("kernels_per_step", count, line=launches[0].line, detail="launch calls per step")


def _device(rows: dict[str, _Row], step: _Row, totals: dict[str, float], tell: Teller) -> Iterator[Observation]:
    total = totals.get("device")
    if total is not None and 0 < total < step.cpu:
        detail = "upper bound: sum of all device time over the steps, overlap counted twice"
        yield tell.observe("device_busy_share", Interval(0.0, total / step.cpu), line=step.line, detail=detail)
    for measurement, pattern in (("communication_share", _COLLECTIVE), ("copy_share", re.compile(r"^Memcpy "))):
        found = [row for name, row in rows.items() if pattern.match(name) and row.self_device]
        if found:
            share = sum(row.self_device or 0.0 for row in found) / step.cpu
            yield checked(tell, measurement, share, (), found[0].line, "device time of the listed rows over the steps")
