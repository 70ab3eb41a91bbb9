"""Of several ranks the one that the others wait for stands for the job; without times before the collectives none."""

from __future__ import annotations

import pytest
from small_bases import base, measure, seen

from dam_expert import load_knowledge
from dam_expert.documents.incident import incident_from
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.budget import shares_of
from dam_expert.engine.columns import Columns
from dam_expert.engine.diagnose import diagnose
from dam_expert.engine.ranks import follows_the_last
from dam_expert.language.conditions import Column

PER_RANK = {"per": "rank"}
BASE = base(
    measurements=[
        measure("time", "duration", **PER_RANK),
        measure("gap_share", "share", **PER_RANK),
        measure("kernel_share", "share", **PER_RANK),
        measure("most", "share", combine="max", **PER_RANK),
        measure("pre_collective_time", "duration", combine="max", tolerance="5 %", **PER_RANK),
        {**measure("last_rank", "setting"), "unit": ""},
    ],
    budgets=[
        {
            "id": "step",
            "title": "s",
            "of": "step",
            "total": "time",
            "parts": [
                {"id": "gap", "title": "g", "share": "gap_share", "waiting": True},
                {"id": "kernel", "title": "k", "share": "kernel_share", "waiting": False},
            ],
        }
    ],
)


def of_rank(name, *values):
    return [seen(name, value, scope={"rank": str(rank)}) for rank, value in enumerate(values)]


def number(columns, name):
    found = columns.number(Column(name))
    return None if found is None else found.mid


def columns(*observations):
    raw = Columns(BASE, observations, {}, raw=True)
    return Columns(BASE, observations, {}, before=raw)


SHARES = [*of_rank("gap_share", 0.1, 0.6), *of_rank("kernel_share", 0.5, 0.3), *of_rank("most", 0.1, 0.2)]


def test_without_times_before_the_collectives_ranks_are_averaged():
    """Nothing names a last rank, so the budget is the mean."""
    found = columns(*SHARES)
    assert number(found, "gap_share") == pytest.approx(0.35)


@pytest.mark.parametrize(
    "naming",
    [[seen("last_rank", "1")], [seen("last_rank", "rank 1")], of_rank("pre_collective_time", 0.1, 0.2)],
    ids=["named", "named in words", "by time"],
)
def test_the_last_rank_stands_for_the_job(naming):
    """Its shares and its budget are those of the job; a largest or smallest over the ranks stays one."""
    found = columns(*SHARES, *naming)
    assert number(found, "gap_share") == 0.6
    assert number(found, "most") == 0.2
    assert found.number(Column("gap_share", aspect="spread")) is not None
    budget = shares_of(BASE, found).budgets[0]
    assert [part.share for part in budget.parts] == [Interval.point(0.6), Interval.point(0.3)]


def test_ranks_that_arrive_together_name_none():
    """Times within the tolerance of each other are the same time."""
    found = columns(*SHARES, *of_rank("pre_collective_time", 0.1, 0.103))
    assert number(found, "gap_share") == pytest.approx(0.35)


def test_of_two_that_arrive_last_together_neither_is_named():
    """It lies above one other, and not above every other."""
    found = columns(*SHARES, *of_rank("pre_collective_time", 0.1, 0.2, 0.203))
    assert number(found, "gap_share") == pytest.approx(0.35)


def test_a_time_without_end_names_none():
    """Nobody knows whether the others come after it."""
    found = columns(*SHARES, *of_rank("pre_collective_time", 0.1, (0.2, float("inf"))))
    assert number(found, "gap_share") == pytest.approx(0.35)


def test_a_rank_of_which_two_times_are_told_names_none():
    """Sources that contradict each other leave its time unknown."""
    told = [seen("pre_collective_time", time, scope={"rank": "0"}) for time in (0.1, 0.5)]
    assert columns(*SHARES, *told, seen("pre_collective_time", 0.2, scope={"rank": "1"})).last is None


@pytest.mark.parametrize("scope", [{"device": "{}"}, {"rank": "{}", "device": "0"}], ids=["devices", "parts of ranks"])
def test_times_of_what_is_no_rank_name_none(scope):
    """The later of two devices is no rank, nor is a device of one."""
    times = [
        seen("pre_collective_time", time, scope={key: value.format(place) for key, value in scope.items()})
        for place, time in enumerate((0.1, 0.2))
    ]
    assert columns(*SHARES, *times).last is None


@pytest.mark.parametrize(
    ("name", "kind", "more", "follows"),
    [
        ("a", "share", {"per": "rank"}, True),
        ("b", "duration", {"per": "rank"}, True),
        ("c", "share", {"per": "device"}, False),
        ("d", "share", {}, False),
        ("e", "share", {"per": "rank", "combine": "max"}, False),
        ("f", "ratio", {"per": "rank"}, False),
        ("g", "ratio", {"per": "device"}, False),
    ],
)
def test_what_follows_the_last_rank_is_a_mean_share_or_time_of_ranks(name, kind, more, follows):
    """A largest one stays what it is, and so does what is of devices."""
    one = base(measurements=[measure(name, kind, **more)]).measurements[name]
    assert follows_the_last(one) is follows


def test_of_a_last_rank_without_values_nothing_is_known():
    """The others' shares are not those of the rank that counts."""
    found = columns(*of_rank("gap_share", 0.1, 0.2), seen("last_rank", "7"))
    assert number(found, "gap_share") is None


def test_the_budget_says_whose_it_is():
    """A diagnosis tells that its budget is that of the rank that the others wait for."""
    shipped, _ = load_knowledge()
    shares = {
        "step_time": "200 ms",
        **{f"input_gap_share[rank={rank}]": f"{share} %" for rank, share in enumerate((1, 45))},
    }
    before = {f"pre_collective_time[rank={rank}]": f"{time} ms" for rank, time in enumerate((80, 180))}
    statistics = []
    for observations in (shares, {**shares, **before}):
        data = {"schema": "dam-incident/1", "observations": observations}
        incident, _ = incident_from(data, shipped.names, lambda _: Origin(file="x"))
        budget = diagnose(shipped, incident, executor=BitExecutor(shipped.program)).budget
        statistics.append((budget.statistic, budget.parts[0].share))
    assert statistics == [("mean", 0.23), ("last_rank", 0.45)]
