"""Puts the hypotheses of every row in order, and finds what binds.

The rank of a hypothesis in a row is one whole number, the smaller the earlier, made of the same parts as for a single
incident (:meth:`dam_expert.engine.verdict.Judge.verdict`): track, status, what could be recovered or the score,
depth, and last the order by prior and id, by which it also names the hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from dam_expert.documents.vocabulary import TRACKS
from dam_expert.engine.block.judging import CANDIDATE, CONFIRMED, CONFLICTING, SUPPORTED, Statuses
from dam_expert.engine.block.spans import NOWHERE, Bools, Floats, Lookup, Places
from dam_expert.engine.block.words import Words, none, packed, unpacked
from dam_expert.engine.verdict import LEVELS, PRIOR_ORDER
from dam_expert.kb.base import WORTH_RECOVERING

if TYPE_CHECKING:
    from dam_expert.engine.block.judging import Scores, Shares
    from dam_expert.engine.block.spans import Span
    from dam_expert.kb.base import Base

Ranks = npt.NDArray[np.int64]
Names = npt.NDArray[np.int32]

NOBODY: Final = -1
_LAST: Final = np.int64(2**63 - 1)
_LEVEL_BITS: Final = LEVELS.bit_length()
_DEPTHS: Final = 15
_SCORES: Final = 1024
"""More than any score, so that what is subtracted from it stays positive."""


class Layout:
    """What ranking needs of a base, and where each part of a rank stands."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.hypotheses = list(base.hypotheses.values())
        self.worth = base.constant(WORTH_RECOVERING)
        priors = {h.id: PRIOR_ORDER[h.model.prior] for h in self.hypotheses}
        order = sorted(
            range(len(self.hypotheses)), key=lambda i: (priors[self.hypotheses[i].id], self.hypotheses[i].id)
        )
        self.last = np.array(order, np.int32)
        """The hypotheses in the order that settles ties."""
        self.place = np.empty(len(order), np.int64)
        self.place[order] = np.arange(len(order))
        self.depth_at = max(len(order).bit_length(), 1)
        self.body_at = self.depth_at + _DEPTHS.bit_length()
        self.status_at = self.body_at + 2 * _LEVEL_BITS
        self.off_at = self.status_at + 3
        self.depth = [min(len(h.ancestors), _DEPTHS) for h in self.hypotheses]
        self.family = [
            [i for i, h in enumerate(self.hypotheses) if h.id == root.id or root.id in h.ancestors]
            for root in self.hypotheses
        ]
        """By hypothesis which are itself or descend from it."""
        self.roots = [i for i, h in enumerate(self.hypotheses) if not h.ancestors and h.bottleneck != "none"]
        self.innocent = [i for i, h in enumerate(self.hypotheses) if h.bottleneck == "none"]
        start = (_DEPTHS << self.depth_at) + ((LEVELS + (_SCORES << _LEVEL_BITS)) << self.body_at)
        self.blank = self.place + start + (CANDIDATE << self.status_at)
        """By hypothesis its rank where nothing is known of it, on its track."""
        self.on = np.array([[track in h.tracks for track in TRACKS] for h in self.hypotheses]).reshape(-1, len(TRACKS))

    def named(self, ranks: Ranks) -> Names:
        """Return the hypothesis that each rank names; NOBODY where there is none."""
        found = self.last[np.where(ranks == _LAST, 0, ranks & ((1 << self.depth_at) - 1))]
        return np.where(ranks == _LAST, np.int32(NOBODY), found)


class Ranking:
    """The ranks of one block, made when they are asked for."""

    def __init__(
        self, layout: Layout, statuses: Statuses, scores: Scores, shares: Shares, track: npt.NDArray[np.int8]
    ) -> None:
        self.layout = layout
        self.statuses = statuses
        self.scores = scores
        self.shares = shares
        self.size = scores.shape[1]
        self.track = track
        tracks = [packed(track == code) for code in range(len(TRACKS))]
        self._tracks = [words if words.any() else None for words in tracks]
        self._lookup = Lookup(self.size)
        self._on: dict[tuple[bool, ...], Bools] = {}
        self._worthy = self._worth_recovering()
        """Where what could be recovered of a hypothesis is worth it."""
        self._binding = {
            i: rows
            for i, h in enumerate(layout.hypotheses)
            if h.id in statuses.confirmed and (rows := statuses.confirmed[h.id] & self.on_track(i)).any()
        }
        """Where each hypothesis is confirmed and binds on the track."""

    def _worth_recovering(self) -> dict[int, Places]:
        found = {}
        for place, h in enumerate(self.layout.hypotheses):
            span = self.shares.recoverable.get(h.id)
            if span is not None:
                rows = span.rows[span.mid >= self.layout.worth]
                if rows.size:
                    found[place] = rows
        return found

    def _is_on_track(self, place: int) -> Bools:
        on = tuple(self.layout.on[place].tolist())
        if on not in self._on:
            self._on[on] = self.layout.on[place][self.track]
        return self._on[on]

    def on_track(self, place: int) -> Words:
        """Return where a hypothesis is of the track."""
        found = none(self.size)
        for code, rows in enumerate(self._tracks):
            if rows is not None and self.layout.on[place, code]:
                found = found | rows
        return found

    def first(self, n: int) -> tuple[Ranks, Names]:
        """Return the ranks of the best hypothesis, and the first n in order, row by row.

        Something is known of a tenth of the hypotheses of a row; of the track all else stands behind in one order.
        """
        held = np.full((n, self.size), _LAST)
        for place in range(len(self.layout.hypotheses)):
            rows = self._notable(place)
            if rows.size:
                _insert(held, rows, self.rank(place, rows))
        self._fill(held)
        rest = np.flatnonzero(held[-1] == _LAST)
        if rest.size:  # too little is left of the track
            held[:, rest] = _LAST
            for place in range(len(self.layout.hypotheses)):
                _insert(held, rest, self.rank(place, rest))
        return held[0], np.column_stack([self.layout.named(ranks) for ranks in held])

    def _notable(self, place: int) -> Places:
        """Return where a hypothesis of the track stands before those of which nothing is known."""
        codes, scores = self.statuses.codes[place], self.scores[place]
        notable = codes <= SUPPORTED
        if scores.any():
            notable |= (codes == CANDIDATE) & (scores > 0)
        worthy = self._worthy.get(place)
        if worthy is not None:
            notable[worthy] |= (codes[worthy] == CANDIDATE) & (scores[worthy] == 0)
        return np.flatnonzero(notable & self._is_on_track(place))

    def _fill(self, held: npt.NDArray[np.int64]) -> None:
        """Put hypotheses of the track of which nothing is known behind the others, as far as there is room."""
        n, count = len(held), (held != _LAST).sum(axis=0)
        for code in np.unique(self.track).tolist():
            rows = np.flatnonzero((self.track == code) & (count < n))
            for place in self.layout.last[self.layout.on[self.layout.last, code]].tolist():
                if not rows.size:
                    break
                blank = (self.statuses.codes[place][rows] == CANDIDATE) & (self.scores[place][rows] == 0)
                worthy = self._worthy.get(place)
                if worthy is not None:
                    blank &= ~np.isin(rows, worthy, assume_unique=True)
                here = rows[blank]
                held[count[here], here] = self.layout.blank[place]
                count[here] += 1
                rows = rows[count[rows] < n]

    def binding(self) -> Names:
        """Return what binds in every row: of the root that gives back most, the deepest confirmed descendant."""
        roots = self._competing()
        worthy = np.zeros(self.size, bool)
        for rows, recoverable, _ in roots.values():
            worthy[rows[recoverable >= self.layout.worth]] = True
        sizes = {
            root: levels(np.where(worthy[rows], recoverable, share))
            for root, (rows, recoverable, share) in roots.items()
        }
        largest = np.full(self.size, -1, np.int64)
        for root, (rows, _, _) in roots.items():
            largest[rows] = np.maximum(largest[rows], sizes[root])
        winner = np.full(self.size, _LAST)
        for root, (rows, _, _) in roots.items():
            at = rows[sizes[root] == largest[rows]]
            winner[at] = np.minimum(winner[at], self.rank(root, at))
        return self._deepest(self.layout.named(winner), list(roots))

    def _deepest(self, winner: Names, roots: list[int]) -> Names:
        binding = np.full(self.size, NOBODY, np.int32)
        for root in roots:
            rows = np.flatnonzero(winner == root)
            best = np.full(len(rows), np.iinfo(np.uint64).max, np.uint64)
            for member in self.layout.family[root] if len(rows) else ():
                confirmed = self._binding.get(member)
                if confirmed is None:
                    continue
                here = np.flatnonzero(unpacked(confirmed, self.size)[rows])
                depth = np.uint64((_DEPTHS - self.layout.depth[member]) << 60)
                rank = (self.rank(member, rows[here]) & ((1 << 60) - 1)).astype(np.uint64) | depth
                best[here] = np.minimum(best[here], rank)
            binding[rows] = self.layout.named((best & np.uint64((1 << 60) - 1)).astype(np.int64))
        return binding

    def in_dispute(self) -> Words:
        """Return where a conflicting hypothesis of the track weighs as much as what would bind, or nothing would."""
        challenger = np.full(self.size, -1, np.int64)
        disputed = none(self.size)
        for place, h in enumerate(self.layout.hypotheses):
            conflicting = self.statuses.conflicting.get(h.id)
            if conflicting is None or not (words := conflicting & self.on_track(place)).any():
                continue
            disputed = disputed | words
            rows = np.flatnonzero(unpacked(words, self.size))
            challenger[rows] = np.maximum(challenger[rows], _both(*self._weights(place, rows)))
        if not disputed.any():
            return disputed
        strongest = np.full(self.size, -1, np.int64)
        for rows, recoverable, share in self._competing().values():
            strongest[rows] = np.maximum(strongest[rows], _both(recoverable, share))
        return disputed & packed(challenger >= strongest)

    def _competing(self) -> dict[int, tuple[Places, Floats, Floats]]:
        """Return the roots with a confirmed member on the track: where, and what each weighs there."""
        found = {}
        for root in self.layout.roots:
            words = [self._binding[member] for member in self.layout.family[root] if member in self._binding]
            if words:
                rows = np.flatnonzero(unpacked(np.bitwise_or.reduce(words), self.size))
                found[root] = (rows, *self._weights(root, rows))
        return found

    def _weights(self, place: int, rows: Places) -> tuple[Floats, Floats]:
        """Return recoverable share and share, of the largest binding member of the family where its own is unknown."""
        return self._weight(place, rows, self.shares.recoverable), self._weight(place, rows, self.shares.share)

    def _weight(self, place: int, rows: Places, known: dict[str, Span]) -> Floats:
        own = self._lookup.middle(known.get(self.layout.hypotheses[place].id, NOWHERE), rows)
        missing = np.isnan(own)
        if not missing.any():
            return own
        largest = np.zeros(len(rows))
        for member in self.layout.family[place]:
            span = known.get(self.layout.hypotheses[member].id)
            if span is None or member not in self._binding:
                continue
            middle = self._lookup.middle(span, rows)
            counts = unpacked(self._binding[member], self.size)[rows] & ~np.isnan(middle)
            largest = np.where(counts, np.maximum(largest, middle), largest)
        return np.where(missing, largest, own)

    def rank(self, place: int, rows: Places) -> Ranks:
        """Return the rank of a hypothesis in some rows."""
        layout, name = self.layout, self.layout.hypotheses[place].id
        codes, scores = self.statuses.codes[place][rows], self.scores[place][rows]
        body = LEVELS + ((_SCORES - scores.astype(np.int64)) << _LEVEL_BITS)
        if place in self._worthy:
            body -= self._lookup.values(self.shares.recoverable[name], self._counting, 0, rows)
        depth = np.full(len(rows), _DEPTHS, np.int64)
        if name in self.statuses.confirmed or name in self.statuses.conflicting:
            decided = np.flatnonzero(codes <= CONFLICTING)
            body[decided] = self._gives_back(name, rows[decided])
            if layout.hypotheses[place].model.settles:
                body[decided[codes[decided] == CONFIRMED]] = 0
            depth[decided[codes[decided] == CONFIRMED]] -= layout.depth[place]
        rank: Ranks = layout.place[place] + (depth << layout.depth_at) + (body << layout.body_at)
        rank += codes.astype(np.int64) << layout.status_at
        rank += (~layout.on[place])[self.track[rows]].astype(np.int64) << layout.off_at
        return rank

    def _gives_back(self, name: str, rows: Places) -> Ranks:
        """Return by what a confirmed or conflicting hypothesis ranks: what could be recovered, and its share."""
        recoverable, share = (
            self._lookup.values(known.get(name, NOWHERE), _levels_of, 0, rows)
            for known in (self.shares.recoverable, self.shares.share)
        )
        found: Ranks = ((LEVELS - recoverable) << _LEVEL_BITS) + (LEVELS - share)
        return found

    def _counting(self, span: Span) -> Ranks:
        """Return the levels of what could be recovered where that is worth it."""
        return np.where(span.mid >= self.layout.worth, _levels_of(span), 0)


def _insert(held: npt.NDArray[np.int64], rows: Places, ranks: Ranks) -> None:
    """Put ranks among the best that are held of some rows."""
    for best in held:
        now = best[rows]
        best[rows] = np.minimum(now, ranks)
        ranks = np.maximum(now, ranks)


def _levels_of(span: Span) -> Ranks:
    return levels(span.mid)


def levels(share: Floats) -> Ranks:
    """Return shares in the steps in which they rank, as :func:`dam_expert.engine.verdict.level` does one."""
    return np.rint(np.clip(share, 0.0, 1.0) * LEVELS).astype(np.int64)


def _both(recoverable: Floats, share: Floats) -> Ranks:
    return (levels(recoverable) << _LEVEL_BITS) + levels(share)
