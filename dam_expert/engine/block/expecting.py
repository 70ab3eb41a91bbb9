"""What probes are judged by: what removing a suspect should gain, and what it can gain at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.block.judging import Older, gain_of, gain_of_share, share_of
from dam_expert.engine.block.spans import NOWHERE, Lookup, Span
from dam_expert.language.conditions import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dam_expert.engine.block.known import Known
    from dam_expert.engine.block.spans import Floats, Places
    from dam_expert.kb.base import Base


class Expected:
    """What probes are judged by: predicted gains, the most that is possible by hypothesis, and the miss."""

    def __init__(
        self, size: int, recoverable: Mapping[str, Span], most: Callable[[str], Span | None], miss: Span
    ) -> None:
        self.most = most
        """The largest factor that removing a hypothesis can give where something bounds it; None where nothing does."""
        self.lookup = Lookup(size)
        self._recoverable = recoverable
        self._gains: dict[int, Span] = {}
        self._miss = miss

    def gain(self, hypothesis: str, rows: Places) -> tuple[Floats, Floats] | None:
        """Return the predicted gain in some rows, NaN where it is unknown; None where it is in every row."""
        recoverable = self._recoverable.get(hypothesis)
        if recoverable is None:
            return None
        gain = self._gains.get(id(recoverable))  # hypotheses of one part share one span
        if gain is None:
            gain = self._gains[id(recoverable)] = gain_of(recoverable)
        return self.lookup.ends(gain, rows)

    def miss(self, rows: Places) -> Floats:
        """Return by what factor the target is missed at least in some rows, NaN where that is unknown."""
        return self.lookup.ends(self._miss, rows)[0]


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


def nothing_expected(size: int) -> Expected:
    """Return what judges the probes of rules that do not decide: nothing."""
    return Expected(size, {}, lambda _: None, NOWHERE)
