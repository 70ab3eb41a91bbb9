"""Samples over time: exact sums, bounded memory, and percentiles of a fair choice."""

from __future__ import annotations

import pytest

from dam_expert.readers.interface import Teller
from dam_expert.readers.series import KEPT, Series

TELL = Teller(file="x", tool="vmstat")


def said(values: list[float]) -> dict[str, float]:
    series = Series()
    for value in values:
        series.add("", "load", value)
    found = series.said(TELL, (), "", "load_average", "load", percentiles=True)
    return {each.measurement: each.value.lo for each in found}


def test_few_samples_give_exact_percentiles():
    """Up to the bound every sample counts."""
    assert said([float(value) for value in range(101)]) == {
        "load_average": 50.0,
        "load_average_p10": 10.0,
        "load_average_p90": 90.0,
    }


@pytest.mark.parametrize("period", [1, 2, 8, 1000], ids=lambda period: f"period {period}")
def test_many_samples_give_percentiles_of_a_fair_choice(period):
    """Beyond the bound percentiles are near those of all, whatever the rhythm of the samples; the mean is exact."""
    count = 20 * KEPT
    values = [float(number % period * (count // period) + number // period) for number in range(count)]
    found = said(values)
    assert found["load_average"] == pytest.approx(sum(values) / count)
    assert found["load_average_p10"] == pytest.approx(0.1 * max(values), abs=0.03 * max(values))
    assert found["load_average_p90"] == pytest.approx(0.9 * max(values), abs=0.03 * max(values))


def test_the_same_samples_give_the_same_choice():
    """Nothing depends on chance."""
    values = [float(number * 7919 % 100_003) for number in range(3 * KEPT)]
    assert said(values) == said(values)


def test_memory_does_not_grow_with_samples():
    """A hundred thousand samples keep no more than the bound."""
    series = Series()
    for number in range(100_000):
        series.add("0", "sm", float(number))
    assert len(series._courses["0", "sm"].kept) == KEPT
    assert (series.count("0", "sm"), series.largest("0", "sm"), series.total("0", "sm")) == (
        100_000,
        99_999.0,
        4999950000.0,
    )


def test_a_negative_sample_is_none():
    """-1 is how tools say that there is no value: it does not pull the mean down. Temperatures may be negative."""
    series = Series()
    for value in (-1.0, 0.5, 0.7):
        series.add("0", "accelerator_utilization", value)
        series.add("0", "device_temperature", value)
    assert series.mean("0", "accelerator_utilization") == pytest.approx(0.6)
    assert series.mean("0", "device_temperature") == pytest.approx(0.2 / 3)
