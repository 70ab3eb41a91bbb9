"""Values as people say them, in three languages: what they are read as, and whether that may decide."""

from __future__ import annotations

import pytest

from dam_expert.documents.kinds import Kind
from dam_expert.documents.quantities import QuantityError, parse_quantity


@pytest.mark.parametrize(
    ("text", "low", "high", "hedged"),
    [
        ("六成", 0.48, 0.72, True),
        ("大约六成", 0.48, 0.72, True),
        ("六到七成", 0.48, 0.84, True),
        ("百分之六十", 0.6, 0.6, False),
        ("half", 0.4, 0.6, True),
        ("more than half", 0.4, 1.0, True),
        ("一半左右", 0.4, 0.6, True),
        ("một nửa", 0.4, 0.6, True),
        ("three quarters", 0.6, 0.9, True),
        ("3/4", 0.75, 0.75, False),
        ("phần lớn", 0.4, 1.0, True),
        ("about 60 to 70 %", 0.48, 0.84, True),
        ("khoảng 60 đến 70 %", 0.48, 0.84, True),
        ("60% 到 70%", 0.6, 0.7, False),
        ("I think 60 %", 0.48, 0.72, True),
        ("it's 60 %", 0.6, 0.6, False),
        ("60 % or so", 0.48, 0.72, True),
        ("不到 5%", 0.0, 0.05, False),
        ("trên 60 %", 0.6, 1.0, False),
        ("60% 以上", 0.6, 1.0, False),
        ("60 phần trăm", 0.6, 0.6, False),
        ("sixty percent", 0.6, 0.6, False),
        ("zero", 0.0, 0.0, False),
    ],
)
def test_shares_in_words(text: str, low: float, high: float, hedged: bool) -> None:
    found = parse_quantity(text, unit="1", kind=Kind.SHARE)
    assert (found.interval.lo, found.interval.hi, found.hedged) == (pytest.approx(low), pytest.approx(high), hedged)


@pytest.mark.parametrize(
    ("text", "low", "high", "hedged"),
    [
        ("2.4 倍", 2.4, 2.4, False),
        ("gấp 2.4 lần", 2.4, 2.4, True),
        ("2.4 times faster", 2.4, 2.4, True),
        ("x2.4", 2.4, 2.4, False),
        ("twice as fast", 2.0, 2.0, True),
        ("gấp đôi", 2.0, 2.0, True),
        ("快了两倍", 2.0, 3.0, True),
        ("2x slower", 0.5, 0.5, True),
        ("chậm gấp đôi", 0.5, 0.5, True),
        ("20 % faster", 1.2, 1.25, True),
        ("快 20%", 1.2, 1.25, True),
        ("10% slower", 0.9, 1 / 1.1, True),
        ("no change", 0.8, 1.2, True),
        ("没变化", 0.8, 1.2, True),
        ("không đổi", 0.8, 1.2, True),
        ("from 180 ms to 75 ms", 2.4, 2.4, False),
        ("450 -> 900 img/s", 2.0, 2.0, False),
        ("1.2 到 1.4 倍", 1.2, 1.4, False),
    ],
)
def test_factors_in_words(text: str, low: float, high: float, hedged: bool) -> None:
    found = parse_quantity(text, unit="1", kind=Kind.RATIO)
    assert found.hedged is hedged
    assert (found.interval.lo, found.interval.hi) == pytest.approx((low, high), rel=1e-5)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("half a second", 0.4, 0.6),
        ("半秒", 0.4, 0.6),
        ("nửa giây", 0.4, 0.6),
        ("a quarter of a second", 0.2, 0.3),
        ("两秒", 2.0, 2.0),
        ("hai giây", 2.0, 2.0),
        ("6 到 8 秒", 6.0, 8.0),
        ("từ 6 đến 8 giây", 6.0, 8.0),
    ],
)
def test_times_in_words(text: str, low: float, high: float) -> None:
    found = parse_quantity(text, unit="s", kind=Kind.DURATION).interval
    assert (found.lo, found.hi) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2.4 倍", Kind.SHARE),  # a factor is no share
        ("gấp 2.4 lần", Kind.SHARE),
        ("none", Kind.SHARE),  # nothing there, or nothing known
        ("halved", Kind.RATIO),  # the time or the rate
        ("from 12 GB to 6 GB", Kind.RATIO),  # no direction is better
        ("mean 180 ms", Kind.DURATION),  # another statistic than the one that is asked for
        ("six million dollar words", Kind.SHARE),
        ("about", Kind.SHARE),
        ("不到", Kind.SHARE),
    ],
)
def test_what_words_leave_open_is_refused(text: str, kind: Kind) -> None:
    with pytest.raises(QuantityError):
        parse_quantity(text, unit="s" if kind is Kind.DURATION else "1", kind=kind)


def test_a_value_beyond_its_kind_stays_impossible() -> None:
    with pytest.raises(QuantityError) as raised:
        parse_quantity("it's 140 %", unit="1", kind=Kind.SHARE)
    assert raised.value.impossible
