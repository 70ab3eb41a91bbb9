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
    from collections.abc import Mapping

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
    causes = _causes(base, evaluated.situation.track)
    family, prior = _families(base, evaluated.situation.track)
    weight = np.empty((score.shape[1], len(causes) + 1))
    summed, any_refuted, any_confirmed = (_over_families(family, each).T for each in (score, refuted, confirmed))
    weight[:, :-1] = np.where(any_refuted > 0.0, 0.0, prior * np.exp2(summed))
    taken = any_confirmed > 0.0
    weight[:, -1] = _NONE_OF_THESE
    settled: npt.NDArray[np.bool_] = np.asarray(taken.any(axis=1))
    weight[:, :-1] = np.where(settled[:, None] & ~taken, 0.0, weight[:, :-1])
    weight[:, -1] = np.where(settled, 0.0, weight[:, -1])
    total = weight.sum(axis=1, keepdims=True)
    uniform = np.full_like(weight, 1.0 / weight.shape[1])
    return np.where(total > 0.0, weight / np.where(total > 0.0, total, 1.0), uniform)


@functools.lru_cache(maxsize=16)
def _families(base: Base, track: Track) -> tuple[Places, npt.NDArray[np.float64]]:
    """Return the places of each cause of the track (columns) and its ancestors (rows), and the causes' priors.

    Short families are filled up with the place after the last hypothesis.
    """
    place = {name: position for position, name in enumerate(base.hypotheses)}
    causes = _causes(base, track)
    family = np.full((1 + max((len(cause.ancestors) for cause in causes), default=0), len(causes)), len(place), np.intp)
    for column, cause in enumerate(causes):
        for row, name in enumerate((cause.id, *cause.ancestors)):
            family[row, column] = place[name]
    return family, np.array([PRIOR[cause.model.prior] for cause in causes])


def _over_families(family: Places, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the sum of a value of hypotheses (rows) over the family of each cause, in every world (columns)."""
    padded = np.vstack((values, np.zeros((1, values.shape[1]))))
    total: npt.NDArray[np.float64] = padded[family[0]]
    for row in family[1:]:
        total += padded[row]
    return total


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


def expected_gains(
    beliefs: npt.NDArray[np.float64], outcomes: Mapping[str, range]
) -> dict[str, tuple[npt.NDArray[np.float64], float]]:
    """Return for each measurement how likely its outcomes are and the bits that it is expected to tell; never negative.

    The gain is H(mean of beliefs) − mean of H(belief). The first row of the beliefs is what is believed now.

    >>> expected_gains(np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), {"a": range(1, 3)})
    {'a': (array([0.5, 0.5]), 1.0)}
    """
    now = beliefs[0]
    ruled_out = (beliefs <= 0.0) & (now > 0.0)
    kept = np.where(ruled_out, 0.0, now).sum(axis=1)
    settles = ruled_out[:, -1]  # "none of these" is ruled out only by a confirmation
    likely = {
        name: likelihood(kept[rows.start : rows.stop], settles[rows.start : rows.stop])
        for name, rows in outcomes.items()
    }
    told = [name for name, rows in outcomes.items() if rows]
    within = _entropy(beliefs)
    means = [likely[name] @ beliefs[outcomes[name].start : outcomes[name].stop] for name in told]
    of_means = _entropy(np.array(means).reshape(len(told), beliefs.shape[1]))
    gains = {
        name: max(0.0, float(mean - likely[name] @ within[outcomes[name].start : outcomes[name].stop]))
        for name, mean in zip(told, of_means, strict=True)
    }
    return {name: (likely[name], gains.get(name, 0.0)) for name in outcomes}


def likelihood(kept: npt.NDArray[np.float64], settles: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return how likely each outcome is: one that would settle a cause as likely as that cause is believed now.

    ``kept`` is the belief now in what an outcome leaves possible, ``settles`` whether it confirms a cause. The other
    outcomes share the rest evenly. Were all outcomes taken as equally likely, whatever could confirm a rare cause would
    look like the best question.

    >>> likelihood(np.array([0.3, 0.9]), np.array([True, False]))
    array([0.3, 0.7])
    """
    outcomes, settling = len(kept), int(np.count_nonzero(settles))
    if not settling:
        return _even(outcomes)
    likely = np.where(settles, np.minimum(kept, 1.0 / settling), 0.0)
    if outcomes > settling:
        likely = np.where(settles, likely, (1.0 - likely.sum()) / (outcomes - settling))
    total = likely.sum()
    if total > 0.0:
        likely /= total
        return likely
    return np.full(outcomes, 1.0 / outcomes)


@functools.lru_cache(maxsize=256)
def _even(outcomes: int) -> npt.NDArray[np.float64]:
    if not outcomes:
        return np.zeros(0)
    likely = np.full(outcomes, 1.0 / outcomes)
    likely /= likely.sum()
    likely.flags.writeable = False
    return likely


def _entropy(beliefs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    terms = np.where(beliefs > 0.0, beliefs * np.log2(np.where(beliefs > 0.0, beliefs, 1.0)), 0.0)
    result: npt.NDArray[np.float64] = -terms.sum(axis=-1)
    return result


def _evidence(
    base: Base, worlds: Worlds
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return score, own confirmation and own refutation (1 or 0) of every hypothesis (rows) in every world (columns).

    Points and their sums are small whole numbers, so that no order of adding them matters.
    """
    plan = _plan(base)
    by_rule, reduced_by_rule = worlds.full.T, worlds.reduced.T
    score = np.zeros((len(base.hypotheses), by_rule.shape[1]))
    fires: npt.NDArray[np.bool_] = np.asarray(by_rule.any(axis=1) | reduced_by_rule.any(axis=1))
    rows = np.flatnonzero(fires[plan.rules] & (plan.points != 0))  # the others add nothing in any world
    if len(rows):
        full, reduced = by_rule[plan.rules[rows]], reduced_by_rule[plan.rules[rows]]
        on_trial, softened = plan.on_trial[rows, None], plan.softened[rows, None]
        counts = np.where(softened, reduced | (full & on_trial), full | reduced)
        points = counts * plan.points[rows, None]
        starts = np.flatnonzero(np.diff(plan.groups[rows], prepend=-1))
        most = np.maximum(np.maximum.reduceat(points, starts, axis=0), 0)
        least = np.minimum(np.minimum.reduceat(points, starts, axis=0), 0)
        places = plan.places[rows][starts]
        firsts = np.flatnonzero(np.diff(places, prepend=-1))
        score[places[firsts]] = np.add.reduceat(most + least, firsts, axis=0, dtype=np.float64)
    return score, _own(by_rule, plan.confirms, len(score)), _own(by_rule, plan.refutes, len(score))


def _own(by_rule: npt.NDArray[np.bool_], conclusions: Places, count: int) -> npt.NDArray[np.float64]:
    """Return where hypotheses are concluded by rules at full strength, given sorted (rule, hypothesis) pairs."""
    found = np.zeros((count, by_rule.shape[1]))
    if len(conclusions):
        firsts = np.flatnonzero(np.diff(conclusions[:, 1], prepend=-1))
        found[conclusions[firsts, 1]] = np.logical_or.reduceat(by_rule[conclusions[:, 0]], firsts, axis=0)
    return found


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What the evidence rules of a base conclude, a row a conclusion, those of one group of a hypothesis together."""

    rules: Places
    places: Places
    """The hypotheses, in the order of the base."""
    groups: Places
    points: npt.NDArray[np.int8]
    softened: npt.NDArray[np.bool_]
    """Where a full firing decides and adds no points, and a reduced one softens to points."""
    on_trial: npt.NDArray[np.bool_]
    confirms: Places
    refutes: Places


@functools.lru_cache(maxsize=8)
def _plan(base: Base) -> _Plan:
    place = {name: position for position, name in enumerate(base.hypotheses)}
    groups: dict[tuple[int, str], int] = {}
    rows: list[tuple[int, int, int, int, bool, bool]] = []
    own: dict[str, list[tuple[int, int]]] = {"confirm": [], "refute": []}
    for column, compiled in enumerate(base.program.rules):
        rule = base.rules[compiled.id]
        if compiled.stage is not Stage.EVIDENCE or rule.model.status == "draft":
            continue
        on_trial = rule.model.status == "test"
        for verb, name in rule.conclusions:
            group = groups.setdefault((place[name], rule.group), len(groups))
            decides = verb in own
            points = POINTS[SOFTENED[verb]] if decides else POINTS.get(verb, 0)
            rows.append((group, column, place[name], points, decides, on_trial))
            if decides and not on_trial:
                own[verb].append((column, place[name]))
    rows.sort(key=lambda row: (row[2], *row))
    numbers = np.array(rows, np.intp).reshape(-1, 6)
    return _Plan(
        groups=numbers[:, 0],
        rules=numbers[:, 1],
        places=numbers[:, 2],
        points=numbers[:, 3].astype(np.int8),
        softened=numbers[:, 4].astype(bool),
        on_trial=numbers[:, 5].astype(bool),
        confirms=_by_hypothesis(own["confirm"]),
        refutes=_by_hypothesis(own["refute"]),
    )


def _by_hypothesis(pairs: list[tuple[int, int]]) -> Places:
    return np.array(sorted(pairs, key=lambda pair: (pair[1], pair[0])), np.intp).reshape(-1, 2)
