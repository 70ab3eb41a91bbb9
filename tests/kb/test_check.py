"""The guards of meaning: what a rule needs before it may confirm or refute."""

from __future__ import annotations

import pytest
from small_bases import base, complaints, limit, measure, messages, rule, suspect

from dam_expert.kb.check import best_case, can_only_decide
from dam_expert.language.truth import Truth

MEASURES = [
    measure("gap", "share", decides="share"),
    measure("other", "share", decides="share"),
    measure("util", "share", weak=True),
    measure("plain", "share"),
    measure("probe", decides="probe"),
    measure("subset", decides="probe"),
    measure("transport", "category", decides="state"),
]
LIMITS = [limit("majority", "50 %", kind="share"), limit("guess", "30 %", grade="screening", kind="share")]
SYMPTOMS = [
    {"id": "starved", "title": "s", "when": "gap >= majority"},
    {"id": "idle", "title": "i", "when": "util < guess"},
    {"id": "mixed", "title": "m", "when": {"any": ["gap >= majority", "util < guess"]}},
]
SUSPECTS = [
    suspect("root"),
    suspect("child", parent="root"),
    suspect("bad_labels", "quality", controlled=["subset"]),
    suspect("too_large", "capacity", tracks=["time", "fit"]),
]


def decides(when, verb="confirm", hypothesis="root", more=()):
    built = base(
        measurements=MEASURES,
        thresholds=LIMITS,
        symptoms=SYMPTOMS,
        hypotheses=SUSPECTS,
        rules=[rule("r", when, {verb: hypothesis}), *more],
    )
    return can_only_decide(built, built.rules["r"], hypothesis, verb)


@pytest.mark.parametrize("verb", ["confirm", "refute"])
@pytest.mark.parametrize(
    ("when", "expected"),
    [
        pytest.param("gap >= majority", True, id="decisive"),
        pytest.param("gap >= guess", False, id="screening threshold"),
        pytest.param("gap >= 50 %", False, id="a bare number"),
        pytest.param("util >= majority", False, id="a weak measurement"),
        pytest.param("plain >= majority", False, id="a measurement that decides nothing"),
        pytest.param("gap > other", True, id="arithmetic"),
        pytest.param("gap > 2 x other", False, id="a factor without source"),
        pytest.param("gap > util", False, id="against a weak one"),
        pytest.param("transport is red", True, id="a listed word"),
        pytest.param({"all": ["gap >= majority", "util < guess"]}, True, id="one of all"),
        pytest.param({"any": ["gap >= majority", "util < guess"]}, False, id="a way round"),
        pytest.param(
            {"any": ["gap >= majority", {"all": ["util < guess", "probe > clear_effect"]}]}, True, id="every way"
        ),
        pytest.param({"not": "gap >= majority"}, True, id="not of a decisive one"),
        pytest.param({"not": "util < guess"}, False, id="not of a weak one"),
        pytest.param({"not": {"any": ["gap >= majority", "util < guess"]}}, True, id="not any is all not"),
        pytest.param({"not": {"all": ["gap >= majority", "util < guess"]}}, False, id="not all is any not"),
        pytest.param(
            {"at_least": {"n": 2, "of": ["gap >= majority", "util < guess", "plain > 1 %"]}}, False, id="two without it"
        ),
        pytest.param(
            {"at_least": {"n": 3, "of": ["gap >= majority", "util < guess", "plain > 1 %"]}},
            True,
            id="three only with it",
        ),
        pytest.param(
            {"not": {"at_least": {"n": 1, "of": ["gap >= majority", "util < guess"]}}}, True, id="none of them"
        ),
        pytest.param({"not": {"at_least": {"n": 2, "of": ["gap >= majority", "util < guess"]}}}, False, id="not both"),
        pytest.param("starved", True, id="a symptom that decides"),
        pytest.param("idle", False, id="a symptom that does not"),
        pytest.param("mixed", False, id="a symptom with a way round"),
        pytest.param({"all": ["mixed", "other >= majority"]}, True, id="a symptom and more"),
        pytest.param({"not": "mixed"}, True, id="not a symptom with a way round"),
    ],
)
def test_without_what_decides_the_body_is_not_true(when, verb, expected):
    """All others at the value that helps most, the deciding ones unknown: the body must stay short of true."""
    assert decides(when, verb) is expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        pytest.param("gap >= majority", False, id="only what confirms the parent"),
        pytest.param("starved", False, id="the same through a symptom"),
        pytest.param({"all": ["gap >= majority", "util < guess"]}, False, id="with something weak"),
        pytest.param({"all": ["gap >= majority", "probe > clear_effect"]}, True, id="with something of its own"),
        pytest.param("other >= majority", True, id="something of its own alone"),
    ],
)
def test_a_child_needs_more_than_its_parent(when, expected):
    """What already confirms an ancestor says that the family binds, not which member."""
    parents = [rule("p", {"all": ["starved", "util < guess"]}, {"confirm": "root"})]
    assert decides(when, hypothesis="child", more=parents) is expected
    assert decides("gap >= majority", hypothesis="root", more=parents)


def test_time_says_nothing_of_quality():
    """A probe of time confirms no cause of bad learning; a declared comparison does, and a tried lever."""
    assert not decides("probe > clear_effect", hypothesis="bad_labels")
    assert decides("subset > clear_effect", hypothesis="bad_labels")
    assert decides("gap >= majority", hypothesis="bad_labels")
    assert decides("probe > clear_effect", hypothesis="too_large")


def test_the_best_case_of_each_joiner():
    """Wanted false, *all* needs one child that can be false and *any* all of them."""
    built = base(measurements=MEASURES, thresholds=LIMITS, symptoms=SYMPTOMS)
    tree = built.symptom_trees["mixed"]
    weak = best_case(tree, built.symptom_trees, lambda leaf: leaf.decides)
    strong = best_case(tree, built.symptom_trees, lambda leaf: leaf.decides, wanted=False)
    assert (weak, strong) == (Truth.TRUE, Truth.UNKNOWN)


def said(*codes, rules=(), **more):
    return complaints(*codes, measurements=MEASURES, thresholds=LIMITS, symptoms=SYMPTOMS, rules=list(rules), **more)


@pytest.mark.parametrize("status", ["stable", "deprecated"])
def test_a_rule_in_force_makes_a_hypothesis_refutable(status):
    """Of its own or of an ancestor."""
    refute = rule("r", "gap < worth_recovering", {"refute": "root"}, status=status)
    assert said("irrefutable", rules=[refute], hypotheses=SUSPECTS[:2]) == []


@pytest.mark.parametrize("status", ["draft", "test"])
def test_a_rule_that_decides_nothing_yet_makes_none_refutable(status):
    """A draft does not run, and a rule on trial only weakens."""
    refute = rule("r", "gap < worth_recovering", {"refute": "root"}, status=status)
    assert said("irrefutable", rules=[refute], hypotheses=SUSPECTS[:2]) == [
        "nothing can refute 'root'",
        "nothing can refute 'child'",
    ]


def test_a_broken_rule_may_be_the_one_that_is_missed():
    """A rule with an error still refutes what it means to, and a hypothesis that none means to refute is said."""
    rules = [rule("r", "gpa < 5 %", {"refute": "root"})]
    assert said("unknown-id", rules=rules, hypotheses=SUSPECTS[:1]) == ["there is no measurement 'gpa'"]
    assert said("irrefutable", rules=rules, hypotheses=SUSPECTS[:1]) == []
    rules = [rule("r", "gpa < 5 %", {"support": "root"})]
    assert said("irrefutable", rules=rules, hypotheses=SUSPECTS[:1]) == ["nothing can refute 'root'"]


def test_a_hypothesis_that_no_rule_names_is_a_warning():
    """Refutable through its parent, but nothing ever speaks of it."""
    refute = rule("r", "gap < worth_recovering", {"refute": "root"})
    assert said("unreachable", rules=[refute], hypotheses=SUSPECTS[:2]) == ["no rule speaks of 'child'"]


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        pytest.param({}, ["fires", "silent", "undecided"], id="none"),
        pytest.param({"fires": [{}], "silent": [{}], "undecided": [{}]}, [], id="all"),
        pytest.param({"todo_fires": [{}], "todo_silent": [{}], "undecided": [{}]}, [], id="known misses"),
        pytest.param({"fires": [{}]}, ["silent", "undecided"], id="one"),
    ],
)
def test_every_rule_is_tested(tests, expected):
    """It fires, stays silent and is undecided at least once."""
    rules = [rule("r", "gap < guess", {"support": "root"}, tests=tests)]
    assert said("untested", rules=rules, hypotheses=SUSPECTS) == [f"the rule has no test '{kind}'" for kind in expected]


def test_a_rule_about_the_verdict_is_never_undecided():
    """Its leaves are true or false, so that no such test is asked for."""
    rules = [rule("r", "root is confirmed", {"ask": "gap"}, tests={"fires": [{}], "silent": [{}]})]
    assert said("untested", rules=rules, hypotheses=SUSPECTS) == []


def test_sanity_rules_read_what_follows_from_what_was_observed():
    """They may reject what a derived measurement is made of: it is then derived anew."""
    rules = [rule("r", {"not": "twice > 50 %"}, {"reject": "gap"})]
    found = complaints(
        "later-stage", measurements=[*MEASURES, measure("twice", "share", formula="gap * 2")], rules=rules
    )
    assert found == []


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param(
            measure("m", "duration", decides="share"),
            "a measurement that decides as share is of kind share, not duration",
            id="share",
        ),
        pytest.param(
            measure("m", "share", decides="probe"),
            "a measurement that decides as probe is of kind ratio, not share",
            id="probe",
        ),
        pytest.param(
            measure("m", "share", decides="state"),
            "a measurement that decides as state is of kind bytes, category, count, flag, rate or setting, not share",
            id="state",
        ),
        pytest.param(
            measure("m", "flag", decides="counter"),
            "a measurement that decides as counter is of kind bytes, count, duration, level, rate, ratio, setting or "
            "share, not flag",
            id="counter",
        ),
        pytest.param(
            measure("m", "count", values={"few": "x"}), "a count is a number and lists no values", id="values"
        ),
        pytest.param(measure("m", "flag", formula="probe"), "a flag holds words and has no formula", id="formula"),
        pytest.param(
            measure("m", "share", decides="share", formula="1 - util"),
            "the formula reads 'util', which is weak and never decides",
            id="weak input",
        ),
    ],
)
def test_a_measurement_decides_as_its_kind_can(entry, expected):
    """What is a share, a probe, a counter or a state."""
    assert complaints(measurements=[*MEASURES, entry]) == [expected]


def test_the_hint_says_why_nothing_decides():
    """One reason for each comparison, in the order of the body."""
    when = {"any": ["util < guess", "gap >= guess", "gap >= 40 %", "starved"]}
    parents = rule("p", "starved", {"confirm": "root"})
    sections = {"measurements": MEASURES, "thresholds": LIMITS, "symptoms": SYMPTOMS, "hypotheses": SUSPECTS}
    said = messages(**sections, rules=[parents, rule("r", when, {"confirm": "child"})])
    (found,) = [message for message in said if message.code == "not-decisive"]
    assert found.text == "the rule would confirm 'child' without any measurement that decides"
    assert found.hint == (
        "'util' decides nothing; 'guess' is a screening threshold; 'gap >= 40 %' compares with a bare number; "
        "'gap >= majority' already confirms an ancestor"
    )
