"""Which question comes next, from the state and its diagnosis alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.session.state import EFFECT, TARGET, Question

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis, NextMeasurement
    from dam_expert.kb.base import Base
    from dam_expert.session.state import State


def next_question(base: Base, state: State, diagnosis: Diagnosis) -> Question | None:
    """Return what to ask, or None where nothing more needs to be asked.

    First the effect of an intervention that is under way, then the missed target, then the measurements of the entry
    point that was chosen, then what the engine would measure next.
    """
    if state.pending_lever is not None:
        return effect_question(base, state, state.pending_lever)
    if state.incident.target is None and TARGET not in state.skipped and state.entry is None:
        return target_question(base)
    if is_settled(diagnosis):
        return None
    following = {item.measurement: item for item in diagnosis.next_measurements}
    for name in (
        base.entry_points[state.entry].ask if state.entry is not None and state.entry in base.entry_points else ()
    ):
        if name in following:
            return measurement_question(base, following[name])
    return measurement_question(base, diagnosis.next_measurements[0]) if diagnosis.next_measurements else None


def is_settled(diagnosis: Diagnosis) -> bool:
    """Whether the diagnosis needs no further question: a cause is named, the target is met, or nothing is at fault."""
    named = diagnosis.binding is not None and diagnosis.binding.depth == "cause"
    return diagnosis.status in ("resolved", "no_fault") or (diagnosis.status == "confirmed" and named)


def target_question(base: Base) -> Question:
    """Return the question for the missed target, with the entry points as choices."""
    choices = [f"{number}  {entry.title}" for number, entry in enumerate(base.entry_points.values(), 1)]
    return Question(
        id=TARGET,
        text="Which target is missed? Write it (step_time is 180 ms, wanted 110 ms), or choose what fits best:",
        how=tuple(choices),
    )


def effect_question(base: Base, state: State, lever: str) -> Question:
    """Return the question for the target's value after an intervention."""
    target = state.incident.target
    metric = base.names.resolve(target.metric) if target is not None and target.metric else None
    title = lever if lever not in base.levers else base.levers[lever].model.title
    what = base.measurements[metric].model.title if metric is not None else "the target"
    forms = "helped, nothing, worse, or a factor such as 1.3x"
    if metric is not None:
        forms = f"a value; or {forms}"
    return Question(
        id=EFFECT,
        text=f"After '{title}': what is {what} now? ({forms})",
        how=(() if lever not in base.levers else (base.levers[lever].model.verify_by,)),
    )


def measurement_question(base: Base, item: NextMeasurement) -> Question:
    """Return the question for one measurement, with every way to find out."""
    how = []
    for command in item.commands:
        if command.command is not None:
            how.append(f"$ {command.command}")
        if command.how is not None:
            how.append(command.how)
    settles = [base.hypotheses[name].model.title for name in item.decides]
    return Question(
        id=item.measurement,
        text=item.question,
        how=tuple(how),
        settles=tuple(settles),
        minutes=item.effort_minutes,
        disturbs=item.disturbs,
    )
