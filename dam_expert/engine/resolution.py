"""What solved an incident: the changes that were kept, the cause that was confirmed before each, and what each gave.

Afterwards the evidence is stale, so that no cause stands as confirmed any more; what was proven before the change is
found by evaluating the incident as it was then.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.incident import Intervention
from dam_expert.engine import advice
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.interventions import current
from dam_expert.engine.situation import lever_names, target_metric
from dam_expert.kb.base import folded

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Extent
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """A change that was kept. ``lever``: its id, or as it was written where the base has none such.

    ``cause``: the hypothesis that bound before it, confirmed; None where nothing was. ``before`` and ``after``: the
    target's ``metric`` in its canonical unit; ``gain``: the factor between them; ``predicted``: the most that the lever
    could gain by what was known before. Each is None where it is not known.
    """

    lever: str
    cause: str | None
    metric: str
    before: Interval | None
    after: Interval | None
    gain: Interval | None
    predicted: Extent
    then: Evaluated


def what_worked(base: Base, incident: Incident) -> list[Worked]:
    """Return the changes that were kept, in their order; none where the last measurement does not meet the target."""
    metric = target_metric(base, incident)
    if metric is None or not any(made.kept for made in incident.interventions):
        return []
    if current(base, incident).target_met is not True:
        return []
    executor = CountingExecutor(base.program)
    found = []
    for place, made in enumerate(incident.interventions):
        if made.kept:
            earlier = dataclasses.replace(incident, interventions=incident.interventions[:place])
            later = dataclasses.replace(incident, interventions=incident.interventions[: place + 1])
            then = evaluate(base, earlier, executor)
            found.append(_worked(base, then, later, made, metric))
    return found


def _worked(base: Base, then: Evaluated, later: Incident, made: Intervention, metric: str) -> Worked:
    now = current(base, later)
    gain = now.effects.get(made.lever)
    lever = lever_names(base).get(folded(made.lever), made.lever)
    ceilings = [one.ceiling for one in advice.levers(then) if one.id == lever]
    return Worked(
        lever=lever,
        cause=then.verdict.binding,
        metric=metric,
        before=then.now.actual,
        after=now.actual,
        gain=None if isinstance(gain, str) else gain,
        predicted=ceilings[0] if ceilings else None,
        then=then,
    )
