"""What hypotheses inherit, and the order of derived measurements."""

from __future__ import annotations

import pytest
from small_bases import base, complaints, measure, suspect

BUDGET = {
    "id": "step",
    "title": "s",
    "of": "step",
    "total": "time",
    "parts": [{"id": "gap", "title": "g", "share": "gap_share", "waiting": True}],
}
SHARES = [measure("time", "duration"), measure("gap_share", "share"), measure("other", "share")]


def hypotheses(*entries):
    return base(measurements=SHARES, budgets=[BUDGET], hypotheses=list(entries)).hypotheses


def test_a_child_inherits_what_it_does_not_say():
    """Part, region, term and tracks; from the nearest that says it."""
    found = hypotheses(
        suspect("root", part="gap"),
        suspect("child", parent="root", region=["algorithm"], term="compute"),
        suspect("grandchild", parent="child", tracks=["cost"]),
    )
    last = found["grandchild"]
    assert (last.ancestors, last.root, last.part) == (("child", "root"), "root", "gap")
    assert (last.region, last.term, last.tracks) == (("algorithm",), "compute", {"cost"})
    assert (found["root"].children, found["child"].children) == (("child",), ("grandchild",))


def test_the_nearest_of_part_and_share_counts():
    """A child with a formula of its own does not also have the part of its parent."""
    found = hypotheses(suspect("root", part="gap"), suspect("child", parent="root", share="other * 0.5"))
    assert found["child"].part is None
    assert found["child"].share is not None
    assert found["root"].share is None


@pytest.mark.parametrize(
    ("bottleneck", "expected"),
    [
        ("input", {"time", "cost"}),
        ("compute", {"time", "cost"}),
        ("host", {"time", "cost"}),
        ("capacity", {"fit"}),
        ("quality", {"quality"}),
        ("none", {"time", "cost", "fit", "quality"}),
    ],
)
def test_tracks_follow_the_term(bottleneck, expected):
    """Data movement, compute and latency cost time and money; nothing to fix binds on all."""
    assert hypotheses(suspect("h", bottleneck))["h"].tracks == expected


def test_controlled_comparisons_are_inherited():
    """What is a fair test of the family is one of each member."""
    measurements = [measure("subset"), measure("more")]
    found = base(
        measurements=measurements,
        hypotheses=[
            suspect("root", "quality", controlled=["subset"]),
            suspect("child", "quality", parent="root", controlled=["more"]),
        ],
    ).hypotheses
    assert (found["child"].controlled, found["root"].controlled) == ({"subset", "more"}, {"subset"})


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        pytest.param([suspect("a", parent="b")], ["there is no hypothesis 'b'"], id="no parent"),
        pytest.param(
            [suspect("a", parent="gap_share")], ["'gap_share' is a measurement, not a hypothesis"], id="a measurement"
        ),
        pytest.param([suspect("a", parent="a")], ["'a' is its own ancestor"], id="itself"),
        pytest.param(
            [suspect("a", parent="b"), suspect("b", parent="a"), suspect("c", parent="a")],
            ["'a' is its own ancestor", "'b' is its own ancestor"],
            id="a ring, and one that hangs on it",
        ),
        pytest.param(
            [suspect("a"), suspect("b", "compute", parent="a")],
            ["a child has the bottleneck of its parent"],
            id="another bottleneck",
        ),
        pytest.param([suspect("a", part="gpa")], ["no budget has a part 'gpa'"], id="no part"),
        pytest.param([suspect("a", share="time")], ["the formula gives s, wanted is 1"], id="a share in seconds"),
        pytest.param([suspect("a", attained="tmie")], ["there is no measurement 'tmie'"], id="attained"),
        pytest.param([suspect("a", probe="tmie")], ["there is no measurement 'tmie'"], id="probe"),
        pytest.param([suspect("a", controlled=["time", "tmie"])], ["there is no measurement 'tmie'"], id="controlled"),
    ],
)
def test_what_is_wrong_with_a_tree(entries, said):
    """Each problem once, at the entry that has it."""
    codes = ("unknown-id", "wrong-kind", "cycle", "other-bottleneck", "unit-mismatch")
    assert complaints(*codes, measurements=SHARES, budgets=[BUDGET], hypotheses=entries) == said


def test_a_parent_that_cannot_be_used_is_no_crash():
    """A bottleneck that the base does not describe leaves the hypothesis out, not its child."""
    found = complaints("unknown-id", "other-bottleneck", hypotheses=[suspect("a", "queue"), suspect("b", parent="a")])
    assert found == ["there is no bottleneck 'queue'", "a child has the bottleneck of its parent"]


def test_derived_measurements_come_after_what_they_read():
    """Wherever they stand in the files."""
    built = base(
        measurements=[
            measure("c", formula="b + a"),
            measure("b", formula="a * 2"),
            measure("a"),
            measure("d", formula="c"),
        ]
    )
    assert built.derived_order == ("b", "c", "d")


@pytest.mark.parametrize(
    ("formulas", "said"),
    [
        pytest.param({"a": "a"}, "the formula of 'a' leads back to itself", id="itself"),
        pytest.param({"a": "b", "b": "c", "c": "a"}, "the formula of 'a' leads back to itself", id="a ring"),
    ],
)
def test_a_formula_that_leads_back_is_an_error(formulas, said):
    """One complaint for one ring."""
    entries = [measure(name, formula=formula) for name, formula in formulas.items()]
    assert complaints(measurements=entries) == [said]
