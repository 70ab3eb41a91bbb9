"""How often to write a checkpoint, and what writing and failures cost.

Sources: J. Young, A first order approximation to the optimum checkpoint interval, 1974; J. Daly, A higher order
estimate of the optimum checkpoint interval, 2006. The mean time between failures is that of the whole job.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.physics.inputs import Array, nonnegative, positive

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def young_interval_s(write_s: ArrayLike, failure_interval_s: ArrayLike) -> Array:
    """Return the seconds of work between checkpoints, first order: sqrt(2 x write x time between failures).

    200 s of blocking writes and a failure every 7.9 h, in minutes:

    >>> round(float(young_interval_s(200, 7.9 * 3600)) / 60)
    56
    """
    return np.sqrt(2 * positive("write_s", write_s) * positive("failure_interval_s", failure_interval_s))


def daly_interval_s(write_s: ArrayLike, failure_interval_s: ArrayLike) -> Array:
    """Return the interval to higher order; the time between failures itself once a write takes twice that.

    >>> round(float(daly_interval_s(200, 7.9 * 3600)) / 60, 1)
    54.0
    """
    write, interval = positive("write_s", write_s), positive("failure_interval_s", failure_interval_s)
    ratio = write / (2 * interval)
    near = np.sqrt(2 * write * interval) * (1 + np.sqrt(ratio) / 3 + ratio / 9) - write
    return np.where(write < 2 * interval, near, interval + 0 * write)[()]


def checkpoint_waste(
    write_s: ArrayLike, interval_s: ArrayLike, failure_interval_s: ArrayLike, restart_s: ArrayLike = 0.0
) -> Array:
    """Return the share of time lost to first order: write / interval + interval / (2 M) + restart / M.

    Writing, work repeated after a failure, and restarting. Above 1 the job makes no progress.

    >>> round(float(checkpoint_waste(200, young_interval_s(200, 28440), 28440)), 3)
    0.119
    """
    interval, between = positive("interval_s", interval_s), positive("failure_interval_s", failure_interval_s)
    lost = interval / (2 * between) + nonnegative("restart_s", restart_s) / between
    return nonnegative("write_s", write_s) / interval + lost
