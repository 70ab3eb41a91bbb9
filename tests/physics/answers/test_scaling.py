"""Scaling laws as answers: plans beside the optimum, fits with predictions, tails that leave the trend."""

from __future__ import annotations

import numpy as np
import pytest

from dam_expert.physics.answers.scaling import REFIT, fit, plan
from dam_expert.physics.errors import PhysicsError

SIZES = np.geomspace(1e7, 1e9, 8)
LOSSES = 1.7 + 400 * SIZES**-0.34 + np.resize([0.002, -0.002], 8)
LIMITS = {"furthest": 10.0, "beyond": 3.0, "resamples": 50}

PLANS = [
    pytest.param((70e9, 1.4e12, None), id="both"),
    pytest.param((70e9, None, 5.88e23), id="parameters and compute"),
    pytest.param((None, 1.4e12, 5.88e23), id="tokens and compute"),
    pytest.param((None, None, 5.88e23), id="compute alone"),
    pytest.param((70e9, 1.4e12, 5.9e23), id="all three, nearly agreeing"),
]


@pytest.mark.parametrize("given", PLANS)
def test_two_numbers_make_a_plan(given):
    """Any two of parameters, tokens and compute give the same run, and compute alone the rule's."""
    found = plan(*given)
    assert (found.parameters, found.tokens) == (pytest.approx(70e9), pytest.approx(1.4e12))
    assert found.tokens_per_parameter == pytest.approx(20.0)


def test_the_optima_of_chinchilla():
    """The refit asks for 18 tokens per parameter at Chinchilla's compute, the printed constants for 93."""
    optima = {each.source.split(",")[0]: each for each in plan(70e9, 1.4e12, None).optima}
    assert {name: round(each.tokens_per_parameter) for name, each in optima.items()} == {
        "rule": 20, "refit": 18, "printed": 93, "unrounded": 59,
    }  # fmt: skip
    assert round(optima[REFIT.split(",")[0]].loss, 3) == 1.974


def test_predictions_lie_in_their_interval():
    """A prediction stands between the ends of its interval, which holds the truth."""
    found = fit(SIZES, LOSSES, at=[4e9], **LIMITS)
    (predicted,) = found.predictions
    assert predicted.lower <= predicted.loss <= predicted.upper
    assert predicted.lower <= 1.7 + 400 * 4e9**-0.34 <= predicted.upper
    assert (found.tail, found.band.sizes[0], found.band.sizes[-1]) == (None, pytest.approx(1e7), pytest.approx(4e9))


@pytest.mark.parametrize(("excess", "causes"), [(0.0, 0), (0.1, 4)], ids=["on the trend", "above it"])
def test_later_runs(excess, causes):
    """Runs held out of the fit name the causes to check only if they lie above the trend."""
    later = [2e9, 4e9]
    losses = [*LOSSES, *(1.7 + 400 * size**-0.34 + excess for size in later)]
    tail = fit([*SIZES, *later], losses, fit_up_to=1e9, **LIMITS).tail
    assert (len(tail.causes), tail.sizes) == (causes, (2e9, 4e9))
    assert tail.excess == pytest.approx(excess, abs=0.01)


def test_far_sizes_are_refused():
    """A size past the reach is an error, and so is a later run past it."""
    for changes in ({"at": [1e11]}, {"fit_up_to": 0.9e8}):
        with pytest.raises(PhysicsError, match=r"lies outside|fewer than"):
            fit(SIZES, LOSSES, **changes, **LIMITS)
