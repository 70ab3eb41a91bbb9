"""Belief over causes in every imagined world, and how much a measurement is expected to sharpen it.

Belief is spread over the track's open leaf hypotheses (those without children) and "none of these": prior × 2^score,
where the score is that of the hypothesis and its ancestors together; a refuted one has none, and the family of a
confirmed one takes all.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from dam_expert.engine.evidence import POINTS, SOFTENED, pieces_by_hypothesis, pieces_of, score_of
from dam_expert.language.program import Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from dam_expert.documents.vocabulary import Track
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.worlds import Worlds
    from dam_expert.kb.base import Base, Hypothesis

    Places: TypeAlias = npt.NDArray[np.intp]
    Counts: TypeAlias = npt.NDArray[np.int16]

#: How likely a cause is before anything is known, by its stated frequency.
PRIOR: Final = {"common": 4.0, "usual": 2.0, "rare": 1.0}
_NONE_OF_THESE: Final = 1.0


def belief(evaluated: Evaluated, worlds: Worlds) -> npt.NDArray[np.float64]:
    """Return the belief in each cause (columns) in each distinct world (rows); the last column is "none of these"."""
    return _spread(evaluated, _evidence(evaluated.base, worlds))


def _spread(evaluated: Evaluated, evidence: Counts) -> npt.NDArray[np.float64]:
    """Spread belief by the evidence of every world; see :func:`_evidence`."""
    family, prior = _families(evaluated.base, evaluated.situation.track)
    summed, confirmed, refuted = _over_families(family, evidence)
    weight = np.empty((summed.shape[1], len(prior) + 1))
    weight[:, :-1] = prior * np.exp2(summed.T.astype(np.float64))
    weight[:, :-1][refuted.T > 0] = 0.0
    weight[:, -1] = _NONE_OF_THESE
    settled = np.flatnonzero(confirmed.any(axis=0))
    if len(settled):  # what is confirmed takes all
        weight[settled, :-1] = np.where(confirmed.T[settled] > 0, weight[settled, :-1], 0.0)
        weight[settled, -1] = 0.0
    total = weight.sum(axis=1, keepdims=True)
    nothing = total <= 0.0
    weight /= np.where(nothing, 1.0, total)
    weight[nothing[:, 0]] = 1.0 / weight.shape[1]
    return weight


@functools.lru_cache(maxsize=16)
def _families(base: Base, track: Track) -> tuple[Places, npt.NDArray[np.float64]]:
    """Return the places of each cause of the track (columns) and its ancestors (rows), and the causes' priors.

    Short families are filled up with the place after the last hypothesis.
    """
    place = _place(base)
    causes = _causes(base, track)
    family = np.full((1 + max((len(cause.ancestors) for cause in causes), default=0), len(causes)), len(place), np.intp)
    for column, cause in enumerate(causes):
        for row, name in enumerate((cause.id, *cause.ancestors)):
            family[row, column] = place[name]
    return family, np.array([PRIOR[cause.model.prior] for cause in causes])


def _over_families(family: Places, values: Counts) -> Counts:
    """Return the sums of values of hypotheses (rows) over the family of each cause, in every world (columns)."""
    total: Counts = values[:, family[0]]
    for row in family[1:]:
        total += values[:, row]
    return total


def beliefs_now(evaluated: Evaluated) -> dict[str, float]:
    """Return how much each open cause is believed by what is known; what is left to 1 is "none of these".

    A cause that is confirmed itself leaves nothing to the others of its family.
    """
    causes = _causes(evaluated.base, evaluated.situation.track)
    beliefs = _spread(evaluated, _evidence_now(evaluated))[0][:-1]
    confirmed = np.array([cause.id in evaluated.standings.own for cause in causes], bool)
    if confirmed.any():
        beliefs = np.where(confirmed, beliefs, 0.0)
        beliefs = beliefs / beliefs.sum() if beliefs.sum() else confirmed / confirmed.sum()
    return {cause.id: float(part) for cause, part in zip(causes, beliefs, strict=True)}


def _causes(base: Base, track: Track) -> list[Hypothesis]:
    """Return the causes that belief is spread over: those of the track that no finer cause refines."""
    return [h for h in base.hypotheses.values() if not h.children and track in h.tracks and h.bottleneck != "none"]


def expected_of(
    beliefs: npt.NDArray[np.float64],
    like: Places,
    outcomes: Mapping[str, range],
    settled: npt.NDArray[np.int64],
) -> dict[str, tuple[float, float]]:
    """Return for each measurement the bits that it is expected to tell, never negative, and how many rules it settles.

    The gain is H(mean of beliefs) - mean of H(belief). The first row of the beliefs is what is believed now; ``like``
    says by world which row is believed in it, ``settled`` how many rules it settles. Worlds of one measurement follow
    each other.

    >>> certain = np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    >>> expected_of(certain, np.arange(3), {"a": range(1, 3)}, np.array([0, 0, 1]))
    {'a': (1.0, 0.5)}
    """
    told = [name for name, rows in outcomes.items() if rows]
    if not told:
        return dict.fromkeys(outcomes, (0.0, 0.0))
    now = beliefs[0]
    ruled_out = (beliefs <= 0.0) & (now > 0.0)
    kept = np.where(ruled_out, 0.0, now).sum(axis=1)
    settles = ruled_out[:, -1]  # "none of these" is ruled out only by a confirmation
    starts = np.array([outcomes[name].start for name in told], np.intp)
    likely = likelihood(kept[like], settles[like], starts)
    decided = np.add.reduceat(likely * settled, starts)
    inside = np.add.reduceat(likely * _entropy(beliefs)[like], starts)
    moved = np.logical_or.reduceat(like > 0, starts)  # what moves nothing tells nothing
    gains = np.zeros(len(told))
    gains[moved] = _entropy(_means(likely, beliefs, like, starts)[moved]) - inside[moved]
    found = dict.fromkeys(outcomes, (0.0, 0.0))
    found |= {
        name: (max(0.0, gain), rules) for name, gain, rules in zip(told, gains.tolist(), decided.tolist(), strict=True)
    }
    return found


def _means(
    likely: npt.NDArray[np.float64], beliefs: npt.NDArray[np.float64], like: Places, starts: Places
) -> npt.NDArray[np.float64]:
    """Return the mean belief over the outcomes of each measurement."""
    by_outcome = likely[:, None] * beliefs[like]
    means: npt.NDArray[np.float64] = np.add.reduceat(by_outcome, starts, axis=0)
    return means


def likelihood(
    kept: npt.NDArray[np.float64], settles: npt.NDArray[np.bool_], starts: Places
) -> npt.NDArray[np.float64]:
    """Return how likely each outcome is: one that would settle a cause as likely as that cause is believed now.

    ``kept`` is the belief now in what an outcome leaves possible, ``settles`` whether it confirms a cause; the outcomes
    of one measurement follow each other from each start on, and what stands before the first is of none. The other
    outcomes share the rest evenly. Were all outcomes taken as equally likely, whatever could confirm a rare cause would
    look like the best question.

    >>> likelihood(np.array([0.3, 0.9, 1.0, 1.0]), np.array([True, False, False, False]), np.array([0, 2]))
    array([0.3, 0.7, 0.5, 0.5])
    """
    sizes = np.diff(starts, append=len(kept))
    settling = np.add.reduceat(settles.astype(np.intp), starts)
    each = np.zeros(len(kept), np.intp)
    each[starts[0] :] = np.repeat(np.arange(len(starts)), sizes)
    share = np.where(settles, np.minimum(kept, 1.0 / np.maximum(settling, 1)[each]), 0.0)
    rest = (1.0 - np.add.reduceat(share, starts)) / np.maximum(sizes - settling, 1)
    share = np.where(settles, share, rest[each])
    total = np.add.reduceat(share, starts)[each]
    even = (1.0 / sizes)[each]
    likely: npt.NDArray[np.float64] = np.where(total > 0.0, share / np.where(total > 0.0, total, 1.0), even)
    return likely


def _entropy(beliefs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    terms = np.where(beliefs > 0.0, beliefs * np.log2(np.where(beliefs > 0.0, beliefs, 1.0)), 0.0)
    result: npt.NDArray[np.float64] = -terms.sum(axis=-1)
    return result


def _evidence(base: Base, worlds: Worlds) -> Counts:
    """Return score, own confirmation and own refutation (1 or 0) of every hypothesis (rows) in every world (columns).

    The row after the last hypothesis is of none. Points and their sums are small whole numbers, so that no order of
    adding them matters.
    """
    plan = _plan(base)
    found: Counts = np.zeros((3, len(base.hypotheses) + 1, len(worlds.distinct)), np.int16)
    rows = np.flatnonzero((worlds.place[plan.rules] >= 0) & (plan.points != 0))  # the others add nothing in any world
    if len(rows):
        where = worlds.place[plan.rules[rows]]
        full, reduced = worlds.full[where], worlds.reduced[where]
        on_trial, softened = plan.on_trial[rows, None], plan.softened[rows, None]
        counts = np.where(softened, reduced | (full & on_trial), full | reduced)
        points = counts * plan.points[rows, None]
        starts = np.flatnonzero(np.diff(plan.groups[rows], prepend=-1))
        most = np.maximum(_folded(np.maximum, points, starts), 0)
        least = np.minimum(_folded(np.minimum, points, starts), 0)
        places = plan.places[rows][starts]
        firsts = np.flatnonzero(np.diff(places, prepend=-1))
        found[0, places[firsts]] = _folded(np.add, (most + least).astype(np.int16), firsts)
    for own, conclusions in ((found[1], plan.confirms), (found[2], plan.refutes)):
        _conclude(own, worlds, conclusions)
    return found


def _evidence_now(evaluated: Evaluated) -> Counts:
    """Return the same of what is known now, by the rules that fired; that a lever did nothing is no rule's."""
    base = evaluated.base
    place = _place(base)
    found: Counts = np.zeros((3, len(base.hypotheses) + 1, 1), np.int16)
    for name, pieces in pieces_by_hypothesis(pieces_of(base, evaluated.firings)).items():
        verbs = {piece.verb for piece in pieces}
        found[:, place[name], 0] = score_of(pieces), "confirm" in verbs, "refute" in verbs
    return found


@functools.lru_cache(maxsize=8)
def _place(base: Base) -> Mapping[str, int]:
    return {name: position for position, name in enumerate(base.hypotheses)}


def _folded(join: np.ufunc, rows: npt.NDArray[Any], starts: Places) -> npt.NDArray[Any]:
    """Join the rows from each start on to the next; as most runs are short, faster than numpy's own reduceat."""
    sizes = np.diff(starts, append=len(rows))
    joined = rows[starts]
    for step in range(1, int(sizes.max())):
        longer = np.flatnonzero(sizes > step)
        joined[longer] = join(joined[longer], rows[starts[longer] + step])
    return joined


def _conclude(found: Counts, worlds: Worlds, conclusions: Places) -> None:
    """Note where hypotheses are concluded by rules at full strength, given sorted (rule, hypothesis) pairs."""
    firing = conclusions[worlds.place[conclusions[:, 0]] >= 0]
    if len(firing):
        firsts = np.flatnonzero(np.diff(firing[:, 1], prepend=-1))
        rows = worlds.full[worlds.place[firing[:, 0]]]
        found[firing[firsts, 1]] = _folded(np.logical_or, rows, firsts)


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
    place = _place(base)
    groups: dict[tuple[int, str], int] = {}
    rows: list[tuple[int, int, int, int, bool, bool]] = []
    own: dict[str, list[tuple[int, int]]] = {"confirm": [], "refute": []}
    for column, compiled in enumerate(base.program.rules):
        rule = base.rules[compiled.id]
        if compiled.stage is not Stage.EVIDENCE or rule.status == "draft":
            continue
        on_trial = rule.status == "test"
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
