"""What has two readings becomes a question, and no value."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("Our TPS is 12.", "tokens or transactions"),
        ("The link gives 12 gb/s.", "bits or bytes"),
        ("- step time: 250 (300) ms", "which is the last and which the mean"),
    ],
)
def test_questions(read, line, asked):
    """TPS, small b and pairs of numbers are asked for with the way to answer, and state nothing."""
    report = read(f"# Slow training\n\nThe job is slow on our node.\n\n{line}\n")
    (question,) = report.questions
    assert asked in question.text
    assert question.hint
    taken = {each.observation.measurement for each in report.findings}
    assert taken.isdisjoint({"token_rate", "throughput", "collective_bus_bandwidth", "step_time"})


def test_per_device_or_in_total(read):
    """On several devices a rate that says neither per device nor total is only said, and asked for."""
    plain = read("# Slow\n\nWe train on 8x H100 and get 2100 tokens/s.\n")
    (rate,) = (each.observation for each in plain.findings if each.observation.measurement == "token_rate")
    assert str(rate.basis) == "said"
    assert "per device or over all" in plain.questions[0].text
    clear = read("# Slow\n\nWe train on 8x H100.\n\n- total tokens/s: 2100\n")
    assert clear.questions == ()
