"""Puts the hypotheses of every row in order, and finds what binds.

The rank of a hypothesis in a row is one whole number, the smaller the earlier, made of the same parts as for a single
incident (:meth:`dam_expert.engine.verdict.Judge.verdict`): track, status, what could be recovered or the score,
depth, and last the order by prior and id, by which it also names the hypothesis.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from dam_expert.documents.vocabulary import TRACKS
from dam_expert.engine.block.judging import CANDIDATE, CONFIRMED, CONFLICTING, SUPPORTED, Statuses
from dam_expert.engine.block.spans import NOWHERE, Bools, Floats, Places, Standing
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
_NO_ROWS: Final[Places] = np.zeros(0, np.intp)
_NO_RANKS: Final[Ranks] = np.zeros(0, np.int64)


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
        self._names = np.append(self.last, np.int32(NOBODY))
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
        bodies = LEVELS + ((_SCORES - np.r_[0:_SCORES, -_SCORES:0]) << _LEVEL_BITS)
        self.by_score = (_DEPTHS << self.depth_at) + (bodies << self.body_at)
        """By score, those below 0 from the end, what is part of the rank of each hypothesis that is not decided."""
        on = [[track in h.tracks for track in TRACKS] for h in self.hypotheses]
        self.on = np.array(on, bool).reshape(-1, len(TRACKS))
        """By hypothesis the tracks that it is of."""

    def named(self, ranks: Ranks) -> Names:
        """Return the hypothesis that each rank names; NOBODY where there is none."""
        found: Names = self._names[np.where(ranks == _LAST, -1, ranks & ((1 << self.depth_at) - 1))]
        return found


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
        self._standing = Standing(self.size)
        self._on: dict[tuple[bool, ...], Bools] = {}
        self._worthy = self._worth_recovering()
        """Where what could be recovered of a hypothesis is worth it, and how much that is."""
        self._binding = {
            i: rows
            for i, h in enumerate(layout.hypotheses)
            if h.id in statuses.confirmed and (rows := statuses.confirmed[h.id] & self.on_track(i)).any()
        }
        """Where each hypothesis is confirmed and binds on the track."""
        self._confirmed = {i: self._ranked(i, words) for i, words in self._binding.items()}
        """The same as rows, with its ranks there."""

    def _worth_recovering(self) -> dict[int, tuple[Places, Ranks]]:
        found = {}
        for place, h in enumerate(self.layout.hypotheses):
            span = self.shares.recoverable.get(h.id)
            if span is not None:
                worth = span.mid >= self.layout.worth
                if worth.any():
                    found[place] = (span.rows[worth], levels(span.mid[worth]))
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
        before = np.zeros(self.size, np.uint8)
        for place in range(len(self.layout.hypotheses)):
            before += ((self.statuses.codes[place] <= SUPPORTED) & self._is_on_track(place)).view(np.uint8)
        is_open = before < n  # elsewhere no candidate is among the first
        for place in range(len(self.layout.hypotheses)):
            for rows, ranks in (self._decided(place), self._undecided(place, is_open)):
                if rows.size:
                    _insert(held, rows, ranks)
        self._fill(held)
        rest = np.flatnonzero(held[-1] == _LAST)
        if rest.size:  # too little is left of the track
            held[:, rest] = _LAST
            for place in range(len(self.layout.hypotheses)):
                _insert(held, rest, self.rank(place, rest))
        return held[0], np.column_stack([self.layout.named(ranks) for ranks in held])

    def _decided(self, place: int) -> tuple[Places, Ranks]:
        """Return where a hypothesis of the track is confirmed or conflicting, and its ranks there."""
        rows, ranks = self._confirmed.get(place, (_NO_ROWS, _NO_RANKS))
        words = self.statuses.conflicting.get(self.layout.hypotheses[place].id)
        if words is None or not (words := words & self.on_track(place)).any():
            return rows, ranks
        more, more_ranks = self._ranked(place, words)
        return np.concatenate([rows, more]), np.concatenate([ranks, more_ranks])

    def _undecided(self, place: int, is_open: Bools) -> tuple[Places, Ranks]:
        """Return where a hypothesis of the track stands before those of which nothing is known, and its ranks there.

        That is where it is supported, and where something speaks for a candidate that may still be among the first.
        """
        codes, scores, worthy = self.statuses.codes[place], self.scores[place], self._worthy.get(place)
        notable = scores > 0
        if worthy is not None:
            notable[worthy[0]] = scores[worthy[0]] >= 0
        notable &= (codes == SUPPORTED) | ((codes == CANDIDATE) & is_open)
        notable &= self._is_on_track(place)
        rows = np.flatnonzero(notable)
        return rows, self._rank_of_undecided(place, rows) if rows.size else _NO_RANKS

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
                    blank &= ~np.isin(rows, worthy[0], assume_unique=True)
                here = rows[blank]
                held[count[here], here] = self.layout.blank[place]
                count[here] += 1
                rows = rows[count[rows] < n]

    def binding(self) -> Names:
        """Return what binds in every row: of the root that gives back most, the deepest confirmed descendant."""
        roots = self._competing
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
        equal = {root: rows[sizes[root] == largest[rows]] for root, (rows, _, _) in roots.items()}
        rivals = np.zeros(self.size, np.uint8)
        for rows in equal.values():
            rivals[rows] += 1
        winner = np.full(self.size, _LAST)
        for root, rows in equal.items():
            is_alone = rivals[rows] == 1
            winner[rows[is_alone]] = self.layout.place[root]
            several = rows[~is_alone]
            winner[several] = np.minimum(winner[several], self.rank(root, several))
        return self._deepest(self.layout.named(winner), list(roots))

    def _deepest(self, winner: Names, roots: list[int]) -> Names:
        """Return of the family of each row's winner the deepest member that is confirmed there."""
        best = np.full(self.size, _LAST)
        for root in roots:
            for member in self.layout.family[root]:
                rows, ranks = self._confirmed.get(member, (_NO_ROWS, _NO_RANKS))
                here = winner[rows] == root
                at = rows[here]
                # of what is confirmed on the track status and track add nothing to the rank: depth may stand there
                depth = np.int64((_DEPTHS - self.layout.depth[member]) << self.layout.status_at)
                best[at] = np.minimum(best[at], ranks[here] + depth)
        return self.layout.named(best)

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
        for rows, recoverable, share in self._competing.values():
            strongest[rows] = np.maximum(strongest[rows], _both(recoverable, share))
        return disputed & packed(challenger >= strongest)

    def _ranked(self, place: int, words: Words) -> tuple[Places, Ranks]:
        """Return some rows in which a hypothesis is confirmed or conflicting, and its ranks there."""
        rows = np.flatnonzero(unpacked(words, self.size))
        return rows, self._rank_of_decided(place, rows)

    @functools.cached_property
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
        self._standing.among(rows)
        count = len(rows)
        return self._weight(place, count, self.shares.recoverable), self._weight(place, count, self.shares.share)

    def _weight(self, place: int, count: int, known: dict[str, Span]) -> Floats:
        """Return the middles of what is known of a hypothesis in the rows among which its family stands."""
        largest = np.zeros(count)
        for member in self.layout.family[place]:
            span, confirmed = known.get(self.layout.hypotheses[member].id), self._confirmed.get(member)
            if span is not None and confirmed is not None:
                binds = np.zeros(self.size, bool)
                binds[confirmed[0]] = True
                seen = self._standing.seen(span.where(binds))
                largest[seen.rows] = np.maximum(largest[seen.rows], seen.mid)
        own = self._standing.seen(known.get(self.layout.hypotheses[place].id, NOWHERE))
        largest[own.rows] = own.mid
        return largest

    def rank(self, place: int, rows: Places) -> Ranks:
        """Return the rank of a hypothesis in some rows."""
        decided = self.statuses.codes[place][rows] <= CONFLICTING
        rank = np.empty(len(rows), np.int64)
        rank[decided] = self._rank_of_decided(place, rows[decided])
        rank[~decided] = self._rank_of_undecided(place, rows[~decided])
        rank += (~self.layout.on[place])[self.track[rows]].astype(np.int64) << self.layout.off_at
        return rank

    def _rank_of_undecided(self, place: int, rows: Places) -> Ranks:
        """Return the rank on the track where a hypothesis is neither confirmed nor conflicting."""
        layout = self.layout
        rank: Ranks = layout.by_score[self.scores[place][rows]] + layout.place[place]
        rank += self.statuses.codes[place][rows].astype(np.int64) << layout.status_at
        worthy = self._worthy.get(place)
        if worthy is not None:
            gives_back = np.zeros(self.size, np.int64)
            gives_back[worthy[0]] = worthy[1] << layout.body_at
            rank -= gives_back[rows]
        return rank

    def _rank_of_decided(self, place: int, rows: Places) -> Ranks:
        """Return the rank on the track where a hypothesis is confirmed or conflicting.

        It goes by what could be recovered, and then by its share.
        """
        layout, h = self.layout, self.layout.hypotheses[place]
        codes = self.statuses.codes[place][rows]
        body = np.full(len(rows), (LEVELS << _LEVEL_BITS) + LEVELS)
        self._standing.among(rows)
        for known, bits in ((self.shares.recoverable, _LEVEL_BITS), (self.shares.share, 0)):
            seen = self._standing.seen(known.get(h.id, NOWHERE))
            body[seen.rows] -= levels(seen.mid) << bits
        depth = np.where(codes == CONFIRMED, _DEPTHS - layout.depth[place], _DEPTHS)
        if h.model.settles:
            body[codes == CONFIRMED] = 0
        rank: Ranks = layout.place[place] + (depth << layout.depth_at) + (body << layout.body_at)
        rank += codes.astype(np.int64) << layout.status_at
        return rank


def _insert(held: npt.NDArray[np.int64], rows: Places, ranks: Ranks) -> None:
    """Put ranks among the best that are held of some rows."""
    for best in held:
        now = best[rows]
        best[rows] = np.minimum(now, ranks)
        ranks = np.maximum(now, ranks)


def levels(share: Floats) -> Ranks:
    """Return shares in the steps in which they rank, as :func:`dam_expert.engine.verdict.level` does one."""
    return np.rint(np.clip(share, 0.0, 1.0) * LEVELS).astype(np.int64)


def _both(recoverable: Floats, share: Floats) -> Ranks:
    return (levels(recoverable) << _LEVEL_BITS) + levels(share)
