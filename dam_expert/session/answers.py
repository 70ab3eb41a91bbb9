"""Answers: a value, words, a range, the output of a tool as a path or pasted, or why there is none."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import absence_of, value_of
from dam_expert.documents.incident import Absence, folded
from dam_expert.documents.kinds import Kind
from dam_expert.documents.literals import QuantityError
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.documents.quantities import parse_quantity
from dam_expert.reports.model import Line
from dam_expert.session.errors import AnswerError
from dam_expert.session.naming import choice, measurement_named
from dam_expert.session.outputs import read_output
from dam_expert.session.prose import (
    SESSION,
    read_words,
    states_something,
    understood_items,
    with_report,
    without_measurement,
)
from dam_expert.session.speech import begins_with, spoken
from dam_expert.session.spelling import plainly_written, refuse_bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.conversation import Conversation
    from dam_expert.session.state import State

#: Why there is no value, with the words for it.
_ABSENCES: Final = {
    Absence.CANNOT_MEASURE: "answer.cannot_measure",
    Absence.NOT_APPLICABLE: "answer.not_applicable",
    Absence.UNKNOWN: "answer.unknown",
}
#: A place in a list, where none is shown; names of devices have more digits.
_PLACE: Final = re.compile(r"\d{1,2}")
_FLAGS: Final = {"true": "answer.yes", "false": "answer.no"}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A state after an answer, and what to say of it."""

    state: State
    items: tuple[Item, ...] = ()


def answer_measurement(talk: Conversation, state: State, name: str, text: str) -> Taken:
    """Take an answer to the question for a measurement; one that gave it a value is told. Raises AnswerError."""
    taken = _answered(talk, state, name, text)
    if name in taken.state.told or _values(taken.state.incident, name) == _values(state.incident, name):
        return taken
    return dataclasses.replace(taken, state=dataclasses.replace(taken.state, told=(*taken.state.told, name)))


def _values(incident: Incident, name: str) -> list[Observation]:
    """Return every value of a measurement, before and after what was changed."""
    after = [one for made in incident.interventions for one in made.after]
    return [one for one in (*incident.observations, *after) if one.measurement == name]


def _answered(talk: Conversation, state: State, name: str, text: str) -> Taken:
    """Take an answer in whichever form it is given. Raises AnswerError."""
    base, words = talk.base, talk.words(state)
    chosen = _chosen(base, words, name, text)
    if chosen is not None:
        return taken_value(base, words, state, name, chosen, turn=(name, text))
    absence = absence_in(base, name, text)
    if absence is not None:
        changed = state.changed(turn=(name, text), incident=without(state.incident, name, absence), wanted=None)
        return Taken(state=changed, items=(Line(words.say(f"session.noted.{absence}", title=words.title(name))),))
    given = taken_in(talk, state, text, turn=(name, text))
    if given is not None:
        return given
    if text.strip() in base.measurements and base.names.unit(name) is not None:
        return Taken(state=state.changed(turn=("change", text), wanted=text.strip()))  # named alone, it is asked for
    named = named_value(base, words, text)
    if named is not None:
        return taken_value(base, words, state, *named, turn=(name, text))
    in_words = described(talk, state, text, turn=(name, text)) if base.names.unit(name) is None else None
    if in_words is not None and not base.names.categories(name):
        return in_words  # any word is a value here, but a sentence is none
    try:
        return taken_value(base, words, state, name, text, turn=(name, text))
    except AnswerError:
        in_words = in_words or described(talk, state, text, turn=(name, text))
        if in_words is None:
            raise
        return in_words


def _chosen(base: Base, words: Glossary, name: str, text: str) -> str | None:
    """Return the word of a category that its number or its meaning names, or None. Raises AnswerError."""
    if not base.names.categories(name):
        return None
    meanings = base.measurements[name].model.values
    number = choice(text, len(meanings))
    if number is not None:
        return list(meanings)[number]
    said = folded(text)
    return next((word for word, told in meanings.items() if said in (folded(told), folded(words.sentence(told)))), None)


def taken_in(talk: Conversation, state: State, text: str, *, turn: tuple[str, str]) -> Taken | None:
    """Take an answer that is a path or a paste; None where it is neither. Raises AnswerError."""
    read = read_output(talk, talk.words(state), text)
    if read is None:
        return None
    incident = with_output(state.incident, read.observations)
    for report in read.reports:
        incident = with_report(incident, report)
    return Taken(state=state.changed(turn=turn, incident=incident), items=read.items)


def described(
    talk: Conversation,
    state: State,
    text: str,
    *,
    turn: tuple[str, str],
    aside: bool = False,
    target: str | None = None,
) -> Taken | None:
    """Take an answer in free words; None where nothing in it is understood.

    ``aside``: the words may be an answer of another form as well; that they only point somewhere is not worth a line.
    ``target`` is a metric that was told as the target already.
    """
    report = read_words(talk.vocabulary, text)
    if report is None:
        return None
    incident = with_report(state.incident, report)
    if target is not None:
        report = without_measurement(report, target)
    told = not aside or states_something(report)
    items = tuple(understood_items(talk.words(state), report)) if told else ()
    return Taken(state=state.changed(turn=turn, incident=incident), items=items)


def taken_value(base: Base, words: Glossary, state: State, name: str, text: str, *, turn: tuple[str, str]) -> Taken:
    """Take a value for a measurement, and say how it was understood. Raises AnswerError."""
    value = value_told(base, name, text)
    wanted = None if state.wanted == name else state.wanted
    told = state.told if name in state.told else (*state.told, name)
    changed = state.changed(turn=turn, incident=with_value(state.incident, value), wanted=wanted, told=told)
    return Taken(state=changed, items=(noted(value, words),))


def noted(last: Observation, words: Glossary) -> Line:
    """Say how a value was understood; one that is hedged is said not to decide."""
    value = words.observed(last)
    key = "session.noted.said" if last.basis is Basis.SAID else "session.noted.value"
    return Line(words.say(key, title=words.title(last.measurement), value=value))


def named_value(base: Base, words: Glossary, text: str) -> tuple[str, str] | None:
    """Return what ``NAME = VALUE`` gives: a value of another measurement than the one that was asked for."""
    name, equals, value = text.replace("＝", "=").partition("=")
    if not equals or not value.strip() or "\n" in text:
        return None
    return measurement_named(base, words, name).id, value.strip()


def absence_in(base: Base, name: str, text: str) -> Absence | None:
    """Return why there is no value, if that is what was answered, in any of the languages."""
    found = absence_of(text, name, base.names)
    if found is not None:
        return found
    for absence, key in _ABSENCES.items():
        if begins_with(text, spoken(key)) == "":
            return absence
    return None


def with_output(incident: Incident, observations: Sequence[Observation]) -> Incident:
    """Return the incident with what a tool printed now, in place of what was known of the same things before."""
    now = {(o.measurement, o.scope) for o in observations}
    kept = tuple(o for o in _latest(incident) if (o.measurement, o.scope) not in now)
    return _with_latest(incident, (*kept, *observations))


def _latest(incident: Incident) -> tuple[Observation, ...]:
    """Return what was measured since the last change that was kept."""
    return next((made.after for made in reversed(incident.interventions) if made.kept), incident.observations)


def _with_latest(incident: Incident, observations: tuple[Observation, ...]) -> Incident:
    """Return the incident with these as what was measured since the last change that was kept."""
    interventions = list(incident.interventions)
    for place in reversed(range(len(interventions))):
        if interventions[place].kept:
            interventions[place] = dataclasses.replace(interventions[place], after=observations)
            return dataclasses.replace(incident, interventions=tuple(interventions))
    return dataclasses.replace(incident, observations=observations)


def value_told(base: Base, name: str, text: str) -> Observation:
    """Return a value as the session was told it. Raises AnswerError."""
    if base.names.kind(name) is Kind.FLAG:
        text = next((flag for flag, key in _FLAGS.items() if begins_with(text, spoken(key)) == ""), text)
    unit = base.names.unit(name)
    if unit is None and _PLACE.fullmatch(text.strip()) and base.names.kind(name) is not Kind.FLAG:
        raise AnswerError("session.problem.word")
    if unit is not None:
        text = plainly_written(text)
        refuse_bare(text, unit)
    try:
        value, basis = value_of(text, name, base.names)
    except QuantityError as error:
        refuse_share(base, name, text)
        raise AnswerError.of(error) from error
    return Observation(measurement=name, value=value, basis=basis, origin=Origin(file=SESSION), given=text)


def refuse_share(base: Base, name: str, text: str) -> None:
    """Refuse a share of a whole where the part itself is asked for. Raises AnswerError, with how to give it."""
    pieces = text.split()
    for end in range(len(pieces), 0, -1):
        said = " ".join(pieces[:end])
        with contextlib.suppress(QuantityError):
            parse_quantity(said, unit="1", kind=Kind.SHARE)
            shares = [
                each
                for each, one in base.measurements.items()
                if base.names.kind(each) is Kind.SHARE and (one.model.formula or "").partition(" / ")[0] == name
            ]
            if shares and not said.isdecimal():
                raise AnswerError("session.problem.share", text=said, name=name, share=shares[0])
            return


def with_value(incident: Incident, told: Observation) -> Incident:
    """Return the incident with a value in place of what the session was told of the same thing before."""
    name = told.measurement
    kept = tuple(o for o in _latest(incident) if o.measurement != name or o.origin.file != SESSION)
    answers = tuple(pair for pair in incident.answers if pair[0] != name)
    return dataclasses.replace(_with_latest(incident, (*kept, told)), answers=answers)


def without(incident: Incident, name: str, absence: Absence) -> Incident:
    """Return the incident with the note that a measurement cannot be had."""
    answers = {**dict(incident.answers), name: absence}
    return dataclasses.replace(incident, answers=tuple(sorted(answers.items())))
