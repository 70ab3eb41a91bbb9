"""What to measure next, and what is still open."""

from __future__ import annotations

import pytest
from small_bases import base, incident, limit, measure, rule, run, seen, suspect, tools

from dam_expert.documents.incident import Absence, Track
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose, written
from dam_expert.engine.waiting import open_rules


def asked(name, effort=10, kind="ratio", **more):
    return measure(name, kind, **{"obtain": [{"how": f"get {name}", "effort_minutes": effort}], **more})


def names(evaluated):
    return [found.measurement for found in written(evaluated).next_measurements]


def both(name, hypothesis, leaf=None, **more):
    """Return a rule that confirms and one that refutes, by one measurement."""
    measured = leaf or name
    return [
        rule(f"{name}.confirm", f"{measured} > clear_effect", {"confirm": hypothesis}, **more),
        rule(f"{name}.refute", f"{measured} < no_effect", {"refute": hypothesis}, **more),
    ]


def two(first=None, second=None, bottleneck="compute"):
    """Return a base of two causes, each decided by one counter."""
    return base(
        measurements=[asked("m", decides="counter", **(first or {})), asked("n", decides="counter", **(second or {}))],
        hypotheses=[suspect("one"), suspect("other", bottleneck)],
        rules=[*both("m", "one"), *both("n", "other")],
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({}, ["m", "n"], id="equals by id"),
        pytest.param({"first": {"obtain": [{"how": "x", "effort_minutes": 30}]}}, ["n", "m"], id="the cheaper"),
        pytest.param(
            {
                "first": {"obtain": [{"how": "x", "effort_minutes": 0.2}]},
                "second": {"obtain": [{"how": "x", "effort_minutes": 0}]},
            },
            ["m", "n"],
            id="nothing is cheaper than half a minute",
        ),
        pytest.param({"first": {"obtain": []}}, ["n"], id="only what can be asked for"),
    ],
)
def test_the_order_is_gain_per_minute(settings, expected):
    """What tells as much for less work comes first; equals are in the order of their ids."""
    assert names(run(two(**settings))) == expected


@pytest.mark.parametrize("absence", list(Absence))
def test_what_cannot_be_had_is_not_asked_again(absence):
    """Whatever the reason; when nothing is left the diagnosis says that it is exhausted."""
    built = two()
    assert names(run(built, answers=(("m", absence),))) == ["n"]
    last = written(run(built, answers=(("m", absence), ("n", absence))))
    assert (last.next_measurements, last.exhausted, last.status) == ([], True, "undetermined")


def test_nothing_is_asked_of_what_is_settled_or_of_another_track():
    """A refuted cause, a confirmed one, and one that does not bind here."""
    built = two(bottleneck="quality")
    assert names(run(built)) == ["m"]
    assert names(run(built, *tools(m=1))) == []
    assert names(run(built, target={"track": Track.QUALITY})) == ["n"]


def test_nothing_is_asked_where_nothing_is_wrong():
    """And that is not called exhausted."""
    built = base(
        measurements=[asked("m", decides="counter"), asked("n", decides="counter")],
        hypotheses=[suspect("one"), suspect("fine", "none")],
        rules=[*both("m", "one"), *both("n", "fine")],
    )
    found = written(run(built, *tools(n=2), target={"metric": "x"}))
    assert (found.status, found.next_measurements, found.exhausted) == ("no_fault", [], False)


def test_confirmed_without_a_cause_asks_for_what_separates_the_children():
    """And nothing more once a cause is named."""
    built = base(
        measurements=[asked(name, decides="counter") for name in "mnk"],
        hypotheses=[suspect("root"), suspect("left", parent="root"), suspect("right", parent="root")],
        rules=[*both("m", "root"), *both("n", "left"), *both("k", "right")],
    )
    found = written(run(built, *tools(m=2)))
    assert (found.binding.depth, [each.measurement for each in found.next_measurements]) == ("bottleneck", ["k", "n"])
    assert found.next_measurements[0].decides == ["right"]
    assert written(run(built, *tools(m=2, n=2, k=1))).next_measurements == []


def test_what_settles_the_causes_of_what_binds_comes_before_other_families():
    """However cheap those are; of the finer causes the cheaper first. Until something binds the cheapest is first."""
    built = base(
        measurements=[asked("m", decides="counter")]
        + [asked(name, effort, decides="counter") for name, effort in (("n", 60), ("k", 30), ("o", 1))],
        hypotheses=[
            suspect("root"),
            suspect("left", parent="root"),
            suspect("right", parent="root"),
            suspect("other", "host"),
        ],
        rules=[*both("m", "root"), *both("n", "left"), *both("k", "right"), *both("o", "other")],
    )
    assert names(run(built, *tools(m=2))) == ["k", "n", "o"]
    assert names(run(built))[0] == "o"
    assert names(run(built, *tools(m=2, k=1))) == ["n", "o"]


def test_values_that_cannot_decide_are_asked_again():
    """Said, doubted or too wide a range; a tool's own value is not."""
    built = two()
    assert names(run(built, seen("m", 2, "said"))) == ["m", "n"]
    assert names(run(built, seen("m", (1, 2)))) == ["m", "n"]
    assert names(run(built, seen("m", 2))) == ["n"]
    assert names(run(built, seen("m", 1), seen("m", 3))) == ["m", "n"]


def test_a_number_by_a_person_is_asked_again_where_a_tool_is_needed():
    """It does not decide there."""
    built = two(first={"needs_tool": True})
    assert names(run(built, seen("m", 2, "reported"))) == ["m", "n"]


def test_a_derived_measurement_asks_for_its_missing_inputs():
    """Through other formulas; what is known or cannot be asked for is left out, what is only said is asked again."""
    built = base(
        measurements=[
            asked("a"),
            asked("b"),
            measure("c"),
            measure("inner", formula="a / c"),
            measure("d", decides="counter", formula="inner * b"),
        ],
        hypotheses=[suspect("one")],
        rules=both("d", "one"),
    )
    assert names(run(built)) == ["a", "b"]
    assert names(run(built, *tools(b=2))) == ["a"]
    assert names(run(built, seen("b", 2, "said"), *tools(a=1, c=1))) == ["b"]
    assert names(run(built, *tools(a=1, b=2))) == []
    assert written(run(built, *tools(a=1, b=2))).exhausted


def test_a_derived_measurement_that_can_be_asked_for_is_asked_itself():
    """Nobody has to compute what a tool tells."""
    built = base(
        measurements=[asked("a"), asked("d", decides="counter", formula="a * 2")],
        hypotheses=[suspect("one")],
        rules=both("d", "one"),
    )
    assert names(run(built)) == ["d"]


def test_a_formula_over_the_accelerator_asks_which_it_is():
    """Its name, and the precision where that is missing."""
    built = base(
        measurements=[
            asked("work", kind="rate", unit="FLOP/s"),
            asked("accelerator", kind="setting", unit=""),
            asked("precision", kind="setting", unit=""),
            measure("reached", "share", decides="share", formula="work / hardware.peak"),
        ],
        thresholds=[limit("half", "50 %", kind="share")],
        hypotheses=[suspect("one")],
        rules=[rule("c", "reached >= half", {"confirm": "one"})],
    )
    assert sorted(names(run(built))) == ["accelerator", "precision", "work"]
    assert names(run(built, *tools(work=6e14, accelerator="Fast One"))) == ["precision"]
    assert written(run(built, *tools(work=6e14, accelerator="Fast One", precision="bf16"))).status == "confirmed"


def test_a_threshold_whose_scope_is_unknown_asks_for_the_scope():
    """The value is known; which limit holds is not."""
    scoped = [{"when": "framework is torch", "value": 2, "source": ["x"]}, {"value": 4, "source": ["x"]}]
    built = base(
        measurements=[asked("m", decides="counter"), asked("framework", kind="setting", unit="")],
        thresholds=[limit("by_framework", values=scoped)],
        hypotheses=[suspect("one")],
        rules=[rule("c", "m >= by_framework", {"confirm": "one"})],
    )
    assert names(run(built, *tools(m=3))) == ["framework"]
    assert names(run(built, *tools(m=5))) == []
    assert sorted(names(run(built))) == ["framework", "m"]


def test_an_unknown_exception_asks_for_its_measurements():
    """The rule fired, but only at reduced strength."""
    built = base(
        measurements=[asked("m", decides="counter"), asked("n")],
        symptoms=[{"id": "masked", "title": "x", "when": "n > 1"}],
        hypotheses=[suspect("one")],
        rules=[rule("c", "m > clear_effect", {"confirm": "one"}, unless=["masked"])],
    )
    assert names(run(built, *tools(m=2))) == ["n"]
    assert names(run(built, *tools(m=2, n=3))) == []


def test_a_dispute_asks_for_what_could_settle_it():
    """Rules of a conflicting hypothesis that are still open."""
    built = base(
        measurements=[asked(name, decides="counter") for name in "mnk"],
        hypotheses=[suspect("one")],
        rules=[
            rule("c", "m > clear_effect", {"confirm": "one"}),
            *both("n", "one"),
            rule("r", "k < no_effect", {"refute": "one"}),
        ],
    )
    found = written(run(built, *tools(m=2, n=1)))
    assert (found.status, [each.measurement for each in found.next_measurements]) == ("conflicting", ["k"])


def test_what_advice_rules_ask_for_comes_first():
    """With their own reason, and only while it is not known; of a derived one the inputs."""
    built = base(
        measurements=[asked("m", 1, decides="counter"), asked("z", 60), asked("y", 60), measure("d", formula="y * 2")],
        hypotheses=[suspect("one")],
        rules=[*both("m", "one"), rule("ask", {"any": ["unknown m", "known m"]}, {"ask": ["z", "d"]})],
    )
    first, second, third = written(run(built)).next_measurements
    assert [first.measurement, second.measurement, third.measurement] == ["y", "z", "m"]
    assert (first.why, first.decides) == ("ask says so", [])
    assert (third.why, third.decides) == ("it could decide: The one", ["one"])
    assert names(run(built, *tools(z=1, y=1))) == ["m"]


def test_what_decides_a_lead_of_which_rules_ask_nothing_comes_first():
    """Advice on other causes, and what is cheaper, wait for it; a word that is known already is asked for no more."""
    built = base(
        measurements=[
            *(asked(name, minutes, decides="counter") for name, minutes in (("m", 60), ("n", 1))),
            asked("k", 1),
            asked("w", 1, kind="category", decides="state", values={"red": "x", "blue": "y"}),
        ],
        hypotheses=[suspect("one"), suspect("other", "memory")],
        rules=[
            rule("m.confirm", {"all": ["w is red", "m > clear_effect"]}, {"confirm": "one"}),
            rule("m.refute", "m < no_effect", {"refute": "one"}),
            rule("lead", "w is red", {"support": "one"}),
            *both("n", "other"),
            rule("ask", "w is red", {"ask": "k"}),
        ],
    )
    assert names(run(built, seen("w", "red", "said"))) == ["m", "k", "n", "w"]
    assert names(run(built, seen("w", "blue", "said")))[0] != "m"


def test_the_second_question_is_about_the_next_likely_cause():
    """The probe of another supported cause comes second, unless far less speaks for it or nothing leads."""
    built = base(
        measurements=[
            *(asked(name, minutes, decides="probe") for name, minutes in (("m", 1), ("n", 1), ("k", 60))),
            *(measure(name, "category", values={"red": "x", "blue": "y"}) for name in ("u", "v", "w")),
        ],
        hypotheses=[suspect("one", probe="m"), suspect("other", "memory", probe="k")],
        rules=[
            *both("m", "one"),
            *both("n", "one"),
            *both("k", "other"),
            rule("first", "w is red", {"support": "one"}),
            rule("more", "w is red", {"support": "one"}, group="m"),
            rule("next", "v is red", {"support": "other"}),
            rule("third", "u is red", {"support": "one"}, group="n"),
        ],
    )
    first, other, third = (seen(name, "red", "said") for name in ("w", "v", "u"))
    assert names(run(built, first, other))[:3] == ["m", "k", "n"]
    assert names(run(built, first))[:2] == ["m", "n"]
    assert names(run(built, first, other, third))[:2] == ["m", "n"]


def test_how_a_measurement_is_asked_for():
    """Its question, all ways to get it by effort, and whether it disturbs the job."""
    ways = [
        {"tool": "profiler", "command": "profile --it", "effort_minutes": 20, "disturbs": "slows the job down"},
        {"how": "look at it", "effort_minutes": 5},
    ]
    built = base(
        tools=[{"id": "profiler", "title": "p"}],
        measurements=[asked("m", decides="counter", obtain=ways, question="How much?"), asked("n", decides="counter")],
        hypotheses=[suspect("one"), suspect("other", "compute")],
        rules=[*both("m", "one"), rule("c", "m > clear_effect", {"confirm": "other"}), *both("n", "other")],
    )
    found = {each.measurement: each for each in written(run(built)).next_measurements}
    assert (found["m"].question, found["m"].effort_minutes) == ("How much?", 5)
    assert [(each.tool, each.command, each.how) for each in found["m"].commands] == [
        (None, None, "look at it"),
        ("profiler", "profile --it", None),
    ]
    assert found["m"].disturbs == "slows the job down"
    assert found["m"].decides == ["one", "other"]
    assert found["n"].question == "How large is it: n?"


def test_open_rules_say_what_they_lack():
    """Only decisive rules that are still undecided, with every measurement that an unknown part waits for."""
    built = base(
        measurements=[asked(name, decides="counter") for name in "mnk"],
        hypotheses=[suspect("one")],
        rules=[
            rule(
                "a",
                {"all": ["m > clear_effect", {"any": ["n > clear_effect", "k > clear_effect"]}]},
                {"confirm": "one"},
            ),
            rule("b", "n > clear_effect", {"support": "one"}),
        ],
    )
    assert [(each.rule, each.verb, each.lacking) for each in open_rules(run(built))] == [
        ("a", "confirm", ("m", "n", "k"))
    ]
    assert [each.lacking for each in open_rules(run(built, *tools(m=2, n=1)))] == [("k",)]
    assert open_rules(run(built, *tools(m=1))) == []
    assert open_rules(run(built, *tools(m=2, n=2))) == []
    assert written(run(built, *tools(m=2, n=1))).hypotheses[0].open == ["k"]


def test_a_base_without_rules_is_exhausted():
    """There is nothing to ask, and the diagnosis says so."""
    found = diagnose(base(hypotheses=[suspect("one")]), incident())
    assert (found.status, found.next_measurements, found.exhausted) == ("undetermined", [], True)
    empty = base()
    assert diagnose(empty, incident(), executor=BitExecutor(empty.program)).exhausted
