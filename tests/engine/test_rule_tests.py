"""Running the tests that rules carry, and the coverage that they reach."""

from __future__ import annotations

import pytest
from small_bases import base, lever, limit, measure, rule, suspect

from dam_expert.engine.rule_tests import run_rule_tests
from dam_expert.language.truth import Truth

MEASURES = [
    measure("gap", "share", decides="share"),
    measure("time", "duration", per="rank"),
    measure("hint"),
    measure("transport", "category"),
    measure("framework", "setting", unit=""),
]
LIMITS = [
    limit("half", "50 %", kind="share"),
    limit("zero", 0, kind="ratio"),
    limit(
        "scoped",
        kind="share",
        values=[{"when": "framework is torch", "value": "20 %", "source": ["x"]}, {"value": "60 %", "source": ["x"]}],
    ),
]
SYMPTOMS = [{"id": "masked", "title": "m", "when": "hint > 1"}]


def report(when, tests, *, then=None, **more):
    entry = rule("r", when, then or {"confirm": "h"}, tests=tests, **more)
    built = base(
        measurements=MEASURES,
        thresholds=LIMITS,
        symptoms=SYMPTOMS,
        hypotheses=[suspect("h")],
        levers=[lever("act", ["h"])],
        rules=[entry],
    )
    return run_rule_tests(built)


def outcomes(when, *facts, **more):
    """Return what became of each fact when it is expected to be silent."""
    return [result.found for result in report(when, {"silent": list(facts)}, **more).results]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        pytest.param({"gap": "60 %", "hint": 0}, "fires", id="fires"),
        pytest.param({"gap": "60 %"}, "reduced", id="an unknown exception"),
        pytest.param({"gap": "60 %", "hint": 2}, "silent", id="an exception"),
        pytest.param({"gap": "40 %"}, "silent", id="the body is false"),
        pytest.param({}, "undecided", id="the body is unknown"),
        pytest.param({"hint": 2}, "silent", id="an exception where the body is unknown"),
        pytest.param({"gap": "about 80 %", "hint": 0}, "undecided", id="a hedge does not decide"),
    ],
)
def test_what_a_rule_did(facts, expected):
    """At full strength, reduced, silent or undecided."""
    assert outcomes("gap >= half", facts, unless=["masked"]) == [expected]


@pytest.mark.parametrize(
    ("kind", "facts", "passed"),
    [
        ("fires", {"gap": "60 %", "hint": 0}, True),
        ("fires", {"gap": "60 %"}, False),
        ("silent", {"gap": "40 %"}, True),
        ("undecided", {}, True),
        ("todo_fires", {"gap": "40 %"}, True),
        ("todo_fires", {"gap": "60 %", "hint": 0}, False),
        ("todo_silent", {"gap": "60 %", "hint": 0}, True),
        ("todo_silent", {"gap": "40 %"}, False),
    ],
)
def test_a_known_miss_passes_as_long_as_it_is_one(kind, facts, passed):
    """A reduced firing is not a firing."""
    (result,) = report("gap >= half", {kind: [facts]}, unless=["masked"]).results
    assert (result.kind, result.passed) == (kind, passed)


def told(when, tests, **more):
    return [str(message) for message in report(when, tests, **more).messages if message.code != "unbracketed"]


def test_a_failure_shows_every_leaf_as_the_rule_read_it():
    """With values and truths, exceptions included."""
    when = {"all": ["gap >= half", "transport is red"]}
    assert told(when, {"fires": [{"gap": "40 %", "transport": "green"}]}, unless=["masked"]) == [
        "base.yaml:1: error: r fires[1]: expected fires, got silent: gap >= half (is 0.4) false, "
        "transport is red (is green) false, hint > 1 unknown [test-failed]"
    ]


def test_facts_that_cannot_be_read_are_told():
    """Each with what is wrong with it."""
    assert told("gap >= half", {"fires": [{"gpa": "60 %", "gap": 60}]}) == [
        "base.yaml:1: error: r fires[1]: no measurement is called 'gpa'; did you mean 'gap'?; gap: 60 has two readings "
        "as a share: 60 % or a factor of 60; write '60 %', or a share between 0 and 1 [test-facts]"
    ]


def test_a_known_miss_that_is_gone_is_told():
    """So that it becomes a test."""
    assert told("gap >= half", {"todo_fires": [{"gap": "60 %"}]}) == [
        "base.yaml:1: error: r todo_fires[1]: the known miss is gone: make it a test [test-passes-now]"
    ]


def test_facts_are_as_from_a_tool_and_may_have_a_scope():
    """And plans and attempts beside them."""
    assert outcomes("time.max > 2 s", {"time[rank=0]": "1 s", "time[rank=1]": "3 s"}) == ["fires"]
    assert outcomes("tried.act > clear_effect", {"tried": [{"lever": "act", "effect": 1.5}]}) == ["fires"]
    assert outcomes("planned act", {"planned": ["act"]}, then={"ask": "gap"}) == ["fires"]


def test_a_draft_takes_part_in_its_own_tests():
    """Only there."""
    assert outcomes("gap >= half", {"gap": "60 %"}, status="draft") == ["fires"]


@pytest.mark.parametrize(
    ("when", "values", "expected"),
    [
        pytest.param("gap >= half", ["40 %", "60 %"], [], id="both sides"),
        pytest.param("gap >= half", ["60 %"], ["below"], id="nothing below"),
        pytest.param("gap >= half", ["40 %"], ["above"], id="nothing above"),
        pytest.param("gap >= half", ["25 %", "60 %"], ["below"], id="a factor of 2 is not within it"),
        pytest.param("gap >= half", ["26 %", "99 %"], [], id="just within"),
        pytest.param("gap >= half", ["50 %", "60 %"], ["below"], id="the limit itself is on no side"),
        pytest.param("gap >= half", ["40-60 %"], ["below"], id="a range across is on no side"),
        pytest.param("gap > 30 %", ["20 %", "40 %"], [], id="a number in the rule"),
        pytest.param({"not": "gap > 30 %"}, ["20 %"], ["above"], id="inside of a tree"),
        pytest.param("gap > scoped", ["15 %", "30 %"], [], id="one value of a scoped threshold"),
        pytest.param("gap > scoped", ["30 %"], ["below"], id="no value of a scoped threshold"),
        pytest.param("hint > zero", [], [], id="zero has no factor of 2"),
        pytest.param("gap > 2 x hint", ["20 %"], [], id="another measurement is no limit"),
    ],
)
def test_tests_lie_on_both_sides_of_each_limit(when, values, expected):
    """Strictly within a factor of 2."""
    facts = [{"gap": value} for value in values]
    messages = report(when, {"silent": facts}, then={"support": "h"}).messages
    found = [message.text for message in messages if message.code == "unbracketed"]
    assert [side for side in ("below", "above") if any(f" {side} '" in text for text in found)] == expected


def test_a_draft_need_not_be_tested_on_both_sides():
    """It is still being written."""
    assert report("gap >= half", {"fires": [{"gap": "90 %"}]}, status="draft").messages == ()


def test_coverage_tells_what_no_test_shows():
    """Rules that never fired, and truths that a leaf was never seen with."""
    coverage = report({"all": ["gap >= half", "hint > 1"]}, {"silent": [{"gap": "40 %"}]}).coverage
    assert coverage.unfired() == ["r"]
    assert [(leaf.rule, leaf.leaf, leaf.missing) for leaf in coverage.leaves()] == [
        ("r", "gap >= half", ["unknown", "true"]),
        ("r", "hint > 1", ["false", "true"]),
    ]
    assert coverage.share() == pytest.approx(2 / 7)


def test_leaves_about_the_verdict_have_two_truths():
    """They are never unknown."""
    tests = {"fires": [{}], "silent": [{"planned": ["act"]}]}
    coverage = report({"not": "planned act"}, tests, then={"ask": "gap"}).coverage
    (leaf,) = coverage.leaves()
    assert (leaf.wanted, leaf.missing) == ({Truth.FALSE, Truth.TRUE}, [])
    assert coverage.share() == 1.0


def test_exceptions_are_covered_too():
    """A leaf of an exception is a leaf of the rule."""
    coverage = report("gap >= half", {"fires": [{"gap": "60 %", "hint": 0}]}, unless=["masked"]).coverage
    assert [leaf.leaf for leaf in coverage.leaves()] == ["gap >= half", "hint > 1"]


def test_an_empty_base_is_covered():
    """There is nothing to show."""
    assert run_rule_tests(base()).coverage.share() == 1.0
