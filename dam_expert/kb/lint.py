"""What is suspicious in a base that loads: nothing here stops it, and each finding has a code with its own page entry.

Errors of meaning are found at loading, in :mod:`dam_expert.kb.check`; these are warnings for authors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.messages import Level, Message
from dam_expert.kb.entry import LOST
from dam_expert.kb.lint_conditions import contradictions, is_implied
from dam_expert.language.conditions import (
    Binds,
    Comparison,
    Limit,
    Planned,
    Standing,
    Symptom,
    columns,
    leaves,
)
from dam_expert.language.expressions import Formula, formula_columns, formula_thresholds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base, Rule
    from dam_expert.language.conditions import Tree

_SHIPPED = ("rules/", "knowledge/")

_COMPARED = 300
"""Rules on one conclusion that are compared pair by pair."""

_DIRECT = 6
"""A source shorter than this names nothing that can be looked up."""


def lint(base: Base, *, is_whole: bool = True) -> list[Message]:
    """Return every suspicious thing in a base, in order of place.

    Of a base that is not whole nothing is said that what is missing could answer.
    """
    found = [*_conditions(base), *_duplicates(base), *_titles(base), *_sources(base)]
    if is_whole:
        found += [*_unused(base), *_levers(base), *_replaced(base)]
    return sorted((message for message in found if LOST not in message.text), key=Message.sort_key)


def _say(base: Base, name: str, code: str, text: str, hint: str | None = None) -> Message:
    file, _, line = base.places[name].rpartition(":")
    return Message(file=file, line=int(line), column=1, level=Level.WARNING, code=code, text=text, hint=hint)


def _conditions(base: Base) -> Iterator[Message]:
    """Conditions that can never be true, or never false."""
    trees: list[tuple[str, str, Tree]] = [("rule", rule.id, rule.when) for rule in base.rules.values()]
    trees += [("symptom", name, tree) for name, tree in base.symptom_trees.items()]
    for what, name, tree in trees:
        for problem in contradictions(base, tree):
            yield _say(base, name, problem.code, f"the {what} '{name}' {problem.text}", problem.hint)


def _duplicates(base: Base) -> Iterator[Message]:
    """Rules that say the same, or that another rule already says."""
    by_conclusion: dict[tuple[str, str], list[Rule]] = {}
    for rule in base.rules.values():
        for conclusion in () if any(contradictions(base, rule.when)) else rule.conclusions:
            by_conclusion.setdefault(conclusion, []).append(rule)
    seen: set[tuple[str, str]] = set()
    told: set[str] = set()
    for (verb, target), rules in by_conclusion.items():
        if len(rules) > _COMPARED:
            text = f"{len(rules)} rules {verb} '{target}': too many to be compared with each other"
            yield _say(base, rules[0].id, "not-compared", text, "fewer and wider rules are easier to trust")
            continue
        for wide in rules:
            for narrow in rules:
                pair = (wide.id, narrow.id)
                if wide is narrow or pair in seen or not _covers(base, wide, narrow):
                    continue
                seen.add(pair)
                if pair[::-1] in seen:
                    continue
                own = wide if _is_shipped(narrow) and not _is_shipped(wide) else narrow
                if _covers(base, narrow, wide):
                    text = f"the rules '{narrow.id}' and '{wide.id}' are true together and both {verb} '{target}'"
                    yield _say(base, own.id, "same-rule", text, "keep one of them")
                elif narrow.id not in told:
                    told.add(narrow.id)
                    text = f"'{wide.id}' is true whenever '{narrow.id}' is, and both {verb} '{target}'"
                    hint = (
                        "remove it, or narrow the other" if own is narrow else f"disable '{narrow.id}', or narrow yours"
                    )
                    yield _say(base, own.id, "subsumed", text, hint)


def _is_shipped(rule: Rule) -> bool:
    """Whether a rule is of the base: the author of a runbook has nothing to mend there."""
    return rule.place.startswith(_SHIPPED)


def _titles(base: Base) -> Iterator[Message]:
    """Find rules on one hypothesis that cannot be told apart in a report."""
    titles: dict[object, str] = {}
    for rule in base.rules.values():
        if LOST in rule.model.title:
            continue
        targets = frozenset(name for _, name in rule.conclusions)
        first = titles.setdefault((" ".join(rule.model.title.casefold().split()), targets), rule.id)
        if first != rule.id:
            text = f"the rules '{first}' and '{rule.id}' have the same title"
            yield _say(base, rule.id, "same-title", text, "say what differs")


def _covers(base: Base, wide: Rule, narrow: Rule) -> bool:
    """Whether ``wide`` says all that ``narrow`` does, and fires whenever it does, as far as comparisons tell."""
    says_it_all = set(narrow.conclusions) <= set(wide.conclusions)
    return says_it_all and set(wide.unless) <= set(narrow.unless) and is_implied(base, wide.when, by=narrow.when)


def _unused(base: Base) -> Iterator[Message]:
    """Find symptoms that nothing reads, and thresholds and measurements of runbooks likewise."""
    used: set[str] = set()
    trees = [tree for rule in base.rules.values() for tree in (rule.when, *rule.unless)]
    scopes = [alternative.when for each in base.thresholds.values() for alternative in each.name.alternatives]
    trees += [*base.symptom_trees.values(), *(tree for tree in scopes if tree is not None)]
    for tree in trees:
        for leaf in leaves(tree):
            used |= {column.measurement for column in columns(leaf)}
            match leaf:
                case Comparison(_, _, Limit(name)) | Symptom(name) | Standing(name) | Binds(name) | Planned(name):
                    used.add(name)
    for formula in _formulas(base):
        used |= {column.measurement for column in formula_columns(formula)} | set(formula_thresholds(formula))
    used |= {part.share for budget in base.budgets.values() for part in budget.model.parts}
    used |= {budget.model.total for budget in base.budgets.values()}
    used |= {name for rule in base.rules.values() for _, name in rule.conclusions}
    used |= {name for hypothesis in base.hypotheses.values() for name in hypothesis.model.controlled}
    for name, symptom in base.symptoms.items():
        if name not in used and symptom.track is None and not symptom.fails:
            yield _say(base, name, "unused-symptom", f"no rule or symptom uses the symptom '{name}'")
    own = [("threshold", name) for name in base.thresholds]
    own += [("measurement", name) for name, measurement in base.measurements.items() if measurement.formula is None]
    for kind, name in own:
        if "." in name and name not in used:  # those of the base are for readers, sessions and calculators as well
            text = f"no rule, formula or symptom reads '{name}'"
            yield _say(base, name, f"unused-{kind}", text, "write a rule for it, or remove it")


def _formulas(base: Base) -> Iterator[Formula]:
    for measurement in base.measurements.values():
        if measurement.formula is not None:
            yield measurement.formula
    for hypothesis in base.hypotheses.values():
        yield from (formula for formula in (hypothesis.share, hypothesis.attained) if formula is not None)
    for lever in base.levers.values():
        if lever.ceiling is not None:
            yield lever.ceiling
    for whole in base.wholes.values():
        yield from (whole.whole, *whole.parts)


def _levers(base: Base) -> Iterator[Message]:
    """Hypotheses for which nothing can be done: neither they nor their family have a lever."""
    worked_on = {name for lever in base.levers.values() for name in lever.model.works_on}
    for hypothesis in base.hypotheses.values():
        family = {hypothesis.id, *hypothesis.ancestors, *hypothesis.children}
        if not family & worked_on and hypothesis.bottleneck != "none":
            text = f"no lever works on '{hypothesis.id}'"
            yield _say(base, hypothesis.id, "no-lever", text, "add a lever with works_on: [..]")


def _sources(base: Base) -> Iterator[Message]:
    """Thresholds whose source cannot be looked up."""
    for name, threshold in base.thresholds.items():
        given = [*threshold.model.source, *(source for scoped in threshold.model.values for source in scoped.source)]
        for source in given:
            if len(source.strip()) < _DIRECT or source.strip().casefold() in ("internal", "experience", "unknown"):
                text = f"the source '{source}' of '{name}' names nothing that can be looked up"
                yield _say(base, name, "vague-source", text, "name the document, the file or the measurement")


def _replaced(base: Base) -> Iterator[Message]:
    """Find replacements of rules that do not exist."""
    for rule in base.rules.values():
        if rule.model.replaced_by is not None and base.current(rule.model.replaced_by) not in base.rules:
            text = f"'{rule.id}' is replaced by '{rule.model.replaced_by}', which does not exist"
            yield _say(base, rule.id, "dead-replacement", text)
