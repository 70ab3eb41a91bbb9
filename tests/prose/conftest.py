"""The shipped base and its words, once for all tests of prose."""

from __future__ import annotations

import pytest

from dam_expert.kb.load import load_knowledge
from dam_expert.prose import load_vocabulary
from dam_expert.prose.report import understand_text


@pytest.fixture(name="base", scope="session")
def _base():
    base, _ = load_knowledge()
    assert base is not None
    return base


@pytest.fixture(name="vocabulary", scope="session")
def _vocabulary(base):
    vocabulary, messages = load_vocabulary(base)
    assert messages == []
    return vocabulary


@pytest.fixture(name="read", scope="session")
def _read(vocabulary):
    return lambda text: understand_text(text, "report.md", vocabulary)


@pytest.fixture(name="values", scope="session")
def _values(read):
    """Return what a text states: measurement to (value, basis), topics left out."""

    def values(text):
        understood = read(text)
        found = {}
        for each in (*understood.settings, *understood.findings):
            observation = each.observation
            if observation.measurement.startswith("suspected_"):
                continue
            value = observation.value
            shown = value if isinstance(value, str) else (value.lo if value.lo == value.hi else (value.lo, value.hi))
            found.setdefault(observation.measurement, (shown, str(observation.basis)))
        return found

    return values
