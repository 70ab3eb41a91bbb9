"""What the pictures of a report show, as data: numbers, labels and nothing of how they are drawn.

Every picture carries ``alt``, the sentence that says what is to be seen in it.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of a bar: ``term`` of the iron law (``device`` where its kind is unknown), and its share of the whole.

    Shares are of the time before the change, 0 to 1, so that all rows have one scale.
    """

    term: str
    label: str
    share: float
    text: str


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TermRow:
    """One bar: the time as it is, or as a lever could make it at best."""

    label: str
    text: str
    segments: tuple[Segment, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of the iron law before and after a lever, one bar each, drawn to one scale."""

    alt: str
    rows: tuple[TermRow, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """A roofline, its rates as shares of the peak: the roof meets the peak at ``ridge`` (FLOP/byte).

    ``achieved`` is the share of the peak that was reached at ``intensity``, or None where it is unknown.
    """

    alt: str
    ridge: float
    intensity: float
    achieved: float | None
    x_label: str
    y_label: str
    ridge_label: str
    point_label: str
    gap_label: str
    """How far the point lies under the roof; empty where that is unknown."""

    @property
    def attainable(self) -> float:
        """The share of the peak that the intensity allows."""
        return min(1.0, self.intensity / self.ridge)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How one cause fared: a share for each step, from before the first on. ``leads``: it is the one at the end."""

    label: str
    shares: tuple[float, ...]
    leads: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How the causes rose and fell step by step; ``starts`` stands at the left end, ``axis`` says what is drawn."""

    alt: str
    starts: str
    axis: str
    traces: tuple[Trace, ...]

    @property
    def steps(self) -> int:
        """How many steps there are after the beginning."""
        return max((len(trace.shares) for trace in self.traces), default=1) - 1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One box of a tree. ``kind``: the status of a hypothesis, the verb of a rule, or the truth of a condition."""

    kind: str
    text: str
    note: str = ""
    children: tuple[Node, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A proof: the conclusion, under it the rules that say so, under each the conditions with what they saw."""

    alt: str
    root: Node
