"""A session on disk: always whole, held by one at a time, readable as an incident."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
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


@pytest.mark.parametrize("moment", ["write", "fsync", "replace"])
def test_a_killed_process_leaves_the_last_answer_or_the_one_before(tmp_path: Path, moment: str) -> None:
    """Killed at any call of a save, the file is whole: one of the two states, never something between."""
    path = tmp_path / "t.dam.yaml"
    save(base(), begun(), path)
    before = path.read_bytes()
    script = f"""
import os, signal, sys
sys.path[:0] = {sys.path!r}
import pathlib
from session.dialogue import base, dialogue
from dam_expert.session.storing import save
state, _, _ = dialogue("1", "45 %")
die = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)
if {moment!r} == "fsync": os.fsync = die
if {moment!r} == "replace": pathlib.Path.replace = die
if {moment!r} == "write":
    import io, builtins
    real = pathlib.Path.open
    def opened(self, *a, **k):
        file = real(self, *a, **k)
        if str(self).endswith(".part"): file.write(b"schema: dam-inc"); file.flush(); die()
        return file
    pathlib.Path.open = opened
save(base(), state, pathlib.Path({str(path)!r}))
"""
    killed = subprocess.run([sys.executable, "-c", script], env=dict(os.environ), check=False)
    assert killed.returncode == -9
    assert path.read_bytes() == before
    assert read(path).incident.id == "t"


def test_a_read_only_folder_is_one_clear_error(tmp_path: Path) -> None:
    """Where nothing can be written, saving says so and leaves nothing behind."""
    with pytest.raises(OSError, match="No such file"):
        save(base(), begun(), tmp_path / "missing" / "t.dam.yaml")
