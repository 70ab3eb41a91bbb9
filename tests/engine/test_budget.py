"""Budgets, shares and what could be recovered."""

from __future__ import annotations

import math

import pytest
from small_bases import base, measure, part, seen, suspect

from dam_expert.documents.intervals import Interval
from dam_expert.engine.budget import gain, most_gained, overfull, shares_of
from dam_expert.engine.columns import Columns

BASE = base(
    measurements=[
        measure("time", "duration"),
        measure("request_time", "duration"),
        *(measure(f"{name}_share", "share") for name in ("gap", "copy", "kernel", "queue", "pause")),
        measure("reached"),
    ],
    budgets=[
        {
            "id": "step",
            "title": "s",
            "of": "step",
            "total": "time",
            "parts": [part("gap"), part("copy"), part("kernel", waiting=False)],
        },
        {"id": "request", "title": "r", "of": "request", "total": "request_time", "parts": [part("queue")]},
    ],
    hypotheses=[
        suspect("gaps", part="gap"),
        suspect("slow_disk", parent="gaps"),
        suspect("pauses", "host", share="pause_share * 2"),
        suspect("kernels", "compute", part="kernel"),
        suspect("imprecise", "compute", parent="kernels", attained="reached"),
        suspect("traffic", "memory", share="pause_share"),
        suspect("work", "compute", share="pause_share"),
        suspect("unknown_cost", "host"),
    ],
)


def shares(*observations):
    return shares_of(BASE, Columns(BASE, observations, {}))


def ends(value):
    return None if value is None else pytest.approx((value.lo, value.hi))


def test_the_residual_is_what_no_part_explains():
    """One less the sum, end by end; a part that is not known explains nothing."""
    step = shares(seen("gap_share", (0.2, 0.3)), seen("kernel_share", 0.5), seen("time", 2)).budgets[0]
    assert (step.residual.lo, step.residual.hi) == pytest.approx((0.2, 0.3))
    assert [each.seconds and (each.seconds.lo, each.seconds.hi) for each in step.parts] == [(0.4, 0.6), None, (1, 1)]
    assert step.known == 2


def test_nothing_known_is_no_residual():
    """Not a residual of everything."""
    step = shares(seen("time", 2)).budgets[0]
    assert (step.residual, step.contradiction, step.known) == (None, None, 0)


@pytest.mark.parametrize(
    ("gap", "contradiction"),
    [
        pytest.param(0.3, None, id="the whole"),
        pytest.param(0.319, None, id="within the tolerance"),
        pytest.param(0.4, "the parts add up to 110% of the whole", id="beyond it"),
        pytest.param((0.1, 0.9), None, id="perhaps beyond it"),
    ],
)
def test_parts_that_exceed_the_whole_make_the_budget_unknown(gap, contradiction):
    """It is shown, and no hypothesis has a share of it; another budget is not touched."""
    found = shares(seen("gap_share", gap), seen("kernel_share", 0.7), seen("queue_share", 0.5))
    assert found.budgets[0].contradiction == contradiction
    assert ("gaps" in found.share) is (contradiction is None)
    assert found.budgets[0].residual is None if contradiction else found.budgets[0].residual.lo == 0.0
    assert found.budgets[1].contradiction is None


def test_shares_come_from_the_part_or_a_formula_and_are_inherited():
    """A formula is cut to a share; without either nothing is known."""
    found = shares(seen("gap_share", 0.4), seen("pause_share", (0.3, 0.8)))
    assert found.share["slow_disk"] == found.share["gaps"] == Interval.point(0.4)
    assert found.share["pauses"] == Interval(0.6, 1)
    assert "unknown_cost" not in found.share
    assert "pauses" not in shares(seen("pause_share", (0.9, 1))).share


@pytest.mark.parametrize(
    ("name", "reached", "expected"),
    [
        pytest.param("gaps", None, (0.4, 0.4), id="a wait gives all of it back"),
        pytest.param("slow_disk", None, (0.4, 0.4), id="and so does its cause"),
        pytest.param("pauses", None, (0.4, 0.4), id="a wait by a formula"),
        pytest.param("kernels", 0.9, None, id="work without an attainable rate"),
        pytest.param("imprecise", 0.75, (0.125, 0.125), id="work: what is missing to the attainable rate"),
        pytest.param("imprecise", (0.5, 0.9), (0.05, 0.25), id="a range of it"),
        pytest.param("imprecise", (0.9, 1.5), (0, 0.05), id="more than all is all"),
        pytest.param("imprecise", 1.5, None, id="only more than all is no rate"),
        pytest.param("imprecise", None, None, id="an unknown rate"),
        pytest.param("traffic", None, None, id="memory is work too"),
        pytest.param("work", None, None, id="work by a formula"),
    ],
)
def test_what_could_be_recovered(name, reached, expected):
    """The share of a wait; of work only what a better rate would save."""
    known = [] if reached is None else [seen("reached", reached)]
    found = shares(seen("gap_share", 0.4), seen("kernel_share", 0.5), seen("pause_share", 0.2), *known)
    value = found.recoverable.get(name)
    assert (None if value is None else (value.lo, value.hi)) == (None if expected is None else pytest.approx(expected))


def test_the_budget_that_is_shown_has_most_known_parts():
    """The first of the base among equals; none if nothing is known of any."""
    assert shares(seen("gap_share", 0.4), seen("queue_share", 0.4)).leading.budget.model.id == "step"
    assert shares(seen("queue_share", 0.4)).leading.budget.model.id == "request"
    more = shares(seen("gap_share", 0.1), seen("copy_share", 0.1), seen("queue_share", 0.4))
    assert more.leading.budget.model.id == "step"
    assert shares(seen("time", 1)).leading is None


@pytest.mark.parametrize(
    ("recoverable", "expected"),
    [
        ((0, 0), (1, 1)),
        ((0.5, 0.5), (2, 2)),
        ((0.2, 0.75), (1.25, 4)),
        ((0.5, 1), (2, math.inf)),
        ((1, 1), (math.inf, math.inf)),
    ],
)
def test_the_gain_of_removing_a_share(recoverable, expected):
    """Amdahl: 1 / (1 - share); of everything there is no bound."""
    assert gain(Interval(*recoverable)) == Interval(*expected)


@pytest.mark.parametrize(
    ("observations", "expected"),
    [
        pytest.param([], {}, id="nothing known bounds nothing"),
        pytest.param([seen("gap_share", 0.5)], {"gaps": 2.0, "slow_disk": 2.0}, id="a wait by its share"),
        pytest.param([seen("gap_share", (0.2, 0.5))], {"gaps": 2.0, "slow_disk": 2.0}, id="a range by its upper end"),
        pytest.param(
            [seen("kernel_share", 0.8)],
            {"gaps": 1.25, "slow_disk": 1.25, "kernels": 5.0, "imprecise": 5.0},
            id="a wait has what work leaves",
        ),
        pytest.param(
            [seen("kernel_share", (0.75, 0.9))],
            {"gaps": 4 / 3, "slow_disk": 4 / 3, "kernels": 10.0, "imprecise": 10.0},
            id="of a range of work its lower end",
        ),
        pytest.param(
            [seen("gap_share", 0.5), seen("kernel_share", 0.75)],
            {"gaps": 4 / 3, "slow_disk": 4 / 3, "kernels": 4.0, "imprecise": 4.0},
            id="the smaller of share and room, and waits leave no room",
        ),
        pytest.param([seen("queue_share", 0.6)], {}, id="another budget"),
        pytest.param([seen("pause_share", 0.25)], {"pauses": 2.0, "traffic": 4 / 3, "work": 4 / 3}, id="by a formula"),
    ],
)
def test_the_most_that_can_be_gained(observations, expected):
    """By hypothesis, from its part or its formula; a hypothesis that nothing bounds is left out."""
    assert most_gained(BASE, Columns(BASE, observations, {})) == pytest.approx(expected)


def test_parts_of_an_overfull_budget():
    """All parts of a budget that exceeds the whole, and those alone."""
    columns = Columns(BASE, [seen("gap_share", 0.5), seen("kernel_share", 0.7), seen("queue_share", 0.4)], {})
    assert overfull(BASE, columns) == {"gap_share", "copy_share", "kernel_share"}
    assert overfull(BASE, Columns(BASE, [seen("gap_share", 0.5)], {})) == frozenset()
