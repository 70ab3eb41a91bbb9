"""Looking into a base: the effective entry of an id, the layer it comes from, what changed it and what uses it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from dam_expert.kb.layers import SHIPPED
from dam_expert.kb.models import SECTIONS
from dam_expert.language.conditions import Binds, Comparison, Limit, Planned, Standing, Symptom, columns, leaves
from dam_expert.language.expressions import formula_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

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
                used_by=tuple(dict.fromkeys(_users(base, current))),
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


def _users(base: Base, name: str) -> Iterator[str]:
    """Yield what names an entry: rules, symptoms, derived measurements, hypotheses, levers."""
    for rule in base.rules.values():
        named = {target for _, target in rule.conclusions}
        if name in named or any(_names(tree, name) for tree in (rule.when, *rule.unless)):
            yield rule.id
    for symptom, tree in base.symptom_trees.items():
        if _names(tree, name):
            yield symptom
    for measurement in base.measurements.values():
        formula = measurement.formula
        if formula is not None and any(column.measurement == name for column in formula_columns(formula)):
            yield measurement.id
    for hypothesis in base.hypotheses.values():
        if name in (hypothesis.model.parent, hypothesis.model.probe):
            yield hypothesis.id
    for lever in base.levers.values():
        if name in (*lever.model.works_on, *lever.model.wasted_on):
            yield lever.model.id


def _names(tree: Tree, name: str) -> bool:
    for leaf in leaves(tree):
        if any(column.measurement == name for column in columns(leaf)):
            return True
        match leaf:
            case Symptom(other) | Standing(other) | Binds(other) | Planned(other) if other == name:
                return True
            case Comparison(_, _, Limit(other)) if other == name:
                return True
    return False
