"""Which changes of runbooks move what the base believes: rules of sanity, wholes, bounds, and what may decide."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from dam_expert.kb.check import expanded_leaves
from dam_expert.kb.models import (
    BudgetModel,
    HypothesisModel,
    KindModel,
    LeverModel,
    MeasurementModel,
    RuleModel,
    SymptomModel,
    ThresholdModel,
    ToolModel,
    WholeModel,
)
from dam_expert.language.conditions import Comparison, Symptom, leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base, Rule
    from dam_expert.kb.layers import Change, Layers
    from dam_expert.language.conditions import Tree

#: The verbs by which a cause is told, or a value believed.
DECIDING: Final = ("confirm", "refute", "reject", "doubt")
GUARDING: Final = ("reject", "doubt")

_BELIEVED: Final = "by which values are believed"
_TOLD: Final = "by which causes are told"
#: What of an entry bears on a decision; the rest only tells of it.
_FIELDS: Final[dict[Any, tuple[str, str, tuple[str, ...]]]] = {
    MeasurementModel: (
        "measurements",
        _BELIEVED,
        (
            *("kind", "unit", "range", "whole", "per", "combine", "decides", "weak", "needs_tool", "tolerance"),
            *("words", "values", "probe_of", "formula", "better", "track"),
        ),
    ),
    WholeModel: ("wholes", _BELIEVED, ("unit", "whole", "parts", "tolerance", "overlap")),
    KindModel: ("kinds", _BELIEVED, ("range", "whole")),
    BudgetModel: ("budgets", _BELIEVED, ("of", "total", "statistic", "tolerance", "parts")),
    ToolModel: ("tools", _BELIEVED, ("trust",)),
    ThresholdModel: ("thresholds", _TOLD, ("grade", "basis", "kind", "unit")),
    LeverModel: (
        "levers",
        _TOLD,
        ("title", "aliases", "sets", "works_on", "wasted_on", "moves", "overlaps", "ceiling", "figure"),
    ),
    HypothesisModel: (
        "hypotheses",
        _TOLD,
        (
            *("bottleneck", "parent", "region", "term", "tracks", "part", "share", "attained", "probe"),
            *("controlled", "settles"),
        ),
    ),
}
#: The fields by model, for whoever has to judge a new one.
BEARING: Final = {model: frozenset(fields) for model, (_, _, fields) in _FIELDS.items()}
#: One entry of a section, as sentences call it.
_ONE: Final = {"hypotheses": "hypothesis"}
_NAMED: Final = 4
"""How many rules a sentence names."""


def moved_guard(base: Base, change: Change, old: object) -> str:
    """Return a sentence where a changed entry bears on what is believed or told, else nothing."""
    if isinstance(old, SymptomModel):
        return _symptom(base, change, old)
    if isinstance(old, RuleModel):
        return _rule(change, old)
    section, how, fields = _FIELDS.get(type(old), ("", "", ()))
    if not fields:
        return ""
    entry = getattr(base, section).get(change.id)
    one = _ONE.get(section, section.removesuffix("s"))
    if entry is None:
        # a lever that is not offered names no cause; whatever else is left out was held by something
        return "" if section == "levers" else f"the {one} '{change.id}', {how}, is disabled"
    new = getattr(entry, "model", entry)
    moved = [field for field in fields if getattr(old, field) != getattr(new, field)]
    return f"the {one} '{change.id}', {how}, is not the shipped one ({', '.join(moved)})" if moved else ""


def _rule(change: Change, old: RuleModel) -> str:
    """Say that a rule of sanity is not in force as it is shipped."""
    guards = old.then.reject or old.then.doubt
    return rule_moved(change, "keeps impossible values from deciding") if guards else ""


def rule_moved(change: Change, does: str) -> str:
    """Say of a rule, with what it does, that it is not in force as it is shipped; nothing where it still means that."""
    which = f"the rule '{change.id}', which {does},"
    if change.verb == "disable":
        return f"{which} is disabled"
    if change.verb == "add_exception":
        return f"{which} is held back by '{change.after}'"
    return f"{which} is not the shipped one" if change.rewrites else ""


def _symptom(base: Base, change: Change, old: SymptomModel) -> str:
    """Say that a symptom means something else on which decisions rest, as a condition or an exception."""
    new = base.symptoms[change.id]
    if (new.when, new.fails, new.track) == (old.when, old.fails, old.track):
        return ""
    rules = [
        rule.id
        for rule in base.rules.values()
        if any(verb in DECIDING for verb, _ in rule.conclusions)
        and any(_uses(base, tree, change.id) for tree in (rule.when, *rule.unless))
    ]
    more = ", …" if len(rules) > _NAMED else ""
    named = f"{', '.join(rules[:_NAMED])}{more}"
    return f"the symptom '{change.id}', on which decisions rest, is not the shipped one ({named})" if rules else ""


def _uses(base: Base, tree: Tree, symptom: str) -> bool:
    return any(
        isinstance(leaf, Symptom) and (leaf.id == symptom or _uses(base, base.symptom_trees[leaf.id], symptom))
        for leaf in leaves(tree)
    )


def mapped(base: Base, layers: Layers, runbook: str) -> Iterator[str]:
    """Yield a sentence for each declared reading of a runbook that fills a measurement of the base which decides."""
    for name, model in layers.tools:
        measurement = base.measurements.get(model.measurement)
        if name == runbook and "." not in model.measurement and measurement is not None and measurement.model.decides:
            yield f"'{model.match}' of its own {model.format} is read as '{model.measurement}', which decides"


def unguarded(base: Base, change: Change) -> str:
    """Return a sentence where an added rule confirms a cause of the base by measurements at which no guard looks."""
    rule = base.rules.get(change.id)
    if change.verb != "add" or rule is None or rule.status != "stable":
        return ""
    if all(verb != "confirm" or "." in name for verb, name in rule.conclusions):
        return ""  # a cause of the runbook's own is its own to guard
    looked_at = set(_looked_at(base))
    own = {
        name
        for name in _confirms_by(base, rule)
        if "." in name and base.measurements[name].formula is None and name not in looked_at
    }
    named = ", ".join(f"'{name}'" for name in sorted(own))
    return f"the rule '{rule.id}' confirms by {named}, which no rule of sanity and no whole checks" if own else ""


def _confirms_by(base: Base, rule: Rule) -> Iterator[str]:
    for leaf in expanded_leaves(rule.when, base.symptom_trees):
        if isinstance(leaf, Comparison) and leaf.decides and leaf.column.measurement in base.measurements:
            yield leaf.column.measurement


def _looked_at(base: Base) -> Iterator[str]:
    """Yield every measurement that a rule of sanity doubts or rejects, or that is part of a whole or a budget."""
    for rule in base.rules.values():
        yield from (name for verb, name in rule.conclusions if verb in GUARDING)
    for whole in base.wholes.values():
        yield from itertools.chain(*whole.reads)
    for budget in base.budgets.values():
        yield from (part.share for part in budget.model.parts)
