"""Looking into a base: the effective entry of an id, the layer it comes from, what changed it and what uses it."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any

from dam_expert.kb.layers import SHIPPED
from dam_expert.kb.models import SECTIONS
from dam_expert.language.conditions import Binds, Comparison, Limit, Planned, Standing, Symptom, columns, leaves
from dam_expert.language.expressions import formula_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.kb.base import Base
    from dam_expert.kb.entry import Entry
    from dam_expert.kb.layers import Change
    from dam_expert.language.conditions import Tree

KINDS = tuple(section for section in SECTIONS if section != "tombstones")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Everything there is to say of one entry."""

    id: str
    section: str
    entry: Entry
    place: str
    layer: str
    changes: tuple[tuple[str, Change], ...]
    used_by: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """Return the entry as it stands, as plain data without what was left to defaults."""
        return self.entry.as_written()


def entries(base: Base, section: str) -> dict[str, Entry]:
    """Return the effective entries of one kind by id."""
    found: dict[str, Any] = dict(getattr(base, section))
    return {name: getattr(each, "model", each) for name, each in found.items()}


def describe(base: Base, name: str) -> Description | None:
    """Return what there is to say of an id, old ones included; None where nothing is called that."""
    current = base.current(name)
    for section in KINDS:
        entry = entries(base, section).get(current)
        if entry is not None:
            return Description(
                id=current,
                section=section,
                entry=entry,
                place=base.places.get(current, ""),
                layer=layer_of(base, current),
                changes=tuple(base.layers.of(current)),
                used_by=_users(base).get(current, ()),
            )
    return None


def layer_of(base: Base, name: str) -> str:
    """Return the runbook that an entry comes from, or ``base``."""
    owner = name.partition(".")[0]
    return owner if any(book.name == owner for book in base.layers.runbooks) else SHIPPED


def known_ids(base: Base) -> Iterator[str]:
    """Yield every id of a base."""
    for section in KINDS:
        yield from entries(base, section)


@functools.lru_cache(maxsize=2)
def _users(base: Base) -> Mapping[str, tuple[str, ...]]:
    """Return what names each entry: rules, symptoms, derived measurements, hypotheses, levers."""
    found: dict[str, dict[str, None]] = {}
    for user, names in _naming(base):
        for name in names:
            found.setdefault(name, {})[user] = None
    return {name: tuple(users) for name, users in found.items()}


def _naming(base: Base) -> Iterator[tuple[str, set[str]]]:
    """Yield what each entry names."""
    for rule in base.rules.values():
        trees = (rule.when, *rule.unless)
        yield rule.id, {target for _, target in rule.conclusions}.union(*(_names(tree) for tree in trees))
    for symptom, tree in base.symptom_trees.items():
        yield symptom, _names(tree)
    for measurement in base.measurements.values():
        if measurement.formula is not None:
            yield measurement.id, {column.measurement for column in formula_columns(measurement.formula)}
    for hypothesis in base.hypotheses.values():
        yield hypothesis.id, {name for name in (hypothesis.model.parent, hypothesis.model.probe) if name is not None}
    for lever in base.levers.values():
        yield lever.model.id, {*lever.model.works_on, *lever.model.wasted_on}


def _names(tree: Tree) -> set[str]:
    found: set[str] = set()
    for leaf in leaves(tree):
        found |= {column.measurement for column in columns(leaf)}
        match leaf:
            case Symptom(name) | Standing(name) | Binds(name) | Planned(name) | Comparison(_, _, Limit(name)):
                found.add(name)
    return found
