"""Readers under damage that knows their structure: other inputs every day, the same all day long."""

from __future__ import annotations

import datetime

import pytest
from fuzz.corpus import GROUPS, seeds
from fuzz.trial import GROWTH, check, check_absent, peak
from hypothesis import given, seed, settings
from hypothesis import strategies as st

TODAY = datetime.datetime.now(tz=datetime.UTC).date().toordinal()
NUMBERS = st.integers(0, 2**48)


@pytest.mark.parametrize("group", GROUPS)
@seed(TODAY)
@settings(max_examples=1000, deadline=None, database=None)
@given(number=NUMBERS)
def test_damage_gives_messages_and_finite_values(group, number):
    """No exception, no hang, no value that is not finite, and never silence."""
    check(group, number)


@pytest.mark.parametrize("group", GROUPS)
@seed(TODAY)
@settings(max_examples=400, deadline=None, database=None)
@given(number=NUMBERS)
def test_unavailable_is_not_zero(group, number):
    """A number that is not available makes no quantity 0 that was none before."""
    check_absent(group, number)


def test_memory_is_bounded():
    """All of a group's damage together makes the process grow by no more than some hundred megabytes."""
    before = peak()
    for group in GROUPS:
        for number in range(25):
            check(group, TODAY + number)
        assert seeds(group)
    assert peak() - before < GROWTH
