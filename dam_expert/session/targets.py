"""The missed target: written with its values, chosen from the entry points, or found in what was said."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Target, Track, folded
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.reports.model import Line, Tone
from dam_expert.session.answers import Taken, absence_in, described, taken_in, taken_value, value_told, with_value
from dam_expert.session.contrasts import contrast_in
from dam_expert.session.errors import AnswerError
from dam_expert.session.moves import move_in
from dam_expert.session.naming import choice
from dam_expert.session.prose import SESSION, is_prose, target_lines
from dam_expert.session.speech import holds_any, spoken
from dam_expert.session.state import TARGET
from dam_expert.session.written import written_target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.session.conversation import Conversation
    from dam_expert.session.state import State

_SENTENCE_ENDS: Final = re.compile(r"\n|(?<=[.!?])\s+|(?<=[。！？])")


def answer_target(talk: Conversation, state: State, text: str, *, corrects: bool = False) -> Taken:
    """Take the missed target: its numbers, an entry point, a path or a paste, or a description. Raises AnswerError.

    ``corrects``: it is told in place of the one that is known, as it is where this one is asked for again. Of the same
    metric, what is not told anew stays; and so does all of it until another one is understood.
    """
    if not corrects and state.wanted != TARGET:
        return _answered_target(talk, state, text, metric_of(talk.base, state))
    old = state.incident.target
    if absence_in(talk.base, metric_of(talk.base, state) or "step_time", text) is not None:
        return Taken(state=state.changed(turn=(TARGET, text), wanted=None))
    metric = metric_of(talk.base, state) if old is None or old.metric is None else old.metric
    if text.strip().isdecimal():
        metric = None  # the number of an entry point, as they were shown
    blank = dataclasses.replace(
        state, incident=dataclasses.replace(state.incident, target=None), entry=None, wanted=None
    )
    taken = _answered_target(talk, blank, text, metric)
    new = taken.state.incident.target
    kept = old if new is None else _merged(old, new)
    if corrects and new is None:
        raise AnswerError("session.problem.target")
    incident = dataclasses.replace(taken.state.incident, target=kept)
    entry, wanted = (taken.state.entry, None) if new is not None else (state.entry, TARGET)
    items = taken.items
    if new is not None and new != kept and kept is not None:
        items = tuple(_noted(talk.base, talk.words(state), kept))
    corrected = dataclasses.replace(taken.state, incident=incident, entry=entry, wanted=wanted, past=state.way_back)
    return Taken(state=corrected, items=items)


def _merged(old: Target | None, new: Target) -> Target:
    """Return a target with what is known of it from before where it is of the same metric."""
    if old is None or new.metric is None or old.metric != new.metric:
        return new
    return dataclasses.replace(new, actual=new.actual or old.actual, wanted=new.wanted or old.wanted)


def _answered_target(talk: Conversation, state: State, text: str, metric: str | None) -> Taken:
    """Take the missed target; ``metric`` is the one that it may leave out. Raises AnswerError."""
    base, words, given = talk.base, talk.words(state), text.strip()
    if absence_in(base, metric or "step_time", given) is not None:
        return Taken(state=state.changed(turn=(TARGET, text), skipped=(*state.skipped, TARGET)))
    taken = taken_in(talk, state, text, turn=(TARGET, text))
    if taken is not None:
        return _with_target_in(talk, words, taken, text)
    named = _named_exactly(base, given)
    if named is not None:
        return taken_value(base, words, state, *named, turn=(TARGET, text))
    refused: AnswerError | None = None
    try:
        target = written_target(talk, words, given, metric)
    except AnswerError as error:
        if not is_prose(given):
            raise
        target, refused = None, error
    if target is not None and not holds_any(given, spoken("answer.wanted")):
        target = _as_wished_before(state, target)
    told = None if target is None else target.metric
    in_words = described(talk, state, text, turn=(TARGET, text), aside=True, target=told)
    if target is not None:
        begun = in_words or Taken(state=state.changed(turn=(TARGET, text)))
        incident = dataclasses.replace(begun.state.incident, target=target)
        incident = with_measured_target(incident, target, given)
        items = (*_noted(base, words, target), *begun.items)
        return Taken(state=dataclasses.replace(begun.state, incident=incident), items=items)
    if in_words is None and refused is not None and refused.key == "session.problem.bare":
        raise refused
    entry = None if state.entry is not None else entry_of(base, given)
    if entry is not None:
        return entered(base, words, state, entry, text, in_words)
    if in_words is None:
        if state.entry is None:
            raise AnswerError("session.problem.target")
        raise AnswerError("session.problem.target_value", **example_of(base, metric_of(base, state)))
    return (
        in_words
        if in_words.items
        else dataclasses.replace(in_words, items=(Line(words.say("session.understood_direction")),))
    )


def _as_wished_before(state: State, target: Target) -> Target:
    """Return a target that tells no wish with the one that is known: only where none is, it is to be as it was."""
    known = state.incident.target
    if known is None or known.metric != target.metric or known.wanted is None:
        return target
    return dataclasses.replace(target, wanted=known.wanted)


def states_target(talk: Conversation, state: State, text: str) -> bool:
    """Whether an answer to another question states what is missed: a metric with its value and the one wanted.

    So does what it was and became, but where a factor is asked for: there it is the answer.
    """
    wishes = holds_any(text, spoken("answer.wanted"))
    tells = move_in(text) is not None or contrast_in(text) is not None
    moved = wishes or (tells and talk.base.names.kind(talk.question(state).id) is not Kind.RATIO)
    if "\n" in text.strip() or not moved:
        return False
    try:
        target = written_target(talk, talk.words(state), text.strip())
    except AnswerError:
        return False
    if target is None or target.actual is None or target.wanted is None:
        return False
    return wishes or (target.track is not None and not is_met(talk.base, target))


def _with_target_in(talk: Conversation, words: Glossary, taken: Taken, text: str) -> Taken:
    """Return what was taken of a paste with the target that one of its sentences states, if the target lacks values."""
    known = taken.state.incident.target
    if known is not None and known.wanted is not None:
        return taken
    for sentence in _SENTENCE_ENDS.split(text):
        try:
            target = written_target(talk, words, sentence)
        except AnswerError:
            continue
        if target is not None and target.wanted is not None:
            incident = dataclasses.replace(taken.state.incident, target=target)
            state = dataclasses.replace(taken.state, incident=incident)
            return Taken(state=state, items=(*taken.items, *_noted(talk.base, words, target)))
    return taken


def _named_exactly(base: Base, text: str) -> tuple[str, str] | None:
    """Return what ``NAME = VALUE`` gives where NAME is nothing that anybody misses: a fact, told before the target."""
    name, equals, value = text.partition("=")
    resolved = base.names.resolve(name.strip()) if equals else None
    if resolved is None or not value.strip() or base.measurements[resolved].model.track is not None:
        return None
    folded_value = value.casefold()
    return None if any(word in folded_value for word in spoken("answer.wanted")) else (resolved, value.strip())


def metric_of(base: Base, state: State) -> str | None:
    """Return the metric of the entry point that was chosen, which a target may leave out."""
    entry = base.entry_points.get(state.entry or "")
    return None if entry is None else entry.metric


def example_of(base: Base, metric: str | None) -> dict[str, str]:
    """Return an example of what a target is and what is wanted, in the unit of its metric."""
    unit = base.names.unit(metric) if metric is not None else None
    if unit in (None, "s"):
        return {"actual": "180 ms", "wanted": "110 ms"}
    return {"actual": f"12000 {unit}", "wanted": f"8000 {unit}"}


def entry_of(base: Base, text: str) -> str | None:
    """Return the entry point that a number or words name, or None; of several the one with the longest words."""
    names = list(base.entry_points)
    number = choice(text, len(names))
    if number is not None:
        return names[number]
    said = folded(text)
    found = [
        (len(alias), name)
        for name, entry in base.entry_points.items()
        for alias in map(folded, (name, *entry.aliases))
        if _holds(said, alias)
    ]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _holds(text: str, alias: str) -> bool:
    """Whether a text holds every part of an alias, ``a + b``; words of letters are whole words: *room* is no *oom*."""
    return all(_holds_part(text, part) for part in alias.split(" + "))


def _holds_part(text: str, alias: str) -> bool:
    if not alias.isascii():
        return alias in text
    return re.search(rf"\b{re.escape(alias)}\b", text) is not None


def entered(base: Base, words: Glossary, state: State, entry: str, text: str, described: Taken | None = None) -> Taken:
    """Begin at an entry point: its track holds until something else is said, and so do its settings.

    ``described`` is what else the words that chose it say. Where it was chosen by words, settings that these do not
    name stay open: an idle device trains or serves.
    """
    by_number = text.strip().isdecimal()
    model = base.entry_points[entry]
    begun = described or Taken(state=state.changed(turn=(TARGET, text)))
    incident = begun.state.incident
    if incident.target is None or incident.target.metric is None:
        incident = dataclasses.replace(incident, target=Target(track=Track(model.track)))
    for name, value in model.settings.items():
        known = [o for o in (*incident.settings, *incident.observations) if o.measurement == name]
        if (known or by_number) and all(o.basis is Basis.SAID and o.value == value for o in known):
            # the choice states what words only said
            workload = tuple(o for o in incident.workload if o.measurement != name)
            told = value_told(base, name, str(value))
            incident = with_value(dataclasses.replace(incident, workload=workload), told)
    changed = dataclasses.replace(begun.state, incident=incident, entry=entry)
    chosen = Line(words.say("session.noted.entry", title=words.sentence(model.title)))
    return Taken(state=changed, items=(chosen, *begun.items))


def with_measured_target(incident: Incident, target: Target, given: str) -> Incident:
    """Return the incident with the target's present value as an observation: the total of a budget is one."""
    if target.metric is None or target.actual is None:
        return incident
    origin = Origin(file=SESSION)
    told = Observation(measurement=target.metric, value=target.actual, basis=Basis.REPORTED, origin=origin, given=given)
    kept = tuple(o for o in incident.observations if o.measurement != target.metric or o.origin.file != SESSION)
    return dataclasses.replace(incident, observations=(*kept, told))


def _noted(base: Base, words: Glossary, target: Target) -> Iterator[Line]:
    """Say how the target was understood, and where it is no target that was missed."""
    yield from target_lines(words, target)
    if is_met(base, target):
        yield Line(words.say("session.noted.met"), tone=Tone.WARNING)


def is_met(base: Base, target: Target) -> bool:
    """Whether a target's present value meets what is wanted; not where one of them is not known."""
    if target.metric is None or target.actual is None or target.wanted is None:
        return False
    measurement = base.measurements[target.metric]
    return measurement.has_direction and measurement.is_as_good(target.actual, target.wanted)
