"""Every entrance under bytes of strangers: other inputs every day, the same all day long."""

from __future__ import annotations

import pytest
from fuzz.entrances import ENTRANCES
from fuzz.strategies import answers, damage, documents, settings_given
from fuzz.test_fuzz import TODAY
from fuzz.trial import within
from hypothesis import given, seed, settings
from hypothesis import strategies as st

READERS = [name for name in ENTRANCES if name.startswith("reader ")]
#: Inputs of each entrance in one run of the tests: all together take less than half a minute on a machine at rest.
COUNTS = {"incident": 40, "base": 120, "session": 4, "report": 40, "lines": 60, "rows": 120}
COUNTS |= {"table": 300, "setting": 300, "path": 40}


def tried(count):
    return settings(max_examples=count, deadline=None, database=None)


@pytest.mark.parametrize("name", COUNTS)
def test_damage_is_never_an_exception(name):
    """A sound input with any damage ends in time, without an exception."""
    entrance = ENTRANCES[name]

    @seed(TODAY)
    @tried(COUNTS[name])
    @given(data=damage(entrance))
    def take(data):
        within(lambda: entrance.take(data))

    take()


@seed(TODAY)
@tried(400)
@given(which=st.sampled_from(READERS), data=st.data())
def test_every_reader_reads_anything(which, data):
    """A reader that is handed any bytes says something, and raises nothing."""
    entrance = ENTRANCES[which]
    content = data.draw(damage(entrance))
    within(lambda: entrance.take(content))


@pytest.mark.parametrize(
    ("name", "strategy", "count"),
    [
        pytest.param("incident", documents(), 60, id="incident"),
        pytest.param("base", documents(), 60, id="base"),
        pytest.param("setting", settings_given(), 400, id="setting"),
        pytest.param("session", answers(), 6, id="session"),
    ],
)
def test_made_documents_are_never_an_exception(name, strategy, count):
    """Documents made of the base's own words, in any order, end in time, without an exception."""

    @seed(TODAY)
    @tried(count)
    @given(data=strategy)
    def take(data):
        within(lambda: ENTRANCES[name].take(data))

    take()


def test_every_entrance_has_sound_inputs():
    """No entrance is tried with nothing, and what it is tried with first is sound."""
    for entrance in ENTRANCES.values():
        assert entrance.seeds()
