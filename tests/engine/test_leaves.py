"""The truth of leaves: plain, and strict in rules that confirm or refute."""

from __future__ import annotations

import pytest
from small_bases import base, lever, limit, measure, rule, run, seen, statuses, suspect

from dam_expert.documents.intervals import Interval
from dam_expert.engine.columns import Columns
from dam_expert.engine.leaves import NOTHING_EXPECTED, Expectation, fixed_limit, truth_of
from dam_expert.language.leaves import read_leaf
from dam_expert.language.program import Question, Reading

BASE = base(
    measurements=[
        measure("gap", "share", decides="share"),
        measure("careful", "share", decides="share", needs_tool=True),
        measure("other", "share", decides="share", needs_tool=True),
        measure("probe", decides="probe"),
        measure("subset", decides="probe"),
        measure("transport", "category", decides="state"),
        measure("framework", "setting", unit=""),
        measure("gen", "count", decides="state"),
        measure("gen_max", "count"),
    ],
    thresholds=[
        limit("half", "50 %", kind="share"),
        limit("guess", "30 %", grade="screening", kind="share"),
        limit("lenient", 1.02),
        limit("nearly_free", 1.6),
        limit(
            "scoped",
            kind="share",
            values=[
                {"when": "framework is torch", "value": "20 %", "source": ["x"]},
                {"value": "40 %", "source": ["x"]},
            ],
        ),
        limit("narrow", kind="share", values=[{"when": "framework is torch", "value": "20 %", "source": ["x"]}]),
    ],
    hypotheses=[suspect("h"), suspect("bad_labels", "quality", controlled=["subset"])],
    levers=[lever("act", ["h"])],
)


def truth(text, *observations, reading="strict", gain=None, miss=None, hypothesis="h", tried=None):
    expected = Expectation(
        gain={} if gain is None else {"h": Interval(*gain)}, miss=None if miss is None else Interval.point(miss)
    )
    question = Question(read_leaf(text, BASE.names), Reading(reading), (hypothesis,))
    return truth_of(question, Columns(BASE, observations, tried or {}), expected).word


@pytest.mark.parametrize(
    ("text", "observations", "plain", "strict"),
    [
        pytest.param("gap >= half", [seen("gap", 0.6)], "true", "true", id="a tool"),
        pytest.param("gap >= half", [seen("gap", 0.6, "reported")], "true", "true", id="a person"),
        pytest.param("gap >= half", [seen("gap", 0.6, "said")], "true", "unknown", id="words"),
        pytest.param("gap >= half", [seen("gap", 0.4, "said")], "false", "unknown", id="words that deny"),
        pytest.param("gap >= half", [seen("gap", (0.4, 0.6))], "unknown", "unknown", id="a range across"),
        pytest.param("gap >= half", [seen("gap", (0.5, 0.6))], "true", "true", id="a range beside"),
        pytest.param("gap >= half", [], "unknown", "unknown", id="nothing"),
        pytest.param("careful >= half", [seen("careful", 0.6)], "true", "true", id="a tool that is needed"),
        pytest.param("careful >= half", [seen("careful", 0.6, "reported")], "true", "unknown", id="a person without"),
        pytest.param("gap > other", [seen("gap", 0.6), seen("other", 0.1)], "true", "true", id="two tools"),
        pytest.param(
            "gap > other", [seen("gap", 0.6), seen("other", 0.1, "reported")], "true", "unknown", id="one without"
        ),
        pytest.param("gap > other", [seen("gap", 0.6)], "unknown", "unknown", id="one is missing"),
        pytest.param(
            "transport is red", [seen("transport", "red", "said")], "true", "unknown", id="a word that is said"
        ),
        pytest.param(
            "transport is red", [seen("transport", "green", "reported")], "false", "false", id="a word that is reported"
        ),
        pytest.param("gen < gen_max", [seen("gen", 1), seen("gen_max", 4)], "true", "true", id="a state"),
        pytest.param("gap >= 2 x other", [seen("gap", 0.6), seen("other", 0.3)], "true", "true", id="a multiple"),
    ],
)
def test_strict_leaves_are_unknown_on_what_cannot_carry_a_decision(text, observations, plain, strict):
    """Elsewhere the same comparison is true or false."""
    assert truth(text, *observations, reading="plain") == plain
    assert truth(text, *observations) == strict


@pytest.mark.parametrize(
    ("gap", "framework", "threshold", "expected"),
    [
        pytest.param(0.5, None, "scoped", "true", id="above both"),
        pytest.param(0.1, None, "scoped", "false", id="below both"),
        pytest.param(0.3, None, "scoped", "unknown", id="between"),
        pytest.param(0.3, "torch", "scoped", "true", id="the first holds"),
        pytest.param(0.3, "jax", "scoped", "false", id="the default holds"),
        pytest.param(0.5, None, "narrow", "unknown", id="perhaps no scope holds"),
        pytest.param(0.5, "jax", "narrow", "unknown", id="no scope holds"),
        pytest.param(0.5, "Torch", "narrow", "true", id="the only scope holds"),
    ],
)
def test_a_comparison_holds_if_all_possible_values_of_the_threshold_agree(gap, framework, threshold, expected):
    """Where the scope is not known, all values that may hold are tried."""
    observations = [seen("gap", gap), *([seen("framework", framework)] if framework else [])]
    assert truth(f"gap >= {threshold}", *observations) == expected


@pytest.mark.parametrize(
    ("value", "text", "gain", "miss", "expected"),
    [
        pytest.param(1.3, "probe > clear_effect", None, None, "true", id="a clear effect"),
        pytest.param(1.08, "probe > clear_effect", None, None, "false", id="not clear"),
        pytest.param(1.08, "probe > lenient", None, None, "unknown", id="a lenient threshold makes no clear effect"),
        pytest.param(1.3, "probe > lenient", None, None, "true", id="clear beyond a lenient threshold"),
        pytest.param(1.3, "probe > clear_effect", (2, 2), None, "unknown", id="less than half of the predicted gain"),
        pytest.param(1.5, "probe > clear_effect", (2, 2), None, "true", id="half of the predicted gain"),
        pytest.param(1.5, "probe > clear_effect", (1.5, 3), None, "unknown", id="perhaps less than half"),
        pytest.param(1.3, "probe > clear_effect", None, 2, "unknown", id="less than half of the miss"),
        pytest.param(1.5, "probe > clear_effect", None, 2, "true", id="half of the miss"),
        pytest.param(1.3, "probe > clear_effect", (1.4, 1.4), 9, "true", id="the gain counts before the miss"),
        pytest.param((1.05, 1.5), "probe > clear_effect", None, None, "unknown", id="perhaps not clear"),
        pytest.param(1.02, "probe < no_effect", None, None, "true", id="no effect"),
        pytest.param(1.02, "probe < no_effect", (2, 2), None, "true", id="where much was predicted"),
        pytest.param(1.02, "probe < no_effect", (1.1, 1.1), None, "true", id="where twice as much was predicted"),
        pytest.param(1.02, "probe < no_effect", (1.08, 1.08), None, "unknown", id="where little was predicted"),
        pytest.param(1.02, "probe < no_effect", (1.05, 2), None, "unknown", id="where perhaps little was predicted"),
        pytest.param(1.3, "probe < nearly_free", None, None, "unknown", id="an effect is no lack of one"),
        pytest.param(1.02, "probe < nearly_free", None, None, "true", id="no effect below another threshold"),
        pytest.param(1.3, "probe >= nearly_free", None, None, "false", id="not that much, whatever it is"),
        pytest.param(1.3, "probe < no_effect", None, None, "false", id="there was an effect"),
        pytest.param(1.2, "probe < no_effect", (2, 2), None, "unknown", id="too small an effect to say so"),
    ],
)
def test_probes_are_judged_by_what_they_should_have_gained(value, text, gain, miss, expected):
    """To confirm, clear and half of the predicted gain or of the miss; to refute, none where enough was predicted."""
    assert truth(text, seen("probe", value), gain=gain, miss=miss) == expected


def test_a_controlled_comparison_is_judged_by_its_own_threshold():
    """It is no gain in time; for another hypothesis it is a probe like any other."""
    assert truth("subset > lenient", seen("subset", 1.03), hypothesis="bad_labels") == "true"
    assert truth("subset > lenient", seen("subset", 1.03), hypothesis="h") == "unknown"


@pytest.mark.parametrize(
    ("effect", "text", "expected"),
    [
        pytest.param(Interval.point(1.4), "tried.act > clear_effect", "true", id="a factor"),
        pytest.param("helped", "tried.act > clear_effect", "unknown", id="helped"),
        pytest.param(Interval.point(1.0), "tried.act < no_effect", "true", id="no factor"),
        pytest.param("nothing", "tried.act < no_effect", "unknown", id="nothing"),
        pytest.param("worse", "tried.act < no_effect", "unknown", id="worse"),
    ],
)
def test_what_was_tried_is_a_probe(effect, text, expected):
    """Helped, nothing and worse are words."""
    assert truth(text, tried={"act": effect}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("gap >= half", Interval.point(0.5), id="a threshold of one value"),
        pytest.param("gap >= 0.2", Interval.point(0.2), id="a number"),
        pytest.param("transport is red", frozenset({"red"}), id="a word"),
        pytest.param("gap >= scoped", None, id="a threshold whose value depends on the incident"),
        pytest.param("gap > other", None, id="another measurement"),
    ],
)
def test_a_limit_is_fixed_where_no_incident_changes_it(text, expected):
    """Then outcomes can be told without looking at an incident."""
    assert fixed_limit(read_leaf(text, BASE.names).operand, BASE) == expected


def test_only_comparisons_have_a_truth_of_their_own():
    """A leaf about the verdict is asked elsewhere."""
    leaf = read_leaf("h is confirmed", BASE.names, advice=True)
    with pytest.raises(TypeError):
        truth_of(Question(leaf, Reading.PLAIN), Columns(BASE, (), {}), NOTHING_EXPECTED)


def test_the_gain_comes_from_the_budget_and_the_miss_from_the_target():
    """Through the whole evaluation: a probe that gained little of a large share does not confirm."""
    built = base(
        measurements=[measure("time", "duration"), measure("gap", "share"), measure("probe", decides="probe")],
        budgets=[
            {
                "id": "b",
                "title": "b",
                "of": "step",
                "total": "time",
                "parts": [{"id": "p", "title": "p", "share": "gap", "waiting": True}],
            }
        ],
        hypotheses=[suspect("h", part="p")],
        rules=[rule("r", "probe > clear_effect", {"confirm": "h"})],
    )
    assert statuses(run(built, seen("probe", 1.3), seen("gap", 0.5))) == {"h": "candidate"}
    assert statuses(run(built, seen("probe", 1.3), seen("gap", 0.3))) == {"h": "confirmed"}
    target = {"metric": "time", "wanted": Interval.point(1), "actual": Interval.point(2)}
    assert statuses(run(built, seen("probe", 1.3), target=target)) == {"h": "candidate"}
    assert statuses(run(built, seen("probe", 1.6), target=target)) == {"h": "confirmed"}
