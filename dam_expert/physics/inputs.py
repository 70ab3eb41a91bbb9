"""What every calculator accepts: finite numbers in range, with a likely reason when they are not.

NaN stands for *unknown* and passes every check, so that a missing number gives a missing answer and never an error.

>>> share("efficiency", 0.8).item()
0.8
>>> share("efficiency", 80)
Traceback (most recent call last):
dam_expert.physics.errors.PhysicsError: efficiency: 80 is not a share between 0 and 1; a percentage given as a number?
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dam_expert.physics.errors import PhysicsError

#: What the calculators return: an array, or a numpy scalar where all arguments were scalars.
Array: TypeAlias = NDArray[np.float64]


def refuse(argument: str, values: Array, bad: NDArray[np.bool_], text: str, likely: str) -> None:
    """Raise for the first value that is bad. ``{value}`` in the text is replaced by it; arrays add its position."""
    if not np.any(bad):
        return
    values, bad = np.broadcast_arrays(values, bad)
    first = tuple(int(i) for i in np.argwhere(bad)[0])
    place = f"{argument}[{', '.join(map(str, first))}]" if first else argument
    raise PhysicsError(place, text.replace("{value}", f"{values[first]:g}"), likely)


def real(argument: str, value: ArrayLike) -> Array:
    """Return value as floats. Words and infinities are errors; NaN passes."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise PhysicsError(argument, "not a number", "a unit or a word left in the value?") from problem
    refuse(argument, array, np.isinf(array), "{value} is not finite", "a division by zero before this step?")
    return array


def nonnegative(argument: str, value: ArrayLike) -> Array:
    """Return value as floats, none below 0."""
    array = real(argument, value)
    refuse(argument, array, array < 0, "{value} is negative", "a difference of counters that were reset?")
    return array


def positive(argument: str, value: ArrayLike) -> Array:
    """Return value as floats, all above 0."""
    array = nonnegative(argument, value)
    refuse(argument, array, array == 0, "must be above 0", "a value that is not available written as 0?")
    return array


def share(argument: str, value: ArrayLike) -> Array:
    """Return value as floats between 0 and 1."""
    array = nonnegative(argument, value)
    refuse(argument, array, array > 1, "{value} is not a share between 0 and 1", "a percentage given as a number?")
    return array


def positive_share(argument: str, value: ArrayLike) -> Array:
    """Return value as floats above 0 and up to 1: an efficiency by which something is divided."""
    return positive(argument, share(argument, value))


def count(argument: str, value: ArrayLike) -> Array:
    """Return value as floats that are whole numbers of 1 or more: ranks, servers, layers."""
    array = real(argument, value)
    refuse(argument, array, (array < 1) | (array != np.floor(array)) & ~np.isnan(array),
           "{value} is not a whole number of 1 or more", "a ratio or an average given as a count?")  # fmt: skip
    return array
