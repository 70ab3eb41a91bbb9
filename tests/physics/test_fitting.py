"""Fits of a power law with a floor: recovery, robustness, intervals, and refusal to extrapolate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, fitting

SIZES = np.logspace(6, 10, 12)


def _noisy(scale, seed=1):
    return 1.7 + 400 * SIZES**-0.34 + np.random.default_rng(seed).normal(0, scale, SIZES.size)


@settings(max_examples=30)
@given(st.floats(0, 3), st.floats(10, 5000), st.floats(0.1, 0.8))
def test_exact_points_give_the_law_back(floor, coefficient, exponent):
    """Without noise the curve is recovered at every point, and with it the exponent."""
    losses = floor + coefficient * SIZES**-exponent
    law = fitting.fit_power_law(SIZES, losses)
    assert law.exponent == pytest.approx(exponent, rel=1e-4)
    assert np.allclose(law.curve(SIZES), losses, rtol=1e-6)


@settings(max_examples=20)
@given(st.floats(1e-6, 1e6), st.floats(0.01, 100))
def test_units_scale(size_unit, loss_unit):
    """Sizes and losses in other units give the same exponent and the same curve in those units."""
    losses = _noisy(0.001)
    here = fitting.fit_power_law(SIZES, losses)
    there = fitting.fit_power_law(SIZES * size_unit, losses * loss_unit)
    assert there.exponent == pytest.approx(here.exponent, rel=1e-4)
    assert there.floor == pytest.approx(here.floor * loss_unit, rel=1e-4)


def test_order_of_the_points_does_not_matter():
    """A shuffled list of runs gives the same fit."""
    losses = _noisy(0.01)
    assert fitting.fit_power_law(SIZES[::-1], losses[::-1]) == fitting.fit_power_law(SIZES, losses)


def test_one_bad_run_moves_least_squares_and_not_huber():
    """The Huber fit keeps the exponent where one diverged run pulls least squares away."""
    losses = _noisy(0.002)
    losses[3] += 0.5
    plain, robust = fitting.fit_power_law(SIZES, losses), fitting.fit_power_law(SIZES, losses, huber_delta=0.005)
    assert abs(robust.exponent - 0.34) < 0.002
    assert abs(plain.exponent - 0.34) > 0.02


def test_huber_with_a_large_delta_is_least_squares():
    """Where every residual counts squared, both fits agree."""
    losses = _noisy(0.01)
    plain, robust = fitting.fit_power_law(SIZES, losses), fitting.fit_power_law(SIZES, losses, huber_delta=10)
    assert robust.exponent == pytest.approx(plain.exponent)


def test_least_squares_beats_its_neighbours():
    """No nearby exponent with its own best floor and coefficient leaves a smaller sum of squares."""
    losses = _noisy(0.01)
    law = fitting.fit_power_law(SIZES, losses)
    best = np.sum((losses - law.curve(SIZES)) ** 2)
    for exponent in law.exponent * np.array([0.9, 0.99, 0.999, 1.001, 1.01, 1.1]):
        design = np.stack([np.ones_like(SIZES), SIZES**-exponent], axis=1)
        rest = losses - design @ np.linalg.lstsq(design, losses, rcond=None)[0]
        assert np.sum(rest**2) >= best * (1 - 1e-9)


def test_prediction_inside_the_limit():
    """Within the stated factor the law predicts, at both ends of the range."""
    law = fitting.fit_power_law(SIZES, _noisy(0))
    assert float(law.predict(1e11, furthest=10)) == pytest.approx(1.7 + 400 * 1e11**-0.34)
    assert float(law.predict(1e5, furthest=10)) == pytest.approx(1.7 + 400 * 1e5**-0.34)


def test_prediction_beyond_the_limit_is_refused():
    """Further out the error states the limit."""
    law = fitting.fit_power_law(SIZES, _noisy(0))
    with pytest.raises(PhysicsError) as caught:
        law.predict([1e9, 2e11], furthest=10)
    assert caught.value.argument == "size[1]"
    assert caught.value.text == "2e+11 lies outside 100000 to 1e+11, the fitted range and 10 times beyond"
    with pytest.raises(PhysicsError, match="is below 1"):
        law.predict(1e9, furthest=0.5)


@pytest.mark.parametrize(
    ("sizes", "losses", "said"),
    [
        pytest.param([1, 2, 3], [3, 2, 1], "fewer than 4 different sizes", id="three points"),
        pytest.param([1, 1, 2, 3], [3, 3, 2, 1], "fewer than 4 different sizes", id="a repeated size"),
        pytest.param([1, 2, 4, 8], [1, 2, 3, 4], "no falling power law", id="rising"),
        pytest.param([1, 2, 4, 8], [2, 2, 2, 2], "no falling power law", id="flat"),
        pytest.param([1, 2, 4, np.nan], [4, 3, 2, 1], "a point is unknown", id="unknown"),
    ],
)
def test_points_that_cannot_be_fitted(sizes, losses, said):
    """Too few, rising, flat or unknown points are refused."""
    with pytest.raises(PhysicsError, match=said):
        fitting.fit_power_law(sizes, losses)


def test_bootstrap_covers_the_truth_and_repeats():
    """The interval holds the true exponent and curve, and the same seed gives the same band."""
    losses = _noisy(0.01)
    band = fitting.bootstrap_band(SIZES, losses, [1e8, 1e11])
    assert band.exponent[0] < 0.34 < band.exponent[1]
    assert band.floor[0] < 1.7 < band.floor[1]
    truth = 1.7 + 400 * band.sizes**-0.34
    assert (band.lower < truth).all()
    assert (truth < band.upper).all()
    again = fitting.bootstrap_band(SIZES, losses, [1e8, 1e11])
    assert again.exponent == band.exponent
    assert (again.lower == band.lower).all()


def test_coverage_over_many_experiments():
    """Of 40 noisy experiments, nearly all 90 % intervals hold the true exponent."""
    bands = [
        fitting.bootstrap_band(SIZES, _noisy(0.01, seed), [1e9], resamples=100, confidence=0.9) for seed in range(40)
    ]
    assert 30 <= sum(band.exponent[0] <= 0.34 <= band.exponent[1] for band in bands) <= 40


def test_more_noise_gives_a_wider_band():
    """The width of the band follows the noise."""
    narrow = fitting.bootstrap_band(SIZES, _noisy(0.001), [1e11], resamples=100)
    wide = fitting.bootstrap_band(SIZES, _noisy(0.02), [1e11], resamples=100)
    assert (wide.upper - wide.lower > 5 * (narrow.upper - narrow.lower)).all()


def test_huber_band_ignores_a_bad_run_in_its_centre():
    """The robust band still holds the true exponent."""
    losses = _noisy(0.002)
    losses[3] += 0.5
    band = fitting.bootstrap_band(SIZES, losses, [1e9], huber_delta=0.005, resamples=60)
    assert band.exponent[0] < 0.34 < band.exponent[1]


def test_confidence_is_a_share():
    """95 given for 95 % is refused."""
    with pytest.raises(PhysicsError, match="confidence: 95 is not a share"):
        fitting.bootstrap_band(SIZES, _noisy(0.01), [1e9], confidence=95)
