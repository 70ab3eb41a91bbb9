"""What probes are judged by: what removing a suspect should gain, and what it can gain at most."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.block.judging import gain_of, gain_of_share
from dam_expert.engine.block.spans import NOWHERE, Span, Standing
from dam_expert.engine.block.words import of_masks
from dam_expert.kb.base import CLEAR_EFFECT, NO_EFFECT
from dam_expert.language.conditions import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dam_expert.engine.block.known import Known
    from dam_expert.engine.block.spans import Floats
    from dam_expert.engine.block.words import Words
    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True)
class Bars:
    """Where the value of a probe passes for an effect of its suspects, and where its lack would tell.

    ``small_lack`` is where moreover the value is less than what counts as no effect. All three only where it is known.
    """

    effect: Words
    lack: Words
    small_lack: Words


class Expected:
    """What probes are judged by: predicted gains, the most that is possible by hypothesis, and the miss."""

    def __init__(
        self, size: int, recoverable: Mapping[str, Span], most: Callable[[str], Floats | None], miss: Span
    ) -> None:
        self._most = most
        """The largest factor that removing a hypothesis can give by row; None where nothing bounds it in any row."""
        self._recoverable = recoverable
        self._gains: dict[int, Span] = {}
        self._wanted = np.full(size, -np.inf)
        """What an effect has to reach where no gain is predicted: half of what the target is missed by."""
        self._wanted[miss.rows] = _half(miss.lo)
        self._standing = Standing(size)
        self._bars: dict[tuple[Column, tuple[str, ...]], Bars] = {}

    def bars(self, known: Known, column: Column, hypotheses: tuple[str, ...]) -> Bars:
        """Return by what the values of a probe of some suspects are judged."""
        key = (column, hypotheses)
        found = self._bars.get(key)
        if found is None:
            found = self._bars[key] = self._judged(known, known.span(column), hypotheses)
        return found

    def _judged(self, known: Known, value: Span, hypotheses: tuple[str, ...]) -> Bars:
        rows = value.rows
        no_effect, clear = known.base.constant(NO_EFFECT), known.base.constant(CLEAR_EFFECT)
        effect, lack, wanted = value.lo > clear, np.ones(len(rows), bool), self._wanted[rows]
        self._standing.among(rows)
        for name in hypotheses:
            gain = self._gain(name)
            if gain is not None:
                seen = self._standing.seen(gain)
                wanted[seen.rows] = -np.inf
                effect[seen.rows] &= value.lo[seen.rows] >= _half(seen.hi)
                lack[seen.rows] &= seen.lo - 1.0 >= 2.0 * (no_effect - 1.0)
            most = self._most(name)
            if most is not None:
                effect &= value.lo <= clear * most[rows]
        effect &= value.lo >= wanted
        return Bars(*of_masks(rows, (effect, lack, lack & (value.hi < no_effect)), known.size))

    def _gain(self, hypothesis: str) -> Span | None:
        """Return the predicted gain; None where it is unknown in every row."""
        recoverable = self._recoverable.get(hypothesis)
        if recoverable is None:
            return None
        gain = self._gains.get(id(recoverable))  # hypotheses of one part share one span
        if gain is None:
            gain = self._gains[id(recoverable)] = gain_of(recoverable)
        return gain


class Room:
    """By hypothesis the largest factor that removing it can give beside the work that takes the time."""

    def __init__(self, base: Base, known: Known, shares: Mapping[str, Span]) -> None:
        self.base = base
        self.known = known
        self._shares = shares
        """The shares of hypotheses, in which what is older than a change stands for the present."""
        self._parts = {part.id: part.share for budget in base.budgets.values() for part in budget.model.parts}
        self._found: dict[object, Floats | None] = {}
        self._standing = Standing(known.size)

    def most(self, hypothesis: str) -> Floats | None:
        """Return the factor by row, infinite where nothing bounds it; None where nothing does in any row."""
        model = self.base.hypotheses[hypothesis]
        key = (model.part, model.share)
        if key not in self._found:
            if model.part is None:
                room = self._shares.get(hypothesis, NOWHERE)
            else:
                room = self._room(self._parts[model.part]) if model.part in self._parts else NOWHERE
            found = None
            if room.rows.size:
                found = np.full(self.known.size, np.inf)
                found[room.rows] = gain_of_share(room.hi)
            self._found[key] = found
        return self._found[key]

    def _room(self, share: str) -> Span:
        """Return what the budgets with a part leave for it, where any of their parts is known."""
        budgets = [b for b in self.base.budgets.values() if any(part.share == share for part in b.model.parts)]
        shares = dict.fromkeys(part.share for budget in budgets for part in budget.model.parts)
        is_known = np.zeros(self.known.size, bool)
        for name in shares:
            is_known[self.known.span(Column(name)).rows] = True
        rows = np.flatnonzero(is_known)
        self._standing.among(rows)
        own, found = self._standing.seen(self.known.span(Column(share))), np.ones(len(rows))
        for budget in budgets:
            taken = np.zeros(len(rows))
            for part in budget.model.parts:
                if not part.waiting and part.share != share:
                    other = self._standing.seen(self.known.span(Column(part.share)))
                    taken[other.rows] += other.lo
            room = 1.0 - taken
            room[own.rows] = np.minimum(own.hi, room[own.rows])
            found = np.minimum(np.maximum(room, 0.0), found)
        return Span(rows, found, found)


def _half(gain: Floats) -> Floats:
    """Return half of a gain, as a factor."""
    return 1.0 + (gain - 1.0) / 2.0


def nothing_expected(size: int) -> Expected:
    """Return what judges the probes of rules that do not decide: nothing."""
    return Expected(size, {}, lambda _: None, NOWHERE)
