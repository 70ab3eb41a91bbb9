"""What is asked of columns at once is what each comparison says by itself."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_bases import base, fired, incident, lever, limit, measure, rule, seen, suspect, tools

from dam_expert.documents.intervals import Interval
from dam_expert.engine.asked import answers, read_by_sanity
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.columns import Columns
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import evaluate
from dam_expert.engine.leaves import NOTHING_EXPECTED, Expectation, truth_of
from dam_expert.language.conditions import Comparison
from dam_expert.language.program import Reading
from dam_expert.language.truth import Truth

LIMITS = {"low": 1.5, "middle": 2.0, "high": 3.0}
CLAIMS = [f"m {operator} {name}" for operator in ("<", "<=", ">", ">=") for name in LIMITS] + ["m is 2"]
PROBES = ["probe > middle", "probe >= low", "probe < no_effect", "probe <= low"]
WORDS = ["transport is red", "transport is-not green"]
BASE = base(
    measurements=[
        measure("m", decides="counter"),
        measure("weak", decides="counter"),
        measure("probe", decides="probe"),
        measure("transport", "category", decides="state"),
        measure("twice", formula="m * 2"),
        measure("more", formula="twice * 2"),
        measure("apart", formula="weak * 2"),
    ],
    thresholds=[limit(name, value) for name, value in LIMITS.items()],
    hypotheses=[suspect("h"), suspect("k")],
    levers=[lever("act", ["h"])],
    rules=[
        *(rule(f"c{n}", claim, {"confirm": "h"}) for n, claim in enumerate([*CLAIMS, *PROBES, *WORDS])),
        *(rule(f"s{n}", claim, {"support": "k"}) for n, claim in enumerate([*CLAIMS, *PROBES, *WORDS, "m > weak"])),
        rule("strange", "more > 9", {"doubt": "m"}),
        rule("odd", {"any": ["more > 8", "tried.act > 3", "weak > 9"]}, {"doubt": "weak"}),
    ],
)
#: At every limit, beside it, and between two.
POINTS = st.sampled_from(
    [0.5, 1.005, 1.2, *LIMITS.values(), *(math.nextafter(x, 9) for x in LIMITS.values()), 1.7, 2.4, 9.0]
)


@settings(max_examples=300, deadline=None)
@given(
    ends=st.tuples(POINTS, POINTS),
    probe=st.tuples(POINTS, POINTS),
    word=st.sampled_from(["red", "green"]),
    basis=st.sampled_from(["tool", "said"]),
    gain=st.none() | POINTS,
    miss=st.none() | POINTS,
    most=st.none() | POINTS,
)
def test_answers_are_what_every_comparison_says(ends, probe, word, basis, gain, miss, most) -> None:
    """Points and ranges at, beside and between limits, words, probes of what was expected; what may decide or not."""
    observations = [seen("m", tuple(sorted(ends)), basis), seen("transport", word, basis), seen("weak", 2.0)]
    observations.append(seen("probe", tuple(sorted(probe)), basis))
    expected = Expectation(
        gain={} if gain is None else {"h": Interval(max(gain, 1.0), max(gain, 1.0))},
        miss=None if miss is None else Interval.point(miss),
        most={} if most is None else {"h": most},
    )
    for raw in (False, True):
        known = Columns(BASE, observations, {}, raw=raw)
        judged = NOTHING_EXPECTED if raw else expected
        questions = {
            position: node.question
            for position, node in enumerate(BASE.program.nodes)
            if node.question is not None and isinstance(node.question.leaf, Comparison)
        }
        asked = {place: each for place, each in questions.items() if (each.reading is Reading.RAW) == raw}
        told = {place: truth_of(each, known, judged) for place, each in asked.items()}
        assert raw or any(each.reading is Reading.STRICT for each in asked.values())
        assert answers(known, judged, raw=raw) == {p: t for p, t in told.items() if t is not Truth.UNKNOWN}


def test_sanity_reads_what_is_derived_from_what_it_reads():
    """In the order of evaluation, each once, though two rules read it; what no such rule reads is left out."""
    assert read_by_sanity(BASE) == ("twice", "more")


ADVICE = base(
    measurements=[measure("m", decides="counter"), measure("n"), measure("o")],
    hypotheses=[suspect("h"), suspect("k")],
    levers=[lever("act", ["h"])],
    rules=[
        rule("confirm", "m > 2", {"confirm": "h"}),
        rule("first", {"all": ["h is confirmed", "unknown n", "unknown o"]}, {"recommend": "act"}),
        rule("second", {"all": ["unknown n", "unknown o"]}, {"ask": "n"}),
        rule("third", {"any": ["unknown n", "h is confirmed"]}, {"ask": "o"}),
        rule("fourth", {"all": ["m > 1", {"not": "unknown n"}]}, {"recommend": "act"}),
        rule("fifth", {"at_least": {"n": 2, "of": ["unknown n", "unknown o", "m > 2"]}}, {"ask": "n"}),
        rule("sixth", {"all": ["planned act", "unknown o"]}, {"ask": "o"}),
    ],
)


@pytest.mark.parametrize(
    ("values", "fires"),
    [
        pytest.param({}, {"second", "third", "fifth"}, id="nothing is known"),
        pytest.param({"m": 3.0}, {"confirm", "first", "second", "third", "fifth"}, id="all that is asked is unknown"),
        pytest.param({"m": 3.0, "n": 1.0}, {"confirm", "third", "fourth", "fifth"}, id="one of two is known"),
        pytest.param({"m": 1.5, "n": 1.0, "o": 1.0}, {"fourth"}, id="both are known"),
        pytest.param({"planned": ["act"], "n": 1.0, "o": 1.0}, set(), id="both are known of what is planned"),
        pytest.param({"planned": ["act"], "n": 1.0}, {"sixth"}, id="one is unknown of what is planned"),
    ],
)
@pytest.mark.parametrize("executor", [BitExecutor, CountingExecutor])
def test_what_is_unknown_in_most_incidents_counts_like_all_else(executor, values, fires):
    """Beside something rare, alone, under a negation and among several."""
    planned, known = values.get("planned", []), {name: value for name, value in values.items() if name != "planned"}
    found = evaluate(ADVICE, incident(*tools(**known), planned=planned), executor(ADVICE.program))
    assert set(fired(found)) == fires
