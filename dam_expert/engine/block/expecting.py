"""What probes are judged by: what removing a suspect should gain, and what it can gain at most."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.block.judging import Older, gain_of, gain_of_share, share_of
from dam_expert.engine.block.spans import NOWHERE, Lookup, Span, low
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
        self, size: int, recoverable: Mapping[str, Span], most: Callable[[str], Span | None], miss: Span
    ) -> None:
        self._most = most
        """The largest factor that removing a hypothesis can give where something bounds it; None where nothing does."""
        self._lookup = Lookup(size)
        self._recoverable = recoverable
        self._gains: dict[int, Span] = {}
        self._miss = miss
        self._bars: dict[tuple[Column, tuple[str, ...]], Bars] = {}

    def bars(self, known: Known, column: Column, hypotheses: tuple[str, ...]) -> Bars:
        """Return by what the values of a probe of some suspects are judged."""
        key = (column, hypotheses)
        found = self._bars.get(key)
        if found is None:
            found = self._bars[key] = self._judged(known, known.span(column), hypotheses)
        return found

    def _judged(self, known: Known, value: Span, hypotheses: tuple[str, ...]) -> Bars:
        rows, lookup = value.rows, self._lookup
        no_effect, clear = known.base.constant(NO_EFFECT), known.base.constant(CLEAR_EFFECT)
        effect, lack, predicted = value.lo > clear, np.ones(len(rows), bool), np.zeros(len(rows), bool)
        for name in hypotheses:
            most = self._most(name)
            if most is not None:
                effect &= value.lo <= clear * lookup.values(most, low, np.inf, rows)
            gain = self._gain(name)
            if gain is not None:
                predicted |= lookup.knows(gain, rows)
                effect &= value.lo >= lookup.values(gain, _half_of_high, -np.inf, rows)
                lack &= lookup.values(gain, low, np.inf, rows) - 1.0 >= 2.0 * (no_effect - 1.0)
        effect &= predicted | (value.lo >= lookup.values(self._miss, _half_of_low, -np.inf, rows))
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

    def __init__(self, base: Base, known: Known) -> None:
        self.base = base
        self.known = known
        self._parts = {part.id: part.share for budget in base.budgets.values() for part in budget.model.parts}
        self._found: dict[object, Span | None] = {}

    def most(self, hypothesis: str) -> Span | None:
        """Return the factor where something bounds it; None where nothing does in any row."""
        model = self.base.hypotheses[hypothesis]
        key = (model.part, model.share)
        if key not in self._found:
            if model.part in self._parts:
                room: Span | None = self._room(self._parts[model.part])
            else:
                own = share_of(model, {}, Older(self.known))
                room = Span(own.rows, own.hi, own.hi) if own.rows.size else None
            if room is not None:
                most = gain_of_share(room.hi)
                room = Span(room.rows, most, most)
            self._found[key] = room
        return self._found[key]

    def _room(self, share: str) -> Span | None:
        """Return what the budgets with a part leave for it, where any of their parts is known."""
        size = self.known.size
        budgets = [b for b in self.base.budgets.values() if any(part.share == share for part in b.model.parts)]
        shares = dict.fromkeys(part.share for budget in budgets for part in budget.model.parts)
        is_known = np.zeros(size, bool)
        for name in shares:
            is_known[self.known.span(Column(name)).rows] = True
        rows = np.flatnonzero(is_known)
        if not rows.size:
            return None
        found, own = np.ones(size), self.known.span(Column(share))
        for budget in budgets:
            taken = np.zeros(size)
            for part in budget.model.parts:
                if not part.waiting and part.share != share:
                    other = self.known.span(Column(part.share))
                    taken[other.rows] += other.lo
            room = 1.0 - taken
            room[own.rows] = np.minimum(own.hi, room[own.rows])
            found = np.minimum(np.maximum(room, 0.0), found)
        return Span(rows, found[rows], found[rows])


def _half_of_low(gain: Span) -> Floats:
    """Return half of a gain, as a factor."""
    return 1.0 + (gain.lo - 1.0) / 2.0


def _half_of_high(gain: Span) -> Floats:
    return 1.0 + (gain.hi - 1.0) / 2.0


def nothing_expected(size: int) -> Expected:
    """Return what judges the probes of rules that do not decide: nothing."""
    return Expected(size, {}, lambda _: None, NOWHERE)
