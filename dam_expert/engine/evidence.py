"""Evidence: what fired rules say of hypotheses, their scores and statuses."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Final, cast

import msgspec

from dam_expert.engine.executor import Strength

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dam_expert.documents.vocabulary import EvidenceVerb, HypothesisStatus
    from dam_expert.engine.executor import Firing
    from dam_expert.kb.base import Base

POINTS: Final[Mapping[str, int]] = {"suggest": 1, "support": 2, "weaken": -2}

#: What a decisive verb becomes where an exception is unknown or the rule is on trial.
SOFTENED: Final[Mapping[str, EvidenceVerb]] = {"confirm": "support", "refute": "weaken"}

#: A hypothesis whose evidence adds up to this is supported.
SUPPORTED_FROM: Final = 2


class Piece(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One piece of evidence. ``group``: of several in a group only the strongest plus and minus count."""

    rule: str
    hypothesis: str
    verb: EvidenceVerb
    group: str
    on_trial: bool = False

    @property
    def speaks_for(self) -> bool:
        """Whether it speaks for the hypothesis."""
        return self.verb in ("suggest", "support", "confirm")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """All evidence and what follows: scores, statuses, and which hypotheses their own rules confirm."""

    pieces: tuple[Piece, ...]
    score: Mapping[str, int]
    status: Mapping[str, HypothesisStatus]
    own: frozenset[str]
    """Confirmed by their own rules, not through a child."""


def pieces_of(base: Base, firings: Iterable[Firing]) -> list[Piece]:
    """Return the evidence that fired rules give."""
    pieces = []
    for firing in firings:
        rule = base.rules[firing.rule]
        on_trial = rule.status == "test"
        for verb, hypothesis in rule.conclusions:
            said = SOFTENED.get(verb, verb) if on_trial or firing.strength is Strength.REDUCED else verb
            if said in POINTS or said in SOFTENED:
                pieces.append(
                    Piece(
                        rule=rule.id,
                        hypothesis=hypothesis,
                        verb=cast("EvidenceVerb", said),
                        group=rule.group,
                        on_trial=on_trial,
                    )
                )
    return pieces


def standings(base: Base, given: Iterable[Piece]) -> Standings:
    """Weigh the evidence: confirmation goes up to the ancestors, refutation down to the descendants, at once."""
    found = tuple(given)
    own = frozenset(piece.hypothesis for piece in found if piece.verb == "confirm")
    denied = frozenset(piece.hypothesis for piece in found if piece.verb == "refute")
    nothing = _nothing_said(base)
    score, status = nothing[0].copy(), nothing[1].copy()
    for name, pieces in pieces_by_hypothesis(found).items():
        score[name] = score_of(pieces)
        if score[name] >= SUPPORTED_FROM:
            status[name] = "supported"
    for name in denied:
        status.update(dict.fromkeys(members(base)[name], "refuted"))
    for name in own.union(*(base.hypotheses[other].ancestors for other in own)):
        status[name] = "conflicting" if status[name] == "refuted" else "confirmed"
    return Standings(pieces=found, score=score, status=status, own=own)


@functools.lru_cache(maxsize=8)
def _nothing_said(base: Base) -> tuple[dict[str, int], dict[str, HypothesisStatus]]:
    """Return score and status of every hypothesis of which nothing is said, to be copied."""
    return dict.fromkeys(base.hypotheses, 0), dict.fromkeys(base.hypotheses, "candidate")


def settles(base: Base, stands: Standings) -> frozenset[str]:
    """Return the confirmed hypotheses beside which nothing of the target is missed."""
    return frozenset(
        name for name, status in stands.status.items() if status == "confirmed" and base.hypotheses[name].model.settles
    )


def without(stands: Standings, names: frozenset[str]) -> Standings:
    """Return the standings in which some confirmed hypotheses are candidates: what confirms them speaks of less."""
    status: dict[str, HypothesisStatus] = {**stands.status, **dict.fromkeys(names, "candidate")}
    return dataclasses.replace(stands, status=status, own=stands.own - names)


@functools.lru_cache(maxsize=8)
def members(base: Base) -> Mapping[str, tuple[str, ...]]:
    """Return by hypothesis itself and what refines it, in the order of the base."""
    found: dict[str, list[str]] = {name: [] for name in base.hypotheses}
    for name, hypothesis in base.hypotheses.items():
        for above in (name, *hypothesis.ancestors):
            found[above].append(name)
    return {name: tuple(each) for name, each in found.items()}


def pieces_by_hypothesis(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """Return the evidence by the hypothesis it speaks of."""
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.hypothesis, []).append(piece)
    return found


def score_of(pieces: Sequence[Piece]) -> int:
    """Return what the evidence for one hypothesis adds up to."""
    if len(pieces) == 1:
        return POINTS.get(pieces[0].verb, 0)
    plus: dict[str, int] = {}
    minus: dict[str, int] = {}
    for piece in pieces:
        points = POINTS.get(piece.verb, 0)
        plus[piece.group] = max(plus.get(piece.group, 0), points)
        minus[piece.group] = min(minus.get(piece.group, 0), points)
    return sum(plus.values()) + sum(minus.values())
