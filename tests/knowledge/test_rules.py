"""Every rule of the shipped base says what it rests on and where it ends, and carries the three kinds of tests."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from knowledge.rows import base

from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Comparison, columns
from dam_expert.language.expressions import formula_columns

if TYPE_CHECKING:
    from dam_expert.kb.base import Rule
    from dam_expert.language.conditions import Tree

#: Verbs that speak for a hypothesis.
FOR = ("suggest", "support", "confirm")
#: Rules that take up the words of a report differ in the word alone, and end at the same place.
OF_WORDS = "said."
#: How many rules may end at the same place in the same words: a family of one measurement, not a phrase.
ALIKE = 4
#: The rules that ask what settles a hypothesis that is likely and not yet measured.
LIKELY = "advice.ask.likely."


def can_be_undecided(rule: Rule) -> bool:
    """Whether facts can leave the body unknown; leaves about the verdict and ``unknown M`` are true or false."""
    return any(isinstance(leaf, Comparison) for leaf in expanded_leaves(rule.when, base().symptom_trees))


def read_by(tree: Tree) -> set[str]:
    """Return the measurements that a condition reads, those that its derived ones are made of included."""
    found: set[str] = set()
    todo = [column.measurement for leaf in expanded_leaves(tree, base().symptom_trees) for column in columns(leaf)]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            formula = base().measurements[name].formula
            todo += [] if formula is None else [column.measurement for column in formula_columns(formula)]
    return found


def concluded(rule: Rule, *verbs: str) -> set[str]:
    """Return the ids of which a rule says one of the verbs."""
    return {id_ for verb, id_ in rule.conclusions if verb in verbs}


def test_every_rule_has_its_reason_its_limits_and_its_source() -> None:
    """A rule without limits would claim to hold everywhere."""
    lacking = [
        (rule.id, field)
        for rule in base().rules.values()
        for field in ("title", "because", "limits", "source")
        if not getattr(rule.model, field)
    ]
    assert lacking == []


def test_every_rule_shows_when_it_fires_when_it_is_silent_and_when_it_is_undecided() -> None:
    """Of a rule that asks of the verdict alone no facts leave the body open, so that it has no third kind."""
    lacking = [
        (rule.id, kind)
        for rule in base().rules.values()
        for kind in ("fires", "silent", "undecided")
        if not getattr(rule.model.tests, kind) and (kind != "undecided" or can_be_undecided(rule))
    ]
    assert lacking == []


def test_only_advice_is_never_undecided() -> None:
    """Whatever concludes from measurements can lack them."""
    decided = [rule.id for rule in base().rules.values() if not can_be_undecided(rule)]
    assert decided
    advice = {"ask", "warn", "flag", "recommend"}
    assert [rule for rule in decided if not {verb for verb, _ in base().rules[rule].conclusions} <= advice] == []


def test_limits_are_those_of_the_rule() -> None:
    """A sentence that fits every rule says nothing of any; nor is a limit the reason said again."""
    rules = [rule for rule in base().rules.values() if not rule.id.startswith(OF_WORDS)]
    said = Counter(rule.model.limits for rule in rules)
    assert [text for text, times in said.items() if times > ALIKE] == []
    assert [rule.id for rule in rules if rule.model.limits == rule.model.because] == []


def test_every_hypothesis_can_be_spoken_for_and_against() -> None:
    """What can only be supported would stand at the end for want of a way to lose it."""
    spoken_for = {id_ for rule in base().rules.values() for id_ in concluded(rule, *FOR)}
    refuted = {id_ for rule in base().rules.values() for id_ in concluded(rule, "refute")}
    assert set(base().hypotheses) - spoken_for == set()
    assert set(base().hypotheses) - refuted == set()


def test_what_is_likely_is_settled_by_what_is_asked() -> None:
    """One of the measurements asked for, at least, is read where the cause, or what it is a case of, is decided."""
    unsettled = {}
    for rule in (rule for rule in base().rules.values() if rule.id.startswith(LIKELY)):
        hypothesis = rule.id.removeprefix(LIKELY).partition(".")[0]
        related = {hypothesis, *base().hypotheses[hypothesis].ancestors}
        deciding = {
            name
            for other in base().rules.values()
            if related & concluded(other, "confirm", "refute")
            for name in read_by(other.when)
        }
        if not concluded(rule, "ask") & deciding:
            unsettled[rule.id] = sorted(deciding)
    assert unsettled == {}
