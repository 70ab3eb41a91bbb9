"""What an incident says beside its observations."""

from __future__ import annotations

import pytest
from small_bases import base, incident, lever, measure, suspect

from dam_expert.documents.incident import Track
from dam_expert.documents.intervals import Interval
from dam_expert.engine.situation import lever_meant, miss_of, plans_of

BASE = base(
    measurements=[
        measure("time", "duration"),
        measure("throughput", "rate"),
        measure("accuracy", "share", better="higher"),
        measure("cost", "level", unit="$", better="lower"),
    ],
    hypotheses=[suspect("h")],
    levers=[lever("more_workers", ["h"], aliases=["num_workers=8", "Bigger loader"]), lever("amp", ["h"])],
)


@pytest.mark.parametrize(
    ("metric", "wanted", "actual", "track", "expected"),
    [
        pytest.param("time", (1, 1), (2, 2), None, (2, 2), id="twice as slow"),
        pytest.param("throughput", (100, 100), (40, 40), None, (2.5, 2.5), id="a rate is better higher"),
        pytest.param("accuracy", (0.9, 0.9), (0.6, 0.6), None, pytest.approx((1.5, 1.5)), id="as the measurement says"),
        pytest.param("cost", (5, 5), (6, 6), Track.COST, pytest.approx((1.2, 1.2)), id="cost"),
        pytest.param("time", (1, 2), (4, 6), None, (2, 6), id="ranges"),
        pytest.param("time", (1, 2), (2, 6), None, None, id="perhaps met"),
        pytest.param("time", (2, 2), (1, 1), None, None, id="met"),
        pytest.param("time", (0, 0), (1, 1), None, None, id="nothing wanted"),
        pytest.param("happiness", (1, 1), (2, 2), None, (2, 2), id="an unknown metric is better lower"),
        pytest.param("time", None, (2, 2), None, None, id="nothing said of what is wanted"),
        pytest.param("time", (1, 1), None, None, None, id="nor of what is"),
        pytest.param("accuracy", (0.9, 0.9), (0.6, 0.6), Track.QUALITY, None, id="quality is no gain in time"),
        pytest.param("time", (1, 1), (2, 2), Track.FIT, None, id="nor is fit"),
    ],
)
def test_how_far_the_target_is_missed(metric, wanted, actual, track, expected):
    """As a factor above 1; unknown where it is not surely missed."""
    values = {name: Interval(*ends) for name, ends in (("wanted", wanted), ("actual", actual)) if ends}
    found = miss_of(BASE, incident(target={"metric": metric, "track": track, **values}), values.get("actual"))
    assert (found and (found.lo, found.hi)) == expected


def test_no_target_is_no_miss():
    """There is nothing to miss."""
    assert miss_of(BASE, incident(), None) is None


def test_actions_are_matched_by_id_or_alias():
    """In any spelling; what matches nothing is kept apart, in order."""
    plans = plans_of(
        BASE, incident(planned=["More workers", "pray", "AMP"], tried={"bigger-loader": "nothing", "hope": None}), {}
    )
    assert plans.planned == {"more_workers": "More workers", "amp": "AMP"}
    assert plans.tried == {"more_workers": "nothing"}
    assert plans.tried_texts == {"more_workers": "bigger-loader"}
    assert plans.not_understood == ("pray", "hope")


def test_the_last_attempt_with_a_lever_counts():
    """What was tried is a list in time."""
    plans = plans_of(BASE, incident(tried={"amp": "nothing", "AMP": 1.5, "Amp": None}), {})
    assert plans.tried == {"amp": Interval.point(1.5)}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        pytest.param("num_workers=8", "more_workers", id="an alias"),
        pytest.param("try a bigger loader tomorrow", "more_workers", id="an alias in a sentence"),
        pytest.param("do not try a bigger loader", None, id="a sentence that denies it"),
        pytest.param("we train without amp", None, id="without it"),
        pytest.param("training stays on amp", "amp", id="its id in a sentence"),
        pytest.param("nothing of that", None, id="none of them"),
    ],
)
def test_a_lever_is_meant_where_its_name_stands_and_nothing_denies_it(text, meant):
    """Who says what is not done plans nothing."""
    assert lever_meant(BASE, text) == meant
