"""What holds for any input whatever, and the run that looks for one for which it does not.

    PYTHONPATH=tests:. python -m fuzz.trial --minutes 10 [--group training] [--first 1]

prints the number of a failing input and why; ``damaged(random.Random(number), seeds(group))`` makes it again.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import signal
import sys
import time
import traceback
from typing import TYPE_CHECKING, TypeVar

from fuzz.corpus import GROUPS, seeds
from fuzz.damage import damaged, without_a_number, without_zeros

from dam_expert.documents.intervals import Interval
from dam_expert.readers.parts import parts_of, recogniser
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.readers.interface import Reading

T = TypeVar("T")

SECONDS = 20
"""No input of a megabyte takes this long, however busy the machine."""

GROWTH = 512 * 2**20
"""Bytes that the process may grow by, all in all: inputs are of a megabyte at most."""


def read(data: bytes) -> list[Reading]:
    """Read any bytes with the readers that recognise them; an exception of a reader is not caught."""
    source = Source.of_bytes("fuzz", data)
    found = [part.numbered(part.reader.read(part.source)) for part in parts_of(source, READERS)]
    reader = recogniser(source, READERS)
    return found or ([reader.read(source)] if reader is not None else [])


def check(group: str, number: int) -> None:
    """Read one damaged input: it ends in time, with messages or finite values, and lines of the file."""
    data = damaged(random.Random(number), seeds(group))
    for reading in _within(data):
        assert reading.observations or reading.messages, "it says nothing"
        for each in reading.observations:
            assert each.complaint or isinstance(each.value, str | Interval), each
            if isinstance(each.value, Interval):
                assert math.isfinite(each.value.lo), each
                assert not math.isnan(each.value.hi), each


def check_absent(group: str, number: int) -> None:
    """Make one number of a sound input unavailable: no quantity becomes 0 that was none before."""
    chance = random.Random(number)
    data = without_zeros(chance.choice(seeds(group)))
    changed = without_a_number(chance, data)
    if changed is None:
        return
    before, after = (_zeros(_within(each)) for each in (data, changed))
    assert after <= before, f"unavailable became 0: {after - before}"


def _zeros(readings: list[Reading]) -> set[str]:
    """Return the quantities, but counts, that are exactly 0."""
    return {
        each.measurement
        for reading in readings
        for each in reading.observations
        if isinstance(each.value, Interval) and each.value.lo == each.value.hi == 0.0
    }


def _within(data: bytes) -> list[Reading]:
    return within(lambda: read(data))


def within(action: Callable[[], T]) -> T:
    """Do something that has to end in time. Raises TimeoutError."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not done after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        return action()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> int:
    """Try inputs until the time is over; print those that fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--group", choices=GROUPS, action="append")
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    failures = 0
    for group in given.group or GROUPS:
        seeds(group)
        start, number, grown = time.monotonic(), given.first, peak()
        while time.monotonic() - start < 60 * given.minutes:
            for trial in (check, check_absent):
                try:
                    trial(group, number)
                except Exception as error:
                    failures += 1
                    last = traceback.extract_tb(error.__traceback__)[-1]
                    print(f"{group} {trial.__name__} {number}: {error!r} at {last.name}:{last.lineno}", flush=True)
            number += 1
        print(f"{group}: {number - given.first} inputs, grown by {(peak() - grown) >> 20} MiB", flush=True)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
