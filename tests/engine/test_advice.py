"""Levers and anti-patterns."""

from __future__ import annotations

import pytest
from small_bases import base, lever, measure, rule, run, suspect, tools

from dam_expert import load_knowledge
from dam_expert.documents.incident import Track, incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine import advice
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose

BUDGET = {
    "id": "step",
    "title": "s",
    "of": "step",
    "total": "time",
    "parts": [{"id": "gap", "title": "g", "share": "gap_share", "waiting": True}],
}


def made(levers, *rules):
    flags = [measure(name, decides="counter") for name in ("gaps_on", "disk_on", "kernels_on", "bad_on", "gaps_likely")]
    return base(
        measurements=[*flags, measure("gap_share", "share"), measure("time", "duration")],
        budgets=[BUDGET],
        hypotheses=[
            suspect("gaps", part="gap"),
            suspect("disk", parent="gaps"),
            suspect("kernels", "compute"),
            suspect("bad", "quality"),
        ],
        levers=levers,
        rules=[
            rule("gaps.on", "gaps_on > clear_effect", {"confirm": "gaps"}),
            rule("disk.on", "disk_on > clear_effect", {"confirm": "disk"}),
            rule("kernels.on", "kernels_on > clear_effect", {"confirm": "kernels"}),
            rule("bad.on", "bad_on > clear_effect", {"confirm": "bad"}),
            rule("gaps.likely", "gaps_likely > clear_effect", {"support": "gaps"}),
            *rules,
        ],
    )


def effects(evaluated):
    return [(found.id, found.effect) for found in advice.levers(evaluated)]


LEVERS = [
    lever("prefetch", ["gaps"]),
    lever("faster_disk", ["disk"], wasted_on=["gaps"], why_wasted="the disk is not asked"),
    lever("lower_precision", ["kernels"], wasted_on=["input"]),
    lever("more_devices", ["kernels"], wasted_on=["disk", "compute"]),
    lever("clean_data", ["bad"]),
]


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        pytest.param({}, [], id="nothing leads"),
        pytest.param(
            {"gaps_on": 2},
            [("prefetch", "works"), ("faster_disk", "wasted"), ("lower_precision", "wasted")],
            id="the family",
        ),
        pytest.param(
            {"disk_on": 2},
            [
                ("faster_disk", "works"),
                ("prefetch", "works"),
                ("lower_precision", "wasted"),
                ("more_devices", "wasted"),
            ],
            id="a cause: what works on it or on its family",
        ),
        pytest.param(
            {"kernels_on": 2},
            [("lower_precision", "works"), ("more_devices", "works")],
            id="what works on it is not wasted on its bottleneck",
        ),
        pytest.param(
            {"gaps_likely": 2},
            [("prefetch", "works"), ("faster_disk", "wasted"), ("lower_precision", "wasted")],
            id="supported is enough to lead",
        ),
    ],
)
def test_levers_work_on_what_leads_or_are_wasted_on_it(on, expected):
    """By name, family or bottleneck; all others are not mentioned."""
    assert effects(run(made(LEVERS), *tools(**on))) == expected


def test_of_cause_and_family_the_nearest_that_a_lever_names_decides():
    """A lever for a family may be wasted on one cause of it, and works on the others."""
    near = made([lever("more_memory", ["gaps"], wasted_on=["disk"])])
    assert effects(run(near, *tools(gaps_on=2))) == [("more_memory", "works")]
    assert effects(run(near, *tools(disk_on=2))) == [("more_memory", "wasted")]


def test_why_a_lever_is_wasted():
    """Its own words, or else what binds."""
    found = {each.id: each for each in advice.levers(run(made(LEVERS), *tools(gaps_on=2)))}
    assert found["faster_disk"].why == "the disk is not asked"
    assert found["lower_precision"].why == "it does not touch what binds: The gaps"
    assert (found["faster_disk"].how, found["faster_disk"].verify_by, found["faster_disk"].ceiling) == (
        None,
        None,
        None,
    )
    assert (found["prefetch"].how, found["prefetch"].verify_by) == ("x", "y")
    assert found["prefetch"].why == "it works on what binds: The gaps"


@pytest.mark.parametrize(
    ("ceiling", "more", "expected"),
    [
        pytest.param(None, {}, 2.0, id="that of the hypothesis"),
        pytest.param("1 / (1 - gap_share * 0.5)", {}, pytest.approx(4 / 3), id="its own formula"),
        pytest.param("gap_share", {}, None, id="a formula that gives less than 1 says nothing"),
        pytest.param("1 / (1 - disk_on * 0)", {}, None, id="a formula with a missing input"),
        pytest.param(
            "1 / (1 - gap_share)", {"target": {"metric": "latency_p99", "track": Track.TIME}}, None, id="a percentile"
        ),
    ],
)
def test_the_ceiling_of_a_lever(ceiling, more, expected):
    """Its own formula, or that of the hypothesis; none for a percentile."""
    levers = [lever("prefetch", ["gaps"], **({} if ceiling is None else {"ceiling": ceiling}))]
    (found,) = advice.levers(run(made(levers), *tools(gaps_on=2, gap_share=0.5), **more))
    assert found.ceiling == expected


def test_learning_has_no_ceiling_even_by_a_formula():
    """A factor of time means nothing for it."""
    built = made([lever("clean_data", ["bad"], ceiling="2")])
    (found,) = advice.levers(run(built, *tools(bad_on=2), target={"track": Track.QUALITY}))
    assert found.ceiling is None


@pytest.mark.parametrize(("host_gap", "wasted"), [("2 %", True), ("15 %", False)])
def test_what_shortens_another_part_is_not_called_wasted(host_gap, wasted):
    """While input binds, launches that take a part worth recovering are no waste of work; hardly any are."""
    shipped, _ = load_knowledge()
    data = {"observations": {"step_time": "180 ms", "input_gap_share": "45 %", "host_gap_share": host_gap}}
    incident, _ = incident_from(data, shipped.names, lambda _: Origin(file="i.dam.yaml"))
    found = diagnose(shipped, incident, executor=BitExecutor(shipped.program))
    assert ("fewer_launches" in {each.id for each in found.levers if each.effect == "wasted"}) == wasted


def test_levers_that_work_are_ordered_by_their_ceiling():
    """The largest first, those without one last, by id among equals."""
    levers = [
        lever("b", ["gaps"]),
        lever("a", ["gaps"]),
        lever("d", ["gaps"], ceiling="3"),
        lever("c", ["gaps"], ceiling="1 / (1 - time / time)"),
    ]
    assert [found.id for found in advice.levers(run(made(levers), *tools(gaps_on=2, gap_share=0.5)))] == [
        "d",
        "a",
        "b",
        "c",
    ]


def test_advice_rules_recommend_and_warn():
    """With their own reason; a warning wins over what works."""
    rules = [
        rule("r", "gaps is confirmed", {"recommend": "clean_data"}),
        rule("w", "gaps is confirmed", {"warn": "prefetch"}),
        rule("no", "kernels is confirmed", {"warn": "clean_data"}),
    ]
    found = {each.id: each for each in advice.levers(run(made(LEVERS, *rules), *tools(gaps_on=2)))}
    assert (found["clean_data"].effect, found["clean_data"].why) == ("works", "r says so")
    assert (found["prefetch"].effect, found["prefetch"].why) == ("wasted", "w says so")


def patterns(evaluated):
    return [(found.id, found.action) for found in advice.anti_patterns(evaluated)]


@pytest.mark.parametrize(
    ("on", "planned", "tried", "expected"),
    [
        pytest.param({"gaps_on": 2}, ["prefetch"], {}, [], id="a plan that works"),
        pytest.param(
            {"gaps_on": 2},
            ["Lower Precision"],
            {},
            [("wasted_action", "Lower Precision")],
            id="a plan that is wasted, as it was written",
        ),
        pytest.param(
            {"gaps_on": 2},
            [],
            {"lower_precision": "nothing"},
            [("wasted_action", "lower_precision")],
            id="what was tried",
        ),
        pytest.param(
            {"gaps_on": 2},
            [],
            {"lower_precision": None},
            [("wasted_action", "lower_precision")],
            id="what was tried with an effect that nobody knows",
        ),
        pytest.param({"gaps_on": 2}, ["clean_data"], {}, [], id="neither works nor wasted"),
        pytest.param(
            {},
            ["prefetch", "lower_precision"],
            {},
            [("acting_before_diagnosing", "prefetch"), ("acting_before_diagnosing", "lower_precision")],
            id="any plan while nothing is confirmed",
        ),
        pytest.param(
            {"gaps_likely": 2},
            ["prefetch", "lower_precision"],
            {},
            [("wasted_action", "lower_precision"), ("acting_before_diagnosing", "prefetch")],
            id="wasted on what leads, and too early",
        ),
        pytest.param({}, [], {"prefetch": "helped"}, [], id="what was tried is no plan"),
        pytest.param({"gaps_on": 2}, [], {"lower_precision": "helped"}, [], id="what helped was not wasted"),
        pytest.param({"gaps_on": 2}, [], {"lower_precision": 1.3}, [], id="what gained was not wasted"),
        pytest.param({}, ["pray"], {}, [], id="what the base does not know is no lever"),
    ],
)
def test_anti_patterns(on, planned, tried, expected):
    """Plans and attempts that are wasted on what leads, and any plan before a diagnosis."""
    assert patterns(run(made(LEVERS), *tools(**on), planned=planned, tried=tried)) == expected


def test_nothing_is_too_early_where_nothing_is_wrong():
    """A target that is met needs no diagnosis before acting."""
    built = base(
        measurements=[measure("fine_on", decides="counter")],
        hypotheses=[suspect("fine", "none")],
        levers=[lever("act", ["fine"])],
        rules=[rule("f", "fine_on > clear_effect", {"confirm": "fine"})],
    )
    assert patterns(run(built, *tools(fine_on=2), planned=["act"], target={"metric": "x"})) == []


def test_rules_flag_what_is_planned():
    """Each planned lever of the body by the words of the incident; flagged once, not also as wasted."""
    flag = rule("f", {"all": ["planned lower_precision", "gaps is confirmed"]}, {"flag": "wasted_action"})
    found = advice.anti_patterns(run(made(LEVERS, flag), *tools(gaps_on=2), planned=["lower precision"]))
    assert [(each.id, each.action, each.because) for each in found] == [
        ("wasted_action", "lower precision", "f says so")
    ]
    assert not any(each.tried for each in found)
    general = rule("f", "gaps is confirmed", {"flag": "wasted_action"})
    assert patterns(run(made(LEVERS, general), *tools(gaps_on=2))) == [("wasted_action", "f")]


def test_what_was_tried_is_no_plan():
    """A wasted attempt says that it was tried, until the same lever is planned again."""
    tried = advice.anti_patterns(run(made(LEVERS), *tools(gaps_on=2), tried={"lower_precision": "nothing"}))
    again = advice.anti_patterns(
        run(made(LEVERS), *tools(gaps_on=2), planned=["lower precision"], tried={"lower_precision": "nothing"})
    )
    assert [[each.tried for each in found] for found in (tried, again)] == [[True], [False]]


def test_plans_that_no_lever_matches_are_told():
    """They are not silently dropped."""
    evaluated = run(made(LEVERS), planned=["pray"], tried={"hope": "nothing"})
    assert evaluated.plans.not_understood == ("pray", "hope")


@pytest.mark.parametrize(
    ("leaf", "on", "expected"),
    [
        pytest.param("known gap_share", {"gap_share": 0.1}, True, id="known"),
        pytest.param("unknown gap_share", {"gap_share": 0.1}, False, id="not unknown"),
        pytest.param("unknown gap_share", {}, True, id="unknown"),
        pytest.param("gaps is confirmed", {"gaps_on": 2}, True, id="confirmed"),
        pytest.param("gaps is supported", {"gaps_likely": 2}, True, id="supported"),
        pytest.param("disk is candidate", {}, True, id="candidate"),
        pytest.param("binding is disk", {"disk_on": 2}, True, id="the cause binds"),
        pytest.param("binding is gaps", {"disk_on": 2}, True, id="its family binds"),
        pytest.param("binding is input", {"disk_on": 2}, True, id="its bottleneck binds"),
        pytest.param("binding is compute", {"disk_on": 2}, False, id="another bottleneck"),
        pytest.param("binding is input", {}, False, id="nothing binds"),
        pytest.param({"not": "binding is input"}, {}, True, id="two-valued: not is true"),
        pytest.param("planned prefetch", {}, True, id="planned"),
        pytest.param("planned faster_disk", {}, False, id="not planned"),
    ],
)
def test_what_advice_may_ask(leaf, on, expected):
    """The verdict, the plans, and what is known: each true or false."""
    evaluated = run(made(LEVERS, rule("ask", leaf, {"ask": "time"})), *tools(**on), planned=["prefetch"])
    assert ("ask" in [firing.rule for firing in evaluated.firings]) is expected


def test_an_exception_in_advice_may_be_a_status():
    """It holds the rule back while it is true."""
    built = made(LEVERS, rule("ask", "unknown time", {"ask": "time"}, unless=["gaps is confirmed"]))
    assert "ask" in [firing.rule for firing in run(built).firings]
    assert "ask" not in [firing.rule for firing in run(built, *tools(gaps_on=2)).firings]
