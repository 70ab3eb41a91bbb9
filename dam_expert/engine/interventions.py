"""Interventions: what was changed while diagnosing, what it did to the target, and which older values no longer hold.

After an intervention that was kept, every observation made before it is *stale*: it is shown, it can be asked for
again, and it never decides; a value measured afterwards takes its place. What an intervention did to the target is
known in the same way as for anything that was tried.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Observation, Origin
from dam_expert.engine.cells import moment_of
from dam_expert.engine.situation import target_metric
from dam_expert.kb.base import TARGET_ACHIEVEMENT

if TYPE_CHECKING:
    import datetime
    from collections.abc import Iterable, Mapping

    from dam_expert.documents.incident import Incident, Intervention
    from dam_expert.documents.observations import Scope
    from dam_expert.kb.base import Base


#: Why a stale observation does not decide.
STALE: Final = "older than the last intervention: measure again"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """The observations as they stand now: those that hold, and which of them are stale."""

    observations: tuple[Observation, ...]
    stale: frozenset[Observation]
    effects: Mapping[str, Interval]
    """By lever as it was written: the factor by which it improved the target, where that was measured on both sides."""
    actual: Interval | None
    """The target's metric as it is now."""
    target_met: bool | None
    """Whether the last re-measurement meets the target; None where nothing was re-measured."""


def current(base: Base, incident: Incident) -> Current:
    """Return what holds after the interventions that were kept."""
    given = (*incident.settings, *incident.observations)
    kept = [intervention for intervention in incident.interventions if intervention.kept]
    effects = _effects(base, incident)
    if not kept:
        actual = None if incident.target is None else incident.target.actual
        given += achieved(base, incident)
        return Current(observations=given, stale=frozenset(), effects=effects, actual=actual, target_met=None)
    last = kept[-1]
    since = None if last.when is None else moment_of(last.when)
    later = [o for o in given if since is not None and _is_later(o, since)]
    fresh = [*last.after, *later]
    replaced: set[tuple[str, Scope]] = {(o.measurement, o.scope) for o in fresh}
    earlier = [o for intervention in reversed(kept[:-1]) for o in intervention.after]
    stale: list[Observation] = []
    for observation in (*earlier, *given):
        key = (observation.measurement, observation.scope)
        if observation not in fresh and key not in replaced:
            stale.append(observation)
    settings = {o for o in stale if o in incident.settings}
    return Current(
        observations=(*fresh, *stale),
        stale=frozenset(stale) - settings,
        effects=effects,
        actual=_reached(base, incident, last),
        target_met=_met(base, incident, last),
    )


def achieved(base: Base, incident: Incident) -> tuple[Observation, ...]:
    """Return how far the target is met as one observation, where it states so, as surely as it does; else nothing.

    Only what is met for certain: how far a target is missed is no news, and what is uncertain is not met.
    """
    target, metric = incident.target, target_metric(base, incident)
    known = TARGET_ACHIEVEMENT in base.measurements and metric is not None
    if not known or target is None or target.wanted is None or target.actual is None:
        return ()
    if any(one.measurement == TARGET_ACHIEVEMENT for one in incident.observations):
        return ()
    effect = _effect(base, metric or "", target.wanted, target.actual)
    if effect is None or effect.lo < 1.0:
        return ()
    origin = Origin(file=incident.file, detail="target: wanted and actual")
    reached = Observation(measurement=TARGET_ACHIEVEMENT, value=effect, basis=target.basis, origin=origin)
    return (reached,)


def _is_later(observation: Observation, since: datetime.datetime) -> bool:
    taken = None if observation.when is None else moment_of(observation.when)
    return taken is not None and taken > since


def _effects(base: Base, incident: Incident) -> dict[str, Interval]:
    """Return by lever what it did to the target, each change against what the target was just before it.

    A change that was kept sets the value that the next one starts from; after one that was kept unmeasured nobody knows
    what the next one did, unless it has a value of its own from before.
    """
    metric = target_metric(base, incident)
    effects: dict[str, Interval] = {}
    reached = None if incident.target is None else incident.target.actual
    if metric is None:
        return effects
    for intervention in incident.interventions:
        before = _value(metric, intervention.before)
        effect = _effect(base, metric, reached if before is None else before, _value(metric, intervention.after))
        if effect is not None:
            effects[intervention.lever] = effect
        if intervention.kept:
            reached = _value(metric, intervention.after)
    return effects


def _effect(base: Base, metric: str, before: Interval | None, after: Interval | None) -> Interval | None:
    """Return the factor by which the target improved, or None where it was not measured on both sides."""
    if before is None or after is None:
        return None
    try:
        return base.measurements[metric].improvement(before, after)
    except ArithmeticError:
        return None


def _met(base: Base, incident: Incident, intervention: Intervention) -> bool | None:
    metric = target_metric(base, incident)
    wanted = incident.target.wanted if incident.target is not None else None
    reached = _reached(base, incident, intervention)
    if metric is None or wanted is None or reached is None:
        return None
    return base.measurements[metric].reaches(reached, wanted)


def _reached(base: Base, incident: Incident, intervention: Intervention) -> Interval | None:
    metric = target_metric(base, incident)
    return None if metric is None else _value(metric, intervention.after)


def _value(metric: str, observations: Iterable[Observation]) -> Interval | None:
    """Return the last value of the metric as a whole."""
    values = [o.value for o in observations if o.measurement == metric and not o.scope]
    numbers = [value for value in values if isinstance(value, Interval)]
    return numbers[-1] if numbers else None
