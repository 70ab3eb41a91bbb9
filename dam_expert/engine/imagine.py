"""Single changes to an incident that a rule could notice: one measurement at another value, one action planned."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from dam_expert.documents.formatting import format_value
from dam_expert.documents.incident import Planned as PlannedAction
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.leaves import probes_something
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Comparison, Known, Limit, Multiple, Number, Planned, Words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.incident import Incident
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Rule
    from dam_expert.language.conditions import Column, Leaf

IMAGINED = "<imagined>"
#: Around a limit: at it, and a little to either side.
_AROUND = (1.0, 1.05, 0.95)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Imagined:
    """One changed incident. ``what`` is the column or action, ``to`` its value in words, ``now`` the present one."""

    what: str
    to: str
    now: str | None
    incident: Incident
    distance: float
    """How far the value moves, as a factor from 1; infinite where nothing is known today."""


def imagined(evaluated: Evaluated, rule: Rule) -> Iterator[Imagined]:
    """Yield the incidents that differ by one thing that the rule reads."""
    limits: dict[Column, list[float]] = {}
    words: dict[Column, set[str]] = {}
    seen: set[Leaf] = set()
    for tree in (rule.when, *rule.unless):
        for leaf in expanded_leaves(tree, evaluated.base.symptom_trees):
            if leaf in seen:
                continue
            seen.add(leaf)
            match leaf:
                case Planned(lever):
                    yield _planned(evaluated, lever)
                case Comparison():
                    _collect(evaluated, leaf, limits, words)
                case Known(column, True):
                    _any_value(evaluated, column, limits, words)
    for column, found in limits.items():
        yield from _numbers(evaluated, column, found)
    for column, options in words.items():
        yield from _words(evaluated, column, options)


def _collect(
    evaluated: Evaluated, leaf: Comparison, limits: dict[Column, list[float]], words: dict[Column, set[str]]
) -> None:
    """Note the values of a column that matter to one comparison."""
    match leaf.operand:
        case Words(wanted):
            measurement = evaluated.base.measurements.get(leaf.column.measurement)
            others = measurement.name.values if measurement is not None else frozenset()
            is_flag = measurement is not None and measurement.name.kind is Kind.FLAG
            words.setdefault(leaf.column, set()).update(wanted, others, {"true", "false"} if is_flag else ())
        case Multiple(factor, other):
            number, base_value = evaluated.columns.number(leaf.column), evaluated.columns.number(other)
            if base_value is not None:
                limits.setdefault(leaf.column, []).extend((factor * base_value.lo, factor * base_value.hi))
            if number is not None and factor > 0:
                limits.setdefault(other, []).extend((number.lo / factor, number.hi / factor))
        case operand:
            for limit in _limits(evaluated, operand):
                limits.setdefault(leaf.column, []).extend((limit.lo, limit.hi))
            if probes_something(leaf, evaluated.base):
                limits.setdefault(leaf.column, []).extend(_predicted(evaluated))


def _predicted(evaluated: Evaluated) -> Iterator[float]:
    """Yield the effects from which a probe decides: half of what the budget predicts, half of the miss."""
    factors = [gain.hi for gain in evaluated.expected.gain.values()]
    factors += [] if evaluated.expected.miss is None else [evaluated.expected.miss.lo]
    yield from (1.0 + (factor - 1.0) / 2.0 for factor in factors if math.isfinite(factor))


def _limits(evaluated: Evaluated, operand: Number | Limit) -> list[Interval]:
    if isinstance(operand, Number):
        return [operand.value]
    return evaluated.columns.possible_thresholds(operand.threshold) or []


def _any_value(
    evaluated: Evaluated, column: Column, limits: dict[Column, list[float]], words: dict[Column, set[str]]
) -> None:
    """Note some value of a column that only has to be known."""
    measurement = evaluated.base.measurements.get(column.measurement)
    if measurement is not None and not measurement.name.is_word:
        limits.setdefault(column, []).append(0.5)
    elif measurement is not None:
        words.setdefault(column, set()).update(measurement.name.values or {"known"})


def _numbers(evaluated: Evaluated, column: Column, limits: list[float]) -> Iterator[Imagined]:
    measurement = evaluated.base.measurements.get(column.measurement)
    if measurement is None or column.aspect is not None:
        return  # a lever that was tried, or a spread: not one value
    now = evaluated.columns.number(column)
    points = sorted({limit * part for limit in limits if math.isfinite(limit) for part in _AROUND})
    allowed = measurement.range
    for point in points:
        if allowed is not None and not allowed.lo <= point <= allowed.hi:
            continue
        value = Interval.point(point)
        yield Imagined(
            what=str(column),
            to=_written(evaluated, column, value),
            now=None if now is None else _written(evaluated, column, now),
            incident=_with(evaluated, column, value),
            distance=_factor(now, value),
        )


def _words(evaluated: Evaluated, column: Column, options: set[str]) -> Iterator[Imagined]:
    cell = evaluated.columns.cell(column)
    now = str(cell.value) if cell is not None else None
    for word in sorted(options - {now or ""}):
        incident = _with(evaluated, column, word)
        yield Imagined(what=str(column), to=word, now=now, incident=incident, distance=1.0)


def _planned(evaluated: Evaluated, lever: str) -> Imagined:
    incident = evaluated.incident
    is_planned = lever in evaluated.plans.planned
    kept = tuple(plan for plan in incident.planned if plan.lever != evaluated.plans.planned.get(lever))
    plans = kept if is_planned else (*incident.planned, PlannedAction(lever=lever, origin=Origin(file=IMAGINED)))
    return Imagined(
        what=f"planned {lever}",
        to="not planned" if is_planned else "planned",
        now="planned" if is_planned else "not planned",
        incident=dataclasses.replace(incident, planned=plans),
        distance=1.0,
    )


def _with(evaluated: Evaluated, column: Column, value: Interval | str) -> Incident:
    """Return the incident with one measurement at another value, as a tool would give it."""
    incident = evaluated.incident
    scope = column.where
    observation = Observation(
        measurement=column.measurement, value=value, origin=Origin(file=IMAGINED), basis=Basis.TOOL, scope=scope
    )

    def others(given: tuple[Observation, ...]) -> tuple[Observation, ...]:
        return tuple(
            each for each in given if each.measurement != column.measurement or (scope and each.scope != scope)
        )

    return dataclasses.replace(
        incident,
        observations=(*others(incident.observations), observation),
        workload=others(incident.workload),
        environment=others(incident.environment),
    )


def _written(evaluated: Evaluated, column: Column, value: Interval) -> str:
    model = evaluated.base.measurements[column.measurement].model
    return format_value(value, unit=model.unit, kind=model.kind)


def value_text(evaluated: Evaluated, leaf: Comparison) -> str | None:
    """Return the present value of a comparison's column in words, or None where it has none."""
    cell = evaluated.columns.cell(leaf.column)
    if cell is None or isinstance(cell.value, str):
        return None if cell is None else str(cell.value)
    if leaf.column.measurement not in evaluated.base.measurements or leaf.column.aspect == "spread":
        return f"{cell.value.mid:.3g}"
    return _written(evaluated, leaf.column, cell.value)


def limit_text(evaluated: Evaluated, leaf: Comparison) -> str:
    """Return the number that a named threshold stands for here, in brackets; empty where there is none alone."""
    found = _limits(evaluated, leaf.operand) if isinstance(leaf.operand, Limit) else []
    known = leaf.column.measurement in evaluated.base.measurements and leaf.column.aspect != "spread"
    return f" ({_written(evaluated, leaf.column, found[0])})" if len(found) == 1 and known else ""


def distance_of(evaluated: Evaluated, leaf: Comparison) -> float:
    """Return the factor between a value and the nearest limit of a comparison; infinite where there is none."""
    now = evaluated.columns.number(leaf.column)
    match leaf.operand:
        case Words():
            return math.inf
        case Multiple(factor, other):
            number = evaluated.columns.number(other)
            limits = [] if number is None else [Interval.point(factor) * number]
        case operand:
            limits = _limits(evaluated, operand)
    return min((_factor(now, limit) for limit in limits), default=math.inf)


def _factor(now: Interval | None, value: Interval) -> float:
    if now is None or now.mid <= 0.0 or value.mid <= 0.0:
        return math.inf
    return max(now.mid / value.mid, value.mid / now.mid)
