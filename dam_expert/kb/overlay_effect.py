"""Which changes of runbooks make the base quicker to confirm, or slower to refute or to doubt: every report says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dam_expert.documents.dimensions import UnitError
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.kb.models import RuleModel, ThresholdModel
from dam_expert.kb.overlay_guards import GUARDING, mapped, moved_guard, rule_moved, unguarded
from dam_expert.language.conditions import (
    UPWARD,
    All,
    AtLeast,
    Comparison,
    Limit,
    Not,
    Symptom,
    Tree,
)
from dam_expert.language.conditions import (
    Any as AnyOf,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base, Rule
    from dam_expert.kb.layers import Change, Layers


def eased(base: Base, layers: Layers, before: Mapping[str, Any]) -> Layers:
    """Return the layers with every change that eases a decision marked by a sentence."""
    runbooks = tuple(
        msgspec.structs.replace(
            runbook,
            changes=tuple(
                msgspec.structs.replace(change, eases=_sentence(base, change, before)) for change in runbook.changes
            ),
            readings=tuple(mapped(base, layers, runbook.name)),
        )
        for runbook in layers.runbooks
    )
    return msgspec.structs.replace(layers, runbooks=runbooks)


def _sentence(base: Base, change: Change, before: Mapping[str, Any]) -> str:
    if change.verb == "lapsed":
        return ""
    old = before.get(change.id)
    said = [moved_guard(base, change, old), unguarded(base, change)]
    if isinstance(old, ThresholdModel):
        said.append(_threshold(base, change, old))
    elif isinstance(old, RuleModel):
        said.append(_rule(base, change, old))
    return "; ".join(sentence for sentence in said if sentence)


def _rule(base: Base, change: Change, old: RuleModel) -> str:
    """Say that a rule which decides is no longer the shipped one; to hold back one that confirms eases nothing."""
    decides = ["confirms"] if old.then.confirm and change.verb not in ("disable", "add_exception") else []
    decides += ["refutes"] if old.then.refute else []
    new = base.rules.get(change.id)
    now = {verb for verb, _ in new.conclusions} if new is not None and change.rewrites else set()
    if "confirm" in now and not old.then.confirm:
        decides.append("confirms now")
    return rule_moved(change, " and ".join(decides)) if decides else ""


def _threshold(base: Base, change: Change, old: ThresholdModel) -> str:
    """Say whether a threshold moved so that a rule confirms sooner or refutes sooner."""
    moved = _moves(base, change.id, old)
    if not moved:
        return ""
    rules: dict[str, list[str]] = {"confirms sooner": [], "refutes sooner": [], "refutes later": [], "doubts later": []}
    for rule in base.rules.values():
        verbs = {verb for verb, _ in rule.conclusions}
        guards = bool(verbs & set(GUARDING))
        if "refute" in verbs and moved & set(_loosening(base, rule, change.id, guards=True)):
            rules["refutes later"].append(rule.id)
        if moved & set(_loosening(base, rule, change.id, guards=guards)):
            effects = ["doubts later"] if guards else [f"{verb}s sooner" for verb in sorted(verbs)]
            for effect in effects:
                if effect in rules:
                    rules[effect].append(rule.id)
    said = [f"{effect} ({', '.join(names)})" for effect, names in rules.items() if names]
    if not said:
        return ""
    words = " and ".join(sorted(moved))
    what = f"'{change.id}' is {words}"
    if change.before:
        what += f" from {change.before} to {change.after}"
    return f"{what}: {' and '.join(said)}"


def _loosening(base: Base, rule: Rule, name: str, *, guards: bool) -> Iterator[str]:
    """Yield the directions in which moving a threshold lets a rule decide sooner, or guard later."""
    yield from _helping(base, rule.when, name, wanted=not guards)
    for exception in rule.unless:
        yield from _helping(base, exception, name, wanted=guards)


def _moves(base: Base, name: str, old: ThresholdModel) -> set[str]:
    """Return how the values of a threshold moved: lowered, raised, both or not at all."""
    now = [alternative.value for alternative in base.thresholds[name].name.alternatives]
    then = [_value(old, scoped.value) for scoped in old.values] or [_value(old, old.value)]
    if len(now) != len(then):
        return {"lowered", "raised"}  # other scopes: neither direction can be ruled out
    moved = set()
    for new, earlier in zip(now, then, strict=True):
        if earlier is None or new.lo < earlier.lo or new.hi < earlier.hi:
            moved.add("lowered")
        if earlier is None or new.hi > earlier.hi or new.lo > earlier.lo:
            moved.add("raised")
    return moved


def _value(model: ThresholdModel, given: str | int | float | None) -> Interval | None:
    try:
        return None if given is None else parse_quantity(given, unit=model.unit, kind=model.kind).interval
    except (QuantityError, UnitError):
        return None


def _helping(base: Base, tree: Tree, name: str, *, wanted: bool = True) -> Iterator[str]:
    """Yield, for each comparison with a threshold, the direction in which moving it makes the tree true sooner."""
    match tree:
        case Not(child):
            yield from _helping(base, child, name, wanted=not wanted)
        case Symptom(symptom):
            yield from _helping(base, base.symptom_trees[symptom], name, wanted=wanted)
        case All(children) | AnyOf(children) | AtLeast(_, children):
            for child in children:
                yield from _helping(base, child, name, wanted=wanted)
        case Comparison(_, operator, Limit(threshold)) if threshold == name:
            yield "lowered" if (operator in UPWARD) == wanted else "raised"
