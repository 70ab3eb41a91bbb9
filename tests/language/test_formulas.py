"""Formulas: reading, dimensions and interval arithmetic."""

from __future__ import annotations

import pytest
from language.some_names import some_names

from dam_expert.documents.intervals import Interval
from dam_expert.language.conditions import Column
from dam_expert.language.expressions import ColumnValue, HardwareValue, ThresholdValue, formula_columns, formula_figures
from dam_expert.language.formulas import evaluate, formula_dimension, read_formula
from dam_expert.language.leaves import LeafError

NAMES = some_names()
VALUES = {"gap": Interval(0.2, 0.4), "wait": Interval.point(0.1), "step_time": Interval.point(2.0), "speedup": None}


def value_of(item):
    match item:
        case ColumnValue(Column(name)):
            return VALUES[name]
        case ThresholdValue("binding"):
            return Interval.point(0.5)
        case HardwareValue("peak"):
            return Interval.point(1e12)
    return None


def value(text):
    return evaluate(read_formula(text, NAMES), value_of)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("1 + 2 * 3", (7, 7), id="product before sum"),
        pytest.param("(1 + 2) * 3", (9, 9), id="brackets"),
        pytest.param("8 / 4 / 2", (1, 1), id="from the left"),
        pytest.param("5 - 2 - 1", (2, 2), id="minus from the left"),
        pytest.param("-2 * -3", (6, 6), id="signs"),
        pytest.param("1.5e2", (150, 150), id="exponent"),
        pytest.param("1 - gap", (0.6, 0.8), id="the ends change places"),
        pytest.param("gap * 2", (0.4, 0.8), id="a range times"),
        pytest.param("wait / gap", (0.25, 0.5), id="over a range"),
        pytest.param("min(gap, 0.3)", (0.2, 0.3), id="the least"),
        pytest.param("max(wait, gap, 0.3)", (0.3, 0.4), id="the greatest of three"),
        pytest.param("min(gap)", (0.2, 0.4), id="the least of one"),
        pytest.param("gap / binding", (0.4, 0.8), id="a threshold"),
        pytest.param("hardware.peak / 1000000000000", (1, 1), id="the accelerator"),
        pytest.param("step_time/step_time", (1, 1), id="without spaces"),
    ],
)
def test_formulas_follow_the_rules_of_arithmetic_on_ranges(text, expected):
    """Precedence, signs, and the ends of ranges."""
    found = value(text)
    assert (found.lo, found.hi) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("speedup + 1", id="an input is missing"),
        pytest.param("max(1, speedup)", id="the greatest with a missing one"),
        pytest.param("0 * speedup", id="nothing times a missing one"),
        pytest.param("1 / (gap - 0.3)", id="the divisor may be zero"),
        pytest.param("hardware.memory / 1", id="an unknown accelerator"),
    ],
)
def test_what_cannot_be_known_is_unknown(text):
    """No value is made up for a missing one."""
    assert value(text) is None


@pytest.mark.parametrize(
    ("text", "said", "code"),
    [
        pytest.param("", "a value is missing in the formula ''", "not-a-formula", id="empty"),
        pytest.param("gap +", "a value is missing in the formula 'gap +'", "not-a-formula", id="no second term"),
        pytest.param("* gap", "a value is missing in the formula '* gap'", "not-a-formula", id="no first factor"),
        pytest.param("gap wait", "'wait' is too much in the formula 'gap wait'", "not-a-formula", id="no operator"),
        pytest.param("2x", "'x' is too much in the formula '2x'", "not-a-formula", id="a number with letters"),
        pytest.param("gap ^ 2", "cannot read '^ 2' in the formula 'gap ^ 2'", "not-a-formula", id="a strange mark"),
        pytest.param("(gap", "')' is missing in the formula '(gap'", "not-a-formula", id="open bracket"),
        pytest.param("gap)", "')' is too much in the formula 'gap)'", "not-a-formula", id="closed bracket"),
        pytest.param("min(gap", "')' is missing in the formula 'min(gap'", "not-a-formula", id="open function"),
        pytest.param("abs(gap)", "there is no measurement 'abs'", "unknown-id", id="unknown function"),
        pytest.param("gpa", "there is no measurement 'gpa'", "unknown-id", id="unknown measurement"),
        pytest.param("gap.max.min", "there is no measurement 'gap.max'", "unknown-id", id="two aspects"),
        pytest.param("idle", "'idle' is a symptom, not a measurement", "wrong-kind", id="a symptom"),
        pytest.param("hardware.peek", "the catalogue has no figure 'peek'", "unknown-id", id="hardware"),
        pytest.param("9" * 400, "the number 99999999999999999999 is too large", "not-a-formula", id="a large number"),
        pytest.param("1 + " * 130 + "1", "a formula has at most 500 characters", "too-large", id="a long one"),
        pytest.param("(" * 26 + "1" + ")" * 26, "a formula is at most 24 levels deep", "too-deep", id="deep brackets"),
        pytest.param("max(1, " * 25 + "1" + ")" * 25, "a formula is at most 24 levels deep", "too-deep", id="second"),
        pytest.param("-" * 26 + "1", "a formula is at most 24 levels deep", "too-deep", id="deep signs"),
        pytest.param(
            "min(" * 26 + "1" + ")" * 26, "a formula is at most 24 levels deep", "too-deep", id="deep functions"
        ),
    ],
)
def test_what_is_wrong_with_a_formula(text, said, code):
    """Nothing but the grammar is read, and nothing is executed."""
    with pytest.raises(LeafError) as caught:
        read_formula(text, NAMES)
    assert (caught.value.text, caught.value.code) == (said, code)


@pytest.mark.parametrize("text", ["(" * 24 + "1" + ")" * 24, "-" * 24 + "1", "max(1, " * 24 + "1" + ")" * 24])
def test_as_deep_as_permitted(text):
    """The bound itself is fine."""
    assert evaluate(read_formula(text, NAMES), value_of) == Interval.point(1.0)


def test_an_unknown_figure_is_answered_with_the_nearest_or_all():
    """What is misspelt has a near one; for anything else the figures are listed."""
    for field, hint in (("link_bandwith", "did you mean 'link_bandwidth'?"), ("zzz", "one of peak")):
        with pytest.raises(LeafError) as caught:
            read_formula(f"hardware.{field}", NAMES)
        assert str(caught.value.hint).startswith(hint)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("gap * step_time", "s", id="a share of a time"),
        pytest.param("memory_used / step_time", "B/s", id="a rate"),
        pytest.param("step_time / long", "1", id="a threshold in seconds"),
        pytest.param("hardware.ridge * memory_used", "FLOP", id="hardware"),
        pytest.param("step_time.spread + gap", "1", id="a spread is plain"),
        pytest.param("tried.more_workers * 2", "1", id="an effect is plain"),
    ],
)
def test_dimensions_follow_the_formula(text, expected):
    """What a formula measures is known before any value is."""
    found = formula_dimension(read_formula(text, NAMES), NAMES)
    assert ("1" if found.is_plain else str(found)) == expected


@pytest.mark.parametrize("sign", ["+", "-"])
def test_different_dimensions_do_not_add(sign):
    """Seconds and shares have no sum."""
    with pytest.raises(LeafError, match=rf"^'\{sign}' joins s and 1$"):
        formula_dimension(read_formula(f"step_time {sign} gap", NAMES), NAMES)


def test_words_cannot_be_calculated_with():
    """A category has no arithmetic."""
    with pytest.raises(LeafError, match=r"^'transport' holds words and cannot be calculated with$"):
        formula_dimension(read_formula("transport * 2", NAMES), NAMES)


def test_what_a_formula_reads():
    """Columns and figures of the accelerator, from left to right."""
    formula = read_formula("max(gap.max, wait[stage=a b]) * 2 / hardware.peak", NAMES)
    assert [str(column) for column in formula_columns(formula)] == ["gap.max", "wait[stage=a b]"]
    assert list(formula_figures(formula)) == ["peak"]
