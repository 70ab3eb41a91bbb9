"""What is remembered from one evaluation to the next never shows in the next measurements."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from truth.drawn import facts
from truth.jobs import evaluated, job, shipped

from dam_expert.engine.diagnose import written
from dam_expert.engine.foreseeing import _memory, _stills
from dam_expert.engine.waiting import _untouched
from dam_expert.session.past import patch, patched


@settings(deadline=None, max_examples=12)
@given(st.lists(facts(), min_size=2, max_size=4))
def test_what_was_foreseen_rests_on_what_is_known_now(drawn: list[dict[str, Any]]) -> None:
    """Incidents one after the other are asked the same as each alone."""
    incidents = [job(one) for one in drawn]
    together = [written(evaluated(one)) for one in incidents]
    for incident, found in zip(incidents, together, strict=True):
        for memory in (_memory, _stills, _untouched):
            memory(shipped()).clear()
        assert written(evaluated(incident)) == found


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param({"a": 1}, {"a": 1, "b": 2}, id="added at the end"),
        pytest.param({"b": 2, "a": 1}, {"a": 1}, id="removed from the front"),
        pytest.param({"a": 1, "b": 2}, {"b": 2}, id="taken from the front"),
        pytest.param({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}, id="inside"),
    ],
)
def test_a_step_back_gives_the_older_document(older: object, newer: object) -> None:
    """With its keys in their order, which is not written down where it follows."""
    back = patched(newer, patch(newer, older))
    assert (back, list(back)) == (older, list(older))  # type: ignore[call-overload]
