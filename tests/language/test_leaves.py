"""Leaves of conditions: how they are read, what is wrong with them, and which of them decide."""

from __future__ import annotations

import pytest
from language.some_names import some_names

from dam_expert.documents.intervals import Interval
from dam_expert.language.conditions import (
    All,
    Binds,
    Column,
    Comparison,
    Known,
    Limit,
    Multiple,
    Not,
    Number,
    Operator,
    Planned,
    Standing,
    Symptom,
    Words,
)
from dam_expert.language.leaves import LeafError, column_name, read_column, read_leaf

NAMES = some_names()
GAP = Column("gap")


def leaf(text: str) -> object:
    return read_leaf(text, NAMES, advice=True)


def comparison(column, operator, operand, *, decides=False) -> Comparison:
    return Comparison(column, Operator(operator), operand, decides, "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("idle", Symptom("idle"), id="a symptom"),
        pytest.param("gap > 20 %", comparison(GAP, ">", Number(Interval.point(0.2))), id="a quantity"),
        pytest.param("gap>20%", comparison(GAP, ">", Number(Interval.point(0.2))), id="without spaces"),
        pytest.param("gap <= low", comparison(GAP, "<=", Number(Interval(0.0, 0.3))), id="a word of the measurement"),
        pytest.param("gap >= binding", comparison(GAP, ">=", Limit("binding"), decides=True), id="a threshold"),
        pytest.param("gap >= guess", comparison(GAP, ">=", Limit("guess")), id="a screening threshold"),
        pytest.param("gap > wait", comparison(GAP, ">", Multiple(1.0, Column("wait")), decides=True), id="arithmetic"),
        pytest.param("gap > 1.5 x wait", comparison(GAP, ">", Multiple(1.5, Column("wait"))), id="a multiple"),
        pytest.param("gap > 2 × wait", comparison(GAP, ">", Multiple(2.0, Column("wait"))), id="the other times sign"),
        pytest.param("gap > util", comparison(GAP, ">", Multiple(1.0, Column("util"))), id="a weak operand"),
        pytest.param(
            "gap > wait.max", comparison(GAP, ">", Multiple(1.0, Column("wait", "max")), decides=True), id="an aspect"
        ),
        pytest.param(
            "gap[stage=decode, rank=3] > 20 %",
            comparison(Column("gap", None, (("rank", "3"), ("stage", "decode"))), ">", Number(Interval.point(0.2))),
            id="a part with spaces",
        ),
        pytest.param(
            "gap[rank=3].max > 20 %",
            comparison(Column("gap", "max", (("rank", "3"),)), ">", Number(Interval.point(0.2))),
            id="an aspect of a part",
        ),
        pytest.param(
            "gap > 2 x wait[stage=decode, rank=1]",
            comparison(GAP, ">", Multiple(2.0, Column("wait", None, (("rank", "1"), ("stage", "decode"))))),
            id="a multiple of a part",
        ),
        pytest.param(
            "transport is Socket",
            comparison(Column("transport"), "is", Words(frozenset({"socket"})), decides=True),
            id="a word in another case",
        ),
        pytest.param(
            "transport is-not socket",
            Not(comparison(Column("transport"), "is", Words(frozenset({"socket"})), decides=True)),
            id="not a word",
        ),
        pytest.param(
            "transport in [socket, 'nvlink']",
            comparison(Column("transport"), "is", Words(frozenset({"socket", "nvlink"})), decides=True),
            id="several words",
        ),
        pytest.param(
            "amp is true", comparison(Column("amp"), "is", Words(frozenset({"true"})), decides=True), id="a flag"
        ),
        pytest.param(
            "framework is torch",
            comparison(Column("framework"), "is", Words(frozenset({"torch"}))),
            id="any word: not listed, so that it does not decide",
        ),
        pytest.param(
            "link_gen < link_gen_max",
            comparison(Column("link_gen"), "<", Multiple(1.0, Column("link_gen_max")), decides=True),
            id="a state decides by arithmetic",
        ),
        pytest.param(
            "link_gen is 3", comparison(Column("link_gen"), "is", Number(Interval.point(3))), id="a state and a number"
        ),
        pytest.param(
            "step_time between 100 ms and 200 ms",
            All(
                (
                    comparison(Column("step_time"), ">=", Number(Interval.point(0.1))),
                    comparison(Column("step_time"), "<=", Number(Interval.point(0.2))),
                )
            ),
            id="between",
        ),
        pytest.param(
            "step_time > long", comparison(Column("step_time"), ">", Limit("long"), decides=True), id="seconds"
        ),
        pytest.param(
            "tried.more_workers > clear",
            comparison(Column("tried.more_workers"), ">", Limit("clear"), decides=True),
            id="a lever that was tried is a probe",
        ),
        pytest.param("known gap.max", Known(Column("gap", "max"), wanted=True), id="known"),
        pytest.param(
            "unknown gap[rank=0, stage=a]", Known(Column("gap", None, (("rank", "0"), ("stage", "a"))), wanted=False)
        ),
        pytest.param("input_wait is confirmed", Standing("input_wait", "confirmed"), id="a status"),
        pytest.param("binding is input", Binds("input"), id="the bottleneck that binds"),
        pytest.param("binding is input_wait", Binds("input_wait"), id="the hypothesis that binds"),
        pytest.param("planned more_workers", Planned("more_workers"), id="a plan"),
    ],
)
def test_a_leaf_is_read_as_it_is_meant(text, expected):
    """Every form of the grammar, and whether it may carry a decision."""
    assert leaf(text) == expected


@pytest.mark.parametrize(
    ("text", "said", "code", "hint"),
    [
        pytest.param("gap", "'gap' is a measurement: compare it with something", "not-a-condition", None, id="bare"),
        pytest.param("idel", "there is no symptom 'idel'", "unknown-id", "did you mean 'idle'?", id="misspelt symptom"),
        pytest.param("binding", "'binding' is a threshold, not a symptom", "wrong-kind", None, id="threshold alone"),
        pytest.param("gpa > 1 %", "there is no measurement 'gpa'", "unknown-id", "did you mean 'gap'?", id="misspelt"),
        pytest.param("idle > 1 %", "'idle' is a symptom, not a measurement", "wrong-kind", None, id="a symptom"),
        pytest.param("Gap > 1 %", "'Gap' is not a measurement", "unknown-id", None, id="upper case"),
        pytest.param(
            "gap > 20",
            "20 has two readings as a share: 20 % or a factor of 20",
            "not-a-quantity",
            "write '20 %', or a share between 0 and 1",
            id="two readings",
        ),
        pytest.param(
            "gap > 3 s",
            "'s' measures s, but a plain number is expected",
            "not-a-quantity",
            "write for example '35 %'",
            id="dimension",
        ),
        pytest.param(
            "gap > bindng",
            "'bindng' is not a quantity",
            "not-a-quantity",
            "did you mean 'binding'?",
            id="misspelt threshold",
        ),
        pytest.param(
            "step_time > binding",
            "'step_time' is in s, 'binding' is in 1",
            "unit-mismatch",
            None,
            id="threshold in another unit",
        ),
        pytest.param(
            "step_time > memory_used",
            "'step_time' is in s, 'memory_used' is in B",
            "unit-mismatch",
            None,
            id="measurement in another unit",
        ),
        pytest.param(
            "gap > transport",
            "'transport' holds words and cannot be compared with 'gap'",
            "wrong-kind",
            None,
            id="a number and words",
        ),
        pytest.param(
            "gap > more_workers",
            "'more_workers' is a lever: compare with a measurement or threshold",
            "wrong-kind",
            None,
            id="a lever",
        ),
        pytest.param("gap > wrong", "'wrong' has an error of its own", "broken-reference", None, id="broken threshold"),
        pytest.param("wrong", "'wrong' has an error of its own", "broken-reference", None, id="broken symptom"),
        pytest.param(
            "transport > 3",
            "'transport' holds words: compare it with is, is-not or in",
            "wrong-kind",
            None,
            id="words by size",
        ),
        pytest.param(
            "transport is scoket",
            "'scoket' is no value of 'transport'",
            "unknown-value",
            "did you mean 'socket'?",
            id="misspelt word",
        ),
        pytest.param("transport in []", "'' is no value of 'transport'", "unknown-value", None, id="no word"),
        pytest.param("amp is yes", "'yes' is no value of 'amp'", "unknown-value", None, id="not a flag"),
        pytest.param(
            "framework is not torch",
            "cannot read 'framework is not torch'",
            "not-a-condition",
            "write 'framework is-not torch'",
            id="is not",
        ),
        pytest.param(
            "framework is [torch, jax]",
            "'is' compares with one word, not with '[torch, jax]'",
            "not-a-condition",
            "write 'in'",
            id="is with several",
        ),
        pytest.param(
            "gap in [1 %, 2 %]",
            "'gap' is a number: 'in' lists words",
            "wrong-kind",
            "use 'between'",
            id="in with numbers",
        ),
        pytest.param(
            "gap between 10 %",
            "'between' needs two values: '10 %'",
            "not-a-condition",
            "write: between 10 % and 20 %",
            id="half a range",
        ),
        pytest.param(
            "gap == 10 %", "cannot read 'gap == 10 %'", "not-a-condition", "write 'is' or 'is-not'", id="equals"
        ),
        pytest.param(
            "gap => 10 %",
            "cannot read 'gap => 10 %'",
            "not-a-condition",
            "write: measurement operator value, as in 'step_time > 2 s'",
            id="operator turned round",
        ),
        pytest.param(
            "gap > 1 % and wait > 1 %",
            "'gap > 1 % and wait > 1 %' is more than one comparison",
            "not-a-condition",
            "list them under 'all:' or 'any:'",
            id="two in one",
        ),
        pytest.param(
            "gap.mean > 1 %", "a column has no '.mean'", "unknown-aspect", ".min, .max or .spread", id="aspect"
        ),
        pytest.param(
            "gap.mxa > 1 %", "a column has no '.mxa'", "unknown-aspect", "did you mean 'max'?", id="misspelt aspect"
        ),
        pytest.param(
            "transport.max is socket",
            "'transport' holds words: it has no '.max'",
            "wrong-kind",
            None,
            id="aspect of words",
        ),
        pytest.param(
            "gap[gpu=0] > 1 %",
            "a measurement has no parts by 'gpu'",
            "unknown-scope",
            "one of device, rank, disk, process, stage",
            id="scope",
        ),
        pytest.param(
            "gap[rnak=0] > 1 %",
            "a measurement has no parts by 'rnak'",
            "unknown-scope",
            "did you mean 'rank'?",
            id="misspelt scope",
        ),
        pytest.param(
            "gap[0] > 1 %", "cannot read the part '[0]'", "not-a-column", "write [stage=decode]", id="scope without key"
        ),
        pytest.param(
            "gap[] > 1 %", "cannot read the part '[]'", "not-a-column", "write [stage=decode]", id="empty scope"
        ),
        pytest.param(
            "gap[rank=0,=decode] > 1 %",
            "cannot read the part '[rank=0,=decode]'",
            "not-a-column",
            "write [stage=decode]",
            id="one scope of two",
        ),
        pytest.param(
            "transport is [socket",
            "'is' compares with one word, not with '[socket'",
            "not-a-condition",
            "write 'in'",
            id="half a list",
        ),
        pytest.param(
            "tried.less_workers > clear",
            "there is no lever 'less_workers'",
            "unknown-id",
            "did you mean 'more_workers'?",
            id="lever",
        ),
        pytest.param("planned gap", "'gap' is a measurement, not a lever", "wrong-kind", None, id="plan"),
        pytest.param(
            "binding is inputs",
            "there is no bottleneck or hypothesis 'inputs'",
            "unknown-id",
            "did you mean 'input'?",
            id="binding",
        ),
        pytest.param(
            "input_wait is proven",
            "a hypothesis is never 'proven'",
            "not-a-status",
            "one of confirmed, conflicting, supported, candidate, refuted",
            id="status",
        ),
        pytest.param(
            "input_wiat is refuted",
            "there is no hypothesis 'input_wiat'",
            "unknown-id",
            "did you mean 'input_wait'?",
            id="misspelt hypothesis",
        ),
        pytest.param("known gpa", "there is no measurement 'gpa'", "unknown-id", "did you mean 'gap'?", id="known"),
        pytest.param(
            "",
            "cannot read ''",
            "not-a-condition",
            "write: measurement operator value, as in 'step_time > 2 s'",
            id="nothing",
        ),
    ],
)
def test_what_is_wrong_with_a_leaf(text, said, code, hint):
    """The exact words, the stable code and the hint."""
    with pytest.raises(LeafError) as caught:
        leaf(text)
    assert (caught.value.text, caught.value.code, caught.value.hint) == (said, code, hint)


@pytest.mark.parametrize(
    "text", ["known gap", "unknown gap", "input_wait is refuted", "binding is input", "planned more_workers"]
)
def test_only_advice_may_ask_about_the_verdict(text):
    """The verdict comes after the evidence."""
    with pytest.raises(LeafError) as caught:
        read_leaf(text, NAMES)
    assert caught.value.code == "advice-only"


def test_a_weak_measurement_never_decides():
    """Not against a decisive threshold, and no aspect of it."""
    assert not leaf("util >= binding").decides
    assert not leaf("util.spread >= clear").decides


def test_a_spread_is_a_ratio_whatever_it_is_of():
    """It compares with ratios, not with durations."""
    assert leaf("step_time.spread >= clear").decides
    with pytest.raises(LeafError, match="is in 1, 'long' is in s"):
        leaf("step_time.spread > long")


def test_between_two_thresholds_decides_at_both_ends():
    """The parts of a range are two comparisons of their own."""
    both = leaf("gap between guess and binding")
    assert [child.decides for child in both.children] == [False, True]
    assert [child.text for child in both.children] == ["gap >= guess", "gap <= binding"]


@pytest.mark.parametrize(
    "text", ["gap", "gap.max", "gap[stage=decode]", "gap[rank=0,stage=decode].min", "tried.more_workers"]
)
def test_a_column_is_written_as_it_is_read(text):
    """Writing a column gives the text that reads as it."""
    assert str(read_column(text, NAMES)) == text


def test_what_a_column_holds():
    """A tried lever is a probe; a spread keeps only whether its measurement decides."""
    assert column_name(Column("tried.more_workers"), NAMES).decides == "probe"
    assert column_name(Column("step_time", "spread"), NAMES).unit == "1"
    assert column_name(Column("step_time", "max"), NAMES).unit == "s"
