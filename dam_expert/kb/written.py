"""Checks of what authors write for tests: the facts of rules and the incidents of cases, each at its own place.

Running the tests says what comes of them; this says, without running any, which of their names and values mean nothing.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from dam_expert.documents.incident import incident_from
from dam_expert.documents.messages import has_errors, suggestion
from dam_expert.documents.observations import Origin
from dam_expert.language.names import Role

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.kb.base import Base, BaseNames
    from dam_expert.kb.located import Located
    from dam_expert.kb.models import ExpectModel
    from dam_expert.language.parsing import Path

#: An origin is a line; the column travels in it.
_WIDE = 1_000_000
_KINDS = ("fires", "silent", "undecided", "todo_fires", "todo_silent")
#: What facts say beside observations, and where an incident says it.
_BESIDE = {"planned": "planned_actions", "tried": "tried"}
#: The parts of an incident that hold values of measurements.
_MEASURED = ("observations", "workload", "environment")


def unreadable_facts(entries: Sequence[Located[Any]], names: BaseNames) -> Iterator[Message]:
    """Yield what cannot be read in the facts of the tests of rules."""
    for located in entries:
        for kind in _KINDS:
            for number, facts in enumerate(getattr(located.entry.tests, kind)):
                data: dict[str, Any] = {"schema": "dam-incident/1"}
                data["observations"] = _readable(
                    {key: each for key, each in facts.items() if key not in _BESIDE}, names
                )
                data |= {_BESIDE[key]: value for key, value in facts.items() if key in _BESIDE}
                back: dict[Path, Path] = {("observations",): ("tests", kind, number)}
                back |= {(there,): ("tests", kind, number, here) for here, there in _BESIDE.items()}
                yield from _said(located, data, names, back, "test-facts")


def unreadable_cases(entries: Sequence[Located[Any]], base: Base) -> Iterator[Message]:
    """Yield what cannot be read in the incidents of cases, in what their stages add, and in what they expect."""
    for located in entries:
        whole = {
            "schema": "dam-incident/1",
            "title": located.entry.title,
            **_readable_in(located.entry.incident, base.names),
        }
        yield from _said(located, whole, base.names, {(): ("incident",)}, "case-differs")
        for index, stage in enumerate(located.entry.stages):
            data = {"schema": "dam-incident/1", "observations": _readable(stage.add, base.names)}
            yield from _said(located, data, base.names, {("observations",): ("stages", index, "add")}, "case-differs")
            yield from _expected(located, stage.expect, base, ("stages", index, "expect"))


def _readable(observations: Mapping[str, Any], names: BaseNames) -> dict[str, Any]:
    """Leave out what is said of measurements that could not be read: that is told where they stand."""
    return {key: each for key, each in observations.items() if not _is_broken(key, names)}


def _readable_in(incident: Mapping[str, Any], names: BaseNames) -> dict[str, Any]:
    """Leave the same out of all parts of an incident."""
    found = {
        part: _readable(each, names) if part in _MEASURED and isinstance(each, dict) else each
        for part, each in incident.items()
    }
    target = found.get("target")
    if isinstance(target, dict) and _is_broken(str(target.get("metric")), names):
        del found["target"]
    return found


def _is_broken(key: str, names: BaseNames) -> bool:
    return names.role(str(key).partition("[")[0].strip()) is Role.BROKEN


def _expected(located: Located[Any], expect: ExpectModel, base: Base, at: Path) -> Iterator[Message]:
    """Yield the ids that a stage expects and that no diagnosis can ever have."""
    wanted: list[tuple[str, Sequence[str], Collection[str]]] = [
        ("binding", [expect.binding] if expect.binding is not None else [], base.hypotheses),
        ("hypotheses", list(expect.hypotheses), base.hypotheses),
        ("first", expect.first, base.hypotheses),
        ("next", expect.next, base.measurements),
        ("works", expect.works, base.levers),
        ("wasted", expect.wasted, base.levers),
        ("anti_patterns", expect.anti_patterns, base.anti_patterns),
    ]
    for field, names, known in wanted:
        for index, name in enumerate(names):
            if name not in known and base.names.role(name) is not Role.BROKEN:
                inside: Path = (field,) if field == "binding" else (field, name if field == "hypotheses" else index)
                what = {"next": "measurement", "anti_patterns": "anti-pattern"}.get(field)
                what = what or ("lever" if field in ("works", "wasted") else "hypothesis")
                yield located.message(
                    f"there is no {what} '{name}'", "unknown-id", *at, *inside, hint=suggestion(name, known)
                )


def _said(
    located: Located[Any], data: dict[str, Any], names: BaseNames, back: dict[Path, Path], code: str
) -> Iterator[Message]:
    """Yield the errors of an incident; ``back`` says where its parts are written in the entry."""

    def origin(path: Sequence[str | int]) -> Origin:
        here = next((here for there, here in back.items() if tuple(path[: len(there)]) == there), None)
        if here is None:
            line, column = located.document.place(located.path)
            return Origin(file=located.document.file, line=line * _WIDE + column)
        at = located.message("", code, *here, *path[len(next(there for there, to in back.items() if to == here)) :])
        return Origin(file=at.file, line=(at.line or 1) * _WIDE + (at.column or 1))

    for message in incident_from(data, names, origin)[1]:
        if has_errors([message]) and message.line is not None:
            line, column = divmod(message.line, _WIDE)
            yield dataclasses.replace(message, code=code, line=line, column=column)
