"""The iron law of a step as it was observed: exposed parts, the term of each, and what removing it gives at most."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.physics.amdahl import ceiling

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """An exposed part. Shares and gains are ranges from low to high.

    ``terms`` are those of the law that it may belong to: several where the kind of the device time is unknown. The gain
    is that of removing it, None for work on the device, whose distance to the roof is not known here.
    """

    title: str
    terms: tuple[str, ...]
    share: tuple[float, float]
    gain: tuple[float, float] | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class StepParts:
    """The parts, the largest first, the time they are parts of (None if not observed), and what none explains."""

    total_s: tuple[float, float] | None
    parts: tuple[Part, ...]
    residual: tuple[float, float]


def part(title: str, terms: Sequence[str], share: tuple[float, float], *, waits: bool) -> Part:
    """Return a part; one that waits can go as a whole.

    >>> part("input", ["data_movement"], (0.5, 0.5), waits=True).gain
    (2.0, 2.0)
    """
    low, high = (float(ceiling(end)) for end in share)
    return Part(title=title, terms=tuple(terms), share=share, gain=(low, high) if waits else None)
