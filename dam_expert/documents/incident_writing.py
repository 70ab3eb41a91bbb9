"""Writing an incident document in its canonical form: ids, long observations, keys in one order.

Reading it back gives the same incident. A value stands as it was given where that reads as the same value, else as
the exact numbers; what stands in the document itself needs no source.
"""

from __future__ import annotations

import functools
import json
import math
from typing import TYPE_CHECKING, Any

from dam_expert.documents.answering import absence_of, value_of
from dam_expert.documents.incident_values import SCHEMA, Effect
from dam_expert.documents.intervals import Interval
from dam_expert.documents.literals import QuantityError
from dam_expert.documents.observations import Basis, Observation, Origin

if TYPE_CHECKING:
    from dam_expert.documents.incident_values import Incident, Intervention, Target, Vocabulary
    from dam_expert.documents.observations import Value

_WHOLE_BELOW = 2.0**53  # up to here every whole number is exact


def canonical(incident: Incident, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the incident as the plain data of its document; the same incident always gives the same data."""
    file = incident.file
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "id": incident.id,
        "title": incident.title,
        "source": incident.source,
        "target": _target(incident.target) if incident.target else None,
        "workload": _settings(incident.workload, file, vocabulary),
        "environment": _settings(incident.environment, file, vocabulary),
        "observations": [
            {"measurement": seen.measurement, **_long(seen, file, vocabulary)} for seen in incident.observations
        ],
        "planned_actions": [_action(planned.lever, planned.origin, file) for planned in incident.planned],
        "tried": [_action(tried.lever, tried.origin, file, effect=_effect(tried.effect)) for tried in incident.tried],
        "interventions": [_intervention(made, file, vocabulary) for made in incident.interventions],
        "answers": {name: str(absence) for name, absence in incident.answers},
    }
    document |= {key: json.loads(value) for key, value in incident.extras}
    return {key: value for key, value in document.items() if value not in (None, "", [], {})}


def _target(target: Target) -> dict[str, Any]:
    tail = f" {target.unit}" if target.unit not in (None, "1") else ""
    return _present(
        metric=target.metric,
        wanted=_numbers(target.wanted, tail) if target.wanted else None,
        actual=_numbers(target.actual, tail) if target.actual else None,
        track=str(target.track) if target.track else None,
        basis=str(target.basis) if target.basis is not Basis.REPORTED else None,
    )


def _numbers(value: Interval, tail: str = "") -> float | str | list[float | str | None]:
    """Write an interval exactly, with a unit behind each number; an open end is empty."""
    low, high = _number(value.lo, tail), _number(value.hi, tail)
    return low if value.is_point and low is not None else [low, high]


def _number(number: float, tail: str) -> float | str | None:
    if math.isinf(number):
        return None
    written = int(number) if number.is_integer() and abs(number) < _WHOLE_BELOW else number
    return f"{written!r}{tail}" if tail else written


def _settings(settings: tuple[Observation, ...], file: str, vocabulary: Vocabulary) -> dict[str, Any]:
    """Write settings as a mapping, in the short form where nothing but the value is known."""
    written: dict[str, Any] = {}
    for setting in settings:
        long = _long(setting, file, vocabulary)
        scope = ", ".join(f"{name}={member}" for name, member in setting.scope)
        long.pop("scope", None)
        if long["basis"] == _basis_when_read(long["value"], setting, vocabulary):
            del long["basis"]
        short = long["value"] if list(long) == ["value"] else long
        written[f"{setting.measurement}[{scope}]" if scope else setting.measurement] = short
    return written


def _basis_when_read(written: Any, setting: Observation, vocabulary: Vocabulary) -> str:  # noqa: ANN401
    read = _read(written, setting.measurement, vocabulary) if setting.complaint is None else None
    return str(read[1]) if read else str(Basis.REPORTED)


def _long(seen: Observation, file: str, vocabulary: Vocabulary) -> dict[str, Any]:
    """Write everything about an observation but its measurement."""
    value = _value(seen, vocabulary)
    return _present(
        value=value,
        basis=str(seen.basis),
        scope=dict(seen.scope) or None,
        source=_source(seen.origin, file),
        when=seen.when,
        samples=seen.samples,
        given=None if seen.given in (None, value) else seen.given,
        complaint=seen.complaint,
    )


def _value(seen: Observation, vocabulary: Vocabulary) -> Any:  # noqa: ANN401  (number, text or list)
    """Return the value as it was given if that reads alike, else exactly."""
    if seen.value is None:
        return seen.given
    if seen.given is not None and _reads_as(seen.given, seen, vocabulary):  # type: ignore[arg-type]  # it has a hash
        return seen.given
    return seen.value if isinstance(seen.value, str) else _numbers(seen.value)


@functools.lru_cache(maxsize=4096)
def _reads_as(written: str, seen: Observation, vocabulary: Vocabulary) -> bool:
    """Whether a text gives this value, and does not weaken the basis."""
    if absence_of(written, seen.measurement, vocabulary) is not None:
        return False
    read = _read(written, seen.measurement, vocabulary)
    return read is not None and read[0] == seen.value and read[1] in (Basis.REPORTED, seen.basis)


def _read(written: Any, measurement: str, vocabulary: Vocabulary) -> tuple[Value, Basis] | None:  # noqa: ANN401
    try:
        return value_of(written, measurement, vocabulary)
    except QuantityError:
        return None


def _source(origin: Origin, file: str) -> str | dict[str, Any] | None:
    """Write where a value comes from; nothing for what stands in the document itself."""
    if origin.file != file:
        return _present(file=origin.file, line=origin.line, tool=origin.tool, detail=origin.detail)
    if origin.tool is None:
        return origin.detail
    return _present(tool=origin.tool, detail=origin.detail)


def _action(lever: str, origin: Origin, file: str, **more: Any) -> str | dict[str, Any]:  # noqa: ANN401
    """Write an action: its lever alone where nothing else is known."""
    long = _present(lever=lever, **more, source=_source(origin, file))
    return lever if list(long) == ["lever"] else long


def _effect(effect: Interval | Effect | None) -> object:
    return str(effect) if isinstance(effect, Effect) else _numbers(effect) if isinstance(effect, Interval) else None


def _intervention(made: Intervention, file: str, vocabulary: Vocabulary) -> dict[str, Any]:
    return _present(
        lever=made.lever,
        before=_settings(made.before, file, vocabulary) or None,
        after=_settings(made.after, file, vocabulary) or None,
        kept=made.kept,
        when=made.when,
        source=_source(made.origin, file),
    )


def _present(**keys: Any) -> dict[str, Any]:  # noqa: ANN401
    return {key: value for key, value in keys.items() if value is not None}
