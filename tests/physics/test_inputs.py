"""Inputs of the calculators: what passes, what is refused, and how the reason reads."""

from __future__ import annotations

import numpy as np
import pytest

from dam_expert.physics import PhysicsError, inputs


@pytest.mark.parametrize(
    ("check", "value", "said"),
    [
        pytest.param(inputs.real, "fast", "x: not a number; a unit or a word left in the value?", id="word"),
        pytest.param(inputs.real, np.inf, "x: inf is not finite; a division by zero before this step?", id="infinite"),
        pytest.param(
            inputs.nonnegative, -3, "x: -3 is negative; a difference of counters that were reset?", id="below 0"
        ),
        pytest.param(inputs.positive, 0, "x: must be above 0; a value that is not available written as 0?", id="zero"),
        pytest.param(
            inputs.share, 80, "x: 80 is not a share between 0 and 1; a percentage given as a number?", id="percentage"
        ),
        pytest.param(
            inputs.count,
            2.5,
            "x: 2.5 is not a whole number of 1 or more; a ratio or an average given as a count?",
            id="count",
        ),
    ],
)
def test_refusals_name_the_argument_and_a_likely_reason(check, value, said):
    """A value that cannot be is refused with the argument, the fault and a likely reason."""
    with pytest.raises(PhysicsError) as caught:
        check("x", value)
    assert str(caught.value) == said


def test_arrays_name_the_first_bad_element():
    """In an array the place of the first bad element is part of the error."""
    with pytest.raises(PhysicsError) as caught:
        inputs.nonnegative("data_s", [[1.0, 2.0], [3.0, -4.0]])
    assert caught.value.argument == "data_s[1, 1]"
    assert caught.value.text == "-4 is negative"


@pytest.mark.parametrize(
    "check", [inputs.real, inputs.nonnegative, inputs.positive, inputs.share, inputs.positive_share, inputs.count]
)
def test_unknown_passes_every_check(check):
    """NaN stands for unknown, so every check lets it through."""
    assert np.isnan(check("x", np.nan))


def test_error_is_a_value_error():
    """Callers that know nothing of this package can catch ValueError."""
    assert issubclass(PhysicsError, ValueError)
