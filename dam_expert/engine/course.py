"""How the causes rose and fell while an incident was filled: its observations played again in the order they came in.

What a tool or file gave at once is one step; so is what one answer gave, and so is a change that was made: what was
measured before it still holds in the steps before it. Nothing is stored for it: the same incident and base give the
same course.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Final

from dam_expert.engine.belief import beliefs_now
from dam_expert.engine.cells import moment_of
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.documents.incident import Incident, Intervention
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base

_MOST: Final = 24
"""Steps that are played. Of more the first ones are taken together: the end of a session is what one asks about."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where the causes stood after a step: what came in, and how much each open cause was believed (they add to 1).

    ``lever``: what was changed, as it was written, where the step is a change; ``seen`` was then measured after it.
    """

    seen: tuple[Observation, ...]
    lever: str | None = None
    belief: Mapping[str, float]
    leading: str | None


def course_of(base: Base, incident: Incident) -> list[Moment]:
    """Return the moments of an incident, the first before any observation; none where nothing came in."""
    steps = list(_steps(incident))
    if not steps:
        return []
    executor = CountingExecutor(base.program)
    moments = [_moment(base, dataclasses.replace(incident, observations=(), interventions=()), (), executor)]
    for then, step, lever in _played(incident, steps):
        moments.append(_moment(base, then, step, executor, lever))
    return moments


def _played(
    incident: Incident, steps: list[tuple[Observation, ...]]
) -> Iterator[tuple[Incident, tuple[Observation, ...], str | None]]:
    """Yield the incident as it was after each step, with what came in, and what was changed."""
    made = incident.interventions
    parts: list[list[tuple[Observation, ...]]] = [[] for _ in range(len(made) + 1)]
    for step in steps:
        parts[_after(step, made)].append(step)
    parts[0] = _bounded(parts[0], _MOST - len(made) - sum(map(len, parts[1:])))
    known: tuple[Observation, ...] = ()
    for place, part in enumerate(parts):
        if place:
            change = made[place - 1]
            then = dataclasses.replace(incident, observations=known, interventions=made[:place])
            yield then, change.after, change.lever
        for step in part:
            known = (*known, *step)
            yield dataclasses.replace(incident, observations=known, interventions=made[:place]), step, None


def _bounded(steps: list[tuple[Observation, ...]], most: int) -> list[tuple[Observation, ...]]:
    """Take the first steps together where there are more than that."""
    kept = max(most, 1)
    if len(steps) <= kept:
        return steps
    first = tuple(itertools.chain.from_iterable(steps[: len(steps) - kept + 1]))
    return [first, *steps[len(steps) - kept + 1 :]]


def _after(step: tuple[Observation, ...], made: Sequence[Intervention]) -> int:
    """Return how many changes were made before a step; none where nobody knows when it was measured."""
    taken = [moment_of(each.when) for each in step if each.when is not None]
    whens = [None if change.when is None else moment_of(change.when) for change in made]
    if not taken or any(moment is None for moment in taken):
        return 0
    since = min(moment for moment in taken if moment is not None)
    return sum(1 for when in whens if when is not None and when < since)


def _moment(
    base: Base, incident: Incident, step: tuple[Observation, ...], executor: CountingExecutor, lever: str | None = None
) -> Moment:
    evaluated = evaluate(base, incident, executor)
    return Moment(seen=step, lever=lever, belief=beliefs_now(evaluated), leading=evaluated.verdict.leading)


def _steps(incident: Incident) -> Iterator[tuple[Observation, ...]]:
    """Yield the observations that came in together: from one file, or with one answer."""

    def together(observation: Observation) -> tuple[str, str]:
        typed = observation.given or "" if observation.origin.tool is None else ""
        return observation.origin.file, typed

    for _, group in itertools.groupby(incident.observations, key=together):
        yield tuple(group)
