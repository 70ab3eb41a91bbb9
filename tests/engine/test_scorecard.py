"""The scorecard screens: investigate, between, strong, or unknown without the measurement."""

from __future__ import annotations

from typing import Any

import pytest
from knowledge.rows import diagnosed


@pytest.mark.parametrize(
    ("row", "observations", "reading"),
    [
        pytest.param("card_io_overhead", {"input_wait_share": "15 %"}, "investigate", id="a wait to look into"),
        pytest.param("card_io_overhead", {"input_wait_share": "5 %"}, "between", id="neither"),
        pytest.param("card_io_overhead", {"input_wait_share": "0.4 %"}, "strong", id="hardly a wait"),
        pytest.param("card_io_overhead", {}, "unknown", id="no wait measured"),
        pytest.param("card_io_overhead", {"input_wait_share": "5-15 %"}, "unknown", id="a range across the limit"),
        pytest.param("card_mfu", {"mfu": "20 %"}, "investigate", id="low MFU"),
        pytest.param("card_mfu", {"mfu": "40 %"}, "between", id="usual MFU"),
        pytest.param("card_mfu", {"mfu": "57 %"}, "strong", id="high MFU"),
        pytest.param("card_avoidable_work", {"redundant_work": "found"}, "investigate", id="redundant work"),
        pytest.param(
            "card_avoidable_work",
            {"redundant_work": "found", "skipped_work_speedup": 1.3},
            "strong",
            id="the work has fallen",
        ),
    ],
)
def test_readings(row: str, observations: dict[str, Any], reading: str) -> None:
    """A row reads its measurement against the appendix's two levels."""
    rows = {each.metric: each for each in diagnosed({}, observations).scorecard}
    assert rows[row].reading == reading


def test_all_rows_are_always_there() -> None:
    """The three rows stand in the order of table 7, one for each axis, with their values."""
    rows = diagnosed({}, {"mfu": "40 %", "redundant_work": "found"}).scorecard
    assert [(each.axis, each.value) for each in rows] == [("data", None), ("algorithm", "found"), ("machine", 0.4)]
