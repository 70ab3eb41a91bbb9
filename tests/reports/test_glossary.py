"""The glossary: titles and units, also of scope columns."""

from __future__ import annotations

import pytest

from dam_expert.documents.kinds import Kind
from dam_expert.reports import Glossary

WORDS = Glossary(titles={"step_time": "Step time"}, quantities={"step_time": ("s", Kind.DURATION)})


@pytest.mark.parametrize(
    ("measurement", "value", "written"),
    [
        pytest.param("step_time", 0.1764, "176 ms", id="number"),
        pytest.param("step_time", (0.1, None), "≥ 100 ms", id="open range"),
        pytest.param("step_time", None, "unknown", id="unknown is never 0"),
        pytest.param("step_time.max", 0.2, "200 ms", id="column"),
        pytest.param("step_time[stage=decode]", 0.2, "200 ms", id="member"),
        pytest.param("step_time.spread", 0.2, "0.2×", id="a spread is a ratio"),
        pytest.param("step_time", "[N/A]", "[N/A]", id="word"),
        pytest.param("other", 3, "3", id="not in the glossary"),
    ],
)
def test_values(measurement, value, written):
    """A value is written in the unit of its measurement."""
    assert written == WORDS.value(measurement, value)


def test_titles():
    """A measurement without a title is called by its id."""
    assert (WORDS.title("step_time.max"), WORDS.title("other")) == ("Step time", "other")
