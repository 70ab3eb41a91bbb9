"""The numbers of measurements and thresholds, and what their names mean."""

from __future__ import annotations

import math

import pytest
from small_bases import base, complaints, lever, limit, measure, suspect

from dam_expert.documents.intervals import Interval


@pytest.mark.parametrize(
    ("kind", "more", "expected"),
    [
        pytest.param("share", {}, (0, 1), id="a share"),
        pytest.param("duration", {}, (0, math.inf), id="a duration is never negative"),
        pytest.param("bytes", {}, (0, math.inf), id="bytes"),
        pytest.param("rate", {}, (0, math.inf), id="a rate"),
        pytest.param("ratio", {}, (0, math.inf), id="a ratio"),
        pytest.param("count", {}, (0, math.inf), id="a count"),
        pytest.param("level", {"unit": "W"}, (-math.inf, math.inf), id="a level may be negative"),
        pytest.param("ratio", {"range": "1 to 8"}, (1, 8), id="a range of its own"),
        pytest.param("level", {"unit": "°C", "range": "-40 to 150 °C"}, (-40, 150), id="a range with a unit"),
    ],
)
def test_what_a_measurement_can_be(kind, more, expected):
    """Its own range, or else that of its kind."""
    assert base(measurements=[measure("m", kind, **more)]).measurements["m"].range == Interval(*expected)


def test_words_have_no_range():
    """A category is not a number."""
    assert base(measurements=[measure("m", "category")]).measurements["m"].range is None


def test_a_weak_measurement_keeps_no_way_to_decide():
    """To be weak and to decide is an error, and to be weak wins."""
    assert complaints("weak-decides", measurements=[measure("m", "share", weak=True, decides="share")]) == [
        "a weak measurement never decides"
    ]


@pytest.mark.parametrize(
    ("kind", "unit", "said"),
    [
        pytest.param("duration", "ms", "'ms' is not a canonical unit", id="milliseconds"),
        pytest.param("bytes", "GB", "'GB' is not a canonical unit", id="gigabytes"),
        pytest.param("share", "%", "'%' is not a canonical unit", id="percent"),
        pytest.param("duration", "1", "a duration is measured in s, not in 1", id="a duration without unit"),
        pytest.param("share", "s", "a share is measured in 1, not in s", id="a share in seconds"),
        pytest.param("bytes", "B/s", "a bytes is measured in B, not in B/s", id="bytes per second"),
        pytest.param("rate", "B", "a rate is something per second, not B", id="no rate"),
        pytest.param("ratio", "furlong", "the unit 'furlong' is not known", id="unknown"),
        pytest.param("count", "", "a count has a unit", id="empty"),
    ],
)
def test_units_are_canonical_and_of_their_kind(kind, unit, said):
    """Values are kept and compared as bare numbers, so that another unit would make a wrong number."""
    assert complaints(measurements=[measure("m", kind) | {"unit": unit}]) == [said]
    threshold = limit("t", kind=kind, unit=unit, value=1)
    assert said in complaints(thresholds=[threshold])


@pytest.mark.parametrize(
    ("kind", "unit"),
    [("rate", "tok/s"), ("rate", "B/s"), ("rate", "FLOP/s"), ("rate", "Hz"), ("level", "W"), ("level", "FLOP/B")],
)
def test_units_that_are_fine(kind, unit):
    """Counted things are plain numbers: tokens per second are 1/s."""
    assert complaints(measurements=[measure("m", kind) | {"unit": unit}]) == []


def test_a_setting_is_a_word_or_a_number():
    """An empty unit says that it is a word."""
    assert complaints(measurements=[measure("m", "setting", unit=""), measure("n", "setting")]) == []


def test_ids_are_unique_across_all_kinds():
    """Also across bottlenecks, which have ids of their own; the place of the first is told."""
    found = complaints("duplicate-id", measurements=[measure("input")], hypotheses=[suspect("a"), suspect("a")])
    assert found == ["the id 'input' is taken by base.yaml:1", "the id 'a' is taken by base.yaml:1"]


@pytest.mark.parametrize("name", ["min", "max", "hardware", "tried", "known", "planned", "binding", "not", "x"])
def test_words_of_the_rule_language_name_nothing(name):
    """A measurement of that name could not be asked for."""
    assert complaints("reserved-id", measurements=[measure(name)]) == [f"'{name}' is a word of the rule language"]


def test_aliases_mean_one_thing():
    """Neither another's alias nor another's id, in whatever spelling; one's own may be given in several."""
    measurements = [measure("one", aliases=["A-B", "a b"]), measure("other", aliases=["a_b", "One"])]
    assert complaints("duplicate-alias", measurements=measurements) == [
        "the alias 'a_b' already means 'one'",
        "the alias 'One' already means 'one'",
    ]
    levers = [lever("l1", ["h"], aliases=["do it"]), lever("l2", ["h"], aliases=["Do-it"])]
    assert complaints("duplicate-alias", hypotheses=[suspect("h")], levers=levers) == [
        "the alias 'Do-it' already means 'l1'"
    ]


def test_a_threshold_lists_the_unconditional_value_last():
    """What stands behind it would never hold."""
    values = [{"value": 1, "source": ["x"]}, {"when": "m > 1", "value": 2, "source": ["x"]}]
    assert complaints(measurements=[measure("m")], thresholds=[limit("t", values=values)]) == [
        "the values behind one without a condition never hold"
    ]


def test_a_heuristic_never_decides():
    """However sure its author is."""
    threshold = limit("t", 1) | {"basis": "heuristic"}
    assert complaints(thresholds=[threshold]) == ["a heuristic threshold never decides"]


def test_the_scope_of_a_threshold_reads_what_was_observed():
    """Neither symptoms nor derived measurements nor the verdict: they come later."""

    def of(when):
        values = [{"when": when, "value": 1, "source": ["x"]}, {"value": 2, "source": ["x"]}]
        return complaints(
            measurements=[measure("m"), measure("d", formula="m * 2")],
            symptoms=[{"id": "s", "title": "s", "when": "m > 1"}],
            thresholds=[limit("t", values=values)],
        )

    assert of("m > 1") == []
    assert of("s") == ["the scope of a threshold reads raw measurements, not 's'"]
    assert of({"not": "d > 1"}) == ["the scope of a threshold reads raw measurements, not 'd'"]
    assert of("known m") == ["'known m' can be asked only in advice rules (flag, recommend, warn, ask)"]
