"""What single processes use, kept for those that use most.

>>> from dam_expert.readers.interface import Teller
>>> processes = Processes()
>>> processes.add("7", "/usr/bin/python3 train.py", "process_cpu_cores", 1.5, 4)
>>> found = list(processes.observations(Teller(file="x", tool="y"), {"process_cpu_cores": 2}))
>>> [(each.value.lo, each.origin.detail) for each in found]
[(0.75, 'python3: sum over the rows, divided by 2 intervals')]
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

SHOWN = 20
"""Processes that are told of each measurement, those with the largest values; a host runs thousands."""

KEPT = 20_000
"""Processes that are remembered; more come only from broken files."""


@dataclasses.dataclass(slots=True)
class Processes:
    """Samples by process, with the command that it runs."""

    series: Series = dataclasses.field(default_factory=Series)
    commands: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is no sample."""
        return not self.series.pairs()

    def add(self, process: str, command: str, measurement: str, value: float, line: int | None) -> None:
        """Add one sample of a process."""
        if process not in self.commands:
            if len(self.commands) >= KEPT:
                return
            self.commands[process] = _program(command)
        self.series.add(process, measurement, value, line)

    def observations(self, tell: Teller, intervals: Mapping[str, int]) -> Iterator[Observation]:
        """Yield the largest values. ``intervals``: how many intervals the sum of a rate is divided by."""
        measurements = dict.fromkeys(measurement for _, measurement in self.series.pairs())
        for measurement in measurements:
            yield from self._largest(tell, measurement, intervals.get(measurement))

    def _largest(self, tell: Teller, measurement: str, intervals: int | None) -> Iterator[Observation]:
        values: dict[str, float] = {}
        for process in self.commands:
            count = self.series.count(process, measurement)
            if count:
                values[process] = self.series.total(process, measurement) / (intervals or count)
        ordered = sorted(values, key=lambda process: (-values[process], len(process), process))
        shown = [process for process in ordered[:SHOWN] if values[process]]
        for process in shown or ordered[:1]:  # where all are 0, one says so
            how = f"sum over the rows, divided by {intervals} intervals" if intervals else "mean over its rows"
            yield tell.observe(
                measurement,
                Interval.point(values[process]),
                scope=(("process", process),),
                line=self.series.line(process, measurement),
                detail=f"{self.commands[process]}: {how}",
            )


def _program(command: str) -> str:
    """Return the name of the program: arguments and folders may hold what is not to be shown.

    >>> _program("/home/me/bin/python3 train.py --token abc"), _program("|__kworker/0:1H"), _program("")
    ('python3', 'kworker/0:1H', 'process')
    """
    first = (command.split() or [""])[0]
    name = first.rpartition("/")[2] if first.startswith(("/", ".", "~")) else first.lstrip("|_")
    return name[:32] or "process"
