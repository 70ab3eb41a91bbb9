"""Numbers in running text: commas that part thousands, commas that begin decimals, and lists."""

from __future__ import annotations

import pytest

from dam_expert.prose.amounts import amounts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The speed is 1,900 img/s.", [("1_900",)]),
        ("We read 12,000 tokens/s, 1,234,567 in all.", [("12_000",), ("1_234_567",)]),
        ("吞吐 1,900 img/s", [("1_900",)]),
        ("dauert 1,234 s", [("1,234",)]),  # 1.234 s or 1234 s: whoever reads it must ask
        ("it took 0,35 s for 1,900 images", [("0.35",), ("1,900",)]),  # who writes 0,35 may write 1,900 for 1.9
        ("takes 12,5 % of it", [("12.5",)]),
        ("on 4,8 GPUs", [("4", "8")]),
        ("at 518, 545 s", [("518", "545")]),
    ],
)
def test_commas(text, expected):
    """A comma parts thousands in English and Chinese, begins decimals before a unit, and else parts a list."""
    assert [each.numbers for each in amounts(text)] == expected


def test_thousands_reach_the_report(values):
    """As a value of what the unit names."""
    assert values("# Training is slow\n\nOn one A100 we see 1,900 img/s.\n")["throughput"][0] == 1900
