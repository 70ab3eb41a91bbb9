"""The verdict: how hypotheses rank, what binds, and the status of axes and of the whole diagnosis."""

from __future__ import annotations

import bisect
import dataclasses
import functools
from typing import TYPE_CHECKING, Final, TypeAlias

from dam_expert.documents.vocabulary import AXES
from dam_expert.engine.budget import Shares, gain
from dam_expert.engine.evidence import SUPPORTED_FROM, members
from dam_expert.kb.base import WORTH_RECOVERING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.documents.intervals import Interval
    from dam_expert.documents.vocabulary import Axis, DiagnosisStatus, HypothesisStatus, Track
    from dam_expert.engine.evidence import Standings
    from dam_expert.kb.base import Base

_STATUS_ORDER: Final[Mapping[HypothesisStatus, int]] = {
    "confirmed": 0,
    "conflicting": 1,
    "supported": 2,
    "candidate": 3,
    "refuted": 4,
}
PRIOR_ORDER: Final = {"common": 0, "usual": 1, "rare": 2}
LEVELS: Final = 2**20
"""Steps in which shares rank: two that differ by less than a millionth are equal, whatever rounding made of them."""
#: By track, status, weight, depth, prior and id.
_Rank: TypeAlias = tuple[bool, int, int, int, int, int, str]
#: Terms without a share of time: nothing is recovered by a factor.
_NO_CEILING: Final = ("fit", "learning")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What the verdict needs beside the evidence: the track, and whether a target or reference was given.

    ``beside_target``: the target is met, and what is judged is a failure on another track.
    """

    track: Track
    has_target: bool
    percentile_target: bool
    resolved: bool = False
    beside_target: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What binds and how everything ranks. ``leading``: the binding hypothesis, else the first if it is supported."""

    status: DiagnosisStatus
    binding: str | None
    leading: str | None
    secondary: tuple[str, ...]
    ranked: tuple[str, ...]
    axes: Mapping[Axis, tuple[HypothesisStatus, str | None]]


class Judge:
    """Applies the order of section "verdict" of the design to one incident."""

    def __init__(self, base: Base, standings: Standings, shares: Shares, situation: Situation) -> None:
        self._base = base
        self._standings = standings
        self._shares = shares
        self._situation = situation
        self._worth = base.constant(WORTH_RECOVERING)
        self._told = [name for name, status in standings.status.items() if status != "candidate"]
        self._confirmed = [name for name in self._told if standings.status[name] == "confirmed"]
        self._ranks: dict[str, _Rank] = {}
        self._families: dict[tuple[str, bool], list[str]] = {}

    def verdict(self) -> Verdict:
        """Return the verdict."""
        ranked = self._ranked()
        told = sorted(self._told, key=self._rank)
        roots = self._confirmed_roots()
        settled = self._settled()
        binding = self._named(roots[0]) if roots and not settled else None
        secondary = tuple(self._named(root) for root in roots[0 if settled else 1 :])
        secondary += tuple(name for name in self._confirmed_elsewhere() if name not in secondary)
        first = ranked[0] if ranked else None
        leading = binding or (first if first is not None and self._status(first) == "supported" else None)
        if leading is not None and (settled or not self._on_track(leading)):
            leading = None
        return Verdict(
            status=self._diagnosis_status(binding, leading, roots),
            binding=binding,
            leading=leading,
            secondary=secondary,
            ranked=ranked,
            axes={axis: self._axis(axis, ranked, told) for axis in AXES},
        )

    def ceiling(self, name: str) -> Interval | None:
        """Return the most that removing a hypothesis can gain, or None where that is unknown or has no meaning."""
        recoverable = self._shares.recoverable.get(name)
        return None if recoverable is None or not self.has_ceilings(name) else gain(recoverable)

    def has_ceilings(self, name: str) -> bool:
        """Whether a gain in time says anything of the target: not for fit and learning, nor for a percentile."""
        return self._base.hypotheses[name].term not in _NO_CEILING and not self._situation.percentile_target

    def _status(self, name: str) -> HypothesisStatus:
        return self._standings.status[name]

    def _on_track(self, name: str) -> bool:
        return self._situation.track in self._base.hypotheses[name].tracks

    def _recoverable(self, name: str) -> float:
        value = self._shares.recoverable.get(name)
        return 0.0 if value is None else value.mid

    def _share(self, name: str) -> float:
        value = self._shares.share.get(name)
        return 0.0 if value is None else value.mid

    def _ranked(self) -> tuple[str, ...]:
        """Return all hypotheses in their order; most are where they are when nothing is known."""
        still = _ranks_of_the_unknown(self._base, self._situation.track)
        moved = {name for name in self._shares.recoverable if self._recoverable(name) >= self._worth}
        moved.update(self._told)
        moved.update(piece.hypothesis for piece in self._standings.pieces)
        ranks = still | {name: self._rank(name) for name in moved}
        ranked = [name for name in still if name not in moved]
        for name in moved:
            bisect.insort(ranked, name, key=ranks.__getitem__)
        return tuple(ranked)

    def _rank(self, name: str) -> _Rank:
        rank = self._ranks.get(name)
        if rank is None:
            rank = self._ranks[name] = self._rank_of(name)
        return rank

    def _rank_of(self, name: str) -> _Rank:
        status = self._status(name)
        recoverable = self._recoverable(name)
        if status == "confirmed" and self._base.hypotheses[name].model.settles:
            weight: tuple[int, int] = (-LEVELS, -LEVELS)
        elif status in ("confirmed", "conflicting"):
            weight = (-level(recoverable), -level(self._share(name)))
        else:
            weight = (-self._standings.score[name], -level(recoverable) if recoverable >= self._worth else 0)
        depth = -len(self._base.hypotheses[name].ancestors) if status == "confirmed" else 0
        prior = PRIOR_ORDER[self._base.hypotheses[name].model.prior]
        return (not self._on_track(name), _STATUS_ORDER[status], *weight, depth, prior, name)

    def _confirmed_roots(self) -> list[str]:
        """Return the confirmed roots of the track, the binding one first: by what they could give back, or by share."""
        roots = [name for name in self._roots_above_confirmed() if self._family(name)]
        small = all(self._weight(name)[0] < self._worth for name in roots)
        return sorted(roots, key=lambda name: (-level(self._weight(name)[1 if small else 0]), self._rank(name)))

    def _confirmed_elsewhere(self) -> list[str]:
        """Return the deepest confirmed hypotheses of other tracks."""
        return [
            self._named(name)
            for name in self._roots_above_confirmed()
            if self._status(name) == "confirmed" and not self._family(name)
        ]

    def _roots_above_confirmed(self) -> list[str]:
        """Return the roots with anything confirmed in their tree, in the order of the base; innocent ones are none."""
        hypotheses = self._base.hypotheses
        roots = {hypotheses[name].root for name in self._confirmed}
        return [name for name in _roots(self._base) if name in roots] if roots else []

    def _settled(self) -> bool:
        """Whether a hypothesis is confirmed beside which nothing is missed."""
        return any(self._base.hypotheses[name].model.settles for name in self._confirmed)

    def _family(self, root: str, *, on_track: bool = True) -> list[str]:
        """Return what is confirmed of a root and its descendants: all of it, or only what binds on the track."""
        family = self._families.get((root, on_track))
        if family is None:
            within = members(self._base)[root]
            family = [name for name in self._confirmed if name in within and (not on_track or self._on_track(name))]
            self._families[root, on_track] = family
        return family

    def _named(self, root: str) -> str:
        """Return the deepest confirmed descendant of a root, on the track if any is; or the root itself."""
        family = self._family(root) or self._family(root, on_track=False)
        return min(family, key=lambda name: (-len(self._base.hypotheses[name].ancestors), self._rank(name)))

    def _diagnosis_status(self, binding: str | None, leading: str | None, roots: list[str]) -> DiagnosisStatus:
        if self._situation.resolved:
            return "resolved"
        disputed = [name for name in self._told if self._status(name) == "conflicting" and self._on_track(name)]
        strongest = max(map(self._levels, roots), default=None)
        if disputed and (strongest is None or max(map(self._levels, disputed)) >= strongest):
            return "conflicting"
        if binding is not None:
            return "confirmed"
        if self._settled():
            return "no_fault"
        innocent = any(
            self._base.hypotheses[name].bottleneck == "none" and self._on_track(name) for name in self._confirmed
        )
        if innocent and self._situation.has_target:
            return "no_fault"
        return "supported" if leading is not None else "undetermined"

    def _weight(self, name: str) -> tuple[float, float]:
        """Return the recoverable share and the share, of the largest confirmed member where its own is not known."""
        members = self._family(name)
        recoverable, share = self._shares.recoverable, self._shares.share
        return (
            self._recoverable(name) if name in recoverable else max(map(self._recoverable, members), default=0.0),
            self._share(name) if name in share else max(map(self._share, members), default=0.0),
        )

    def _levels(self, name: str) -> tuple[int, int]:
        recoverable, share = self._weight(name)
        return level(recoverable), level(share)

    def _axis(self, axis: Axis, ranked: tuple[str, ...], told: list[str]) -> tuple[HypothesisStatus, str | None]:
        """Return the best status among the hypotheses in which the axis is dominant and that may speak for it."""
        speaking = _speaking(self._base)[axis]
        heard = (name for name in told if name in speaking)
        best = min(heard, key=lambda name: _STATUS_ORDER[self._axis_status(name)], default=None)
        if best is not None and _STATUS_ORDER[self._axis_status(best)] < _STATUS_ORDER["candidate"]:
            return (self._axis_status(best), best)
        first = next((name for name in ranked if name in speaking and self._axis_status(name) == "candidate"), None)
        return ("candidate", first) if best is None or first is not None else (self._axis_status(best), best)

    def _axis_status(self, name: str) -> HypothesisStatus:
        """Return the status for an axis: that of a hypothesis confirmed only through a child, by its own evidence."""
        status = self._status(name)
        if name in self._standings.own or status not in ("confirmed", "conflicting"):
            return status
        if status == "conflicting":
            return "refuted"
        return "supported" if self._standings.score[name] >= SUPPORTED_FROM else "candidate"


@functools.lru_cache(maxsize=32)
def _ranks_of_the_unknown(base: Base, track: Track) -> dict[str, _Rank]:
    """Return by hypothesis its place on a track while nothing is known of it, in the order of the places."""
    ranks: dict[str, _Rank] = {
        name: (track not in one.tracks, _STATUS_ORDER["candidate"], 0, 0, 0, PRIOR_ORDER[one.model.prior], name)
        for name, one in base.hypotheses.items()
    }
    return dict(sorted(ranks.items(), key=lambda pair: pair[1]))


@functools.lru_cache(maxsize=8)
def _roots(base: Base) -> tuple[str, ...]:
    """Return the hypotheses that refine none, without those by which nothing is at fault."""
    return tuple(name for name, one in base.hypotheses.items() if not one.ancestors and one.bottleneck != "none")


@functools.lru_cache(maxsize=8)
def _speaking(base: Base) -> Mapping[Axis, frozenset[str]]:
    """Return by axis the hypotheses in which it is dominant and that may speak for it."""
    found: dict[Axis, set[str]] = {axis: set() for axis in AXES}
    for name, one in base.hypotheses.items():
        if one.region and not (one.bottleneck == "quality" and not one.ancestors and one.children):
            found[one.region[0]].add(name)
    return {axis: frozenset(names) for axis, names in found.items()}


def level(share: float) -> int:
    """Return a share in the steps in which shares rank.

    >>> level(0.5) == LEVELS // 2, level(0.1 + 0.2) == level(0.3)
    (True, True)
    """
    return round(min(max(share, 0.0), 1.0) * LEVELS)
