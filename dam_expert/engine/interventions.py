"""Interventions: what was changed while diagnosing, what it did to the target, and which older values no longer hold.

After an intervention that was kept, every observation made before it is *stale*: it is shown, it can be asked for
again, and it never decides; a value measured afterwards takes its place. What an intervention did to the target is
known in the same way as for anything that was tried.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.cells import moment_of
from dam_expert.engine.clock import is_after, until_now
from dam_expert.engine.columns import possible_value
from dam_expert.engine.reached import doubts, doubts_of_change
from dam_expert.engine.situation import target_metric
from dam_expert.kb.base import QUALITY_GAP, TARGET_ACHIEVEMENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Scope
    from dam_expert.kb.base import Base


_LONG_AGO: Final = datetime.datetime.min.replace(tzinfo=datetime.UTC)

#: Why a stale observation does not decide.
STALE: Final = "older than the last intervention: measure again"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """The observations as they stand now: those that hold, and which of them are stale."""

    observations: tuple[Observation, ...]
    stale: frozenset[Observation]
    effects: Mapping[str, Interval | str]
    """By lever as it was written: the factor by which it improved the target, where that was measured on both sides.

    Where a side is only said, or shows an instant, it is a word, ``helped`` or ``worse``: no number that could decide.
    """
    actual: Interval | None
    """The target's metric as it is now."""
    target_met: bool | None
    """Whether the last re-measurement meets the target; None where nothing was re-measured, or it is in doubt."""
    doubts: tuple[str, ...] = ()
    """Why it is in doubt where the metric itself meets the target, and which changes lie in the future."""


def current(base: Base, incident: Incident) -> Current:
    """Return what holds after the interventions that were kept; nothing of the future does."""
    incident, said = until_now(incident)
    given = (*incident.settings, *incident.observations)
    kept = [intervention for intervention in incident.interventions if intervention.kept]
    effects = _effects(base, incident)
    if not kept:
        actual = None if incident.target is None else incident.target.actual
        given += (*achieved(base, incident), *missed_quality(base, incident))
        return Current(
            observations=given, stale=frozenset(), effects=effects, actual=actual, target_met=None, doubts=said
        )
    last = kept[-1]
    since = None if last.when is None else moment_of(last.when)
    later = [o for o in given if since is not None and is_after(o.when, since)]
    fresh = [*last.after, *later]
    stale = _stale(fresh, (*(made.after for made in reversed(kept[:-1])), given))
    settings = {o for o in stale if o in incident.settings}
    met, metric = _met(base, incident, fresh), target_metric(base, incident)
    doubted = doubts(base, incident, last, fresh, metric) if met and metric is not None else []
    return Current(
        observations=(*fresh, *stale),
        stale=frozenset(stale) - settings,
        effects=effects,
        actual=None if metric is None else _side(base, metric, [*last.after, *_by_time(later)]).value,
        target_met=None if doubted else met,
        doubts=(*said, *doubted),
    )


def _stale(fresh: Sequence[Observation], earlier: Iterable[Sequence[Observation]]) -> list[Observation]:
    """Return what was observed before the last change, the latest of each thing: what was measured anew is not shown.

    ``earlier`` are the observations between two changes, the latest first: values of before and after one do not
    contradict each other.
    """
    replaced: set[tuple[str, Scope]] = {(o.measurement, o.scope) for o in fresh}
    stale: list[Observation] = []
    for group in earlier:
        found = [o for o in group if o not in fresh and (o.measurement, o.scope) not in replaced]
        stale += found
        replaced |= {(o.measurement, o.scope) for o in found}
    return stale


def achieved(base: Base, incident: Incident) -> tuple[Observation, ...]:
    """Return how far the target is met as one observation, where it states so, as surely as it does; else nothing.

    How far it is missed is no news, but where something else says that it is met: then one of the two is wrong. Nor is
    it met where the metric itself was observed and does not reach what is wanted.
    """
    target, metric = incident.target, target_metric(base, incident)
    if metric is None or target is None or target.wanted is None or target.actual is None:
        return ()
    if TARGET_ACHIEVEMENT not in base.measurements or not base.measurements[metric].has_direction:
        return ()
    effect = _effect(base, metric, target.wanted, target.actual)
    observed = any(one.measurement == TARGET_ACHIEVEMENT for one in incident.observations)
    if effect is None or (effect.hi >= 1.0 if observed else effect.lo < 1.0):
        return ()
    if not observed and not _all_reach(base, metric, target.wanted, incident.observations):
        return ()
    origin = Origin(file=incident.file, detail="target: wanted and actual")
    return (Observation(measurement=TARGET_ACHIEVEMENT, value=effect, basis=target.basis, origin=origin),)


def missed_quality(base: Base, incident: Incident) -> tuple[Observation, ...]:
    """Return by how much a target of quality is missed, where an observed gap says something else; else nothing.

    The gap is the distance between the two figures of the target: where it is another one, nobody knows which is right.
    """
    target, metric = incident.target, target_metric(base, incident)
    gaps = [one for one in incident.observations if one.measurement == QUALITY_GAP and isinstance(one.value, Interval)]
    if not gaps or metric is None or target is None or target.wanted is None or target.actual is None:
        return ()
    model, tolerance = base.measurements[metric].model, base.measurements[QUALITY_GAP].tolerance
    missed = target.wanted - target.actual if model.better == "higher" else target.actual - target.wanted
    if model.track != "quality" or model.unit != "1" or missed.lo <= 0.0:
        return ()
    if not any(isinstance(one.value, Interval) and one.value.is_apart(missed, tolerance) for one in gaps):
        return ()
    origin = Origin(file=incident.file, detail="target: wanted and actual")
    return (Observation(measurement=QUALITY_GAP, value=missed, basis=target.basis, origin=origin),)


def _all_reach(base: Base, metric: str, wanted: Interval, observations: Iterable[Observation]) -> bool:
    """Whether every value of a metric that is more than said reaches what is wanted."""
    values = [one.value for one in observations if one.measurement == metric and one.basis is not Basis.SAID]
    measurement = base.measurements[metric]
    return all(measurement.reaches(value, wanted) for value in values if isinstance(value, Interval))


def _by_time(observations: Iterable[Observation]) -> list[Observation]:
    """Return observations that are dated in the order of their times."""
    return sorted(observations, key=lambda one: moment_of(one.when or "") or _LONG_AGO)


def _effects(base: Base, incident: Incident) -> dict[str, Interval | str]:
    """Return by lever what it did to the target, each change against what the target was just before it.

    A change that was kept sets the value that the next one starts from; after one that was kept unmeasured nobody knows
    what the next one did, unless it has a value of its own from before.
    """
    metric = target_metric(base, incident)
    effects: dict[str, Interval | str] = {}
    if metric is None:
        return effects
    actual = None if incident.target is None else incident.target.actual
    reached = _Side(value=actual, grounded=incident.target is not None and incident.target.basis is not Basis.SAID)
    for intervention in incident.interventions:
        before, after = _side(base, metric, intervention.before), _side(base, metric, intervention.after)
        start = reached if before.value is None else before
        effect = _effect(base, metric, start.value, after.value)
        if (
            effect is not None
            and start.grounded
            and after.grounded
            and not doubts_of_change(base, incident, intervention, intervention.after, metric)
        ):
            effects[intervention.lever] = effect
        elif effect is not None and not effect.lo <= 1.0 <= effect.hi:
            effects[intervention.lever] = "helped" if effect.lo > 1.0 else "worse"
        if intervention.kept:
            reached = after
    return effects


def _effect(base: Base, metric: str, before: Interval | None, after: Interval | None) -> Interval | None:
    """Return the factor by which the target improved, or None where it was not measured on both sides."""
    if before is None or after is None:
        return None
    try:
        return base.measurements[metric].improvement(before, after)
    except ArithmeticError:
        return None


def _met(base: Base, incident: Incident, fresh: Iterable[Observation]) -> bool | None:
    """Whether what was measured after the last change meets the target; None where nothing grounded was.

    Every value counts, of single members too: one that falls short is a target that is missed.
    """
    metric = target_metric(base, incident)
    wanted = incident.target.wanted if incident.target is not None else None
    if metric is None or wanted is None or not base.measurements[metric].has_direction:
        return None
    known = [one for one in fresh if one.measurement == metric and _is_grounded(base, one)]
    if all(one.scope for one in known):
        return None
    return _all_reach(base, metric, wanted, known)


def _is_grounded(base: Base, observation: Observation) -> bool:
    """Whether a value can tell what a change did: not what is only said, cannot be, or shows but an instant."""
    if observation.basis is Basis.SAID or base.rests_on_few(observation):
        return False
    return possible_value(base.measurements[observation.measurement], observation.value)[0] is not None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """The target's metric on one side of a change, and whether it is more than said."""

    value: Interval | None
    grounded: bool


def _side(base: Base, metric: str, observations: Iterable[Observation]) -> _Side:
    """Return the last value of the metric as a whole that can be one."""
    measurement = base.measurements[metric]
    for one in reversed([o for o in observations if o.measurement == metric and not o.scope]):
        value, _ = possible_value(measurement, one.value)
        if isinstance(value, Interval):
            return _Side(value=value, grounded=_is_grounded(base, one))
    return _Side(value=None, grounded=False)
