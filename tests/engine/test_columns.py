"""Everything that a condition can ask for, from the observations of one incident."""

from __future__ import annotations

import pytest
from small_bases import base, lever, limit, measure, seen, suspect

from dam_expert import load_knowledge
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Origin
from dam_expert.engine.columns import Columns, possible_value
from dam_expert.language.conditions import Column
from dam_expert.language.leaves import read_column

BASE = base(
    tools=[{"id": "trace", "title": "t", "trust": 3}, {"id": "gauge", "title": "g", "trust": 0}],
    measurements=[
        measure("util", "share", per="device"),
        measure("worst", "share", per="device", combine="max"),
        measure("best", "share", per="device", combine="min"),
        measure("total", "bytes", per="device", combine="sum"),
        measure("queue", "duration", per="stage"),
        measure("any_part", "count"),
        measure("careful", "share", needs_tool=True),
        measure("weak", "share", weak=True),
        measure("transport", "category", per="rank"),
        measure("framework", "setting", unit=""),
        measure("accelerator", "setting", unit=""),
        measure("precision", "setting", unit=""),
        measure("device_memory_total", "bytes"),
        measure("amp", "flag"),
        measure("power", "level", unit="W"),
        measure("part", "duration"),
        measure("whole", "duration"),
        measure("loose", "ratio", tolerance="50 %"),
        measure("ratio", formula="part / whole"),
        measure("rest", "duration", formula="whole - part"),
        measure("share", "share", formula="part / whole"),
        measure("strict", "share", formula="part / whole", needs_tool=True),
        measure("of_weak", "share", formula="1 - weak"),
        measure("chained", formula="ratio * 2"),
        measure("of_part", "duration", formula="queue[stage=decode] * 2"),
        measure("reached", "level", unit="s/FLOP", formula="1 / hardware.peak"),
        measure("limited", formula="part / long"),
        measure("trial", decides="probe", probe_of="act"),
    ],
    thresholds=[
        limit(
            "long",
            kind="duration",
            unit="s",
            values=[
                {"when": "framework is torch", "value": 2, "source": ["x"]},
                {"when": "amp is true", "value": 4, "source": ["x"]},
            ],
        ),
        limit(
            "always",
            values=[{"when": "framework is torch", "value": 2, "source": ["x"]}, {"value": 3, "source": ["x"]}],
        ),
    ],
    hypotheses=[suspect("h")],
    levers=[lever("act", ["h"])],
)


def columns(*observations, tried=None, **more):
    return Columns(BASE, observations, tried or {}, **more)


def value(found, text):
    cell = found.cell(read_column(text, BASE.names))
    if cell is None or isinstance(cell.value, str):
        return cell and cell.value
    return cell.value.lo if cell.value.is_point else (cell.value.lo, cell.value.hi)


def reasons(found):
    return [(rejection.observation.measurement, rejection.reason) for rejection in found.rejections]


DEVICES = [
    seen(name, x, scope={"device": str(device)})
    for name in ("util", "worst", "best", "total")
    for device, x in enumerate((0.2, 0.4, 0.6))
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("util", 0.4, id="mean"),
        pytest.param("worst", 0.6, id="max"),
        pytest.param("best", 0.2, id="min"),
        pytest.param("total", 1.2, id="sum"),
        pytest.param("util.min", 0.2, id=".min"),
        pytest.param("util.max", 0.6, id=".max"),
        pytest.param("util.spread", 1.0, id=".spread"),
        pytest.param("util[device=1]", 0.4, id="one part"),
        pytest.param("util[device=7]", None, id="a part that is not there"),
        pytest.param("util[device=1].max", None, id="a part has no parts"),
    ],
)
def test_members_of_a_scope(text, expected):
    """The bare id is the combined value; aspects and parts are columns of their own."""
    found = value(columns(*DEVICES), text)
    assert found == (None if expected is None else pytest.approx(expected))


def test_a_value_of_the_whole_counts_before_those_of_its_parts():
    """Nobody has to combine what was measured together."""
    found = columns(*DEVICES, seen("util", 0.9))
    assert (value(found, "util"), value(found, "util.max")) == (0.9, 0.6)


def test_aspects_need_members():
    """A value of the whole alone has neither minimum nor spread; of one member the minimum is it."""
    found = columns(seen("util", 0.9))
    assert [value(found, f"util.{aspect}") for aspect in ("min", "max", "spread")] == [None, None, None]
    found = columns(seen("util", 0.9, scope={"device": "0"}))
    assert [value(found, f"util.{aspect}") for aspect in ("min", "max", "spread")] == [0.9, 0.9, None]


def test_parts_of_parts_count_once():
    """A device with a value of its own is not counted again through its ranks, nor is the part that is asked for."""
    nested = [
        seen("total", 8, scope={"device": "0"}),
        seen("total", 5, scope={"device": "0", "rank": "0"}),
        seen("total", 3, scope={"device": "1", "rank": "1"}),
        seen("total", 4, scope={"device": "1", "rank": "2"}),
    ]
    found = columns(*nested)
    assert (value(found, "total"), value(found, "total.max")) == (15, 8)
    assert value(found, "total[device=0]") == 8
    assert value(found, "total[device=1]") == 7
    assert value(found, "total[device=0].max") == 5


def test_only_members_of_the_declared_scope_combine():
    """A value by process says nothing of a measurement per device; without a declaration any part counts."""
    assert value(columns(seen("util", 0.9, scope={"process": "3"})), "util") is None
    assert value(columns(seen("any_part", 3, scope={"process": "3"})), "any_part") == 3


def test_a_contradicted_member_leaves_the_whole_unknown():
    """A sum without one of its members would be a wrong number."""
    found = columns(*DEVICES, seen("total", 5, scope={"device": "1"}))
    assert [value(found, text) for text in ("total", "total.max", "total[device=1]")] == [None, None, None]
    assert value(found, "total[device=0]") == 0.2
    assert len(found.rejections) == 2
    assert "total" in found.observed()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(("tool", "trace"), ("tool", "gauge"), 1, id="a tool that is trusted more"),
        pytest.param(("tool", "trace"), ("tool", "other"), 1, id="a tool of more trust than an unknown one has"),
        pytest.param(("tool", None), ("reported", None), 1, id="a tool over a person"),
        pytest.param(("reported", None), ("said", None), 1, id="a number over a word"),
        pytest.param(("reported", None), ("tool", "gauge"), 1, id="a person over a tool of no trust"),
        pytest.param(("tool", "other"), ("tool", "another"), None, id="tools that the base does not know"),
    ],
)
def test_trust_settles_disagreements(one, other, expected):
    """Of two sources the more trusted wins; of equals neither."""
    first = seen("part", 1, one[0], origin=Origin(file="a", tool=one[1]))
    second = seen("part", 9, other[0], origin=Origin(file="b", tool=other[1]))
    assert value(columns(first, second), "part") == value(columns(second, first), "part") == expected


def test_each_measurement_has_its_tolerance():
    """10 % unless it says more."""
    assert value(columns(seen("loose", 1), seen("loose", 1.8)), "loose") == (1, 1.8)
    assert value(columns(seen("part", 1), seen("part", 1.8)), "part") is None


@pytest.mark.parametrize(
    ("observation", "reason"),
    [
        pytest.param(seen("util", 1.4), "it lies outside of what this can be", id="above the range"),
        pytest.param(seen("part", -3), "it lies outside of what this can be", id="a negative time"),
        pytest.param(seen("util", "high"), "it is not a value of this kind", id="a word for a number"),
        pytest.param(seen("transport", 3), "it is not a value of this kind", id="a number for a word"),
        pytest.param(seen("transport", "blue"), "'blue' is none of its values", id="a word that is not listed"),
        pytest.param(seen("amp", "maybe"), "'maybe' is none of its values", id="not a flag"),
        pytest.param(seen("util", None), "it is not a value of this kind", id="no value"),
        pytest.param(seen("util", None, complaint="a share of 140 %"), "a share of 140 %", id="a complaint"),
        pytest.param(seen("nothing", 1), "the base knows no such measurement", id="unknown"),
    ],
)
def test_what_cannot_be_is_rejected_with_the_reason(observation, reason):
    """And is not a value."""
    found = columns(observation)
    assert reasons(found) == [(observation.measurement, reason)]
    assert found.observed() == []


def test_a_range_is_cut_to_what_can_be():
    """What is left is the value."""
    assert value(columns(seen("util", (0.9, 1.4))), "util") == (0.9, 1)


def test_words_are_kept_as_the_base_writes_them():
    """Tools write them in another case; where any word will do, it stays as it is."""
    found = columns(seen("transport", "Red "), seen("amp", "True"), seen("framework", "PyTorch"))
    assert [value(found, name) for name in ("transport", "amp", "framework")] == ["red", "true", "PyTorch"]


def test_words_of_members_combine_if_they_are_the_same():
    """One rank in another state has no state in common with the rest."""
    ranks = [seen("transport", word, scope={"rank": str(rank)}) for rank, word in enumerate(("red", "red", "green"))]
    assert value(columns(*ranks[:2]), "transport") == "red"
    assert value(columns(*ranks), "transport") is None


@pytest.mark.parametrize(
    ("name", "basis", "expected"),
    [
        ("part", "tool", True),
        ("part", "reported", True),
        ("part", "said", False),
        ("careful", "tool", True),
        ("careful", "reported", False),
        ("careful", "said", False),
        ("weak", "tool", False),
    ],
)
def test_what_may_decide(name, basis, expected):
    """Words never, numbers of people unless the measurement needs a tool, weak measurements never."""
    assert columns(seen(name, 0.5, basis)).cell(Column(name)).decisive is expected


@pytest.mark.parametrize(
    ("observations", "name", "expected"),
    [
        pytest.param([seen("part", 1), seen("whole", 2)], "ratio", (Basis.TOOL, True), id="of tools"),
        pytest.param(
            [seen("part", 1), seen("whole", 2, "reported")], "ratio", (Basis.REPORTED, True), id="of a person"
        ),
        pytest.param([seen("part", 1, "said"), seen("whole", 2)], "ratio", (Basis.SAID, False), id="of words"),
        pytest.param([seen("part", 1, "said"), seen("whole", 2)], "chained", (Basis.SAID, False), id="through another"),
        pytest.param(
            [seen("part", 1), seen("whole", 2, "reported")], "strict", (Basis.REPORTED, False), id="that needs a tool"
        ),
        pytest.param([seen("part", 1), seen("whole", 2)], "strict", (Basis.TOOL, True), id="that has a tool"),
        pytest.param([seen("weak", 0.2)], "of_weak", (Basis.TOOL, False), id="of a weak one"),
    ],
)
def test_a_derived_value_is_as_good_as_the_least_of_its_inputs(observations, name, expected):
    """Basis and decisiveness come through formulas."""
    cell = columns(*observations).cell(Column(name))
    assert (cell.basis, cell.decisive) == expected


@pytest.mark.parametrize(("basis", "expected"), [("reported", True), ("said", False)])
def test_a_figure_of_the_accelerator_is_as_good_as_its_name(basis, expected):
    """Hearsay about the device is hearsay about its peak; the observations behind it are kept."""
    found = columns(seen("accelerator", "Fast One", basis), seen("precision", "bf16"))
    cell = found.cell(Column("reached"))
    assert cell.value == Interval.point(1e-15)
    assert (cell.basis, cell.decisive) == (Basis(basis), expected)
    assert [observation.measurement for observation in cell.observations] == ["accelerator", "precision"]


def test_aspects_and_parts_are_as_good_as_the_least_of_their_members():
    """One word among the devices makes the mean one."""
    found = columns(seen("util", 0.2, scope={"device": "0"}), seen("util", 0.4, "said", scope={"device": "1"}))
    decisive = [found.cell(read_column(text, BASE.names)).decisive for text in ("util", "util.max", "util[device=0]")]
    assert decisive == [False, False, True]


def test_a_derived_value_is_cut_to_its_range():
    """Nothing left is unknown and shown, with the formula and where it stands."""
    assert value(columns(seen("part", (1, 3)), seen("whole", 2)), "share") == (0.5, 1)
    found = columns(seen("part", 5), seen("whole", 2))
    assert [value(found, name) for name in ("share", "rest", "ratio")] == [None, None, 2.5]
    assert reasons(found) == [
        ("rest", "the formula gives a value that cannot be"),
        ("share", "the formula gives a value that cannot be"),
        ("strict", "the formula gives a value that cannot be"),
    ]
    assert str(found.rejections[0].observation.origin) == "base.yaml:1"
    assert found.rejections[0].observation.origin.detail == "derived: whole - part"


def test_a_derived_value_yields_to_an_observed_one():
    """A contradiction between them is shown; within the tolerance there is none."""
    inputs = [seen("part", 1), seen("whole", 2)]
    near, far = columns(*inputs, seen("ratio", 0.54)), columns(*inputs, seen("ratio", 0.7))
    assert (value(near, "ratio"), reasons(near)) == (0.54, [])
    assert value(far, "ratio") == 0.7
    assert value(far, "chained") == 1.4
    reason = "the observed value is used, but the formula over other observations contradicts it"
    assert reasons(far) == [("ratio", f"{reason}: it decides nothing until one of them is measured again")]
    assert [found.cell(Column("ratio")).decisive for found in (near, far)] == [True, False]
    assert not far.cell(Column("chained")).decisive


@pytest.mark.parametrize("basis", ["said", "reported"])
def test_a_formula_over_less_than_a_reading_does_not_outweigh_one(basis):
    """What a tool read stays as it was read, and the contradiction is shown."""
    found = columns(seen("part", 1, basis), seen("whole", 2), seen("ratio", 0.7))
    assert found.cell(Column("ratio")).decisive
    assert reasons(found) == [
        ("ratio", "the observed value is used, but the formula over other observations contradicts it")
    ]


def test_a_number_that_people_gave_is_outweighed_by_their_other_numbers():
    """Of three reported numbers one is wrong."""
    numbers = {"part": 1, "whole": 2, "ratio": 0.7}
    found = columns(*(seen(name, value, "reported") for name, value in numbers.items()))
    assert not found.cell(Column("ratio")).decisive


def test_observations_that_contradict_each_other_are_not_settled_by_a_formula():
    """Three values that disagree are no value."""
    found = columns(seen("part", 1), seen("whole", 2), seen("ratio", 0.5), seen("ratio", 0.9))
    assert value(found, "ratio") is None


def test_formulas_read_parts():
    """A column in a formula is any column."""
    assert value(columns(seen("queue", 3, scope={"stage": "decode"})), "of_part") == 6


def test_what_sanity_rules_said_holds_for_observed_and_derived():
    """Rejected is unknown, with the reason; doubted counts as said."""
    inputs = [seen("part", 1), seen("whole", 2)]
    rejected = columns(*inputs, rejected={"part": "it cannot be"})
    assert (value(rejected, "part"), value(rejected, "ratio")) == (None, None)
    assert reasons(rejected) == [("part", "it cannot be")]
    assert value(columns(*inputs, rejected={"ratio": "no"}), "ratio") is None
    doubted = columns(*inputs, doubted=frozenset({"ratio", "part"}))
    for name in ("part", "ratio", "chained"):
        cell = doubted.cell(Column(name))
        assert (cell.basis, cell.decisive) == (Basis.SAID, False)


def test_raw_columns_hold_only_what_was_observed():
    """Sanity rules come before anything is derived."""
    assert value(columns(seen("part", 1), seen("whole", 2), raw=True), "ratio") is None


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        pytest.param(Interval.point(1.4), (Interval.point(1.4), Basis.REPORTED, True), id="a factor"),
        pytest.param("nothing", (Interval.point(1.0), Basis.SAID, False), id="nothing is said"),
        pytest.param("helped", (Interval(1.0, float("inf")), Basis.SAID, False), id="helped is said"),
        pytest.param("worse", (Interval(0.0, 1.0), Basis.SAID, False), id="worse is said"),
    ],
)
def test_what_was_tried_is_a_column(effect, expected):
    """The improvement of the target; words about it are words."""
    cell = columns(tried={"act": effect}).cell(Column("tried.act"))
    assert (cell.value, cell.basis, cell.decisive) == expected
    assert columns().cell(Column("tried.act")) is None


@pytest.mark.parametrize(
    ("trial", "effect", "decisive"),
    [
        pytest.param(2.0, "nothing", (False, False), id="clear and none"),
        pytest.param(1.0, Interval.point(1.4), (False, False), id="none and clear"),
        pytest.param(2.0, Interval.point(1.4), (True, True), id="both are clear"),
        pytest.param(1.0, Interval.point(1.0), (True, True), id="neither has an effect"),
        pytest.param(1.08, Interval.point(1.0), (True, True), id="not clearly another"),
        pytest.param(2.0, "worse", (True, False), id="a word takes nothing from a measurement"),
    ],
)
def test_a_probe_and_its_lever_decide_where_they_do_not_contradict(trial, effect, decisive):
    """One clear effect and none at all cannot both be: neither decides."""
    found = columns(seen("trial", trial), tried={"act": effect})
    assert (found.cell(Column("trial")).decisive, found.cell(Column("tried.act")).decisive) == decisive


@pytest.mark.parametrize(
    ("observations", "possible", "sure"),
    [
        pytest.param([seen("framework", "torch")], [2], 2, id="the first holds"),
        pytest.param([seen("framework", "jax"), seen("amp", "true")], [4], 4, id="the second holds"),
        pytest.param([seen("framework", "jax"), seen("amp", "false")], None, None, id="none holds"),
        pytest.param([seen("amp", "true")], [2, 4], None, id="perhaps the first"),
        pytest.param([seen("framework", "jax")], None, None, id="perhaps none"),
        pytest.param([], None, None, id="nothing is known"),
    ],
)
def test_thresholds_by_scope(observations, possible, sure):
    """The first whose condition is true; none true is unknown, and so is perhaps none."""
    found = columns(*observations)
    values = found.possible_thresholds("long")
    assert (None if values is None else [each.lo for each in values]) == possible
    assert (found.threshold("long") and found.threshold("long").lo) == sure
    assert value(columns(*observations, seen("part", 8)), "limited") == (None if sure is None else 8 / sure)


def test_a_value_without_a_condition_always_holds():
    """Last in the list, it is the default."""
    assert columns().possible_thresholds("always") == [Interval.point(2), Interval.point(3)]
    assert columns(seen("framework", "jax")).threshold("always") == Interval.point(3)


def test_the_order_of_observations_never_shows():
    """Neither in values nor in what is rejected."""
    given = [seen("util", 1.4), *DEVICES, seen("part", 1), seen("part", 5), seen("whole", 2)]
    one, other = columns(*given), columns(*reversed(given))
    assert reasons(one) == reasons(other)
    assert [one.cell(Column(name)) for name in ("util", "part", "ratio")] == [
        other.cell(Column(name)) for name in ("util", "part", "ratio")
    ]


@pytest.mark.parametrize("end", [float("inf"), float("-inf")])
def test_an_infinite_value_is_none(end):
    """A value that is infinite on both ends was never measured."""
    base = load_knowledge()[0]
    measurement = base.measurements["step_time"]
    assert possible_value(measurement, Interval(end, end)) == (None, "it is infinite")
