"""The shipped base and its words, once for all tests of prose."""

from __future__ import annotations

import pytest

from dam_expert.documents.incident import Incident
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import diagnose
from dam_expert.kb.load import load_knowledge
from dam_expert.prose import joined_with, load_vocabulary
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


@pytest.fixture(name="diagnosed", scope="session")
def _diagnosed(base, read):
    """Return the diagnosis of a report."""
    executor = BitExecutor(base.program)
    return lambda text: diagnose(base, joined_with(Incident(id="x", file="x"), [read(text)]), executor=executor)


@pytest.fixture(name="confirmed", scope="session")
def _confirmed(diagnosed):
    """Return the causes that a report confirms."""
    return lambda text: [each.id for each in diagnosed(text).hypotheses if each.status == "confirmed"]
