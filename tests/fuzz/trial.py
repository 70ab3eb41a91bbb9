"""What holds for any input whatever, and the run that looks for one for which it does not.

    PYTHONPATH=tests:. python -m fuzz.trial --minutes 10 [--group training] [--reader iostat] [--first 1]

prints the number of a failing input and why; ``damaged(random.Random(number), seeds(group))`` makes it again. A group
is read as files are, by whatever recognises it. ``--reader`` (a part of a title, ``all`` for each) hands one reader
what was made of its own inputs, recognised or not.
"""

from __future__ import annotations

import argparse
import functools
import math
import random
import resource
import signal
import sys
import time
import traceback
from typing import TYPE_CHECKING, TypeVar

from fuzz.corpus import GROUPS, seeds, seeds_of
from fuzz.damage import damaged, without_a_number, without_zeros

from dam_expert.documents.intervals import Interval
from dam_expert.readers.between import others
from dam_expert.readers.parts import parts_of, recogniser
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dam_expert.readers.interface import Reading

T = TypeVar("T")

SECONDS = 20
"""No input of a megabyte takes this long, however busy the machine."""

GROWTH = 512 * 2**20
"""Bytes that the process may grow by, all in all: inputs are of a megabyte at most."""


def read(data: bytes) -> list[Reading]:
    """Read any bytes with the readers that recognise them; an exception of a reader is not caught."""
    source = Source.of_bytes("fuzz", data)
    parts = parts_of(source, READERS)
    outputs = [(part.source, part.reader) for part in parts] or [(source, recogniser(source, READERS))]
    found = [first.read(each) for each, first in outputs if first is not None]
    return found + [reader.read(each) for each, first in outputs for reader in others(each, first, READERS)]


def check(group: str, number: int) -> None:
    """Read one damaged input: it ends in time, with messages or finite values, and lines of the file."""
    _sound(_within(damaged(random.Random(number), seeds(group))))


def check_reader(place: int, number: int) -> None:
    """Hand one damaged input to the reader at a place of the registry, recognised or not: the same holds."""
    data = damaged(random.Random(number), seeds_of(place))
    _sound([within(lambda: READERS[place].read(Source.of_bytes("fuzz", data)))])


def _sound(readings: list[Reading]) -> None:
    for reading in readings:
        assert reading.observations or reading.messages, "it says nothing"
        for each in reading.observations:
            assert each.complaint or isinstance(each.value, str | Interval), each
            if isinstance(each.value, Interval):
                assert math.isfinite(each.value.lo), each
                assert not math.isnan(each.value.hi), each


def check_absent(group: str, number: int) -> None:
    """Make one number of a sound input unavailable: no quantity becomes 0 that was none before."""
    _no_new_zero(seeds(group), _within, number)


def check_reader_absent(place: int, number: int) -> None:
    """Hand the reader at a place of the registry an input of which one number is unavailable: the same holds."""
    _no_new_zero(
        seeds_of(place), lambda data: [within(lambda: READERS[place].read(Source.of_bytes("fuzz", data)))], number
    )


def _no_new_zero(inputs: Sequence[bytes], taken: Callable[[bytes], list[Reading]], number: int) -> None:
    chance = random.Random(number)
    data = without_zeros(chance.choice(inputs))
    changed = without_a_number(chance, data)
    if changed is None:
        return
    before, after = (_zeros(taken(each)) for each in (data, changed))
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
    parser.add_argument("--reader", action="append", default=[], help="a part of its title, or all")
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    failures = 0
    for place, reader in enumerate(READERS):
        if any(each == "all" or each in reader.title for each in given.reader):
            trials = (functools.partial(check_reader, place), functools.partial(check_reader_absent, place))
            failures += _until(reader.title, trials, given.minutes, given.first)
    for group in given.group or (() if given.reader else GROUPS):
        seeds(group)
        trials = (functools.partial(check, group), functools.partial(check_absent, group))
        failures += _until(group, trials, given.minutes, given.first)
    print(f"{failures} failures")
    return 1 if failures else 0


def _until(name: str, trials: Sequence[Callable[[int], None]], minutes: float, first: int) -> int:
    """Try one number after the other for some minutes; return how many failed."""
    failures, start, number, grown = 0, time.monotonic(), first, peak()
    while time.monotonic() - start < 60 * minutes:
        for trial in trials:
            try:
                trial(number)
            except Exception as error:
                failures += 1
                last = traceback.extract_tb(error.__traceback__)[-1]
                what = getattr(trial, "func", trial).__name__
                print(f"{name} {what} {number}: {error!r} at {last.name}:{last.lineno}", flush=True)
        number += 1
    print(f"{name}: {number - first} inputs, grown by {(peak() - grown) >> 20} MiB", flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(main())
