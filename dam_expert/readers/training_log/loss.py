"""The course of the training loss: levels, a line through its last half, and values that are no numbers.

Whether a loss counts as flat is for the knowledge base to say; here it is measured. Only a loss that is not a number
to the end of the log is diverging by definition.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.documents.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

FITTED = 8
"""Points that a line is fitted through at least: with fewer, its scatter says nothing."""


def loss_observations(losses: Sequence[tuple[int | None, float]], tell: Teller) -> Iterator[Observation]:
    """Yield what (line, loss) pairs in order of the steps tell of the training loss."""
    known = [(line, value) for line, value in losses if math.isfinite(value)]
    lost = next((at for at in range(len(losses), 0, -1) if math.isfinite(losses[at - 1][1])), 0)
    if len(losses) - lost >= 2:
        detail = f"not a number in the last {len(losses) - lost} entries"
        yield tell.observe("loss_trend", "diverging", line=losses[lost][0], detail=detail)
        return
    if not known:
        return
    values = [value for _, value in known]
    tenth = max(len(values) // 10, 1)
    if len(values) > 1:
        early, detail = float(np.mean(values[:tenth])), f"mean of the first {tenth} of {len(values)} entries"
        yield tell.observe("training_loss_early", Interval.point(early), line=known[0][0], detail=detail)
    late, detail = float(np.mean(values[-tenth:])), f"mean of the last {tenth} of {len(values)} entries"
    yield tell.observe("training_loss", Interval.point(late), line=known[-tenth][0], detail=detail)
    yield from _late(known[len(known) // 2 :], tell)


def _late(half: Sequence[tuple[int | None, float]], tell: Teller) -> Iterator[Observation]:
    """Yield change and scatter over the last half, relative to its level."""
    values = np.array([value for _, value in half])
    level = float(abs(values.mean()))
    if len(values) < FITTED or level == 0.0 or not math.isfinite(level):
        return
    at = np.arange(len(values), dtype=float)
    slope, start = np.polyfit(at, values, 1)
    scatter = float((values - (slope * at + start)).std())
    detail = f"line through the last {len(values)} entries"
    change = Interval.point(float(slope) * (len(values) - 1) / level)
    yield tell.observe("loss_change_late", change, line=half[0][0], detail=detail)
    yield tell.observe("loss_noise_late", Interval.point(scatter / level), line=half[0][0], detail=detail)


def rate_observations(rates: Sequence[tuple[int | None, float]], tell: Teller) -> Iterator[Observation]:
    """Yield how much of its maximum is left of the learning rate at the end of the log."""
    known = [(line, value) for line, value in rates if math.isfinite(value) and value >= 0]
    largest = max((value for _, value in known), default=0.0)
    if len(known) > 1 and largest > 0:
        share = Interval.point(known[-1][1] / largest)
        yield tell.observe("learning_rate_late_share", share, line=known[-1][0], detail="last over largest")
