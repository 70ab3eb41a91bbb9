"""Columns: every value that a condition or formula can ask for, from the observations of one incident.

This is the one shared implementation under every executor: resolving sources, scope, ranges and derived values.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.documents.vocabulary import HOSTS, PARTS
from dam_expert.engine.accelerator import columns_of, figure
from dam_expert.engine.cells import Cell, Rejection, agree, combined, spread, worst
from dam_expert.engine.identity import of_other_devices
from dam_expert.engine.leaves import tree_truth
from dam_expert.engine.ranks import follows_the_last, last_rank
from dam_expert.kb.base import CLEAR_EFFECT, NO_EFFECT
from dam_expert.language.conditions import Column
from dam_expert.language.expressions import (
    ColumnValue,
    Formula,
    HardwareValue,
    ThresholdValue,
    formula_columns,
    formula_figures,
    measurements_of,
)
from dam_expert.language.formulas import evaluate
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dam_expert.documents.observations import Scope, Value
    from dam_expert.kb.base import Base, Measurement

#: Trust of a reading from a tool that the base does not list, and of numbers given by people.
_TRUST_OF_BASIS = {Basis.TOOL: 2, Basis.REPORTED: 1, Basis.SAID: 0}

#: The improvement factor that a word about a tried lever stands for. A word is said, whatever it is: nobody knows under
#: which load, and beside which other change, a lever did nothing.
_EFFECTS = {
    "helped": Interval(1.0, float("inf")),
    "nothing": Interval.point(1.0),
    "worse": Interval(0.0, 1.0),
}

#: Words that bound an effect on one side only.
_OPEN_EFFECTS: Final[tuple[object, ...]] = ("helped", "worse")

#: What is said of a formula whose value is not the observed one.
_OUTWEIGHED: Final = "the observed value is used, but the formula over other observations contradicts it"
_CONTESTED: Final = f"{_OUTWEIGHED}: it decides nothing until one of them is measured again"

#: What is said of a probe whose lever was tried with another effect.
_TRIED_APART: Final = (
    "the lever that it tries was tried with another effect: neither decides until one is measured again"
)

#: Stands for "nothing was observed", where None means that observations contradict each other.
_ABSENT: Final[Any] = object()


class Columns:
    """The cells of one incident, made on demand and kept.

    ``raw`` columns are what sanity rules read: what was observed, and of what is derived only ``derived``, which are by
    default none of these and all of others. ``rejected`` measurements are unknown, ``doubted`` ones count as said, and
    ``stale`` observations never decide. What levers that are ``done`` gained is had already: it decides, and is no
    figure of the present. ``before`` are the raw columns of the same observations: they name the rank
    that the others wait for.
    """

    def __init__(
        self,
        base: Base,
        observations: Iterable[Observation],
        tried: Mapping[str, Interval | str],
        *,
        raw: bool = False,
        derived: Sequence[str] | None = None,
        rejected: Mapping[str, str] | None = None,
        doubted: frozenset[str] = frozenset(),
        stale: frozenset[Observation] = frozenset(),
        done: frozenset[str] = frozenset(),
        before: Columns | None = None,
    ) -> None:
        self._base = base
        self._raw = raw
        self._tried = tried
        self._rejected_ids = rejected or {}
        self._doubted = doubted
        self._stale = stale
        self._done = done
        self.rejections: list[Rejection] = []
        self._members: dict[str, dict[Scope, Cell | None]] = {}  # None: sources contradict each other
        self._cells: dict[Column, Cell | None] = {}
        self._known: frozenset[str] | None = None
        if before is None:
            self._ordered = _in_order(observations)
            present = [one for one in self._ordered if one not in stale] if stale else self._ordered
            self._others = stale | of_other_devices(base, present)
            self._settle(self._ordered)
        else:
            self._begin_with(before, {*self._rejected_ids, *doubted})
        self._observed, self._refused = dict(self._members), tuple(self.rejections)
        self.last: tuple[str, str] | None = (
            last_rank(base, self._members) if raw else None if before is None else before.last
        )
        self._weigh_attempts()
        if derived is None:
            derived = () if raw else base.derived_order
        self._derive(derived)

    @property
    def base(self) -> Base:
        """The base whose measurements these are."""
        return self._base

    def observed(self) -> list[str]:
        """Return the ids of the measurements that have any usable observation, in the order of the base."""
        return [name for name in self._base.measurements if any(self._members.get(name, {}).values())]

    def names(self) -> list[str]:
        """Return the ids of the measurements of which anything can be known here; of all others nothing is."""
        if not self._tried:
            return list(self._members)
        measurements = self._base.measurements.items()
        probes = [name for name, measurement in measurements if measurement.model.probe_of in self._tried]
        return list(dict.fromkeys([*self._members, *(f"tried.{lever}" for lever in self._tried), *probes]))

    @property
    def known(self) -> frozenset[str]:
        """The same ids, to tell at once whether a formula can have a value: not without all that it reads."""
        if self._known is None:
            self._known = frozenset(self.names())
        return self._known

    def is_contradicted(self, name: str) -> bool:
        """Whether observations of the whole exist and contradict each other: no formula settles that."""
        return self._members.get(name, {}).get((), _ABSENT) is None

    def cell(self, column: Column) -> Cell | None:
        """Return what is known of a column, or None where nothing is."""
        cell: Cell | None = self._cells.get(column, _ABSENT)
        if cell is _ABSENT:
            cell = self._cells[column] = self._make(column)
        return cell

    def number(self, column: Column) -> Interval | None:
        """Return the numeric value of a column, or None where it is unknown or a word."""
        cell = self.cell(column)
        return cell.value if cell is not None and isinstance(cell.value, Interval) else None

    def present(self, column: Column) -> Interval | None:
        """Return the numeric value of a column as it is now, or None where it is unknown or older than a change."""
        cell = self.cell(column)
        return None if cell is None or cell.stale else self.number(column)

    def threshold(self, name: str) -> Interval | None:
        """Return the value of a threshold, or None where it is not certain which of its scopes holds."""
        values = self.possible_thresholds(name)
        return values[0] if values is not None and len(values) == 1 else None

    def possible_thresholds(self, name: str) -> list[Interval] | None:
        """Return every value that a threshold may have here, or None if perhaps or surely none of its scopes holds."""
        possible: list[Interval] = []
        for alternative in self._base.thresholds[name].name.alternatives:
            truth = Truth.TRUE if alternative.when is None else tree_truth(alternative.when, self)
            if truth is not Truth.FALSE and alternative.value not in possible:
                possible.append(alternative.value)
            if truth is Truth.TRUE:
                return possible
        return None

    def value_of(self, formula: Formula) -> Interval | None:
        """Return the value of a formula over these columns, or None where an input is unknown."""
        return evaluate(formula, self._input)

    def present_value_of(self, formula: Formula) -> Interval | None:
        """Return the value of a formula as it is now, or None where an input is unknown or older than a change.

        The figures of the accelerator stay what they are.
        """
        if isinstance(formula, ColumnValue):
            return self.present(formula.column)
        asked = formula_columns(formula)
        return None if any(self.present(column) is None for column in asked) else self.value_of(formula)

    def _input(self, formula: Formula) -> Interval | None:
        match formula:
            case ColumnValue(column):
                return self.number(column)
            case ThresholdValue(name):
                return self.threshold(name)
            case HardwareValue(field):
                return figure(self._base.catalogue, self.cell, field)
            case _:
                return None

    def _begin_with(self, before: Columns, less: set[str]) -> None:
        """Begin with what was observed, as the raw columns settled it; only what is believed less is settled again."""
        self._ordered, self._others, self._members = before._ordered, before._others, dict(before._observed)
        again = less & self._members.keys() | {one.observation.measurement for one in before._refused} & less
        self.rejections += (one for one in before._refused if one.observation.measurement not in again)
        for name in again:
            self._members.pop(name, None)
        if again:
            self._settle([one for one in before._ordered if one.measurement in again])

    def _settle(self, ordered: Iterable[Observation]) -> None:
        by_thing: dict[tuple[str, Scope], list[Observation]] = {}
        stale, others = self._stale, self._others
        older: set[Observation] = set()
        showing: set[Observation] = set()  # of another time or device than the job's, or of an instant: never decisive
        for observation in ordered:
            usable = self._usable(observation)
            if usable is None:
                continue
            by_thing.setdefault((observation.measurement, observation.scope), []).append(usable)
            few = observation.samples is not None and self._base.rests_on_few(observation)
            if few or (others and observation in others):
                showing.add(usable)
            if stale and observation in stale:
                older.add(usable)
        measurements = self._base.measurements
        for (name, scope), group in by_thing.items():
            measurement = measurements[name]
            behind: tuple[Observation, ...] = tuple(group)
            if len(group) == 1:
                value, basis = group[0].value, group[0].basis
            else:
                value, behind, rejections = agree(group, measurement.tolerance, self._trust)
                self.rejections += rejections
                basis = worst([each.basis for each in behind])
            cell = None if value is None else self._judged(measurement, value, basis, behind)
            if cell is not None and showing and not showing.isdisjoint(behind):
                cell = msgspec.structs.replace(cell, decisive=False, stale=not older.isdisjoint(behind))
            self._members.setdefault(name, {})[scope] = cell

    def _usable(self, observation: Observation) -> Observation | None:
        """Return the observation as a value that its measurement can have, or None and a rejection."""
        reason = observation.complaint
        measurement = self._base.measurements.get(observation.measurement)
        if measurement is None:
            reason = reason or "the base knows no such measurement"
        elif observation.measurement in self._rejected_ids:
            reason = self._rejected_ids[observation.measurement]
        if reason is None and measurement is not None:
            value, reason = possible_value(measurement, observation.value)
            if reason is None:
                unchanged = value is observation.value or value == observation.value
                return observation if unchanged else dataclasses.replace(observation, value=value)
        self.rejections.append(Rejection(observation=observation, reason=reason or ""))
        return None

    def _trust(self, observation: Observation) -> int:
        """Return the trust in a source; of equals the one that shows more than an instant is believed."""
        tool = self._base.tools.get(observation.origin.tool or "")
        known = observation.basis is Basis.TOOL and tool is not None
        trust = tool.trust if known and tool is not None else _TRUST_OF_BASIS[observation.basis]
        return 2 * trust + (not self._base.rests_on_few(observation))

    def _judged(self, measurement: Measurement, value: Value, basis: Basis, behind: tuple[Observation, ...]) -> Cell:
        """Return the cell of a value; its measurement says whether it may decide on this basis."""
        if measurement.id in self._doubted:
            basis = Basis.SAID
        known = basis is Basis.TOOL or (basis is Basis.REPORTED and not measurement.model.needs_tool)
        decisive = known and not measurement.model.weak
        return Cell(value=value, basis=basis, decisive=decisive, observations=behind)

    def _make(self, column: Column) -> Cell | None:
        if column.measurement.startswith("tried."):
            return self._tried_cell(column.measurement.removeprefix("tried."))
        members = self._members.get(column.measurement, {})
        if not members and column == Column(column.measurement) and column.measurement not in self._rejected_ids:
            return self._tried_probe(column.measurement)
        if column.aspect is None and column.where in members:
            return members[column.where]
        return self._combined(column, members) if members else None

    def _combined(self, column: Column, members: Mapping[Scope, Cell | None]) -> Cell | None:
        """Return the combination of the members that a column means; unknown if one of them is contradicted."""
        measurement = self._base.measurements[column.measurement]
        per = measurement.model.per
        parts = _outermost(
            {
                scope: cell
                for scope, cell in members.items()
                if set(column.where) < set(scope)
                and _is_part(set(scope) - set(column.where), per, alone=not column.where)
            }
        )
        if self.last is not None and column == Column(column.measurement) and follows_the_last(measurement):
            parts = {scope: cell for scope, cell in parts.items() if self.last in scope}
        cells = [cell for cell in parts.values() if cell is not None]
        if not cells or len(cells) < len(parts):
            return None
        value: Value | None
        if column.aspect == "spread":
            value = spread([cell.value for cell in cells if isinstance(cell.value, Interval)])
        else:
            value = combined([cell.value for cell in cells], column.aspect or measurement.model.combine)
        return None if value is None else _joined(value, cells)

    def _tried_cell(self, lever: str) -> Cell | None:
        effect = self._tried.get(lever)
        if effect is None:
            return None
        value, basis = (_EFFECTS[effect], Basis.SAID) if isinstance(effect, str) else (effect, Basis.REPORTED)
        is_done = lever in self._done
        return Cell(value=value, basis=basis, decisive=basis is not Basis.SAID and not is_done, stale=is_done)

    def _tried_probe(self, name: str) -> Cell | None:
        """Return what a probe that nobody measured is known to give because the lever that it tries was tried."""
        measurement = self._base.measurements.get(name)
        lever = None if measurement is None else measurement.model.probe_of
        cell = None if lever is None else self._tried_cell(lever)
        if cell is None or name not in self._doubted:
            return cell
        return msgspec.structs.replace(cell, basis=Basis.SAID, decisive=False)

    def _weigh_attempts(self) -> None:
        """Let neither a probe nor the lever that it tries decide where one had a clear effect and the other none."""
        if not self._tried:
            return
        clear, none = self._base.constant(CLEAR_EFFECT), self._base.constant(NO_EFFECT)
        for name in self.names():
            measurement = self._base.measurements.get(name)
            lever = None if measurement is None else measurement.model.probe_of
            probed, tried = Column(name), Column(f"tried.{lever}")
            if measurement is None or lever is None or lever not in self._tried or not self._members.get(name):
                continue
            cells = [cell for column in (probed, tried) if (cell := self.cell(column)) is not None]
            effects = sorted((each.value for each in cells if isinstance(each.value, Interval)), key=lambda one: one.lo)
            told = len(effects) == 2 and self._tried[lever] not in _OPEN_EFFECTS
            if not told or effects[0].hi >= none or effects[1].lo <= clear:
                continue
            self._cells[probed], self._cells[tried] = (msgspec.structs.replace(cell, decisive=False) for cell in cells)
            origin = Origin(file=measurement.place, detail=f"tried: {lever}")
            other = Observation(measurement=name, value=cells[1].value, origin=origin)
            self.rejections.append(Rejection(observation=other, reason=_TRIED_APART))

    def _derive(self, names: Sequence[str]) -> None:
        known, reads = set(self.names()), read_by_formulas(self._base)
        for name in names:
            measurement = self._base.measurements[name]
            if measurement.formula is None or not reads[name] <= known:
                continue
            if name in self._rejected_ids or self.is_contradicted(name):
                continue
            derived = self._derived_cell(measurement, measurement.formula)
            if derived is None:
                continue
            column = bare(name)
            observed = self.cell(column)
            if observed is None:
                known.add(name)
                self._members[name] = {**self._members.get(name, {}), (): derived}
                self._cells.pop(column, None)
            elif _apart(measurement, observed.value, derived.value):
                self._cells[column] = self._contested(measurement, observed, derived)

    def _derived_cell(self, measurement: Measurement, formula: Formula) -> Cell | None:
        value = self.value_of(formula)
        if value is None:
            return None
        asked = [*formula_columns(formula), *(x for field in formula_figures(formula) for x in columns_of(field))]
        inputs = _joined(value, [cell for column in asked if (cell := self.cell(column)) is not None])
        if measurement.range is not None:
            inside = value.intersection(measurement.range)
            if inside is None:
                reason = "the formula gives a value that cannot be"
                self.rejections.append(_derived_rejection(measurement, value, reason))
                return None
            value = inside
        cell = self._judged(measurement, value, inputs.basis, inputs.observations)
        behind = [self.cell(column) for column in formula_columns(formula)]
        older = any(each is not None and each.stale for each in behind)
        return msgspec.structs.replace(cell, decisive=cell.decisive and inputs.decisive, stale=older)

    def _contested(self, measurement: Measurement, observed: Cell, derived: Cell) -> Cell:
        """Return an observed value that the formula contradicts, and show the contradiction.

        One of the observations is wrong, and nobody knows which, so that the value is used and decides nothing; unless
        the formula rests on less than a tool's reading, or on what decides nothing itself.
        """
        weighs = derived.decisive and (derived.basis is Basis.TOOL or observed.basis is not Basis.TOOL)
        reason = _CONTESTED if weighs else _OUTWEIGHED
        if isinstance(derived.value, Interval):
            self.rejections.append(_derived_rejection(measurement, derived.value, reason))
        return msgspec.structs.replace(observed, decisive=False) if weighs else observed


def _apart(measurement: Measurement, first: Value, second: Value) -> bool:
    """Whether two values of one measurement differ by more than its tolerance."""
    if not isinstance(first, Interval) or not isinstance(second, Interval):
        return False
    return first.is_apart(second, measurement.tolerance)


def possible_value(measurement: Measurement, value: Value | None) -> tuple[Value | None, str | None]:
    """Return a value cut to what its measurement can be, or None and why it cannot be one."""
    if value is None or measurement.name.is_word != isinstance(value, str):
        return None, "it is not a value of this kind"
    if isinstance(value, Interval):
        if value.lo == math.inf or value.hi == -math.inf:
            return None, "it is infinite"
        inside = _within(value, measurement.range)
        if inside is None:
            return None, "it lies outside of what this can be"
        if measurement.whole and math.floor(inside.hi) < math.ceil(inside.lo):
            return None, "it is a whole number, and no whole number lies in this"
        return inside, None
    listed = measurement.name.listed
    if not listed:
        return value, None
    word = value.strip().lower()
    return (word, None) if word in listed else (None, f"'{value}' is none of its values")


def _within(value: Interval, most: Interval | None) -> Interval | None:
    """Return what of a value lies in a range, or None where nothing does."""
    if most is None or (most.lo <= value.lo and value.hi <= most.hi):
        return value
    return value.intersection(most)


def _is_part(within: Iterable[tuple[str, str]], per: str | None, *, alone: bool) -> bool:
    """Whether a scope is a part that the whole is made of; a phase, another run or another job is none."""
    keys = {key for key, _ in within}
    if not keys <= PARTS | HOSTS | {per}:
        return False
    return per in keys if alone and per is not None else not keys <= HOSTS


def _outermost(members: Mapping[Scope, Cell | None]) -> Mapping[Scope, Cell | None]:
    """Leave out what lies inside of another member: the rank of a device whose own value is there counts once."""
    if len({len(scope) for scope in members}) < 2:
        return members
    return {scope: cell for scope, cell in members.items() if not any(set(other) < set(scope) for other in members)}


def _joined(value: Value, cells: Iterable[Cell]) -> Cell:
    parts = list(cells)
    behind = dict.fromkeys(observation for cell in parts for observation in cell.observations)
    return Cell(
        value=value,
        basis=worst([cell.basis for cell in parts]),
        decisive=all(cell.decisive for cell in parts),
        observations=tuple(behind),
        stale=any(cell.stale for cell in parts),
    )


def _derived_rejection(measurement: Measurement, value: Interval, reason: str) -> Rejection:
    origin = Origin(file=measurement.place, detail=f"derived: {measurement.model.formula}")
    return Rejection(observation=Observation(measurement=measurement.id, value=value, origin=origin), reason=reason)


def _in_order(observations: Iterable[Observation]) -> list[Observation]:
    """Return observations in order of their content."""
    given = list(observations)
    things = [(one.measurement, str(one.scope)) for one in given]
    if len(set(things)) < len(given):
        return sorted(given, key=_order)
    return [given[place] for place in sorted(range(len(given)), key=things.__getitem__)]


def _order(observation: Observation) -> tuple[str, str, str, int, str, str]:
    """Order observations by content, so that the order in which they came never shows."""
    origin = observation.origin
    return (
        observation.measurement,
        str(observation.scope),
        origin.file,
        origin.line or 0,
        repr(observation.value),
        f"{observation.basis}{observation.when}{origin.tool}{origin.detail}{observation.given}",
    )


@functools.lru_cache(maxsize=8)
def read_by_formulas(base: Base) -> Mapping[str, frozenset[str]]:
    """Return by derived measurement the measurements that its formula reads."""
    formulas = ((name, base.measurements[name].formula) for name in base.derived_order)
    return {name: frozenset(measurements_of(formula)) for name, formula in formulas if formula is not None}


@functools.cache
def bare(measurement: str) -> Column:
    """Return the column of a measurement as a whole."""
    return Column(measurement)
