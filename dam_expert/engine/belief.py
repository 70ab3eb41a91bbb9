"""Belief over causes in every imagined world, and how much a measurement is expected to sharpen it.

Belief is spread over the track's open leaf hypotheses (those without children) and "none of these": prior × 2^score,
where the score is that of the hypothesis and its ancestors together; a refuted one has none, and the family of a
confirmed one takes all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.engine.evidence import POINTS
from dam_expert.engine.worlds import worlds_of
from dam_expert.language.program import Stage

if TYPE_CHECKING:
    import numpy.typing as npt

    from dam_expert.documents.vocabulary import Track
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.worlds import Worlds
    from dam_expert.kb.base import Base, Hypothesis

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
    names = list(base.hypotheses)
    place = {name: position for position, name in enumerate(names)}
    size = len(worlds.full)
    groups: dict[tuple[int, str], list[npt.NDArray[np.float64]]] = {}
    confirmed = np.zeros((size, len(names)), bool)
    refuted = np.zeros((size, len(names)), bool)
    # most rules fire in no world at all: they are passed over together
    fires = np.asarray(worlds.full.any(axis=0) | worlds.reduced.any(axis=0))
    for column in map(int, np.flatnonzero(fires)):
        compiled = base.program.rules[column]
        rule = base.rules[compiled.id]
        if compiled.stage is not Stage.EVIDENCE or rule.model.status == "draft":
            continue
        full, reduced = worlds.full[:, column], worlds.reduced[:, column]
        for verb, name in rule.conclusions:
            points = (full | reduced).astype(np.float64) * POINTS.get(verb, 0)
            if verb in ("confirm", "refute"):
                on_trial = rule.model.status == "test"
                strong = np.zeros_like(full) if on_trial else full
                (confirmed if verb == "confirm" else refuted)[:, place[name]] |= strong
                soft = (reduced | full) if on_trial else reduced
                points = soft.astype(np.float64) * (2.0 if verb == "confirm" else -2.0)
            groups.setdefault((place[name], rule.group), []).append(points)
    score = np.zeros((size, len(names)))
    for (column, _), pieces in groups.items():
        stacked = np.stack([np.zeros(size), *pieces])
        score[:, column] += stacked.max(axis=0) + stacked.min(axis=0)
    return score, confirmed, refuted
