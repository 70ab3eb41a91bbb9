"""Scaling laws: published constants and their contradiction, the rule, noise, and flat curves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, scaling

CHINCHILLA = 5.88e23


@pytest.mark.parametrize(
    ("law", "parameters", "tokens", "ratio", "loss"),
    [
        pytest.param(scaling.PRINTED, "3.25e+10", "3.02e+12", 93, 1.930, id="printed"),
        pytest.param(scaling.REFIT, "7.3e+10", "1.34e+12", 18.4, 1.974, id="refit"),
    ],
)
def test_optimum_at_the_compute_of_chinchilla(law, parameters, tokens, ratio, loss):
    """The printed constants contradict the rule of 20 tokens per parameter; the refit agrees with it."""
    n, d = law.optimum(CHINCHILLA)
    assert (f"{n:.3g}", f"{d:.3g}") == (parameters, tokens)
    assert float(d / n) == pytest.approx(ratio, rel=0.005)
    assert round(float(law.loss(n, d)), 3) == loss


def test_unrounded_exponents_lie_between():
    """The unrounded exponents ask for about 59 tokens per parameter."""
    n, d = scaling.UNROUNDED.optimum(CHINCHILLA)
    assert round(float(d / n)) == 59


@pytest.mark.parametrize(
    ("law", "loss"), [(scaling.PRINTED, 1.937), (scaling.UNROUNDED, 1.921), (scaling.REFIT, 1.974)]
)
def test_loss_of_chinchilla(law, loss):
    """70 B parameters on 1.4 T tokens under the three sets of constants."""
    assert round(float(law.loss(70e9, 1.4e12)), 3) == loss


@given(st.floats(1e18, 1e26), st.floats(0.2, 5))
def test_no_other_split_is_better(compute, factor):
    """The optimum spends the compute, and moving away from it raises the loss."""
    n, d = scaling.REFIT.optimum(compute)
    assert 6 * n * d == pytest.approx(compute)
    assert scaling.REFIT.loss(n * factor, d / factor) >= scaling.REFIT.loss(n, d) * (1 - 1e-12)


def test_kaplan():
    """A billion parameters: 2.376 nats; twenty billion tokens: 2.118 nats."""
    assert round(float(scaling.kaplan_loss_by_parameters(1e9)), 3) == 2.376
    assert round(float(scaling.kaplan_loss_by_tokens(2e10)), 3) == 2.118


def test_rule_of_twenty():
    """70 B parameters want 1.4 T tokens, and at the compute of Chinchilla the rule gives just these."""
    assert scaling.optimal_tokens(70e9) == 1.4e12
    n, d = scaling.optimal_split(CHINCHILLA)
    assert (float(n), float(d)) == (pytest.approx(70e9), pytest.approx(1.4e12))


def test_evaluation_noise():
    """Accuracy 0.9 on 1000 examples has a standard error of 0.95 points."""
    assert round(float(scaling.evaluation_noise(0.9, 1000)) * 100, 2) == 0.95


def test_a_curve_above_the_fit_names_what_to_check():
    """Flatness names all causes and chooses none; within the noise it names nothing."""
    causes = scaling.flattening([2.10, 2.09], [2.00, 1.98], 0.01, beyond=3)
    assert [cause.id for cause in causes] == ["optimisation", "capacity", "evaluation noise", "data quality"]
    assert all(cause.check for cause in causes)
    assert scaling.flattening([2.01, 1.99], [2.00, 1.98], 0.01, beyond=3) == ()


def test_unknown_loss_gives_no_answer():
    """A missing evaluation is not a flat curve."""
    with pytest.raises(PhysicsError, match="a loss is unknown"):
        scaling.flattening([np.nan], [2.0], 0.01, beyond=3)
