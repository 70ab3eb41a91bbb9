"""Shares, scores, statuses and the verdict of a block, as columns of hypotheses by rows of incidents."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.engine.block.spans import Bools, Floats, Span, unknown
from dam_expert.engine.budget import WORK
from dam_expert.engine.evidence import POINTS, SUPPORTED_FROM
from dam_expert.kb.base import WORTH_RECOVERING
from dam_expert.language.conditions import Column
from dam_expert.physics.amdahl import ceiling, recoverable_share
from dam_expert.physics.budget import exceeds

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from dam_expert.engine.block.known import Known
    from dam_expert.kb.base import Base, Budget, Hypothesis

    Codes = npt.NDArray[np.int8]

#: Statuses as codes, in the order in which hypotheses rank.
CONFIRMED, CONFLICTING, SUPPORTED, CANDIDATE, REFUTED = range(5)
STATUS_WORDS: Final = ("confirmed", "conflicting", "supported", "candidate", "refuted")
_PRIOR: Final = {"common": 0, "usual": 1, "rare": 2}


@dataclasses.dataclass(frozen=True, slots=True)
class Shares:
    """By hypothesis what it costs and what removing it could give back; absent where unknown in every row."""

    share: dict[str, Span]
    recoverable: dict[str, Span]


def shares_of(base: Base, known: Known) -> Shares:
    """Compute the share of every hypothesis, through its budget part or its own formula."""
    parts, waiting = _parts(base, known)
    share: dict[str, Span] = {}
    recoverable: dict[str, Span] = {}
    for hypothesis in base.hypotheses.values():
        own = _share(hypothesis, parts, known)
        if own is None:
            continue
        share[hypothesis.id] = own
        if hypothesis.attained is not None:
            recoverable[hypothesis.id] = _missing_part(own, known.value_of(hypothesis.attained))
        elif waiting.get(hypothesis.part or "", hypothesis.bottleneck not in WORK and hypothesis.part is None):
            recoverable[hypothesis.id] = own
    return Shares(share, recoverable)


def overfull(base: Base, known: Known) -> dict[str, Bools]:
    """Return by measurement in which rows the parts of a budget with it add up to more than the whole."""
    found: dict[str, Bools] = {}
    for budget in base.budgets.values():
        beyond = exceeds(_taken(budget, known), budget.tolerance)
        for part in budget.model.parts if beyond.any() else ():
            found[part.share] = found[part.share] | beyond if part.share in found else beyond
    return found


def most_gained(base: Base, known: Known) -> dict[str, Floats]:
    """Return by hypothesis the largest factor that removing it can give; infinite where nothing bounds it."""
    rooms: dict[str, Floats] = {}
    for budget in base.budgets.values():
        spans = {part.share: known.span(Column(part.share)) for part in budget.model.parts}
        work = [part.share for part in budget.model.parts if not part.waiting]
        least = {name: np.where(spans[name].known, spans[name].lo, 0.0) for name in work}
        for part in budget.model.parts:
            share = spans[part.share]
            room = 1.0 - sum((low for other, low in least.items() if other != part.share), np.zeros(known.block.size))
            room = np.where(share.known, np.minimum(share.hi, room), room)
            rooms[part.share] = np.minimum(np.maximum(room, 0.0), rooms.get(part.share, np.ones(known.block.size)))
    parts = {part.id: part.share for budget in base.budgets.values() for part in budget.model.parts}
    most: dict[str, Floats] = {}
    for hypothesis in base.hypotheses.values():
        if hypothesis.part in parts:
            most[hypothesis.id] = gain_of_share(rooms[parts[hypothesis.part]])
        elif (own := _share(hypothesis, {}, known)) is not None:
            most[hypothesis.id] = gain_of_share(np.where(own.known, own.hi, 1.0))
    return most


def _taken(budget: Budget, known: Known) -> Floats:
    """Return what the known parts of a budget take at least."""
    total = np.zeros(known.block.size)
    for part in budget.model.parts:
        span = known.span(Column(part.share))
        total = total + np.where(span.known, span.lo, 0.0)
    return total


def _parts(base: Base, known: Known) -> tuple[dict[str, Span], dict[str, bool]]:
    parts: dict[str, Span] = {}
    waiting: dict[str, bool] = {}
    for budget in base.budgets.values():
        spans = {part.id: known.span(Column(part.share)) for part in budget.model.parts}
        sound = ~exceeds(_taken(budget, known), budget.tolerance)
        parts |= {name: span.where(sound) for name, span in spans.items()}
        waiting |= {part.id: part.waiting for part in budget.model.parts}
    return parts, waiting


def _share(hypothesis: Hypothesis, parts: Mapping[str, Span], known: Known) -> Span | None:
    if hypothesis.part is not None:
        return parts.get(hypothesis.part)
    if hypothesis.share is None:
        return None
    value = known.value_of(hypothesis.share)
    return _within_one(value)


def _within_one(value: Span) -> Span:
    with np.errstate(invalid="ignore"):
        lo, hi = np.maximum(value.lo, 0.0), np.minimum(value.hi, 1.0)
        return Span(lo, hi).where(lo <= hi)


def _missing_part(share: Span, attained: Span) -> Span:
    reached = _within_one(attained)
    least, most = recoverable_share(share.lo, reached.hi), recoverable_share(share.hi, reached.lo)
    return Span(least, most).where(share.known & reached.known)


def gain_of(recoverable: Span) -> Span:
    """Return the improvement factor of removing a recoverable share."""
    return Span(gain_of_share(recoverable.lo), gain_of_share(recoverable.hi))


def gain_of_share(share: Floats) -> Floats:
    """Return the improvement factor of removing a share, infinite where it is all of it."""
    return ceiling(np.clip(share, 0.0, 1.0))


@dataclasses.dataclass(slots=True)
class Evidence:
    """Scores and own confirmations of every hypothesis (columns) in every row."""

    names: tuple[str, ...]
    score: npt.NDArray[np.int16]
    own: Bools
    denied: Bools

    @classmethod
    def empty(cls, base: Base, size: int) -> Evidence:
        """Return evidence of nothing."""
        names = tuple(base.hypotheses)
        shape = (size, len(names))
        return cls(names, np.zeros(shape, np.int16), np.zeros(shape, bool), np.zeros(shape, bool))


class Weigher:
    """Collects pieces of evidence; in each group of a hypothesis only the strongest plus and minus count."""

    def __init__(self, base: Base, size: int) -> None:
        self.evidence = Evidence.empty(base, size)
        self._place = {name: column for column, name in enumerate(self.evidence.names)}
        self._plus: dict[tuple[str, str], npt.NDArray[np.int16]] = {}
        self._minus: dict[tuple[str, str], npt.NDArray[np.int16]] = {}

    def add(self, hypothesis: str, verb: str, group: str, rows: Bools) -> None:
        """Add one piece in the rows where it is given."""
        if verb == "confirm":
            self.evidence.own[:, self._place[hypothesis]] |= rows
        elif verb == "refute":
            self.evidence.denied[:, self._place[hypothesis]] |= rows
        points = POINTS.get(verb, 0)
        if points:
            side = self._plus if points > 0 else self._minus
            piece = np.where(rows, np.int16(points), np.int16(0))
            key = (hypothesis, group)
            strongest = np.maximum if points > 0 else np.minimum
            side[key] = piece if key not in side else strongest(side[key], piece)

    def weighed(self) -> Evidence:
        """Return the sum over groups."""
        for side in (self._plus, self._minus):
            for (hypothesis, _), points in side.items():
                self.evidence.score[:, self._place[hypothesis]] += points
        return self.evidence


def statuses(base: Base, evidence: Evidence) -> Codes:
    """Return the status of every hypothesis in every row: confirmation goes up, refutation down, at once."""
    place = {name: column for column, name in enumerate(evidence.names)}
    confirmed, refuted = evidence.own.copy(), evidence.denied.copy()
    for name, hypothesis in base.hypotheses.items():
        for ancestor in hypothesis.ancestors:
            confirmed[:, place[ancestor]] |= evidence.own[:, place[name]]
            refuted[:, place[name]] |= evidence.denied[:, place[ancestor]]
    open_status = np.where(evidence.score >= SUPPORTED_FROM, np.int8(SUPPORTED), np.int8(CANDIDATE))
    status = np.where(refuted, np.int8(REFUTED), open_status)
    status = np.where(confirmed, np.int8(CONFIRMED), status)
    return np.where(confirmed & refuted, np.int8(CONFLICTING), status)


class Ranking:
    """Orders the hypotheses of every row; columns are put in the order of prior and id, which breaks the last ties."""

    def __init__(
        self, base: Base, status: Codes, evidence: Evidence, shares: Shares, on_track: Bools, size: int
    ) -> None:
        self.base = base
        self.names = evidence.names
        self.size = size
        self.status = status
        self.on_track = on_track
        self.recoverable = np.column_stack([_mid(shares.recoverable.get(name), size) for name in self.names])
        self.share = np.column_stack([_mid(shares.share.get(name), size) for name in self.names])
        self.worth = base.constant(WORTH_RECOVERING)
        hypotheses = list(base.hypotheses.values())
        self.family = np.array([[h.id == root.id or root.id in h.ancestors for h in hypotheses] for root in hypotheses])
        """By hypothesis (first axis) which hypotheses are itself or descend from it."""
        self.binding = (status == CONFIRMED) & on_track
        """What is confirmed and binds on the track."""
        self.weight = (self._of_family(shares.recoverable, self.recoverable), self._of_family(shares.share, self.share))
        """Recoverable share and share, of the largest binding member of the family where a hypothesis has none."""
        self._keys = self._made(evidence)
        priors = [_PRIOR[base.hypotheses[name].model.prior] for name in self.names]
        self._last = np.array(sorted(range(len(self.names)), key=lambda column: (priors[column], self.names[column])))

    def _of_family(self, known: Mapping[str, Span], middle: Floats) -> Floats:
        found = middle.copy()
        for column, name in enumerate(self.names):
            members = self.binding & self.family[column]
            largest = np.where(members, middle, 0.0).max(axis=1)
            has = known[name].known if name in known else np.zeros(self.size, bool)
            found[:, column] = np.where(has, middle[:, column], largest)
        return found

    def _made(self, evidence: Evidence) -> list[Floats]:
        """Return the keys before prior and id, the most important first; smaller ranks before larger."""
        decided = self.status <= CONFLICTING
        worth = np.where(self.recoverable >= self.worth, self.recoverable, 0.0)
        depth = np.array([-len(self.base.hypotheses[name].ancestors) for name in self.names], float)
        return [
            (~self.on_track).astype(float),
            self.status.astype(float),
            np.where(decided, -self.recoverable, -evidence.score.astype(float)),
            np.where(decided, -self.share, -worth),
            np.where(self.status == CONFIRMED, depth[None, :], 0.0),
        ]

    def best(self, among: Bools) -> npt.NDArray[np.int32]:
        """Return the first hypothesis of each row among some, as a column, or -1 where there is none."""
        left = among[:, self._last]
        for key in self._keys:
            ordered = np.where(left, key[:, self._last], np.inf)
            left = left & (ordered == ordered.min(axis=1, keepdims=True))
        found = self._last[left.argmax(axis=1)].astype(np.int32)
        return np.where(left.any(axis=1), found, np.int32(-1))

    def first(self, n: int) -> npt.NDArray[np.int32]:
        """Return the first n hypotheses of each row, in order."""
        left = np.ones((self.size, len(self.names)), bool)
        columns = []
        for _ in range(n):
            best = self.best(left)
            columns.append(best)
            left[np.arange(self.size), best] = False
        return np.column_stack(columns)


def _mid(span: Span | None, size: int) -> Floats:
    """Return the middle of a share, 0 where it is unknown, as rankings count it."""
    middle = (unknown(size) if span is None else span).mid
    return np.where(np.isnan(middle), 0.0, middle)
