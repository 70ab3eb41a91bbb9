"""What a plain scalar means."""

from __future__ import annotations

import math

import pytest

from dam_expert.kb.scalars import ScalarError, resolved


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[pytest.param(text, None, id=f"null {text!r}") for text in ("", "~", "null", "Null", "NULL")],
        *[pytest.param(text, True, id=text) for text in ("true", "True", "TRUE")],
        *[pytest.param(text, False, id=text) for text in ("false", "False", "FALSE")],
        *[
            pytest.param(text, text, id=text)
            for text in ("yes", "no", "on", "off", "Yes", "NO", "y", "n", "tRue", "nULL")
        ],
        *[pytest.param(text, text, id=text) for text in ("1:30", "190:20:30", "2024-01-01", "2024-01-01T10:00:00Z")],
        *[
            pytest.param(text, text, id=text)
            for text in ("35 %", "1_000", "0b101", "-0x1", "1e", ".", "-", "+", "1.2.3", "=")
        ],
        pytest.param("12", 12, id="integer"),
        pytest.param("-12", -12, id="negative"),
        pytest.param("007", 7, id="leading zeros are decimal"),
        pytest.param("0o17", 15, id="octal"),
        pytest.param("0x1F", 31, id="hexadecimal"),
        pytest.param("1e3", 1000.0, id="exponent without a point"),
        pytest.param("1.5E-3", 0.0015, id="exponent"),
        pytest.param(".5", 0.5, id="no leading digit"),
        pytest.param("3.", 3.0, id="no trailing digit"),
        pytest.param(".inf", math.inf, id="infinity"),
        pytest.param("-.INF", -math.inf, id="minus infinity"),
    ],
)
def test_a_scalar_means_what_yaml_1_2_says(text, value):
    """Numbers, flags and null are those of the core schema; everything else is text."""
    found = resolved(text)
    assert (found, type(found)) == (value, type(value))


def test_nan_is_a_number():
    """The one value that is not equal to itself."""
    assert math.isnan(resolved(".nan"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("1e999", "the number 1e999 is too large", id="float"),
        pytest.param("9" * 5000, "a number of 5000 digits is too large", id="integer"),
        pytest.param("9" * 400 + ".0", f"the number {'9' * 40}… is too large", id="many digits"),
    ],
)
def test_a_number_that_no_float_holds_is_refused(text, said):
    """Nothing becomes infinite unseen, and no number of digits is an error of Python."""
    with pytest.raises(ScalarError, match=f"^{said}$"):
        resolved(text)
