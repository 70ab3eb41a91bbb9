"""A scaling law fitted to runs and what it predicts; where a training run lies beside the compute optimum."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics import scaling
from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.fitting import Band, PowerLaw, bootstrap_band, fit_power_law
from dam_expert.physics.inputs import positive, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.inputs import Array
    from dam_expert.physics.scaling import Cause

_CURVE = 60


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """The loss that a fit predicts at a size, with the ends of its interval."""

    size: float
    loss: float
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """Runs held out of the fit: the mean of observed minus predicted loss, and the causes to check if it is large."""

    sizes: tuple[float, ...]
    excess: float
    limit: float
    causes: tuple[Cause, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A fitted law with its runs, its band over the range that may be asked, and what was asked of it."""

    sizes: tuple[float, ...]
    losses: tuple[float, ...]
    law: PowerLaw
    band: Band
    furthest: float
    predictions: tuple[Prediction, ...]
    tail: Tail | None


def fit(
    sizes: Sequence[float],
    losses: Sequence[float],
    *,
    furthest: float,
    beyond: float,
    at: Sequence[float] = (),
    fit_up_to: float | None = None,
    huber_delta: float | None = None,
    resamples: int = 400,
) -> Fit:
    """Return the law of the runs up to ``fit_up_to``, predictions ``at`` sizes, and whether later runs left the trend.

    A size more than ``furthest`` times outside the fitted range is an error; later runs have left the trend if they lie
    ``beyond`` residual standard deviations above it.
    """
    size, loss = positive("size", sizes), positive("loss", losses)
    last = float(size.max(initial=0.0)) if fit_up_to is None else float(positive("fit_up_to", fit_up_to))
    inside = size <= last
    law = fit_power_law(size[inside], loss[inside], huber_delta)
    asked = np.asarray([*at], dtype=np.float64)
    predicted = law.predict(asked, furthest=furthest)
    reach = max(float(size.max()), float(asked.max(initial=0.0)))
    curve = np.geomspace(min(law.smallest, float(asked.min(initial=law.smallest))), reach, _CURVE)
    band = bootstrap_band(
        size[inside], loss[inside], np.concatenate((curve, asked)), huber_delta=huber_delta, resamples=resamples
    )
    lower, upper = band.lower[_CURVE:], band.upper[_CURVE:]
    return Fit(
        sizes=tuple(size.tolist()),
        losses=tuple(loss.tolist()),
        law=law,
        band=dataclasses.replace(band, sizes=curve, lower=band.lower[:_CURVE], upper=band.upper[:_CURVE]),
        furthest=furthest,
        predictions=tuple(
            Prediction(size=float(s), loss=float(p), lower=float(lo), upper=float(hi))
            for s, p, lo, hi in zip(asked, predicted, lower, upper, strict=True)
        ),
        tail=None if inside.all() else _tail(size[~inside], loss[~inside], law, furthest, beyond),
    )


def _tail(size: Array, loss: Array, law: PowerLaw, furthest: float, beyond: float) -> Tail:
    predicted = law.predict(size, furthest=furthest)
    return Tail(
        sizes=tuple(size.tolist()),
        excess=float(np.mean(loss - predicted)),
        limit=beyond * law.residual_std,
        causes=scaling.flattening(loss, predicted, law.residual_std, beyond=beyond),
    )


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Optimum:
    """The compute-optimal split of one source at a compute, and the loss it predicts (None for the rule of thumb)."""

    source: str
    parameters: float
    tokens: float
    loss: float | None

    @property
    def tokens_per_parameter(self) -> float:
        """Training tokens for each parameter."""
        return self.tokens / self.parameters


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A training run by parameters and tokens: its compute, the optima at that compute, and the loss of the refit."""

    parameters: float
    tokens: float
    compute_flops: float
    loss: float
    optima: tuple[Optimum, ...]

    @property
    def tokens_per_parameter(self) -> float:
        """Training tokens for each parameter."""
        return self.tokens / self.parameters


REFIT = "refit, Besiroglu et al. 2024"
RULE = "rule, 20 tokens per parameter"
_LAWS = {
    REFIT: scaling.REFIT,
    "printed, Hoffmann et al. 2022": scaling.PRINTED,
    "unrounded, Hoffmann et al. 2022": scaling.UNROUNDED,
}


def optima(compute_flops: float) -> tuple[Optimum, ...]:
    """Return the compute-optimal splits, those to use first: the rule and the refit, then the contradictory originals.

    >>> [f"{each.tokens_per_parameter:.0f}" for each in optima(5.88e23)]
    ['20', '18', '93', '59']
    """
    parameters, tokens = scaling.optimal_split(compute_flops)
    found = [Optimum(source=RULE, parameters=float(parameters), tokens=float(tokens), loss=None)]
    for name, law in _LAWS.items():
        n, d = law.optimum(compute_flops)
        found.append(Optimum(source=name, parameters=float(n), tokens=float(d), loss=float(law.loss(n, d))))
    return tuple(found)


def plan(parameters: float | None, tokens: float | None, compute_flops: float | None) -> Plan:
    """Return a plan from two of parameters, tokens and compute (6 x parameters x tokens), or the optimum of compute.

    >>> chinchilla = plan(70e9, 1.4e12, None)
    >>> f"{chinchilla.compute_flops:.3g}", round(chinchilla.loss, 3)
    ('5.88e+23', 1.974)
    """
    given = [value for value in (parameters, tokens, compute_flops) if value is not None]
    for name, value in (("parameters", parameters), ("tokens", tokens), ("compute", compute_flops)):
        if value is not None:
            positive(name, value)
    if compute_flops is not None and len(given) == 1:
        n, d = (float(each) for each in scaling.optimal_split(compute_flops))
    elif compute_flops is not None and len(given) == 2:
        n = parameters if parameters is not None else compute_flops / (6 * (tokens or 1.0))
        d = compute_flops / (6 * n)
    elif parameters is not None and tokens is not None:
        n, d = parameters, tokens
        if compute_flops is not None:
            off = abs(compute_flops / (6 * n * d) - 1)
            refuse("compute", np.asarray(compute_flops), np.asarray(off > 0.1),
                   "{value} FLOP is not 6 x parameters x tokens", "leave one of the three out")  # fmt: skip
    else:
        raise PhysicsError("plan", "one number does not make a training run", "give parameters and tokens, or compute")
    return Plan(
        parameters=n,
        tokens=d,
        compute_flops=6 * n * d,
        loss=float(scaling.REFIT.loss(n, d)),
        optima=optima(6 * n * d),
    )
