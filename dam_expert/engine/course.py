"""How the causes rose and fell while an incident was filled: its observations played again in the order they came in.

What a tool or file gave at once is one step; so is what one answer gave. Nothing is stored for it: the same incident
and base give the same course.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Final

from dam_expert.engine.belief import beliefs_now
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base

_MOST: Final = 24
"""Steps that are played. Of more the first ones are taken together: the end of a session is what one asks about."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where the causes stood after a step: what came in, and how much each open cause was believed (they add to 1)."""

    seen: tuple[Observation, ...]
    belief: Mapping[str, float]
    leading: str | None


def course_of(base: Base, incident: Incident) -> list[Moment]:
    """Return the moments of an incident, the first before any observation; none where nothing came in."""
    steps = list(_steps(incident))
    if not steps:
        return []
    if len(steps) > _MOST:
        first = tuple(itertools.chain.from_iterable(steps[: len(steps) - _MOST + 1]))
        steps = [first, *steps[len(steps) - _MOST + 1 :]]
    executor = BitExecutor(base.program)
    known: tuple[Observation, ...] = ()
    moments = [_moment(base, dataclasses.replace(incident, observations=()), (), executor)]
    for step in steps:
        known = (*known, *step)
        moments.append(_moment(base, dataclasses.replace(incident, observations=known), step, executor))
    return moments


def _moment(base: Base, incident: Incident, step: tuple[Observation, ...], executor: BitExecutor) -> Moment:
    evaluated = evaluate(base, incident, executor)
    return Moment(seen=step, belief=beliefs_now(evaluated), leading=evaluated.verdict.leading)


def _steps(incident: Incident) -> Iterator[tuple[Observation, ...]]:
    """Yield the observations that came in together: from one file, or with one answer."""

    def together(observation: Observation) -> tuple[str, str]:
        typed = observation.given or "" if observation.origin.tool is None else ""
        return observation.origin.file, typed

    for _, group in itertools.groupby(incident.observations, key=together):
        yield tuple(group)
