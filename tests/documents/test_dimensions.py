"""Dimensions and unit symbols."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.documents.units import Dimension, UnitError, dimension_of, units_of

SECOND = Dimension(second=1)
RATE = Dimension(second=-1)
BYTE = Dimension(byte=1)
BANDWIDTH = Dimension(byte=1, second=-1)
PLAIN = Dimension()

#: unit, dimension, size in the canonical unit
UNITS = [
    ("1", PLAIN, 1),
    ("%", PLAIN, Fraction(1, 100)),
    ("％", PLAIN, Fraction(1, 100)),
    ("percent", PLAIN, Fraction(1, 100)),
    ("x", PLAIN, 1),
    ("×", PLAIN, 1),
    ("s", SECOND, 1),
    ("sec", SECOND, 1),
    ("Seconds", SECOND, 1),
    ("ms", SECOND, Fraction(1, 1000)),
    ("us", SECOND, Fraction(1, 10**6)),
    ("usec", SECOND, Fraction(1, 10**6)),
    ("\u00b5s", SECOND, Fraction(1, 10**6)),
    ("\u03bcs", SECOND, Fraction(1, 10**6)),
    ("ns", SECOND, Fraction(1, 10**9)),
    ("min", SECOND, 60),
    ("h", SECOND, 3600),
    ("d", SECOND, 86400),
    ("week", SECOND, 604800),
    ("B", BYTE, 1),
    ("bytes", BYTE, 1),
    ("b", BYTE, Fraction(1, 8)),
    ("kB", BYTE, 1000),
    ("KB", BYTE, 1000),
    ("MB", BYTE, 10**6),
    ("GB", BYTE, 10**9),
    ("TB", BYTE, 10**12),
    ("KiB", BYTE, 1024),
    ("MiB", BYTE, 1024**2),
    ("GiB", BYTE, 1024**3),
    ("TiB", BYTE, 1024**4),
    ("GB/s", BANDWIDTH, 10**9),
    ("GB/sec", BANDWIDTH, 10**9),
    ("GB per second", BANDWIDTH, 10**9),
    ("Gb/s", BANDWIDTH, 125_000_000),
    ("Gbit/s", BANDWIDTH, 125_000_000),
    ("Gbps", BANDWIDTH, 125_000_000),
    ("GBps", BANDWIDTH, 10**9),
    ("MiB/s", BANDWIDTH, 1024**2),
    ("FLOP", Dimension(flop=1), 1),
    ("TFLOP", Dimension(flop=1), 10**12),
    ("TFLOPs", Dimension(flop=1), 10**12),
    ("GFLOPS", Dimension(flop=1, second=-1), 10**9),
    ("TFLOP/s", Dimension(flop=1, second=-1), 10**12),
    ("TFLOPs/s", Dimension(flop=1, second=-1), 10**12),
    ("TOPS", Dimension(flop=1, second=-1), 10**12),
    ("FLOP/B", Dimension(flop=1, byte=-1), 1),
    ("B/FLOP", Dimension(flop=-1, byte=1), 1),
    ("W", Dimension(joule=1, second=-1), 1),
    ("kW", Dimension(joule=1, second=-1), 1000),
    ("J/tok", Dimension(joule=1), 1),
    ("kWh", Dimension(joule=1), 3_600_000),
    ("W*s", Dimension(joule=1), 1),
    ("°C", Dimension(degree=1), 1),
    ("℃", Dimension(degree=1), 1),
    ("C", Dimension(degree=1), 1),
    ("Hz", RATE, 1),
    ("MHz", RATE, 10**6),
    ("GT/s", RATE, 10**9),
    ("1/s", RATE, 1),
    ("/s", RATE, 1),
    ("1/min", RATE, Fraction(1, 60)),
    ("it/s", RATE, 1),
    ("iter/s", RATE, 1),
    ("img/s", RATE, 1),
    ("imgs/sec", RATE, 1),
    ("examples/s", RATE, 1),
    ("batches/s", RATE, 1),
    ("samples/s", RATE, 1),
    ("steps/s", RATE, 1),
    ("global_step/sec", RATE, 1),
    ("tok/s", RATE, 1),
    ("t/s", RATE, 1),
    ("tokens per second", RATE, 1),
    ("tps", RATE, 1),
    ("wps", RATE, 1),
    ("WPS", RATE, 1),
    ("ups", RATE, 1),
    ("fps", RATE, 1),
    ("req/s", RATE, 1),
    ("RPS", RATE, 1),
    ("QPS", RATE, 1),
    ("infer/sec", RATE, 1),
    ("s/it", SECOND, 1),
    ("sec/batch", SECOND, 1),
    ("ms/step", SECOND, Fraction(1, 1000)),
    ("$/h", Dimension(dollar=1, second=-1), Fraction(1, 3600)),
]


@pytest.mark.parametrize(("text", "dimension", "size"), UNITS, ids=[row[0] for row in UNITS])
def test_a_unit_has_a_dimension_and_a_size(text, dimension, size):
    """Every unit that reports use is known, with its exact size."""
    unit = units_of(text)[0]
    assert (unit.dimension, unit.factor) == (dimension, size)
    assert dimension_of(text) == dimension


def test_plural_operations_may_be_a_rate():
    """TFLOPs is read as operations, and second as operations per second, as people write it."""
    assert [unit.dimension for unit in units_of("TFLOPs per GPU")] == [
        Dimension(flop=1),
        Dimension(flop=1, second=-1),
    ]


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        pytest.param("furlong", "the unit 'furlong' is not known", None, id="unknown"),
        pytest.param("tokns/s", "the unit 'tokns' is not known", "did you mean 'tokens'?", id="misspelt"),
        pytest.param("GB/", "the unit 'GB/' is incomplete", None, id="no denominator"),
        pytest.param("gb", "'gb' may mean bits or bytes", "write 'GB' for bytes or 'Gbit' for bits", id="small"),
        pytest.param("Gib", "'Gib' may mean bits or bytes", "write 'GiB' for bytes or 'Gibit' for bits", id="binary"),
        pytest.param("s" * 61, "a unit of 61 characters is not known", None, id="long"),
    ],
)
def test_an_unknown_unit_is_an_error_with_a_hint(text, said, hint):
    """A unit that is not known or could be two is refused and says what to write."""
    with pytest.raises(UnitError) as caught:
        units_of(text)
    assert (caught.value.text, caught.value.hint) == (said, hint)


@pytest.mark.parametrize(
    ("dimension", "text"),
    [
        pytest.param(PLAIN, "1", id="plain"),
        pytest.param(BANDWIDTH, "B/s", id="bandwidth"),
        pytest.param(Dimension(joule=1, second=-1), "W", id="power"),
        pytest.param(Dimension(second=2), "s*s", id="square"),
        pytest.param(Dimension(byte=-1, flop=1), "FLOP/B", id="intensity"),
        pytest.param(RATE, "1/s", id="rate"),
    ],
)
def test_a_dimension_is_written_as_its_canonical_unit(dimension, text):
    """The text of a dimension is the unit in which its values are kept."""
    assert str(dimension) == text


exponents = st.integers(-3, 3)
dimensions = st.builds(
    Dimension, second=exponents, byte=exponents, flop=exponents, joule=exponents, degree=exponents, dollar=exponents
)


@given(dimensions, dimensions)
def test_dimensions_multiply_and_divide(first, second):
    """Dividing undoes multiplying, and what is written is read back."""
    assert first * second / second == first
    assert first / first == PLAIN
    assert dimension_of(str(first)) == first
