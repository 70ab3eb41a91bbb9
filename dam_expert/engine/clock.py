"""What cannot have been seen yet: values and changes whose time lies in the future decide nothing."""

from __future__ import annotations

import dataclasses
import datetime
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.engine.cells import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.incident import Incident, Intervention
    from dam_expert.documents.observations import Observation

FUTURE: Final = "its time lies in the future: correct the time, or measure again"
_CHANGE: Final = "is dated in the future, so that it counts as not made yet"

_ZONES: Final = datetime.timedelta(hours=14)
"""How far ahead of UTC the clocks of the world go: a time without a zone is taken as UTC."""


def present_moment() -> datetime.datetime:
    """Return the time of the evaluation."""
    return datetime.datetime.now(datetime.UTC)


def until_now(incident: Incident) -> tuple[Incident, tuple[str, ...]]:
    """Return an incident in which nothing of the future has a value, and what is to be said of changes that had it.

    An observation of the future has a complaint in the place of its value; a change was neither kept nor measured.
    """
    dated = (*incident.settings, *incident.observations, *_of_changes(incident.interventions))
    if not any(one.when for one in dated) and not any(made.when for made in incident.interventions):
        return incident, ()
    latest = present_moment() + _ZONES

    def past(observations: Iterable[Observation]) -> tuple[Observation, ...]:
        return tuple(_unknown(one) if is_after(one.when, latest) else one for one in observations)

    made = []
    said = []
    for change in incident.interventions:
        if is_after(change.when, latest):
            said.append(f"the change '{change.lever}' {_CHANGE}")
            made.append(dataclasses.replace(change, before=(), after=(), kept=None, when=None))
        else:
            made.append(dataclasses.replace(change, before=past(change.before), after=past(change.after)))
    found = dataclasses.replace(
        incident,
        workload=past(incident.workload),
        environment=past(incident.environment),
        observations=past(incident.observations),
        interventions=tuple(made),
    )
    return found, tuple(said)


def _of_changes(interventions: Iterable[Intervention]) -> list[Observation]:
    return [one for made in interventions for one in (*made.before, *made.after)]


def is_after(when: str | None, moment: datetime.datetime) -> bool:
    """Whether a time as it was given lies after a moment; what is none does not."""
    given = None if when is None else moment_of(when)
    return given is not None and given > moment


def _unknown(one: Observation) -> Observation:
    """Return an observation without its value, which is kept as it was given."""
    value = one.value
    shown = value if isinstance(value, str) or value is None else _shown(value)
    return dataclasses.replace(one, value=None, given=one.given or shown, complaint=one.complaint or FUTURE)


def _shown(value: Interval) -> str:
    return f"{value.lo:g}" if value.is_point else f"{value.lo:g} to {value.hi:g}"
