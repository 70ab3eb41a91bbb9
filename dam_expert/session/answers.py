"""Answers: a value, words, a range, the output of a tool as a path or pasted, or why there is none."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import absence_of, value_of
from dam_expert.documents.incident import Absence, Effect, Target, Track
from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import closest, suggestion
from dam_expert.documents.observations import Observation, Origin
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.readers.gather import gather, read_one
from dam_expert.readers.source import Source
from dam_expert.session.state import TARGET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base
    from dam_expert.session.state import State

_TARGET: Final = re.compile(
    r"(?P<metric>[^=:]+?)\s*(?:\bis\b|=|:)\s*(?P<actual>[^,;]+?)"
    r"(?:[,;]?\s*(?:\bwanted\b|\btarget\b|\bshould be\b)\s*(?:\bis\b|=|:)?\s*(?P<wanted>.+))?",
    re.IGNORECASE,
)
_SESSION: Final = "session"


class AnswerError(ValueError):
    """An answer that cannot be taken, with what to write instead."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A state after an answer, and what to say of it."""

    state: State
    lines: tuple[str, ...] = ()


def answer_measurement(base: Base, state: State, name: str, text: str) -> Taken:
    """Take an answer to the question for a measurement. Raises AnswerError."""
    pasted = read_output(base, text)
    if pasted is not None:
        observations, lines = pasted
        incident = with_output(state.incident, observations)
        return Taken(state=state.changed(turn=(name, text), incident=incident), lines=tuple(lines))
    absence = absence_of(text, name, base.names)
    if absence is not None:
        changed = state.changed(turn=(name, text), incident=without(state.incident, name, absence))
        return Taken(state=changed, lines=(f"Noted: {absence.value.replace('_', ' ')}.",))
    return Taken(state=state.changed(turn=(name, text), incident=with_value(base, state.incident, name, text)))


def read_output(base: Base, text: str) -> tuple[list[Observation], list[str]] | None:
    """Read an answer that is a path or the pasted output of a tool; None where it is neither."""
    if "\n" in text:
        reading, message = read_one(Source.of_bytes("<pasted>", text.encode()))
        if reading is None:
            raise AnswerError(str(message) if message is not None else "nothing in the pasted text was understood")
        said = [f"Read as the output of {reading.tool}: {len(reading.observations)} values."]
        return list(reading.observations), [*said, *map(str, reading.messages)]
    path = Path(text.strip()).expanduser()
    if not re.search(r"[/\\.~]", text) or not _exists(path):
        if re.match(r"(?:/|\./|\.\./|~)\S+$", text.strip()):
            raise AnswerError(f"there is no file '{text.strip()}'")
        return None
    gathered = gather([path])
    if not gathered.observations:
        raise AnswerError("; ".join(map(str, gathered.messages)) or f"nothing in {path} was understood")
    return list(gathered.observations), [f"{len(gathered.observations)} values read.", *map(str, gathered.messages)]


def with_output(incident: Incident, observations: Sequence[Observation]) -> Incident:
    """Return the incident with what a tool printed now, in place of what was known of the same things before."""
    now = {(o.measurement, o.scope) for o in observations}
    kept = tuple(o for o in incident.observations if (o.measurement, o.scope) not in now)
    return dataclasses.replace(incident, observations=(*kept, *observations))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def with_value(base: Base, incident: Incident, name: str, text: str) -> Incident:
    """Return the incident with a value in place of what the session was told before. Raises AnswerError."""
    try:
        value, basis = value_of(text, name, base.names)
    except QuantityError as error:
        raise AnswerError(error.text + (f"; {error.hint}" if error.hint else "")) from error
    told = Observation(measurement=name, value=value, basis=basis, origin=Origin(file=_SESSION), given=text)
    kept = tuple(o for o in incident.observations if o.measurement != name or o.origin.file != _SESSION)
    answers = tuple(pair for pair in incident.answers if pair[0] != name)
    return dataclasses.replace(incident, observations=(*kept, told), answers=answers)


def without(incident: Incident, name: str, absence: Absence) -> Incident:
    """Return the incident with the note that a measurement cannot be had."""
    answers = {**dict(incident.answers), name: absence}
    return dataclasses.replace(incident, answers=tuple(sorted(answers.items())))


def answer_target(base: Base, state: State, text: str) -> Taken:
    """Take the missed target, or the number or words of an entry point. Raises AnswerError."""
    given = text.strip()
    if given.lower() in ("unknown", "skip", "?", "none"):
        return Taken(state=state.changed(turn=(TARGET, text), skipped=(*state.skipped, TARGET)))
    entry = entry_of(base, given)
    if entry is not None:
        return _entered(base, state, entry, text)
    return Taken(state=state.changed(turn=(TARGET, text), incident=with_target(base, state.incident, given)))


def entry_of(base: Base, text: str) -> str | None:
    """Return the entry point that a number or words name, or None."""
    names = list(base.entry_points)
    if text.isdecimal():
        if not 1 <= int(text) <= len(names):
            raise AnswerError(f"choose a number from 1 to {len(names)}, or write the target")
        return names[int(text) - 1]
    said = text.casefold()
    for name, entry in base.entry_points.items():
        if said == name or (any(alias.casefold() in said for alias in entry.aliases) and "=" not in said):
            return name if not _TARGET.fullmatch(text) else None
    return None


def _entered(base: Base, state: State, entry: str, text: str) -> Taken:
    model = base.entry_points[entry]
    incident = dataclasses.replace(state.incident, target=Target(track=Track(model.track)))
    for name, value in model.settings.items():
        if not any(o.measurement == name for o in (*incident.settings, *incident.observations)):
            incident = with_value(base, incident, name, str(value))
    lines = [model.title + "."]
    if re.search(r"\d", text) and not text.strip().isdecimal():
        lines.append("The numbers were not taken; write them as 'step_time is 900 ms, wanted 500 ms'.")
    return Taken(state=state.changed(turn=(TARGET, text), incident=incident, entry=entry), lines=tuple(lines))


def with_target(base: Base, incident: Incident, text: str) -> Incident:
    """Return the incident with a target written as ``METRIC is VALUE, wanted VALUE``. Raises AnswerError."""
    found = _TARGET.fullmatch(text)
    if found is None:
        raise AnswerError("write 'step_time is 180 ms, wanted 110 ms', a number from the list, or unknown")
    metric = base.names.resolve(found["metric"].strip())
    if metric is None:
        nearest = suggestion(found["metric"].strip(), base.names.known_ids())
        raise AnswerError(f"no measurement is called '{found['metric'].strip()}'" + (f"; {nearest}" if nearest else ""))
    actual = _quantity(base, metric, found["actual"])
    wanted = None if found["wanted"] is None else _quantity(base, metric, found["wanted"])
    track = base.measurements[metric].model.track
    target = Target(metric=metric, actual=actual, wanted=wanted, track=None if track is None else Track(track))
    return dataclasses.replace(incident, target=target)


def _quantity(base: Base, metric: str, text: str) -> Interval:
    unit, kind = base.names.unit(metric), base.names.kind(metric)
    if unit is None:
        raise AnswerError(f"'{metric}' holds words and cannot be a target")
    try:
        return parse_quantity(text.strip(), unit=unit, kind=kind, words=dict(base.names.words(metric))).interval
    except QuantityError as error:
        raise AnswerError(error.text + (f"; {error.hint}" if error.hint else "")) from error


def effect_of(text: str) -> Interval | Effect:
    """Return what something did to the target: a word, a factor such as 1.3x, or the target's new value."""
    said = text.strip().casefold()
    if said in tuple(Effect):
        return Effect(said)
    if re.fullmatch(r"[\d.]+\s*[x×]", said):
        try:
            return parse_quantity(said, unit="1", kind=Kind.RATIO).interval
        except QuantityError as error:
            raise AnswerError(error.text) from error
    raise AnswerError("write helped, nothing, worse, or a factor such as 1.3x")


def names_like(text: str, known: Sequence[str]) -> str | None:
    """Return the known name that a text means: exact, the only one that contains it, or the nearest spelling."""
    folded = text.strip().casefold().replace(" ", "_").replace("-", "_")
    if folded in known:
        return folded
    within = [name for name in known if folded and folded in name]
    if len(within) == 1:
        return within[0]
    return closest(folded, known)
