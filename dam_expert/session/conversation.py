"""The conversation: an answer goes in, a new state and a reply come out; no terminal is read, no file written."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.incident import Effect, Intervention
from dam_expert.documents.observations import Observation, Origin
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.reports import Glossary, build_report, to_text
from dam_expert.session.answers import (
    AnswerError,
    Taken,
    answer_measurement,
    answer_target,
    effect_of,
    with_value,
)
from dam_expert.session.asking import is_settled, next_question
from dam_expert.session.commands import COMMANDS, run_command
from dam_expert.session.state import EFFECT, TARGET, Question, Reply, State

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.documents.intervals import Interval
    from dam_expert.engine.executor import Executor
    from dam_expert.kb.base import Base


class Conversation:
    """One base and one executor; states go in and come out."""

    def __init__(self, base: Base, executor: Executor) -> None:
        self.base = base
        self._executor = executor
        measured = base.measurements.values()
        self.words = Glossary(
            titles={one.id: one.model.title for one in measured},
            quantities={one.id: (one.model.unit, one.model.kind) for one in measured},
        )

    def evaluated(self, state: State) -> Evaluated:
        """Return everything that follows from the state."""
        return evaluate(self.base, state.incident, self._executor)

    def diagnosis(self, state: State) -> Diagnosis:
        """Return the diagnosis of the state."""
        return written(self.evaluated(state))

    def open(self, state: State) -> Reply:
        """Return the first reply: where things stand, and the question to begin with."""
        diagnosis = self.diagnosis(state)
        lines = self.brief(diagnosis) if state.incident.observations else ()
        return self._asked(state, lines, diagnosis)

    def answer(self, state: State, text: str) -> tuple[State, Reply]:
        """Take one line, or a pasted text. What cannot be taken changes nothing and says what to write instead."""
        command, _, rest = text.strip().partition(" ")
        if text.strip() == "?":
            command = "help"
        if "\n" not in text and command.casefold() in COMMANDS:
            return run_command(self, state, command.casefold(), rest.strip())
        diagnosis = self.diagnosis(state)
        question = next_question(self.base, state, diagnosis)
        if question is None:
            return state, Reply(
                lines=("Nothing is asked. 'did LEVER' records what you changed; 'help' lists the rest.",)
            )
        if not text.strip():
            return state, Reply(question=question)
        try:
            taken = self._taken(state, question, text)
        except AnswerError as error:
            return state, Reply(lines=(str(error),), question=question, again=True)
        return taken.state, self.after(taken, diagnosis)

    def after(self, taken: Taken, before: Diagnosis) -> Reply:
        """Return the reply to a change: what moved, and the next question or the ending."""
        diagnosis = self.diagnosis(taken.state)
        return self._asked(taken.state, (*taken.lines, *moved(before, diagnosis)), diagnosis)

    def brief(self, diagnosis: Diagnosis) -> tuple[str, ...]:
        """Return the three lines of a report."""
        text = to_text(build_report(diagnosis, self.words), brief=True, explain=False, color=False, width=80)
        return tuple(text.rstrip("\n").split("\n"))

    def report(self, diagnosis: Diagnosis) -> tuple[str, ...]:
        """Return the whole report."""
        text = to_text(build_report(diagnosis, self.words), brief=False, explain=False, color=False, width=80)
        return tuple(text.rstrip("\n").split("\n"))

    def _taken(self, state: State, question: Question, text: str) -> Taken:
        if question.id == TARGET:
            return answer_target(self.base, state, text)
        if question.id == EFFECT:
            return self._intervened(state, text)
        return answer_measurement(self.base, state, question.id, text)

    def _intervened(self, state: State, text: str) -> Taken:
        """Record what an intervention did to the target, keep it if it helped, and judge it."""
        lever = state.pending_lever or ""
        target = state.incident.target
        metric = self.base.names.resolve(target.metric) if target is not None and target.metric else None
        effect: Interval | Effect | None = None
        after: tuple[Observation, ...] = ()
        try:
            effect = effect_of(text)
        except AnswerError:
            if metric is None:
                raise
            incident = with_value(self.base, state.incident, metric, text)
            after = (dataclasses.replace(incident.observations[-1], origin=Origin(file="session", detail=lever)),)
        kept = effect is not Effect.WORSE
        made = Intervention(lever=lever, origin=Origin(file="session"), after=after, kept=kept if after else None)
        incident = dataclasses.replace(state.incident, interventions=(*state.incident.interventions, made))
        if not after:
            from dam_expert.documents.incident import Tried

            tried = Tried(lever=lever, effect=effect, origin=Origin(file="session"))
            incident = dataclasses.replace(state.incident, tried=(*state.incident.tried, tried))
        changed = state.changed(turn=(EFFECT, text), incident=incident, pending_lever=None)
        return Taken(state=changed, lines=self._judged(state, changed, lever))

    def _judged(self, before: State, after: State, lever: str) -> tuple[str, ...]:
        """Compare the predicted with the actual gain, and say plainly where the target did not move."""
        then, now = self.evaluated(before), self.evaluated(after)
        effect = now.plans.tried.get(lever)
        predicted = [one.ceiling for one in written(then).levers if one.id == lever and one.ceiling is not None]
        lines = []
        if effect is not None and not isinstance(effect, str):
            lines.append(f"The target improved {effect.mid:.3g} times.")
            if predicted:
                lines.append(f"Predicted was at most {_number(predicted[0])} times.")
            if effect.hi < self.base.constant("no_effect"):
                lines.append("That is no improvement of the system, whatever it did locally.")
        if now.verdict.status == "resolved":
            lines.append("The target is reached.")
        return tuple(lines)

    def _asked(self, state: State, lines: tuple[str, ...], diagnosis: Diagnosis) -> Reply:
        question = next_question(self.base, state, diagnosis)
        if question is not None:
            return Reply(lines=lines, question=question)
        return Reply(lines=(*lines, *self._ending(diagnosis)), ended=diagnosis.status in ("resolved", "no_fault"))

    def _ending(self, diagnosis: Diagnosis) -> tuple[str, ...]:
        closing: tuple[str, ...] = ()
        if diagnosis.exhausted:
            closing = ("Nothing more can be measured; this is the best that can be said.",)
        elif is_settled(diagnosis) and diagnosis.status == "confirmed":
            closing = ("Change it, measure the target again, and say 'did LEVER'.",)
        return (*self.report(diagnosis), *closing)


def moved(before: Diagnosis, after: Diagnosis) -> tuple[str, ...]:
    """Return a line for every hypothesis whose status changed."""
    old = {hypothesis.id: hypothesis.status for hypothesis in before.hypotheses}
    changed = [hypothesis for hypothesis in after.hypotheses if old[hypothesis.id] != hypothesis.status]
    return tuple(f"{hypothesis.status}: {hypothesis.title}" for hypothesis in changed)


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float | int) else str(value)
