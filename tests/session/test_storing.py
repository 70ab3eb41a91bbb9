"""A session on disk: always whole, held by one at a time, readable as an incident."""

from __future__ import annotations

from pathlib import Path

import pytest
from killing import killed_at_every_write
from session.dialogue import base, begun, dialogue

from dam_expert.documents.incident import incident_from
from dam_expert.kb.source import read_yaml
from dam_expert.session.state import State, resumed
from dam_expert.session.storing import BusyError, held, save


def read(path: Path) -> State:
    document, messages = read_yaml(path)
    assert document is not None
    assert not messages
    incident, problems = incident_from(document.data, base().names, document.origin)
    assert not problems
    return resumed(incident)


def test_a_saved_session_is_read_back_equal(tmp_path: Path) -> None:
    """Target, answers, notes and what the session remembers survive the file."""
    path = tmp_path / "t.dam.yaml"
    state, _, _ = dialogue("1", "45 %", "unknown", "note a remark")
    save(base(), state, path)
    again = read(path)
    told = [(o.measurement, o.value, o.basis) for o in state.incident.observations]
    assert [(o.measurement, o.value, o.basis) for o in again.incident.observations] == told
    assert again.incident.answers == state.incident.answers
    assert (again.entry, again.notes, again.turns) == (state.entry, state.notes, state.turns)


def test_a_session_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    """A second one is refused while the first has the file, and may have it afterwards."""
    path = tmp_path / "t.dam.yaml"
    with held(path), pytest.raises(BusyError), held(path):
        pass
    with held(path):
        pass


def test_killed_at_every_write_nothing_said_is_lost_and_the_next_session_goes_on(tmp_path: Path) -> None:
    """Killed before any call that changes the disk, a session leaves an answer or the one before, whole and free."""
    path = tmp_path / "t.dam.yaml"
    after, _, _ = dialogue("1", "45 %")
    save(base(), after, path)
    new = path.read_bytes()
    save(base(), begun(), path)
    old = path.read_bytes()

    def answered() -> None:
        with held(path):
            save(base(), after, path)

    def check(when: str) -> None:
        assert path.read_bytes() in (old, new), when
        assert read(path).incident.id == "t", when
        with held(path):  # the lock of the killed one is free, whatever it left behind
            save(base(), begun(), path)
        assert [each.name for each in tmp_path.iterdir()] == ["t.dam.yaml"], when

    calls = killed_at_every_write(answered, check)
    assert calls.count("fcntl.flock") >= 2
    assert "Path.replace" in calls


def test_a_read_only_folder_is_one_clear_error(tmp_path: Path) -> None:
    """Where nothing can be written, saving says so and leaves nothing behind."""
    with pytest.raises(OSError, match="No such file"):
        save(base(), begun(), tmp_path / "missing" / "t.dam.yaml")
