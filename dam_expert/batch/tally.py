"""Counts over many incidents: of each piece by itself, so that they can be kept in a journal and added up."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from dam_expert.batch.labels import named_by
from dam_expert.batch.rows import likely_of
from dam_expert.engine.advice import wastes
from dam_expert.engine.block.evaluating import DIAGNOSIS
from dam_expert.engine.block.settling import would_settle
from dam_expert.engine.block.words import count, packed
from dam_expert.language.conditions import Column

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.batch.labels import Label
    from dam_expert.batch.rows import Rows
    from dam_expert.engine.block.evaluating import Evaluator

#: Counts by name, or groups of them by name.
Counts: TypeAlias = "dict[str, Any]"

NO_VALUE: Final = "(not stated)"
OTHERS: Final = "(others)"
_LISTED: Final = 50
_VALUES: Final = 1000
"""Different values of one setting that are counted by themselves."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is counted beside rows and errors. ``by`` are settings and free keys; ``labels`` the truth by id."""

    summary: bool = False
    by: tuple[str, ...] = ()
    labels: Mapping[str, Label] = dataclasses.field(default_factory=dict)


COUNT_ROWS: Final = Wanted()


def tally(evaluator: Evaluator, rows: Rows, wanted: Wanted) -> Counts:
    """Count one block."""
    counts: Counts = {"rows": rows.size, "errors": len(rows.errors)}
    if not wanted.summary:
        return counts
    named = named_by(evaluator, rows)
    counts["status"] = _counted(status or "not diagnosed" for status in rows.statuses())
    counts["bottleneck"] = _counted(named)
    counts["hypothesis"] = _counted(
        evaluator.layout.hypotheses[place].id for place in rows.binding.tolist() if place >= 0
    )
    counts["likely"] = _counted(likely for likely in likely_of(rows, evaluator.base) if likely is not None)
    counts["by"] = {
        name: _grouped(values, named) for name in wanted.by if (values := values_of(evaluator, rows, name)) is not None
    }
    settled = [DIAGNOSIS.index(word) for word in ("confirmed", "resolved", "no_fault")]
    unsettled = ~np.isin(rows.verdict.diagnosis, settled) & rows.diagnosed
    counts["settles"] = {
        name: count(words) for name, words in would_settle(evaluator, rows.verdict, packed(unsettled)).items()
    }
    counts["wasted"] = _wasted(evaluator, rows)
    return counts


def added(one: Counts, other: Counts) -> Counts:
    """Return the sum of two counts; of lists the first of what they hold."""
    total = dict(one)
    for key, value in other.items():
        if key not in total:
            total[key] = value
        elif isinstance(value, dict):
            total[key] = added(total[key], value)
        elif isinstance(value, list):
            total[key] = [*total[key], *value][:_LISTED]
        else:
            total[key] = total[key] + value
    return bounded(total)


def bounded(counts: Counts) -> Counts:
    """Return counts with the rarest values put together where there are too many to tell apart."""
    if len(counts) <= _VALUES or not all(isinstance(value, dict) for value in counts.values()):
        return counts
    ordered = sorted(counts, key=lambda name: (name == OTHERS, -sum(counts[name].values()), name))
    kept = {name: counts[name] for name in ordered[: _VALUES - 1] if name != OTHERS}
    for name in ordered:
        if name not in kept:
            kept[OTHERS] = added(kept.get(OTHERS, {}), counts[name])
    return kept


def values_of(evaluator: Evaluator, rows: Rows, name: str) -> list[str] | None:
    """Return by row the value of a free key or a measurement as text; None where no row states it."""
    if any(name in free for free in rows.free):
        return [free.get(name, NO_VALUE) for free in rows.free]
    measurement = evaluator.base.names.resolve(name)
    if measurement is None:
        return None
    block, column = rows.verdict.fired.known.block, Column(measurement)
    found = [NO_VALUE] * rows.size
    spelt, span = block.words.get(column), block.span(column)
    for row, code in zip(spelt.rows.tolist(), spelt.codes.tolist(), strict=True) if spelt is not None else ():
        found[row] = block.spelling[code]
    for row, low, high in zip(span.rows.tolist(), span.lo.tolist(), span.hi.tolist(), strict=True):
        found[row] = f"{low:g}" if low == high else f"{low:g}-{high:g}"
    return found


def _counted(words: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return found


def _grouped(values: list[str], named: list[str]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for value, name in zip(values, named, strict=True):
        group = found.setdefault(value[:200], {})
        group[name] = group.get(name, 0) + 1
    return bounded(found)


def _wasted(evaluator: Evaluator, rows: Rows) -> dict[str, int]:
    """Count the planned levers that are wasted on what leads."""
    hypotheses, base = evaluator.layout.hypotheses, evaluator.base
    leading = rows.verdict.leading
    return _counted(
        lever
        for row, plans in rows.verdict.fired.known.block.plans.items()
        for lever in plans.planned
        if leading[row] >= 0 and wastes(base.levers[lever], hypotheses[leading[row]])
    )
