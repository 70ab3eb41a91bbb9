"""From entries to a base: references, stages, conclusions and exceptions."""

from __future__ import annotations

import pytest
from random_bases import ENGINE
from small_bases import base, complaints, lever, limit, measure, rule, suspect

from dam_expert.language.conditions import Standing, Symptom
from dam_expert.language.program import Stage

MEASURES = [measure("gap", "share"), measure("time", "duration"), measure("transport", "category")]
SYMPTOMS = [{"id": "idle", "title": "i", "when": "gap > 10 %"}]
SUSPECTS = [suspect("root"), suspect("child", parent="root")]


def said(*rules, **more):
    sections = {
        "measurements": MEASURES,
        "symptoms": SYMPTOMS,
        "hypotheses": SUSPECTS,
        "levers": [lever("act", ["root"])],
    }
    codes = (
        "unknown-id",
        "wrong-kind",
        "later-stage",
        "not-a-condition",
        "no-conclusion",
        "mixed-stages",
        "two-conclusions",
    )
    return complaints(*codes, "duplicate-id", "engine-needs", **{**sections, **more, "rules": list(rules)})


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        pytest.param({"support": "root"}, [], id="one"),
        pytest.param({"support": ["root", "child"], "weaken": []}, None, id="an empty list"),
        pytest.param({}, ["a rule concludes something"], id="nothing"),
        pytest.param({"support": "roto"}, ["there is no hypothesis 'roto'"], id="unknown"),
        pytest.param({"support": "act"}, ["'act' is a lever, not a hypothesis"], id="a lever"),
        pytest.param({"recommend": "root"}, ["'root' is a hypothesis, not a lever"], id="recommend"),
        pytest.param({"reject": "idle"}, ["'idle' is a symptom, not a measurement"], id="reject"),
        pytest.param({"flag": "wasted"}, ["there is no anti-pattern 'wasted'"], id="flag"),
        pytest.param({"support": "root", "ask": "gap"}, ["a rule's verbs belong to one stage"], id="two stages"),
        pytest.param(
            {"doubt": "gap", "confirm": "root"}, ["a rule's verbs belong to one stage"], id="sanity and evidence"
        ),
        pytest.param({"confirm": "root", "weaken": "child"}, [], id="of two hypotheses"),
        pytest.param(
            {"confirm": "root", "support": "root"},
            ["the rule concludes 'support' and 'confirm' of 'root' at once"],
            id="two of one",
        ),
        pytest.param({"support": ["child", "child"]}, ["the rule concludes 'support' of 'child' twice"], id="twice"),
    ],
)
def test_conclusions(then, expected):
    """Each verb has ids of its kind, all verbs one stage, and each id one conclusion."""
    if expected is None:
        assert complaints("wrong-value", rules=[rule("r", "idle", then)]) == ["a list must have at least 1 items"]
    else:
        assert (
            said(rule("r", "idle" if "reject" not in then and "doubt" not in then else "gap > 1 %", then)) == expected
        )


def test_the_stage_is_that_of_the_verbs():
    """Sanity, evidence, advice."""
    rules = [
        rule("a", "gap > 1 %", {"doubt": "gap"}),
        rule("b", "gap > 1 %", {"confirm": "root", "weaken": "child"}),
        rule("c", "known gap", {"ask": "gap"}),
    ]
    built = base(measurements=MEASURES, hypotheses=SUSPECTS, rules=rules)
    assert [entry.stage for entry in built.rules.values()] == [Stage.SANITY, Stage.EVIDENCE, Stage.ADVICE]
    assert [entry.decides for entry in built.rules.values()] == [False, True, False]
    assert built.rules["b"].conclusions == (("weaken", "child"), ("confirm", "root"))


@pytest.mark.parametrize(
    ("when", "more", "expected"),
    [
        pytest.param({"all": ["time > 1 s", "gap > 1 %"]}, {}, "time", id="the first of the body"),
        pytest.param({"all": ["idle", "time > 1 s"]}, {}, "gap", id="inside of a symptom"),
        pytest.param("time > 1 s", {"group": "gap"}, "gap", id="as said"),
    ],
)
def test_the_group_is_a_static_field(when, more, expected):
    """It does not depend on what is true."""
    rules = [rule("r", when, {"support": "root"}, **more)]
    built = base(measurements=MEASURES, symptoms=SYMPTOMS, hypotheses=SUSPECTS, rules=rules)
    assert built.rules["r"].group == expected


@pytest.mark.parametrize(
    ("then", "unless", "expected"),
    [
        pytest.param({"support": "root"}, ["idle"], Symptom("idle"), id="a symptom"),
        pytest.param({"ask": "gap"}, ["idle"], Symptom("idle"), id="a symptom in advice"),
        pytest.param({"ask": "gap"}, ["root is refuted"], Standing("root", "refuted"), id="a status in advice"),
        pytest.param(
            {"support": "root"}, ["root is refuted"], "there is no symptom 'root is refuted'", id="a status in evidence"
        ),
        pytest.param({"support": "root"}, ["gap > 1 %"], "there is no symptom 'gap > 1 %'", id="a comparison"),
        pytest.param({"support": "root"}, ["gap"], "'gap' is a measurement, not a symptom", id="a measurement"),
        pytest.param(
            {"ask": "gap"},
            ["transport is red"],
            "an exception is a symptom or 'H is confirmed', not 'transport is red'",
            id="a word in advice",
        ),
        pytest.param(
            {"ask": "gap"},
            ["binding is input"],
            "an exception is a symptom or 'H is confirmed', not 'binding is input'",
            id="the binding in advice",
        ),
        pytest.param({"doubt": "gap"}, ["idle"], Symptom("idle"), id="sanity"),
    ],
)
def test_exceptions(then, unless, expected):
    """They name symptoms, and in advice also the status of a hypothesis."""
    entry = rule("r", "gap > 1 %", then, unless=unless)
    if isinstance(expected, str):
        assert said(entry) == [expected]
    else:
        built = base(measurements=MEASURES, symptoms=SYMPTOMS, hypotheses=SUSPECTS, rules=[entry])
        assert built.rules["r"].unless == (expected,)


def test_symptoms_and_sanity_rules_read_measurements_only():
    """Each stage reads only earlier ones, so that there are no cycles."""
    symptoms = [*SYMPTOMS, {"id": "very", "title": "v", "when": {"not": "idle"}}]
    assert said(symptoms=symptoms) == ["a symptom reads measurements only, not the symptom 'idle'"]
    assert said(rule("r", "idle", {"doubt": "gap"})) == [
        "a sanity rule reads measurements only, not the symptom 'idle'"
    ]


def test_what_follows_from_another_error_is_not_complained_about():
    """A rule over a symptom that cannot be read, and a reference to an entry of the wrong shape."""
    symptoms = [{"id": "idle", "title": "i", "when": "gpa > 10 %"}]
    rules = [
        rule("r", {"all": ["idle", "gap > 1 %"]}, {"support": "root"}),
        rule("s", "gap > 1 %", {"support": "root"}, unless=["idle"]),
    ]
    assert said(*rules, symptoms=symptoms) == ["there is no measurement 'gpa'"]
    broken = complaints(
        "missing-key", "unknown-id", "wrong-kind", measurements=[{"id": "gap", "kind": "share"}], symptoms=SYMPTOMS
    )
    assert broken == ["the key 'title' is missing"]


def test_levers_work_on_hypotheses_and_are_wasted_on_bottlenecks_too():
    """`works_on` names causes."""
    assert said(levers=[lever("act", ["root"], wasted_on=["compute", "child"])]) == []
    assert said(levers=[lever("act", ["input", "roto"], wasted_on=["computer"])]) == [
        "'input' is a bottleneck, not a hypothesis",
        "there is no hypothesis 'roto'",
        "there is no hypothesis 'computer'",
    ]


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        pytest.param({}, [], id="fine"),
        pytest.param({"total": "gap"}, ["'gap' is not a duration"], id="total"),
        pytest.param({"total": "tmie"}, ["there is no measurement 'tmie'"], id="unknown total"),
        pytest.param(
            {"parts": [{"id": "p", "title": "p", "share": "time", "waiting": True}]},
            ["'time' is not a share"],
            id="part",
        ),
        pytest.param(
            {"parts": [{"id": "p", "title": "p", "share": "gap", "waiting": True}] * 2},
            ["a budget part 'p' exists already"],
            id="twice",
        ),
    ],
)
def test_budgets_divide_a_time_into_shares(budget, expected):
    """The total is a duration, the parts are shares, each once."""
    parts = [{"id": "p", "title": "p", "share": "gap", "waiting": True}]
    entry = {"id": "step", "title": "s", "of": "step", "total": "time", "parts": parts, **budget}
    assert said(budgets=[entry]) == expected


@pytest.mark.parametrize("name", ["no_effect", "clear_effect", "worth_recovering"])
def test_the_verdict_needs_its_thresholds(name, monkeypatch):
    """They must be there, and hold whatever the scope; of one that cannot be read only its own error is told."""
    monkeypatch.setitem(ENGINE, "thresholds", [entry for entry in ENGINE["thresholds"] if entry["id"] != name])
    assert complaints("engine-needs") == [f"the verdict needs '{name}' among the thresholds"]
    scoped = limit(name, values=[{"when": "gap > 1 %", "value": 1.1, "source": ["x"]}])
    assert complaints("engine-needs", measurements=MEASURES, thresholds=[scoped]) == [
        f"the verdict needs one value of '{name}', whatever the scope"
    ]
    broken = limit(name, "soon") | {"grade": "sure"}
    assert complaints("engine-needs", thresholds=[broken]) == []


def test_the_verdict_needs_its_anti_patterns():
    """Without them it could not name what is wasted."""
    assert complaints("engine-needs", anti_patterns=[]) == [
        "the verdict needs 'acting_before_diagnosing' among the anti-patterns",
        "the verdict needs 'wasted_action' among the anti-patterns",
    ]
