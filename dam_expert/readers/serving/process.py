"""Whether two scrapes are of one process, by what they say themselves.

A process keeps the time of its start and the creation times of its counters. Where a scrape states them to the second,
two that agree are of one process, and two that differ are not, whatever else they share: replicas of one model may even
use one device. A rounded time (``1.7e+09``, 0) tells nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.readers.serving.change import grows
from dam_expert.readers.serving.exposition import named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.readers.serving.exposition import Scrape

DIGITS: Final = 6
"""Significant digits from which a time that two scrapes share is that of one process."""

_START: Final = "process_start_time_seconds"


def is_one_process(one: Scrape, other: Scrape) -> bool | None:
    """Return whether two scrapes are of one process; None where neither says anything that tells.

    A scrape that states when its process began, beside one that does not, is of another process.
    """
    births = _births(one), _births(other)
    shared = births[0].keys() & births[1].keys()
    if any(births[0][key] != births[1][key] for key in shared):
        return False
    if any(significant_digits(births[0][key]) >= DIGITS for key in shared):
        return True
    if any(births) and not shared:
        return False
    return True if _has_same_seconds(one, other) else None


def share_a_device(one: Scrape, other: Scrape) -> bool | None:
    """Return whether two scrapes name a device in common; None where one of them names none."""
    devices = [{each.label("gpu_uuid") for each in scrape.values()} - {""} for scrape in (one, other)]
    return bool(devices[0] & devices[1]) if all(devices) else None


def significant_digits(value: float) -> int:
    """Return how many digits of a number are stated.

    >>> [significant_digits(value) for value in (12.3456, 1.7e9, 1733000123.25, 0.0)]
    [6, 2, 12, 0]
    """
    mantissa = repr(value).split("e")[0].removesuffix(".0").replace(".", "").strip("0-")
    return len(mantissa)


def _births(scrape: Scrape) -> Mapping[object, float]:
    """Return when a process and its counters began, 0 left out: some exporters write it for unknown."""
    told = [*named(scrape, _START), *(each for each in scrape.values() if each.name.endswith("_created"))]
    found = {(each.name, each.labels): each.value for each in told}
    return {key: value for key, value in found.items() if value > 0.0}


def _has_same_seconds(one: Scrape, other: Scrape) -> bool:
    """Whether a counter stands at the same broken number in both: no two processes spend the same seconds.

    Whole numbers are alike in two processes that did the same, and short ones by chance.
    """
    return any(
        grows(sample)
        and not sample.value.is_integer()
        and sample.value == other[key].value
        and significant_digits(sample.value) >= DIGITS
        for key, sample in one.items()
        if key in other
    )
