"""The missed target: written with its values, chosen from the entry points, or found in what was said."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Target, Track, folded
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.reports.model import Line, Tone
from dam_expert.session.answers import Taken, absence_in, described, taken_in, taken_value, value_told, with_value
from dam_expert.session.errors import AnswerError
from dam_expert.session.naming import choice, measurement_named
from dam_expert.session.prose import SESSION, is_prose, target_lines
from dam_expert.session.speech import spoken
from dam_expert.session.state import TARGET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.session.conversation import Conversation
    from dam_expert.session.state import State

#: Where a value begins: a number, perhaps hedged, that is no part of a name (p99).
_VALUE: Final = re.compile(r"(?<![\w.,%])[~≈<>$]?\d")
#: A price is written with its sign first.
_MONEY: Final = re.compile(r"\$\s*(\d[\d.,]*\s?[kKM]?)(?=\W|$)")
_SENTENCE_ENDS: Final = re.compile(r"\n|(?<=[.!?])\s+|(?<=[。！？])")
_BARE: Final = re.compile(r"[\d.]+")
_UNIT: Final = re.compile(r"[^\d.]*$")
_CLAUSE_ENDS: Final = re.compile(r"[.,;](?=\s|$)|[，。；]| - |\s(?:and|but|while|when|since)(?=\s|$)")
_MARKS: Final = " ,;:=，；：、.。"


def answer_target(talk: Conversation, state: State, text: str) -> Taken:
    """Take the missed target: its numbers, an entry point, a path or a paste, or a description. Raises AnswerError."""
    base, words, given = talk.base, talk.words(state), text.strip()
    if absence_in(base, metric_of(base, state) or "step_time", given) is not None:
        return Taken(state=state.changed(turn=(TARGET, text), skipped=(*state.skipped, TARGET)))
    taken = taken_in(talk, state, text, turn=(TARGET, text))
    if taken is not None:
        return _with_target_in(base, words, taken, text)
    named = _named_exactly(base, given)
    if named is not None:
        return taken_value(base, words, state, *named, turn=(TARGET, text))
    try:
        target = written_target(base, words, given, metric_of(base, state))
    except AnswerError:
        if not is_prose(given):
            raise
        target = None
    told = None if target is None else target.metric
    in_words = described(talk, state, text, turn=(TARGET, text), aside=True, target=told)
    if target is not None:
        begun = in_words or Taken(state=state.changed(turn=(TARGET, text)))
        incident = dataclasses.replace(begun.state.incident, target=target)
        incident = with_measured_target(incident, target, given)
        items = (*_noted(base, words, target), *begun.items)
        return Taken(state=dataclasses.replace(begun.state, incident=incident), items=items)
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


def _with_target_in(base: Base, words: Glossary, taken: Taken, text: str) -> Taken:
    """Return what was taken of a paste with the target that one of its sentences states, if the target lacks values."""
    known = taken.state.incident.target
    if known is not None and known.wanted is not None:
        return taken
    for sentence in _SENTENCE_ENDS.split(text):
        try:
            target = written_target(base, words, sentence)
        except AnswerError:
            continue
        if target is not None and target.wanted is not None:
            incident = dataclasses.replace(taken.state.incident, target=target)
            state = dataclasses.replace(taken.state, incident=incident)
            return Taken(state=state, items=(*taken.items, *_noted(base, words, target)))
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
    """Whether a text holds the words of an alias; words of letters are whole words: *room* is no *oom*."""
    if not alias.isascii():
        return alias in text
    return re.search(rf"\b{re.escape(alias)}\b", text) is not None


def entered(base: Base, words: Glossary, state: State, entry: str, text: str, described: Taken | None = None) -> Taken:
    """Begin at an entry point: its track and its settings hold until something else is said.

    ``described`` is what else the words that chose it say.
    """
    model = base.entry_points[entry]
    begun = described or Taken(state=state.changed(turn=(TARGET, text)))
    incident = begun.state.incident
    if incident.target is None or incident.target.metric is None:
        incident = dataclasses.replace(incident, target=Target(track=Track(model.track)))
    for name, value in model.settings.items():
        known = [o for o in (*incident.settings, *incident.observations) if o.measurement == name]
        if all(o.basis is Basis.SAID and o.value == value for o in known):  # the choice states what words only said
            workload = tuple(o for o in incident.workload if o.measurement != name)
            told = value_told(base, name, str(value))
            incident = with_value(dataclasses.replace(incident, workload=workload), told)
    changed = dataclasses.replace(begun.state, incident=incident, entry=entry)
    chosen = Line(words.say("session.noted.entry", title=words.sentence(model.title)))
    return Taken(state=changed, items=(chosen, *begun.items))


def written_target(base: Base, words: Glossary, text: str, metric: str | None = None) -> Target | None:
    """Return a target written as ``METRIC is VALUE, wanted VALUE``, in any of the languages; None where it is none.

    ``metric`` is the one that may be left out. Raises AnswerError for a value that cannot be one of the metric.
    """
    split = _split(base, words, _MONEY.sub(r"\1 $", text), metric)
    if split is None:
        return None
    name, values = split
    actual, wanted = _actual_and_wanted(values)
    if actual is not None and wanted is not None and _BARE.fullmatch(wanted):
        wanted += _UNIT.search(actual)[0]  # type: ignore[index]  # it matches nothing at the end, if nothing else
    track = base.measurements[name].model.track
    if track is None and wanted is None:
        return None  # a value, but none that anybody misses by itself
    return Target(
        metric=name,
        actual=None if actual is None else _quantity(base, name, actual),
        wanted=None if wanted is None else _quantity(base, name, wanted),
        track=None if track is None else Track(track),
    )


def with_measured_target(incident: Incident, target: Target, given: str) -> Incident:
    """Return the incident with the target's present value as an observation: the total of a budget is one."""
    if target.metric is None or target.actual is None:
        return incident
    origin = Origin(file=SESSION)
    told = Observation(measurement=target.metric, value=target.actual, basis=Basis.REPORTED, origin=origin, given=given)
    kept = tuple(o for o in incident.observations if o.measurement != target.metric or o.origin.file != SESSION)
    return dataclasses.replace(incident, observations=(*kept, told))


def _split(base: Base, words: Glossary, text: str, metric: str | None) -> tuple[str, str] | None:
    """Return the metric and the text of its values: the name is what stands before the first number."""
    for place in _VALUE.finditer(text):
        before, values = _without_copula(text[: place.start()]), text[place.start() :]
        if not before.strip(_MARKS):
            return None if metric is None else (metric, values)
        resolved = _metric_before(base, before.strip(_MARKS))
        if resolved is not None:
            return resolved, values
        if metric is not None and _is_wanted(before):
            return metric, text
    return _misspelt(base, words, text) if "=" in text or " is " in f" {text} " else None


def _metric_before(base: Base, text: str) -> str | None:
    """Return the measurement that the last words before a value name: the longest name, and one that can be missed."""
    pieces = text.split()
    for start in range(len(pieces)):
        resolved = base.names.resolve(" ".join(pieces[start:]))
        if resolved is not None and (start == 0 or base.measurements[resolved].model.track is not None):
            return resolved
    return None


def _misspelt(base: Base, words: Glossary, text: str) -> tuple[str, str] | None:
    """Take a name with a slip of the pen before a value; a sentence without a value is no target."""
    place = _VALUE.search(text)
    if place is None:
        return None
    name = _without_copula(text[: place.start()]).strip(_MARKS)
    return measurement_named(base, words, name).id, text[place.start() :]


def _without_copula(text: str) -> str:
    """Return a text without the word for *is*, or a hedge, at its end."""
    said = text.strip(_MARKS)
    for word in (*spoken("answer.is"), *spoken("answer.about")):
        if said.casefold().endswith(word) and (not word.isascii() or said[: -len(word)].endswith((" ", "="))):
            return _without_copula(said[: -len(word)])
    return said


def _is_wanted(text: str) -> bool:
    said = text.strip(_MARKS).casefold()
    return any(said == word for word in spoken("answer.wanted"))


def _actual_and_wanted(values: str) -> tuple[str | None, str | None]:
    """Split the values at the word for *wanted*: what stands behind it is wanted, before it actual."""
    folded_text = values.casefold()
    places = [(folded_text.find(word), word) for word in spoken("answer.wanted") if word in folded_text]
    if not places:
        first, slash, second = values.partition(" / ")
        return (_first_clause(first), _first_clause(second)) if slash else (_first_clause(values), None)
    at, word = min(places, key=lambda pair: (pair[0], -len(pair[1])))
    actual, wanted = _first_clause(values[:at]), values[at + len(word) :]
    found = _VALUE.search(wanted)
    return actual or None, _first_clause(wanted[found.start() :]) if found else None


def _first_clause(text: str) -> str:
    """Return a text up to the mark that ends its first clause; marks inside of numbers end none."""
    return _CLAUSE_ENDS.split(text.strip(_MARKS), maxsplit=1)[0].strip(_MARKS)


def _quantity(base: Base, metric: str, text: str) -> Interval:
    unit, kind = base.names.unit(metric), base.names.kind(metric)
    if unit is None:
        raise AnswerError("session.problem.no_metric", metric=metric)
    try:
        return parse_quantity(text.strip(), unit=unit, kind=kind, words=dict(base.names.words(metric))).interval
    except QuantityError as error:
        raise AnswerError.of(error) from error


def _noted(base: Base, words: Glossary, target: Target) -> Iterator[Line]:
    """Say how the target was understood, and where it is no target that was missed."""
    yield from target_lines(words, target)
    if target.actual is not None and target.wanted is not None:
        higher = base.measurements[target.metric or ""].higher_is_better
        met = target.actual.lo >= target.wanted.hi if higher else target.actual.hi <= target.wanted.lo
        if met:
            yield Line(words.say("session.noted.met"), tone=Tone.WARNING)
