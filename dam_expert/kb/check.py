"""Checks of meaning on a resolved base: can a rule decide at all, can a hypothesis be refuted, is every rule tested.

These are the guards that keep the base from ever being confidently wrong; they hold for runbooks too.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, get_args

from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import Level, Message, closest
from dam_expert.documents.vocabulary import APART, EvidenceVerb
from dam_expert.kb.models import ExpectModel
from dam_expert.language.conditions import (
    All,
    AtLeast,
    Comparison,
    Leaf,
    Limit,
    Not,
    Symptom,
    Tree,
    columns,
    leaves,
)
from dam_expert.language.conditions import (
    Any as AnyOf,
)
from dam_expert.language.expressions import formula_columns
from dam_expert.language.truth import Truth, all_of, any_of, at_least

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from dam_expert.kb.base import Base, Hypothesis, Rule
    from dam_expert.kb.located import Located

#: The statuses of rules that decide nothing in a diagnosis: a draft takes no part, one on trial only supports.
_NOT_IN_FORCE = ("draft", "test")
_ID = re.compile(r"[a-z][a-z0-9_.]*")


def check(base: Base, sections: Mapping[str, Sequence[Located[Any]]]) -> list[Message]:
    """Return every problem of meaning; the order is that of the entries."""
    found: list[Message] = []
    for located in sections["rules"]:
        rule = base.rules.get(located.entry.id)
        if rule is not None and rule.place == located.place:
            found += _rule(base, rule, located)
        found += _tests(located, None if rule is None else rule.when)
    speaking = _written(sections["rules"], base.hypotheses)
    for located in sections["hypotheses"]:
        found += _hypothesis(base, located, speaking)
    for located in sections["measurements"]:
        found += _measurement(base, located)
    for located in sections["thresholds"]:
        found += _threshold(base, located)
    for located in sections["cases"]:
        found += _case(located)
    _speaking.cache_clear()  # nobody asks again, and the base is not to outlive its use
    return found


def _rule(base: Base, rule: Rule, located: Located[Any]) -> Iterator[Message]:
    for verb, hypothesis in rule.conclusions:
        if verb in ("confirm", "refute") and not can_only_decide(base, rule, hypothesis, verb):
            yield located.message(
                f"the rule would {verb} '{hypothesis}' without any measurement that decides",
                "not-decisive",
                "when",
                hint=_hint(base, rule, hypothesis, verb),
            )


def _tests(located: Located[Any], when: Tree | None) -> Iterator[Message]:
    """Say which kinds of tests a rule lacks; a body that cannot be read may be one that is never undecided."""
    tests = located.entry.tests
    wanted = {"fires": tests.fires or tests.todo_fires, "silent": tests.silent or tests.todo_silent}
    if when is not None and any(isinstance(leaf, Comparison | Symptom) for leaf in leaves(when)):
        wanted["undecided"] = tests.undecided
    for kind, given in wanted.items():
        if not given:
            hint = f"add one under tests: {kind}:"
            yield located.message(f"the rule has no test '{kind}'", "untested", "tests", hint=hint)


def can_only_decide(base: Base, rule: Rule, hypothesis: str, verb: str) -> bool:
    """Whether the body stays short of true while all deciding comparisons are unknown and all others help.

    For a child, comparisons that already stand in a confirm rule of an ancestor do not decide: they would only
    repeat that the family binds, not which member.
    """
    inherited = _confirming_leaves(base, hypothesis) if verb == "confirm" else frozenset()
    suspect = base.hypotheses.get(hypothesis)

    def decides(leaf: Leaf) -> bool:
        if not isinstance(leaf, Comparison) or not leaf.decides or leaf in inherited:
            return False
        return suspect is None or not is_foreign(base, leaf, suspect)

    return best_case(rule.when, base.symptom_trees, decides) is not Truth.TRUE


def is_foreign(base: Base, leaf: Comparison, suspect: Hypothesis) -> bool:
    """Whether a leaf is a probe of time, and the hypothesis never costs any: only its declared comparisons decide."""
    measurement = base.measurements.get(leaf.column.measurement)
    timed = measurement is not None and measurement.name.decides == "probe"
    return timed and suspect.tracks <= set(APART) and leaf.column.measurement not in suspect.controlled


def _confirming_leaves(base: Base, hypothesis: str) -> frozenset[Leaf]:
    """Return the leaves of the rules that confirm an ancestor."""
    confirming = _speaking(base)
    ancestors = base.hypotheses[hypothesis].ancestors if hypothesis in base.hypotheses else ()
    return frozenset(
        leaf
        for name in ancestors
        for rule in confirming.get(("confirm", name), ())
        for leaf in expanded_leaves(rule.when, base.symptom_trees)
    )


@functools.lru_cache(maxsize=2)
def _speaking(base: Base) -> Mapping[tuple[str, str], tuple[Rule, ...]]:
    """Return the rules by what they conclude: verb and id."""
    found: dict[tuple[str, str], tuple[Rule, ...]] = {}
    for rule in base.rules.values():
        for conclusion in dict.fromkeys(rule.conclusions):
            found[conclusion] = (*found.get(conclusion, ()), rule)
    return found


def expanded_leaves(tree: Tree, symptoms: Mapping[str, Tree]) -> Iterator[Leaf]:
    """Yield the leaves of a tree with symptoms replaced by what they are made of."""
    for leaf in leaves(tree):
        if isinstance(leaf, Symptom):
            yield from leaves(symptoms[leaf.id])
        else:
            yield leaf


def best_case(
    tree: Tree, symptoms: Mapping[str, Tree], decides: Callable[[Leaf], bool], *, wanted: bool = True
) -> Truth:
    """Return the most a tree can come to while deciding leaves are unknown and every other helps where it stands."""
    match tree:
        case Not(child):
            return best_case(child, symptoms, decides, wanted=not wanted)
        case Symptom(name):
            return best_case(symptoms[name], symptoms, decides, wanted=wanted)
        case All(children):
            parts = [best_case(child, symptoms, decides, wanted=wanted) for child in children]
            return all_of(parts) if wanted else any_of(parts)
        case AnyOf(children):
            parts = [best_case(child, symptoms, decides, wanted=wanted) for child in children]
            return any_of(parts) if wanted else all_of(parts)
        case AtLeast(n, children):
            parts = [best_case(child, symptoms, decides, wanted=wanted) for child in children]
            return at_least(n if wanted else len(children) - n + 1, parts)
        case leaf:
            return Truth.UNKNOWN if decides(leaf) else Truth.TRUE


def _hint(base: Base, rule: Rule, hypothesis: str, verb: str) -> str:
    inherited = _confirming_leaves(base, hypothesis) if verb == "confirm" else frozenset()
    reasons = []
    for leaf in expanded_leaves(rule.when, base.symptom_trees):
        if not isinstance(leaf, Comparison):
            continue
        measurement = base.measurements.get(leaf.column.measurement)
        suspect = base.hypotheses.get(hypothesis)
        if suspect is not None and is_foreign(base, leaf, suspect):
            reasons.append(f"'{leaf.column}' is no controlled comparison of '{hypothesis}'")
        elif leaf in inherited:
            reasons.append(f"'{leaf.text}' already confirms an ancestor")
        elif measurement is not None and measurement.name.decides is None:
            reasons.append(f"'{leaf.column}' decides nothing")
        elif not leaf.decides and isinstance(leaf.operand, Limit):
            reasons.append(f"'{leaf.operand.threshold}' is a screening threshold")
        elif not leaf.decides:
            reasons.append(f"'{leaf.text}' compares with a bare number")
    return (
        "; ".join(dict.fromkeys(reasons)) or "add a comparison that decides to every way in which the body becomes true"
    )


def _written(rules: Sequence[Located[Any]], known: Collection[str]) -> Mapping[tuple[str, str], list[str]]:
    """Return the statuses of rules by what they conclude, those with an error of their own as they are meant."""
    found: dict[tuple[str, str], list[str]] = {}
    for located in rules:
        then, status = located.entry.then, located.entry.status
        for verb in get_args(EvidenceVerb):
            ids = getattr(then, verb)
            for name in [ids] if isinstance(ids, str) else ids or ():
                meant = name if name in known else closest(name, known)
                found.setdefault((verb, meant or name), []).append(status)
        if any(path[0] == "then" for path in located.doubts):
            written = str(located.document.data_at((*located.path, "then")))
            for name in set(_ID.findall(written)) & set(known):
                for verb in get_args(EvidenceVerb):
                    found.setdefault((verb, name), []).append(status)
    return found


def _hypothesis(base: Base, located: Located[Any], speaking: Mapping[tuple[str, str], list[str]]) -> Iterator[Message]:
    hypothesis = base.hypotheses.get(located.entry.id)
    if hypothesis is None:
        return
    refuting = [each for name in (hypothesis.id, *hypothesis.ancestors) for each in speaking.get(("refute", name), ())]
    if all(status in _NOT_IN_FORCE for status in refuting):
        yield located.message(
            f"nothing can refute '{hypothesis.id}'", "irrefutable", "id", hint="add a rule with then: {refute: ..}"
        )
    if not any((verb, hypothesis.id) in speaking for verb in get_args(EvidenceVerb)):
        yield located.message(f"no rule speaks of '{hypothesis.id}'", "unreachable", "id", level=Level.WARNING)


def _measurement(base: Base, located: Located[Any]) -> Iterator[Message]:
    model = located.entry
    measurement = base.measurements.get(model.id)
    if measurement is None:
        return
    if model.values and model.kind is Kind.FLAG:
        hint = "leave 'values' out, or make it a category"
        yield located.message("a flag is true or false and lists no values", "wrong-kind", "values", hint=hint)
    if model.values and not measurement.name.is_word:
        yield located.message(f"a {model.kind} is a number and lists no values", "wrong-kind", "values")
    if model.decides and measurement.formula is not None:
        for column in formula_columns(measurement.formula):
            if column.measurement in base.measurements and base.measurements[column.measurement].name.weak:
                text = f"the formula reads '{column}', which is weak and never decides"
                yield located.message(text, "weak-decides", "decides", hint="drop 'decides'")
    wanted = {
        "share": {Kind.SHARE},
        "probe": {Kind.RATIO},
        "counter": {Kind.SHARE, Kind.RATIO, Kind.COUNT, Kind.RATE, Kind.DURATION, Kind.BYTES, Kind.LEVEL, Kind.SETTING},
        "state": {Kind.CATEGORY, Kind.FLAG, Kind.COUNT, Kind.RATE, Kind.BYTES, Kind.SETTING},
    }.get(model.decides or "")
    if wanted is not None and model.kind not in wanted:
        *others, last = sorted(kind.value for kind in wanted)
        kinds = f"{', '.join(others)} or {last}" if others else last
        text = f"a measurement that decides as {model.decides} is of kind {kinds}, not {model.kind.value}"
        yield located.message(text, "wrong-kind", "decides")


def _threshold(base: Base, located: Located[Any]) -> Iterator[Message]:
    threshold = base.thresholds.get(located.entry.id)
    for index, alternative in enumerate(threshold.name.alternatives if threshold is not None else ()):
        for leaf in [] if alternative.when is None else leaves(alternative.when):
            derived = [
                str(column)
                for column in columns(leaf)
                if column.measurement in base.measurements and base.measurements[column.measurement].formula is not None
            ]
            if isinstance(leaf, Symptom) or derived:
                name = leaf.id if isinstance(leaf, Symptom) else derived[0]
                text = f"the scope of a threshold reads raw measurements, not '{name}'"
                yield located.message(text, "later-stage", "values", index, "when")


def _case(located: Located[Any]) -> Iterator[Message]:
    if not isinstance(located.entry.incident.get("observations", {}), dict):
        text = "the observations of a case are a mapping, so that its stages can add to them"
        yield located.message(
            text, "wrong-type", "incident", "observations", hint="write 'step_time: 2 s', without '-'"
        )
    for index, stage in enumerate(located.entry.stages):
        if stage.expect == ExpectModel():
            yield located.message("the stage expects nothing", "untested", "stages", index, "expect")
