"""Reading an incident document: every problem at once, and everything that is not wrong is used."""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import pydantic

from dam_expert.documents.dimensions import UnitError, units_of
from dam_expert.documents.incident_model import IncidentFile
from dam_expert.documents.incident_values import (
    SCHEMA,
    Absence,
    Effect,
    Incident,
    Intervention,
    Planned,
    Target,
    Track,
    Tried,
    Vocabulary,
)
from dam_expert.documents.kinds import Kind
from dam_expert.documents.literals import QuantityError
from dam_expert.documents.messages import Level, Message, suggestion
from dam_expert.documents.observation_reading import observations_in, resolved, settings_in
from dam_expert.documents.observations import Basis
from dam_expert.documents.problems import Path, Problem, fields_of, problems_of
from dam_expert.documents.quantities import Given, as_text, parse_quantity
from dam_expert.documents.reading import OriginOf, PlaceOf, Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dam_expert.documents.intervals import Interval
    from dam_expert.documents.observations import Observation

_T = TypeVar("_T")
_LONGEST = 200  # of a value, as in quantities
_UNIT_BEHIND = re.compile(r"(?s:.*)\d\.?\s*(?:[kKMG](?=\s|/))?\s*([^\d\s\]][^\d\]]*)\]?", re.DOTALL)


def incident_from(
    data: object, vocabulary: Vocabulary, origin_of: OriginOf, *, place_of: PlaceOf | None = None
) -> tuple[Incident, list[Message]]:
    """Read an incident from plain data; ``origin_of`` tells where each path stands, ``place_of`` also the column.

    Problems come back as messages in the order of the document, and what they concern is left out. A value that
    cannot be one of its measurement stays as an observation without value, with the complaint. Without an id the
    incident is named after its file.
    """
    reading = Reading(vocabulary, origin_of, place_of)
    incident = _incident(_shaped(data, reading), reading)
    return incident, sorted(reading.messages, key=lambda message: message.sort_key())


def _incident(document: dict[str, Any], reading: Reading) -> Incident:
    """Return the incident of a well-shaped document."""
    file = reading.origin(()).file
    target = _target(document["target"], reading) if document.get("target") else None
    observations, absent = observations_in(document.get("observations"), ("observations",), reading)
    workload, without = settings_in(document.get("workload"), ("workload",), reading)
    environment, lacking = settings_in(document.get("environment"), ("environment",), reading)
    stated = document.get("answers") or {}
    answers = absent | without | lacking | _answers(stated, reading)
    return Incident(
        id=document.get("id") or PurePath(file).name.split(".")[0] or "incident",
        file=file,
        title=document.get("title") or "",
        source=document.get("source"),
        target=target,
        workload=workload,
        environment=environment,
        observations=tuple(observations),
        planned=tuple(_planned(item, path, reading) for item, path in _items(document, "planned_actions")),
        tried=tuple(_tried(item, path, reading) for item, path in _items(document, "tried")),
        interventions=tuple(
            _intervention(item, path, target, reading) for item, path in _items(document, "interventions")
        ),
        answers=tuple(sorted(answers.items())),
        extras=tuple(
            (key, json.dumps(value, sort_keys=True, ensure_ascii=False))
            for key, value in sorted(document.items())
            if key.startswith("x-")
        ),
    )


def _shaped(data: object, reading: Reading) -> dict[str, Any]:
    """Return the document without what has the wrong shape: validated, pruned, and validated again."""
    known = fields_of(IncidentFile)
    free = {key: value for key, value in data.items() if _is_free(key)} if isinstance(data, dict) else {}
    rest, removed = _without_free(data), set[Path]()
    while True:
        try:
            IncidentFile.model_validate(rest)
        except pydantic.ValidationError as error:
            problems = problems_of(error, rest, known)
        else:
            return {**rest, **free} if isinstance(rest, dict) else free
        kept = rest if isinstance(rest, dict) else {}
        for problem in problems:
            if problem.code != "missing-key" or not any(path[:-1] == problem.path for path in removed):
                reading.say(problem)  # what is missing only because it was removed has been said
            kept = _pruned(kept, problem.path)
        removed |= {problem.path for problem in problems if problem.path}
        rest = {**kept, "schema": SCHEMA}


def _is_free(key: object) -> bool:
    return isinstance(key, str) and key.startswith("x-")


def _without_free(data: object) -> object:
    """Return a copy without the ``x-`` keys at any level."""
    if isinstance(data, dict):
        return {key: _without_free(value) for key, value in data.items() if not _is_free(key)}
    return [_without_free(item) for item in data] if isinstance(data, list) else data


def _pruned(data: Any, path: Path) -> Any:  # noqa: ANN401  (whatever stands in the file)
    """Return the data without what stands at a path; an item of a list becomes empty, so that paths stay true."""
    if not path:
        return data
    step, rest = path[0], path[1:]
    if isinstance(data, dict) and step in data:
        if rest:
            return {**data, step: _pruned(data[step], rest)}
        return {key: value for key, value in data.items() if key != step}
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return [*data[:step], _pruned(data[step], rest) if rest else None, *data[step + 1 :]]
    return data


def _items(document: dict[str, Any], name: str) -> Iterator[tuple[Any, Path]]:
    """Yield the items of a list with their paths; empty ones are skipped."""
    for position, item in enumerate(document.get(name) or []):
        if item is not None:
            yield item, (name, position)


def _read(action: Callable[[], _T], path: Path, reading: Reading) -> _T | None:
    """Return what an action reads; None, and a message, where it cannot."""
    try:
        return action()
    except QuantityError as error:
        level, code = (Level.WARNING, "impossible-value") if error.impossible else (Level.ERROR, "wrong-value")
        reading.say(Problem(path=path, code=code, text=error.text, hint=error.hint), level)
        return None


def _target(data: dict[str, Any], reading: Reading) -> Target:
    """Read the target. A metric that the base does not know keeps its name, and its values their own unit."""
    given, vocabulary = data.get("metric"), reading.vocabulary
    metric = vocabulary.resolve(given) if given else None
    if given and metric is None:
        hint = suggestion(given, vocabulary.known_ids())
        text = f"no measurement is called '{given[:60]}', so the target is only shown"
        reading.say(Problem(path=("target", "metric"), code="unknown-metric", text=text, hint=hint), Level.WARNING)
    unit, kind = (vocabulary.unit(metric), vocabulary.kind(metric)) if metric else (None, Kind.SETTING)
    values = {name: data[name] for name in ("wanted", "actual") if data.get(name) is not None}
    if unit is None:
        unit, kind = next((found for value in values.values() if (found := _own_unit(value))), "1"), Kind.SETTING
    words = vocabulary.words(metric) if metric else {}
    read: dict[str, Interval | None] = {
        name: _read(
            lambda value=value: parse_quantity(value, unit=unit, kind=kind, words=words).interval,  # type: ignore[misc]
            ("target", name),
            reading,
        )
        for name, value in values.items()
    }
    return Target(
        metric=metric or given,
        wanted=read.get("wanted"),
        actual=read.get("actual"),
        track=Track(data["track"]) if data.get("track") else None,
        unit=unit if values else None,
        basis=Basis(data["basis"]) if data.get("basis") else Basis.REPORTED,
        origin=reading.origin(("target",)),
    )


def _own_unit(given: Given) -> str | None:
    """Return the canonical unit of a value that carries its own."""
    try:
        match = _UNIT_BEHIND.fullmatch(as_text(given)[:_LONGEST])
        return str(units_of(match[1].strip())[0].dimension) if match else None
    except (UnitError, QuantityError):
        return None


def _answers(data: dict[str, str], reading: Reading) -> dict[str, Absence]:
    """Return what could not be had, by id."""
    named = {resolved(name, ("answers", name), reading): Absence(word) for name, word in data.items()}
    return {name: absence for name, absence in named.items() if name is not None}


def _planned(item: str | dict[str, Any], path: Path, reading: Reading) -> Planned:
    long = item if isinstance(item, dict) else {"lever": item}
    return Planned(lever=long["lever"], origin=reading.origin(path, long.get("source")))


def _tried(item: str | dict[str, Any], path: Path, reading: Reading) -> Tried:
    long = item if isinstance(item, dict) else {"lever": item}
    effect = long.get("effect")
    read = None if effect is None else _read(lambda: _effect(effect), (*path, "effect"), reading)
    return Tried(lever=long["lever"], effect=read, origin=reading.origin(path, long.get("source")))


def _effect(given: Given) -> Interval | Effect:
    """Read an effect: a word, or the factor on the target."""
    if isinstance(given, str) and given.strip().lower() in list(Effect):
        return Effect(given.strip().lower())
    try:
        return parse_quantity(given, unit="1", kind=Kind.RATIO).interval
    except QuantityError as error:
        words = ", ".join(Effect)
        raise QuantityError(error.text, f"write a factor such as '1.2x', or one of: {words}") from None


def _intervention(item: dict[str, Any], path: Path, target: Target | None, reading: Reading) -> Intervention:
    return Intervention(
        lever=item["lever"],
        origin=reading.origin(path, item.get("source")),
        before=_measured(item.get("before"), (*path, "before"), target, reading),
        after=_measured(item.get("after"), (*path, "after"), target, reading),
        kept=item.get("kept"),
        when=reading.moment(item.get("when"), path),
    )


def _measured(given: object, path: Path, target: Target | None, reading: Reading) -> tuple[Observation, ...]:
    """Read what was measured before or after: a mapping of measurements, or one value of the target's metric."""
    if given is None:
        return ()
    if isinstance(given, dict):
        return settings_in(given, path, reading)[0]
    metric = reading.vocabulary.resolve(target.metric) if target and target.metric else None
    if metric is None:
        hint = "write '{step_time: 0.9 s}', or name a metric under target"
        reading.say(Problem(path=path, code="no-metric", text="it is not said what this value measures", hint=hint))
        return ()
    return settings_in({metric: {"value": given}}, path, reading)[0]
