"""Observations of one thing settled into one value."""

from __future__ import annotations

import pytest
from small_bases import seen

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Origin
from dam_expert.engine.cells import agree, combined, spread, worst


def points(*values):
    return [Interval.point(value) if isinstance(value, int | float) else Interval(*value) for value in values]


def settle(*observations, tolerance=0.1, trust=lambda _: 1):
    value, behind, rejected = agree(observations, tolerance, trust)
    return value, len(behind), [rejection.reason for rejection in rejected]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([2], (2, 2), id="one"),
        pytest.param([1.0, 1.1], (1.0, 1.1), id="within the tolerance: the hull"),
        pytest.param([1.0, 1.12], None, id="beyond the tolerance"),
        pytest.param([1.0, 1.05, 1.11], (1.0, 1.11), id="the outermost of three within"),
        pytest.param([1.0, 1.06, 1.12], None, id="each near the next is not enough"),
        pytest.param([(1, 3), (2, 5)], (1, 5), id="ranges that overlap"),
        pytest.param([(1, 2), (4, 5)], None, id="ranges apart"),
        pytest.param([0, 0], (0, 0), id="both zero"),
        pytest.param([0, 0.001], None, id="a share of the larger one is little near zero"),
        pytest.param([-100, -105], (-105, -100), id="negative levels"),
    ],
)
def test_numbers_agree_within_the_tolerance(values, expected):
    """As a share of the larger one; then their hull holds, beyond it nothing."""
    value, _, _ = settle(*(seen("m", value) for value in values))
    assert value == (None if expected is None else Interval(*expected))


def test_words_agree_if_they_are_the_same():
    """And not with numbers."""
    assert settle(seen("m", "red"), seen("m", "red"))[0] == "red"
    assert settle(seen("m", "red"), seen("m", "green"))[0] is None
    assert settle(seen("m", "red"), seen("m", 1))[0] is None


def test_contradictions_are_all_rejected_with_their_places():
    """The reason names every source, in order, and what to do."""
    one, other = (seen("m", value, origin=Origin(file=file, line=3)) for value, file in ((1, "b.csv"), (9, "a.csv")))
    value, behind, reasons = settle(one, other)
    assert (value, behind) == (None, 0)
    assert reasons == ["equally trusted sources contradict each other (a.csv:3, b.csv:3): measure again"] * 2


def test_the_more_trusted_source_wins():
    """However far away the other is; it alone stands behind the value."""
    trust = {"tool": 2, "reported": 1}
    found = settle(seen("m", 5, "reported"), seen("m", 1), trust=lambda observation: trust[observation.basis])
    assert found == (Interval.point(1), 1, [])


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        pytest.param("2025-03-01T10:00:00Z", "2025-03-01T11:00:00Z", id="same zone"),
        pytest.param("2025-03-01T15:30:00+02:00", "2025-03-01T14:30:00Z", id="another zone"),
        pytest.param("2025-03-01", "2025-03-01T00:00:01", id="a date and a time"),
        pytest.param("2025-03-01T10:00:00", "2025-03-01T10:00:00.5Z", id="without a zone it is UTC"),
        pytest.param("20250301T100000Z", "2025-03-01T11:00:00Z", id="another spelling"),
    ],
)
def test_the_latest_time_counts(earlier, later):
    """Whatever zone and precision the times are written in."""
    old, new = seen("m", 9, when=earlier), seen("m", 1, when=later)
    assert settle(old, new) == settle(new, old) == (Interval.point(1), 1, [])


def test_undated_observations_are_of_any_time():
    """They must agree with the latest dated ones; a time that is none counts as undated."""
    new = seen("m", 1, when="2025-03-01")
    assert settle(new, seen("m", 1.05))[0] == Interval(1, 1.05)
    assert settle(new, seen("m", 9))[0] is None
    assert settle(new, seen("m", 9, when="yesterday"))[0] is None


@pytest.mark.parametrize(("how", "expected"), [("mean", (2, 4)), ("max", (3, 6)), ("min", (1, 2)), ("sum", (4, 8))])
def test_members_combine_end_by_end(how, expected):
    """As the measurement says."""
    assert combined(points((1, 2), (3, 6)), how) == Interval(*expected)


def test_words_combine_only_if_all_are_the_same():
    """Two devices in two states have no state together."""
    assert combined(["red", "red"], "max") == "red"
    assert combined(["red", "green"], "max") is None
    assert combined(["red", Interval.point(1)], "max") is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([1, 3], (1, 1), id="two: the middle is their mean"),
        pytest.param([1, 2, 4], (1.5, 1.5), id="three: the middle one"),
        pytest.param([2, 2, 2], (0, 0), id="all alike"),
        pytest.param([(1, 2), (3, 4)], (1 / 3, 3 / 2), id="ranges: from the least possible to the most"),
        pytest.param([(1, 3), (2, 4)], (0, 2), id="ranges that overlap may be alike"),
        pytest.param([1], None, id="one has no spread"),
        pytest.param([], None, id="nor has none"),
        pytest.param([0, 0, 5], None, id="a middle of zero"),
        pytest.param([(0, 1), (0, 1)], None, id="a middle that may be zero"),
    ],
)
def test_spread(values, expected):
    """(max - min) / median, unknown below two members."""
    found = spread(points(*values))
    assert found == (None if expected is None else Interval(*expected))


def test_the_worst_basis():
    """A value made of others is only as well known as the least of them."""
    assert worst([Basis.TOOL, Basis.SAID, Basis.REPORTED]) is Basis.SAID
    assert worst([Basis.TOOL, Basis.REPORTED]) is Basis.REPORTED
    assert worst([]) is Basis.TOOL
