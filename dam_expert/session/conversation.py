"""The conversation: an answer goes in, a new state and a reply come out; no terminal is read, no file written."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.engine.diagnose import with_proof, written
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.resolution import Worked, what_worked
from dam_expert.engine.worth_asking import is_worth_asking
from dam_expert.prose import load_vocabulary
from dam_expert.reports.model import Line
from dam_expert.session.answers import Taken, answer_measurement
from dam_expert.session.asking import answered_so_far, is_settled, next_question
from dam_expert.session.changing import plan_lines
from dam_expert.session.commands import command_in, command_meant, run_command
from dam_expert.session.ending import ending, lost_for_now, shortlist_so_far
from dam_expert.session.errors import AnswerError
from dam_expert.session.intervening import answer_effect, answer_next
from dam_expert.session.showing import moved, standing_lines
from dam_expert.session.speech import Speech
from dam_expert.session.state import EFFECT, NEXT, TARGET, Question, Reply, State
from dam_expert.session.targets import answer_target, states_target

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.documents.incident import Incident
    from dam_expert.engine.executor import Executor
    from dam_expert.kb.base import Base
    from dam_expert.prose import Vocabulary
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item


#: An incident with everything that follows from it; the diagnosis without its proof.
Conclusion: TypeAlias = "tuple[Incident, Evaluated, Diagnosis]"


class Conversation:
    """One base, one executor and the language of the front; states go in and come out."""

    def __init__(self, base: Base, executor: Executor, language: str = "en") -> None:
        self.base = base
        self._executor = executor
        self._speech = Speech(base, language)
        self._latest: list[Conclusion] = []
        self._questions: list[tuple[State, Question]] = []
        self._proven: tuple[Incident, Diagnosis] | None = None

    @functools.cached_property
    def vocabulary(self) -> Vocabulary:
        """The words that descriptions are read by; loaded when the first one is given."""
        found, _ = load_vocabulary(self.base)  # its problems are for 'dam kb check'
        return found

    def words(self, state: State) -> Glossary:
        """Return how things are called in the language of a session."""
        return self._speech.of(state.language)

    def evaluated(self, state: State) -> Evaluated:
        """Return everything that follows from the state."""
        return self._concluded(state.incident)[1]

    def diagnosis(self, state: State) -> Diagnosis:
        """Return the diagnosis of the state, with its proof."""
        if self._proven is None or self._proven[0] is not state.incident:
            _, evaluated, brief = self._concluded(state.incident)
            self._proven = (state.incident, with_proof(evaluated, brief))
        return self._proven[1]

    def standing(self, state: State) -> Diagnosis:
        """Return the diagnosis of the state without its proof, which a step does not need."""
        return self._concluded(state.incident)[2]

    def _concluded(self, incident: Incident) -> Conclusion:
        """Evaluate an incident, unless it is one of the last two: a step asks for what was and for what is."""
        for known in self._latest:
            if known[0] is incident:
                return known
        evaluated = evaluate(self.base, incident, self._executor)
        made = (incident, evaluated, written(evaluated, proven=False))
        self._latest = [made, *self._latest[:1]]
        return made

    def worked(self, state: State) -> list[Worked]:
        """Return what solved it; nothing where the target is not reached."""
        return what_worked(self.base, state.incident)

    def imagined(self, state: State) -> Evaluated:
        """Return what would follow from a state that is only imagined; nothing of it is remembered."""
        return evaluate(self.base, state.incident, self._executor)

    def question(self, state: State) -> Question:
        """Return what is asked in a state; a step asks for it of what was and of what is, more than once."""
        for known, question in self._questions:
            if known is state:
                return question
        question = next_question(
            self.base, self.words(state), state, self.standing(state), functools.partial(self._is_worth, state)
        )
        self._questions = [(state, question), *self._questions[:1]]
        return question

    def _is_worth(self, state: State) -> bool:
        """Whether another question may still name a cause, by what was answered so far."""
        answered, unanswered = answered_so_far(self.base, state)
        following = self.standing(state).next_measurements
        return is_worth_asking(self.evaluated(state), following, answered=answered, unanswered=unanswered)

    def open(self, state: State) -> Reply:
        """Return the first reply: where things stand, and the question to begin with."""
        begins = not state.incident.observations and not state.turns
        items = [Line(self.words(state).say("session.welcome"))] if begins else list(standing_lines(self, state))
        if not state.turns:  # what is planned in the incident is judged as what is planned later
            planned = dict.fromkeys(plan.lever for plan in state.incident.planned)
            items += [line for action in planned for line in plan_lines(self, state, action, action)]
        return self._asked(state, tuple(items))

    def answer(self, state: State, text: str) -> tuple[State, Reply]:
        """Take one line, or a pasted text. What cannot be taken changes nothing and says what to write instead."""
        command = command_in(text)
        if command is not None:
            return run_command(self, state, *command)
        question = self.question(state)
        if not text.strip():
            return state, Reply(question=question)
        try:
            taken = self._taken(state, question, text)
        except AnswerError as error:
            words, meant = self.words(state), command_meant(text)
            hint = () if meant is None else (Line(words.say("session.meant_command", command=meant)),)
            return state, self.again(state, Line(error.told(words)), *hint)
        return taken.state, self.after(taken, state)

    def after(self, taken: Taken, before: State) -> Reply:
        """Return the reply to a change: what moved, and the next question or the ending."""
        then, now = self.standing(before), self.standing(taken.state)
        words = self.words(taken.state)
        told = () if now.status == "resolved" else moved(words, then, now)  # what is left is then no longer of interest
        reply = self._asked(taken.state, (*taken.items, *told), settled_before=is_settled(then))
        same = reply.question == self.question(before)
        if lost_for_now(self.base, taken.state) and reply.question is not None and reply.question.id != NEXT:
            reply = dataclasses.replace(reply, items=(*reply.items, *shortlist_so_far(words, now)))
        return dataclasses.replace(reply, again=same)

    def again(self, state: State, *items: Item) -> Reply:
        """Return a reply that leaves the question as it stands."""
        return Reply(items=items, question=self.question(state), again=True)

    def _taken(self, state: State, question: Question, text: str) -> Taken:
        if question.id == TARGET:
            return answer_target(self, state, text)
        if question.id == EFFECT:
            return answer_effect(self, state, text)
        if question.id == NEXT:
            return answer_next(self, state, text)
        if states_target(self, state, text):
            return answer_target(self, state, text)
        return answer_measurement(self, state, question.id, text)

    def _asked(self, state: State, items: tuple[Item, ...], *, settled_before: bool = False) -> Reply:
        """Ask what comes next; where a verdict was just reached, it is told first."""
        question = self.question(state)
        if question.id == NEXT and not settled_before:
            return Reply(items=(*items, *ending(self.words(state), self.diagnosis(state))), question=question)
        return Reply(items=items, question=question)
