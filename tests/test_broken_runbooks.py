"""Every mistake of the corpus is said, at its place, in exactly these words; none is a traceback or passes silently."""

from __future__ import annotations

import re

import pytest
from broken_runbooks import CASES, FOLDER, messages_of


def fixed(text):
    """Return messages without the line numbers of places in the base, which change with every edit of it."""
    return re.sub(r"((?:knowledge|rules)/[\w/]+\.yaml):\d+", r"\1:N", text)


@pytest.mark.parametrize("case", CASES)
def test_mistake(case):
    """A mistake in a runbook gives exactly the expected messages; lines of the base's own files may move."""
    expected = (FOLDER / f"{case}.expected").read_text(encoding="utf-8")
    assert fixed(messages_of(case)) == fixed(expected) != ""


def test_every_expectation_belongs_to_a_mistake():
    """An expectation whose mistake is gone is dropped."""
    assert sorted(path.stem for path in FOLDER.glob("*.expected")) == CASES
