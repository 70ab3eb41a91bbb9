"""Every mistake of the corpus is said, at its place, in exactly these words; none is a traceback or passes silently."""

from __future__ import annotations

import pytest
from broken_runbooks import CASES, FOLDER, messages_of


@pytest.mark.parametrize("case", CASES)
def test_mistake(case):
    """A mistake in a runbook gives exactly the expected messages."""
    assert messages_of(case) == (FOLDER / f"{case}.expected").read_text(encoding="utf-8") != ""


def test_every_expectation_belongs_to_a_mistake():
    """An expectation whose mistake is gone is dropped."""
    assert sorted(path.stem for path in FOLDER.glob("*.expected")) == CASES
