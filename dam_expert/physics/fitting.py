"""Fitting loss = floor + coefficient x size^-exponent, with confidence intervals and a limit on extrapolation.

For a fixed exponent the floor and the coefficient are a linear problem (variable projection: G. Golub, V. Pereyra,
1973), so only the exponent is searched: on a grid of its logarithm, then on ever finer grids around the best point. No
derivative, no starting point, the same answer every time. The Huber fit (P. Huber, 1964) solves the linear problem by
iteratively reweighted least squares. Intervals: residual bootstrap (B. Efron, 1979).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import Array, count, positive, refuse, share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_FEWEST_POINTS = 4
_PARAMETERS = 3
_SMALLEST_EXPONENT, _LARGEST_EXPONENT = 1e-3, 10.0
_GRID, _ROUNDS = 64, 6
_HUBER_STEPS = 60
_BLOCK_NUMBERS = 2_000_000


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PowerLaw:
    """A fitted law and the range of sizes it was fitted on. The floor is the loss that no size goes below."""

    floor: float
    coefficient: float
    exponent: float
    residual_std: float
    smallest: float
    largest: float

    def curve(self, size: ArrayLike) -> Array:
        """Return the law at any size, without a check of the range: for plots inside it and for residuals."""
        return self.floor + self.coefficient * positive("size", size) ** -self.exponent

    def predict(self, size: ArrayLike, *, furthest: float) -> Array:
        """Return the loss at a size at most ``furthest`` times outside the fitted range, on either side.

        Further away is an error that states the limit: a power law holds where it was fitted.
        """
        sizes = positive("size", size)
        reach = float(positive("furthest", furthest))
        refuse(
            "furthest", np.asarray(reach), np.asarray(reach < 1), "{value} is below 1", "a share in place of a factor?"
        )
        low, high = self.smallest / reach, self.largest * reach
        refuse("size", sizes, (sizes < low * (1 - 1e-12)) | (sizes > high * (1 + 1e-12)),
               f"{{value}} lies outside {low:g} to {high:g}, the fitted range and {reach:g} times beyond",
               "measure a run nearer to it, and fit again")  # fmt: skip
        return self.curve(sizes)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Lower and upper ends of the confidence intervals of a fit, from the bootstrap."""

    confidence: float
    floor: tuple[float, float]
    coefficient: tuple[float, float]
    exponent: tuple[float, float]
    sizes: Array
    lower: Array
    upper: Array


def _linear(u: Array, y: Array, weights: Array) -> tuple[Array, Array]:
    """Solve y = floor + coefficient u, neither below 0, by weighted least squares along the last axis."""
    total = np.sum(weights, axis=-1)
    mean_u, mean_y = np.sum(weights * u, axis=-1) / total, np.sum(weights * y, axis=-1) / total
    away = u - mean_u[..., None]
    spread = np.sum(weights * away**2, axis=-1)
    slope = np.where(spread > 0, np.sum(weights * away * y, axis=-1) / np.where(spread > 0, spread, 1), 0.0)
    slope = np.maximum(slope, 0.0)
    floor = mean_y - slope * mean_u
    through_zero = np.sum(weights * u * y, axis=-1) / np.sum(weights * u**2, axis=-1)
    below = floor < 0
    return np.where(below, 0.0, floor), np.where(below, np.maximum(through_zero, 0.0), slope)


def _huber_linear(u: Array, y: Array, delta: float) -> tuple[Array, Array]:
    floor, slope = _linear(u, y, np.ones_like(u))
    for _ in range(_HUBER_STEPS):
        off = np.abs(y - floor[..., None] - slope[..., None] * u)
        floor, slope = _linear(u, y, delta / np.maximum(off, delta))
    return floor, slope


def _cost(residual: Array, delta: float | None) -> Array:
    if delta is None:
        cost: Array = np.sum(residual**2, axis=-1)
        return cost
    off = np.abs(residual)
    robust: Array = np.sum(np.where(off <= delta, off**2, 2 * delta * off - delta**2), axis=-1)
    return robust


def _search(size: Array, y: Array, delta: float | None) -> tuple[Array, Array, Array]:
    """Fit each row of y over the same sizes; return floor, coefficient (of scaled sizes) and exponent per row."""
    rows = np.arange(y.shape[0])
    low = np.full(rows.size, np.log(_SMALLEST_EXPONENT))
    high = np.full(rows.size, np.log(_LARGEST_EXPONENT))
    floor = slope = exponent = np.zeros(rows.size)
    for _ in range(_ROUNDS):
        grid = np.linspace(low, high, _GRID, axis=-1)
        u = size ** -np.exp(grid)[..., None]
        target = np.broadcast_to(y[:, None, :], u.shape)
        floors, slopes = _linear(u, target, np.ones_like(u)) if delta is None else _huber_linear(u, target, delta)
        cost = _cost(target - floors[..., None] - slopes[..., None] * u, delta)
        best = np.argmin(cost, axis=-1)
        floor, slope, exponent = floors[rows, best], slopes[rows, best], np.exp(grid[rows, best])
        low, high = grid[rows, np.maximum(best - 1, 0)], grid[rows, np.minimum(best + 1, _GRID - 1)]
    return floor, slope, exponent


def _points(size: ArrayLike, loss: ArrayLike) -> tuple[Array, Array]:
    sizes, losses = np.broadcast_arrays(positive("size", size).ravel(), positive("loss", loss).ravel())
    refuse("loss", losses, np.isnan(sizes) | np.isnan(losses), "a point is unknown", "leave the run out")
    if np.unique(sizes).size < _FEWEST_POINTS:
        raise PhysicsError("size", f"fewer than {_FEWEST_POINTS} different sizes",
                           "three parameters need at least one size more than there are of them")  # fmt: skip
    order = np.argsort(sizes, kind="stable")
    return sizes[order], losses[order]


def fit_power_law(size: ArrayLike, loss: ArrayLike, huber_delta: float | None = None) -> PowerLaw:
    """Return the law fitted to losses at sizes (parameters, tokens or compute): least squares, or Huber with a delta.

    The delta is the loss up to which a residual counts squared; beyond it, linearly. At least four different sizes.
    An exponent at the end of the searched range, 0.001 to 10, means that the points show no power law: an error.

    >>> sizes = [1e6, 1e7, 1e8, 1e9]
    >>> law = fit_power_law(sizes, [1.7 + 400 * n**-0.34 for n in sizes])
    >>> round(law.floor, 4), round(law.coefficient, 1), round(law.exponent, 4)
    (1.7, 400.0, 0.34)
    """
    sizes, losses = _points(size, loss)
    delta = None if huber_delta is None else float(positive("huber_delta", huber_delta))
    middle = float(np.exp(np.mean(np.log(sizes))))
    floor, slope, exponent = (float(each[0]) for each in _search(sizes / middle, losses[None, :], delta))
    if not _SMALLEST_EXPONENT * 1.01 < exponent < _LARGEST_EXPONENT / 1.01 or slope <= 0:
        raise PhysicsError(
            "loss", "the points show no falling power law", "sizes and losses swapped, or runs not converged?"
        )
    residual = losses - floor - slope * (sizes / middle) ** -exponent
    freedom = max(sizes.size - _PARAMETERS, 1)
    return PowerLaw(
        floor=floor,
        coefficient=slope * middle**exponent,
        exponent=exponent,
        residual_std=float(np.sqrt(np.sum(residual**2) / freedom)),
        smallest=float(sizes[0]),
        largest=float(sizes[-1]),
    )


def bootstrap_band(
    size: ArrayLike,
    loss: ArrayLike,
    at: ArrayLike,
    *,
    huber_delta: float | None = None,
    resamples: int = 400,
    confidence: float = 0.95,
    seed: int = 0,
) -> Band:
    """Return confidence intervals of the parameters, and of the curve at the sizes ``at``.

    Residuals, widened by sqrt(n / (n - 3)) for the fitted parameters, are drawn with replacement and put back on the
    curve; each such sample is fitted like the first. Same seed, same answer. Few points give wide and rough intervals.
    """
    count("resamples", resamples)
    positive("confidence", share("confidence", confidence))
    sizes, losses = _points(size, loss)
    law = fit_power_law(sizes, losses, huber_delta)
    middle = float(np.exp(np.mean(np.log(sizes))))
    curve = law.curve(sizes)
    residual = (losses - curve) * np.sqrt(sizes.size / max(sizes.size - _PARAMETERS, 1))
    draws = np.random.default_rng(seed).integers(0, sizes.size, (resamples, sizes.size))
    block = max(_BLOCK_NUMBERS // (_GRID * sizes.size), 1)
    blocks = [draws[first : first + block] for first in range(0, resamples, block)]
    fits = [_search(sizes / middle, curve + residual[drawn], huber_delta) for drawn in blocks]
    floor, slope, exponent = (np.concatenate(each) for each in zip(*fits, strict=True))
    wanted = positive("at", at).ravel()
    curves = floor[:, None] + slope[:, None] * (wanted / middle) ** -exponent[:, None]
    ends = np.array([(1 - confidence) / 2, (1 + confidence) / 2])

    def interval(values: Array) -> tuple[float, float]:
        lower, upper = np.quantile(values, ends)
        return float(lower), float(upper)

    lower, upper = np.quantile(curves, ends, axis=0)
    return Band(
        confidence=confidence,
        floor=interval(floor),
        coefficient=interval(slope * middle**exponent),
        exponent=interval(exponent),
        sizes=wanted,
        lower=lower,
        upper=upper,
    )
