"""Scaling laws: published constants, the compute-optimal split, and what a flattening curve may mean.

The printed constants of Hoffmann et al. contradict the rule of about 20 tokens per parameter that the same paper
draws: minimised at the compute of Chinchilla (5.88e23 FLOP) they ask for about 93 tokens per parameter, the unrounded
exponents for about 59, the refit of Besiroglu et al. for about 18. For advice use the refit or the rule.

Sources: J. Kaplan et al., Scaling Laws for Neural Language Models, 2020; J. Hoffmann et al., Training Compute-Optimal
Large Language Models, 2022; T. Besiroglu, E. Erdil, M. Barnett, J. You, Chinchilla Scaling: A Replication Attempt,
2024 (refit by Epoch AI, and the unrounded exponents). All predict held-out loss in nats per token, of dense
autoregressive transformers inside the fitted range; none promises task accuracy.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import Array, count, positive, share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

#: Training tokens per parameter at the compute optimum, as Hoffmann et al. summarise their three approaches.
TOKENS_PER_PARAMETER = 20.0


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ParametricLoss:
    """Loss = floor + a / parameters^alpha + b / tokens^beta."""

    floor: float
    a: float
    b: float
    alpha: float
    beta: float

    def loss(self, parameters: ArrayLike, tokens: ArrayLike) -> Array:
        """Return the predicted loss in nats.

        >>> [round(float(law.loss(70e9, 1.4e12)), 3) for law in (PRINTED, UNROUNDED, REFIT)]
        [1.937, 1.921, 1.974]
        """
        n, d = positive("parameters", parameters), positive("tokens", tokens)
        return self.floor + self.a / n**self.alpha + self.b / d**self.beta

    def optimum(self, compute_flops: ArrayLike) -> tuple[Array, Array]:
        """Return the parameters and tokens that minimise the loss at a compute of 6 x parameters x tokens.

        Hoffmann et al., equation 4.

        >>> n, d = REFIT.optimum(5.88e23)
        >>> f"{n:.3g} {d:.3g} {d / n:.1f}"
        '7.3e+10 1.34e+12 18.4'
        """
        budget = positive("compute_flops", compute_flops) / 6
        total = self.alpha + self.beta
        balance = (self.alpha * self.a / (self.beta * self.b)) ** (1 / total)
        parameters = balance * budget ** (self.beta / total)
        return parameters, budget / parameters


#: Hoffmann et al. 2022, approach 3, as printed.
PRINTED = ParametricLoss(floor=1.69, a=406.4, b=410.7, alpha=0.34, beta=0.28)
#: The same with the exponents and the floor that the source of the paper carries before rounding.
UNROUNDED = ParametricLoss(floor=1.6934, a=406.4, b=410.7, alpha=0.3392, beta=0.2849)
#: Besiroglu et al. 2024; standard errors 0.03, 124.58, 1293.23, 0.02, 0.02 in the order of the fields.
REFIT = ParametricLoss(floor=1.8172, a=482.01, b=2085.43, alpha=0.3478, beta=0.3658)


def kaplan_loss_by_parameters(parameters: ArrayLike) -> Array:
    """Return the loss with enough data: (8.8e13 / parameters)^0.076, parameters without embeddings.

    >>> round(float(kaplan_loss_by_parameters(1e9)), 3)
    2.376
    """
    return (8.8e13 / positive("parameters", parameters)) ** 0.076


def kaplan_loss_by_tokens(tokens: ArrayLike) -> Array:
    """Return the loss of a large model stopped early: (5.4e13 / tokens)^0.095.

    >>> round(float(kaplan_loss_by_tokens(2e10)), 3)
    2.118
    """
    return (5.4e13 / positive("tokens", tokens)) ** 0.095


def optimal_tokens(parameters: ArrayLike, tokens_per_parameter: ArrayLike = TOKENS_PER_PARAMETER) -> Array:
    """Return the training tokens of the rule D = 20 P. More is a choice for cheap inference, far fewer is starvation.

    >>> float(optimal_tokens(70e9))
    1400000000000.0
    """
    return positive("parameters", parameters) * positive("tokens_per_parameter", tokens_per_parameter)


def optimal_split(
    compute_flops: ArrayLike, tokens_per_parameter: ArrayLike = TOKENS_PER_PARAMETER
) -> tuple[Array, Array]:
    """Return parameters and tokens of the rule at a compute of 6 x parameters x tokens.

    >>> n, d = optimal_split(5.88e23)
    >>> f"{n:.3g} {d:.3g}"
    '7e+10 1.4e+12'
    """
    ratio = positive("tokens_per_parameter", tokens_per_parameter)
    parameters = np.sqrt(positive("compute_flops", compute_flops) / (6 * ratio))
    return parameters, parameters * ratio


def evaluation_noise(accuracy: ArrayLike, examples: ArrayLike) -> Array:
    """Return the standard error of an accuracy measured on independent examples: sqrt(p (1 - p) / n).

    >>> round(float(evaluation_noise(0.9, 1000)) * 100, 2)  # points
    0.95
    """
    p = share("accuracy", accuracy)
    return np.sqrt(p * (1 - p) / count("examples", examples))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Something that flattens a loss curve, and the check that tells it apart."""

    id: str
    check: str


#: What a flat curve may mean. Flatness alone does not choose among them.
FLATTENING_CAUSES = (
    Cause(id="optimisation", check="gradient norm, learning-rate sweep, overfitting a tiny subset"),
    Cause(id="capacity", check="a larger model on the same tokens"),
    Cause(id="evaluation noise", check="standard error of the evaluation against the change expected"),
    Cause(id="data quality", check="loss on a clean relabelled sample, duplicates, repeated epochs, loss per slice"),
)


def flattening(
    observed_loss: ArrayLike, predicted_loss: ArrayLike, residual_std: float, *, beyond: float
) -> tuple[Cause, ...]:
    """Return the causes to check if the observed losses lie above the fit, else nothing.

    Above means: their mean excess is more than ``beyond`` residual standard deviations of the fit. The factor comes
    from the caller, with its source. An unknown loss gives no answer: an error.

    >>> [cause.id for cause in flattening([2.10, 2.09], [2.00, 1.98], 0.01, beyond=3)]
    ['optimisation', 'capacity', 'evaluation noise', 'data quality']
    """
    excess = np.mean(positive("observed_loss", observed_loss) - positive("predicted_loss", predicted_loss))
    if np.isnan(excess):
        raise PhysicsError("observed_loss", "a loss is unknown", "an evaluation that did not finish?")
    limit = float(positive("beyond", beyond)) * float(positive("residual_std", residual_std))
    return FLATTENING_CAUSES if excess > limit else ()
