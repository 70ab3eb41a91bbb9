"""Which single measurement would let a rule confirm."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_bases import bases, incidents, observations, resolved
from small_bases import base, incident, measure, rule, seen, suspect, tools

from dam_expert.documents.incident import Incident
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.block.evaluating import Evaluator
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.block.settling import would_settle
from dam_expert.engine.block.words import packed, unpacked
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.kb.base import Base
from dam_expert.language.conditions import Comparison
from dam_expert.language.program import Join, Literal
from dam_expert.language.truth import Truth

BASE = base(
    measurements=[measure(name, decides="counter") for name in "abcdefghijk"],
    symptoms=[{"id": "excuse", "title": "An excuse", "when": "c > 1"}],
    hypotheses=[suspect("cause"), suspect("other")],
    rules=[
        rule("both", {"all": ["a > 1", "b > clear_effect"]}, {"confirm": "cause"}, unless=["excuse"]),
        rule("either", {"any": ["d > 1", "e > 1"]}, {"confirm": "cause"}),
        rule("also", {"all": ["a > 1", "d > 5"]}, {"suggest": "other", "confirm": "cause"}),
        rule("range", {"all": ["f > 1", "f < 3"]}, {"confirm": "other"}),
        rule("supports", "g > 1", {"support": "cause"}),
        rule("on_trial", "i > 1", {"confirm": "cause"}, status="test"),
        rule("drafted", "k > 1", {"confirm": "cause"}, status="draft"),
        rule("refutes", "j > 1", {"refute": "cause"}),
    ],
)


def settled(built: Base, given: list[Incident], among: list[bool] | None = None) -> list[set[str]]:
    """Return by incident what would settle it."""
    evaluator = Evaluator(built)
    verdict = evaluator.evaluate(block_of(built, given))
    rows = packed(np.array([True] * len(given) if among is None else among))
    found = would_settle(evaluator, verdict, rows)
    assert all(words.any() for words in found.values())
    masks = {name: unpacked(words, len(given)) for name, words in found.items()}
    return [{name for name, mask in masks.items() if mask[place]} for place in range(len(given))]


def one(**values: Any) -> set[str]:
    """Return what settles one incident: beside one that knows nothing, and one of which all is known."""
    full = incident(*tools(**dict.fromkeys("abcdefghijk", 0.5)))
    nothing, found, everything = settled(BASE, [incident(), incident(*tools(**values)), full])
    assert nothing == {"f"}
    assert everything == set()
    return found


def test_what_alone_is_unknown_of_a_rule_settles_it() -> None:
    """Of two things that are unknown neither does; of a rule that can no longer fire nothing does."""
    shut = {"e": 0.5, "f": 0.5}
    assert one(a=2, c=0.5, d=0.5, **shut) == {"b"}
    assert one(b=2, c=0.5, d=0.5, **shut) == {"a"}
    assert one(a=2, b=2, d=0.5, **shut) == {"c"}
    assert one(a=2, d=0.5, **shut) == set()
    assert one(c=0.5, d=0.5, **shut) == set()
    assert one(a=0.5, c=0.5, d=0.5, **shut) == set()


def test_a_rule_that_fires_or_is_excused_needs_nothing() -> None:
    """What else it reads may be unknown."""
    assert one(d=2, a=0.5, f=0.5) == set()
    assert one(e=2, a=0.5, f=0.5) == set()
    assert one(a=2, c=2, d=0.5, e=0.5, f=0.5) == set()


def test_each_rule_adds_what_settles_it() -> None:
    """One measurement may settle several; a rule that says more than what it confirms is one that confirms."""
    assert one(a=2, b=0.5, e=0.5, f=0.5) == {"d"}
    assert one(d=6, b=0.5, e=0.5, f=0.5) == {"a"}
    assert one(b=0.5, a=2, c=0.5, e=0.5) == {"d", "f"}
    assert settled(
        BASE,
        [
            incident(*tools(a=2, b=0.5, d=2, f=0.5)),
            incident(*tools(a=0.5, e=0.5, f=0.5)),
            incident(*tools(a=2, b=0.5, d=0.5, f=0.5)),
            incident(*tools(a=2, b=0.5, e=2, f=0.5)),
        ],
    ) == [set(), {"d"}, {"e"}, {"d"}]


def test_comparisons_with_one_measurement_are_one_question() -> None:
    """Both ends of a range are known at once; a value that lies on both sides of a limit is as good as unknown."""
    quiet = {"a": 0.5, "d": 0.5, "e": 0.5}
    assert one(**quiet) == {"f"}
    assert one(f=(0, 2), **quiet) == {"f"}
    assert one(f=2, **quiet) == set()
    assert one(f=4, **quiet) == set()


def test_only_rules_that_confirm_are_asked() -> None:
    """Not those on trial, those that are drafts, and those that say less."""
    assert one(a=0.5, d=0.5, e=0.5, f=0.5) == set()


def test_what_may_not_decide_is_as_good_as_unknown() -> None:
    """It would have to be read from a tool."""
    known = (*tools(a=2, c=0.5, d=0.5, e=0.5, f=0.5),)
    assert settled(BASE, [incident(*known, seen("b", 2, "said")), incident(*known, seen("b", 2))]) == [{"b"}, set()]


def test_only_the_rows_that_are_asked_for() -> None:
    """Whatever would settle the others."""
    given = [incident(*tools(a=0.5, d=0.5, e=0.5))] * 3
    assert settled(BASE, given, [False, True, False]) == [set(), {"f"}, set()]
    assert settled(BASE, given, [False, False, False]) == [set()] * 3


def settling(evaluated: Evaluated) -> set[str]:
    """Return by the truths of one incident alone what would settle it, rule by rule and node by node."""
    built = evaluated.base
    truths = evaluated.node_truths()
    nodes = built.program.nodes
    strengths = {firing.rule: firing.strength.value for firing in evaluated.firings}

    def value(literal: Literal) -> Truth:
        node, positive = literal
        return truths[node] if positive else truths[node].negated()

    def unknown(node: int) -> set[str]:
        if nodes[node].join is not Join.LEAF:
            return set().union(*(unknown(child) for child, _ in nodes[node].children))
        question = nodes[node].question
        is_open = question is not None and truths[node] is Truth.UNKNOWN and isinstance(question.leaf, Comparison)
        return {question.leaf.column.measurement} if is_open else set()

    found: set[str] = set()
    for compiled in built.program.rules:
        written = built.rules[compiled.id]
        confirms = any(verb == "confirm" for verb, _ in written.conclusions)
        if not confirms or written.model.status in ("test", "draft") or strengths.get(compiled.id) == "full":
            continue
        if value(compiled.body) is Truth.FALSE or any(value(each) is Truth.TRUE for each in compiled.unless):
            continue
        names = set().union(*(unknown(node) for node, _ in (compiled.body, *compiled.unless)))
        found |= names if len(names) == 1 else set()
    return found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(built=bases(), drawn=st.lists(incidents(), min_size=1, max_size=9))
def test_as_one_incident_alone_says(built: dict[str, Any], drawn: list[dict[str, tuple[Any, ...]]]) -> None:
    """In random bases, with every construct of conditions."""
    compiled = resolved(built)
    given = [Incident(id=str(i), file="random", observations=observations(each)) for i, each in enumerate(drawn)]
    executor = BitExecutor(compiled.program)
    assert settled(compiled, given) == [settling(evaluate(compiled, each, executor)) for each in given]
