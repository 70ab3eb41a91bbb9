"""Three-valued truth."""

from __future__ import annotations

import itertools

import pytest

from dam_expert.language.truth import Truth, all_of, any_of, at_least

F, U, T = Truth.FALSE, Truth.UNKNOWN, Truth.TRUE


@pytest.mark.parametrize(
    ("one", "other", "both", "either"),
    [
        pytest.param(F, F, F, F, id="false false"),
        pytest.param(F, U, F, U, id="false unknown"),
        pytest.param(F, T, F, T, id="false true"),
        pytest.param(U, U, U, U, id="unknown unknown"),
        pytest.param(U, T, U, T, id="unknown true"),
        pytest.param(T, T, T, T, id="true true"),
    ],
)
def test_and_is_the_least_and_or_the_greatest(one, other, both, either):
    """Kleene's tables, whichever way round."""
    assert {all_of([one, other]), all_of([other, one])} == {both}
    assert {any_of([one, other]), any_of([other, one])} == {either}


@pytest.mark.parametrize(("truth", "opposite"), [(F, T), (U, U), (T, F)])
def test_not_turns_the_order_round(truth, opposite):
    """Unknown stays unknown."""
    assert truth.negated() is opposite


def test_nothing_is_all_true_and_none_true():
    """The neutral elements of *and* and *or*."""
    assert (all_of([]), any_of([])) == (T, F)


def test_at_least_agrees_with_its_expansion():
    """At least n are true exactly where some n of them are all true."""
    for truths in itertools.product((F, U, T), repeat=3):
        for n in (1, 2, 3):
            expanded = any_of(all_of(chosen) for chosen in itertools.combinations(truths, n))
            assert at_least(n, truths) is expanded


def test_at_least_more_than_there_are_is_false():
    """And at least none is true."""
    assert (at_least(2, [T]), at_least(0, [F])) == (F, T)
