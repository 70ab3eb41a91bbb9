"""The proof of what fired."""

from __future__ import annotations

from small_bases import base, limit, measure, rule, run, seen, suspect, tools

from dam_expert.documents.observations import Origin
from dam_expert.engine.proof import origin_text, proof, step

SCOPED = [{"when": "framework is torch", "value": "20 %", "source": ["book"]}, {"value": "40 %", "source": ["else"]}]
BASE = base(
    measurements=[
        measure("gap", "share", decides="share"),
        measure("util", "share"),
        measure("wait", "share"),
        measure("transport", "category"),
        measure("framework", "setting", unit=""),
        measure("twice", "share", formula="wait * 2"),
    ],
    thresholds=[
        limit("half", "50 %", kind="share", source=["sum", "more"]),
        limit("guess", "30 %", grade="screening", kind="share"),
        limit("scoped", grade="screening", kind="share", values=SCOPED),
    ],
    symptoms=[{"id": "idle", "title": "i", "when": {"any": ["util < guess", "transport is red"]}}],
    hypotheses=[suspect("h")],
    rules=[
        rule("sane", "util > gap", {"doubt": "util"}),
        rule("c", {"all": ["gap >= half", "idle", {"not": "wait > 10 %"}]}, {"confirm": "h"}, unless=["idle"]),
        rule("s", {"at_least": {"n": 1, "of": ["gap >= half", "twice > 1.5 x wait"]}}, {"support": "h"}),
        rule("t", "gap > scoped", {"suggest": "h"}),
        rule("a", "h is supported", {"ask": "wait"}),
    ],
)


def find(node, text):
    return next(found for child in node.children for found in [child, *every(child)] if found.text == text)


def every(node):
    return [found for child in node.children for found in (child, *every(child))]


def test_each_firing_has_a_step_in_the_order_of_the_base():
    """From sanity to advice, with the rule's words, place and sources."""
    steps = proof(run(BASE, *tools(gap=0.6, util=0.7, wait=0.02)))
    assert [(found.rule, found.stage) for found in steps] == [
        ("sane", "sanity"),
        ("s", "evidence"),
        ("t", "evidence"),
        ("a", "advice"),
    ]
    first = steps[1]
    assert (first.conclusions, first.strength, first.because) == (["support h"], "full", "s says so")
    assert (first.place, first.source) == ("base.yaml:1", ["x"])


def test_leaves_carry_value_threshold_and_observations():
    """With the source of the threshold and whether the leaf decides."""
    origin = Origin(file="trace.json", line=7, tool="trace")
    found = proof(run(BASE, seen("gap", 0.6, origin=origin)))[0].conditions.children[0]
    assert (found.text, found.truth, found.decisive, found.value) == ("gap >= half", "true", True, 0.6)
    assert (found.threshold.id, found.threshold.value, found.threshold.grade) == ("half", 0.5, "decisive")
    assert (found.threshold.source, found.threshold.place) == (["sum", "more"], "base.yaml:1")
    assert found.observations == ["gap from trace.json:7 (trace)"]


def test_a_derived_value_shows_what_it_rests_on():
    """And a multiple both of its sides, each observation once."""
    found = proof(run(BASE, seen("wait", 0.1, origin=Origin(file="a"))))[0].conditions.children[1]
    assert (found.text, found.value, found.decisive) == ("twice > 1.5 x wait", 0.2, False)
    assert found.observations == ["wait from a"]


def test_joiners_and_symptoms_show_their_parts():
    """Each with its truth."""
    evaluated = run(BASE, *tools(gap=0.6, util=0.1, transport="green", wait=0.2))
    told = step(evaluated, BASE.rules["c"], "reduced")
    assert (told.conditions.text, told.conditions.truth, told.strength) == ("all of", "false", "reduced")
    assert [(node.text, node.truth) for node in every(told.conditions)] == [
        ("gap >= half", "true"),
        ("idle", "true"),
        ("any of", "true"),
        ("util < guess", "true"),
        ("transport is red", "false"),
        ("not", "false"),
        ("wait > 10 %", "true"),
    ]
    assert [(node.text, node.truth) for node in told.unless] == [("idle", "true")]
    assert find(told.conditions, "transport is red").value == "green"
    other = step(evaluated, BASE.rules["s"], "full")
    assert other.conditions.text == "at least 1 of"


def test_the_truth_is_the_one_that_the_rule_asked_for():
    """Strict inside of a rule that confirms, plain elsewhere, raw for sanity rules."""
    evaluated = run(BASE, seen("gap", 0.6, "said"), *tools(util=0.7))
    assert step(evaluated, BASE.rules["c"], "full").conditions.children[0].truth == "unknown"
    assert step(evaluated, BASE.rules["s"], "full").conditions.children[0].truth == "true"
    assert step(evaluated, BASE.rules["sane"], "full").conditions.truth == "true"


def test_a_scoped_threshold_shows_the_value_that_holds_with_its_source():
    """Where it is not certain which one does, neither is shown."""
    told = {
        word: step(run(BASE, *tools(gap=0.6, **facts)), BASE.rules["t"], "full").conditions.threshold
        for word, facts in (("torch", {"framework": "torch"}), ("jax", {"framework": "jax"}), ("none", {}))
    }
    assert [(told[word].value, told[word].source) for word in told] == [(0.2, ["book"]), (0.4, ["else"]), (None, [])]


def test_leaves_about_the_verdict_have_only_a_truth():
    """There is no observation of it."""
    found = proof(run(BASE, *tools(gap=0.6)))[-1].conditions
    assert (found.text, found.truth, found.value, found.observations) == ("h is supported", "true", None, [])


def test_where_an_observation_comes_from():
    """Parts that are not known are left out."""
    assert origin_text(seen("m", 1, scope={"rank": "3", "device": "0"}, origin=Origin(file="f", line=2))) == (
        "m[device=0,rank=3] from f:2"
    )
