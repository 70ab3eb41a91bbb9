"""First pass over a base: every id once, and what each name stands for, so that conditions can be read after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.dimensions import PLAIN, Dimension, UnitError, units_of
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import suggestion
from dam_expert.documents.quantities import LIMITS
from dam_expert.kb.base import BaseNames, Measurement, Threshold
from dam_expert.language.leaves import BROKEN_REFERENCE
from dam_expert.language.names import Alternative, MeasuredName, Role, ThresholdName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dam_expert.kb.entry import Entry, Given
    from dam_expert.kb.located import Located
    from dam_expert.kb.models import KindModel, MeasurementModel, ScopedValue, ThresholdModel
    from dam_expert.kb.reading import Problems

_ROLES = {
    "bottlenecks": Role.BOTTLENECK,
    "symptoms": Role.SYMPTOM,
    "hypotheses": Role.HYPOTHESIS,
    "levers": Role.LEVER,
}

_DIMENSIONS: Final = {
    Kind.SHARE: PLAIN,
    Kind.RATIO: PLAIN,
    Kind.COUNT: PLAIN,
    Kind.DURATION: Dimension(second=1),
    Kind.BYTES: Dimension(byte=1),
}

_STATUS: Final = re.compile(r" is (?:confirmed|supported|candidate|refuted)\Z")

#: Words that conditions and formulas read as their own.
RESERVED: Final = frozenset(
    {"all", "any", "not", "at_least", "is", "in", "between", "and", "x", "min", "max", "hardware", "tried"}
    | {"known", "unknown", "planned", "binding"}
)


def unique(sections: Mapping[str, Sequence[Located[Entry]]], problems: Problems) -> dict[str, list[Located[Entry]]]:
    """Return the entries whose id is the first of its name in the whole base; later ones are errors."""
    seen: dict[str, Located[Entry]] = {}
    kept: dict[str, list[Located[Entry]]] = {}
    for section, entries in sections.items():
        kept[section] = []
        for located in entries:
            name = _id(located)
            if name in RESERVED:
                problems.say(located, f"'{name}' is a word of the rule language", "reserved-id", "id")
            if name in seen:
                problems.say(located, f"the id '{name}' is taken by {seen[name].place}", "duplicate-id", "id")
            else:
                seen[name] = located
                kept[section].append(located)
    return kept


def _id(located: Located[Entry]) -> str:
    return str(getattr(located.entry, "id"))  # noqa: B009  # every entry of a section has an id; Entry itself has none


def names_of(sections: Mapping[str, Sequence[Located[Entry]]], broken: Iterable[str]) -> BaseNames:
    """Return names in their roles; measurements and thresholds are added with their details afterwards.

    ``broken`` are ids of entries that could not be read at all.
    """
    names = BaseNames()
    for name in (*broken, *(_id(located) for located in sections["thresholds"])):
        names.define(name, Role.BROKEN)  # a threshold stays so if its values cannot be read
    for section, role in _ROLES.items():
        for located in sections[section]:
            names.define(_id(located), role)
    names.define_tools(located.entry for located in sections["tools"])  # type: ignore[misc]
    return names


def read_measurement(
    located: Located[MeasurementModel], problems: Problems, kinds: Mapping[str, KindModel]
) -> Measurement:
    """Read the numbers of a measurement: words, range, tolerance. The formula waits until all names are known.

    ``kinds`` say what values of a kind can be where the measurement does not.
    """
    model = located.entry
    words = {}
    for word, given in model.words.items():
        interval = problems.quantity(located, given, model.unit, model.kind, "words", word)
        if interval is not None:
            words[word] = interval
    _check_unit(located, problems)
    limits = Interval(*LIMITS[model.kind]) if model.kind in LIMITS else None
    kind = kinds.get(model.kind)
    usual = kinds.get(model.decides or "", kind)
    if usual is not None and limits is not None:
        limits = Interval(*usual.range)
    if model.range is not None:
        limits = problems.quantity(located, model.range, model.unit, model.kind, "range")
    tolerance = problems.quantity(located, model.tolerance, "1", Kind.SHARE, "tolerance")
    name = MeasuredName(
        id=model.id,
        kind=model.kind,
        unit="" if model.values else model.unit,
        decides=None if model.weak else model.decides,
        weak=model.weak,
        words=words,
        values=frozenset(word.lower() for word in model.values),
    )
    if model.weak and model.decides:
        problems.say(located, "a weak measurement never decides", "weak-decides", "decides", hint="drop one of the two")
    return Measurement(
        model=model,
        name=name,
        range=limits,
        whole=model.whole if model.whole is not None else kind is not None and kind.whole,
        tolerance=tolerance.hi if tolerance else 0.0,
        formula=None,
        place=located.place,
    )


def _check_unit(located: Located[MeasurementModel | ThresholdModel], problems: Problems) -> None:
    """Check that a unit is a canonical one of its kind: values are kept and compared as bare numbers."""
    model = located.entry
    if model.kind in (Kind.CATEGORY, Kind.FLAG):
        return
    if model.unit == "":
        if model.kind is not Kind.SETTING:
            problems.say(
                located, f"a {model.kind} has a unit", "wrong-unit", "unit", hint="write '1' for a plain number"
            )
        return
    try:
        unit = units_of(model.unit)[0]
    except UnitError as error:
        problems.say(located, error.text, "unknown-unit", "unit", hint=error.hint)
        return
    if unit.factor != 1:
        canonical = str(unit.dimension) if not unit.dimension.is_plain else "1"
        problems.say(
            located, f"'{model.unit}' is not a canonical unit", "wrong-unit", "unit", hint=f"write {canonical}"
        )
    elif model.kind in _DIMENSIONS and unit.dimension != _DIMENSIONS[model.kind]:
        text = f"a {model.kind} is measured in {_DIMENSIONS[model.kind]}, not in {unit.dimension}"
        problems.say(located, text, "wrong-unit", "unit")
    elif model.kind is Kind.RATE and unit.dimension.second >= 0:
        problems.say(located, f"a rate is something per second, not {unit.dimension}", "wrong-unit", "unit")


def read_threshold(located: Located[ThresholdModel], names: BaseNames, problems: Problems) -> Threshold | None:
    """Read the values of a threshold and the conditions of its scopes."""
    model = located.entry
    if model.grade == "decisive" and model.basis == "heuristic":
        problems.say(
            located, "a heuristic threshold never decides", "heuristic-decides", "grade", hint="make it screening"
        )
    _check_unit(located, problems)
    for index, scoped in enumerate(model.values[:-1]):
        if scoped.when is None:
            text = "the values behind one without a condition never hold"
            problems.say(located, text, "unreachable", "values", index, hint="put it last")
    if model.value is not None:
        value = _number(located, model.value, problems, "value")
        alternatives = [] if value is None else [Alternative(None, value)]
    else:
        alternatives = [
            alternative
            for index, scoped in enumerate(model.values)
            if (alternative := _alternative(located, scoped, index, names, problems)) is not None
        ]
    if not alternatives:
        return None
    name = ThresholdName(
        id=model.id,
        kind=model.kind,
        unit=model.unit,
        decisive=model.grade == "decisive",
        alternatives=tuple(alternatives),
    )
    return Threshold(model=model, name=name, place=located.place)


def _number(located: Located[ThresholdModel], given: Given, problems: Problems, *inside: str | int) -> Interval | None:
    """Read the number of a threshold; against a range most comparisons would never be decided."""
    model = located.entry
    value = problems.quantity(located, given, model.unit, model.kind, *inside)
    if value is None or value.is_point:
        return value
    hint = "write the limit alone; the comparison says on which side of it"
    problems.say(located, f"a threshold is one number, and '{given}' is a range", "not-a-quantity", *inside, hint=hint)
    return None


def _alternative(
    located: Located[ThresholdModel], scoped: ScopedValue, index: int, names: BaseNames, problems: Problems
) -> Alternative | None:
    value = _number(located, scoped.value, problems, "values", index, "value")
    if scoped.when is None:
        return None if value is None else Alternative(None, value)
    tree = problems.condition(located, scoped.when, names, "values", index, "when")
    return None if value is None or tree is None else Alternative(tree, value)


def _elsewhere(name: str, role: Role) -> str:
    """Return where to look for a name that is near no other."""
    if role is Role.SYMPTOM and _STATUS.search(name):
        return "only advice rules (flag, recommend, warn, ask) can ask for the status of a hypothesis"
    if role is Role.SYMPTOM and any(mark in name for mark in "<>= "):
        return "add a symptom with this condition, and name that here"
    several = {Role.HYPOTHESIS: "hypotheses"}.get(role, f"{role.value}s")
    return f"list them with: dam kb show {several}"


def expect(
    located: Located[Entry], name: str, role: Role, names: BaseNames, problems: Problems, *inside: str | int
) -> bool:
    """Check that a reference names something of the wanted role; else say so with the nearest id."""
    found = names.role(name)
    if found is role:
        return True
    if found is Role.BROKEN:
        problems.say(located, f"'{name}' has an error of its own", BROKEN_REFERENCE, *inside)
    elif found is None:
        hint = suggestion(name, names.known(role)) or _elsewhere(name, role)
        problems.say(located, f"there is no {role} '{name}'", "unknown-id", *inside, hint=hint)
    else:
        near = suggestion(name, names.known(role))
        problems.say(located, f"'{name}' is a {found}, not a {role}", "wrong-kind", *inside, hint=near)
    return False
