"""Names of a base as conditions and incidents ask for them."""

from __future__ import annotations

import pytest
from small_bases import base, limit, measure, suspect

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.language.names import Role

BASE = base(
    measurements=[
        measure("utilization", "share", aliases=["GPU-Util", "SM util %"], words={"low": "0-30 %"}),
        measure("transport", "category"),
        measure("amp", "flag"),
        measure("framework", "setting", unit=""),
        measure("batch_size", "setting"),
        measure("queue_time", "duration"),
    ],
    thresholds=[
        limit(
            "long",
            kind="duration",
            unit="s",
            values=[{"when": "framework is torch", "value": 2, "source": ["t"]}, {"value": 3, "source": ["else"]}],
        )
    ],
    hypotheses=[suspect("cause")],
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("utilization", "utilization"),
        ("Utilization", "utilization"),
        ("gpu util", "utilization"),
        ("GPU_UTIL", "utilization"),
        ("sm util %", "utilization"),
        ("queue time", "queue_time"),
        ("queue-time", "queue_time"),
        ("util", None),
        ("long", None),
        ("", None),
    ],
)
def test_measurements_are_found_in_any_spelling(given, expected):
    """By id or alias, whatever the case, spaces and dashes; no other entry is taken for one."""
    assert BASE.names.resolve(given) == expected


def test_what_incidents_ask_of_a_measurement():
    """Unit, kind, words and categories."""
    names = BASE.names
    assert (names.unit("queue_time"), names.unit("transport"), names.unit("amp")) == ("s", None, None)
    assert (names.unit("framework"), names.unit("batch_size")) == (None, "1")
    assert names.kind("amp") is Kind.FLAG
    assert names.words("utilization") == {"low": Interval(0.0, 0.3)}
    assert names.categories("transport") == {"red", "green"}
    assert names.known_ids()[0] == "utilization"


def test_roles():
    """A name has one role, or none."""
    roles = [BASE.names.role(name) for name in ("cause", "long", "input", "nothing")]
    assert roles == [Role.HYPOTHESIS, Role.THRESHOLD, Role.BOTTLENECK, None]


def test_the_source_of_a_scoped_threshold_is_that_of_its_value():
    """Each value has its own source."""
    long = BASE.thresholds["long"]
    assert [long.source_of(Interval.point(value)) for value in (2, 3, 4)] == [["t"], ["else"], []]
    assert [str(column) for column in long.scope_columns()] == ["framework"]


def test_the_thresholds_of_the_verdict_are_constants():
    """They hold without conditions."""
    assert (BASE.constant("no_effect"), BASE.constant("worth_recovering")) == (1.05, 0.05)
