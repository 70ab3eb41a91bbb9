"""Writing values for people."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.units import LIMITS, format_value, parse_quantity

INF = math.inf


@pytest.mark.parametrize(
    ("low", "high", "unit", "kind", "text"),
    [
        pytest.param(0.35, 0.35, "1", Kind.SHARE, "35 %", id="share"),
        pytest.param(0.004, 0.004, "1", Kind.SHARE, "0.4 %", id="small share"),
        pytest.param(0.0, 0.0, "1", Kind.SHARE, "0 %", id="no share"),
        pytest.param(0.1, 0.4, "1", Kind.SHARE, "10–40 %", id="range of shares"),
        pytest.param(0.9, 1.0, "1", Kind.SHARE, "90–100 %", id="bound of a share"),
        pytest.param(1.35, 1.35, "1", Kind.RATIO, "1.35×", id="factor"),
        pytest.param(1.2, 1.4, "1", Kind.RATIO, "1.2–1.4×", id="range of factors"),
        pytest.param(0.00121, 0.00121, "s", Kind.DURATION, "1.21 ms", id="milliseconds"),
        pytest.param(2.5e-5, 2.5e-5, "s", Kind.DURATION, "25 µs", id="microseconds"),
        pytest.param(228.0, 228.0, "s", Kind.DURATION, "3.8 min", id="minutes"),
        pytest.param(0.0, 0.0, "s", Kind.DURATION, "0 s", id="no time"),
        pytest.param(0.9996, 0.9996, "s", Kind.DURATION, "1 s", id="rounded up to the next unit"),
        pytest.param(0.8, 2.0, "s", Kind.DURATION, "0.8–2 s", id="range over two units"),
        pytest.param(1e-6, 2.0, "s", Kind.DURATION, "1 µs–2 s", id="wide range"),
        pytest.param(0.005, INF, "s", Kind.DURATION, "≥ 5 ms", id="at least"),
        pytest.param(0.0, 0.005, "s", Kind.DURATION, "≤ 5 ms", id="at most"),
        pytest.param(12.5e9, 12.5e9, "B/s", Kind.RATE, "12.5 GB/s", id="bandwidth"),
        pytest.param(999.7e6, 999.7e6, "B", Kind.BYTES, "1 GB", id="bytes"),
        pytest.param(3.12e14, 3.12e14, "FLOP/s", Kind.RATE, "312 TFLOP/s", id="operations"),
        pytest.param(1.41e9, 1.41e9, "Hz", Kind.RATE, "1.41 GHz", id="clock"),
        pytest.param(0.4, 0.4, "1/s", Kind.RATE, "0.4/s", id="slow rate"),
        pytest.param(1500.0, 1500.0, "1/s", Kind.RATE, "1.5k/s", id="rate"),
        pytest.param(1500.0, 1500.0, "tok/s", Kind.RATE, "1.5k tok/s", id="named rate"),
        pytest.param(62.0, 62.0, "W", Kind.LEVEL, "62 W", id="power"),
        pytest.param(-5.0, 10.0, "°C", Kind.LEVEL, "-5–10 °C", id="temperature"),
        pytest.param(1234.0, 1234.0, "1", Kind.COUNT, "1234", id="count"),
        pytest.param(7e9, 7e9, "1", Kind.COUNT, "7000 M", id="many"),
        pytest.param(12.0, 3e6, "1", Kind.COUNT, "12–3e+06", id="wide range of counts"),
        pytest.param(0.0003, 0.0003, "1", Kind.SETTING, "0.0003", id="setting"),
        pytest.param(-INF, INF, "1", Kind.SETTING, "any", id="no bound"),
    ],
)
def test_a_value_is_written_with_its_unit(low, high, unit, kind, text):
    """Three digits, the prefix that suits, percent for shares and × for factors."""
    assert format_value(Interval(low, high), unit=unit, kind=kind) == text


def test_a_word_is_written_as_it_is():
    """A category has no unit."""
    assert format_value("Socket", unit=None, kind=Kind.CATEGORY) == "Socket"


MEASURED = [
    ("1", Kind.SHARE),
    ("s", Kind.DURATION),
    ("1/s", Kind.RATE),
    ("tok/s", Kind.RATE),
    ("B/s", Kind.RATE),
    ("B", Kind.BYTES),
    ("1", Kind.COUNT),
    ("1", Kind.RATIO),
    ("W", Kind.LEVEL),
    ("°C", Kind.LEVEL),
    ("FLOP/B", Kind.LEVEL),
    ("1", Kind.SETTING),
]
numbers = st.one_of(st.floats(0, 1), st.floats(-1e21, 1e21)).filter(lambda number: number == 0 or abs(number) > 1e-12)


@given(numbers, numbers, st.sampled_from(MEASURED), st.sampled_from(["point", "range", "at least"]))
def test_what_is_written_is_read_back(one, other, of, form):
    """Reading what was written for people gives the value again, within its three digits."""
    unit, kind = of
    floor, ceiling = LIMITS[kind]
    low, high = sorted((one, other))
    if form != "range":
        high = low if form == "point" else ceiling
    assume(floor <= low <= high <= ceiling)
    read = parse_quantity(format_value(Interval(low, high), unit=unit, kind=kind), unit=unit, kind=kind).interval
    assert read.lo == pytest.approx(low, rel=0.006)
    assert read.hi == pytest.approx(high, rel=0.006)
