"""Numbers and lines that are too long to be read: that is said, and no value is made of them."""

from __future__ import annotations

import pytest
from truth.jobs import shipped

from dam_expert.prose import load_vocabulary, read_report, said_of
from dam_expert.readers.source import Source


def codes_of(text: str) -> list[str]:
    vocabulary, _ = load_vocabulary(shipped())
    report = read_report(Source.of_bytes("digits.md", text.encode()), vocabulary)
    assert not any(each.observation.measurement == "step_time" for each in report.findings if "9" * 16 in text)
    return [each.code for each in said_of(report)]


@pytest.mark.parametrize("digits", [16, 300, 200_000])
@pytest.mark.parametrize("text", ["step time: {} ms\n", "- step time: {} ms\n", "The step time is {} ms.\n"])
def test_a_value_of_too_many_digits_is_not_passed_over(text: str, digits: int) -> None:
    """It is asked for again, or it is said that the line was cut."""
    assert set(codes_of(text.format("9" * digits))) & {"ambiguous", "line-too-long"}


@pytest.mark.parametrize(
    "text", ["step time: 180 ms\n", "Run 1234567890123456789 is slow.\n", "commit 99999999999999999999\n"]
)
def test_what_is_no_value_is_not_asked_for(text: str) -> None:
    """Numbers of runs and commits are long as well."""
    assert not set(codes_of(text)) & {"ambiguous", "line-too-long"}
