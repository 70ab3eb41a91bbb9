"""Belief over causes in every imagined world, and how much a measurement is expected to sharpen it.

Belief is spread over the track's open leaf hypotheses (those without children) and "none of these": prior × 2^score,
where the score is that of the hypothesis and its ancestors together; a refuted one has none, and the family of a
confirmed one takes all.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from dam_expert.engine.evidence import POINTS, SOFTENED
from dam_expert.engine.worlds import worlds_of
from dam_expert.language.program import Stage

if TYPE_CHECKING:
    import numpy.typing as npt

    from dam_expert.documents.vocabulary import Track
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.worlds import Worlds
    from dam_expert.kb.base import Base, Hypothesis

    Places: TypeAlias = npt.NDArray[np.intp]

#: How likely a cause is before anything is known, by its stated frequency.
PRIOR: Final = {"common": 4.0, "usual": 2.0, "rare": 1.0}
_NONE_OF_THESE: Final = 1.0


def belief(evaluated: Evaluated, worlds: Worlds) -> npt.NDArray[np.float64]:
    """Return the belief in each cause (columns) in each world (rows); the last column is "none of these"."""
    base = evaluated.base
    score, confirmed, refuted = _evidence(base, worlds)
    names = list(base.hypotheses)
    place = {name: position for position, name in enumerate(names)}
    track = evaluated.situation.track
    causes = _causes(base, track)
    weight = np.empty((len(score), len(causes) + 1))
    taken = np.zeros((len(score), len(causes)), bool)
    for column, cause in enumerate(causes):
        family = [place[name] for name in (cause.id, *cause.ancestors)]
        plain = PRIOR[cause.model.prior] * np.exp2(score[:, family].sum(axis=1))
        weight[:, column] = np.where(refuted[:, family].any(axis=1), 0.0, plain)
        taken[:, column] = confirmed[:, family].any(axis=1)
    weight[:, -1] = _NONE_OF_THESE
    settled: npt.NDArray[np.bool_] = np.asarray(taken.any(axis=1))
    weight[:, :-1] = np.where(settled[:, None] & ~taken, 0.0, weight[:, :-1])
    weight[:, -1] = np.where(settled, 0.0, weight[:, -1])
    total = weight.sum(axis=1, keepdims=True)
    uniform = np.full_like(weight, 1.0 / weight.shape[1])
    return np.where(total > 0.0, weight / np.where(total > 0.0, total, 1.0), uniform)


def beliefs_now(evaluated: Evaluated) -> dict[str, float]:
    """Return how much each open cause is believed by what is known; what is left to 1 is "none of these".

    A cause that is confirmed itself leaves nothing to the others of its family.
    """
    causes = _causes(evaluated.base, evaluated.situation.track)
    beliefs = belief(evaluated, worlds_of(evaluated, ()))[0][:-1]
    confirmed = np.array([cause.id in evaluated.standings.own for cause in causes], bool)
    if confirmed.any():
        beliefs = np.where(confirmed, beliefs, 0.0)
        beliefs = beliefs / beliefs.sum() if beliefs.sum() else confirmed / confirmed.sum()
    return {cause.id: float(part) for cause, part in zip(causes, beliefs, strict=True)}


def _causes(base: Base, track: Track) -> list[Hypothesis]:
    """Return the causes that belief is spread over: those of the track that no finer cause refines."""
    return [h for h in base.hypotheses.values() if not h.children and track in h.tracks and h.bottleneck != "none"]


def information_gain(beliefs: npt.NDArray[np.float64], likely: npt.NDArray[np.float64]) -> float:
    """Return H(mean of beliefs) − mean of H(belief) over outcomes that are ``likely`` so much, in bits; never negative.

    >>> information_gain(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.5, 0.5]))
    1.0
    """
    return max(0.0, float(_entropy(likely @ beliefs) - likely @ _entropy(beliefs)))


def likelihood(beliefs: npt.NDArray[np.float64], now: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how likely each outcome is: one that would settle a cause as likely as that cause is believed now.

    The other outcomes share the rest evenly. Were all outcomes taken as equally likely, whatever could confirm a rare
    cause would look like the best question.

    >>> likelihood(np.array([[1.0, 0.0], [0.2, 0.8]]), np.array([0.3, 0.7]))
    array([0.3, 0.7])
    """
    outcomes = len(beliefs)
    ruled_out = (beliefs <= 0.0) & (now > 0.0)
    kept = np.where(ruled_out, 0.0, now).sum(axis=1)
    settles = ruled_out[:, -1]  # "none of these" is ruled out only by a confirmation
    likely = np.where(settles, np.minimum(kept, 1.0 / max(1, int(settles.sum()))), 0.0)
    others = outcomes - int(settles.sum())
    if others:
        likely = np.where(settles, likely, (1.0 - likely.sum()) / others)
    total = likely.sum()
    return likely / total if total > 0.0 else np.full(outcomes, 1.0 / outcomes)


def _entropy(beliefs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    terms = np.where(beliefs > 0.0, beliefs * np.log2(np.where(beliefs > 0.0, beliefs, 1.0)), 0.0)
    result: npt.NDArray[np.float64] = -terms.sum(axis=-1)
    return result


def _evidence(
    base: Base, worlds: Worlds
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return score, own confirmation and own refutation of every hypothesis (columns) in every world (rows)."""
    plan = _plan(base)
    size, count = len(worlds.full), len(base.hypotheses)
    score = np.zeros((size, count))
    if len(plan.rules):
        full, reduced = worlds.full[:, plan.rules], worlds.reduced[:, plan.rules]
        points = np.where(plan.softened, reduced | (full & plan.on_trial), full | reduced) * plan.points
        starts = np.flatnonzero(np.diff(plan.groups, prepend=-1))
        most = np.maximum(np.maximum.reduceat(points, starts, axis=1), 0.0)
        least = np.minimum(np.minimum.reduceat(points, starts, axis=1), 0.0)
        np.add.at(score.T, plan.places[starts], (most + least).T)
    return score, _own(worlds, plan.confirms, count), _own(worlds, plan.refutes, count)


def _own(worlds: Worlds, conclusions: Places, count: int) -> npt.NDArray[np.bool_]:
    """Return where hypotheses are concluded by rules at full strength, given (rule, hypothesis) pairs."""
    found = np.zeros((len(worlds.full), count), bool)
    np.logical_or.at(found.T, conclusions[:, 1], worlds.full[:, conclusions[:, 0]].T)
    return found


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What the evidence rules of a base conclude, a row a conclusion, those of one group of a hypothesis together."""

    rules: Places
    places: Places
    """The hypotheses, in the order of the base."""
    groups: Places
    points: npt.NDArray[np.float64]
    softened: npt.NDArray[np.bool_]
    """Where a full firing decides and adds no points, and a reduced one softens to points."""
    on_trial: npt.NDArray[np.bool_]
    confirms: Places
    refutes: Places


@functools.lru_cache(maxsize=8)
def _plan(base: Base) -> _Plan:
    place = {name: position for position, name in enumerate(base.hypotheses)}
    groups: dict[tuple[int, str], int] = {}
    rows: list[tuple[int, int, int, float, bool, bool]] = []
    own: dict[str, list[tuple[int, int]]] = {"confirm": [], "refute": []}
    for column, compiled in enumerate(base.program.rules):
        rule = base.rules[compiled.id]
        if compiled.stage is not Stage.EVIDENCE or rule.model.status == "draft":
            continue
        on_trial = rule.model.status == "test"
        for verb, name in rule.conclusions:
            group = groups.setdefault((place[name], rule.group), len(groups))
            decides = verb in own
            points = float(POINTS[SOFTENED[verb]] if decides else POINTS.get(verb, 0))
            rows.append((group, column, place[name], points, decides, on_trial))
            if decides and not on_trial:
                own[verb].append((column, place[name]))
    rows.sort()
    table = np.array(rows, np.float64).reshape(-1, 6)
    numbers = table.astype(np.intp)
    return _Plan(
        groups=numbers[:, 0],
        rules=numbers[:, 1],
        places=numbers[:, 2],
        points=table[:, 3],
        softened=numbers[:, 4].astype(bool),
        on_trial=numbers[:, 5].astype(bool),
        confirms=np.array(own["confirm"], np.intp).reshape(-1, 2),
        refutes=np.array(own["refute"], np.intp).reshape(-1, 2),
    )
