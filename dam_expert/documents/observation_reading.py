"""Reading observations and settings: short forms, long forms, scopes in brackets, lists of either.

accelerator_utilization: 35 %
queue_time[stage=decode]: 40 ms
step_time: {value: 0.9, unit: s, basis: tool, source: {file: train.log, line: 12}}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from dam_expert.documents.answering import absence_of, value_of
from dam_expert.documents.hearsay import is_hearsay
from dam_expert.documents.literals import QuantityError
from dam_expert.documents.messages import Level, suggestion
from dam_expert.documents.observations import Basis, Observation, Scope
from dam_expert.documents.problems import Path, Problem
from dam_expert.documents.quantities import Given, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.incident_values import Absence
    from dam_expert.documents.observations import Value
    from dam_expert.documents.reading import Reading

_SCOPED = re.compile(r"\s*([^\[\]]+?)\s*\[([^\[\]]*)\]\s*")
_LONGEST = 200  # of a rejected value that is shown

#: A value in a document with where it stands, under the id and scope of its measurement.
_Entry: TypeAlias = tuple[str, Scope, dict[str, Any], Path]


def observations_in(data: object, path: Path, reading: Reading) -> tuple[list[Observation], dict[str, Absence]]:
    """Return the observations under a path, and the measurements that were named there without a value."""
    found: list[Observation] = []
    absent: dict[str, Absence] = {}
    for measurement, scope, long, place in _entries(data, path, reading):
        absence = None if "complaint" in long else absence_of(long.get("value"), measurement, reading.vocabulary)
        if absence is None:
            found.append(_observation(measurement, scope, long, place, reading))
        elif scope:
            said = f"'{measurement}' has no value for {scope_text(scope)}"
            reading.say(Problem(path=place, code="no-value", text=said), Level.NOTE)
        else:
            absent.setdefault(measurement, absence)
    measured = {observation.measurement for observation in found}
    return found, {name: absence for name, absence in absent.items() if name not in measured}


def settings_in(data: object, path: Path, reading: Reading) -> tuple[tuple[Observation, ...], dict[str, Absence]]:
    """Return the settings under a path; a setting has one value, a second one is an error."""
    found, absent = observations_in(data, path, reading)
    kept: dict[tuple[str, Scope], Observation] = {}
    for observation in found:
        key = (observation.measurement, observation.scope)
        if key in kept:
            said = f"the setting '{observation.measurement}' is given twice"
            reading.say(Problem(path=path, code="duplicate-setting", text=said))
        kept.setdefault(key, observation)
    return tuple(kept.values()), absent


def resolved(name: str, path: Path, reading: Reading) -> str | None:
    """Return the id of a measurement; None, and a message with the nearest, where there is none of this name."""
    found = reading.vocabulary.resolve(name)
    if found is None:
        hint = suggestion(name, reading.vocabulary.known_ids())
        text = f"no measurement is called '{name[:60]}'"
        reading.say(Problem(path=path, code="unknown-measurement", text=text, hint=hint, at_key=True))
    return found


def scope_text(scope: Scope) -> str:
    """Write a scope as it stands in brackets.

    >>> scope_text((("rank", "3"), ("stage", "decode")))
    'rank=3, stage=decode'
    """
    return ", ".join(f"{name}={member}" for name, member in scope)


def _entries(data: object, path: Path, reading: Reading) -> Iterator[_Entry]:
    """Yield every value in its long form."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _named(name, value, (*path, name), reading)
    for position, item in enumerate(data if isinstance(data, list) else []):
        place = (*path, position)
        if item is None:
            continue
        if "measurement" in item:
            yield from _named(item["measurement"], item, place, reading)
        elif "value" in item:
            reading.say(Problem(path=place, code="missing-key", text="the key 'measurement' is missing"))
        else:
            yield from _entries(item, place, reading)


def _named(name: str, given: object, path: Path, reading: Reading) -> Iterator[_Entry]:
    """Yield the values given for one name."""
    bare, scope = _unscoped(name, path, reading)
    measurement = resolved(bare, path, reading) if bare else None
    if measurement is None:
        return
    if isinstance(given, list) and any(isinstance(item, dict) for item in given):
        for position, item in enumerate(given):
            yield measurement, scope, _long(item), (*path, position)
    else:
        yield measurement, scope, _long(given), path


def _long(given: object) -> dict[str, Any]:
    return given if isinstance(given, dict) else {"value": given}


def _unscoped(name: str, path: Path, reading: Reading) -> tuple[str | None, Scope]:
    """Split ``queue_time[stage=decode, rank=3]``; no name where the brackets hold something else."""
    match = _SCOPED.fullmatch(name)
    if match is None:
        return name, ()
    pairs = [pair.partition("=") for pair in match[2].split(",")]
    scope = {left.strip(): right.strip() for left, _, right in pairs}
    if len(scope) < len(pairs) or not all(left and right for left, right in scope.items()):
        text, hint = f"the scope of '{name[:60]}' cannot be read", f"write '{match[1]}[stage=decode, rank=3]'"
        reading.say(Problem(path=path, code="wrong-scope", text=text, hint=hint, at_key=True))
        return None, ()
    return match[1], tuple(sorted(scope.items()))


def _observation(measurement: str, scope: Scope, long: dict[str, Any], path: Path, reading: Reading) -> Observation:
    """Build one observation from its long form."""
    value, basis, given, complaint = _value(measurement, long, path, reading)
    stated = long.get("basis")
    if stated is not None and basis is not Basis.SAID:
        basis = Basis(stated)
    if value is not None and is_hearsay(long, value, measurement, reading.vocabulary):
        basis = Basis.SAID
    inner = {name: str(member) for name, member in (long.get("scope") or {}).items()}
    return Observation(
        measurement=measurement,
        value=value,
        origin=reading.origin(path, long.get("source")),
        basis=basis,
        scope=tuple(sorted((dict(scope) | inner).items())),
        when=reading.moment(long.get("when"), path),
        samples=long.get("samples"),
        given=long.get("given") or given,
        complaint=complaint,
    )


def _value(
    measurement: str, long: dict[str, Any], path: Path, reading: Reading
) -> tuple[Value | None, Basis, str | None, str | None]:
    """Return value, basis, the value as given (None where the value itself says it all), and the complaint."""
    given: Given = long["value"] if long.get("value") is not None else ""
    unit, text = long.get("unit"), ""
    try:
        text = as_text(_with_unit(given, unit))
        if "complaint" in long:
            return None, Basis.REPORTED, text, long["complaint"]
        value, basis = value_of(text, measurement, reading.vocabulary)
    except QuantityError as error:
        level, code = (Level.WARNING, "impossible-value") if error.impossible else (Level.ERROR, "wrong-value")
        reading.say(Problem(path=path, code=code, text=f"{measurement}: {error.text}", hint=error.hint), level)
        return None, Basis.REPORTED, text[:_LONGEST], error.text
    says_no_more = text == value if isinstance(value, str) else not unit and _is_bare(given)
    return value, basis, None if says_no_more else text, None


def _is_bare(given: object) -> bool:
    """Whether a value was given as numbers, not as text."""
    items = given if isinstance(given, list) else [given]
    return all(item is None or isinstance(item, int | float) for item in items)


def _with_unit(given: Given, unit: str | None) -> Given:
    """Put value and unit of a long form together, as one would write them."""
    if not unit or unit == "1":
        return given
    if isinstance(given, list):
        return [f"{as_text(item)} {unit}" if isinstance(item, str | int | float) else item for item in given]
    return f"{as_text(given)} {unit}"
