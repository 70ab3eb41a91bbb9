"""Reading quantities."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.units import Quantity, QuantityError, as_text, parse_quantity

WORDS = {"low": Interval(0.0, 0.3), "Pegged": Interval(0.95, 1.0), "all cores": Interval(0.9, 1.0)}
SHARE, DURATION, RATE, BYTES = ("1", Kind.SHARE), ("s", Kind.DURATION), ("1/s", Kind.RATE), ("B", Kind.BYTES)
SPEED, WORK, COUNT, RATIO = ("B/s", Kind.RATE), ("FLOP/s", Kind.RATE), ("1", Kind.COUNT), ("1", Kind.RATIO)
OPERATIONS, POWER, HEAT, CLOCK = ("FLOP", Kind.COUNT), ("W", Kind.LEVEL), ("°C", Kind.LEVEL), ("Hz", Kind.RATE)
SETTING = ("1", Kind.SETTING)
INF = math.inf

#: what is written, unit and kind, low end, high end
FORMS = [
    (0.35, SHARE, 0.35, 0.35),
    (1, SHARE, 1.0, 1.0),
    ("35 %", SHARE, 0.35, 0.35),
    ("35%", SHARE, 0.35, 0.35),
    ("35 percent", SHARE, 0.35, 0.35),
    ("３５％", SHARE, 0.35, 0.35),
    ("0.4 %", SHARE, 0.004, 0.004),
    ("10-40 %", SHARE, 0.1, 0.4),
    ("10–40%", SHARE, 0.1, 0.4),
    ("10~40 %", SHARE, 0.1, 0.4),
    ("10..40 %", SHARE, 0.1, 0.4),
    ("10 % - 40 %", SHARE, 0.1, 0.4),
    ("10 to 40 %", SHARE, 0.1, 0.4),
    ("from 10 to 40 %", SHARE, 0.1, 0.4),
    ("between 10 and 40 %", SHARE, 0.1, 0.4),
    ("Between 10 % and 40 %", SHARE, 0.1, 0.4),
    ("[10 %, 40 %]", SHARE, 0.1, 0.4),
    ("[0.1, 0.4]", SHARE, 0.1, 0.4),
    ([0.1, 0.4], SHARE, 0.1, 0.4),
    (["10 %", "40 %"], SHARE, 0.1, 0.4),
    ("> 90 %", SHARE, 0.9, 1.0),
    (">=90%", SHARE, 0.9, 1.0),
    ("at least 90 %", SHARE, 0.9, 1.0),
    ("over 90 %", SHARE, 0.9, 1.0),
    ("< 5 %", SHARE, 0.0, 0.05),
    ("up to 5 %", SHARE, 0.0, 0.05),
    ("35 ± 5 %", SHARE, 0.3, 0.4),
    ("35 % +/- 5 %", SHARE, 0.3, 0.4),
    (12, DURATION, 12.0, 12.0),
    ("12", DURATION, 12.0, 12.0),
    ("12 ms", DURATION, 0.012, 0.012),
    ("12ms", DURATION, 0.012, 0.012),
    ("250 usec", DURATION, 0.00025, 0.00025),
    ("250 µs", DURATION, 0.00025, 0.00025),
    ("250 μs", DURATION, 0.00025, 0.00025),
    ("10 to 40 ms", DURATION, 0.01, 0.04),
    ("800 ms - 2 s", DURATION, 0.8, 2.0),
    ("<= 5 ms", DURATION, 0.0, 0.005),
    ("at least 3", DURATION, 3.0, INF),
    ("100 ms ± 5 %", DURATION, 0.095, 0.105),
    ("1:02:03", DURATION, 3723.0, 3723.0),
    ("0:00:01.5", DURATION, 1.5, 1.5),
    ("3m48s", DURATION, 228.0, 228.0),
    ("1h13m", DURATION, 4380.0, 4380.0),
    ("1 h 13 min", DURATION, 4380.0, 4380.0),
    ("2d 3h", DURATION, 183600.0, 183600.0),
    ("5m", DURATION, 300.0, 300.0),
    ("2 weeks", DURATION, 1209600.0, 1209600.0),
    ("1.5 s/it", DURATION, 1.5, 1.5),
    ("400 ms per step", DURATION, 0.4, 0.4),
    ("2 it/s", DURATION, 0.5, 0.5),
    ("2-4 it/s", DURATION, 0.25, 0.5),
    ("1e-3", DURATION, 0.001, 0.001),
    ("1e-3-2e-3", DURATION, 0.001, 0.002),
    (".5 s", DURATION, 0.5, 0.5),
    ("12 it/s", RATE, 12.0, 12.0),
    ("2.5 s/it", RATE, 0.4, 0.4),
    ("2-4 s/it", RATE, 0.25, 0.5),
    ("> 2 s/it", RATE, 0.0, 0.5),
    ("< 2 s/it", RATE, 0.5, INF),
    ("482 sec/batch", RATE, 1 / 482, 1 / 482),
    ("1.5k tok/s", RATE, 1500.0, 1500.0),
    ("10-15k tok/s", RATE, 10000.0, 15000.0),
    ("60 req/min", RATE, 1.0, 1.0),
    ("1,234,567 tokens/s", RATE, 1234567.0, 1234567.0),
    ("1,234.5 img/s", RATE, 1234.5, 1234.5),
    ("16 GT/s", RATE, 16e9, 16e9),
    ("1410 MHz", CLOCK, 1.41e9, 1.41e9),
    ("16 GiB", BYTES, 17179869184.0, 17179869184.0),
    ("80 GB", BYTES, 80e9, 80e9),
    ("512KiB", BYTES, 524288.0, 524288.0),
    ("100 Gb/s", SPEED, 12.5e9, 12.5e9),
    ("3.2 GB/s", SPEED, 3.2e9, 3.2e9),
    ("200 Gbps", SPEED, 25e9, 25e9),
    ("312 TFLOPS", WORK, 312e12, 312e12),
    ("41 TFLOPs per GPU", WORK, 41e12, 41e12),
    ("4.1 GFLOPs", OPERATIONS, 4.1e9, 4.1e9),
    ("62 W", POWER, 62.0, 62.0),
    ("65C", HEAT, 65.0, 65.0),
    ("-5 – 10 °C", HEAT, -5.0, 10.0),
    ("−5 °C", HEAT, -5.0, -5.0),
    (429, COUNT, 429.0, 429.0),
    ("1.5k", COUNT, 1500.0, 1500.0),
    ("3 M", COUNT, 3e6, 3e6),
    ("1-3 M", COUNT, 1e6, 3e6),
    ("2.5 million", COUNT, 2.5e6, 2.5e6),
    ("7B", COUNT, 7e9, 7e9),
    ("1e3", COUNT, 1000.0, 1000.0),
    ("1,234", COUNT, 1234.0, 1234.0),
    ("1_000", COUNT, 1000.0, 1000.0),
    ("8 workers", COUNT, 8.0, 8.0),
    ("1.35x", RATIO, 1.35, 1.35),
    ("1.35×", RATIO, 1.35, 1.35),
    ("1.2-1.4x", RATIO, 1.2, 1.4),
    (1.02, RATIO, 1.02, 1.02),
    (-1, SETTING, -1.0, -1.0),
    ("3e-4", SETTING, 0.0003, 0.0003),
]


@pytest.mark.parametrize(("given_", "of", "low", "high"), FORMS, ids=[f"{row[0]} as {row[1][1]}" for row in FORMS])
def test_a_quantity_is_read_exactly(given_, of, low, high):
    """Every form that people write is read as the closest number in the canonical unit, unhedged."""
    unit, kind = of
    assert parse_quantity(given_, unit=unit, kind=kind) == Quantity(interval=Interval(low, high))


@pytest.mark.parametrize(
    ("text", "of", "low", "high"),
    [
        pytest.param("about 30 %", SHARE, 0.24, 0.36, id="about"),
        pytest.param("~30%", SHARE, 0.24, 0.36, id="tilde"),
        pytest.param("≈ 30 %", SHARE, 0.24, 0.36, id="almost equal"),
        pytest.param("circa 10 ms", DURATION, 0.008, 0.012, id="circa"),
        pytest.param("Around 10 ms", DURATION, 0.008, 0.012, id="around"),
        pytest.param("about 10-20 ms", DURATION, 0.008, 0.024, id="range"),
        pytest.param("~5 s/it", RATE, 0.16, 0.24, id="reciprocal"),
        pytest.param("about 90 %", SHARE, 0.72, 1.0, id="cut to a share"),
        pytest.param("~0", SHARE, 0.0, 0.0, id="zero"),
        pytest.param("low", SHARE, 0.0, 0.3, id="word"),
        pytest.param("PEGGED", SHARE, 0.95, 1.0, id="word in capitals"),
        pytest.param("all_cores", SHARE, 0.9, 1.0, id="word with underscore"),
        pytest.param("约30%", SHARE, 0.24, 0.36, id="Chinese"),
    ],
)
def test_hedges_and_words_are_said(text, of, low, high):
    """A hedge widens by a fifth, a word has the range its measurement gives, and both count as said."""
    unit, kind = of
    assert parse_quantity(text, unit=unit, kind=kind, words=WORDS) == Quantity(
        interval=Interval(low, high), hedged=True
    )


@pytest.mark.parametrize(
    ("given_", "of", "said", "hint"),
    [
        pytest.param(
            *(35, SHARE, "35 has two readings as a share: 35 % or a factor of 35"),
            "write '35 %', or a share between 0 and 1",
            id="bare share",
        ),
        pytest.param(
            *("10-40", SHARE, "10 has two readings as a share: 10 % or a factor of 10"),
            "write '10 %', or a share between 0 and 1",
            id="bare range of shares",
        ),
        pytest.param("140 %", SHARE, "'140 %' is above 100 %, which a share cannot be", None, id="above 1"),
        pytest.param("> 120 %", SHARE, "'> 120 %' is above 100 %, which a share cannot be", None, id="bound above 1"),
        pytest.param("-3 ms", DURATION, "'-3 ms' is below 0, which a duration cannot be", None, id="negative"),
        pytest.param("~-3 ms", DURATION, "'~-3 ms' is below 0, which a duration cannot be", None, id="about negative"),
        pytest.param(
            *("12 GB", DURATION, "'GB' measures B, but s is expected", "write for example '12 ms'"), id="dimension"
        ),
        pytest.param(
            *("12 ms", SHARE, "'ms' measures s, but a plain number is expected", "write for example '35 %'"),
            id="unit of a share",
        ),
        pytest.param(
            *("30 %", DURATION, "'%' measures a plain number, but s is expected", "write for example '12 ms'"),
            id="percent of nothing",
        ),
        pytest.param(
            *("200 ms", RATE, "'ms' measures s, but 1/s is expected", "write for example '12 it/s'"),
            id="a time is no rate unless something is counted",
        ),
        pytest.param(
            *("4 GFLOPS", OPERATIONS, "'GFLOPS' measures FLOP/s, but FLOP is expected", "write for example '3 FLOP'"),
            id="rate for operations",
        ),
        pytest.param("5 %", RATIO, "'5 %' has two readings as a factor: 0.05x or 1.05x", "write the factor", id="gain"),
        pytest.param("5 %", COUNT, "'5 %' is a share, but a count is expected", None, id="percent of a count"),
        pytest.param(
            "3x", SHARE, "'3x' is a factor, but a share is expected", "write for example '35 %'", id="factor as share"
        ),
        pytest.param("16G", BYTES, "'16G' lacks a unit", "write for example '16 GiB'", id="scale without unit"),
        pytest.param(
            *("16 gb", BYTES, "'gb' may mean bits or bytes", "write 'GB' for bytes or 'Gbit' for bits"), id="bits?"
        ),
        pytest.param(
            *("1,234 ms", DURATION, "the comma in '1,234' may be a decimal or a thousands separator"),
            "write '1.234' or '1234'",
            id="comma",
        ),
        pytest.param(
            *("1,5 ms", DURATION, "the comma in '1,5' may be a decimal or a thousands separator", "write '1.5'"),
            id="decimal comma",
        ),
        pytest.param(
            *("3:48", DURATION, "'3:48' has two readings: minutes and seconds, or hours and minutes"),
            "write '3m48s' or '3h48m'",
            id="short clock",
        ),
        pytest.param(
            "48s3m", DURATION, "the parts of '48s3m' are not in falling order", "write '1h13m5s'", id="falling order"
        ),
        pytest.param(
            "40-10 %", SHARE, "the range '40-10 %' runs backwards", "write the smaller end first", id="backwards"
        ),
        pytest.param(
            *("[10 %, 40]", SHARE, "only the first end of '[10 %, 40]' has a unit"),
            "write the unit once at the end, or on both",
            id="half a unit",
        ),
        pytest.param(
            [0.1, 0.2, 0.3],
            SHARE,
            "a range has two ends, but [0.1, 0.2, 0.3] has 3",
            "write '[10 %, 40 %]'",
            id="three ends",
        ),
        pytest.param("35 ± -5 %", SHARE, "the spread '-5 %' is negative", None, id="negative spread"),
        pytest.param(
            *("3 s ± 5 ms", DURATION, "'3 s' and its spread '5 ms' have different units", "write '35 ± 5 %'"),
            id="spread in another unit",
        ),
        pytest.param("0 s/it", RATE, "0 s/it has no reciprocal in 1/s", None, id="reciprocal of zero"),
        pytest.param(
            *("fast", DURATION, "'fast' is not a quantity", "write for example '12 ms'"), id="word in place of a number"
        ),
        pytest.param(
            *("fast", SHARE, "'fast' is not a quantity"),
            "write for example '35 %'; words it knows: Pegged, all cores, low",
            id="unknown word",
        ),
        pytest.param("", DURATION, "'' is not a quantity", "write for example '12 ms'", id="empty"),
        pytest.param(True, COUNT, "'true' is not a quantity", "write for example '3'", id="flag"),
        pytest.param(math.nan, DURATION, "'nan' is not a quantity", "write for example '12 ms'", id="nan"),
        pytest.param(math.inf, DURATION, "'inf' is not a quantity", "write for example '12 ms'", id="infinity"),
        pytest.param("1e999", DURATION, "the number '1e999' is too large", None, id="overflow"),
        pytest.param("1e308 EB", BYTES, "the value '1e308 EB' is too large", None, id="overflow by unit"),
        pytest.param(10**400, COUNT, "a value of 401 characters is not a quantity", None, id="huge integer"),
        pytest.param(10**5000, COUNT, "the number is too large", None, id="more digits than Python writes"),
        pytest.param("9" * 300, COUNT, "a value of 300 characters is not a quantity", None, id="long"),
        pytest.param("3", ("1", Kind.CATEGORY), "a category is a word, not a quantity", None, id="category"),
    ],
)
def test_what_cannot_be_is_refused_with_a_hint(given_, of, said, hint):
    """A value of another dimension, beyond its limits or with two readings is an error that shows what to write."""
    unit, kind = of
    words = WORDS if kind is Kind.SHARE and given_ == "fast" else {}
    with pytest.raises(QuantityError) as caught:
        parse_quantity(given_, unit=unit, kind=kind, words=words)
    assert (caught.value.text, caught.value.hint) == (said, hint)


@given(st.text(max_size=40), st.sampled_from([SHARE, DURATION, RATE, BYTES, COUNT, SETTING]))
@example("1e-999999999", DURATION)
@example("≤ ²", COUNT)
def test_any_text_is_read_or_refused(text, of):
    """No text makes the reader fail in any other way, or take long."""
    unit, kind = of
    try:
        parsed = parse_quantity(text, unit=unit, kind=kind)
    except QuantityError:
        return
    assert not math.isnan(parsed.interval.lo)


@given(
    st.one_of(st.floats(allow_nan=False), st.integers(), st.booleans(), st.lists(st.floats(0, 1), max_size=3)),
    st.sampled_from([SHARE, DURATION, COUNT, SETTING]),
)
def test_a_value_and_its_text_read_alike(value, of):
    """A number from a file and the same number as text are read, or refused, alike."""
    unit, kind = of

    def read(given_):
        try:
            return parse_quantity(given_, unit=unit, kind=kind)
        except QuantityError as error:
            return error.text

    assert read(value) == read(as_text(value))
