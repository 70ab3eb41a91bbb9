"""Evidence: what fired rules say of hypotheses, their scores and statuses."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final, cast

from dam_expert.engine.executor import Strength

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.documents.vocabulary import EvidenceVerb, HypothesisStatus
    from dam_expert.engine.executor import Firing
    from dam_expert.kb.base import Base

POINTS: Final[Mapping[str, int]] = {"suggest": 1, "support": 2, "weaken": -2}

#: What a decisive verb becomes where an exception is unknown or the rule is on trial.
SOFTENED: Final[Mapping[str, EvidenceVerb]] = {"confirm": "support", "refute": "weaken"}

#: A hypothesis whose evidence adds up to this is supported.
SUPPORTED_FROM: Final = 2


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
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
        on_trial = rule.model.status == "test"
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


def standings(base: Base, pieces: Iterable[Piece]) -> Standings:
    """Weigh the evidence: confirmation goes up to the ancestors, refutation down to the descendants, at once."""
    found = tuple(pieces)
    own = frozenset(piece.hypothesis for piece in found if piece.verb == "confirm")
    denied = frozenset(piece.hypothesis for piece in found if piece.verb == "refute")
    of_each: dict[str, list[Piece]] = {}
    for piece in found:
        of_each.setdefault(piece.hypothesis, []).append(piece)
    score = {name: _score(of_each.get(name, ())) for name in base.hypotheses}
    above = own.union(*(base.hypotheses[other].ancestors for other in own))
    status: dict[str, HypothesisStatus] = {}
    for name, hypothesis in base.hypotheses.items():
        confirmed = name in above
        refuted = name in denied or any(ancestor in denied for ancestor in hypothesis.ancestors)
        if confirmed and refuted:
            status[name] = "conflicting"
        elif confirmed:
            status[name] = "confirmed"
        elif refuted:
            status[name] = "refuted"
        else:
            status[name] = "supported" if score[name] >= SUPPORTED_FROM else "candidate"
    return Standings(pieces=found, score=score, status=status, own=own)


def _score(pieces: Iterable[Piece]) -> int:
    plus: dict[str, int] = {}
    minus: dict[str, int] = {}
    for piece in pieces:
        points = POINTS.get(piece.verb, 0)
        plus[piece.group] = max(plus.get(piece.group, 0), points)
        minus[piece.group] = min(minus.get(piece.group, 0), points)
    return sum(plus.values()) + sum(minus.values())
